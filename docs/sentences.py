"""Sentences of docstrings with formulas in them, such as `If some u has u.x >= 1, then |u| <= R.`, for the site.

A run of letters, numbers, signs, parameters of learners and terms such as `R^2` is a formula; single letters are
variables. A run that `formulas` does not understand, or that goes on in words, is left as it stands.

>>> convert_sentence("If some u has u.x >= 1, stop.", lambda tex: f"${tex}$", str.upper)
'IF SOME $u$ HAS $u \\\\cdot x \\\\ge 1$, STOP.'
"""

import re

from formulas import FUNCTIONS, GREEK, NAMES, SHORT, convert_inline

PARAMETERS = {"TD", "aggressiveness", "margin", "penalty", "rate", "ridge", "threshold", "top"}  # names in formulas
SIGNS = {"<=", ">=", "<-", "=", "<", ">", "+", "-", "/", "..."}
KNOWN = FUNCTIONS | NAMES | GREEK | PARAMETERS | {"ceil", "floor", "sqrt"}
FORMAL = re.compile(r"[\^_|']|^[a-z]\.[a-z]$|^\d+[a-z]$|\w\(|^\(|\)\+?$|^[a-z0-9]+/[a-z0-9]+$")


def convert_sentence(text, mark, keep):
    """Write a sentence whose formulas are `mark(TeX)` and whose other pieces are `keep(text)`."""
    pieces, words = [], re.split(r"(\s+)", text)
    while words:
        count = count_run(words)
        run = "".join(words[: max(count, 1)])
        end = re.search(r"[.,;:]*$", run).start()
        tex = convert_inline(" ".join(run[:end].split())) if count else None
        pieces.append(keep(run) if tex is None else mark(tex) + run[end:])
        del words[: max(count, 1)]
    return "".join(pieces)


def count_run(words):
    """Count the leading pieces, words and the spaces between, that may be a formula; 0 if the first is in none."""
    kinds, count, brackets = [], 0, 0
    for place in range(0, len(words), 2):
        word = words[place]
        core = word if word == "..." else word.rstrip(".,;:")
        kind = classify(core)
        named = core in PARAMETERS
        if named or (core in ("a", "A", "I") and not brackets):  # it is a word, unless a formula goes on beside it
            beside = {classify(words[k].rstrip(".,;:")) for k in (place - 2, place + 2) if 0 <= k < len(words)}
            kind = "letter" if beside & ({"sign", "letter", "number", "formula"} if named else {"sign"}) else None
        if kind is None:
            break
        kinds.append(kind)
        count = place + 1
        brackets += sum(core.count(sign) for sign in "([") - sum(core.count(sign) for sign in ")]")
        if word != core and (word.endswith(".") or not brackets):
            break
    while kinds and (kinds[-1] in ("sign", "function") or kinds == ["number"]):
        kinds.pop()
        count -= 2
    return max(count, 0) if set(kinds) & {"sign", "formula", "function", "letter"} else 0


def classify(word):
    """Say what a word is to a formula: a sign, number, letter, function, or formula in itself; None: it is English."""
    if word in SIGNS:
        return "sign"
    if re.fullmatch(r"\d+(\.\d+)?", word):
        return "number"
    if re.fullmatch(r"[A-Za-z]", word) or word in GREEK:
        return "letter"
    if word in FUNCTIONS:
        return "function"
    runs = re.findall(r"[A-Za-z]+", word)
    short = "'" in word and not word.endswith("'s")  # as in x'Sx
    known = all(len(run) == 1 or run in KNOWN or (short and len(run) == 2 and run not in SHORT) for run in runs)
    plain = word in ("e.g", "i.e") or word.endswith("'s") or not re.search(r"\w", word)
    return "formula" if known and FORMAL.search(word) and not plain else None
