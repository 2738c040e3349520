"""Some of `make faults`, and that it sees what is lost."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from faults import trial, world

TRIALS = 8
"""One of each fault; make faults does more."""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faults") / "world"
    world.make(folder)
    return folder


def test_nothing_is_lost(template: Path) -> None:
    seconds: dict[str, float] = {}
    found = [trial.run(template, seed, seconds) for seed in range(1000, 1000 + TRIALS)]
    assert [str(one) for one in found if one.found] == []
    assert len({one.fault for one in found}) == 8


LOSSES: dict[str, Callable[[Path], object]] = {
    "a file of the user": lambda folder: (folder / "keep/a.csv").write_text("other"),
    "a file of the user that is gone": lambda folder: (folder / "models/net.data").unlink(),
    "a cut page": lambda folder: (folder / "reports/net.html").write_text("<html>"),
    "a cut archive": lambda folder: (folder / "reports/y.npz").write_bytes(b"PK"),
    "weights": lambda folder: (folder / "out/net.safetensors").write_bytes(b"0"),
    "a part": lambda folder: next(iter(folder.glob("parts/det_*.onnx"))).unlink(),
    "a manifest": lambda folder: (folder / "sets/net.json").write_text("{"),
    "a table": lambda folder: (folder / "results/sweep.csv").write_text(""),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_a_loss_is_seen(loss: str, template: Path, tmp_path: Path) -> None:
    folder = tmp_path / "world"
    shutil.copytree(template, folder)
    before = world.of_the_user(folder)
    assert list(world.faults_of(folder, before)) == []
    LOSSES[loss](folder)
    assert list(world.faults_of(folder, before))


def test_leftovers_are_seen(template: Path, tmp_path: Path) -> None:
    folder = tmp_path / "world"
    shutil.copytree(template, folder)
    assert world.leftovers(folder) == []
    (folder / "out/.net.abc.12345.staging").mkdir()
    (folder / "reports/.net.html.x.12345.new").write_text("half")
    (folder / "cache/.new.xyz").mkdir()
    assert len(world.leftovers(folder)) == 3
