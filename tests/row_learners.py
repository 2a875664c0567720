"""Every learner that classifies rows of attributes, for what must hold for all of them in somebody else's house."""

import littlestone as ls

EVERY = [
    None,
    ls.AdaGrad(),
    ls.AggressivePerceptron(),
    ls.Aioli(),
    ls.Alma(),
    ls.Arow(bias=1),
    ls.Arow(diagonal=True, bias=1),
    ls.AveragedPerceptron(),
    ls.BalancedWinnow(),
    ls.Coin(),
    ls.DiagonalSecondOrder(),
    ls.Ellipsoid(bias=1),
    ls.Forgetron(),
    ls.KernelPerceptron(),
    ls.Logistic(),
    ls.NaiveBayes(),
    ls.Network(ls.Perceptron()),
    ls.Network(ls.Winnow(), updates="each"),
    ls.PassiveAggressive(),
    ls.Perceptron(),
    ls.PNormPerceptron(),
    ls.Romma(),
    ls.SecondOrderPerceptron(),
    ls.SelectiveSampling(),
    ls.ShiftingPerceptron(),
    ls.VotedPerceptron(),
    ls.Winnow(),
    ls.AppleTasting(ls.Perceptron()),
    ls.Conservative(ls.Perceptron()),
    ls.Interactions(ls.Perceptron()),
    ls.Discarding(ls.Perceptron(), keep=64),
    ls.Snow((ls.AveragedPerceptron(), ls.AveragedPerceptron(margin=1.0))),
]

# River's attributes turn up as they come, so what a theorem needs to know beforehand must be said
SAID = {ls.Ellipsoid(bias=1): ls.Ellipsoid(bias=1, attributes=9), ls.Winnow(): ls.Winnow(threshold=4.0)}
GROWING = [SAID.get(one, one) for one in EVERY if one != ls.Network(ls.Winnow(), updates="each")]


def name(learner):
    """A short name for a test."""
    if learner is None:
        return "default"
    inner = getattr(learner, "learner", None)
    variant = "_diagonal" if getattr(learner, "diagonal", False) else ""
    return type(learner).__name__ + variant + (f"_of_{type(inner).__name__}" if inner else "")
