"""SVG: a scene as an SVG element, for pages that load nothing else. Colours suit the colour-blind and dark pages."""

import math
from html import escape
from itertools import pairwise
from typing import Any

from littlestone.plot.scenes.scene import Area, Line, Mark, Note, Points, Scene

TONES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")  # Okabe and Ito's
DASHES = {"solid": "", "dashed": "7 4", "dotted": "2 3", "dashdot": "8 3 2 3"}
WIDTH = 640
HEIGHT = 380
# room for words around the marks
LEFT = 70
RIGHT = 16
TOP = 34
BOTTOM = 48
BESIDE = 210  # room for the legend beside a plane, which has no free corner
TICKS = 6
PAPER = 'style="fill: var(--paper, #fff)"'  # what lies below; a page may say that it is dark
EDGE, GRID = (f'stroke="currentColor" stroke-opacity="{part}"' for part in (0.4, 0.12))
STEPS = 200  # places along a line


def draw_svg(scene: Scene) -> str:
    """Draw a scene as an SVG element."""
    frame = _Frame(scene)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(scene.title)}" font-family="sans-serif" font-size="12" fill="currentColor">',
        f'<text x="{WIDTH / 2}" y="18" text-anchor="middle" font-size="14">{escape(scene.title)}</text>',
        *(() if scene.bare else frame.draw_axes()),
        *(frame.draw_mark(mark) for mark in scene.marks),
        *frame.draw_legend(),
        "</svg>",
    ]
    return "\n".join(parts)


def choose_ticks(low: float, high: float) -> list[float]:
    """Choose round numbers between two, which are one, two or five times a power of ten apart."""
    span = high - low
    if span <= 0 or not math.isfinite(span):
        return [low]
    step = 10.0 ** math.floor(math.log10(span / TICKS))
    step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= TICKS)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


