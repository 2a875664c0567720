"""Programs: whatever a small machine can compute, one concept for each program of at most `bits` bits.

The machine has a counter, which starts at x, and a flag, which starts at 0 and is the label when the program stops.
A program is a string of bits, read from its end, two bits an instruction:

    00  take   stop if the counter is 0; otherwise take 1 from it
    01  flip   turn the flag over
    10  half   stop if the counter is 0; otherwise halve it, and if it was odd skip the next instruction
    11  back   start over with the first instruction, counter and flag as they are

It stops at its end too; a single bit left over is no instruction. A program that has not stopped after `steps`
instructions (`back` may loop for ever) labels 0, so that every program is a concept. The strings of at most b bits
number 2^(b+1) - 1, so halving learns an unknown program within b mistakes. Concept c is what follows the leading 1 of
c + 1 in binary: concept 0 is the empty program. Instances are whole numbers below 2^32.

Multiples of 3 in twelve bits; odd numbers in six; powers of two in ten:

>>> programs = Programs(12)
>>> threes = programs.concept(programs.index("flip take flip take take back"))
>>> [x for x in range(12) if threes(x)]
[0, 3, 6, 9]
>>> odd, powers = (programs.concept(programs.index(text)) for text in ("take flip back", "half back flip take flip"))
>>> [x for x in range(10) if odd(x)], [x for x in range(20) if powers(x)]
([1, 3, 5, 7, 9], [1, 2, 4, 8, 16])
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from littlestone.base.chunks import Array
from littlestone.base.errors import BadParameter, require
from littlestone.compiled import rule
from littlestone.concepts.concept import read_whole_number
from littlestone.concepts.packed import Packed, compile_by_concept

WORDS = ("take", "flip", "half", "back")
TOP = 2**32 - 1


@rule
def runs_to_one(concept: int, code: Array) -> Any:
    """Run a program; `code` is the instance and the limit of steps."""
    counter = code[0]
    steps = code[1]
    flag = False
    rest = concept + 1
    before = counter
    while rest > 3 and steps > 0:
        steps -= 1
        word = rest & 3
        rest = rest >> 2
        if word == 1:
            flag = not flag
        elif word == 3:
            if counter == before:
                return False  # the same counter takes the same path: it would loop until the steps run out
            before = counter
            rest = concept + 1
        elif counter == 0:
            return flag
        elif word == 0:
            counter -= 1
        else:
            if counter & 1 and rest > 3:
                rest >>= 2
            counter >>= 1
    return flag and rest <= 3


@final
@dataclass(frozen=True)
class Programs(Packed):
    """The programs of at most `bits` bits; the module docstring describes their language.

    Args:
        bits: The length of the longest programs, >= 0. Each bit more doubles the class and allows one mistake more.
        steps: Instructions after which a program is stopped and labels 0, in [0, 2^31).
    """

    bits: int
    steps: int = 256

    sweeps = compile_by_concept(runs_to_one)

    def __post_init__(self) -> None:
        require(self.bits >= 0, f"bits must be at least 0, got {self.bits}")
        require(0 <= self.steps < 2**31, f"steps must be in [0, 2^31), got {self.steps}")

    @property
    def size(self) -> int:
        return (2 << self.bits) - 1

    def __call__(self, x: Any) -> int:
        return read_whole_number(x, TOP, str(self))

    def instances(self) -> Iterator[int]:
        return iter(range(TOP + 1))

    def encode(self, x: int) -> Array:
        return np.array([x, self.steps], np.int64)

    def index(self, text: str) -> int:
        """Find the number of a program given in words, such as "take flip back"."""
        program = 1
        for word in reversed(text.split()):
            if word not in WORDS:
                raise BadParameter(f"instructions are {', '.join(WORDS)}, got {word!r}")
            program = program << 2 | WORDS.index(word)
        require(program <= self.size, f"{text!r} takes {program.bit_length() - 1} bits, more than {self.bits}")
        return program - 1

    def name(self, index: int) -> str:
        rest = index + 1
        words = []
        while rest > 3:
            words.append(WORDS[rest & 3])
            rest >>= 2
        spare = [f"({rest & 1} left over)"] if rest > 1 else []
        return " ".join(words + spare) or "(empty)"

    def is_affordable(self, room: int) -> bool:
        return self.bits <= 64 and self.steps <= 1 << 16
