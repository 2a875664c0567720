"""Sentences with formulas in them, such as `If some u has u.x >= 1, then |u| <= R.`, for the site.

They stand in docstrings and pages. A run of letters, numbers, signs, parameters of learners and terms such as `R^2` is
a formula; single letters are variables. A run that `formulas` does not understand, or that goes on in words, is left as
it stands. Of a page in Markdown `convert_page` leaves out code, links, pictures, titles and references.

>>> convert_sentence("If some u has u.x >= 1, stop.", lambda tex: f"${tex}$", str.upper)
'IF SOME $u$ HAS $u \\\\cdot x \\\\ge 1$, STOP.'
"""

import re

from formulas import FUNCTIONS, GREEK, NAMES, SHORT, convert_inline

PARAMETERS = {"TD", "aggressiveness", "margin", "penalty", "rate", "ridge", "threshold", "top"}  # names in formulas
SIGNS = {"<=", ">=", "<-", "=", "<", ">", "+", "-", "/", "..."}
KNOWN = FUNCTIONS | NAMES | GREEK | PARAMETERS | {"ceil", "floor", "log", "sqrt"}
RELATIONS, LONG = {r"\le", r"\ge", "=", "<", ">"}, 48  # characters of TeX
INDEXED = re.compile(r"\b([xyz])(\d+)\b")
OWNED = re.compile(r"([b-zB-HJ-Z])((?:'s|-th)\W*)")  # w's length, the i-th row
REFERENCE = re.compile(r"(?:After )?[A-Z]\. (?:[A-Z]\. )?(?:de |van )?[A-Z]\w+.*(?:19|20)\d\d", re.DOTALL)
FENCE = re.compile(r"(^(`{3,})[^\n]*\n.*?^\2 *$)", re.DOTALL | re.MULTILINE)
NO_TEXT = re.compile(r"(`+[^`]+`+|!?\[[^\]\[]*\]\([^)]*\)|<https?:[^>]*>|^ *(?:[-*+>]|\d+\.) )", re.MULTILINE)
ESCAPED = re.compile(r"\\(?=[<>]=? |_)")  # signs of formulas that need no escape
FOLLOWED = re.compile(r"(\{math\}`[^`]*)`((?:'s|-th)?[.,;:)]*)(?=\s|$)")
FORMAL = re.compile(r"[\^_|']|^[a-z]\.[a-z]$|^\d+[a-zN]$|\w\(|^\(|\)\+?$|\)/|^[A-Za-z0-9]+/[A-Za-z0-9]+$")


def convert_page(text):
    """Write a page of Markdown with its formulas as TeX."""
    pieces = FENCE.split(text)  # each block comes with its fence once more
    pieces[::3] = ["\n\n".join(map(convert_paragraph, piece.split("\n\n"))) for piece in pieces[::3]]
    return "".join(piece for k, piece in enumerate(pieces) if k % 3 != 2)


def convert_paragraph(text):
    """Write a paragraph or a table of Markdown with its formulas as TeX."""
    text_only = text.lstrip("\n")
    if text_only.startswith(("    ", "# ")) or REFERENCE.match(text_only):
        return text
    if not text_only.startswith("|"):
        return convert_text(text, str)
    cells = re.split(r"((?<!\\)\|)", text)
    cells[::2] = [convert_text(cell.replace(r"\|", "|"), lambda kept: kept.replace("|", r"\|")) for cell in cells[::2]]
    return "".join(cells)


def convert_text(text, keep):
    """Write Markdown with its formulas as TeX; what is none of them is `keep(text)`."""
    pieces = NO_TEXT.split(ESCAPED.sub("", text))
    pieces[1::2] = map(keep, pieces[1::2])
    pieces[::2] = [convert_sentence(piece, "{{math}}`{}`".format, keep) for piece in pieces[::2]]
    return keep_together("".join(pieces))


def keep_together(text):
    """Put what follows a formula without a space into it, as text: a browser would begin a line with it."""
    return FOLLOWED.sub(lambda found: rf"{found[1]}\text{{{found[2]}}}`" if found[2] else found[0], text)


