"""Write docs/tour.md: real commands on real data, as typed, and what they printed: `python docs/make_tour.py FOLDER`.

FOLDER holds the data sets that the page names. They are put under plain names into an empty folder, where every command
runs as a user would run it.
"""

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PAGE = Path(__file__).parent / "tour.md"
BIN = Path(sys.executable).parent

TOUR = [
    "# A tour on real data",
    "Every command below was run by `docs/make_tour.py` in an empty folder that held the files it names; what follows"
    " each is what it printed, but for how long it took, which says nothing about your machine.",
    "## Raw text: SMS messages",
    "`messages.txt` has one message a line, `ham` or `spam`, a tab, the text (T. A. Almeida and J. M. Gomez "
    "Hidalgo, SMS"
    " Spam Collection). Words are hashed while the bytes are read; the learner is the default.",
    "$ head -c 120 messages.txt",
    "$ littlestone learn messages.txt --model spam.lst --certify",
    "$ littlestone explain spam.lst --top 8",
    "$ echo 'free entry: call now to claim your prize' | littlestone predict spam.lst - --format text "
    "--unlabelled --probabilities",
    "$ littlestone learn messages.txt --until-error 0.1 --confidence 0.95",
    "## CSV with a header: electricity prices",
    "`elec.csv.gz` says every half hour whether the price in New South Wales went up (M. Harries, 1999). The "
    "label is the"
    " last column, all others are numbers. Labels come in runs, so the order of the rounds matters and no "
    "statement about"
    " independent data applies.",
    "$ littlestone learn elec.csv.gz --check-order",
    "$ littlestone race elec.csv.gz",
    "## CSV of nominal columns: mushrooms",
    "`mushroom.csv` has no header; the first column is the label, the 22 others are letters, `?` is missing "
    "(J. Schlimmer,"
    " 1987). A few attributes decide.",
    "$ head -n 2 mushroom.csv",
    "$ littlestone learn mushroom.csv --label 0 --model mushroom.lst --certify",
    "$ littlestone explain mushroom.lst --top 6",
    "$ littlestone separable mushroom.csv --label 0",
    "## svmlight: census incomes",
    "`adult.svm.gz` is the a9a version of the census data (R. Kohavi and B. Becker, 1996; one-hot by J. Platt). No"
    " hyperplane separates it; the theorem still says how many updates any comparator allows.",
    "$ littlestone learn adult.svm.gz --model adult.lst --report adult.html",
    "$ littlestone certify adult.lst adult.svm.gz --output adult.json",
    "$ littlestone verify adult.json adult.svm.gz",
    "$ littlestone predict adult.lst adult-test.svm.gz --output guesses.txt",
    "$ littlestone separable adult.svm.gz",
    "## Twenty classes: newsgroups",
    "`news.txt` has one post a line, the group, a tab, the text (K. Lang, 20 newsgroups, by date). When the third class"
    " appears the player goes on as a network.",
    "$ littlestone learn news.txt --passes 2 --shuffle-buffer 20000 --model news.lst",
    "$ littlestone predict news.lst news-test.txt --output guesses.txt",
    "## Drift: e-mail over time",
    "`mail.svm.gz` holds e-mails in the order of their arrival, 39,916 words, spam or not (I. Katakis, 2009). What spam"
    " looks like changes; Winnow with a floor under its weights forgets.",
    "$ littlestone learn mail.svm.gz --learner winnow --set threshold=39916",
    "$ littlestone learn mail.svm.gz --learner winnow --set threshold=39916 --set floor=1",
    "$ littlestone plan --attributes 39916 --relevant 40",
]


def prepare_folder(data: Path, folder: Path) -> None:
    """The data under plain names."""
    for name, source in {
        "messages.txt": "sms_spam/SMSSpamCollection",
        "elec.csv.gz": "electricity/elec.csv.gz",
        "mushroom.csv": "mushroom/agaricus-lepiota.data",
        "adult.svm.gz": "adult/a9a.gz",
        "adult-test.svm.gz": "adult/a9a.t.gz",
        "mail.svm.gz": "spam_stream/spam_katakis.libsvm.gz",
    }.items():
        shutil.copyfile(data / source, folder / name)
    lines: dict[str, list[bytes]] = {"train": [], "test": []}
    with tarfile.open(data / "news20groups" / "20news-bydate.tar.gz") as archive:
        for member in archive:
            if member.isfile():
                part, group, _ = Path(member.name).parts[-3:]
                body = (archive.extractfile(member) or io.BytesIO()).read()
                lines["train" if part.endswith("train") else "test"].append(
                    group.encode() + b"\t" + re.sub(rb"\s+", b" ", body)
                )
    (folder / "news.txt").write_bytes(b"\n".join(lines["train"]) + b"\n")
    (folder / "news-test.txt").write_bytes(b"\n".join(lines["test"]) + b"\n")


def run_command(command: str, folder: Path) -> str:
    """What a command prints, standard error last."""
    environment = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, capture_output=True, check=False, errors="replace"
    )
    text = "\n".join(part.rstrip() for part in (done.stdout, done.stderr) if part.strip())
    text = re.sub(r"^ +took .*\n", "", text, flags=re.MULTILINE)
    return text + (f"\n(exit status {done.returncode})" if done.returncode else "")


def main() -> None:
    data, parts = Path(sys.argv[1]), list[str]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare_folder(data, folder)
        for line in TOUR:
            if line.startswith("$ "):
                print(line, flush=True)
                parts.append(f"```console\n{line}\n{run_command(line[2:], folder)}\n```")
            else:
                parts.append(line)
    PAGE.write_text("\n\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
