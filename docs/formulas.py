"""Formulas of docstrings, which are plain text such as `updates <= R^2 |u|^2 / g^2`, as TeX for the site.

The notation: factors side by side are a product; `a b / c` with spaces is a fraction, of the product before it by the
one factor after it; `a/b` without spaces stays on the line; `x'` is a transpose, `u.x` an inner product, `(z)+` a
positive part; `sum over t of` and `inf over u of` have what they range over below; words are words. Two spaces are a
small gap and three or more a large one. What is not understood, or states no relation, is no formula.

>>> print(convert_block("updates <= (r + D) / (2 rate),"))
\\text{updates} \\le \\frac{r + D}{2\\ \\text{rate}},
>>> convert_block("00  take   stop if the counter is 0") is None
True
"""

import re

FUNCTIONS = {"ln", "lg", "exp", "sinh", "cosh", "tanh", "det", "min", "max", "inf"}
NAMES = {"Bin", "Ldim", "diag", "sgn"}
GREEK = {"tau", "eta", "lambda"}
SHORT = {"an", "as", "at", "by", "if", "in", "is", "it", "no", "of", "on", "or", "to", "we"}
SIGNS = {"<=": r"\le", ">=": r"\ge", "<-": r"\leftarrow", "...": r"\dots"}  # others stand for themselves
BRACKETS = {"(": ")", "[": "]", "|": "|"}
LONG = 84  # characters of a line whose cells are put below one another
TOKEN = re.compile(
    r"""(?P<gap>[ ]{2,})|(?P<space>[ ])|(?P<number>\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)|(?P<quoted>"[^"]*")
    |(?P<relation><=|>=|<-|[=<>])|(?P<dots>\.\.\.)|(?P<range>\.\.)
    |(?P<below>_(?:\|[^|]*\||[A-Za-z0-9]+(?:[+-]\d+)?))|(?P<above>\^(?:-?\d/\d|-?\d+(?:\.\d+)?|-?[A-Za-z](?:_[A-Za-z0-9])?|\|[^|]*\||\([^()]*\)))
    |(?P<word>[A-Za-z]{2,}(?:-[a-z]{2,})*(?:'s)?|[A-Za-z])|(?P<sign>[-+/'|()\[\],;:.])""",
    re.VERBOSE,
)


class Unclear(Exception):
    """Text that is not a formula as docstrings write them."""


class Bracketed(str):
    """The TeX of something in brackets; `inside` is it without them."""

    inside = ""


def convert_block(text):
    """Convert an indented block to TeX; None if it is not certainly a formula."""
    try:
        lines = [Line(line.strip()).read() for line in text.strip("\n").splitlines()]
    except Unclear:
        return None
    if not re.search(r"[=<>]", text):
        return None
    if len(lines) == 1 and len(text.strip()) > LONG:
        lines = [[cell] for cell in join_conditions(lines[0])]
    if len(lines) == 1:
        return r" \qquad ".join(lines[0])
    rows = r" \\ ".join("& " + " && ".join(cells) for cells in lines)
    return rf"\begin{{aligned}} {rows} \end{{aligned}}"


def join_conditions(cells):
    """Join each cell that ends in a colon with the one that it introduces."""
    made = cells[:1]
    for cell in cells[1:]:
        if made[-1].endswith(":"):
            made[-1] += r" \quad " + cell
        else:
            made.append(cell)
    return made


def convert_inline(text):
    """Convert a formula within a sentence to TeX, fractions and primes as they stand; None if it is not one."""
    try:
        cells = Line(text, inline=True).read() if text else []
    except Unclear:
        return None
    return cells[0] if len(cells) == 1 else None


