"""Write docs/exercises/*.md, a page for each chapter, from the exercises themselves: `python docs/make_exercises.py`"""

from pathlib import Path

from littlestone.laws.grading.exercises import CHAPTERS
from littlestone.laws.grading.other_parts import AdversaryPart

HERE = Path(__file__).parent / "exercises"

FIRST = '''Write a class, save it in a file, and let it be graded:

```python
from pathlib import Path

Path("my_learner.py").write_text("""
class Learner:
    def __init__(self):
        self.known = {}

    def predict(self, x):
        return self.known.get(x, False)

    def update(self, x, y):
        self.known = {x: y}
""")
```

```console
$ littlestone grade my_learner.py --exercise 1 | cat
```

What is wrong with it? `predict(x)` says a label before it is known, `update(x, y)` hears it, in every round; what was
learned belongs into `self` and nowhere else. The class is made anew for every game, with the names that its `__init__`
has in the exercise. It meets **every** adversary that keeps to the rules: the worst case that is printed is exact, for
games of every length, as long as what you keep in `self` does not grow for ever (a list of all rounds does; then all
short games are played, and some long ones, and the report says so). The file runs in a process of its own with limits
on time, memory and processes; what it prints is not shown. That process learns a label only after `predict` has
answered, so there is nothing to be read ahead. The limits stop accidents, not malice: the file runs with your rights,
can read, change and remove your files, use the network and signal your other processes. Grade the files of strangers in
a container or on a machine that has nothing to lose. Where an exercise is marked *from the notes*, the lecture
notes set it, or leave it as a question. Solutions are in the package's tests, `tests/laws/grading/solutions.py`.'''


def write_page(number):
    """The page of a chapter."""
    chapter, before = CHAPTERS[number], sum(len(one.exercises) for one in CHAPTERS[:number])
    lines = [f"# Exercises {number + 1}: {chapter.title}", f"For [chapter {number + 1}](../course/{chapter.page}.md)."]
    lines += [FIRST] if number == 0 else ["How they are graded is told [at the beginning](1-the-game.md)."]
    for place, exercise in enumerate(chapter.exercises, before + 1):
        mark = " *From the notes.*" if exercise.notes else ""
        lines += [f"## {place}. {exercise.title}", f"{escape(exercise.task)}{mark}"]
        lines += [f"```python\n{write_starter(exercise)}\n```", write_parts(exercise)]
    return "\n\n".join(lines) + "\n"


def write_starter(exercise):
    """The class with its methods, empty."""
    given = {"predict": "x", "update": "x, y", "label": "guess"}
    lines = exercise.starter.split("\n")
    for name in exercise.methods:
        if f"def {name}(" not in exercise.starter:
            lines.append(f"    def {name}({', '.join(['self', *filter(None, [given.get(name)])])}): ...")
    return "\n".join(lines)


def write_parts(exercise):
    """The games and their points, in a sentence."""
    shares = exercise.divide_points()
    told = [f"{escape(part.name)} ({share})" for part, share in zip(exercise.parts, shares, strict=True)]
    word = "Rounds to be forced" if isinstance(exercise.parts[0], AdversaryPart) else "Games"
    return f"{word} and points: {'; '.join(told)}."


def escape(text):
    """Keep signs that Markdown would read, but for code between backticks."""
    pieces = text.split("`")
    for k in range(0, len(pieces), 2):
        for sign in ("\\", "*", "_", "<", "[", "]"):
            pieces[k] = pieces[k].replace(sign, f"\\{sign}")
    return "`".join(pieces)


def list_pages():
    """The pages by their paths."""
    return {HERE / f"{chapter.page}.md": number for number, chapter in enumerate(CHAPTERS)}


if __name__ == "__main__":
    from refill import refill

    HERE.mkdir(exist_ok=True)
    for path, number in list_pages().items():
        path.write_text(refill(write_page(number)))
        print(f"wrote {path.name}")
