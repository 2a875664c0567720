"""Where things are: the project, its sources, its pages, and data that may lie beside it."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
DOCS = ROOT / "docs"
TESTS = ROOT / "tests"
TRANSCRIPTS = TESTS / "transcripts"
DATA = ROOT.parent / "shared" / "data"