class _Frame:
    """Where data coordinates lie on the page."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        left, right, low, high = scene.find_limits()
        if scene.logarithmic:
            low = math.log10(max(low, 1e-12))
            high = math.log10(max(high, 1e-12))
        right = right if right > left else left + 1
        high = high if high > low else low + 1
        margin = 0.04 * (high - low)
        self.left, self.right, self.low, self.high = left, right, low - margin * (low != 0), high + margin
        self.aside = BESIDE if scene.equal else RIGHT
        self.wide, self.tall = WIDTH - LEFT - self.aside, HEIGHT - TOP - BOTTOM
        if scene.equal:
            unit = max((self.right - self.left) / self.wide, (self.high - self.low) / self.tall)
            middle = (self.left + self.right) / 2
            centre = (self.low + self.high) / 2
            self.left, self.right = middle - unit * self.wide / 2, middle + unit * self.wide / 2
            self.low, self.high = centre - unit * self.tall / 2, centre + unit * self.tall / 2

    def place_x(self, value: float) -> float:
        """Find where a value of the horizontal axis lies on the page."""
        return LEFT + self.wide * (value - self.left) / (self.right - self.left)

    def place_y(self, value: float) -> float:
        """Find where a value of the vertical axis lies on the page."""
        value = math.log10(max(value, 1e-12)) if self.scene.logarithmic else value
        return TOP + self.tall * (self.high - value) / (self.high - self.low)

    def write_path(self, xs: Any, ys: Any) -> str:
        """Write points as SVG does, without those that are not finite."""
        places = [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]
        return " ".join(
            f"{self.place_x(x):.1f},{self.place_y(y):.1f}" for x, y in places if math.isfinite(x) and math.isfinite(y)
        )

    def draw_axes(self) -> list[str]:
        """Draw the frame, its ticks and the names of the axes."""
        scene = self.scene
        bottom = HEIGHT - BOTTOM
        parts = [f'<rect x="{LEFT}" y="{TOP}" width="{self.wide}" height="{self.tall}" fill="none" {EDGE}/>']
        for value in choose_ticks(self.left, self.right):
            place = self.place_x(value)
            words = _format_number(value)
            parts.append(f'<text x="{place:.1f}" y="{bottom + 16}" text-anchor="middle">{words}</text>')
        for level in choose_ticks(self.low, self.high):
            value = 10.0**level if scene.logarithmic else level
            place = self.place_y(value)
            parts.append(f'<line x1="{LEFT}" x2="{WIDTH - self.aside}" y1="{place:.1f}" y2="{place:.1f}" {GRID}/>')
            parts.append(f'<text x="{LEFT - 6}" y="{place + 4:.1f}" text-anchor="end">{_format_number(value)}</text>')
        middle = TOP + self.tall / 2
        parts.append(
            f'<text x="{LEFT + self.wide / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(scene.x)}</text>'
        )
        turned = f'transform="rotate(-90 16 {middle})"'
        parts.append(f'<text x="16" y="{middle}" text-anchor="middle" {turned}>{escape(scene.y)}</text>')
        return parts

    def draw_mark(self, mark: Mark) -> str:
        """Draw one mark of the scene."""
        if isinstance(mark, Note):
            return self.draw_note(mark)
        tone = _name_tone(mark.tone)
        if isinstance(mark, Line):
            kind = "polygon" if mark.closed else "polyline"
            dash = f' stroke-dasharray="{DASHES[mark.dash]}"' if mark.dash != "solid" else ""
            points = self.write_path(mark.xs, mark.ys)
            return f'<{kind} points="{points}" fill="none" stroke="{tone}" stroke-width="2"{dash}/>'
        if isinstance(mark, Area):
            there = self.write_path(mark.xs, mark.high)
            back = self.write_path(mark.xs[::-1], mark.low[::-1])
            return f'<polygon points="{there} {back}" fill="{tone}" fill-opacity="0.25" stroke="none"/>'
        return "".join(
            _draw_point(mark, self.place_x(x), self.place_y(y), tone) for x, y in zip(mark.xs, mark.ys, strict=True)
        )

    def draw_note(self, note: Note) -> str:
        """Draw the words of a note."""
        across = self.place_x(note.x)
        down = self.place_y(note.y)
        text = escape(note.text)
        if not note.centred:
            return f'<text x="{across + 5:.1f}" y="{down - 5:.1f}">{text}</text>'
        wide = 7.0 * len(note.text) + 4
        behind = f'<rect x="{across - wide / 2:.1f}" y="{down - 8:.1f}" width="{wide:.0f}" height="16" {PAPER}/>'
        return f'{behind}<text x="{across:.1f}" y="{down + 4:.1f}" text-anchor="middle">{text}</text>'

    def draw_legend(self) -> list[str]:
        """Draw the names of marks: next to the picture, or in the corner where they cover the fewest marks."""
        named = [mark for mark in self.scene.marks if not isinstance(mark, Note) and mark.name]
        wide = 60 + 6.6 * max((len(mark.name) for mark in named), default=0)
        tall = 8 + 16 * len(named)
        left, top = (WIDTH - self.aside, TOP) if self.scene.equal else self.find_corner(wide, tall)
        box = f'<rect x="{left:.0f}" y="{top:.0f}" width="{wide:.0f}" height="{tall}" {PAPER} fill-opacity="0.85"/>'
        parts = [box] if named else []
        for row, mark in enumerate(named):
            down = top + 16 * (row + 1)
            tone = _name_tone(mark.tone)
            if isinstance(mark, Points):
                parts.append(_draw_point(mark, left + 24, down - 4, tone))
            else:
                thick, dash = (8, "") if isinstance(mark, Area) else (2, DASHES[mark.dash])
                parts.append(
                    f'<line x1="{left + 10}" x2="{left + 38}" y1="{down - 4}" y2="{down - 4}" stroke="{tone}" '
                    f'stroke-width="{thick}" stroke-dasharray="{dash}" stroke-opacity="{0.4 if thick == 8 else 1}"/>'
                )
            parts.append(f'<text x="{left + 46}" y="{down}">{escape(mark.name)}</text>')
        return parts

    def find_corner(self, wide: float, tall: float) -> tuple[float, float]:
        """Find the corner where a box of this size covers the least of the marks; return its left and its top."""
        places = [place for mark in self.scene.marks for place in self.list_places(mark)]
        right = WIDTH - RIGHT - wide - 4
        bottom = HEIGHT - BOTTOM - tall - 4
        corners = [(LEFT + 4.0, TOP + 4.0), (right, TOP + 4.0), (right, bottom), (LEFT + 4.0, bottom)]

        def count_covered(corner: tuple[float, float]) -> int:
            x, y = corner
            return sum(x <= across <= x + wide and y <= down <= y + tall for across, down in places)

        return min(corners, key=count_covered)

    def list_places(self, mark: Mark) -> list[tuple[float, float]]:
        """List places on a mark; on lines also between their points."""
        if isinstance(mark, Note):
            return [(self.place_x(mark.x), self.place_y(mark.y))]
        ys = mark.high if isinstance(mark, Area) else mark.ys
        given = [(self.place_x(x), self.place_y(y)) for x, y in zip(mark.xs, ys, strict=True)]
        if isinstance(mark, Points):
            return given
        steps = max(1, STEPS // max(1, len(given)))
        return [
            (a + (c - a) * k / steps, b + (d - b) * k / steps)
            for (a, b), (c, d) in pairwise(given)
            for k in range(steps + 1)
        ]


def _name_tone(tone: int) -> str:
    """The colour of a tone, unless the page has another one for it; black is the colour of the words around."""
    number = tone % len(TONES)
    return "currentColor" if TONES[number] == "#000000" else f"var(--tone-{number}, {TONES[number]})"


def _draw_point(mark: Points, across: float, down: float, tone: str) -> str:
    """Draw one point at a place on the page."""
    fill = tone if mark.filled else "none"
    if mark.shape == "ring":
        return f'<circle cx="{across:.1f}" cy="{down:.1f}" r="9" fill="none" stroke="{tone}" stroke-width="2"/>'
    if mark.shape == "circle":
        return f'<circle cx="{across:.1f}" cy="{down:.1f}" r="4" fill="{fill}" stroke="{tone}"/>'
    if mark.shape == "square":
        place = f'x="{across - 4:.1f}" y="{down - 4:.1f}"'
        return f'<rect {place} width="8" height="8" fill="{fill}" stroke="{tone}"/>'
    a = across - 4
    b = across + 4
    c = down - 4
    d = down + 4
    if mark.shape == "triangle":
        corners = f"{a:.1f},{d:.1f} {b:.1f},{d:.1f} {across:.1f},{c:.1f}"
        return f'<polygon points="{corners}" fill="{fill}" stroke="{tone}"/>'
    return f'<path d="M{a:.1f},{c:.1f} L{b:.1f},{d:.1f} M{a:.1f},{d:.1f} L{b:.1f},{c:.1f}" stroke="{tone}"/>'


def _format_number(value: float) -> str:
    """Write a number on an axis."""
    return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:.3g}"
