"""The weights file: weights of 4 and 8 bits stay packed in it, and are unpacked on loading."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
import torch
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir.artifact.reseal import reseal
from forge_mlir.codes import Code
from forge_mlir.execute.device_module import load_namespace
from forge_mlir.verify import verify_model

RNG = np.random.default_rng(3)
ROWS, COLUMNS, BLOCK = 96, 128, 16
X = RNG.standard_normal((3, ROWS)).astype(np.float32)


def model(nodes: list[NodeProto], weights: list[TensorProto], opset: int = 21) -> ModelProto:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, X.shape)
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [X.shape[0], COLUMNS])
    graph = helper.make_graph(nodes, "g", [x], [y], weights)
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def nbits(bits: int, zeros: bool, scaled: bool = False) -> ModelProto:
    """MatMulNBits, optionally with a scale per column after it, which may be folded into the weight."""
    blocks = ROWS // BLOCK
    packed = RNG.integers(0, 256, (COLUMNS, blocks, BLOCK * bits // 8), np.uint8)
    scales = RNG.uniform(0.01, 0.1, COLUMNS * blocks).astype(np.float32)
    weights = [numpy_helper.from_array(packed, "w"), numpy_helper.from_array(scales, "s")]
    if zeros:
        room = COLUMNS * ((blocks * bits + 7) // 8)
        weights.append(numpy_helper.from_array(RNG.integers(0, 256, room, np.uint8), "z"))
    node = helper.make_node(
        "MatMulNBits",
        ["x", *(weight.name for weight in weights)],
        ["p" if scaled else "y"],
        domain="com.microsoft",
        K=ROWS,
        N=COLUMNS,
        bits=bits,
        block_size=BLOCK,
    )
    if not scaled:
        return model([node], weights)
    factors = RNG.uniform(0.5, 2, COLUMNS).astype(np.float32)
    weights.append(numpy_helper.from_array(factors, "f"))
    return model([node, helper.make_node("Mul", ["p", "f"], ["y"])], weights)


def dequantized(kind: str, per: str) -> ModelProto:
    """A product with a weight that DequantizeLinear computes."""
    low, high = {"int8": (-128, 128), "uint8": (0, 256), "int4": (-8, 8), "uint4": (0, 16)}[kind]
    shape = {"tensor": (), "channel": (COLUMNS,), "block": (ROWS // BLOCK, COLUMNS)}[per]
    dtype = getattr(ml_dtypes, kind) if kind.endswith("int4") else np.dtype(kind)
    weights = [
        numpy_helper.from_array(RNG.integers(low, high, (ROWS, COLUMNS)).astype(dtype), "w"),
        numpy_helper.from_array(RNG.uniform(0.01, 0.1, shape).astype(np.float32), "s"),
        numpy_helper.from_array(np.asarray(RNG.integers(low, high, shape)).astype(dtype), "z"),
    ]
    attributes = {"tensor": {}, "channel": {"axis": 1}, "block": {"axis": 0, "block_size": BLOCK}}[per]
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "s", "z"], ["d"], **attributes),
        helper.make_node("MatMul", ["x", "d"], ["y"]),
    ]
    return model(nodes, weights)


def rows_of_a_table(bits: int) -> ModelProto:
    """GatherBlockQuantized with indices that are a cast of the input."""
    table = RNG.integers(0, 256, (ROWS, COLUMNS * bits // 8), np.uint8)
    scales = RNG.uniform(0.01, 0.1, (ROWS, COLUMNS // BLOCK)).astype(np.float32)
    weights = [numpy_helper.from_array(table, "w"), numpy_helper.from_array(scales, "s")]
    weights.append(numpy_helper.from_array(np.array([4, 1, 90]), "i"))
    attributes = {"bits": bits, "block_size": BLOCK, "gather_axis": 0, "quantize_axis": 1}
    nodes = [
        helper.make_node("GatherBlockQuantized", ["w", "r", "s"], ["t"], domain="com.microsoft", **attributes),
        helper.make_node("ArgMax", ["x"], ["r"], axis=1, keepdims=0),
        helper.make_node("Identity", ["t"], ["y"]),
    ]
    return model([nodes[1], nodes[0], nodes[2]], weights[:2])


MODELS = {
    **{f"nbits_{bits}{'_zeros' * zeros}": nbits(bits, zeros) for bits in (2, 4, 8) for zeros in (False, True)},
    "nbits_scaled": nbits(4, True, scaled=True),
    **{
        f"{kind}_{per}": dequantized(kind, per)
        for kind in ("int8", "uint8", "int4", "uint4")
        for per in ("tensor", "channel", "block")
    },
    **{f"table_{bits}": rows_of_a_table(bits) for bits in (4, 8)},
}


@pytest.mark.alike(keep=8)
@pytest.mark.parametrize("name", MODELS)
def test_the_file_is_as_small_as_the_model(name: str, tmp_path: Path) -> None:
    onnx.save(MODELS[name], tmp_path / "m.onnx")
    artifact = forge_mlir.compile(tmp_path / "m.onnx", tmp_path / "out")
    text = artifact.module_path.read_text()
    calls = text[text.index("def forward") : text.index("def process_framework")].count("forge.op.")
    assert calls <= 4 if name.startswith("table") else calls == 1, text
    assert any("steps" in entry for entry in artifact.manifest()["weights"])
    data = sum(len(weight.raw_data) for weight in MODELS[name].graph.initializer)
    assert sum(_sizes(artifact)) <= 1.02 * data + 64
    verdict = verify_model(tmp_path / "m.onnx")
    assert verdict.passed, verdict


def _sizes(artifact: forge_mlir.Artifact) -> list[int]:
    """The numbers of bytes of the tensors in the weights file."""
    with artifact.open_weights() as weights:
        tensors = [weights.get_tensor(name) for name in artifact.stored_weights()]
    return [tensor.numel() * tensor.element_size() for tensor in tensors]


def test_weights_stay_in_the_model(tmp_path: Path) -> None:
    onnx.save(MODELS["nbits_4"], tmp_path / "m.onnx")
    copied = forge_mlir.compile(tmp_path / "m.onnx", tmp_path / "copied")
    referring = forge_mlir.compile(tmp_path / "m.onnx", tmp_path / "out", weights="reference")
    assert not referring.stored_weights()
    assert sum(nbytes for _, _, nbytes in referring.referenced_weights()) == sum(_sizes(copied))
    results = [forge_mlir.run(artifact, {"x": X})["y"] for artifact in (copied, referring)]
    np.testing.assert_array_equal(*results)
    data = bytearray((tmp_path / "m.onnx").read_bytes())
    data[data.index(MODELS["nbits_4"].graph.initializer[0].raw_data[:32])] ^= 1
    (tmp_path / "m.onnx").write_bytes(data)
    with pytest.raises(forge_mlir.ForgeError, match="does not hold the weight"):
        forge_mlir.run(referring, {"x": X})


@pytest.mark.parametrize("format", ["float32", "bfloat16"])
def test_loading_gives_the_matrix_of_onnx(format: str, tmp_path: Path) -> None:
    proto = MODELS["int8_channel"]
    artifact = forge_mlir.compile(proto, tmp_path, name="m", float_format=format)
    module = load_namespace(artifact.module_path, None)["load"]()
    (entry,) = [entry for entry in artifact.manifest()["weights"] if "steps" in entry]
    w, s, z = (numpy_helper.to_array(weight).astype(np.float32) for weight in proto.graph.initializer)
    expected = torch.from_numpy((w - z) * s).to(getattr(torch, format))
    assert torch.equal(module.get_parameter(entry["name"]).value(), expected)


def test_an_edit_of_the_packed_bytes_is_found(tmp_path: Path) -> None:
    """`verify --artifact` uses the weights that loading unpacks."""
    onnx.save(MODELS["nbits_8"], tmp_path / "m.onnx")
    artifact = forge_mlir.compile(tmp_path / "m.onnx", tmp_path / "out")
    assert verify_model(tmp_path / "m.onnx", artifact=artifact.module_path).passed
    data = bytearray(artifact.weights_path.read_bytes())
    data[-COLUMNS * ROWS // BLOCK * 4 - 5] ^= 64
    artifact.weights_path.write_bytes(data)
    reseal(artifact.module_path)
    assert not verify_model(tmp_path / "m.onnx", artifact=artifact.module_path).passed


def test_integers_that_are_read_stay_integers(tmp_path: Path) -> None:
    """The integers have a second user: they are stored once, in the type that it needs."""
    proto = MODELS["int8_tensor"]
    made = ModelProto.FromString(proto.SerializeToString())
    made.graph.node.append(helper.make_node("Cast", ["w"], ["c"], to=TensorProto.INT32))
    made.graph.node.append(helper.make_node("Abs", ["c"], ["a"]))
    made.graph.output.append(helper.make_tensor_value_info("a", TensorProto.INT32, [ROWS, COLUMNS]))
    onnx.save(made, tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx").passed


def test_integers_that_float32_does_not_have(tmp_path: Path) -> None:
    """A mask of 2^24 + 1, of which Float32 has no bit 0."""
    weights = [
        numpy_helper.from_array(RNG.integers(-128, 128, (ROWS, COLUMNS)).astype(np.int8), "w"),
        numpy_helper.from_array(np.full((1, COLUMNS), 2**24 + 1, np.int32), "m"),
    ]
    nodes = [
        helper.make_node("Cast", ["w"], ["i"], to=TensorProto.INT32),
        helper.make_node("BitwiseAnd", ["i", "m"], ["a"]),
        helper.make_node("Cast", ["a"], ["d"], to=TensorProto.FLOAT),
        helper.make_node("MatMul", ["x", "d"], ["y"]),
    ]
    row = np.eye(1, ROWS, dtype=np.float32)
    artifact = forge_mlir.compile(model(nodes, weights), tmp_path)
    assert any("steps" in entry for entry in artifact.manifest()["weights"])
    expected = (numpy_helper.to_array(weights[0])[:1].astype(np.int32) & (2**24 + 1)).astype(np.float32)
    result = forge_mlir.run(artifact, {"x": np.repeat(row, X.shape[0], 0)})["y"]
    np.testing.assert_array_equal(result[:1], expected)


def test_weights_that_are_stored_in_two_layouts_are_reported(tmp_path: Path) -> None:
    """A weight used as embedding table and, transposed, in the last product, as with tied embeddings."""
    text = """<ir_version: 9, opset_import: ["": 17]> g (int64[1, 4] ids) => (float[1, 4, 2048] logits) {
        rows = Gather <axis = 0> (table, ids)
        normal = LayerNormalization <axis = -1> (rows, scale, bias)
        turned = Transpose <perm = [1, 0]> (table)
        logits = MatMul (normal, turned)
    }"""
    model = onnx.parser.parse_model(text)
    random = np.random.default_rng(0)
    for name, shape in (("table", (2048, 256)), ("scale", (256,)), ("bias", (256,))):
        array = (0.5 + random.random(shape)).astype(np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    artifact = forge_mlir.compile(model, tmp_path)
    more = artifact.weights_path.stat().st_size - 4 * 2048 * 256
    found = [warning.message for warning in artifact.warnings if warning.code == Code.WeightsRepeated]
    if more < 1 << 20:
        assert not found
        return
    (told,) = found
    assert "another layout: 'table'; " in told
    said = int(told.split("; ")[1].split()[0].replace(",", ""))
    assert abs(said - more) < 4096
