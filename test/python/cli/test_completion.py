"""The completions that a shell is offered."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = Path(sys.executable).with_name("forge-mlir")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("forge-mlir ver", {"verify"}),
        ("forge-mlir com", {"compile"}),
        ("forge-mlir compile --fallb", {"--fallback"}),
        ("forge-mlir verify --input-", {"--input-shape"}),
        ("forge-mlir nothing-like-it", set()),
    ],
)
def test_bash_is_offered_names_of_commands_and_flags(line: str, offered: set[str]) -> None:
    words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1), "_FORGE_MLIR_COMPLETE": "bash_complete"}
    done = subprocess.run([COMMAND], env={**os.environ, **words}, capture_output=True, text=True)
    assert {word.removeprefix("plain,") for word in done.stdout.split()} == offered, done.stderr
