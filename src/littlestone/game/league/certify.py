"""Certificates of a league: members of ours are played again, forecasts of others are data.

Both to make a certificate and to verify one the league is rebuilt from its description and plays the stream from the
first round on, noting what every reading gave each label; `certificates/check/league.py` decides what is true of that.
"""

import copy
from collections.abc import Mapping
from dataclasses import replace as replace_field
from typing import Any, NamedTuple

import numpy as np

from littlestone.base.bound import VERSION, Certificate
from littlestone.base.chunks import Array
from littlestone.base.environment import Stream, cut_chunks, take_rounds
from littlestone.base.errors import BadParameter, NotCertified, require
from littlestone.base.telling import Saying
from littlestone.certificates.check.integer_rows import require_same_rounds
from littlestone.certificates.check.league import (
    LOSS,
    MISTAKES,
    PROMISE,
    LeaguePlayed,
    check_league,
    describe_phases,
    describe_promise,
    follow_account,
    hash_floats,
    hash_panel,
    measure_stretch,
    round_ends,
)
from littlestone.certificates.check.report import Report
from littlestone.certificates.digest import Digest
from littlestone.certificates.make.league_floors import make_floor
from littlestone.game.league.books import EXPERTS, KINDS
from littlestone.game.league.described import describe_league, describe_league_again, make_learner
from littlestone.game.league.heard import HeardMember, RecordedMember, confirm_members, has_plain_floats
from littlestone.game.league.league import PIECE, League
from littlestone.game.league.members import LeagueMember

CERTIFIED = ("log loss", "mistakes", "choices", "mixtures")


def replay(
    about: dict[str, Any],
    stream: Stream,
    rounds: int,
    features: Any,
    forecasts: Mapping[str, Array],
    version: int | None = VERSION,
) -> tuple[League, LeaguePlayed, Digest]:
    """Play a league again from its description: the league after it, what it did, and the digest of its rounds."""
    words = {"name", "rates", "switching", "most", "seed", "members", "classes", "follows"}
    require(set(about) <= words, f"no league has {', '.join(sorted(set(about) - words))}", NotCertified)
    kinds = {"rates": (list,), "switching": (bool,), "most": (int, float), "seed": (int,), "members": (list,)}
    plain = all(type(about.get(name)) in allowed for name, allowed in kinds.items())
    require(plain and -(2**63) <= about["seed"] < 2**63, "no league has this description", NotCertified)
    league = League(
        (), about["rates"], about["switching"], features, about.get("classes", ()), about["seed"], about["most"]
    )
    require(
        about.get("follows", True) is True, f"follows is true or left out, got {about.get('follows')!r}", NotCertified
    )
    league.follows = "follows" in about
    whole = all(type(member["joined"]) is int for member in about["members"])
    require(whole, "a member joined after a whole number of rounds", NotCertified)
    newcomers = sorted(about["members"], key=lambda member: member["joined"])
    require(newcomers == about["members"], "members are listed as they joined", NotCertified)
    cuts = sorted({member["joined"] for member in newcomers} | {rounds})
    parts = []
    importance = list[Any]()
    digest = Digest(version)
    phases = list[tuple[int, int]]()
    wrong = list[Array]()
    _admit(league, newcomers, 0, forecasts)
    league.start_for(stream)
    for chunk in cut_chunks(
        take_rounds(stream.chunks(), rounds), lambda t: min([t + PIECE, *(c for c in cuts if c > t)])
    ):
        if league.rounds in cuts and league.rounds:
            _admit(league, newcomers, league.rounds, forecasts)
        if not phases or len(league.books.wrong) != phases[-1][1]:
            phases.append((league.rounds, len(league.books.wrong)))
        done = 0
        while done < len(chunk):
            played, told = league.play_told(chunk[done:], True)
            parts.append(told)
            wrong.append(played.guesses != played.labels)
            importance.append(getattr(played.chunk, "importance", None))
            digest.add(played.seen)
            done += len(played.labels)
    require(
        league.rounds == rounds and rounds > 0, f"the stream has {league.rounds} rounds, not {rounds}", NotCertified
    )
    readings = league.books.weights.shape[1]
    members = len(league.books.wrong)
    weighed = None if any(part is None for part in importance) else np.concatenate(importance)
    found = LeaguePlayed(
        np.vstack([_pad_columns(told.panel, readings, np.nan) for told in parts]),
        np.concatenate([told.chances for told in parts]),
        np.concatenate([told.level for told in parts]),
        np.vstack([_pad_columns(told.right, members, 0) for told in parts]),
        np.concatenate(wrong),
        np.concatenate([told.flags for told in parts]),
        weighed,
        tuple(
            first
            for first, own in zip(_list_joined(league), league.kinds.tolist(), strict=True)
            for _ in range(EXPERTS[own])
        ),
        tuple(phases),
        league.rates if league.switching else (),
        not league.switching,
        league.most,
    )
    return league, found, digest


