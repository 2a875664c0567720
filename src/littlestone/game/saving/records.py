"""Records: what a player is, as one JSON document and named arrays, and back.

Learners, concept classes, kernels, losses and features are written by name, with their parameters. Names are looked up
in the list here, and only what it lists is imported, each when a file first needs it; parameters must have the types
that the class declares. So a file can only ask for what the library has. An array of the state is named by its path,
such as `inner.weights`; a list or dict in a state is an array of JSON text. What a state must look like, the learner
says itself: it starts one of the same size.
"""

from dataclasses import fields
from fractions import Fraction
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from littlestone import concepts, learners
from littlestone.base.chunks import Array
from littlestone.base.errors import BadModel, LittlestoneError
from littlestone.base.features import TOP, Features
from littlestone.base.features.schema import Schema
from littlestone.base.labels import Labels, Numbers
from littlestone.base.learner import Learner, Size
from littlestone.base.row_table import RowTable
from littlestone.base.traits import RowLearner
from littlestone.concepts.concept import ConceptClass
from littlestone.game.player import Player
from littlestone.game.saving.plain import decode, encode, write_text
from littlestone.game.saving.sparse import LEAST, MOST, count_claimed, restore_array, thin_out
from littlestone.game.saving.states import (
    Loose,
    count_whole,
    list_leaves,
    make_template,
    read_array,
    require_sound,
    restore_state,
)
from littlestone.learners import AveragedPerceptron
from littlestone.learners.experts.forecasts import Forecasts

HOMES = {  # what a file may name, and the module that has it
    **dict.fromkeys(learners.__all__, "littlestone.learners"),
    **dict.fromkeys(concepts.__all__, "littlestone.concepts"),
    **dict.fromkeys(
        ("AppleTasting", "Conservative", "Discarding", "Interactions", "LabelEfficient", "Snow"),
        "littlestone.learners.conversions",
    ),
    **dict.fromkeys(
        ("LinearKernel", "PolynomialKernel", "GaussianKernel"), "littlestone.learners.shared.kernel_functions"
    ),
    **dict.fromkeys(
        ("ZeroOne", "Absolute", "Square", "Brier", "Log", "Pinball"), "littlestone.learners.experts.losses"
    ),
    **dict.fromkeys(("Crossed", "Hashed", "Indexed", "Named", "TfIdf", "Words"), "littlestone.base.features"),
    "Forecasts": "littlestone.learners.experts.forecasts",
    "AsTheyAre": "littlestone.learners.memorizer",
    "PredictOnly": "littlestone.learners.conversions.predict_only",
}
REALS = {kind.__name__: kind for kind in (np.float32, np.float64, np.uint8)}  # votes come as bytes
OF_FEATURES = "features."  # how the names of their arrays begin
# What restoring a file may raise that the library has not written.
FORGED = (LittlestoneError, TypeError, ValueError, LookupError, AttributeError, ArithmeticError, AssertionError)
TOO_MUCH = (RecursionError, MemoryError)
UNPLAYED = 2**28  # bytes that the first state of a player without one may take

Arrays = dict[str, Array]


def describe_player(player: Player, whole: Arrays | None = None) -> tuple[dict[str, Any], Arrays]:
    """A player's document and arrays; BadModel, in words, for one that no file can hold.

    `whole` is filled with its arrays as they are, before entries are left out.
    """
    arrays: dict[str, Any] = {}
    for path, leaf in list_leaves(player._state, ""):
        arrays[path] = leaf if isinstance(leaf, np.ndarray | RowTable) else _write_array(leaf)
    size = player.size
    room = count_whole(player._state) if player.size else UNPLAYED
    starts = _list_starts(player, arrays, room)
    own = isinstance(player.features, ConceptClass) and player.features == player.learner.features()
    document = {
        "learner": describe_part(player.learner, "learner", arrays, room),
        "features": None if own else describe_part(player.features, "features", arrays, room),
        "labels": None if isinstance(player.labels, Numbers) else describe_labels(player.labels),
        "declared": player._declared,
        "seed": encode(player.seed),
        "size": size and {"attributes": size.attributes, "classes": size.classes, "real": np.dtype(size.real).name},
        "rounds": player._rounds,
        "mistakes": player._mistakes,
        "widens": player.widens,
        **({} if player.schema is None else {"schema": player.schema.to_record()}),
    }
    kept = dict.fromkeys(path for path in arrays if path.startswith(OF_FEATURES) and path not in starts)
    if whole is not None:
        whole.update(arrays)
    shapes = thin_out(arrays, starts | kept)
    return document | ({"sparse": shapes} if shapes else {}), arrays


def _list_starts(player: Player, arrays: Arrays, room: int) -> dict[str, Any]:
    """The arrays of the state that the player started with, grown to the size it has now, if it learns from rows."""
    if player.size is None or not isinstance(player.learner, RowLearner) or room < LEAST:
        return {}
    return dict(list_leaves(make_template(player.learner, player.size, player.seed, arrays, room), ""))


