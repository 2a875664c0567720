"""The student's side of a graded game: a process of its own that runs one class and answers in lines of JSON.

It is started as a script, by its path, and imports nothing of the package. Before the student's file is read it takes
limits on memory, processor time and written files upon itself, and forbids itself to start processes (on Linux by a
filter of system calls, which holds for root too). What the file prints goes nowhere; only answers leave the process.

A request names nodes, objects that are kept here, each with a list of calls. The list is played on a copy of the node;
the answer has what the calls said and the number of the node where the copy ended. Two objects that hold the same
values are one node. The file can read everything in this process, so that no request holds what a call must not know.
"""

import copy
import ctypes
import importlib.util
import inspect
import json
import os
import platform
import struct
import sys
import traceback
import types
from fractions import Fraction
from typing import Any

LONGEST = 20_000  # characters of an answer to one call
DIGITS = 300  # of the numerator and the denominator of a fraction
DEEPEST = 60  # objects inside objects
FORBIDDEN = {  # machine: the number by which the filter knows it, then fork, vfork, execve, execveat; clone; clone3
    "x86_64": (0xC000003E, (57, 58, 59, 322), 56, 435),
    "aarch64": (0xC00000B7, (221, 281), 220, 435),
}


def forbid_processes() -> bool:
    """Let this process start no other from now on, even if root runs it; whether that could be done."""
    known = FORBIDDEN.get(platform.machine())
    if known is None or not sys.platform.startswith("linux"):
        return False
    machine, others, clone, clone3 = known
    load = 0x20
    equal = 0x15
    has = 0x45
    answer = 0x06
    allow = 0x7FFF0000
    refuse = 0x00050000 | 1
    unknown = 0x00050000 | 38
    steps = [(load, 0, 0, 4), (equal, 1, 0, machine), (answer, 0, 0, allow), (load, 0, 0, 0)]
    steps += [(equal, 0, 1, clone3), (answer, 0, 0, unknown)]  # its flags cannot be read: `clone` is used instead
    for number in others:
        steps += [(equal, 0, 1, number), (answer, 0, 0, refuse)]
    steps += [(equal, 0, 3, clone), (load, 0, 0, 16), (has, 1, 0, 0x10000), (answer, 0, 0, refuse)]  # but a thread
    steps += [(answer, 0, 0, allow)]
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    filtered = ctypes.create_string_buffer(struct.pack("H6xP", len(steps), ctypes.addressof(program)))
    system = ctypes.CDLL(None, use_errno=True)
    return bool(system.prctl(38, 1, 0, 0, 0) == 0 and system.prctl(22, 2, filtered, 0, 0) == 0)


def limit_itself(memory: int, seconds: int, guarded: bool) -> None:
    """Take limits on memory (bytes), processor time and written files upon this process, and start none from now on."""
    import resource

    for kind, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, 1 << 20), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(kind, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))  # a warning that ends it, and one that must
    if guarded:
        forbid_processes()


class Values:
    """What an object holds, as text: equal texts are objects that play alike.

    Order counts, because a program may see it, and so does which parts are one and the same object.
    """

    def __init__(self) -> None:
        self.met: dict[int, int] = {}
        self.held: list[Any] = []  # so that no id is used twice

    def write(self, value: Any, depth: int = 0) -> str:
        if depth > DEEPEST:
            raise ValueError(f"it holds objects inside objects more than {DEEPEST} deep")
        if value is None or isinstance(value, bool | int | float | complex | str | bytes | Fraction | range):
            return f"{type(value).__name__}:{value!r}"
        if isinstance(value, type | types.FunctionType | types.BuiltinFunctionType | types.ModuleType):
            return f"name:{getattr(value, '__qualname__', value.__name__)}:{id(value)}"
        if id(value) in self.met:
            return f"again:{self.met[id(value)]}"
        self.met[id(value)] = len(self.met)
        self.held.append(value)
        return f"{type(value).__qualname__}({self.write_parts(value, depth + 1)})"

    def write_parts(self, value: Any, depth: int) -> str:
        if isinstance(value, dict):
            parts = [self.write(one, depth) for pair in value.items() for one in pair]
        elif isinstance(value, list | tuple | set | frozenset):
            parts = [self.write(one, depth) for one in value]
        elif type(value).__module__ == "numpy" and str(getattr(value, "dtype", "object")) != "object":
            return f"{value.dtype}:{value.shape}:{value.tobytes().hex()}"
        elif isinstance(value, types.MethodType):
            parts = [value.__func__.__qualname__, self.write(value.__self__, depth)]
        else:
            reduced = value.__reduce_ex__(4)  # how it would be made again: the arguments, its attributes, its items
            if isinstance(reduced, str):
                return reduced
            parts = [self.write(one, depth) for one in reduced[1:3]]
            parts += [self.write(one, depth) for items in reduced[3:5] for one in (items or ())]
        return ",".join(parts)


