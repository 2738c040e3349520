"""The command explain."""

from __future__ import annotations

import pytest

from forge_mlir.explanations import explanations
from sample_models.tools import run_command


@pytest.mark.parametrize("code", ["FM1001", "fm0101"])
def test_explain(code: str) -> None:
    done = run_command("explain", code)
    row = explanations()[code.upper()]
    assert (done.returncode, done.stderr) == (0, "")
    assert all(text in done.stdout for text in (row.name, row.meaning, row.cause, row.cure))


def test_explain_an_unknown_code() -> None:
    done = run_command("explain", "FM\x1b[31m")
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
