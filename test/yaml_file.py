"""Data of tests that is written as YAML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml


def read_yaml(path: Path) -> Any:
    """The content of a file, read by libyaml: yaml's own parser in Python takes a second for a list of ops."""
    return yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
