"""What commands print about wrong results."""

from __future__ import annotations

import json
from pathlib import Path

import onnx

from sample_models.tools import run_command


def test_out_of_memory_is_not_a_wrong_result(tmp_path: Path) -> None:
    text = """<ir_version: 9, opset_import: ["": 17]> g (float[1, 1] x) => (float y)
        <int64[2] sizes = {4194304, 4194304}> {
        a = Expand (x, sizes)
        b = Sin (a)
        y = ReduceMax <keepdims = 0> (b)
    }"""
    onnx.save(onnx.parser.parse_model(text), tmp_path / "huge.onnx")
    done = run_command("verify", "huge.onnx", cwd=tmp_path)
    assert done.returncode == 5
    assert "[FM5006]" in done.stderr
    assert "differ" not in done.stderr


def test_report_shows_which_node_is_wrong(tmp_path: Path) -> None:
    """A lowering of the user whose result is wrong by a twentieth of a percent."""
    wrong = "import forge_mlir\n@forge_mlir.lowering('', 'Neg')\ndef lower(node, b):\n    x = node.input(0)\n"
    text = '<ir_version: 9, opset_import: ["": 17]> g (float[2] x) => (float[2] y) { y = Neg(x) }'
    onnx.save(onnx.parser.parse_model(text), tmp_path / "m.onnx")
    (tmp_path / "plugin.py").write_text(wrong + "    return b.multiply(x, b.scalar_like(x, -1.0005))\n")
    done = run_command("report", "m.onnx", "--plugin", "plugin.py", "-o", "r.html", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["accuracy"] == "wrong"
    assert done.stderr.startswith("m.onnx: results are wrong: node ")
    done = run_command("report", "m.onnx", "-o", "right.html", "--json", cwd=tmp_path)
    assert (json.loads(done.stdout)["accuracy"], done.stderr) == ("right", "")
