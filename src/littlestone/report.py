"""Report: the page that a run leaves behind."""

import html
import json
from pathlib import Path
from typing import Any

from littlestone.files import replace


def write(path: str, game: Any, record: dict[str, Any]) -> None:
    """Write the page, whole or not at all."""
    text = html.escape(json.dumps(record, indent=1, default=str))
    replace(Path(path), [f"<!doctype html><title>littlestone</title><pre>{text}</pre>".encode()])
