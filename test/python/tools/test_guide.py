"""The commands of docs/guides/mlir-tools.md, run as they stand there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sample_models.repository import MODELS, REPOSITORY

GUIDE = REPOSITORY / "docs" / "guides" / "mlir-tools.md"
TOOLS = REPOSITORY / "build" / "tools"

# log(-1) is not a number; what comes before and after has nothing to do with it.
MODULE = """
func.func @main(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %0 = torch.operator "onnx.Ceil"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> loc("ceil")
  %1 = torch.operator "onnx.Log"(%0) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> loc("log")
  %2 = torch.operator "onnx.Tanh"(%1) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> loc("tanh")
  return %2 : !torch.vtensor<[4],f32>
}
"""


def blocks() -> list[str]:
    return re.findall(r"```sh\n(.*?)```", GUIDE.read_text(), re.DOTALL)


def run(script: str, directory: Path) -> str:
    """What a script of the shell writes, with our tools and this Python in front of PATH."""
    paths = [*(str(path) for path in TOOLS.iterdir() if path.is_dir()), str(Path(sys.executable).parent)]
    environment = {**os.environ, "PATH": os.pathsep.join([*paths, os.environ["PATH"]])}
    done = subprocess.run(
        ["sh", "-e"], input=script, cwd=directory, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, script + done.stdout + done.stderr[-2000:]
    return done.stdout + done.stderr


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder beside the build tree that holds a model."""
    (tmp_path / "build").symlink_to(REPOSITORY / "build")
    work = tmp_path / "work"
    work.mkdir()
    shutil.copy(MODELS / "gpt2_block" / "model.onnx", work)
    return work


def test_every_command_of_the_guide_runs(work: Path) -> None:
    said = "".join(run(block, work) for block in blocks())
    for expected in ("nodes-converted", "FM2003", "tests run:", "not interesting"):
        assert expected in said, expected
    assert (work / "out" / "model.py").is_file()
    assert "Pass:            forge-fuse-patterns" in (work / "remarks.yaml").read_text()
    assert "mlir_reproducer" in (work / "failed.mlir").read_text()
    small = re.findall(r"onnx\.[A-Z]\w+", (work / "small.mlir").read_text())
    assert sorted(small) == ["onnx.Constant", "onnx.Softmax"]


def test_a_module_is_reduced_to_what_is_not_finite(work: Path) -> None:
    (script,) = re.findall(r"^cat > not-finite.sh.*?^END\n", GUIDE.read_text(), re.DOTALL | re.MULTILINE)
    np.savez(work / "inputs.npz", input_0=-np.ones(4, np.float32))
    (work / "wrong.mlir").write_text(MODULE)
    run(script + "chmod +x not-finite.sh\nforge-reduce wrong.mlir --test=./not-finite.sh -o small.mlir", work)
    assert re.findall(r"onnx\.[A-Z]\w+", (work / "small.mlir").read_text()) == ["onnx.Log"]