def _admit(league: League, members: list[dict[str, Any]], rounds: int, forecasts: Mapping[str, Array]) -> None:
    """Let the members in that join after round `rounds`."""
    for member in members:
        if member["joined"] == rounds and "learner" in member:
            league.admit(LeagueMember(make_learner(member["learner"]), member["name"]))
            league.members[-1] = HeardMember(league.members[-1])
        elif member["joined"] == rounds:
            missing = f"{member['name']} is no member of ours: pass what it said, forecasts={{name: array}}"
            require(member["name"] in forecasts, missing, NotCertified)
            sayings = tuple(Saying(*saying) for saying in member["says"])
            require(all(saying.kind in KINDS for saying in sayings), f"{sayings} are no sayings", NotCertified)
            league.take_in(RecordedMember(member["name"], sayings, np.asarray(forecasts[member["name"]], float)))


def _list_joined(league: League) -> list[int]:
    return [first for first, one in zip(league.joined, league.members, strict=True) for _ in one.sayings]


def _pad_columns(array: Array, columns: int, value: float) -> Array:
    return np.pad(array, ((0, 0), (0, columns - array.shape[1])), constant_values=value)


def list_readings(league: League) -> list[str]:
    """The name of the member of each reading."""
    return [
        name
        for name, kind in zip(league.list_names(), league.kinds.tolist(), strict=True)
        for _ in range(EXPERTS[kind])
    ]


class ReplayedLeague(NamedTuple):
    """A league that was played again: what certificates say of it, and what it did."""

    words: dict[str, Any]
    witness: dict[str, Any]
    played: LeaguePlayed
    names: list[str]


def certify_league(
    league: League, kind: str, stretch: tuple[int, int] | None = None, stream: Stream | None = None
) -> Certificate:
    """What the theorem says of the rounds that a league has played."""
    require(kind in CERTIFIED, f"a league has certificates of {', '.join(CERTIFIED)}, got {kind!r}")
    require(stretch is None or kind == "log loss", f"{kind} are certified over all rounds", BadParameter)
    return certify_replayed(play_again(league, stream), kind, stretch)


def play_again(league: League, stream: Stream | None = None) -> ReplayedLeague:
    """Play the rounds of a league once more, for certificates of it."""
    stream = league.stream if stream is None else stream
    require(
        stream is not None, "the league did not play one stream: pass the rounds it played, stream=...", BadParameter
    )
    assert stream is not None
    about = describe_league(league)
    forecasts = league.forecasts
    lost = [
        member["name"] for member in about["members"] if "learner" not in member and member["name"] not in forecasts
    ]
    require(not lost, f"League(keep=True) keeps what {', '.join(lost)} said, as a certificate needs", NotCertified)
    again, played, digest = replay(about, stream, league.rounds, copy.deepcopy(league.features), forecasts)
    same = again.tally == league.tally and again.log_loss == league.log_loss
    require(same, f"the stream is not what was played: it gives {again.tally}, not {league.tally}", NotCertified)
    names = list_readings(again)
    witness: dict[str, Any] = {
        "panel": hash_panel(played.panel, names),
        "served": hash_floats(played.served, played.level),
    }
    witness |= {"guesses": hash_floats(played.wrong.astype(np.int64), played.flags.astype(np.int64))}
    witness |= {"forecasts": hash_forecasts(forecasts)} if forecasts else {}
    words: dict[str, Any] = {
        "mistakes": league.mistakes,
        "updates": int(np.count_nonzero(played.charged)),
        "exact": False,
    }
    words |= {"rounds": league.rounds, "learner": about, "stream": digest.text(), "version": VERSION}
    words |= {"rows": digest.rows if played.importance is None and has_plain_floats(again, digest.rows) else None}
    return ReplayedLeague(words, witness, played, names)


