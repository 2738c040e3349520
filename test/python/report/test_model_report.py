"""The data of a report."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from forge_mlir import compile
from forge_mlir.report.model_report import model_report
from forge_mlir.report.rendering import to_json, to_markdown
from sample_models.partition import products
from sample_models.probe import FLOAT, build, node
from sample_models.small import one_node


def test_contents_of_a_report(gpt2_block: Path) -> None:
    report = model_report(gpt2_block / "model.onnx")
    rows = {row.name: row for row in report.nodes}
    split = rows["/attn/Split"]
    assert "forge.split" in split.stages["convert-onnx-to-forge"][0]
    assert len(split.stages["forge-lower-split"]) == 3
    # Queries are a slice of heads, and their transpose is fused into the product of scores.
    emitted = rows["/attn/Transpose"].emitted
    assert [found for line in emitted for found in re.findall(r"forge\.op\.\w+", line)] == [
        "forge.op.Index",
        "forge.op.Transpose",
    ]
    assert "= Split" in split.source
    assert report.onnx_ops["Gemm"] == 4
    assert report.calls["forge.op.Matmul"] == 8
    assert {row["layer"] for row in report.layers} >= {"attn", "attn/c_attn", "mlp"}
    assert report.weights[0].bytes == max(weight.bytes for weight in report.weights)
    assert json.loads(to_json(report))["verdict"]["verdict"] == "supported"
    assert "| forge.op.Matmul | 8 |" in to_markdown(report)


def test_counts_are_those_of_compile(gpt2_block: Path, tmp_path: Path) -> None:
    for options in ({}, {"fallback": "cpu"}):
        source = products() if options else gpt2_block / "model.onnx"
        artifact = compile(source, tmp_path / f"out{len(options)}", **options)
        report = model_report(source, **options)
        assert len(report.weights) == len(artifact.stored_weights())
        assert report.weight_bytes == artifact.weights_path.stat().st_size
        assert sum(report.calls.values()) == artifact.calls()
        assert len(report.nodes) == artifact.manifest()["onnx"]["nodes"]


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


def test_nodes_of_equal_names_have_their_own_calls_and_costs() -> None:
    """Also nodes of branches, and a node without a name."""
    then, other = (
        helper.make_graph([node(op, ["c"], ["r"], "n")], op, [], [helper.make_tensor_value_info("r", FLOAT, None)])
        for op in ("Exp", "Sin")
    )
    nodes = [
        node("MatMul", ["x", "x"], ["a"], "n"),
        node("Relu", ["a"], ["b"], "n"),
        node("Tanh", ["b"], ["n"], ""),
        node("Cos", ["n"], ["c"], "n/b"),
        node("If", ["q"], ["y"], "if", then_branch=then, else_branch=other),
    ]
    report = model_report(build(nodes, {"x": (FLOAT, [8, 8]), "q": (TensorProto.BOOL, [])}, {"y": FLOAT}))
    calls = [(row.op, [re.findall(r"forge\.op\.(\w+)", line)[0] for line in row.emitted]) for row in report.nodes]
    assert calls[:4] == [("MatMul", ["Matmul"]), ("Relu", ["Relu"]), ("Tanh", ["Tanh"]), ("Cos", ["Cosine"])]
    assert len({row.name for row in report.nodes}) == len(report.nodes)
    assert [row.node for row in report.program].count("n") == 1
    products, *others = (row.cost for row in report.nodes[:4])
    assert products is not None
    assert all(cost is not None and cost.picoseconds < products.picoseconds for cost in others)


def test_nodes_without_names_have_calls_costs_and_reasons() -> None:
    nodes = [
        node("Relu", ["x"], ["a"], ""),
        node("NonZero", ["a"], ["b"], ""),
        node("Cast", ["b"], ["y"], "", to=FLOAT),
    ]
    model = build(nodes, {"x": (FLOAT, [4, 4])}, {"y": FLOAT})
    refused = model_report(model)
    assert [(row.name, row.side) for row in refused.nodes] == [
        ("Relu_0", "device"),
        ("NonZero_1", "refused"),
        ("Cast_2", "device"),
    ]
    assert "known at compile time" in refused.nodes[1].reason
    relu, *others = model_report(model, fallback="cpu").nodes
    assert relu.cost is not None
    assert len(relu.emitted) == 1
    assert "convert-onnx-to-forge" in relu.stages
    assert [row.side for row in others] == ["cpu", "cpu"]


def test_layers_from_the_metadata_of_torch_export() -> None:
    """The names of its nodes have no scopes."""
    nodes = [node("Exp", ["x"], ["a"], "node_exp"), node("Sin", ["a"], ["y"], "node_sin")]
    for at, each in enumerate(nodes):
        each.metadata_props.add(key="namespace", value=f": Model/blocks.{at}: Block/op: aten.op.default")
    report = model_report(build(nodes, {"x": (FLOAT, [4, 4])}, {"y": FLOAT}))
    assert report.verdict.cost is not None
    assert {row.name for row in report.verdict.cost.layers} == {"blocks.0", "blocks.1"}
    assert {row["layer"] for row in report.layers} == {"blocks.0", "blocks.1"}


def test_weights_of_a_model_that_runs_on_the_cpu(tmp_path: Path) -> None:
    """The device has no float8. The weights are in another file, of which the ONNX file has only the place."""
    nodes = [node("Relu", ["w"], ["y"]), node("Cast", ["narrow"], ["z"], to=FLOAT)]
    model = build(nodes, {}, {"y": FLOAT, "z": FLOAT}, opset=19, w=np.ones((64, 64), np.float32))
    model.graph.initializer.append(helper.make_tensor("narrow", TensorProto.FLOAT8E4M3FN, [2], [1.0, 2.0]))
    model.graph.initializer.append(numpy_helper.from_array(np.ones(3, np.float32), "few"))
    model = onnx.shape_inference.infer_shapes(model)
    onnx.save(model, tmp_path / "m.onnx", save_as_external_data=True, location="m.data", size_threshold=0)
    report = model_report(tmp_path / "m.onnx", fallback="cpu")
    assert [(row.name, row.bytes) for row in report.weights] == [("w", 64 * 64 * 4), ("few", 12), ("narrow", 2)]
    assert report.weight_bytes == 64 * 64 * 4 + 12 + 2
    assert report.values["few"].text == "[1, 1, 1]"


def test_text_that_is_not_utf_8() -> None:
    nodes = [node("Identity", ["t"], ["y"])]
    model = build(nodes, {}, {"y": TensorProto.STRING})
    text = TensorProto(name="t", data_type=TensorProto.STRING, dims=[1], string_data=[b"a\xff"])
    model.graph.initializer.append(text)
    assert model_report(model, fallback="cpu").values["t"].text == "[a\N{REPLACEMENT CHARACTER}]"
