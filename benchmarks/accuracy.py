"""Accuracy: progressive error and log-loss of defaults, ours and the peers', in one pass over the same rows.

`python -m benchmarks.accuracy` prints the table; with `--write` it also replaces it in docs/benchmarks.md, line by line
as sets are done, so that sets can be named and measured one at a time. Below it stands how often we are ahead. Nobody
is tuned, and every guess is given before its label is seen. Vowpal Wabbit reads the rows that our reader makes, with
2^22 weights, once as it comes and once with logistic loss (`--oaa`, with probabilities, for more than two classes);
River is a scaler and a logistic regression on the first 20,000 rows; scikit-learn is SGD with log-loss, row by row, on
the first 8,000; of 20 newsgroups both have the first 600. The data are no part of the project.
"""

import gzip
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import littlestone as ls
from benchmarks.datasets import DATA, ROOT, Rows, read_mnist, read_svmlight, read_table, write_table
from littlestone.base.chunks import Examples, Instances
from littlestone.game.evaluation import Evaluation

PAGE, MARK = ROOT / "docs" / "benchmarks.md", "<!-- accuracy -->"
RIVER, SCIKIT = 20_000, 8_000  # rows
FEWER = {"20 newsgroups": 600}  # for both, where a thousand rows take them minutes
SEED = 1
HEADS = ["set", "Littlestone", "VW", "VW logistic", "River*", "scikit-learn*", "constant", "calibration"]


class Said(NamedTuple):
    """What a learner came to: the share of mistakes, and the log-loss where it gives chances."""

    error: float
    loss: float | None = None

    def __str__(self) -> str:
        return f"{100 * self.error:.2f}" + ("" if self.loss is None else f" / {self.loss:.3f}")


class Listed(NamedTuple):
    """Rounds in memory that are texts or dicts."""

    instances: list[Any]
    labels: list[Any]
    features: Callable[[], Any]

    def chunks(self) -> Iterator[Instances]:
        yield Instances.of(self.instances, self.labels)

    def classes(self) -> tuple[Any, ...]:
        return ()


def read_file(path: str, **options: Any) -> Callable[[], Any]:
    return lambda: ls.read(str(DATA / path), **options)


def record_rows(rows: Callable[[], Rows], seed: int | None = None) -> Callable[[], Any]:
    def make() -> Any:
        found = rows() if seed is None else rows().shuffled(seed)
        return ls.Recorded(found.X, found.y)

    return make


def read_rcv1() -> Any:
    """The rows for training, then those for testing."""
    names = [str(DATA / "rcv1" / name) for name in ("rcv1_small.dat.gz", "rcv1_small_test.data.gz")]
    return ls.read(names, format="vw")


def read_news() -> Any:
    """The posts for training, in an order that does not depend on their folders."""
    with tarfile.open(DATA / "news20groups" / "20news-bydate.tar.gz") as archive:
        posts = [
            (member.name.split("/")[-2], archive.extractfile(member).read().decode("latin-1"))  # type: ignore[union-attr]
            for member in archive
            if member.isfile() and "bydate-train/" in member.name
        ]
    order = np.random.default_rng(SEED).permutation(len(posts))
    return Listed([posts[t][1] for t in order], [posts[t][0] for t in order], ls.Words)


def read_splice() -> Any:
    """An arff file, shuffled: a name, the letters of the sequence, whose places are attributes, and the class."""
    with gzip.open(DATA / "boolean" / "splice.arff.gz", "rt") as file:
        lines = [line.strip() for line in file]
    first = [line.lower() for line in lines].index("@data") + 1
    cells = [line.split(",") for line in lines[first:] if line[:1] not in ("", "%")]
    order = np.random.default_rng(SEED).permutation(len(cells))
    rows = [[one.strip() for one in cells[t]] for t in order]
    letters = [{f"{i}={one}": 1.0 for i, one in enumerate(row[1:-1])} for row in rows]
    return Listed(letters, [row[-1] for row in rows], ls.Named)