class Line:
    """One line of a formula, read from left to right."""

    def __init__(self, text, inline=False):
        self.inline, self.tokens, end = inline, [], 0
        for found in TOKEN.finditer(text):
            if found.start() != end:
                raise Unclear(text[end : found.start()])
            end = found.end()
            self.tokens.append((found.lastgroup, found.group()))
        if end != len(text):
            raise Unclear(text[end:])
        self.at = self.bars = 0  # the next token, and the bars that are open around it

    def read(self):
        """Read the cells of the line, which large gaps separate."""
        cells = [self.read_sum("")]
        while self.at < len(self.tokens):  # a large gap
            self.at += 1
            cells.append(self.read_sum(""))
        return cells

    def look(self, ahead=0):
        """Return the kind and the text of a token, without going past it."""
        place = self.at + ahead
        return self.tokens[place] if 0 <= place < len(self.tokens) else ("end", "")

    def take(self):
        """Return the kind and the text of the next token, and go past it."""
        self.at += 1
        return self.tokens[self.at - 1]

    def read_sum(self, closing):
        """Read products with signs and relations between them, up to a closing bracket or a large gap."""
        parts = []
        while True:
            kind, text = self.look()
            if kind == "end" or (kind == "gap" and len(text) > 2) or text == closing:
                return " ".join(parts)
            if kind in ("space", "gap"):
                self.take()
                if kind == "gap":
                    parts.append(r"\;")
            elif kind in ("relation", "dots") or text in ("+", "-"):
                parts.append(SIGNS.get(self.take()[1], text))
            elif text in (",", ";", ":", "."):
                self.take()
                parts[-1:] = [(parts[-1] if parts else "") + text + (r"\ " if self.look()[0] == "space" else "")]
            elif self.begins_factor():
                parts.append(self.read_product())
            else:
                raise Unclear(text)

    def begins_factor(self):
        """Whether a number, a name or an opening bracket comes next."""
        kind, text = self.look()
        return kind in ("number", "word", "quoted") or text in ("(", "[", "|")

    def read_product(self):
        """Read factors side by side, and what they are divided by."""
        factors = [self.read_factor()]
        while True:
            spaced = self.look()[0] == "space"
            kind, text = self.look(spaced)
            if text == "/" and spaced and self.look(2)[0] == "space":
                self.at += 3
                if self.inline:
                    factors[-1] += " / " + self.read_factor()
                    continue
                below = strip_brackets(self.read_factor())
                factors = [rf"\frac{{{strip_brackets(join_factors(factors))}}}{{{below}}}"]
            elif text == "/" and not spaced:
                self.take()
                factors[-1] += "/" + self.read_factor()
            elif text in (")", "]") or (text == "|" and self.bars):
                return join_factors(factors)
            elif kind in ("number", "word", "quoted") or text in ("(", "[", "|"):
                self.at += spaced
                factors.append(self.read_factor())
            else:
                return join_factors(factors)

    def read_factor(self):
        """Read one factor with its exponents, and with its argument if it is a function."""
        kind, text = self.look()
        if text == "-":
            self.take()
            return "-" + self.read_factor()
        if not self.begins_factor():
            raise Unclear(text)
        self.take()
        if kind == "number":
            made = text.replace(",", "{,}")
            if self.look()[0] == "word" and len(self.look()[1]) <= 2:
                return made + self.read_factor()
        elif kind == "quoted":
            return rf"\text{{{text}}}"
        elif kind == "word":
            made = self.read_word(text)
            if made.startswith(r"\text") and self.look()[0] not in ("above", "below"):
                return made
        else:
            made = self.read_bracket(text)
        return self.read_attached(made, text)

    def read_word(self, text):
        """Read a name: a function, a sum, a letter, or words of a sentence as far as they go."""
        if text in ("sum", "inf"):
            return self.read_range(rf"\{text}")
        if text == "sqrt" and self.look()[1] == "(":
            self.take()
            return rf"\sqrt{{{self.read_until(')')}}}"
        if text in ("ceil", "floor") and self.look()[1] == "(":
            self.take()
            inside = self.read_until(")")
            left, right = (r"\left", r"\right") if r"\frac" in inside else ("", "")
            return rf"{left}\l{text} {inside} {right}\r{text}"
        if text in FUNCTIONS | NAMES or (text == "log" and self.inline):  # in a block it may be a word: the log loss
            name = rf"\{text}" if text not in NAMES else rf"\operatorname{{{text}}}"
            if self.look()[0] == "space":
                self.take()
            return f"{name} {self.read_factor()}" if self.look()[1] != "(" else name + self.read_bracket(self.take()[1])
        if text in GREEK:
            return rf"\{text}"
        if text == "E" and self.look()[1] == "[":
            return rf"\mathbb{{E}}{self.read_bracket(self.take()[1])}"
        if not self.is_prose(text):
            return rf"\mathit{{{text}}}" if len(text) > 1 and text.isupper() else " ".join(text)
        words = [text]
        while self.look()[0] == "space" and self.look(1)[0] == "word" and self.goes_on():
            self.take()
            words.append(self.take()[1])
        return rf"\text{{{' '.join(words)}}}"

    def goes_on(self):
        """Whether a sentence goes on with the next word, which may be an article."""
        text = self.look(1)[1]
        article = text == "a" and self.look(2)[0] == "space" and self.is_prose(self.look(3)[1])
        return article or self.is_prose(text)

    @staticmethod
    def is_prose(text):
        """Whether a name is a word of English and not one of mathematics."""
        known = FUNCTIONS | NAMES | GREEK | {"sum"}
        longer = len(text) > 2 and text[1:].replace("-", "").replace("'", "").isalpha() and not text.isupper()
        return text not in known and (longer or text in SHORT)

    def read_range(self, name):
        """Read what a sum or an infimum ranges over, if that is said."""
        following = self.look(1)[1] if self.look()[0] == "space" else ""
        if following == "of":
            self.at += 2
        if following != "over":
            return name
        rest = [text for _, text in self.tokens[self.at + 3 :]]
        if "of" not in rest:
            raise Unclear("of")
        self.at += 4 + rest.index("of")
        return name + write_limits("".join(rest[: rest.index("of") - 1]))

    def read_bracket(self, opening):
        """Read what stands between brackets, which are made as tall as it is."""
        self.bars, before = (self.bars + 1, self.bars) if opening == "|" else (0, self.bars)
        inside = self.read_until(BRACKETS[opening])
        self.bars = before
        left, right = (r"\lvert", r"\rvert") if opening == "|" else (opening, BRACKETS[opening])
        tall = r"\frac" in inside or r"\sum" in inside or r"\sqrt" in inside
        left, right = (rf"\left{left}", rf"\right{right}") if tall else (left, right)
        made = Bracketed(f"{left} {inside}{right}" if left.endswith("vert") else f"{left}{inside}{right}")
        made.inside = made if opening == "|" else inside
        return made

    def read_until(self, closing):
        """Read everything up to a closing bracket, and go past it."""
        inside = self.read_sum(closing)
        if self.look()[1] != closing:
            raise Unclear(closing)
        self.take()
        return inside

    def read_attached(self, made, text):
        """Read the exponents, indices, primes and inner products that follow a factor without a space."""
        while True:
            kind, sign = self.look()
            if kind in ("above", "below"):
                self.take()
                inside = sign[1:].strip("()") if kind == "above" else sign[1:]
                made += f"{'^' if kind == 'above' else '_'}{{{Line(inside).read_sum('')}}}"
            elif sign == "'":
                self.take()
                made += "'" if self.inline else r"^{\top}"
                if self.look()[0] == "word":
                    return f"{made} {self.read_factor()}"
            elif sign == "+" and made.endswith(")") and self.look(1)[0] in ("space", "end"):
                self.take()
                made += "_{+}"
            elif sign == "." and self.look(1)[0] == "word" and len(self.look(1)[1]) == 1:
                self.take()
                made += r" \cdot " + self.read_factor()
            elif sign == "(" and len(text) == 1 and text.isalpha():
                made += self.read_bracket(self.take()[1])
            elif kind == "word" and len(text) == 1 and len(sign) <= 2 and not self.is_prose(sign):
                made += " " + self.read_factor()
            else:
                return made


def write_limits(over):
    """Write what a sum ranges over as TeX sets it."""
    if found := re.fullmatch(r"([a-z]) = (\w+)\.\.(\w+)", over):
        return rf"_{{{found[1]} = {found[2]}}}^{{{found[3]}}}"
    if found := re.fullmatch(r"([A-Z]) within ([A-Z])", over):
        return rf"_{{{found[1]} \subseteq {found[2]}}}"
    return rf"_{{{over}}}" if re.fullmatch(r"[A-Za-z]", over) else rf"_{{\text{{{over}}}}}"


def strip_brackets(factor):
    """Take away the brackets of a whole numerator or denominator."""
    return factor.inside if isinstance(factor, Bracketed) else factor


def join_factors(factors):
    """Put factors side by side, with a space beside words."""
    made = factors[0]
    for one in factors[1:]:
        wordy = one.startswith(r"\text") or re.search(r"\\text\{[^{}]*\}$", made)
        made += (r"\ " if wordy else " ") + one
    return made
