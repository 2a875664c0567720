"""What `learn` prints for people: the counts first, then what they mean class by class."""

from typing import Any

SHOWN = 20  # classes of a table, the most frequent ones


class Summary:
    """The record of a run, as text."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.record = record

    def __str__(self) -> str:
        return "\n".join(f"{name:>11}  {value}" for name, value in self.facts()) + self.table()

    def facts(self) -> list[tuple[str, str]]:
        record, judged = self.record, self.record["progressive"]
        rounds = record["rounds"]
        speed = f"{rounds / max(record['seconds'], 1e-9):,.0f} rounds a second"
        facts = [
            ("learner", record["learner"]),
            ("data", record["data"]),
            ("read", f"{rounds:,} rounds, {record['attributes']:,} attributes, {record['nonzeros']:,} entries"),
            ("mistakes", f"{judged['mistakes']:,} of {judged['rounds']:,} ({_percent(judged['mistake_rate'])})"
                         f", {_percent(judged['recent_rate'])} of the latest {min(1000, judged['rounds']):,}"),
            ("updates", f"{record['updates']:,}"),
            ("balanced", f"{_percent(judged['balanced_error'])} balanced error"),
        ]  # fmt: skip
        if judged["auc"] is not None:
            facts.append(("probability", f"log-loss {judged['log_loss']:.4f}, AUC {judged['auc']:.4f} (estimated)"))
        if len(record["passes"]) > 1:
            each = ", ".join(f"{one['mistakes']:,}" for one in record["passes"])
            facts.append(("passes", f"{each} mistakes; the figures above are of the first, when rounds were new"))
        if record["holdout"]:
            held = record["holdout"]
            facts.append(("held out", f"{held['mistakes']:,} of {held['rounds']:,} ({_percent(held['mistake_rate'])})"))
        if record["skipped"]:
            facts.append(("skipped", f"{record['skipped']:,} records that could not be read"))
        certificate = record["certificate"]
        if certificate:
            verdict = "holds" if certificate["holds"] else "DOES NOT HOLD"
            count = f"{certificate['counted']:,} {certificate['counts']} <= {certificate['bound']:,}"
            facts.append(("certificate", f"{count} {verdict}: {certificate['theorem']}"))
        if record["order"]:
            facts.append(("order", record["order"]["words"].replace("\n", " ")))
        if record["until"]:
            facts.append(("until", record["until"]["words"]))
        elif record["risk"] and not (record["order"] and record["order"]["matters"]):
            facts.append(("new data", record["risk"]["words"]))
        facts.append(("took", f"{record['seconds']:.2f} s, {speed}"))
        if record["model"]:
            facts.append(("model", record["model"]))
        return facts

    def table(self) -> str:
        """Each class: how often it came, precision and recall."""
        classes = sorted(self.record["progressive"]["classes"], key=lambda one: -one["rounds"])
        wide = max([9, *(len(str(one["class"])) for one in classes)])
        lines = [f"{'class':>{wide}}  {'rounds':>11}  precision     recall"]
        for one in classes[:SHOWN]:
            lines.append(f"{one['class']!s:>{wide}}  {one['rounds']:>11,}  {_share(one)}")
        more = [f"and {len(classes) - SHOWN} more"] if len(classes) > SHOWN else []
        return "".join(f"\n  {line}" for line in ["", *lines, *more]).replace("\n  \n", "\n\n")


def _percent(share: float) -> str:
    return f"{share:.2%}"


def _share(one: dict[str, Any]) -> str:
    shares = ("-" if one[name] is None else f"{one[name]:.1%}" for name in ("precision", "recall"))
    return "  ".join(f"{share:>9}" for share in shares)
