"""The command reseal."""

from __future__ import annotations

from pathlib import Path

from forge_mlir.compiler.driver import compile
from sample_models.small import one_node
from sample_models.tools import run_command


def test_the_command(tmp_path: Path) -> None:
    artifact = compile(one_node("Relu", [2, 3]), tmp_path, name="net")
    artifact.module_path.write_text(artifact.module_path.read_text().replace("forge.op.Relu(", "forge.op.Abs("))
    for expected in ("accepted: net.py\n", "nothing has changed\n"):
        done = run_command("reseal", tmp_path)
        assert (done.returncode, done.stdout) == (0, expected)
