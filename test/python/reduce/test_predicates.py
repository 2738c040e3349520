"""How a model fails: a command of the user decides, or nothing fails."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import onnx
import pytest

from forge_mlir import ForgeError
from forge_mlir.reduce import reduce_model
from sample_models.probe import chain


def test_a_command_decides_whether_a_model_is_interesting(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    model = chain(24)
    model.graph.node[7].op_type = model.graph.node[9].op_type = "Abs"
    onnx.save(model, path)
    script = tmp_path / "interesting.py"
    script.write_text(
        "import sys\ndata = open(sys.argv[1], 'rb').read()\nsys.exit(not (b'node 7' in data and b'node 9' in data))\n"
    )
    command = shlex.join([sys.executable, str(script)]) + " {model}"
    found = reduce_model(path, command=command, options={})
    assert sorted(n.name for n in found.case.nodes) == ["node 7", "node 9"]
    with pytest.raises(ForgeError, match="exits with 1 on the model; it must exit with 0"):
        reduce_model(path, command="false", options={})


def test_a_model_that_does_not_fail(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(chain(3), path)
    with pytest.raises(ForgeError, match="nothing to reduce"):
        reduce_model(path, options={})
