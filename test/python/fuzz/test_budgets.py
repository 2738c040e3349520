"""The minimum that a run of the fuzzer has to judge and decide, and that it fails otherwise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fuzz import __main__ as fuzz
from fuzz.__main__ import Campaign
from fuzz.coverage import wanted
from sample_models.repository import REPOSITORY

OPS = sorted({cell.op for cell in wanted()})


def planted(monkeypatch: pytest.MonkeyPatch, found: Path, ops: int, ends: dict[str, int], wrong: int = 0) -> None:
    """Replaces campaigns so that they end at once: the variants judge `ops` ops and have the results `ends`."""

    def run(campaign: Campaign, *_: object) -> None:
        if campaign.name != "variants":
            return
        cells = [[list(op), 1, "", ""] for op in OPS[:ops]]
        campaign._take({"seed": 0})
        campaign._take({"ends": [["agrees", cells]]})
        for end, number in ends.items():
            campaign._take({"ends": [[end, []]] * number})
        for _ in range(wrong):
            campaign._take({"found": "other values", "data": "00", "suffix": ".onnx", "cells": []})

    monkeypatch.setattr(fuzz, "FOUND", found)
    monkeypatch.setattr(Campaign, "run", run)


@pytest.mark.parametrize(
    ("ops", "ends", "wrong", "said"),
    [
        (150, {"agrees": 74, "undecided": 25}, 0, ""),
        (149, {"agrees": 74, "undecided": 25}, 0, "oracles judged 149 ops, of which there must be 150"),
        (150, {"agrees": 73, "undecided": 25}, 0, "25 of 99 cases are undecided, more than 25%"),
        (150, {"agrees": 72, "undecided": 20, "oracles differ": 5}, 0, "25 of 98 cases are undecided"),
        (150, {"agrees": 99, "refused": 500}, 1, "variants, seed 0: other values"),
    ],
)
def test_a_run_that_decides_too_little_fails(
    ops: int,
    ends: dict[str, int],
    wrong: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    planted(monkeypatch, tmp_path / "found", ops, ends, wrong)
    monkeypatch.setattr(sys, "argv", ["fuzz", "--least-ops", "150", "--most-undecided", "0.25"])
    assert fuzz.main() == bool(said)
    assert said in capsys.readouterr().out
    assert len(list(tmp_path.glob("found/*"))) == wrong


def test_make_requires_the_minimum() -> None:
    """`make test` and CI run this target."""
    done = subprocess.run(["make", "-n", "fuzz"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    (run,) = [line for line in done.stdout.splitlines() if "-m fuzz" in line and "--campaigns" not in line]
    assert "--least-ops 150 --most-undecided 0.25" in run


def test_campaigns_share_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []
    monkeypatch.setattr(Campaign, "run", lambda _, seconds, count: given.append((seconds, count)))
    monkeypatch.setattr(sys, "argv", ["fuzz", "--minutes", "1", "--jobs", "2", "--count", "7"])
    assert fuzz.main() == 0
    assert given == [(24.0, 7)] * 5
