"""Laws: what every learner must obey, ours and anybody's.

A law is a function of a learner and some rounds, pairs (x, y) in the user's own terms. It returns whether it applies
and raises `BrokenLaw`, with the round where something differed. A learner is one of ours; or a function without
arguments that makes a fresh `Player`, or a fresh object with `predict(x)` and `update(x, y)`; or such an object itself,
of which deep copies are taken. An object may have a batch path, `replay(xs, ys)`, that gives the guesses.

>>> from littlestone.concepts import Thresholds
>>> from littlestone.learners import Halving
>>> chunks_agree(Halving(Thresholds(6)), [(3, True), (2, False), (3, True)])
True
"""

import copy
import json
import pickle
import random
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from littlestone.base.chunks import Examples, Row
from littlestone.base.errors import BadParameter, LittlestoneError
from littlestone.base.features import Indexed
from littlestone.base.learner import Learner
from littlestone.base.traits import Keyed, expected_of, key_of
from littlestone.laws.rehearsal import KINDS, Rounds, Seat, Stranger, accepted, chunked, fresh, played, rounds_for
from littlestone.laws.trials import attacks, truth_of


class BrokenLaw(LittlestoneError, AssertionError):
    """A learner does what no learner may do; the message says what differed, and in which round."""


def check(
    learner: Any, rounds: Rounds | None = None, seed: int = 0, skip: Collection[str] = (), like: Learner | None = None,
    claims: Learner | None = None,
) -> list[str]:  # fmt: skip
    """Hold every law to a learner, on these rounds or on rehearsals; the names of the laws that applied.

    `claims` is one of ours whose theorem the learner is said to have: games that attack its bound are played. `like`
    is one of ours that it is said to be: it must guess the same, round by round, besides.
    """
    model = like or claims
    games = [rounds_for(model or learner, kind, seed) for kind in KINDS] if rounds is None else [rounds]
    if model is not None:
        games = [_plain(accepted(model, game)) for game in games]
    held = [law.__name__ for law in LAWS if law.__name__ not in skip and sum(law(learner, game) for game in games)]
    if like is not None and agrees.__name__ not in skip and sum(agrees(learner, game, like) for game in games):
        held.append(agrees.__name__)
    if model is not None and keeps_its_bound.__name__ not in skip and keeps_its_bound(learner, model, seed, not claims):
        held.append(keeps_its_bound.__name__)
    return held


def agrees(learner: Any, rounds: Rounds, like: Learner) -> bool:
    """It guesses what the learner of ours guesses that it is said to be, a tie included; numbers to nine digits."""
    seat, ours = fresh(learner, rounds), fresh(like, rounds)
    if not rounds or (expected_of(ours.player.learner, ours.player.state) is not None and not like.numeric):
        return False  # nobody else's coins fall like ours
    for t, (x, y) in enumerate(rounds):
        theirs, mine = seat.round(x, y), ours.round(x, y)
        if like.numeric:
            _same(round(float(theirs), 9), round(float(mine), 9), f"it does not guess as {like} does", t)
        elif ours.player.learner.limit() == 2:
            _same(truth_of(theirs), bool(mine), f"it does not guess as {like} does", t)
        else:
            named = ours.player.labels.name(mine) if isinstance(seat, Stranger) else mine
            _same(theirs, named, f"it does not guess as {like} does", t)
    return True


def keeps_its_bound(learner: Any, claims: Learner, seed: int = 0, leniently: bool = False) -> bool:
    """Against whoever keeps the theorem's promise and no more, it stays within the theorem's bound.

    `leniently`, a theorem that no game here attacks is passed over.
    """
    try:
        for trial in attacks(learner, claims, seed):
            _same(trial.fault, "", f"against {trial.name}")
            if trial.counted > trial.allowed:
                counts = f"it makes {float(trial.counted):.6g} and {float(trial.allowed):.6g} are allowed"
                raise BrokenLaw(f"against {trial.name} {counts} by the theorem of {claims}")
    except BadParameter:
        if leniently:
            return False
        raise
    return True


def _plain(rounds: Rounds) -> Rounds:
    """Two labels by any names as False and True, so that whoever knows only those can play."""
    return [(x, y == "yes" if y in ("no", "yes") else y) for x, y in rounds]


