"""The record of a run of `learn` in words: the counts first, then what they mean class by class."""

from typing import Any

from littlestone.base.features.contract import OuterFeatures
from littlestone.base.printed_text import fit, measure_width, pad, quote

SHOWN = 20  # classes of a table, the most frequent ones
WIDEST = 60  # columns of a label in it
LAGGED = "labels depend on those before them; give the label of the row before as a column"


def count_met(features: Any) -> int:
    """How many attributes were met: of hashed ones the slots that are taken, not all there are."""
    while isinstance(features, OuterFeatures):
        features = features.features
    return int(getattr(features, "slots", features.width))


def format_summary(record: dict[str, Any]) -> str:
    """The record of a run for people: the counts first, then what they mean class by class."""
    classes = "" if record["task"] == "regression" else _format_classes(record)
    return "\n".join(f"{name:>11}  {value}" for name, value in list_facts(record)) + classes


def list_facts(record: dict[str, Any]) -> list[tuple[str, str]]:
    """What the record of a run says, as names and words."""
    rounds = record["rounds"]
    facts = [
        ("learner", record["learner"]),
        ("data", record["data"]),
        ("read", f"{rounds:,} rounds, {record['attributes']:,} attributes, {record['nonzeros']:,} entries"),
        *(_list_errors(record) if record["task"] == "regression" else _list_mistakes(record)),
    ]
    if record.get("weights"):
        facts.insert(2, ("weights", record["weights"]))
    if record["skipped"]:
        facts.append(("skipped", f"{record['skipped']:,} records that could not be read"))
    if record.get("words_as_missing"):
        told = f"{record['words_as_missing']:,} cells in columns of numbers hold words, and count as missing"
        facts.append(("missing", told))
    certificate = record["certificate"]
    if certificate:
        verdict = "holds" if certificate["holds"] else "DOES NOT HOLD"
        share = f"; {certificate['explains']}" if certificate["explains"] else ""
        facts.append(("certificate", f"{certificate['words']} {verdict}: {certificate['theorem']}{share}"))
    if record["order"]:
        facts.append(("order", record["order"]["words"].replace("\n", " ")))
    if record["snapshot"]:
        facts.append(("frozen", record["snapshot"]["words"]))
    if record["until"]:
        facts.append(("until", record["until"]["words"]))
    elif record["risk"] and not (record["order"] and record["order"]["matters"]):
        facts.append(("new data", record["risk"]["words"]))
    facts.append(("took", f"{record['seconds']:.2f} s, {_format_speed(record)}"))
    if record["model"]:
        frozen = (record["snapshot"] or {}).get("frozen")
        facts.append(("model", quote(record["model"]) + (f", as it was after round {frozen:,}" if frozen else "")))
    return facts


def _format_speed(record: dict[str, Any]) -> str:
    """How fast the rounds of this run were played, without those of earlier runs that it goes on from."""
    rounds = record.get("rounds_now", record["rounds"])
    if rounds == 0 < record["rounds"]:
        return "with nothing left to learn"
    which = "" if rounds == record["rounds"] else f" in which {rounds:,} rounds were new"
    return f"{rounds / max(record['seconds'], 1e-9):,.0f} rounds a second{which}"


def _list_mistakes(record: dict[str, Any]) -> list[tuple[str, str]]:
    """What the guesses of classes came to."""
    judged = record["progressive"]
    judged_are, left_out = _name_judged(record)
    of_judged = f" of the{judged_are}" if judged_are else ""
    facts = [
        ("mistakes", f"{judged['mistakes']:,} of {judged['rounds']:,}{judged_are} ({judged['mistake_rate']:.2%})"
                     f", {judged['recent_rate']:.2%} of the latest {min(1000, judged['rounds']):,}{left_out}"
                     f"; a constant {judged['constant_rate']:.2%}"
                     f", the last label repeated {judged['repeated_rate']:.2%}"),
        *_list_remedies(record),
        *_list_played(record),
        ("updates", f"{record['updates']:,}"),
        *_list_labels(record),
        ("balanced", f"{judged['balanced_error']:.2%} balanced error{of_judged}"),
    ]  # fmt: skip
    if judged["auc"] is not None:
        about = " (estimated)" if judged["estimated"] else f", calibration off by {judged['calibration']:.3f}"
        about = " (AUC estimated)" + about if judged["auc_estimated"] and not judged["estimated"] else about
        facts.append(("probability", f"log-loss {judged['log_loss']:.4f}, AUC {judged['auc']:.4f}{of_judged}{about}"))
    elif judged["log_loss"] is not None:
        facts.append(("probability", f"log-loss {judged['log_loss']:.4f}{of_judged}"))
    if len(record["passes"]) > 1:
        each = ", ".join(f"{one['mistakes']:,}" for one in record["passes"])
        facts.append(
            ("passes", f"{each} mistakes{of_judged}; the figures above are of the first, when rounds were new")
        )
    if record["holdout"]:
        held = record["holdout"]
        facts.append(("held out", f"{held['mistakes']:,} of {held['rounds']:,} ({held['mistake_rate']:.2%})"))
    return facts