def convert_sentence(text, mark, keep):
    """Write a sentence whose formulas are `mark(TeX)` and whose other pieces are `keep(text)`."""
    pieces, words = [], re.split(r"(\s+)", text)
    while words:
        count = count_run(words)
        run = "".join(words[: max(count, 1)])
        first, end = find_formula(run)
        tex = convert_inline(INDEXED.sub(r"\1_\2", " ".join(run[first:end].split()))) if count else None
        if run[first:end] == "s" and "".join(pieces).rstrip()[-1:].isdigit():
            tex = None  # seconds
        if owned := OWNED.fullmatch(run):
            pieces.append(mark(owned[1]) + owned[2])
        else:
            pieces.append(keep(run) if tex is None else keep(run[:first]) + mark_parts(tex, mark) + keep(run[end:]))
        del words[: max(count, 1)]
    return "".join(pieces)


def mark_parts(tex, mark):
    """Mark a formula; a long one in parts, between which a line may end: browsers do not break a formula."""
    parts = split(tex, RELATIONS) if len(tex) > LONG else [tex]
    if len(parts) == 1 and len(tex) > LONG:
        parts = [part if k == 0 else "{} " + part for k, part in enumerate(split(tex, {"+"}))]
    return " ".join(map(mark, parts))


def split(tex, signs):
    """Split a formula before each of some signs that stands in no bracket."""
    parts, depth = [""], 0
    for piece in tex.split(" "):
        if piece in signs and not depth and parts[-1]:
            parts.append("")
        depth += sum(piece.count(sign) for sign in "{([") - sum(piece.count(sign) for sign in "])}")
        parts[-1] += f" {piece}" if parts[-1] else piece
    return parts


def find_formula(run):
    """Find where a formula begins and ends in a run, without punctuation and brackets that are not its own."""
    last = re.search(r'[.,;:"]*$', run).start()
    first, end = int(run.startswith('"')), last
    while run[first:end].endswith(")") and run.count(")", first, end) > run.count("(", first, end):
        end -= 1
    while run[first:end].startswith("(") and run.count("(", first, end) > run.count(")", first, end):
        first += 1
    inside, bracketed = run[first:end], (first, end) != (0, last)
    plain = re.fullmatch(r"\(?[\d.,]+\)?", inside) or (bracketed and inside in {"a", "A", "I"}) or inside in PARAMETERS
    return (0, 0) if plain else (first, end)


def count_run(words):
    """Count the leading pieces, words and the spaces between, that may be a formula; 0 if the first is in none."""
    kinds, count, brackets = [], 0, 0
    for place in range(0, len(words), 2):
        word = words[place]
        core = word if word == "..." else word.rstrip('.,;:"')
        core = core if place else core.removeprefix('"')
        kind = classify(core)
        named = core in PARAMETERS
        if named or (core in ("a", "A", "I") and not brackets):  # it is a word, unless a formula goes on beside it
            near = (place - 2, *([place + 2] if word.endswith(core) else []))
            beside = {classify(words[k].rstrip(".,;:")) for k in near if 0 <= k < len(words)}
            inner = named and place > 0  # a name that begins a run is a word before it: margin g
            kind = "letter" if beside & ({"sign", "letter", "number", "formula"} if inner else {"sign"}) else None
        if kind is None or (core == "s" and kinds[-1:] == ["number"]):
            break
        kinds.append(kind)
        count = place + 1
        brackets += sum(core.count(sign) for sign in "([") - sum(core.count(sign) for sign in ")]")
        if not word.endswith(core) and (word.endswith(".") or not brackets):
            break
    while kinds and (kinds[-1] in ("sign", "function") or kinds == ["number"]):
        kinds.pop()
        count -= 2
    if set(kinds) <= {"sign", "number"}:  # numbers look as those beside them do, which are no formulas
        return int(words[0] in ("<=", ">="))
    return count


def classify(word):
    """Say what a word is to a formula: a sign, number, letter, function, or formula in itself; None: it is English."""
    if word in SIGNS:
        return "sign"
    if re.fullmatch(r"-?(\d{1,3}(,\d{3})+|\d+(\.\d+)?)", word):
        return "number"
    if re.fullmatch(r"[A-Za-z]", word) or word in GREEK:
        return "letter"
    if word.removeprefix("-") in FUNCTIONS | {"log"}:
        return "function"
    if INDEXED.fullmatch(word):
        return "formula"
    runs = re.findall(r"[A-Za-z]+", word)
    short = "'" in word and not word.endswith("'s")  # as in x'Sx
    known = all(len(run) == 1 or run in KNOWN or (short and len(run) == 2 and run not in SHORT) for run in runs)
    plain = word in ("e.g", "i.e", "I/O", "A/B", "n/a") or word.endswith("'s") or not re.search(r"\w", word)
    plain = plain or re.fullmatch(r"\(\d+\)", word)
    return "formula" if known and FORMAL.search(word) and not plain else None