def starts_are_fresh(learner: Any, rounds: Rounds) -> bool:
    """`start` gives equal states, and what one of them learns the other does not."""
    one, other = fresh(learner, rounds), fresh(learner, rounds)
    if isinstance(one, Stranger):
        return False
    before = other.mark()
    _same(one.mark(), before, "two fresh states differ")
    for t, (x, y) in enumerate(accepted(learner, rounds)):
        one.round(x, y)
        _same(other.mark(), before, "a player learned from another one's game", t)
    _same(fresh(learner, rounds).mark(), before, "a game changed what a fresh state is")
    return True


def predicting_changes_nothing(learner: Any, rounds: Rounds) -> bool:
    """`predict` changes neither the state nor x, and `update` does not change x."""
    rounds = accepted(learner, rounds)
    loud, quiet = fresh(learner, rounds), fresh(learner, rounds)
    for t, (x, y) in enumerate(rounds):
        written, guess, _ = pickle.dumps(x), loud.guess(x), loud.guess(rounds[-1 - t][0])
        before = loud.mark()  # with room for both
        _same(loud.guess(x), guess, "asked again, it guessed otherwise", t)
        loud.guess(rounds[-1 - t][0]), loud.player.predict(x)
        _same(loud.mark(), before, "predict changed the state", t)
        _same(loud.round(x, y), guess, "predict did not give the guess that was played", t)
        _same(quiet.round(x, y), guess, "predicting in between changed the guess", t)
        _same(pickle.dumps(x), written, "x was changed", t)
    return bool(rounds)


def inputs_are_left_alone(learner: Any, rounds: Rounds) -> bool:
    """The arrays of a row are not changed, and whoever overwrites them after the round changes nothing learned."""
    rounds = accepted(learner, rounds)
    seat, whole = fresh(learner, rounds), fresh(learner, rounds)
    if isinstance(seat, Stranger) or not rounds or not isinstance(seat.player.see(rounds[0][0]), Row):
        return False
    for t, (x, y) in enumerate(rounds):
        row = seat.player.see(copy.deepcopy(x))
        _untouched(row, seat, lambda: seat.player.learn(row, y, seat.player.guess(row)), f"in round {t + 1}")  # noqa: B023
    if isinstance(whole.player.features, Indexed):
        chunk: Any = whole.player.features.read_chunk(chunked(rounds))
        _untouched(chunk, whole, lambda: whole.player.replay(chunk), "in a chunk")
    return True


def chunks_agree(learner: Any, rounds: Rounds, cuts: Iterable[Sequence[int]] | None = None) -> bool:
    """Round by round, asked or not, in chunks and whole: the same guesses and counts, bit for bit the same state.

    `cuts` are lists of places to cut; by default nowhere, at every single place, and everywhere.
    """
    rounds = accepted(learner, rounds)
    places = list(range(1, len(rounds)))
    cuts = [[], *([place] for place in places), places] if cuts is None else list(cuts)
    for declared in (True, False) if rounds else ():
        live = fresh(learner, rounds, declared=declared)
        if isinstance(live, Stranger) and not hasattr(live.player, "replay"):
            return False
        try:
            guesses = played(live, rounds)
        except BadParameter:
            continue  # a rule that depends on the number of attributes may insist on being told
        for cut in cuts if declared else [[], places]:
            seat, said = fresh(learner, rounds, declared=declared), list[Any]()
            for start, stop in zip([0, *cut], [*cut, len(rounds)], strict=True):
                said += seat.batch(rounds[start:stop])
            _same_game(seat, said, live, guesses, f"cutting the stream after rounds {list(cut)}")
        seat = fresh(learner, rounds, declared=declared)
        for x, y in rounds:
            seat.player.update(x, y)
        _same_game(seat, [], live, [], "updating without asking for the guess")
    return bool(rounds)