def _list_errors(record: dict[str, Any]) -> list[tuple[str, str]]:
    """What the predictions of numbers came to."""
    judged = record["progressive"]
    recent = judged["recent"]
    constant = judged["constant"]
    held = record["holdout"]
    latest = f"of the latest {min(1000, judged['judged']):,}"
    left_out = "; round 1 is not judged, as no label was known" if judged["judged"] < judged["rounds"] else ""
    pinball = f"{judged['pinball']:.5g} at quantile {judged['quantile']:g}, {recent['pinball']:.5g} {latest}"
    again = judged["repeated"] or {}
    beside = {name: f"; a constant {constant[name]:.5g}" for name in ("mae", "rmse")}
    beside |= {name: f"{beside[name]}, the last label repeated {error:.5g}" for name, error in again.items()}
    facts = [
        ("MAE", f"{judged['mae']:.5g}, {recent['mae']:.5g} {latest}{beside['mae']}"),
        ("RMSE", f"{judged['rmse']:.5g}, {recent['rmse']:.5g} {latest}{beside['rmse']}"),
        ("R^2", f"{_format_share(judged['r2'])}, {_format_share(recent['r2'])} {latest}{left_out}"),
        ("pinball", pinball),
    ]
    middle = judged["quantile"] == 0.5  # another quantile is not meant to be near the labels
    if middle and judged["rmse"] > constant["rmse"] and judged["mae"] > constant["mae"]:
        said = "a constant guess would have erred less: are these the right columns and label?"
        facts.append(("remedy", f"{said} Of labels far from zero, learn the difference from a typical one"))
    elif middle and again and judged["rmse"] > again["rmse"] and judged["mae"] > again["mae"]:
        facts.append(("remedy", f"repeating the last label would have erred less: {LAGGED}"))
    if held:
        facts.append(("held out", f"MAE {held['mae']:.5g}, RMSE {held['rmse']:.5g} of {held['rounds']:,} rounds"))
    return facts


def _format_share(share: float | None) -> str:
    return "-" if share is None else f"{share:.4f}"


def _name_judged(record: dict[str, Any]) -> tuple[str, str]:
    """Say whose guesses are judged, where a learner plays one hypothesis and serves another.

    Returns:
        What the guesses are, to stand behind their number; empty where there is only one hypothesis.
        What was not counted; empty where nothing is left out.
    """
    if not record["serves_apart"]:
        return "", ""
    if record["mistakes_of"] == "what was served":
        return " guesses served", ""
    return " guesses played", "; what is served was not counted: --served counts it"


def _list_labels(record: dict[str, Any]) -> list[tuple[str, str]]:
    """How many labels were wanted, of a learner that does not want all."""
    labels = record["labels"]
    rounds = record["rounds"]
    if not labels:
        return []
    share = f"{labels['asked']:,} of {rounds:,} were asked for ({labels['asked'] / max(1, rounds):.2%})"
    return [("labels", f"{share}; from these alone {labels['mistakes_estimated']:,.0f} mistakes are estimated")]


def _list_remedies(record: dict[str, Any]) -> list[tuple[str, str]]:
    """What to do about a learner that did worse than guessing one class throughout, or the last label again."""
    judged = record["progressive"]
    if record.get("weights"):  # classes that count more are worth mistakes in others
        return []
    if judged["mistake_rate"] <= judged["constant_rate"]:
        if judged["mistake_rate"] <= judged["repeated_rate"]:
            return []
        return [("remedy", f"repeating the last label would have made fewer mistakes: {LAGGED}")]
    said = "a constant guess would have made fewer mistakes"
    if record["chosen"]:
        return [
            ("remedy", f"{said}: leave out --learner, or scale the columns; `littlestone race` tries every learner")
        ]
    return [("remedy", f"{said}: are these the right columns and label? `littlestone race` tries every learner")]


def _list_played(record: dict[str, Any]) -> list[tuple[str, str]]:
    """The mistakes of the hypothesis that learns, where another one is served."""
    if not record["serves_apart"] or record["mistakes_of"] != "what was served":
        return []
    first = record["passes"][0]["mistakes_played"] if record["passes"] else 0
    return [("played", f"{first:,} mistakes of the hypothesis that learns, of which the theorem speaks")]


def _format_classes(record: dict[str, Any]) -> str:
    """A table of the classes: how often each came, precision and recall."""
    classes = sorted(record["progressive"]["classes"], key=lambda one: -one["rounds"])
    names = [fit(quote(one["class"]), WIDEST) for one in classes[:SHOWN]]
    wide = max([9, *map(measure_width, names)])
    judged_are, _ = _name_judged(record)
    lines = [f"{'class':>{wide}}  {'rounds':>11}  precision     recall{judged_are and f'  of the{judged_are}'}"]
    for name, one in zip(names, classes[:SHOWN], strict=True):
        shares = ("-" if one[share] is None else f"{one[share]:.1%}" for share in ("precision", "recall"))
        lines.append(
            "  ".join([pad(name, wide, right=True), f"{one['rounds']:>11,}", *(f"{share:>9}" for share in shares)])
        )
    more = [f"and {len(classes) - SHOWN} more"] if len(classes) > SHOWN else []
    return "".join(f"\n  {line}" for line in ["", *lines, *more]).replace("\n  \n", "\n\n")
