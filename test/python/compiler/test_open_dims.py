"""Open dims of inputs: the flags that fix them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import numpy as np
import onnx

from forge_mlir.codes import Code
from forge_mlir.report.check import check
from sample_models.tools import run_command


def with_open_dims() -> onnx.ModelProto:
    """A Conv on images of any size, and a node that is refused for every size."""
    nodes = [
        onnx.helper.make_node("Conv", ["image", "w"], ["a"], name="conv"),
        onnx.helper.make_node("NonZero", ["a"], ["y"], name="found"),
    ]
    image = onnx.helper.make_tensor_value_info("image", onnx.TensorProto.FLOAT, ["batch", 3, "height", None])
    weight = onnx.numpy_helper.from_array(np.ones((4, 3, 3, 3), np.float32), "w")
    y = onnx.helper.make_tensor_value_info("y", onnx.TensorProto.INT64, None)
    graph = onnx.helper.make_graph(nodes, "g", [image], [y], [weight])
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=10)


def test_open_dims_hide_nothing_else() -> None:
    verdict = check(with_open_dims())
    (problem,) = verdict.errors
    assert problem.code == "FM1203"
    assert "open dim 'batch' and open dim 'height' and an open dim at axis 3" in problem.message
    assert "--input-shape image=1x3x1x1" in problem.message
    assert [row.name for row in verdict.refused] == ["found"]
    assert "checked with 'image' as [1, 3, 64, 64]" in verdict.warnings[-1].message


def test_the_flags_of_an_open_dim_can_be_pasted(tmp_path: Path) -> None:
    x, y = (onnx.helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, ["n batch", 3]) for n in "xy")
    graph = onnx.helper.make_graph([onnx.helper.make_node("Relu", ["x"], ["y"])], "g", [x], [y])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=10)
    onnx.save(model, tmp_path / "m.onnx")
    line = ["compile", tmp_path / "m.onnx", "-o", tmp_path]
    refused = run_command(*line)
    assert refused.returncode == 3
    flag = re.search(r"give the sizes: (--dim .*?), or --sample-inputs", refused.stderr)
    assert flag, refused.stderr
    assert flag[1] == "--dim 'n batch=1'"
    assert run_command(*line, *shlex.split(flag[1])).returncode == 0


def test_an_open_dim_that_moves_nodes_to_the_cpu_is_reported(tmp_path: Path) -> None:
    text = '<ir_version: 9, opset_import: ["": 17]> g (float[batch,2] x) => (float[batch,2] y) { y = Neg(x) }'
    onnx.save(onnx.parser.parse_model(text), tmp_path / "m.onnx")
    done = run_command("compile", "m.onnx", "--fallback=cpu", cwd=tmp_path)
    assert done.returncode == 0
    (told,) = (line for line in done.stderr.splitlines() if line.startswith("warning:"))
    assert "input 'x' has open dim 'batch': what depends on it runs on the CPU" in told
    assert "--dim batch=1" in done.stderr
    assert "0 device and 1 CPU partitions" in done.stderr
    assert "1 warning;" in done.stderr
    done = run_command("compile", "m.onnx", "--fallback=cpu", "--dim=batch=3", "-o", "closed", cwd=tmp_path)
    assert done.returncode == 0
    assert "0 warnings" in done.stderr
    assert "CPU" not in done.stderr


def test_a_sequence_has_no_size_to_give() -> None:
    """Beside an input with an open dim, whose error still has the flag."""
    model = onnx.parser.parse_model("""<ir_version: 10, opset_import: ["": 18]>
      g (seq(float[4, 10]) s, float[b, 3] x) => (int64 n, float[b, 3] y) { n = SequenceLength(s) y = Relu(x) }""")
    found = check(model).errors
    assert [each.code for each in found] == [Code.TypeNotHeld, Code.DynamicShape]
    assert found[0].message == "input 's' is of type sequence(float32), which the device does not have"
    assert "--dim" not in found[0].message
    assert "--dim b=1" in found[1].message
