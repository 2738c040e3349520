"""`check --cost`: the cost model on whole models, and that no rewrite increases their cost."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from forge_mlir import ForgeError, _native
from forge_mlir.cli.commands.check import Device as DeviceName
from forge_mlir.report.check import check
from forge_mlir.report.cost import Cost, Device
from sample_models.cost_summary import summary
from sample_models.repository import STORED, data_of, stored
from sample_models.tools import run_command

_NEEDED = {
    "forge-device-forms",
    "forge-lower-integers",
    "forge-legalize-types",
    "forge-lower-split",
    "forge-lower-strided-slice",
    "forge-separate-products",
    "forge-convolution-pads",
    "forge-pixel-rows",  # The cost model does not count reshapes of the device, which cancel these.
    "forge-isolate-outputs",
}
"""Passes that convert ops that the device cannot run."""


def gemm_relu() -> ModelProto:
    rng = np.random.default_rng(0)
    weights = [numpy_helper.from_array(rng.standard_normal(shape).astype(np.float32), name)
               for name, shape in (("w", (64, 96)), ("c", (96,)))]  # fmt: skip
    nodes = [
        helper.make_node("Gemm", ["x", "w", "c"], ["y"], name="/block/0/Gemm"),
        helper.make_node("Relu", ["y"], ["z"], name="/block/0/Relu"),
        helper.make_node("Transpose", ["z"], ["t"], name="/turn/Transpose", perm=[1, 0]),
    ]
    types = (helper.make_tensor_value_info("x", TensorProto.FLOAT, [32, 64]),)
    results = (helper.make_tensor_value_info("t", TensorProto.FLOAT, [96, 32]),)
    graph = helper.make_graph(nodes, "g", types, results, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def test_counts_by_hand() -> None:
    found = summary(gemm_relu())
    # The input is stored in rows: 2 tiles of data are read, and 2 tiles are written. As tiles: 2 of x, 6 of w, 3 of the
    # bias, of which 31 of 32 rows are padding, and 3 of each result. A ReLU after a product is a separate kernel.
    product = Cost(2, 4096 * (2 + 2 + 2 + 6 + 3 + 3), 4096 * 3 - 4 * 96, 4096 * 4, 32 * 64 * 96)
    transpose = Cost(1, 4096 * 6, 0, 4096 * 6, 0)
    rows = {row.name: replace(row.after, picoseconds=0) for row in found.ops if row.ops_after}
    relu = Cost(1, 4096 * 6, 0, 0, 0)
    assert rows == {"forge.op.Matmul": product, "forge.op.Relu": relu, "forge.op.Transpose": transpose}
    assert replace(found.after, picoseconds=0) == product + relu + transpose
    # Four launches, and the memory time, rounded down for each kernel.
    device = Device.of()
    assert found.after.picoseconds == 4000 * device.launch + sum(
        4096 * 1000 * tiles // device.bytes for tiles in (4, 14, 6, 6)
    )
    assert {row.name: row.ops_after for row in found.layers} == {"block/0": 2, "turn": 1}
    assert {row.name: row.bound for row in found.nodes if row.ops_after} == {
        "/block/0/Gemm": "launch", "/block/0/Relu": "launch", "/turn/Transpose": "launch"
    }  # fmt: skip
    assert found.total.ops_after == 3


def test_the_resource_that_bounds_the_time() -> None:
    device = Device.of("blackhole-p150")
    launch = Cost(kernels=1, bytes=100, picoseconds=1000 * device.launch + 1)
    many, sums = device.launch * device.bytes, device.launch * device.multiply_adds
    memory = Cost(1, 2 * many, picoseconds=3000 * device.launch)
    arithmetic = Cost(1, many, multiply_adds=3 * sums, picoseconds=4000 * device.launch)
    assert [cost.bound(device) for cost in (launch, memory, arithmetic, Cost())] == [
        "launch", "memory", "arithmetic", "nothing"
    ]  # fmt: skip
    # In block floats of 8 bits, twice as many operations per second are possible.
    assert replace(arithmetic, bytes=2 * many).bound(device, "bfp8") == "memory"


def test_the_total_has_the_bound_of_the_format() -> None:
    weights = np.random.default_rng(0).standard_normal((1024, 1024)).astype(np.float32)
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, weights.shape) for name in "xy")
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"])]
    graph = helper.make_graph(nodes, "g", [x], [y], [numpy_helper.from_array(weights, "w")])
    found = summary(helper.make_model(graph, ir_version=9), device_format="bfp8")
    assert found.after.bound(found.device) == "arithmetic"  # At the rate of other formats.
    assert [row.bound for row in (found.total, *found.ops) if row.ops_after] == ["memory", "memory"]


def test_devices() -> None:
    names = [name for name, *_ in _native.devices()]
    assert names == list(get_args(DeviceName))
    slow, fast = (summary(gemm_relu(), device=name).after for name in names)
    assert fast.picoseconds < slow.picoseconds
    assert replace(fast, picoseconds=0) == replace(slow, picoseconds=0)
    with pytest.raises(ValueError, match="expected one of wormhole-n150"):
        check(gemm_relu(), cost_summary=True, device="none")


def test_layers_of_the_newer_exporter_are_in_metadata() -> None:
    model = gemm_relu()
    for node, layer in zip(model.graph.node, ("layer.0", "layer.0", "layer.1"), strict=True):
        node.name = node.name.rpartition("/")[2]
        entry = f": Model/encoder: Encoder/encoder.{layer}: Layer/{node.name}: call"
        node.metadata_props.add(key="namespace", value=entry)
    found = summary(model)
    assert {row.name: row.ops_after for row in found.layers} == {"encoder/layer.0": 2, "encoder/layer.1": 1}


def test_savings_of_passes_add_up_to_the_difference() -> None:
    model = gemm_relu()
    model.graph.node[1].op_type = "Sigmoid"
    found = summary(model)
    saved = Cost()
    for row in found.passes:
        saved += row.saved
    assert found.before - found.after == saved
    assert saved.kernels > 0  # The addition of the bias is fused into the product.


def test_a_narrower_format_takes_fewer_bytes() -> None:
    wide, narrow = summary(gemm_relu()), summary(gemm_relu(), device_format="bf16")
    # Except for the rows of the input, which keeps its format.
    assert narrow.after.bytes * 2 == wide.after.bytes
    assert narrow.after.kernels == wide.after.kernels
    with pytest.raises(ForgeError):
        check(gemm_relu(), cost_summary=True, device_format="bf17")


@pytest.mark.alike(keep=4)
@pytest.mark.parametrize("folder", STORED, ids=lambda path: path.name)
def test_no_rewrite_takes_more_kernels(folder) -> None:  # type: ignore[no-untyped-def]
    found = summary(str(folder / "model.onnx"), sample_inputs=data_of(folder)[0])
    dearer = {row.name: row.saved.kernels for row in found.passes if row.saved.kernels < 0 and row.name not in _NEEDED}
    assert dearer == {}
    assert found.after.kernels <= found.before.kernels


def test_the_command_says_the_same() -> None:
    model = str(next(folder for folder in STORED if folder.name == "gpt2_block") / "model.onnx")
    found = summary(model)
    told = json.loads(run_command("check", model, "--cost", "--json").stdout)
    assert told["cost"]["after"]["kernels"] == found.after.kernels
    assert [row["name"] for row in told["cost"]["passes"]] == [row.name for row in found.passes]
    shown = run_command("check", model, "--cost").stdout
    assert "in all" in shown
    assert f"{2 * found.after.multiply_adds:,}" in shown
    costliest = max(found.nodes, key=lambda row: row.after.picoseconds)
    assert shown.splitlines()[1].startswith(costliest.name)
    assert told["cost"]["nodes"][0]["bound"] == costliest.bound == "launch"
    assert told["cost"]["device"]["name"] == "wormhole-n150"


def test_a_refused_model_has_no_cost() -> None:
    node = helper.make_node("Unknown", ["x"], ["y"], domain="nobody")
    one = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in "xy"]
    graph = helper.make_graph([node], "g", one[:1], one[1:])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("nobody", 1)]
    assert check(helper.make_model(graph, opset_imports=opsets, ir_version=9), cost_summary=True).cost is None


@pytest.mark.alike(keep=2)
@pytest.mark.parametrize("kind", ["no-nans", "no-infs", "reciprocal", "reassociate", "zero-products", "all"])
def test_no_kind_of_fast_math_costs_more(kind: str) -> None:
    for folder in stored("gpt2_block", "resnet18_qdq", "llama"):
        sample = data_of(folder)[0]
        found = summary(str(folder / "model.onnx"), sample_inputs=sample)
        fast = summary(str(folder / "model.onnx"), sample_inputs=sample, fast_math=[kind])
        assert fast.after.kernels <= found.after.kernels
        # A merged weight may be read in addition to the one from which it was made: a hundredth of llama's bytes with
        # reassociate.
        assert fast.after.bytes <= 1.01 * found.after.bytes
