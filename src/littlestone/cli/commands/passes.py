"""Which rounds a pass of `learn` plays, in which order, and how much each counts."""

from typing import Any

from littlestone.base.class_weights import ClassWeights
from littlestone.base.errors import require
from littlestone.environments.derived import After, Shuffled, Weighed, WithoutHeldOut

FLAG = "--class-weights"


def derive_pass(
    options: Any, stream: Any, weights: ClassWeights | None, number: int, first: int, with_held_out: bool
) -> Any:
    """The rounds of a pass after the first ones, without those that are held out unless they are asked for."""
    if options.shuffle_buffer:
        stream = Shuffled(stream, options.shuffle_buffer, options.seed + number)
    if weights is not None:
        stream = Weighed(stream, weights)
    if first:
        stream = After(stream, first)
    if options.holdout and not with_held_out:
        stream = WithoutHeldOut(stream, options.holdout, first)
    return stream


def read_class_weights(typed: str | None) -> ClassWeights | None:
    """The weights that were typed: `balanced`, or LABEL=NUMBER,...; None if there are none.

    >>> read_class_weights("spam=2,1=0.5").given
    {'spam': 2.0, 1.0: 0.5}
    """
    if typed is None or typed == "balanced":
        return None if typed is None else ClassWeights(None, spell_label, FLAG)
    given: dict[Any, float] = {}
    for part in typed.split(","):
        name, equals, number = part.rpartition("=")
        try:
            given[spell_label(name.strip())] = float(number)
        except ValueError:
            equals = ""
        require(bool(equals and name.strip()), f"{FLAG} takes balanced or LABEL=NUMBER,..., got {part!r}")
    require(len(given) == typed.count(",") + 1, f"{FLAG} has two weights for one label: {typed!r}")
    return ClassWeights(given, spell_label, FLAG)


def spell_label(label: Any) -> Any:
    """What a label is called by one who types it: a number by its value, true and false as 1 and 0, others as text."""
    text = str(label).strip()
    try:
        number = {"true": 1.0, "false": 0.0}.get(text.lower()) if not text[:1].isdigit() else None
        number = float(text) if number is None else number
        return number if abs(number) < float("inf") else text
    except ValueError:
        return text


def weigh_as_learned(about: dict[str, Any], stream: Any) -> Any:
    """Rounds that count as they did in the run of `learn` that made a model, by what was kept with it."""
    source = about["run"].get("source") if isinstance(about.get("run"), dict) else None
    typed = source.get("class_weights") if isinstance(source, dict) else None
    weights = read_class_weights(typed if isinstance(typed, str) else None)
    return stream if weights is None else Weighed(stream, weights)


def require_weighable(weights: ClassWeights | None, learner: Any) -> None:
    """Refuse weights that the learner has no use for."""
    if weights is not None:
        require(not learner.numeric, f"{FLAG} is about classes, and labels here are numbers")
        require(learner.forecasts, f"{FLAG} weighs log-losses, and {learner} has none: leave out --learner")


def require_labels(weights: ClassWeights | None, player: Any, stopped: bool) -> None:
    """Refuse, after the last round, weights for labels that never came; a run that was stopped may have met too few."""
    if weights is not None and not stopped:
        weights.require_known(name for name in player.labels.names if name is not None)


def describe_weights(weights: ClassWeights | None) -> str | None:
    """What is said of a run whose rounds were weighed."""
    if weights is None:
        return None
    each = (f"{name:g} {weight:g}" if isinstance(name, float) else f"{name} {weight:g}"
            for name, weight in (weights.given or {}).items())  # fmt: skip
    how = "balanced by the classes met so far" if weights.given is None else f"{', '.join(each)}, others 1"
    return f"rounds taught by class: {how}; mistakes and log-loss here count each round once"
