"""Run every benchmark of speed: python -m benchmarks, or name some: python -m benchmarks linear experts.

With `--write` each file's tables replace its section of docs/benchmarks-speed.md, with the date and the commit; a
benchmark that fails leaves its section as it was, and the others run.
"""

import subprocess
import sys
import traceback
from datetime import UTC, datetime
from importlib import import_module
from time import perf_counter

from benchmarks.datasets import ROOT, write_table
from benchmarks.timing import PRINTED, Table, describe_clock, describe_machine

PAGE = ROOT / "docs" / "benchmarks-speed.md"
ALL = (
    "halving",
    "linear",
    "losses",
    "ellipsoid",
    "interactions",
    "experts",
    "certificates",
    "ingest",
    "text",
    "tables",
    "adapters",
    "cluster",
)


def describe_commit() -> str:
    """The commit of the source, and whether it was changed since; nothing where there is no git."""
    commit, changes = ["rev-parse", "--short=8", "HEAD"], ["status", "--porcelain", "--", "src", "benchmarks"]
    try:
        asked = [
            subprocess.run(["git", "-C", str(ROOT), *one], check=True, capture_output=True, text=True).stdout.strip()
            for one in (commit, changes)
        ]
        return f"commit {asked[0]}{' with changes' if asked[1] else ''}"
    except (OSError, subprocess.CalledProcessError):
        return "commit unknown"


def format_section(tables: list[Table]) -> str:
    """The tables of one benchmark, as its section shows them."""
    when = datetime.now(UTC).date().isoformat()
    parts = [f"{when}, {describe_commit()}; {describe_machine()}; {describe_clock()}."]
    for title, lines in tables:
        parts.append(f"**{title}**")
        rows = ["| path | against | ratio | floor | aim | holds |", "| --- | --- | --- | --- | --- | --- |"]
        for line in lines:
            aim = "" if line.aim is None else f"{line.aim:.3g}x"
            holds = "yes" if line.ratio >= line.floor else "no"
            rows.append(f"| {line.path} | {line.peer} | {line.ratio:.2f}x | {line.floor:.3g}x | {aim} | {holds} |")
        parts.append("\n".join(rows))
    return "\n\n".join(parts)


def run(name: str, write: bool) -> bool:
    """Run one benchmark; whether it came to its end."""
    PRINTED.clear()
    begun = perf_counter()
    try:
        import_module(f"benchmarks.{name}").main()
    except Exception:
        traceback.print_exc()
        return False
    print(f"({name}: {perf_counter() - begun:.0f} s)", flush=True)
    if write:
        write_table(PAGE, f"<!-- {name} -->", format_section(PRINTED))
    return True


def main() -> None:
    names = [name for name in sys.argv[1:] if not name.startswith("--")] or ALL
    failed = [name for name in names if not run(name, "--write" in sys.argv)]
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
