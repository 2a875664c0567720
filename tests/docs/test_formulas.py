"""Formulas of docstrings become TeX; what is not certainly a formula stays as it stands."""

import re
from importlib import import_module

import pytest

from places import ROOT

CASES = [
    ("updates <= R^2 |u|^2 / g^2", r"\text{updates} \le \frac{R^{2} \lvert u\rvert^{2}}{g^{2}}"),
    ("a <= (r + D) / (2 rate)", r"a \le \frac{r + D}{2\ \text{rate}}"),
    ("a <= 2 / (d + 1) g g'", r"a \le \frac{2}{d + 1} g g^{\top}"),
    ("a <= d ln(1 + R |u| / g) / -ln q", r"a \le \frac{d \ln\left(1 + \frac{R \lvert u\rvert}{g}\right)}{-\ln q}"),
    ("w <- w + c y S x,    S <- S - x x' S.", r"w \leftarrow w + c y S x, \qquad S \leftarrow S - x x^{\top} S."),
    ("K = sum over t of (1 - y u.x)+ - K", r"K = \sum_{t} (1 - y u \cdot x)_{+} - K"),
    (
        "E[L] = sum over k = 1..T of P(Bin(T, 1/2) >= k)^N",
        r"\mathbb{E}[L] = \sum_{k = 1}^{T} P(\operatorname{Bin}(T,\  1/2) \ge k)^{N}",
    ),
    ("c(S) = sum over T within S of f(T)", r"c(S) = \sum_{T \subseteq S} f(T)"),
    ("P(the vote errs on a new round) < 1", r"P(\text{the vote errs on a new round}) < 1"),
    ("H_|H| - V_t+1 = 0", r"H_{\lvert H\rvert} - V_{t + 1} = 0"),
    ("a <= ceil(lg 2n)", r"a \le \lceil \lg 2n \rceil"),
    ("a <= floor(lg(n / k))", r"a \le \left\lfloor \lg\left(\frac{n}{k}\right) \right\rfloor"),
    ("updates <= u'Xu + TD/g", r"\text{updates} \le u^{\top} X u + \mathit{TD}/g"),
    (
        "x = 1   for y,\n    x = 2   otherwise",
        r"\begin{aligned} & x = 1 && \text{for}\ y, \\ & x = 2 && \text{otherwise} \end{aligned}",
    ),
]
NO_FORMULAS = ["00  take   stop if the counter is 0", "n log n", "a <= {b}", "a <= (b", "a <= b)", "learn a.csv"]


