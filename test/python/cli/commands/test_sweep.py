"""The command sweep."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from forge_mlir.sweep import rows as tables
from forge_mlir.sweep.rows import Row
from sample_models.sweeping import row, save
from sample_models.tools import run_command


def test_the_command(tmp_path: Path) -> None:
    save(tmp_path / "models", "one")
    results, earlier = tmp_path / "results", tmp_path / "earlier"

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return run_command("sweep", tmp_path / "models", "-o", results, *words)

    done = run()
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1].startswith("verified")
    assert done.stdout.endswith("1 models: 1 verified; 1 measured now\n")
    earlier.mkdir()
    tables.append(earlier, row("one.onnx", "verified"))
    assert run("--against", str(earlier)).returncode == 0
    tables.append(results, Row(**{**vars(tables.read(results)["one.onnx"]), "verdict": "wrong"}))
    done = run("--against", str(earlier), "--json")
    assert done.returncode == 4
    assert json.loads(done.stdout)["worse"] == ["one.onnx"]
    assert "inputs.npz" in run("--bind", "x=x.npy").stderr + run("--range", "x=0:1").stderr


def test_limits_beyond_those_of_the_system_are_no_limits(tmp_path: Path) -> None:
    save(tmp_path / "models", "one")
    huge = str(10**20)
    words = ("--model-memory", huge, "--model-seconds", "inf", "--memory-limit", huge)
    done = run_command("sweep", tmp_path / "models", "-o", tmp_path / "results", *words)
    assert (done.returncode, done.stderr.count("FM")) == (0, 0), done.stdout


def test_a_link_to_itself_is_no_folder_of_models(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    done = run_command("sweep", tmp_path / "loop", "-o", tmp_path / "results")
    assert (done.returncode, "FM0101" in done.stderr) == (2, True)
