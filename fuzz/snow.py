"""Examples of the SNoW architecture."""

from fuzz.harness import hunt
from fuzz.readers import property_of
from littlestone.readers import snow

one = property_of("snow")


def seeds() -> list[bytes]:
    return [
        b"0, 96, 116, 119(0.25), 2012:\n1,97,116:\n",
        b" 7 ,1(1e-3) , 3 ( -.5 ):\r\n\n0:\n2147483647, 5:\n",
        b"garbage\n1, 2\n1, 2, 2:\n1; 2:\n1, 2(nan):\n1, 2(1e999):\n99999999999999999999999, 3:\n1(2), 3:\n:\n,:\n",
    ]


if __name__ == "__main__":
    hunt(one, seeds(), [snow])
