"""The exponential function: how near it is to the truth, and that it is the same compiled or not."""

from decimal import Decimal, localcontext

import numpy as np

from littlestone.compiled import exponential, kernel, round_exponential


@kernel
def exponentials(x, out):
    """Those of all numbers."""
    for k in range(x.size):
        out[k] = round_exponential(x[k])


@kernel
def quick_exponentials(x, out):
    """Those of all numbers, by the rule that forecasters use."""
    for k in range(x.size):
        out[k] = exponential(x[k])


def test_the_form_for_plain_python_gives_the_same_bits():
    rng, halves = np.random.default_rng(2), (np.arange(-1010, 1010) + 0.5) * np.log(2)
    sizes = rng.standard_normal(2000) * 10.0 ** rng.integers(-300, 4, 2000)
    x = np.concatenate((sizes, halves, np.nextafter(halves, 0), rng.uniform(-1, 1, 500), [0.0, -0.0, np.inf, -np.inf]))
    out = np.zeros(len(x))
    quick_exponentials(x, out)
    loops = exponential.py_func
    for number, found in zip(x.tolist(), out.tolist(), strict=True):
        assert exponential(number) == found == loops(np.float64(number)), number
    assert np.isnan(exponential(np.nan))


def test_it_is_the_nearest_float_but_for_a_thousandth_of_the_last_place():
    rng = np.random.default_rng(0)
    x = np.concatenate([-rng.uniform(0, most, 2000) for most in (1e-9, 0.01, 1.0, 30.0, 708.0)])
    out, worst = np.zeros(len(x)), Decimal(0)
    exponentials(x, out)
    with localcontext(prec=50):
        for number, found in zip(x.tolist(), out.tolist(), strict=True):
            error = Decimal(found) - Decimal(number).exp()
            worst = max(worst, abs(error) / Decimal(float(np.spacing(found))))
    assert Decimal("0.499") < worst < Decimal("0.502")


def test_plain_python_gives_the_same_bits():
    x = -np.concatenate((np.arange(40) / 2, np.random.default_rng(1).uniform(0, 760, 200)))
    out = np.zeros(len(x))
    exponentials(x, out)
    assert [float(round_exponential(number)).hex() for number in x.tolist()] == [
        number.hex() for number in out.tolist()
    ]


def test_the_bits_are_these():
    """Written down, so that a certificate that is made on one machine is read the same on any other."""
    x = np.array([-0.0, -1.0, -1 / 3, -88.8, -707.5, -720.0, -745.13, -745.14, -1e300, -np.inf])
    out = np.zeros(len(x))
    exponentials(x, out)
    assert [number.hex() for number in out.tolist()] == [
        "0x1.0000000000000p+0",
        "0x1.78b56362cef38p-2",
        "0x1.6edd3122f2ea5p-1",
        "0x1.d9fab61a52393p-129",
        "0x1.39b42358bdf31p-1021",
        "0x0.0000993b4dc95p-1022",
        "0x0.0000000000001p-1022",
        "0x0.0p+0",
        "0x0.0p+0",
        "0x0.0p+0",
    ]
