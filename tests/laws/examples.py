"""Instances of every learner, for the laws, the transcripts and whatever else must hold for all of them.

The first instance of a class is the one whose game is recorded as a transcript. A class that is not listed is tried
with its defaults, so a learner that needs no parameters needs no line here.
"""

from dataclasses import MISSING, fields

from littlestone import learners
from littlestone.concepts import Parities, Rectangles, Thresholds
from littlestone.learners.conversions import AppleTasting, Conservative, Discarding, Interactions, LabelEfficient, Snow
from littlestone.learners.shared.kernel_functions import LinearKernel, PolynomialKernel

FINITE = (Thresholds(6), Parities(3))

LISTED = {
    "Halving": [lambda make: make(Thresholds(14)), lambda make: make(Thresholds(0)), lambda make: make(Parities(7))],
    "Perceptron": [
        lambda make: make(),
        lambda make: make(rate=0.5, margin=1, bias=0),
        lambda make: make(tie="plus", normalized=True),
    ],
    "AveragedPerceptron": [lambda make: make(), lambda make: make(bias=0, tie="minus")],
    "PassiveAggressive": [lambda make: make(), lambda make: make(variant="II", aggressiveness=0.25)],
    "Coin": [lambda make: make(), lambda make: make(wealth=4.0, bias=0)],
    "CoinRegression": [
        lambda make: make(),
        lambda make: make("pinball", quantile=0.9, wealth=4.0, bias=0),
        lambda make: make("huber", width=0.2, guard=True),
    ],
    "Closure": [lambda make: make(Rectangles(4, 2)), lambda make: make(Rectangles(7, 1))],
    "Consistent": [lambda make: make(Thresholds(6)), lambda make: make(Parities(3))],
    "Elimination": [
        lambda make: make(),
        lambda make: make(target="conjunction"),
        lambda make: make(target="conjunction", monotone=True),
    ],
    "Alma": [lambda make: make(), lambda make: make(alpha=1, bias=0), lambda make: make(0.25, margin=2, rate=0.5)],
    "AdaGrad": [lambda make: make(), lambda make: make(rate=4.0, guard=False, bias=0, precision=64)],
    "Aioli": [lambda make: make(), lambda make: make(kappa=0.1, ridge=1.0, bias=0)],
    "Arow": [lambda make: make(), lambda make: make(0.25, bias=1), lambda make: make(diagonal=True, bias=1)],
    "DiagonalSecondOrder": [lambda make: make(), lambda make: make(ridge=0.5, margin=0.5, bias=0)],
    "Ellipsoid": [lambda make: make(), lambda make: make(cuts="deep", bias=1)],
    "Forgetron": [lambda make: make(), lambda make: make(budget=2, width=0.5)],
    "KernelPerceptron": [
        lambda make: make(),
        lambda make: make(PolynomialKernel(2), bias=1),
        lambda make: make(LinearKernel(), budget=3, removal="random"),
    ],
    "Ridge": [lambda make: make(), lambda make: make(ridge=2.0, bias=0, guard=True)],
    "Logistic": [
        lambda make: make(),
        lambda make: make(second_order=3),
        lambda make: make(rates=(1.0,), wealths=(), kappas=(0.5,), second_order=4, share=False, precision=64),
        lambda make: make(classes="softmax"),
        lambda make: make(classes="both", second_order=3),
    ],
    "PNormPerceptron": [lambda make: make(3), lambda make: make(bias=0)],
    "Romma": [lambda make: make(), lambda make: make(aggressive=True, bias=0)],
    "ShiftingPerceptron": [lambda make: make(), lambda make: make(shift=1, bias=0), lambda make: make(shift=5)],
    "FallbackHalving": [lambda make: make(), lambda make: make(0.25)],
    "SecondOrderPerceptron": [lambda make: make(), lambda make: make(ridge=2, bias=1)],
    "Winnow": [
        lambda make: make(threshold=4.0),
        lambda make: make(threshold=6.0, eliminate=True),
        lambda make: make(promotion=1.5, threshold=4.0, margin=1.0),
    ],
    "BalancedWinnow": [lambda make: make(), lambda make: make(margin=0.2), lambda make: make(factor=2.0, bias=0)],
    "Network": [
        lambda make: make(learners.Perceptron()),
        lambda make: make(learners.AveragedPerceptron(margin=1), updates="each"),
        lambda make: make(learners.PassiveAggressive()),
    ],
}


def of(make):
    """The listed instances of a class; else one over each small concept class, or the one of its defaults, if any."""
    if make.__name__ in LISTED:
        return [example(make) for example in LISTED[make.__name__]]
    if "concepts" in make.__dataclass_fields__:
        return [make(concepts) for concepts in FINITE]
    needed = [field for field in fields(make) if field.default is MISSING and field.default_factory is MISSING]
    return [] if needed else [make()]


def snake(name):
    """The file name of a class: RandomizedHalving becomes randomized_halving."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


CONVERTED = [
    Conservative(learners.Halving(Thresholds(6))),
    Conservative(learners.Perceptron(margin=1)),
    AppleTasting(learners.Perceptron(), exploring=0.3),
    LabelEfficient(learners.Hedge(0.5), asking=0.3),
    LabelEfficient(learners.Perceptron(), asking=0.3),
    Interactions(learners.Perceptron()),
    Interactions(learners.Winnow(threshold=8.0), degree=3),
    Interactions(learners.AveragedPerceptron()),
    Discarding(learners.Perceptron(), keep=8),
    Discarding(learners.Winnow(threshold=4.0), keep=8, by="seen"),
    Snow((learners.Perceptron(margin=1), learners.Winnow(threshold=4.0), learners.NaiveBayes())),
    Snow((learners.AveragedPerceptron(), learners.Perceptron()), (None, (0, 2, 5)), ((), (0,), (1, 0))),
]
EXAMPLES = [example for make in learners.ALL for example in of(make)] + CONVERTED