def restore_player(document: dict[str, Any], arrays: Arrays, whole: Arrays | None = None, memory: int = MOST) -> Player:
    """The player of a document and arrays, which are used up; BadModel for one that the library cannot have written.

    With the arrays of the player that was written it shares those that are the same: it is for looking at. What the
    file leaves out of arrays may take `memory` bytes.
    """
    try:
        return _restore(document, arrays, whole or {}, memory)
    except FORGED as problem:
        raise BadModel(f"is inconsistent: {problem}") from problem
    except TOO_MUCH as problem:
        raise BadModel(f"asks for more than this machine has: {type(problem).__name__}") from problem


def _restore(document: dict[str, Any], arrays: Arrays, whole: Arrays, memory: int) -> Player:
    declared, rounds, mistakes = (check_count(document[name]) for name in ("declared", "rounds", "mistakes"))
    require_sound(mistakes <= rounds, f"{mistakes} mistakes in {rounds} rounds")
    seed = decode(document["seed"])
    require_sound(type(seed) is int, f"the seed is {seed!r}")
    shapes = document.get("sparse", {})
    told = document["size"]
    room = sum(array.nbytes for array in arrays.values())
    room += count_claimed(shapes, arrays, memory)
    for path in [path for path in shapes if path.startswith(OF_FEATURES)]:
        arrays[path] = restore_array(path, shapes[path], arrays, None, whole.get(path))
    learner = make_part(document["learner"], Learner, arrays, room if told else UNPLAYED)
    own = document["features"] is None
    features = (
        learner.features() if own else make_part(document["features"], object, arrays, room if told else UNPLAYED)
    )
    known = isinstance(features, ConceptClass) or (isinstance(features, Features) and not own)
    require_sound(known, f"{features!r} cannot read instances")
    labels = restore_labels(document["labels"], learner)
    width = check_count(features.width)
    size = None if told is None else _restore_size(told, labels, features)
    state = None
    if size is None:
        require_sound(rounds == 0 and width <= TOP, f"{rounds} rounds and {width} attributes without a state")
    else:
        require_sound(width <= size.attributes, f"features of {width} attributes in a game of {size.attributes}")
        template = make_template(learner, size, seed, arrays.keys() | shapes.keys(), room)
        for path, start in list_leaves(template, "") if isinstance(learner, RowLearner) else ():
            if path in shapes and path not in arrays:
                arrays[path] = restore_array(path, shapes[path], arrays, start, whole.get(path))
        state = restore_state(template, arrays, "", Loose.of(learner, size))
        require_sound(learner.check_state(state, size), f"a state that {type(learner).__name__} cannot have reached")
    require_sound(not arrays, f"arrays that no part asks for: {', '.join(sorted(arrays)[:4])}")
    widens = _check_truth(document["widens"])
    require_sound(not widens or learner == AveragedPerceptron(), f"widening a {learner}")
    player = Player(learner, features, seed=seed)
    player.labels = labels
    player._declared = declared
    player.size = size
    player.widens = widens
    player.schema = Schema.from_record(document["schema"]) if "schema" in document else None
    player.restore(state, rounds, mistakes, seed)
    return player


def describe_part(part: Any, path: str, arrays: Arrays, room: int) -> dict[str, Any]:
    """The name and parameters of a learner, class, kernel, loss or features."""
    make = type(part)
    if _find_kind(make.__name__) is not make:
        allowed = "a model file holds learners, concept classes, kernels, losses and features of the library, no code"
        raise BadModel(f"{path} is {part!r}: {allowed}")
    values = _list_parameters(part)
    for name, value in values.items():
        _require_fit(make, name, value)
    require_sound(_is_affordable(part, room), f"{part!r} would not be loaded again: a parameter is too large")
    return {"kind": make.__name__} | {
        name: _keep_value(value, f"{path}.{name}", arrays, room) for name, value in values.items()
    }


def _is_affordable(part: Any, room: int) -> bool:
    """Whether a learner, class or kernel may be built whose state takes no more than `room` bytes."""
    check = getattr(part, "is_affordable", None)
    return check is None or bool(check(room))


def _find_kind(name: str) -> Any:
    """The class of this name, if files may have it."""
    if name in HOMES:
        return getattr(import_module(HOMES[name]), name)
    return learners.find_registered(name)


def _list_parameters(part: Any) -> dict[str, Any]:
    if hasattr(part, "from_record"):
        return cast("dict[str, Any]", part.record())
    return {field.name: getattr(part, field.name) for field in fields(part) if field.init}