SETS: dict[str, Callable[[], Any]] = {
    "adult": read_file("adult/a9a.gz"),
    "web, shuffled": record_rows(lambda: read_svmlight(DATA / "web" / "w8a.gz"), SEED),
    "rcv1": read_rcv1,
    "SMS": read_file("sms_spam/SMSSpamCollection"),
    "spam stream": read_file("spam_stream/spam_katakis.libsvm.gz"),
    "electricity": read_file("electricity/elec.csv.gz"),
    "mushroom": read_file("mushroom/agaricus-lepiota.data", label=0),
    "svmguide3, shuffled": record_rows(lambda: read_svmlight(DATA / "svmguide3" / "svmguide3.libsvm"), SEED),
    "MNIST": record_rows(lambda: read_mnist("train")),
    "20 newsgroups": read_news,
    "credit_g": read_file("tables/credit_g.csv"),
    "spambase": read_file("tables/spambase.csv"),
    "letter": read_file("tables/letter.csv.gz"),
    "car": read_file("tables/car.csv"),
    "splice, shuffled": read_splice,
    "polarity": read_file("tables/polarity.txt.gz"),
}


def play_ours(stream: Any, learner: ls.Learner | None = None) -> tuple[Said, Evaluation]:
    """A learner of ours; None: the default."""
    seen = Evaluation()
    player = ls.Player(learner, stream.features(), stream.classes())
    for chunk in stream.chunks():
        for played in player.play_chunk(chunk):
            game: Any = type("Watched", (), {"player": player})
            seen.watch(game, played.guesses, played.labels, played.scores, played.chances)
    return Said(seen.rate, seen.log_loss), seen


def write_rows(stream: Any, path: Path) -> list[int]:
    """Write the rows that our features make of a stream as Vowpal Wabbit reads them; the labels as numbers from 0."""
    features, codes, known = stream.features() or ls.Indexed(), [], {}
    with path.open("w") as file:
        for chunk in stream.chunks():
            seen: Any = features.read_chunk(chunk)
            assert isinstance(seen, Examples)
            for t, label in enumerate(chunk.labels.tolist()):
                row = seen[t]
                indices = range(row.length) if row.indices is None else row.indices.tolist()
                values = [1.0] * row.length if row.values is None else row.values.tolist()
                codes.append(known.setdefault(label, len(known)))
                entries = " ".join(f"{i}:{v!r}" for i, v in zip(indices, values, strict=True) if v)
                file.write(f"LABEL{codes[-1]} |x {entries}\n")
    return codes


def run_vowpal(rows: Path, codes: list[int], logistic: bool) -> Said:
    """Vowpal Wabbit's guesses, each given before its label is learned."""
    from vowpalwabbit import Workspace

    classes = max(codes) + 1
    data, said = rows.with_suffix(".vw"), rows.with_suffix(".predictions")
    names = [-1, 1] if classes <= 2 else range(1, classes + 1)
    text = rows.read_text().splitlines()
    lines = (f"{names[code]} {line.split(' ', 1)[1]}" for code, line in zip(codes, text, strict=True))
    data.write_text("".join(f"{line}\n" for line in lines))
    asked = f"-d {data} -b 22 --quiet -p {said} --no_stdin"
    if classes > 2:
        asked += f" --oaa {classes}" + (" --loss_function logistic --probabilities" if logistic else "")
    elif logistic:
        asked += " --loss_function logistic --link logistic"
    workspace = Workspace(asked)
    workspace.finish()
    told, truth = said.read_text().splitlines(), np.array(codes)
    if classes > 2 and logistic:
        chances = np.array([[float(part.split(":")[1]) for part in line.split()] for line in told])
        given = chances[np.arange(len(truth)), truth]
        return Said(float((chances.argmax(axis=1) != truth).mean()), -float(np.log(np.maximum(given, 1e-6)).mean()))
    numbers = np.array([float(line.split()[0]) for line in told])
    if classes > 2:
        return Said(float((numbers != truth + 1).mean()))
    if not logistic:
        return Said(float(((numbers > 0) != truth).mean()))
    given = np.where(truth == 1, numbers, 1 - numbers)
    return Said(float(((numbers > 0.5) != truth).mean()), -float(np.log(np.maximum(given, 1e-6)).mean()))


