"""What the theorem of a learner from advice is about."""

from typing import Literal, NamedTuple


class AdviceTheorem(NamedTuple):
    """What the theorem of a learner from advice is about.

    Args:
        name: What the theorem is called, with its authors.
        counts: What it bounds.
        tosses: Whether the learner tosses coins, so that the theorem is about the expectation over them.
        sleepers: What the proof charges an expert that sleeps. "mix loss": its share of the weight stays, so that the
            proof holds over the rounds it is awake. "mistakes": those of the learner, so that both sides of the theorem
            have them. "no late ones": experts may sleep but not join late. "none": they may do neither.
        schedule: Whether the learner is compared with any sequence of experts instead of one expert.
    """

    name: str
    counts: Literal["mistakes", "expected mistakes", "loss"]
    tosses: bool = False
    sleepers: Literal["mix loss", "mistakes", "no late ones", "none"] = "mix loss"
    schedule: bool = False

    @property
    def scope(self) -> Literal["sequence", "expectation"]:
        """What a certificate of it is true of."""
        return "expectation" if self.tosses else "sequence"

    @property
    def promise(self) -> str:
        """What a certificate of it says of its witness."""
        if self.schedule:
            return "the experts that are named, each from its round on, lost together what is stated"
        return "the expert that is named lost, and was charged asleep, what is stated"
