"""Every law: what a learner must obey, one function a law, and how a broken one is reported."""

import copy
import json
import pickle
import random
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from littlestone.base.chunks import Row
from littlestone.base.errors import BadParameter, LittlestoneError
from littlestone.base.features import Indexed
from littlestone.base.learner import Learner
from littlestone.base.traits import Keyed, ask_key
from littlestone.laws.broken import BrokenLaw, play_untouched, require_same, require_same_game
from littlestone.laws.playing import (
    ForeignUnderTest,
    Rounds,
    make_chunk,
    play_rounds,
    select_accepted,
    start_fresh,
)


def starts_are_fresh(learner: Any, rounds: Rounds) -> bool:
    """`start` gives equal states, and what one of them learns the other does not."""
    one = start_fresh(learner, rounds)
    other = start_fresh(learner, rounds)
    if isinstance(one, ForeignUnderTest):
        return False
    before = other.mark()
    require_same(one.mark(), before, "two fresh states differ")
    for t, (x, y) in enumerate(select_accepted(learner, rounds)):
        one.round(x, y)
        require_same(other.mark(), before, "a player learned from another one's game", t)
    require_same(start_fresh(learner, rounds).mark(), before, "a game changed what a fresh state is")
    return True


def predicting_changes_nothing(learner: Any, rounds: Rounds) -> bool:
    """`predict` changes neither the state nor x, and `update` does not change x."""
    rounds = select_accepted(learner, rounds)
    loud = start_fresh(learner, rounds)
    quiet = start_fresh(learner, rounds)
    for t, (x, y) in enumerate(rounds):
        written = pickle.dumps(x)
        guess = loud.guess(x)
        _ = loud.guess(rounds[-1 - t][0])
        before = loud.mark()  # with room for both
        require_same(loud.guess(x), guess, "asked again, it guessed otherwise", t)
        loud.guess(rounds[-1 - t][0]), loud.player.predict(x)
        require_same(loud.mark(), before, "predict changed the state", t)
        require_same(loud.round(x, y), guess, "predict did not give the guess that was played", t)
        require_same(quiet.round(x, y), guess, "predicting in between changed the guess", t)
        require_same(pickle.dumps(x), written, "x was changed", t)
    return bool(rounds)


def inputs_are_left_alone(learner: Any, rounds: Rounds) -> bool:
    """The arrays of a row are not changed, and overwriting them after the round changes nothing learned."""
    rounds = select_accepted(learner, rounds)
    seat, whole = start_fresh(learner, rounds), start_fresh(learner, rounds)
    if isinstance(seat, ForeignUnderTest) or not rounds or not isinstance(seat.player.see(rounds[0][0]), Row):
        return False
    for t, (x, y) in enumerate(rounds):
        row = seat.player.see(copy.deepcopy(x))
        play_untouched(row, seat, lambda: seat.player.learn(row, y, seat.player.guess(row)), f"in round {t + 1}")  # noqa: B023
    if isinstance(whole.player.features, Indexed):
        chunk: Any = whole.player.features.read_chunk(make_chunk(rounds))
        play_untouched(chunk, whole, lambda: whole.player.replay(chunk), "in a chunk")
    return True


def chunks_agree(learner: Any, rounds: Rounds, cuts: Iterable[Sequence[int]] | None = None) -> bool:
    """Round by round, asked or not, in chunks and whole: the same guesses and counts, bit for bit the same state.

    `cuts` are lists of places to cut; by default nowhere, at every single place, and everywhere.
    """
    rounds = select_accepted(learner, rounds)
    places = list(range(1, len(rounds)))
    cuts = [[], *([place] for place in places), places] if cuts is None else list(cuts)
    for declared in (True, False) if rounds else ():
        live = start_fresh(learner, rounds, declared=declared)
        if isinstance(live, ForeignUnderTest) and not hasattr(live.player, "replay"):
            return False
        try:
            guesses = play_rounds(live, rounds)
        except BadParameter:
            continue  # a rule that depends on the number of attributes may insist on being told
        for cut in cuts if declared else [[], places]:
            seat = start_fresh(learner, rounds, declared=declared)
            said = list[Any]()
            for start, stop in zip([0, *cut], [*cut, len(rounds)], strict=True):
                said += seat.batch(rounds[start:stop])
            require_same_game(seat, said, live, guesses, f"cutting the stream after rounds {list(cut)}")
        seat = start_fresh(learner, rounds, declared=declared)
        for x, y in rounds:
            seat.player.update(x, y)
        require_same_game(seat, [], live, [], "updating without asking for the guess")
    return bool(rounds)