def copies_agree(learner: Any, rounds: Rounds) -> bool:
    """A copy made in the middle of a game has the same future, and its own."""
    rounds = accepted(learner, rounds)
    for middle in {len(rounds) // 3, len(rounds) // 2}:
        seat = fresh(learner, rounds)
        played(seat, rounds[:middle])
        other, before = seat.fork(), seat.mark()
        future = played(other, rounds[middle:])
        _same(seat.mark(), before, f"what a copy made after round {middle} learned reached the original")
        _same_game(seat, played(seat, rounds[middle:]), other, future, f"copying after round {middle}", middle)
    return bool(rounds)


def parameters_survive(learner: Any, rounds: Rounds) -> bool:
    """A learner equals, hashes, prints and plays like its pickle, and like the JSON of its fields where it has one."""
    if not isinstance(learner, Learner):
        return False
    values = {field.name: getattr(learner, field.name) for field in fields(learner)}  # type: ignore[arg-type]
    again: list[Any] = [pickle.loads(pickle.dumps(learner)), copy.deepcopy(learner)]
    if all(isinstance(value, int | float | str | None) for value in values.values()):
        again.append(type(learner)(**json.loads(json.dumps(values))))
    rounds = accepted(learner, rounds)
    live = fresh(learner, rounds)
    guesses = played(live, rounds)
    for other in again:
        _same(other, learner, "a learner does not equal what was written of it")
        _same((hash(other), repr(other)), (hash(learner), repr(learner)), "equal learners differ in hash or repr")
        seat = fresh(other, rounds)
        _same_game(seat, played(seat, rounds), live, guesses, "writing and reading the learner")
    return True


def refusals_change_nothing(learner: Any, rounds: Rounds) -> bool:
    """A refused round leaves everything as it was; those before it are learned and counted, live and in chunks."""
    live, whole = fresh(learner, rounds), fresh(learner, rounds)
    if isinstance(live, Stranger):
        return False
    rounds = [*rounds[:5], *((x, None) for x, _ in rounds[:1]), *rounds[5:]]  # None is nobody's label
    guesses, refused = list[Any](), list[int]()
    for t, (x, y) in enumerate(rounds):
        before = live.mark(), live.counts(), live.player.labels.names
        try:
            live.player.see(x)
            before = live.mark(), *before[1:]  # room was made for x
            guesses.append(live.round(x, y))
        except LittlestoneError:
            refused.append(t)
            after = live.mark(), live.counts(), live.player.labels.names
            _same(after, before, "a refused round changed the state, the counts or the labels", t)
    said, missed = list[Any](), list[int]()
    while len(said) + len(missed) < len(rounds):
        got = whole.batch(rounds[len(said) + len(missed) :])
        said += got
        missed += [] if got else [len(said) + len(missed)]
    _same(missed, refused, "in a chunk other rounds were refused")
    _same_game(whole, said, live, guesses, "refusing rounds inside a chunk")
    return bool(refused)


def labels_come_after_guesses(learner: Any, rounds: Rounds) -> bool:
    """The guess in a round is the same whatever the labels of that round and of later ones are."""
    rounds = accepted(learner, rounds)
    names, chance = list(dict.fromkeys(y for _, y in rounds)), random.Random(len(rounds))
    guesses = played(fresh(learner, rounds), rounds)
    for t in range(0, len(rounds), 1 + len(rounds) // 16):
        for others in [names[-1:] + names[:-1], chance.sample(names, len(names)), names[:1] * len(names)]:
            forged = [*rounds[:t], *((x, others[names.index(y)]) for x, y in rounds[t:])]
            said = fresh(learner, rounds).batch(forged)
            for s in range(min(t + 1, len(said))):
                _same(said[s], guesses[s], f"labels from round {t + 1} on reached the guess", s)
    return len(names) > 1


def counts_are_true(learner: Any, rounds: Rounds) -> bool:
    """Mistakes are guesses that differ, a round counts at most one update, and expectations stay between 0 and 1.

    A learner with a `key` of its own says what its future depends on: then a round counts as an update exactly when
    that moved, but for mistakes and rows without attributes, which may count and find nothing to move.
    """
    rounds = accepted(learner, rounds)
    seat = fresh(learner, rounds)
    if isinstance(seat, Stranger):
        return False
    player, mistakes, says = seat.player, 0, isinstance(seat.player.learner, Keyed)
    for t, (x, y) in enumerate(rounds):
        seen = player.see(x)
        key, before, unheard = key_of(player.learner, player.state), player.tally, player.labels.is_surprise(y)
        wrong = player.learn(seen, y, guess := player.guess(seen))
        mistakes += unheard or guess != player.labels.encode_one(y, player.learner.limit())
        after, updated = player.tally, player.tally.updates - before.updates
        _same(after[:2], (t + 1, mistakes), "rounds and mistakes are not those of the guesses", t)
        _same(wrong, after.mistakes > before.mistakes, "a round is a mistake and is not", t)
        _same(updated in (0, 1), True, "a round counted other than one update or none", t)
        if after.expected is not None:
            share = after.expected - (before.expected or 0)
            rounding = 1e-9 if isinstance(share, float) else 0
            _same(-rounding <= share <= 1 + rounding, True, "more was expected than one mistake", t)
        if says and not (isinstance(seen, Row) and seen.to_sparse().length == 0):
            moved = key_of(player.learner, player.state) != key
            idle = wrong and not moved  # a mistake may call for an update that finds nothing left to change
            _same(bool(updated), moved or (idle and bool(updated)), "updates are not the moves of its key", t)
    return bool(rounds)


def attributes_have_no_names(learner: Any, rounds: Rounds) -> bool:
    """Numbering the attributes otherwise, or listing those of a dense row, changes no guess, where `Indexed` reads.

    Where rounding can decide, both guesses may be right: if moving the weights by a hundred-millionth part changes
    the guess too, comparison ends there. On integers no learner with integer weights comes to that.
    """
    rounds = accepted(learner, rounds)
    seat = fresh(learner, rounds)
    if isinstance(seat, Stranger) or not isinstance(seat.player.features, Indexed) or not rounds:
        return False
    rows, renamed = [seat.player.see(x).to_sparse() for x, _ in rounds], fresh(learner, rounds)
    names = np.random.default_rng(len(rounds)).permutation(seat.player.features.width).astype(np.int32)
    for t, ((x, y), row) in enumerate(zip(rounds, rows, strict=True)):
        order = np.argsort(names[row.indices])
        other = Row(names[row.indices][order], None if row.values is None else row.values[order])
        one, two = seat.guess(x), renamed.guess(other)
        if one != two and seat.on_a_knife_edge(row):
            break
        _same(two, one, f"numbering the attributes {names.tolist()} changed the guess", t)
        seat.round(x, y), renamed.round(other, y)
    return True


def empty_rows_are_legal(learner: Any, rounds: Rounds) -> bool:
    """A row without attributes can be guessed first and between others, and one of the labels is taken."""
    rounds = accepted(learner, rounds)
    seat = fresh(learner, rounds)
    if isinstance(seat, Stranger) or not isinstance(seat.player.features, Indexed) or not rounds:
        return False
    empty, names = Row(np.zeros(0, np.int32), np.zeros(0)), list(dict.fromkeys(y for _, y in rounds))
    for place in {0, 1, len(rounds)}:
        games = [[*rounds[:place], (empty, y), *rounds[place:], (empty, y)] for y in names]
        taken = [game for game in games if any(x is empty for x, _ in accepted(learner, game)[place : place + 1])]
        _same(bool(taken), True, f"a row without attributes was refused with every label after round {place}")
        for game in taken:
            chunks_agree(learner, game, cuts=[[]])
    return True


def seeds_repeat(learner: Any, rounds: Rounds) -> bool:
    """The same seed gives the same game."""
    rounds = accepted(learner, rounds)
    for seed in (0, 1, 2**64 - 1):
        one, other = fresh(learner, rounds, seed), fresh(learner, rounds, seed)
        _same_game(one, played(one, rounds), other, played(other, rounds), f"playing again with seed {seed}")
    return bool(rounds)


LAWS = (
    starts_are_fresh,
    predicting_changes_nothing,
    inputs_are_left_alone,
    chunks_agree,
    copies_agree,
    parameters_survive,
    refusals_change_nothing,
    labels_come_after_guesses,
    counts_are_true,
    attributes_have_no_names,
    empty_rows_are_legal,
    seeds_repeat,
)


def _same(one: Any, other: Any, what: str, t: int | None = None) -> None:
    if one != other:
        shown = [text if len(text) < 80 else f"{text[:77]}..." for text in (repr(one), repr(other))]
        raise BrokenLaw(f"{what}{'' if t is None else f' in round {t + 1}'}: {shown[0]} is not {shown[1]}")


def _same_game(seat: Seat, said: list[Any], live: Seat, guesses: list[Any], what: str, first: int = 0) -> None:
    for t, (one, other) in enumerate(zip(said, guesses, strict=False)):
        _same(one, other, f"{what} changed the guess", first + t)
    _same(len(said), len(guesses), f"{what} changed how many rounds were played")
    if said:  # a player that has played nothing may not be seated yet
        _same(seat.counts(), live.counts(), f"{what} changed the counts")
    _same(seat.mark(), live.mark(), f"{what} changed the final state")


def _untouched(seen: Row | Examples, seat: Seat, play: Callable[[], Any], where: str) -> None:
    arrays = [array for array in (seen.indices, seen.values) if array is not None]
    before = [array.tobytes() for array in arrays]
    play()
    _same([array.tobytes() for array in arrays], before, f"x was changed {where}")
    learned = seat.mark()
    for array in filter(lambda array: array.flags.writeable, arrays):
        array[...] = 0
    _same(seat.mark(), learned, f"overwriting x after it was played {where} changed the state")
