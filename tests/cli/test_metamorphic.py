"""No figure that `learn` prints and no byte that it saves depends on how the same rounds reach it.

One property over all formats and options: blocks of other sizes, other numbers of threads, checkpoints, a cache, other
compression, several files, standard input and another path leave every figure, every guess and every weight as it is.
"""

import gzip
import inspect
import io
import json
import textwrap
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from unittest.mock import patch

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

from littlestone.cli import main
from littlestone.game import chunk_player
from littlestone.game.saving import container
from littlestone.readers import blocks, parquet
from long_cases import leave_most_to_test_all

FORMATS = ("svmlight", "vw", "csv", "csv of words", "jsonl", "text", "parquet")
WORDS = ("red", "green", "blue", "dark blue", "grün")
ENDINGS = {"svmlight": "svm", "vw": "vw", "jsonl": "jsonl", "text": "txt", "parquet": "parquet"}


@dataclass(frozen=True)
class Game:
    """Rounds in one format, and the options that decide what is learned from them."""

    format: str
    seed: int
    rounds: int = 120
    classes: int = 2
    learner: str | None = None
    options: tuple[str, ...] = ()

    @property
    def ending(self):
        return ENDINGS.get(self.format, "csv")

    def records(self):
        """The rounds as records: for each a label and its attributes by number, most of them 0."""
        rng = np.random.default_rng(self.seed)
        values = rng.integers(-2, 3, (self.rounds, 8)) * (rng.random((self.rounds, 8)) < 0.6) / 2
        labels = (values[:, 0] > values[:, 1]) + (self.classes > 2) * (values[:, 2] > 0.5)
        noise = rng.random(self.rounds) < 0.1
        return np.where(noise, rng.integers(0, self.classes, self.rounds), labels), values

    def write(self, first=0, end=None, rows_in_group=None, codec="none"):
        """The file of some of the rounds."""
        labels, values = (part[first:end] for part in self.records())
        rows = list(zip(labels.tolist(), values.tolist(), strict=True))
        if self.format == "parquet":
            return write_parquet(rows, rows_in_group, codec)
        lines = [LINES[self.format](label, row) for label, row in rows]
        if self.format.startswith("csv"):
            lines.insert(0, ",".join([*(f"a{k}" for k in range(8)), "label"]))
        return "".join(f"{line}\n" for line in lines).encode()


@dataclass(frozen=True)
class Way:
    """How the rounds reach the command."""

    block: int | None = None  # bytes, or rows of a table in columns
    threads: int = 1
    checkpoint: int | None = None
    cache: bool = False
    packing: str | None = None
    files: int = 1
    piped: bool = False
    name: str = "data"


def write_svmlight(label, row):
    return f"{label} " + " ".join(f"{k + 1}:{value}" for k, value in enumerate(row) if value)


def write_vw(label, row):
    return f"{2 * label - 1} |first " + " ".join(f"a{k}:{v}" for k, v in enumerate(row) if v) + f" |b w{row[2]}"


def write_csv(label, row):
    return ",".join(map(str, [*row, label]))


def write_csv_of_words(label, row):
    return ",".join([*map(str, row[:4]), *(f'"{WORDS[int(2 * value) + 2]}"' for value in row[4:]), f"class {label}"])


def write_jsonl(label, row):
    return json.dumps({"label": f"class {label}"} | {f"a{k}": v if k % 2 else WORDS[int(v)] for k, v in enumerate(row)})


def write_text(label, row):
    return f"class {label}\t" + " ".join(f"{WORDS[int(2 * v) + 2]}{k}" for k, v in enumerate(row) if v)


LINES = {
    "svmlight": write_svmlight,
    "vw": write_vw,
    "csv": write_csv,
    "csv of words": write_csv_of_words,
    "jsonl": write_jsonl,
    "text": write_text,
}


def write_parquet(rows, rows_in_group, codec):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = {f"a{k}": [row[k] for _, row in rows] for k in range(8)}
    file = io.BytesIO()
    table = pa.table(columns | {"label": [label for label, _ in rows]})
    pq.write_table(table, file, row_group_size=rows_in_group, compression=codec)
    return file.getvalue()


def pack(data, packing):
    if packing == "gz":
        half = len(data) // 2
        return gzip.compress(data[:half]) + gzip.compress(data[half:])  # two members
    if packing == "zst":
        return pytest.importorskip("zstandard").compress(data)
    return data


