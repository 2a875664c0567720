"""svmlight."""

from fuzz.harness import hunt
from fuzz.readers import property_of
from littlestone.readers import decimals as numbers
from littlestone.readers import svmlight

one = property_of("svmlight")


def seeds() -> list[bytes]:
    return [
        b"-1 3:0.25 17:1e-3 40321:2   # anything\n+1 qid:7 3:1\n0\n\n# only this\n1 5:.5 2:1 5:-3.\r\n",
        b"1.5e3 0:123456789.123456789 1:0.000001 2147483647:-1e-40\n" * 5,
        b"1 3:nan\n1 -3:1\n1 2147483648:1\n1 3:1e999\ngarbage\n1 3\n1 3:1:2",
    ]


if __name__ == "__main__":
    hunt(one, seeds(), [svmlight, numbers])