def certify_replayed(again: ReplayedLeague, kind: str, stretch: tuple[int, int] | None = None) -> Certificate:
    """What a theorem says of a league that was played again."""
    words, witness, played, names = again
    rounds = words["rounds"]
    if kind in ("choices", "mixtures"):
        equal = played.importance is None and bool(played.charged.any())
        require(equal, "floors are about rounds of equal importance that move weights", NotCertified)
        told = make_floor(played, kind)
        return Certificate(**words | told | {"witness": witness | told["witness"]}, scope="sequence")
    if kind == "mistakes":
        phases = follow_account(played)
        coins = bool(played.flags.any())
        count = sum(phase.stood for phase in phases) if coins else words["mistakes"]
        words = words | {
            "counts": "expected mistakes" if coins else "mistakes",
            "scope": "expectation" if coins else "sequence",
        }
        words |= {"bound": sum(phase.bound for phase in phases), "count": count, "promise": PROMISE}
        return Certificate(theorem=MISTAKES, witness=witness | {"phases": describe_phases(phases)}, **words)
    first, last = (1, rounds) if stretch is None else stretch
    require(1 <= first <= last <= rounds, f"there are rounds 1 to {rounds}, got {(first, last)}")
    reading = _find_best(played, first - 1, last)
    least, most = round_ends(measure_stretch(played, first - 1, last, reading))
    witness = witness | {"stretch": [first, last], "readings": played.panel.shape[1], "levels": 1 + len(played.rates)}
    witness |= {"member": names[reading], "reading": reading}
    words = words | {"counts": "log-loss", "count": least, "bound": most, "scope": "sequence"}
    return Certificate(theorem=LOSS, promise=describe_promise(names[reading], first, last), witness=witness, **words)


def _find_best(played: LeaguePlayed, first: int, last: int) -> int:
    """The reading, of those that had joined, against which the league loses most on these rounds."""
    here = np.flatnonzero(played.charged[first:last]) + first
    panel = played.panel[here]
    served = played.served[here]
    silent = np.isnan(panel)
    theirs = np.where(silent, (played.level[here] if played.rates else served)[:, None], panel)
    weights = np.ones(len(here)) if played.importance is None else played.importance[here]
    gaps = weights @ (np.log(theirs) - np.log(served)[:, None])
    gaps[np.array(played.joined) > first] = -np.inf
    return int(np.argmax(gaps))


def hash_forecasts(forecasts: Mapping[str, Array]) -> str:
    """A fingerprint of what foreign members said, with their names."""
    return hash_floats(*(np.asarray(forecasts[name], float) for name in sorted(forecasts)))


def verify_league(
    certificate: Certificate, stream: Stream, features: Any, forecasts: Mapping[str, Array] | None
) -> Report:
    """Check a certificate of a league against the rounds it speaks of, and what foreign members said in them."""
    about = certificate.learner
    given = dict(forecasts or {})
    foreign = [member["name"] for member in about["members"] if "learner" not in member]
    given = {name: said for name, said in given.items() if name in foreign}
    read = copy.deepcopy(stream.features() if features is None else features)
    again, played, digest = replay(about, stream, certificate.rounds, read, given, certificate.version)
    require(describe_league_again(again, about) == about, "no league has this description", NotCertified)
    require_same_rounds(certificate, again.rounds, digest.text())
    report = check_league(certificate, played, list_readings(again), hash_forecasts(given) if foreign else None)
    held = certificate.rows if certificate.rows is not None else digest.rows
    held = held if played.importance is None else None  # the check's rules count every round once
    stated = certificate.rows is not None
    confirmed = confirm_members(again, about, stream, copy.deepcopy(features), held, stated)
    fits = not stated or has_plain_floats(again, certificate.rows)
    require(fits, f"members keep no weights of {certificate.rows} on these rows", NotCertified)
    return replace_field(report, replayed=True, given=", ".join(foreign), confirmed=confirmed)