def place(game, way, folder):
    """Write the files of a game; their paths."""
    folder = folder / way.name
    folder.mkdir(exist_ok=True, parents=True)
    cuts = [game.rounds * k // way.files for k in range(way.files + 1)]
    paths = []
    for number in range(way.files):
        ending = game.ending if way.packing is None or game.format == "parquet" else f"{game.ending}.{way.packing}"
        paths.append(folder / f"{number}.{ending}")
        codec = {None: "none", "gz": "gzip", "zst": "zstd"}[way.packing]
        data = game.write(cuts[number], cuts[number + 1], way.block, codec)
        paths[-1].write_bytes(data if game.format == "parquet" else pack(data, way.packing))
    return paths


def learn(game, way, folder):
    """What `learn` prints, its guesses, its journal of mistakes, and its model but for where the data are."""
    paths = place(game, way, folder)
    outputs = {name: folder / name for name in ("model", "predictions", "mistakes")}
    words = ["-"] if way.piped else list(map(str, paths))
    words += ["--format", game.format.split(" ", maxsplit=1)[0], "--json", "--quiet", *game.options]
    words += ["--learner", game.learner] if game.learner else []
    words += ["--cache"] if way.cache else []
    words += ["--checkpoint", str(way.checkpoint)] if way.checkpoint else []
    words += [word for name in ("model", "predictions") for word in (f"--{name}", str(outputs[name]))]
    if "--holdout" not in game.options:  # a journal plays every round by itself: it would hide what blocks do
        words += ["--mistakes", str(outputs["mistakes"])]
    with ExitStack() as stack:
        stack.enter_context(patch("littlestone.readers.reading.CORES", way.threads))
        if way.block and game.format == "parquet":
            stack.enter_context(patch.object(parquet, "ROWS", way.block))
        elif way.block:
            in_blocks = partial(blocks.read_blocks, size=16 * way.block)
            stack.enter_context(patch("littlestone.readers.reading.read_blocks", in_blocks))
        said = CliRunner().invoke(main, ["learn", *words], input=paths[0].read_bytes() if way.piped else None)
    assert said.exit_code == 0, said.output
    record = json.loads(said.stdout)
    for name in ("seconds", "data", "model"):
        del record[name]
    document, arrays = container.read(outputs["model"])
    del document["sha256"]
    weights = {name: (str(array.dtype), array.shape, array.tobytes()) for name, array in arrays.items()}
    texts = {name: path.read_text() for name, path in outputs.items() if name != "model" and path.exists()}
    return record, document, weights, texts


def check(game, way, folder):
    """The property: another way leaves everything as it is."""
    plain = learn(game, Way(), folder / "plain")
    other = learn(game, way, folder / "other")
    for one, two, what in zip(plain, other, ("figures", "model", "weights", "files"), strict=True):
        differs = [name for name in one.keys() | two.keys() if one.get(name) != two.get(name)]
        assert not differs, f"{what} differ: {differs}"


def check_some(format, way, folders):
    """The property for a few streams with rounds held out, of which one may hide what another shows."""
    for seed in range(8):
        check(Game(format, seed, 90, options=("--holdout", "4")), way, folders())


def some_options(draw):
    """Options that decide what is learned."""
    words = ["--passes", str(draw(st.integers(1, 2)))]
    words += draw(st.sampled_from([[], ["--holdout", "3"], ["--holdout", "10"]]))
    words += draw(st.sampled_from([[], [], ["--shuffle-buffer", "25"]]))
    words += draw(st.sampled_from([[], [], ["--certify"]]))
    return tuple(words)


@st.composite
def games(draw):
    format = draw(st.sampled_from(FORMATS))
    learner = draw(st.sampled_from([None, "perceptron", "network:perceptron", "arow", "passive-aggressive", "alma"]))
    classes = draw(st.sampled_from([2, 3])) if learner in (None, "network:perceptron") and format != "vw" else 2
    options = some_options(draw)
    if learner in ("arow", "network:perceptron"):
        options = tuple(word for word in options if word != "--certify")
    if format in ("text", "jsonl", "vw", "csv of words"):
        options += draw(st.sampled_from([(), ("--bits", "9")]))
    return Game(format, draw(st.integers(0, 2**32 - 1)), draw(st.integers(40, 160)), classes, learner, options)


@st.composite
def ways(draw):
    files, piped = draw(st.sampled_from([(1, False), (1, False), (2, False), (3, False), (1, True)]))
    return Way(
        draw(st.sampled_from([None, 8, 9, 20, 61])),
        draw(st.sampled_from([1, 2, 3])),
        draw(st.sampled_from([None, 1, 17, 50])),
        draw(st.booleans()) and not piped,
        draw(st.sampled_from([None, "gz", "zst"])),
        files,
        piped,
        draw(st.sampled_from(["data", "another folder/ä"])),
    )


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A new folder for each example."""

    def new():
        folder = tmp_path_factory.mktemp("game")
        for name in ("plain", "other"):
            (folder / name).mkdir()
        return folder

    return new


@pytest.mark.long
@given(games(), ways())
@settings(max_examples=25)
@example(Game("svmlight", 1, options=("--holdout", "3")), Way(block=8))
@example(Game("parquet", 2, options=("--holdout", "3")), Way(block=8, packing="zst", files=2))
def test_nothing_depends_on_how_the_rounds_come(folders, game, way):
    check(game, way, folders())


@pytest.mark.parametrize("format", leave_most_to_test_all(FORMATS, 3))
@pytest.mark.parametrize(
    "way",
    [
        Way(block=8),
        Way(threads=3, block=8),
        Way(checkpoint=7),
        Way(cache=True),
        Way(packing="gz"),
        Way(packing="zst"),
        Way(files=3),
        Way(piped=True),
        Way(name="else where"),
    ],
    ids=["blocks", "threads", "checkpoint", "cache", "gzip", "zstandard", "files", "piped", "path"],
)
def test_each_way_by_itself_with_rounds_held_out_in_each_format(folders, format, way):
    check(Game(format, 3, 90, options=("--holdout", "4", "--passes", "2")), way, folders())


@pytest.mark.parametrize("format", FORMATS)
def test_the_old_holdout_is_found_when_it_is_put_back(folders, format, monkeypatch):
    """Rounds held out were once judged by what was learned before their block, not before them."""
    rule = textwrap.dedent(inspect.getsource(chunk_player.ChunkPlayer._replay_around))
    faulty = rule.replace("places = judged - np.arange(len(judged))", "places = 0 * judged")
    assert faulty != rule
    scope = dict(vars(chunk_player))
    exec(faulty, scope)
    monkeypatch.setattr(chunk_player.ChunkPlayer, "_replay_around", scope["_replay_around"])
    for way in (Way(block=8), Way(checkpoint=7)):
        with pytest.raises(AssertionError, match=r"(figures|model) differ"):
            check_some(format, way, folders)
