"""How large models of text are, on disk and while they are learned: `python -m benchmarks.sizes` (docs/model-file.md).

Four messages as in README, text messages (two classes), and 20 newsgroups, each group cut into two or three classes, so
that there are 50. Every model is learned by the command line in a process of its own, whose peak of resident memory is
asked of the system; what the same run takes with 2^10 slots is taken off, which is the interpreter, the compiled code
and the reader.
"""

import os
import random
import re
import resource
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from benchmarks.datasets import DATA, ROOT, write_table
from littlestone.game.saving import container

PAGE, MARK = ROOT / "docs" / "model-file.md", "<!-- sizes -->"
LEARNERS = ("averaged-perceptron", "logistic")
MESSAGES = "spam\tfree money now\nham\tsee you at noon\nspam\twin a free prize\nham\tlunch at noon\n"


def write_news(path: Path) -> None:
    """Write the posts of 20 newsgroups, one a line, in a random order, with 50 labels."""
    posts: dict[str, list[bytes]] = {}
    with tarfile.open(DATA / "news20groups" / "20news-bydate.tar.gz") as archive:
        for member in archive:
            if member.isfile() and "train" in member.name:
                file = archive.extractfile(member)
                assert file is not None
                text = re.sub(rb"[\s\x00-\x1f]+", b" ", file.read().decode("latin-1").encode()).strip()
                posts.setdefault(member.name.split("/")[-2], []).append(text)
    lines = [
        f"{group}.{t % (3 if k % 2 else 2)}\t".encode() + text + b"\n"
        for k, group in enumerate(sorted(posts))
        for t, text in enumerate(posts[group])
    ]
    random.Random(0).shuffle(lines)
    path.write_bytes(b"".join(lines))


def learn(data: Path, model: Path, *options: str) -> float:
    """Learn a file in a process of its own; its peak of resident memory in megabytes."""
    command = ["learn", str(data), "--format", "text", "--model", str(model), "--quiet", *options]
    process = subprocess.Popen([sys.executable, "-m", "littlestone", *command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"littlestone {' '.join(command)} failed")
    assert isinstance(usage, resource.struct_rusage)
    return usage.ru_maxrss / 1024


def measure(folder: Path, name: str, data: Path) -> list[str]:
    """The rows of the table about one file."""
    rows = []
    for learner in LEARNERS:
        model = folder / "m.lst"
        learn(folder / "messages.txt", model, "--learner", learner)  # so that most is compiled
        beside = learn(data, model, "--learner", learner, "--bits", "10")
        peak = learn(data, model, "--learner", learner)
        document, arrays = container.read(model)
        numbers = sum(arrays[part].size for part in ("weights@values", "table@values", "table") if part in arrays)
        kind, size = document["learner"]["kind"], model.stat().st_size / 1e6
        more = max(0.0, peak - beside)
        rows.append(f"| {name} | {kind} | {numbers:,} | {size:,.3f} MB | {more:,.0f} MB | {peak:,.0f} MB |")
        print(rows[-1], flush=True)
    return rows


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "messages.txt").write_text(MESSAGES)
        write_news(folder / "news.txt")
        rows = [
            "| text | learner | numbers kept | file | memory while learning and saving | the whole process |",
            "|---|---|---|---|---|---|",
            *measure(folder, "four messages", folder / "messages.txt"),
            *measure(folder, "5,574 text messages, 2 classes", DATA / "sms_spam" / "SMSSpamCollection"),
            *measure(folder, "11,314 posts, 50 classes", folder / "news.txt"),
        ]
    write_table(PAGE, MARK, "\n".join(rows))


if __name__ == "__main__":
    main()