def copies_agree(learner: Any, rounds: Rounds) -> bool:
    """A copy made in the middle of a game has the same future, and its own."""
    rounds = select_accepted(learner, rounds)
    for middle in {len(rounds) // 3, len(rounds) // 2}:
        seat = start_fresh(learner, rounds)
        play_rounds(seat, rounds[:middle])
        other = seat.fork()
        before = seat.mark()
        future = play_rounds(other, rounds[middle:])
        require_same(seat.mark(), before, f"what a copy made after round {middle} learned reached the original")
        require_same_game(
            seat, play_rounds(seat, rounds[middle:]), other, future, f"copying after round {middle}", middle
        )
    return bool(rounds)


def parameters_survive(learner: Any, rounds: Rounds) -> bool:
    """A learner equals, hashes, prints and plays like its pickle, and like the JSON of its fields where it has one."""
    if not isinstance(learner, Learner):
        return False
    values = {field.name: getattr(learner, field.name) for field in fields(learner)}  # type: ignore[arg-type]
    again: list[Any] = [pickle.loads(pickle.dumps(learner)), copy.deepcopy(learner)]
    if all(isinstance(value, int | float | str | None) for value in values.values()):
        again.append(type(learner)(**json.loads(json.dumps(values))))
    rounds = select_accepted(learner, rounds)
    live = start_fresh(learner, rounds)
    guesses = play_rounds(live, rounds)
    for other in again:
        require_same(other, learner, "a learner does not equal what was written of it")
        require_same(
            (hash(other), repr(other)), (hash(learner), repr(learner)), "equal learners differ in hash or repr"
        )
        seat = start_fresh(other, rounds)
        require_same_game(seat, play_rounds(seat, rounds), live, guesses, "writing and reading the learner")
    return True


def refusals_change_nothing(learner: Any, rounds: Rounds) -> bool:
    """A refused round leaves everything as it was; those before it are learned and counted, live and in chunks."""
    live = start_fresh(learner, rounds)
    whole = start_fresh(learner, rounds)
    if isinstance(live, ForeignUnderTest):
        return False
    rounds = [*rounds[:5], *((x, None) for x, _ in rounds[:1]), *rounds[5:]]  # None is no label
    guesses = list[Any]()
    refused = list[int]()
    for t, (x, y) in enumerate(rounds):
        before = live.mark(), live.counts(), live.player.labels.names
        try:
            live.player.see(x)
            before = live.mark(), *before[1:]  # room was made for x
            guesses.append(live.round(x, y))
        except LittlestoneError:
            refused.append(t)
            after = live.mark(), live.counts(), live.player.labels.names
            require_same(after, before, "a refused round changed the state, the counts or the labels", t)
    said = list[Any]()
    missed = list[int]()
    while len(said) + len(missed) < len(rounds):
        got = whole.batch(rounds[len(said) + len(missed) :])
        said += got
        missed += [] if got else [len(said) + len(missed)]
    require_same(missed, refused, "in a chunk other rounds were refused")
    if guesses:  # a game of refused rounds alone has made room for what it saw live, and for nothing in chunks
        require_same_game(whole, said, live, guesses, "refusing rounds inside a chunk")
    return bool(refused)


def labels_come_after_guesses(learner: Any, rounds: Rounds) -> bool:
    """The guess in a round is the same whatever the labels of that round and of later ones are."""
    rounds = select_accepted(learner, rounds)
    names = list(dict.fromkeys(y for _, y in rounds))
    chance = random.Random(len(rounds))
    guesses = play_rounds(start_fresh(learner, rounds), rounds)
    for t in range(0, len(rounds), 1 + len(rounds) // 16):
        for others in [names[-1:] + names[:-1], chance.sample(names, len(names)), names[:1] * len(names)]:
            forged = [*rounds[:t], *((x, others[names.index(y)]) for x, y in rounds[t:])]
            said = start_fresh(learner, rounds).batch(forged)
            for s in range(min(t + 1, len(said))):
                require_same(said[s], guesses[s], f"labels from round {t + 1} on reached the guess", s)
    return len(names) > 1


def counts_are_true(learner: Any, rounds: Rounds) -> bool:
    """Mistakes are guesses that differ, a round counts at most one update, and expectations are what it can cost.

    A learner with a `key` of its own says what its future depends on: then a round counts as an update exactly when
    that moved, but for mistakes and rows without attributes, which may count and find nothing to move.
    """
    rounds = select_accepted(learner, rounds)
    seat = start_fresh(learner, rounds)
    if isinstance(seat, ForeignUnderTest):
        return False
    player = seat.player
    mistakes = 0
    says = isinstance(seat.player.learner, Keyed)
    for t, (x, y) in enumerate(rounds):
        seen = player.see(x)
        key = ask_key(player.learner, player.state)
        before = player.tally
        wrong = player.learn(seen, y, guess := player.guess(seen))
        mistakes += guess != player.labels.encode_one(y, player.learner.limit())
        after = player.tally
        updated = player.tally.updates - before.updates
        require_same(after[:2], (t + 1, mistakes), "rounds and mistakes are not those of the guesses", t)
        require_same(wrong, after.mistakes > before.mistakes, "a round is a mistake and is not", t)
        require_same(updated in (0, 1), True, "a round counted other than one update or none", t)
        if after.expected is not None:
            share = after.expected - (before.expected or 0)
            rounding = 1e-9 if isinstance(share, float) else 0
            most = max(1.0, player.learner.loss(guess, y)) if player.learner.numeric else 1
            require_same(-rounding <= share <= most + rounding, True, "more was expected than the round can cost", t)
        if says and not (isinstance(seen, Row) and seen.to_sparse().length == 0):
            moved = ask_key(player.learner, player.state) != key
            idle = wrong and not moved  # a mistake may call for an update that finds nothing left to change
            require_same(bool(updated), moved or (idle and bool(updated)), "updates are not the moves of its key", t)
    return bool(rounds)


def attributes_have_no_names(learner: Any, rounds: Rounds) -> bool:
    """Numbering the attributes otherwise, or listing those of a dense row, changes no guess, where `Indexed` reads.

    Where rounding can decide, both guesses may be right: if moving the weights by a hundred-millionth part changes
    the guess too, comparison ends there. On integers no learner with integer weights comes to that.
    """
    rounds = select_accepted(learner, rounds)
    seat = start_fresh(learner, rounds)
    if isinstance(seat, ForeignUnderTest) or not isinstance(seat.player.features, Indexed) or not rounds:
        return False
    if getattr(learner, "names_attributes", False):
        return False
    rows = [seat.player.see(x).to_sparse() for x, _ in rounds]
    renamed = start_fresh(learner, rounds)
    names = np.random.default_rng(len(rounds)).permutation(seat.player.features.width).astype(np.int32)
    for t, ((x, y), row) in enumerate(zip(rounds, rows, strict=True)):
        order = np.argsort(names[row.indices])
        other = Row(names[row.indices][order], None if row.values is None else row.values[order])
        one = seat.guess(x)
        two = renamed.guess(other)
        if one != two and seat.is_on_a_knife_edge(row):
            break
        require_same(two, one, f"numbering the attributes {names.tolist()} changed the guess", t)
        seat.round(x, y), renamed.round(other, y)
    return True


def empty_rows_are_legal(learner: Any, rounds: Rounds) -> bool:
    """A row without attributes can be guessed first and between others, and one of the labels is taken."""
    rounds = select_accepted(learner, rounds)
    seat = start_fresh(learner, rounds)
    if isinstance(seat, ForeignUnderTest) or not isinstance(seat.player.features, Indexed) or not rounds:
        return False
    empty = Row(np.zeros(0, np.int32), np.zeros(0))
    names = list(dict.fromkeys(y for _, y in rounds))
    for place in {0, 1, len(rounds)}:
        games = [[*rounds[:place], (empty, y), *rounds[place:], (empty, y)] for y in names]
        taken = [
            game for game in games if any(x is empty for x, _ in select_accepted(learner, game)[place : place + 1])
        ]
        require_same(bool(taken), True, f"a row without attributes was refused with every label after round {place}")
        for game in taken:
            chunks_agree(learner, game, cuts=[[]])
    return True


def seeds_repeat(learner: Any, rounds: Rounds) -> bool:
    """The same seed gives the same game."""
    rounds = select_accepted(learner, rounds)
    for seed in (0, 1, 2**64 - 1):
        one = start_fresh(learner, rounds, seed)
        other = start_fresh(learner, rounds, seed)
        require_same_game(
            one, play_rounds(one, rounds), other, play_rounds(other, rounds), f"playing again with seed {seed}"
        )
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
__all__ = ["LAWS", "BrokenLaw", *(law.__name__ for law in LAWS)]  # noqa: PLE0604 - all of them strings
