"""Names and numbers in tables are not broken, on terminals of any width and in a pipe."""

from __future__ import annotations

import re
import sys

import pytest

from forge_mlir.cli.output.tables import print_table

TITLES = ("output", "shape", "relative", "PCC", "result")
ROWS = [("hidden_states_out", "[1, 16, 64]", "1.21e-07", "1.000000", "ok"), ("a\x1b[31m", "[]", "0", "1.000000", "ok")]


def test_a_pipe_gets_a_line_per_row(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(TITLES, ROWS)
    assert capsys.readouterr().out.splitlines() == [
        "output             shape        relative  PCC       result",
        "hidden_states_out  [1, 16, 64]  1.21e-07  1.000000  ok",
        "a\\x1b[31m          []           0         1.000000  ok",
    ]


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_cells_stay_whole(width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    print_table(TITLES, ROWS)
    text = capsys.readouterr().out
    for row in ROWS[:1]:
        for cell in row:
            assert cell in text
    assert "\x1b[31m" not in text
    longest = max(map(len, ("    shape [1, 16, 64]", "hidden_states_out")))
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in text.splitlines()]
    assert all(len(line) <= max(width, longest) for line in lines)
