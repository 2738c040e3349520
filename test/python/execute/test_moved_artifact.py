"""An artifact runs in another environment that has only the packages of the runtime."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto

import forge_mlir
from sample_models.partition import products
from sample_models.small import one_node

# Simulates an environment without the other packages: importing one of these fails.
RUN = """
import sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        gone = ("onnx", "torch_mlir", "google", "click", "rich", "forge_mlir._native", "forge_mlir.compiler",
                "forge_mlir.importer", "forge_mlir.onnx_model", "forge_mlir.dialects")
        if name in gone or name.startswith(tuple(f"{package}." for package in gone)):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
sys.path.insert(0, sys.argv[1])
import numpy as np
import torch
import net
result = net.load()(torch.from_numpy(np.load(sys.argv[2])))
result = result.value() if hasattr(result, "value") else result
np.save(sys.argv[3], np.asarray(result))
"""


@pytest.mark.parametrize(("model", "shape"), [(one_node("Relu", [2, 3]), (2, 3)), (products(), (8, 8))])
def test_a_moved_directory_needs_no_compiler(model: ModelProto, shape: tuple[int, ...], tmp_path: Path) -> None:
    artifact = forge_mlir.compile(model, tmp_path / "here", name="net", fallback="cpu")
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    expected = forge_mlir.run(artifact, {"x": x})["y"]
    np.save(tmp_path / "x.npy", x)
    shutil.move(tmp_path / "here", tmp_path / "there")
    files = [str(tmp_path / name) for name in ("there", "x.npy", "y.npy")]
    ended = subprocess.run([sys.executable, "-c", RUN, *files], capture_output=True, text=True, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), expected)


def test_a_cpu_partition_needs_onnxruntime(tmp_path: Path) -> None:
    forge_mlir.compile(products(), tmp_path / "here", name="net", fallback="cpu")
    np.save(tmp_path / "x.npy", np.zeros((8, 8), np.float32))
    files = [str(tmp_path / name) for name in ("here", "x.npy", "y.npy")]
    script = RUN.replace('gone = ("onnx",', 'gone = ("onnx", "onnxruntime",')
    ended = subprocess.run([sys.executable, "-c", script, *files], capture_output=True, text=True, cwd=tmp_path)
    assert ended.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'onnxruntime'"


def test_onnx_is_missing_there() -> None:
    script = RUN.partition("sys.path")[0] + "import onnx"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "No module named 'onnx'" in ended.stderr
