"""Every Python file that any test emits is held against the allow-list."""

from __future__ import annotations

from typing import Any

import pytest

from emitted_ast import assert_safe
from forge_mlir.artifact import writer as artifact


@pytest.fixture(autouse=True)
def emitted_python_is_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    write = artifact._write_python

    def checked(directory: Any, part: artifact.Part) -> str:
        assert_safe(part.python)
        return write(directory, part)

    monkeypatch.setattr(artifact, "_write_python", checked)