def list_dicts(rows: Path, most: int) -> Iterator[dict[str, float]]:
    with rows.open() as file:
        for _, line in zip(range(most), file, strict=False):
            yield {name: float(value) for name, value in (part.split(":") for part in line.split("|x ")[1].split())}


def run_river(rows: Path, codes: list[int], most: int) -> Said:
    from river import linear_model, multiclass, preprocessing

    model: Any = preprocessing.StandardScaler() | (
        linear_model.LogisticRegression()
        if max(codes) < 2
        else multiclass.OneVsRestClassifier(linear_model.LogisticRegression())
    )
    wrong, loss, played = 0, 0.0, 0
    for x, code in zip(list_dicts(rows, most), codes, strict=False):
        chances = model.predict_proba_one(x)
        guess = max(chances, key=chances.get) if chances else None
        wrong, played = wrong + (guess != code), played + 1
        loss -= np.log(max(chances.get(code, 0.0), 1e-6)) if chances else 0.0
        model.learn_one(x, code)
    return Said(wrong / played, loss / played)


def run_scikit(rows: Path, codes: list[int], most: int) -> Said:
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import SGDClassifier

    X, truth = DictVectorizer().fit_transform(list_dicts(rows, most)), np.array(codes[:most])
    model, classes, wrong, loss = SGDClassifier(loss="log_loss"), np.arange(max(codes) + 1), 0, 0.0
    for t in range(len(truth)):
        if t:
            chances = model.predict_proba(X[t])[0]
            wrong, loss = wrong + (chances.argmax() != truth[t]), loss - np.log(max(chances[truth[t]], 1e-6))
        model.partial_fit(X[t], truth[t : t + 1], classes)
    return Said((wrong + 1) / len(truth), loss / len(truth))


def measure(name: str) -> list[str]:
    """One line of the table."""
    ours, seen = play_ours(SETS[name]())
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows"
        codes = write_rows(SETS[name](), rows)
        squared, logistic = (run_vowpal(rows, codes, by) for by in (False, True))
        river, scikit = run_river(rows, codes, FEWER.get(name, RIVER)), run_scikit(rows, codes, FEWER.get(name, SCIKIT))
    off = "" if seen.forecasts is None or seen.classes > 2 else f"{seen.forecasts.calibration:.3f}"
    return [name, str(ours), str(squared), str(logistic), str(river), str(scikit), f"{100 * seen.constant:.2f}", off]


def sum_up(lines: list[list[str]]) -> str:
    """How often ours is ahead of Vowpal Wabbit and of a constant, and how near on the others."""
    numbers = [[[float(part) for part in line[k].split(" / ")] for k in (1, 2, 3, 6)] for line in lines]
    worse = [ours[0] / min(squared[0], logistic[0]) - 1 for ours, squared, logistic, _ in numbers]
    losses = sum(ours[1] <= logistic[1] for ours, _, logistic, _ in numbers)
    constant = sum(line[0][0] > line[3][0] for line in numbers)
    return f"""\
Of {len(lines)} sets: error at or below the better one of VW's on {sum(by <= 0 for by in worse)}, at most 1 % (of it) \
above on {sum(0 < by <= 0.01 for by in worse)} more, and {100 * max(worse):.1f} % above at most; log-loss at or below \
VW's on {losses}; error above a constant's on {constant}."""


def write_lines(found: dict[str, list[str]]) -> None:
    """Put new lines into the table of the page."""
    kept = {cells[0]: cells for cells in read_table(PAGE, MARK) if cells[0] in SETS}
    lines = [(kept | found)[name] for name in SETS if name in kept | found]
    table = [HEADS, ["---"] * len(HEADS), *lines]
    write_table(PAGE, MARK, "\n".join(f"| {' | '.join(line)} |" for line in table) + f"\n\n{sum_up(lines)}")


def main() -> None:
    if not DATA.exists():
        print("the data sets are not here: nothing was measured")
        return
    for name in [one for one in sys.argv[1:] if one in SETS] or SETS:
        line = measure(name)
        print(" | ".join(line), flush=True)
        if "--write" in sys.argv:
            write_lines({name: line})


if __name__ == "__main__":
    main()
