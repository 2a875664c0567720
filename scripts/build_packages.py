"""Build wheel and sdist, install each on every supported interpreter that this machine has, and play a game there.

    python scripts/build_packages.py [folder]

Nothing of the checkout is on the path of the game. What each installation says stands in one line.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
GAME = """
import littlestone as ls
print(ls.__version__, ls.play(ls.Halving(ls.Thresholds(6)), ls.Bisection(ls.Thresholds(6))).mistakes)
from importlib.resources import files
assert (files("littlestone") / "py.typed").is_file()
assert (files("littlestone") / "cli" / "demo_rows.csv").is_file()
try:
    import littlestone.sklearn
except ImportError as problem:
    print(problem)
"""
SAYS = "3"  # mistakes that the adversary forces


def run(*command: object, where: Path = ROOT) -> str:
    done = subprocess.run(list(map(str, command)), cwd=where, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def build(folder: Path) -> list[Path]:
    """A wheel and an sdist, by the build backend alone."""
    for kind in ("wheel", "sdist"):
        run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder)
    return sorted(folder.glob("littlestone-*.whl")) + sorted(folder.glob("littlestone-*.tar.gz"))


def find_interpreters() -> dict[str, Path]:
    """Supported interpreters by version: on the path, or where pyenv keeps them."""
    found = {}
    for version in VERSIONS:
        kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
        path = kept[-1] if kept else shutil.which(f"python{version}")
        if path:
            found[version] = Path(path)
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(scratch) / "dist"
        packages, found = build(folder), find_interpreters()
        print("built", *(path.name for path in packages))
        for version in VERSIONS:
            if version not in found:
                print(f"{version}: no interpreter here")
                continue
            for package in packages:
                home = Path(scratch) / f"{version}-{package.suffix[1:]}"
                run(found[version], "-m", "venv", home)
                run(home / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", package)
                said = run(home / "bin" / "python", "-c", GAME, where=Path(scratch)).splitlines()
                if said[0].split()[-1] != SAYS:
                    raise SystemExit(f"{version}, {package.name}: {said}")
                print(f"{version}: {package.name} installs and plays: {'; '.join(said)}")


if __name__ == "__main__":
    main()
