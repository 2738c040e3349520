"""Some trials of `make faults`, and that it notices lost files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import faults.__main__
from faults import trial, world
from sample_models.tools import command_program


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faults") / "world"
    world.make(folder, lambda words: [str(command_program()), *words])
    return folder


@pytest.mark.slow
def test_nothing_is_lost(template: Path) -> None:
    command = [sys.executable, "-m", "faults", "--trials", str(len(trial.FAULTS)), "--seed", "1000"]
    command += ["--world", str(template)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith("0 lost something")
    assert all(f"1 {fault}" in done.stdout for fault in trial.FAULTS)


def test_without_root_it_restarts_where_disks_can_be_mounted(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(os, "execvp", lambda _, words: started.append(words))
    faults.__main__.become_able_to_mount()
    if not started:
        pytest.skip("the system gives users no namespaces")
    before = started[0][: started[0].index(sys.executable)]
    assert subprocess.run([*before, "mount", "-t", "tmpfs", "none", "/mnt"], check=False).returncode == 0
    assert not os.path.ismount("/mnt")


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
