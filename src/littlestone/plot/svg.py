"""Drawing: a scene as SVG, for pages that must need nothing else. Colours that the colour-blind tell apart."""

import math
from html import escape
from itertools import pairwise
from typing import Any

from littlestone.plot.scenes.scene import Area, Line, Mark, Note, Points, Scene

TONES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")  # Okabe and Ito's
DASHES = {"solid": "", "dashed": "7 4", "dotted": "2 3", "dashdot": "8 3 2 3"}
WIDTH, HEIGHT = 640, 380
LEFT, RIGHT, TOP, BOTTOM = 70, 16, 34, 48  # room for words around the marks
BESIDE = 210  # room for the legend beside a plane, all of which is taken
TICKS = 6
STEPS = 200  # places along a line


def svg(scene: Scene) -> str:
    """The scene as an SVG element."""
    frame = _Frame(scene)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(scene.title)}" font-family="sans-serif" font-size="12">',
        f'<text x="{WIDTH / 2}" y="18" text-anchor="middle" font-size="14">{escape(scene.title)}</text>',
        *(() if scene.bare else frame.axes()),
        *(frame.mark(mark) for mark in scene.marks),
        *frame.legend(),
        "</svg>",
    ]
    return "\n".join(parts)


def ticks(low: float, high: float) -> list[float]:
    """Round numbers between two: one, two or five times a power of ten apart."""
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
        left, right, low, high = scene.limits()
        if scene.logarithmic:
            low, high = math.log10(max(low, 1e-12)), math.log10(max(high, 1e-12))
        right, high = (right if right > left else left + 1), (high if high > low else low + 1)
        margin = 0.04 * (high - low)
        self.left, self.right, self.low, self.high = left, right, low - margin * (low != 0), high + margin
        self.aside = BESIDE if scene.equal else RIGHT
        self.wide, self.tall = WIDTH - LEFT - self.aside, HEIGHT - TOP - BOTTOM
        if scene.equal:
            unit = max((self.right - self.left) / self.wide, (self.high - self.low) / self.tall)
            middle, centre = (self.left + self.right) / 2, (self.low + self.high) / 2
            self.left, self.right = middle - unit * self.wide / 2, middle + unit * self.wide / 2
            self.low, self.high = centre - unit * self.tall / 2, centre + unit * self.tall / 2

    def x(self, value: float) -> float:
        return LEFT + self.wide * (value - self.left) / (self.right - self.left)

    def y(self, value: float) -> float:
        value = math.log10(max(value, 1e-12)) if self.scene.logarithmic else value
        return TOP + self.tall * (self.high - value) / (self.high - self.low)

    def path(self, xs: Any, ys: Any) -> str:
        places = [(float(x), float(y)) for x, y in zip(xs, ys, strict=True)]
        return " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in places if math.isfinite(x) and math.isfinite(y))

    def axes(self) -> list[str]:
        scene, bottom = self.scene, HEIGHT - BOTTOM
        parts = [f'<rect x="{LEFT}" y="{TOP}" width="{self.wide}" height="{self.tall}" fill="none" stroke="#999"/>']
        for value in ticks(self.left, self.right):
            parts.append(
                f'<text x="{self.x(value):.1f}" y="{bottom + 16}" text-anchor="middle">{_number(value)}</text>'
            )
        for level in ticks(self.low, self.high):
            value = 10.0**level if scene.logarithmic else level
            place = self.y(value)
            parts.append(
                f'<line x1="{LEFT}" x2="{WIDTH - self.aside}" y1="{place:.1f}" y2="{place:.1f}" stroke="#e5e5e5"/>'
            )
            parts.append(f'<text x="{LEFT - 6}" y="{place + 4:.1f}" text-anchor="end">{_number(value)}</text>')
        middle = TOP + self.tall / 2
        parts.append(
            f'<text x="{LEFT + self.wide / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(scene.x)}</text>'
        )
        turned = f'transform="rotate(-90 16 {middle})"'
        parts.append(f'<text x="16" y="{middle}" text-anchor="middle" {turned}>{escape(scene.y)}</text>')
        return parts

    def mark(self, mark: Mark) -> str:
        if isinstance(mark, Note):
            return self.words(mark)
        tone = TONES[mark.tone % len(TONES)]
        if isinstance(mark, Line):
            kind = "polygon" if mark.closed else "polyline"
            dash = f' stroke-dasharray="{DASHES[mark.dash]}"' if mark.dash != "solid" else ""
            return (
                f'<{kind} points="{self.path(mark.xs, mark.ys)}" fill="none" stroke="{tone}" stroke-width="2"{dash}/>'
            )
        if isinstance(mark, Area):
            there, back = self.path(mark.xs, mark.high), self.path(mark.xs[::-1], mark.low[::-1])
            return f'<polygon points="{there} {back}" fill="{tone}" fill-opacity="0.25" stroke="none"/>'
        return "".join(_point(mark, self.x(x), self.y(y), tone) for x, y in zip(mark.xs, mark.ys, strict=True))

    def words(self, note: Note) -> str:
        across, down, text = self.x(note.x), self.y(note.y), escape(note.text)
        if not note.centred:
            return f'<text x="{across + 5:.1f}" y="{down - 5:.1f}">{text}</text>'
        wide = 7.0 * len(note.text) + 4
        behind = f'<rect x="{across - wide / 2:.1f}" y="{down - 8:.1f}" width="{wide:.0f}" height="16" fill="white"/>'
        return f'{behind}<text x="{across:.1f}" y="{down + 4:.1f}" text-anchor="middle">{text}</text>'

    def legend(self) -> list[str]:
        """The names of marks, beside a piece of each: next to the picture, or in the corner with the fewest marks."""
        named = [mark for mark in self.scene.marks if not isinstance(mark, Note) and mark.name]
        wide, tall = 60 + 6.6 * max((len(mark.name) for mark in named), default=0), 8 + 16 * len(named)
        left, top = (WIDTH - self.aside, TOP) if self.scene.equal else self.corner(wide, tall)
        box = f'<rect x="{left:.0f}" y="{top:.0f}" width="{wide:.0f}" height="{tall}" fill="#fff" fill-opacity="0.85"/>'
        parts = [box] if named else []
        for row, mark in enumerate(named):
            down, tone = top + 16 * (row + 1), TONES[mark.tone % len(TONES)]
            if isinstance(mark, Points):
                parts.append(_point(mark, left + 24, down - 4, tone))
            else:
                thick, dash = (8, "") if isinstance(mark, Area) else (2, DASHES[mark.dash])
                parts.append(
                    f'<line x1="{left + 10}" x2="{left + 38}" y1="{down - 4}" y2="{down - 4}" stroke="{tone}" '
                    f'stroke-width="{thick}" stroke-dasharray="{dash}" stroke-opacity="{0.4 if thick == 8 else 1}"/>'
                )
            parts.append(f'<text x="{left + 46}" y="{down}">{escape(mark.name)}</text>')
        return parts

    def corner(self, wide: float, tall: float) -> tuple[float, float]:
        """Where a box of this size covers the least of the marks."""
        places = [place for mark in self.scene.marks for place in self.along(mark)]
        right, bottom = WIDTH - RIGHT - wide - 4, HEIGHT - BOTTOM - tall - 4
        corners = [(LEFT + 4.0, TOP + 4.0), (right, TOP + 4.0), (right, bottom), (LEFT + 4.0, bottom)]

        def covered(corner: tuple[float, float]) -> int:
            x, y = corner
            return sum(x <= across <= x + wide and y <= down <= y + tall for across, down in places)

        return min(corners, key=covered)

    def along(self, mark: Mark) -> list[tuple[float, float]]:
        """Places on a mark; on lines also between their points, so that what they cross is seen."""
        if isinstance(mark, Note):
            return [(self.x(mark.x), self.y(mark.y))]
        ys = mark.high if isinstance(mark, Area) else mark.ys
        given = [(self.x(x), self.y(y)) for x, y in zip(mark.xs, ys, strict=True)]
        if isinstance(mark, Points):
            return given
        steps = max(1, STEPS // max(1, len(given)))
        return [
            (a + (c - a) * k / steps, b + (d - b) * k / steps)
            for (a, b), (c, d) in pairwise(given)
            for k in range(steps + 1)
        ]


def _point(mark: Points, across: float, down: float, tone: str) -> str:
    """One point at a place on the page."""
    fill = tone if mark.filled else "none"
    if mark.shape == "ring":
        return f'<circle cx="{across:.1f}" cy="{down:.1f}" r="9" fill="none" stroke="{tone}" stroke-width="2"/>'
    if mark.shape == "circle":
        return f'<circle cx="{across:.1f}" cy="{down:.1f}" r="4" fill="{fill}" stroke="{tone}"/>'
    if mark.shape == "square":
        place = f'x="{across - 4:.1f}" y="{down - 4:.1f}"'
        return f'<rect {place} width="8" height="8" fill="{fill}" stroke="{tone}"/>'
    a, b, c, d = across - 4, across + 4, down - 4, down + 4
    if mark.shape == "triangle":
        corners = f"{a:.1f},{d:.1f} {b:.1f},{d:.1f} {across:.1f},{c:.1f}"
        return f'<polygon points="{corners}" fill="{fill}" stroke="{tone}"/>'
    return f'<path d="M{a:.1f},{c:.1f} L{b:.1f},{d:.1f} M{a:.1f},{d:.1f} L{b:.1f},{c:.1f}" stroke="{tone}"/>'


def _number(value: float) -> str:
    return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:.3g}"