@pytest.fixture(autouse=True)
def _path(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs"))


@pytest.mark.parametrize(("plain", "tex"), CASES)
def test_a_formula_becomes_tex(plain, tex):
    assert import_module("formulas").convert_block("    " + plain) == tex


@pytest.mark.parametrize("plain", NO_FORMULAS)
def test_what_is_not_certainly_a_formula_is_left(plain):
    assert import_module("formulas").convert_block("    " + plain) is None


@pytest.mark.parametrize(
    ("sentence", "marked"),
    [
        ("If some u has u.x >= g > 0, stop.", r"If some [u] has [u \cdot x \ge g > 0], stop."),
        ("A rate of 1/2 is a rate.", "A rate of [1/2] is a rate."),
        ("set w <- w + rate y x; then", r"set [w \leftarrow w + \text{rate}\ y x]; then"),
        ("R counts, e.g. in |x| <= R.", r"[R] counts, e.g. in [\lvert x\rvert \le R]."),
        ("a tree, A's root and 3 leaves", "a tree, A's root and 3 leaves"),
        ("it is x'Ax / 2, at most", "it is [x' A x / 2], at most"),
        ("H_r = 1 + 1/2 + ... + 1/r and", r"[H_{r} = 1 + 1/2 + \dots + 1/r] and"),
        ("grows like ln N for N experts", r"grows like [\ln N] for [N] experts"),
        ("a = {0..m-1}^d is a grid", "a = {0..m-1}^d is a grid"),
        ("w's length, the i-th row, A's", "[w]'s length, the [i]-th row, A's"),
        ("(on the line, w.x = 0) or (a row)", r"(on the line, [w \cdot x = 0]) or (a row)"),
        ('with margin g, "x <= t", -ln p', r'with margin [g], "[x \le t]", [- \ln p]'),
        ("VC <= Halving <= lg of it, (L + 1)/2", r"VC [\le] Halving [\le] lg of it, [(L + 1)/2]"),
        ("5,035 <= 15,787, at most <= 9 %", r"5,035 [\le] 15,787, at most [\le] 9 %"),
        ("f = x2 x10 and n = 4,096", r"[f = x_{2} x_{10}] and [n = 4{,}096]"),
        ("n = 1 (3), in 18 s, O(log n) (1999)", r"[n = 1] (3), in 18 s, [O(\log n)] (1999)"),
    ],
)
def test_formulas_within_sentences_are_marked(sentence, marked):
    assert import_module("sentences").convert_sentence(sentence, "[{}]".format, str) == marked


def test_a_long_formula_may_be_broken_before_a_relation():
    marked = import_module("sentences").convert_sentence(
        "it adds 2 rate y w.x + rate^2 |x|^2 <= 2 rate margin + f(n = 1)^2", "[{}]".format, str
    )
    assert marked == (
        r"it adds [2\ \text{rate}\ y w \cdot x + \text{rate}^{2} \lvert x\rvert^{2}] "
        r"[\le 2\ \text{rate margin} + f(n = 1)^{2}]"
    )


def test_a_long_sum_may_be_broken_before_a_plus():
    marked = import_module("sentences").convert_sentence(
        "at most 1/4 + (2/2 - 1/4) + (2/3 - 1/9) + ... + (2/T - 1/T^2) more", "[{}]".format, str
    )
    assert marked == r"at most [1/4] [{} + (2/2 - 1/4)] [{} + (2/3 - 1/9)] [{} + \dots] [{} + (2/T - 1/T^{2})] more"


def test_formulas_of_a_page_are_marked_and_nothing_else():
    page = (
        "# On w.x > 0\n\nIf `u.x >= 1` then u.x >= 1, see [n = 1](a.md), and |u| <= R.\n\n```\nn = 1\n```\n\n"
        "- n = 1\n- x\\_i \\>= 2\n\n| N | `a \\| b` |\n|---|---|\n| \\|u\\|^2 | one \\| n |\n\n"
        "    n = 1\n\n![n = 1](n.png)\n\nC. Cumby and D. Roth. SNoW, 1999.\n"
    )
    assert import_module("sentences").convert_page(page) == (
        "# On w.x > 0\n\nIf `u.x >= 1` then {math}`u \\cdot x \\ge 1\\text{,}` see [n = 1](a.md), and "
        "{math}`\\lvert u\\rvert \\le R\\text{.}`\n\n```\nn = 1\n```\n\n"
        "- {math}`n = 1`\n- {math}`x_{i} \\ge 2`\n\n| {math}`N` | `a \\| b` |\n|---|---|\n"
        "| {math}`\\lvert u\\rvert^{2}` | one \\| {math}`n` |\n\n"
        "    n = 1\n\n![n = 1](n.png)\n\nC. Cumby and D. Roth. SNoW, 1999.\n"
    )


def test_every_formula_of_a_chapter_is_one_on_the_site():
    left = {}
    for page in sorted((ROOT / "docs" / "course").glob("*.md")):
        plain = re.sub(
            r"^```.*?^```$|`[^`]*`|\]\([^)]*\)",
            "",
            import_module("sentences").convert_page(page.read_text()),
            flags=re.S | re.M,
        )
        left[page.stem] = re.findall(r"\S*(?:<=|>=|<-|\^|\bsqrt\(|\bln |\blg |\w_\w|\b[a-z]\.[a-z]\b)\S*", plain)
    assert {name: found for name, found in left.items() if found} == {"10-in-passing": ['1}^d"']}


def test_every_formula_of_a_module_is_understood_and_its_brackets_match():
    formulas, pages = import_module("formulas"), import_module("docstring_pages")
    left = []
    for folder in pages.PAGES:
        for module in pages.list_modules(folder):
            for part in (module.__doc__ or "").strip().split("\n\n"):
                if part.startswith("    "):
                    tex = formulas.convert_block(part)
                    left += [module.__name__] if tex is None else []
                    bare = re.sub(r"\\[{}]", "", tex or "")
                    assert bare.count("{") == bare.count("}")
                    assert bare.count(r"\left") - bare.count(r"\leftarrow") == bare.count(r"\right")
    assert left == ["littlestone.concepts.programs"]  # a table of instructions


def test_pages_load_mathjax_from_the_site_itself():
    settings = (ROOT / "docs" / "conf.py").read_text()
    assert 'mathjax_path = "mathjax.js"' in settings
    assert "://" not in settings