def _keep_value(value: Any, path: str, arrays: Arrays, room: int) -> Any:
    if isinstance(value, np.ndarray | list):
        arrays[path] = value if isinstance(value, np.ndarray) else _write_array(value)
        return {"array" if isinstance(value, np.ndarray) else "text": path}
    if isinstance(value, tuple) and any(isinstance(one, Learner) for one in value):
        return {"parts": [describe_part(one, f"{path}.{k}", arrays, room) for k, one in enumerate(value)]}
    if isinstance(value, str | int | float | tuple | bytes | NoneType | Fraction | np.generic):
        return encode(value)
    return describe_part(value, path, arrays, room)


def make_part(record: Any, kind: type, arrays: Arrays, room: int) -> Any:
    """The learner, class, kernel, loss or features of a record."""
    require_sound(isinstance(record, dict) and isinstance(record.get("kind"), str), "a part without a name")
    make = _find_kind(record["kind"])
    require_sound(make is not None, f"{record['kind']!r} is nothing that this version knows")
    assert make is not None
    values = {name: _restore_value(part, arrays, room) for name, part in record.items() if name != "kind"}
    for name, value in values.items():
        _require_fit(make, name, value)
    part = make.from_record(values) if hasattr(make, "from_record") else make(**values)
    require_sound(isinstance(part, kind) and _is_affordable(part, room), f"{part!r} is too large, or not in its place")
    return part


def _restore_value(part: Any, arrays: Arrays, room: int) -> Any:
    match part:
        case {"array": str(path)} | {"text": str(path)}:
            require_sound(path in arrays, f"there is no array {path}")
            found = arrays.pop(path)
            return found if "array" in part else read_array(found)
        case {"kind": _}:
            return make_part(part, object, arrays, room)
        case {"parts": [*listed]} if len(part) == 1:
            return tuple(make_part(one, object, arrays, room) for one in listed)
    return decode(part)


def _require_fit(make: Any, name: str, value: Any) -> None:
    """Refuse a parameter that is not of the type that its class declares."""
    if hasattr(make, "from_record") and make.record is not Features.record:
        return  # these look at what they restore themselves
    taken = {field.name for field in fields(make) if field.init or issubclass(make, Features)}
    known = name in taken and _fits(value, get_type_hints(make)[name])
    require_sound(known, f"{make.__name__} takes no {name}={value!r} from a file")


def _fits(value: Any, hint: Any) -> bool:
    if get_origin(hint) in (Union, UnionType):
        return any(_fits(value, one) for one in get_args(hint))
    if get_origin(hint) is Literal:
        return any(type(value) is type(one) and value == one for one in get_args(hint))
    if get_origin(hint) is tuple:
        return isinstance(value, tuple) and all(_fits(one, get_args(hint)[0]) for one in value)
    if hint is bool or isinstance(value, bool):
        return hint is bool and isinstance(value, bool)
    if hint is float:
        return isinstance(value, int | float | Fraction | np.number)
    if hint is int:
        return isinstance(value, int | np.integer)
    if getattr(hint, "_is_protocol", False):  # boxes on a grid, as far as files go
        return isinstance(value, ConceptClass)
    return isinstance(hint, type) and isinstance(value, hint)


def describe_labels(labels: Labels) -> dict[str, Any]:
    try:
        others = [[encode(label), number] for label, number in labels.aliases().items()]
        return {
            "names": [encode(name) for name in labels.names],
            "others": sorted(others, key=str),
            "closed": labels.closed,
        }
    except BadModel as problem:
        raise BadModel(f"a label cannot be saved: {problem}") from None


def restore_labels(record: Any, learner: Learner) -> Labels:
    if learner.numeric:
        require_sound(record is None, "classes of a learner that predicts numbers")
        return Numbers()
    names = decode(record["names"])
    others = {decode(label): check_count(number) for label, number in record["others"]}
    labels = Labels.from_names(names, others, _check_truth(record["closed"]))
    known = learner.known_labels()
    told = tuple(labels.names) == known and labels.closed if known else len(labels) <= max(2, learner.limit())
    require_sound(told, f"classes {labels.names[:4]} that {type(learner).__name__} does not tell apart")
    return labels


def _restore_size(told: Any, labels: Labels, features: Any) -> Size:
    attributes = check_count(told["attributes"])
    classes = check_count(told["classes"])
    real = REALS[told["real"]]
    require_sound(attributes <= TOP and classes == len(labels), f"{attributes} attributes and {classes} classes")
    require_sound(real is not np.uint8 or isinstance(features, Forecasts), "values of one byte")
    return Size(attributes, classes, real)


def _write_array(value: Any) -> Array:
    return np.frombuffer(write_text(value).encode("ascii"), np.uint8)


def check_count(number: Any) -> int:
    require_sound(type(number) is int and 0 <= number < 2**62, f"{number!r} where a count belongs")
    return int(number)


def _check_truth(value: Any) -> bool:
    require_sound(type(value) is bool, f"{value!r} where true or false belongs")
    return bool(value)