class Nodes:
    """The nodes: copies of the student's object, each with the values it holds."""

    def __init__(self, make: type, file: str) -> None:
        self.make = make
        self.file = file
        self.nodes: list[Any] = []
        self.places: dict[str, int] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        if "told" in request:
            self.nodes = []
            self.places = {}
            told = {name: read_value(value) for name, value in request["told"].items()}
            try:
                return {"node": self.keep(self.make(**told))}
            except Exception as problem:
                return {"wrong": self.explain(problem)}
        return {"ends": [self.play(node, calls) for node, calls in request["plays"]]}

    def play(self, node: int, calls: list[list[Any]]) -> dict[str, Any]:
        """What the calls said on a copy of a node, and where it ended; or what went wrong."""
        said: list[Any] = []
        try:
            played = copy.deepcopy(self.nodes[node])
            for name, *given in calls:
                said.append(write_value(getattr(played, name)(*map(read_value, given))))
            return {"said": said, "node": self.keep(played)}
        except Exception as problem:
            return {"said": said, "wrong": self.explain(problem)}

    def keep(self, played: Any) -> int:
        """The number of the node that holds these values."""
        number = self.places.setdefault(Values().write(played), len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(played)
        return number

    def explain(self, problem: BaseException) -> str:
        """A problem in one line, with the line of the student's file where it arose."""
        if isinstance(problem, MemoryError):
            return "MemoryError: it wanted more memory than is allowed"
        frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == self.file]
        where = f" (line {frames[-1].lineno}: {(frames[-1].line or '')[:80]})" if frames else ""
        return " ".join(f"{type(problem).__name__}: {str(problem)[:300]}{where}".split())


def read_value(value: Any) -> Any:
    """A value as the student sees it: lists are tuples, and what JSON cannot write is written in words."""
    if isinstance(value, list):
        return tuple(map(read_value, value))
    if isinstance(value, dict):
        return Fraction(value["fraction"]) if "fraction" in value else {k: read_value(v) for k, v in value.items()}
    return value


def write_value(value: Any) -> Any:
    """A value that the student returned, as JSON; short, and of plain kinds only."""
    plain = _write_plain(value, 0)
    if len(json.dumps(plain, allow_nan=False)) > LONGEST:
        raise ValueError(f"it returned more than {LONGEST:,} characters")
    return plain


def _write_plain(value: Any, depth: int) -> Any:
    if depth > 6:
        raise ValueError("it returned lists inside lists inside lists")
    if hasattr(value, "tolist") and not isinstance(value, list):
        value = value.tolist()  # of NumPy
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Fraction):
        if max(abs(value.numerator), value.denominator) >= 10**DIGITS:
            raise ValueError(f"it returned a fraction of more than {DIGITS} digits")
        return {"fraction": str(value)}
    if isinstance(value, set | frozenset):
        value = sorted(value)
    if isinstance(value, list | tuple):
        return [_write_plain(one, depth + 1) for one in value]
    raise ValueError(f"it returned {type(value).__name__}, which is no number, label or list of them")


def load(path: str, methods: list[str]) -> type:
    """The class of a file that has these methods: `Learner`, or the only one."""
    spec = importlib.util.spec_from_file_location("students_file", path)
    if spec is None or spec.loader is None:
        raise ValueError("the file is no Python file: its name must end with .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["students_file"] = module
    spec.loader.exec_module(module)
    own = [one for one in vars(module).values() if inspect.isclass(one) and one.__module__ == "students_file"]
    right = [one for one in own if all(callable(getattr(one, name, None)) for name in methods)]
    named = [one for one in right if one.__name__ == "Learner"]
    if len(named or right) != 1:
        wanted = " and ".join(f"`{name}`" for name in methods)
        raise ValueError(f"it must have one class with {wanted}, or one that is called Learner; it has {len(right)}")
    return (named or right)[0]


def main() -> None:
    path, methods, memory, seconds, guarded = sys.argv[1:]
    asked = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    limit_itself(int(memory), int(seconds), guarded == "yes")
    table = Nodes(object, path)
    first = {"wrong": ""}
    try:
        table.make = load(path, methods.split(","))
        first = {}
    except (Exception, SystemExit) as problem:
        first["wrong"] = table.explain(problem)
    answers.write(json.dumps(first).encode() + b"\n")
    answers.flush()
    for line in asked:
        answers.write(json.dumps(table.answer(json.loads(line))).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
