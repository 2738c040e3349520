"""`forge-mlir report`: the data, the page in a headless browser, Markdown and JSON."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from browser import DRIVER, browser
from onnx import ModelProto, TensorProto, helper, numpy_helper

from forge_mlir.report.model_report import model_report
from forge_mlir.report.rendering import to_html, to_json, to_markdown
from sample_models.partition import products
from sample_models.small import one_node

HOSTILE = "</script><script>window.taken = 1</script><img src=x onerror='window.taken = 1'>"


def chain(layers: int, per_layer: int) -> ModelProto:
    """Relu and Add in turn, with paths as exporters write them; one node has a hostile name."""
    nodes, value = [], "x"
    for layer in range(layers):
        for at in range(per_layer):
            name = f"/layer_{layer}/block/op_{at}" if (layer, at) != (1, 1) else f"/layer_1/{HOSTILE}"
            op, more = ("Relu", []) if at % 2 else ("Add", ["w"])
            nodes.append(helper.make_node(op, [value, *more], [f"v{layer}_{at}"], name))
            value = f"v{layer}_{at}"
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 32]) for name in ("x", value))
    weight = numpy_helper.from_array(np.ones((2, 32), np.float32), "w")
    graph = helper.make_graph(nodes, HOSTILE, [x], [y], [weight])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


def test_what_is_told(gpt2_block: Path) -> None:
    report = model_report(gpt2_block / "model.onnx")
    rows = {row.name: row for row in report.nodes}
    split = rows["/attn/Split"]
    assert "forge.split" in split.stages["convert-onnx-to-forge"][0]
    assert len(split.stages["forge-lower-split"]) == 3
    # Q, K and V are sliced where their heads are.
    assert [found for line in split.emitted for found in re.findall(r"forge\.op\.\w+", line)] == [
        "forge.op.Matmul",
        "forge.op.Reshape",
        "forge.op.Transpose",
    ]
    assert "= Split" in split.source
    assert report.onnx_ops["Gemm"] == 4
    assert report.calls["forge.op.Matmul"] == 8
    assert {row["layer"] for row in report.layers} >= {"attn", "attn/c_attn", "mlp"}
    assert report.weights[0].bytes == max(weight.bytes for weight in report.weights)
    assert json.loads(to_json(report))["verdict"]["verdict"] == "supported"
    assert "| forge.op.Matmul | 8 |" in to_markdown(report)


def test_a_refused_model_has_a_report() -> None:
    report = model_report(products())
    sides = {row.op: row.side for row in report.nodes}
    assert sides == {"MatMul": "device", "Det": "refused", "Mul": "device"}
    assert "is too much to unroll" in to_markdown(report)
    on_cpu = model_report(products(), fallback="cpu")
    assert {row.op: row.side for row in on_cpu.nodes}["Det"] == "cpu"


def test_open_inputs_have_a_report() -> None:
    model = one_node("Relu", [1, 3])
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.shape.dim[0].dim_param = "batch"
    report = model_report(model)
    assert report.verdict.errors[0].code == "FM1203"
    assert any("inputs are open" in note for note in report.notes)


def test_hostile_names_stay_text() -> None:
    report = model_report(chain(2, 3))
    html = to_html(report)
    assert html.count("</script>") == 3, "those of the page"
    assert HOSTILE not in html
    assert "<img" not in html
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//", html)
    assert "<script>" not in to_markdown(report)


def test_the_command(tmp_path: Path) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "net.onnx")
    for name, start in (("r.html", "<!DOCTYPE html>"), ("r.md", "# "), ("r.json", "{")):
        line = [sys.executable, "-m", "forge_mlir.cli.main", "report", "net.onnx", "-o", name]
        done = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, f"{name}\n"), done.stderr
        assert (tmp_path / name).read_text().startswith(start)
    (row,) = json.loads((tmp_path / "r.json").read_text())["nodes"]
    assert row["relative"] == 0


@pytest.mark.skipif(DRIVER is None, reason="no chromedriver (Debian: chromium chromium-driver)")
def test_the_page_in_a_browser(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(to_html(model_report(chain(60, 60))), encoding="utf-8")
    with browser() as page:
        page.open(file)
        assert page.text("h1").endswith(": supported")
        for at, name in enumerate(("Summary", "Refused", "Ops", "Layers", "Accuracy", "Weights"), 1):
            page.click(f"#tabs button:nth-child({at})")
            assert page.run("return document.querySelector('[aria-selected=true]').textContent") == name
            assert page.text("#parts")
        page.click("#tabs button:nth-child(7)")
        assert page.run("return graph.boxes.size") == 60, "layers are closed at first"
        page.click("#expand")
        assert page.run("return graph.boxes.size") == 3600
        page.run("graph.paint()")
        page.click("#collapse")
        page.write("#search", "/layer_7/block/op_3")
        page.click("#matches button")
        assert page.text("#details h2").startswith("/layer_7/block/op_3")
        assert "forge.op.Relu(" in page.text("#details")
        assert "after convert-onnx-to-forge" in page.text("#details")
        page.run("document.getElementById('search').value = ''")
        page.write("#search", "window.taken")
        page.click("#matches button")
        assert page.text("#details h2") == f"/layer_1/{HOSTILE}"
        box = page.run(
            "graph.collapse(); graph.select(null); const b = [...graph.boxes.values()][0];"
            "graph.centre(b); return b.members.length"
        )
        assert box == 60
        page.click("#canvas")  # The middle of it, where the layer is now.
        assert page.text("#details h2") == "layer_0"
        assert page.run("return window.taken") is None
        assert page.log() == []
