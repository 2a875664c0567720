"""League: members of any kind side by side, and a mixture of them served that is never much worse than the best.

Members are learners and players of the library, models of River and scikit-learn, functions of x, and entries of x.
Each says something before the label: a score, a label or chances. The league reads it in several ways
(`calibration.py`), mixes all readings with weights that can return (`mixture.py`), and guesses with an account of its
mistakes (`account.py`). A member that raises, or says NaN, sleeps in that round.

>>> from littlestone import Perceptron, Recorded
>>> stream = Recorded([[1, 0, 1], [0, 1, 0]] * 50, ["yes", "no"] * 50)
>>> league = League({"perceptron": Perceptron(), "always yes": lambda x: "yes"}).play(stream)
>>> league.predict([1, 0, 1]), league.mistakes, {one.name: one.mistakes for one in league.standings()}
('yes', 1, {'perceptron': 1, 'always yes': 50})
"""

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from typing import Any, Self

import numpy as np

from littlestone.base.bound import Certificate
from littlestone.base.chunks import Array, Chunk, Instances
from littlestone.base.environment import Stream, take_rounds
from littlestone.base.errors import BadInstance, BadLabel, require
from littlestone.base.features import Indexed
from littlestone.base.labels import Labels
from littlestone.base.learner import Learner
from littlestone.base.locks import Lock, locked
from littlestone.compiled.threads import count_cores
from littlestone.game.leading_rounds import open_stream
from littlestone.game.league.asking import AskedLeague
from littlestone.game.league.books import KINDS, MET, ROUNDS, Books, RoundBench, Told
from littlestone.game.league.foreign import ForeignMember
from littlestone.game.league.members import LeagueMember, OwnMember, lay_rows, make_own, name_members
from littlestone.game.league.mixture import play
from littlestone.game.league.roster import find_stride
from littlestone.game.played_rounds import PlayedRounds
from littlestone.game.player import Player
from littlestone.game.regressor import LOOKED_AT, are_numbers

RATES = (2.0**-4, 2.0**-6, 2.0**-8, 2.0**-10)  # of sharing, besides 1/t
PIECE = 4096  # rounds that are played before they are told
STEP = 1024  # rounds that members play before the mixture does, where there are threads
MOST_CLASSES = 256  # because the tables of a member grow with their square


