"""Vowpal Wabbit text."""

from fuzz.harness import hunt
from fuzz.readers import property_of
from littlestone.readers import decimals as numbers
from littlestone.readers import vw

one = property_of("vw")


def seeds() -> list[bytes]:
    return [
        b"1 2.0 'email7|words free:2 money |sender:0.5 unknown\n-1 | 13:0.25 24:1\n",
        b"0.5 1 0 tag|a x y:1e-3 z:.5 |b:2 x x x\r\n\n1 |" + b"n" * 40 + b" " + b"f" * 40 + b":-1\n",
        b"garbage\n1|a b\n1 -1 |a b\n1 |a b:c\n1 |a :1\n1 |a b:1:2\n1 |a b:1e99\n",
    ]


if __name__ == "__main__":
    hunt(one, seeds(), [vw, numbers])