class League(AskedLeague):
    """Members of any kind, and a mixture of them that is served.

    Args:
        members: Learners, players, models of River or scikit-learn, functions of x, names or numbers of entries of x,
            or `LeagueMember(...)` of one; a dictionary gives them names. None: the default pool, by the first rows.
        rates: Of sharing weight, each between 0 and 1, of the levels besides the one that shares 1/t; empty: one level.
        switching: Whether weights are shared at all, so that a member can come back.
        features: What reads rows for learners; None: what the stream offers, or attributes by number.
        classes: The labels in the order of their numbers, to declare them before the first round.
        seed: Feeds the coins, if the account needs any, and those of learners that toss some.
        most: The largest importance that a round may have.
        keep: Whether to keep what foreign members say, for certificates; memory grows with every round.
    """

    insists: bool = False  # whether labels are classes even if they are numbers of many values

    def __init__(
        self,
        members: Iterable[Any] | Mapping[str, Any] | None = None,
        rates: Iterable[float] = RATES,
        switching: bool = True,
        features: Any = None,
        classes: Iterable[Hashable] = (),
        seed: int = 0,
        most: float = 1.0,
        keep: bool = False,
    ) -> None:
        self.lock = Lock()
        self.rates, self.switching, self.seed, self.most, self.keep = tuple(rates), switching, seed, float(most), keep
        require(all(0 < rate < 1 for rate in self.rates), f"rates must be between 0 and 1, got {self.rates}")
        self.rates = self.rates if switching else ()  # which mean nothing where nothing is shared
        require(self.most > 0, f"most must be > 0, got {most}")
        self.features, self.labels, self.threads = features, Labels(tuple(classes)), count_cores()
        self.members: list[Any] = []
        self.joined: list[int] = []  # of each member, the rounds before it came
        self.books = Books.start(np.zeros(0, np.int64), 1 + len(self.rates) * switching, len(self.labels))
        self.kept: dict[str, list[tuple[int, Array]]] = {}  # the round before it, and what was said, by member
        self.stream: Stream | None = None
        self._history: list[tuple[int, Array]] = []
        self._waits = members is None  # for rows, to choose members by
        for member in () if members is None else name_members(members):
            self.admit(member)

    def admit(self, member: LeagueMember) -> None:
        """Take in a member."""
        model = member.model
        own = isinstance(member.model, Learner | Player)
        require(member.name not in self.list_names(), f"there is a member {member.name!r} already")
        require(not own or member.says is None, f"{member.model} says what it says: `says` is for foreign models")
        self.take_in(make_own(model, member.name, self.seed) if own else ForeignMember(member))

    @locked
    def take_in(self, member: Any) -> None:
        """Let whatever plays as a member does begin with the next round."""
        kinds = np.array([KINDS.index(saying.kind) for saying in member.sayings], np.int64)
        self.books, self.members = self.books.admit(kinds), [*self.members, member]
        self.joined.append(int(self.books.counts[ROUNDS]))

    @locked
    def join(self, member: Any, name: str = "") -> None:
        """Let a member in who has played no round here: it is judged from the next round on, by a fresh account."""
        require(self.switching or not self.rounds, "a league without switching has no weight left for newcomers")
        (named,) = name_members([member if not name else LeagueMember(member, name)])
        self.admit(named)

    def play(self, stream: Any, rounds: int | None = None) -> Self:
        """Play a stream, or what `read` can read, and return the league."""
        stream = open_stream(stream)
        self.start_for(stream)
        self.stream = stream if self.rounds == 0 else None
        for chunk in take_rounds(stream.chunks(), rounds):
            for _ in self.play_chunk(chunk):
                pass
        return self

    @locked
    def start_for(self, stream: Stream) -> None:
        """Take up what a stream says of its rows and labels before the first round."""
        if self.rounds:
            return
        self.schema = stream.schema()
        if self.features is None:
            self.features = stream.features()
        if not self.labels.names and stream.classes():
            self.labels = Labels(stream.classes())
            self.books = self.books.widen(len(self.labels))
            self.books.counts[MET] = len(self.labels)
        if self._waits:
            self._choose_pool(next(iter(stream.chunks()), None))
        for member in self.members:
            if isinstance(member, OwnMember) and member.shared and stream.size().attributes:
                offered = stream.features()
                size = stream.size()
                if offered is not None and not isinstance(offered, Indexed):
                    size = size._replace(attributes=self.features.width)
                member.player.start_state(size)

    def _choose_pool(self, chunk: Chunk | None) -> None:
        """Take in the default members, by the first rows."""
        from littlestone.game.league.pool import choose_by_rows

        self._waits = False
        self.features = Indexed() if self.features is None else self.features
        for member in name_members(choose_by_rows(chunk, self.features, self.labels)):
            self.admit(member)

    def play_chunk(self, chunk: Chunk) -> Iterator[PlayedRounds]:
        """Play all rounds of a chunk, some thousand at a time; guesses are those that were served."""
        if not self.rounds and not self.insists and not self.labels.closed:
            told = "the labels are numbers of many values, and a league is for classes: leave out --league to predict"
            told += " numbers, or insist on classes: --task classification (league.insists = True)"
            require(not are_numbers(chunk.labels[:LOOKED_AT].tolist()), told, BadLabel)
        done = 0
        while done < len(chunk):
            played, _ = self.play_told(chunk[done : done + PIECE])
            done += len(played.labels)
            yield played

    @locked
    def play_told(self, chunk: Chunk, panel: bool = False) -> tuple[PlayedRounds, Told]:
        """Play leading rounds, at least one, and tell what was noted of each; the panel of all readings if asked."""
        if self._waits:
            self._choose_pool(chunk[:1])
        require(bool(self.members), "a league needs at least one member")
        self.features = Indexed() if self.features is None else self.features
        seen, importance = self._read(chunk)
        chunk = chunk[: len(seen)]
        before = self.labels
        labels = self.labels.copy()
        codes = labels.encode(chunk.labels, MOST_CLASSES)
        chunk = chunk[: len(codes)]
        seen = seen[: len(codes)].with_labels(codes)
        importance = importance[: len(codes)]
        self.labels = labels
        first = self.rounds
        self.books = self.books.widen(len(labels))
        stride = find_stride(first + len(codes))
        bench = RoundBench.of(self.books)
        sizes = np.zeros(len(self.books.wrong))
        found = list[Told]()
        for at, parts in self._ask_members(chunk, seen, codes, first):
            said = np.concatenate(parts)
            here = slice(at, at + parts[0].shape[1])
            told = Told.of(said.shape[1], self.books, stride, panel)
            play(self.books, bench, self.layout, said, codes[here], importance[here], self.rules, told, sizes)
            self.note_history(first + at, said.shape[1], stride, told.history)
            found.append(told)
            for k, member in enumerate(self.members if self.keep else ()):
                if not member.shared:
                    self.kept.setdefault(member.name, []).append((first + at, parts[k]))
        told = Told.join(found)
        chances = np.where(np.isnan(told.chances), 1.0 / (first + 1.0 + np.arange(len(codes))), told.chances)
        guesses = told.guesses.copy()
        return PlayedRounds(chunk, seen, guesses, codes, None, None, guesses, None, chances, named=before.pair), told

    @property
    def reads_rows(self) -> bool:
        """Whether any member sees rows as the features read them."""
        return any(one.shared for one in self.members)

    def _read(self, chunk: Chunk) -> tuple[Chunk, Array]:
        """Leading rows as learners see them, and their importance; all 1 is none."""
        seen = self.features.read_chunk(chunk) if self.reads_rows else chunk
        importance = getattr(chunk, "importance", None)
        if importance is None:
            return seen, np.zeros(0)
        importance = np.asarray(importance, np.float64)[: len(seen)]
        fits = bool(((importance >= 0) & (importance <= self.most)).all())
        told = f"importance must be from 0 to {self.most:g}, got {importance.max():g}: League(most=...) allows more"
        require(fits, told, BadInstance)
        return seen, importance

    def _ask_members(self, chunk: Chunk, seen: Chunk, codes: Array, first: int) -> Iterator[tuple[int, list[Array]]]:
        """Let every member play the rounds, and yield the place of a step and what each said in it, a row a number.

        On more than one core members of ours play a step in threads while the one before it is mixed.
        """
        threaded = self.threads > 1 and len(codes) > 64 and any(isinstance(one, OwnMember) for one in self.members)
        step = STEP if threaded else max(1, len(codes))

        def ask(member: Any, at: int) -> Any:
            here = slice(at, at + step)
            return member.play((seen if member.shared else chunk)[here], codes[here], self.labels, first + at)

        with ThreadPoolExecutor(self.threads) if threaded else nullcontext() as pool:

            def begin(at: int) -> list[Any]:
                own = [pool is not None and isinstance(one, OwnMember) for one in self.members]
                tasks = [partial(ask, one, at) for one in self.members]
                return [
                    pool.submit(task).result if mine and pool else task for mine, task in zip(own, tasks, strict=True)
                ]

            asked = begin(0)
            for at in range(0, len(codes), step):
                parts = [find() for find in asked]
                asked = begin(at + step) if at + step < len(codes) else []
                yield at, parts

    @property
    @locked
    def forecasts(self) -> dict[str, Array]:
        """What members that are not replayed said in every round, if it was kept: for `verify`."""
        found = dict[str, Array]()
        classes = len(self.labels)
        for member in self.members if self.keep else ():
            if not member.shared:
                rows = sum(saying.count_rows(classes) for saying in member.sayings)
                found[member.name] = np.full((rows, self.rounds), np.nan)
                for first, said in self.kept.get(member.name, ()):
                    place = found[member.name][:, first : first + said.shape[1]]
                    place[:] = lay_rows(said, member.sayings, classes)
        return found

    @locked
    def certificate(
        self, kind: str = "log loss", rounds: tuple[int, int] | None = None, stream: Stream | None = None
    ) -> Certificate:
        """What the theorem says of the rounds played: `verify` checks it against them.

        Args:
            kind: "log loss", against the best reading of a member, or "mistakes", by the account; or a floor: under
                "choices" of a member in each round, or under the loss of fixed "mixtures" of their readings.
            rounds: The first and the last round of a stretch, for log loss; None: all.
            stream: The rounds that were played, if `play` was not given one stream.
        """
        from littlestone.game.league.certify import certify_league

        return certify_league(self, kind, rounds, stream)

    def update(self, x: Any, y: Any) -> None:
        """Play one round: ask all members, serve, count it against y, let all learn."""
        for _ in self.play_chunk(Instances.of([x], [y])):
            pass

    @locked
    def save(self, path: str | os.PathLike[str], about: Mapping[str, Any] | None = None) -> None:
        """Write a file with everything of ours, all of it or nothing; foreign members are named in it, not kept."""
        from littlestone.game.league.saving import save

        save(self, path, about)

    @classmethod
    def load(cls, path: str | os.PathLike[str], members: Mapping[str, Any] | None = None) -> "League":
        """The league that `save` wrote, to the bit; `members` are the foreign models by their names."""
        from littlestone.game.league.saving import load

        return load(path, members or {})

    def __repr__(self) -> str:
        return f"League({len(self.books.wrong)} members, rounds={self.rounds}, mistakes={self.mistakes})"
