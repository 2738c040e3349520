"""The IR of torch-mlir's own importer gives the same calls with the same weights as that of ours."""

from __future__ import annotations

import itertools
from pathlib import Path

import ml_dtypes
import numpy as np
import numpy.typing as npt
import onnx
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper, parser
from safetensors.numpy import load_file
from torch_mlir import ir

import forge_mlir
from forge_mlir import ForgeError, _native
from forge_mlir.artifact.reader import Artifact
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pipeline_text import pipeline
from forge_mlir.compiler.stages.emit_ir import emit_file
from forge_mlir.onnx_model.storage.weightless import INLINE_BYTES, KNOWN_BYTES, UNIFORM_BYTES
from sample_models.goldens import assert_same
from sample_models.importing import model, value
from sample_models.repository import REPOSITORY
from stock_ir.compare import compare, exceptions, unexpected
from stock_ir.importing import FORMS, node_cases, node_models, serialised, stock_module

EVERY = 31
GPT2 = Path(__file__).parents[3] / "models" / "gpt2_block"


def test_a_sample_of_onnx_node_models() -> None:
    results = [
        result for name, proto in itertools.islice(node_models(), 0, None, EVERY) for result in compare(name, proto)
    ]
    assert unexpected(results) == []
    assert len(results) > 100
    assert sum(result.detail == "program" for result in results) > 70


@pytest.mark.parametrize("case", sorted({name for name, _ in exceptions()}))
def test_listed_exceptions(case: str) -> None:
    proto = dict(node_models())[case]
    assert unexpected(compare(case, proto)) == []


@pytest.mark.slow
def test_all_onnx_node_models() -> None:
    results = [result for name, proto in node_models() for result in compare(name, proto)]
    assert unexpected(results) == []
    assert len(results) == 2 * 1830


def lowered(proto: ModelProto, form: str, options: Options | None = None) -> ir.Module:
    """A model after all passes, imported by torch-mlir's importer."""
    context = ir.Context()
    forge_mlir.register(context)
    module = ir.Module.parse(serialised(stock_module(proto), form), context)
    forge_mlir.run_pipeline(module, pipeline(options or Options()))
    return module


@pytest.mark.parametrize("form", FORMS)
def test_a_model_with_weights(form: str, tmp_path: Path) -> None:
    proto = onnx.load(GPT2 / "model.onnx")
    inputs, outputs = np.load(GPT2 / "inputs.npz"), np.load(GPT2 / "outputs.npz")
    assert unexpected(compare("gpt2_block", proto, [form])) == []
    artifact = forge_mlir.write_python(lowered(proto, form), tmp_path, "gpt2")
    manifest = artifact.manifest()
    given = dict(zip((entry["onnx_name"] for entry in manifest["inputs"]), inputs.values(), strict=True))
    for got, expected in zip(forge_mlir.run(artifact, given).values(), outputs.values(), strict=True):
        assert_same(got, expected)


def test_weights_are_reachable_from_python() -> None:
    proto = onnx.load(GPT2 / "model.onnx")
    known = {tensor.name: numpy_helper.to_array(tensor) for tensor in proto.graph.initializer}
    context = ir.Context()
    forge_mlir.register(context)
    module = ir.Module.parse(serialised(stock_module(proto), "bytecode"), context)
    forge_mlir.run_pipeline(module, pipeline(Options()))
    emitted = forge_mlir.emit_python(module)
    sources = [entry["source"] for entry in emitted.manifest["weights"]]
    keys = [step["key"] for source in sources for step in (source, *source.get("steps", ())) if "key" in step]
    assert keys
    assert emitted.weights.keys() == set(keys)
    for weight in emitted.weights.values():
        np.testing.assert_array_equal(weight.array(), known[weight.name])


@pytest.mark.parametrize("form", FORMS)
def test_weights_of_zeros_need_no_call(form: str) -> None:
    zeros = numpy_helper.from_array(np.zeros(4096, np.float32), "w")
    proto = model(
        [helper.make_node("Add", ["x", "w"], ["y"], "n")], [value("x", 2, 4096)], [value("y", 2, 4096)], [zeros]
    )
    assert unexpected(compare("zeros", proto, [form])) == []
    assert "forge.add" not in str(lowered(proto, form))


DTYPES = {
    "float32": np.linspace(-3, 3, 600, dtype=np.float32),
    "float16": np.linspace(-3, 3, 600).astype(np.float16),
    "bfloat16": np.linspace(-3, 3, 600).astype(ml_dtypes.bfloat16),
    "float64": np.linspace(-3, 3, 600),
    "int64": np.arange(-300, 300),
    "int32": np.arange(-300, 300, dtype=np.int32),
    "uint32": np.arange(600, dtype=np.uint32),
    "int16": np.arange(-300, 300, dtype=np.int16).repeat(2),
    "int8": (np.arange(2000) % 256).astype(np.uint8).view(np.int8),
    "uint8": (np.arange(2000) % 256).astype(np.uint8),
    "bool": np.arange(2000) % 3 == 0,
}


def weight_model(array: npt.NDArray[np.generic], op: str = "Identity") -> ModelProto:
    """A model with one weight, with the bytes of `array`."""
    tensor = numpy_helper.from_array(array, "w")
    node = helper.make_node(op, ["w"], ["y"], "n")
    x = helper.make_node("Identity", ["x"], ["z"], "m")
    return model(
        [node, x],
        [value("x", 2)],
        [value("y", *array.shape, dtype=tensor.data_type), value("z", 2)],
        [tensor],
    )


def tensors(artifact: Artifact) -> dict[str, npt.NDArray[np.generic]]:
    return dict(load_file(artifact.weights_path))


@pytest.mark.parametrize("dtype", DTYPES)
def test_ir_of_both_importers_becomes_the_same_weights(dtype: str, tmp_path: Path) -> None:
    proto = weight_model(DTYPES[dtype])
    ours = forge_mlir.compile(proto, tmp_path / "python", name="m")
    theirs = forge_mlir.write_python(lowered(proto, "bytecode"), tmp_path / "native", "m")
    expected, got = tensors(ours), tensors(theirs)
    assert expected.keys() == got.keys()
    for name, array in expected.items():
        assert got[name].dtype == array.dtype
        np.testing.assert_array_equal(got[name].view(np.uint8), array.view(np.uint8))
    ours_facts, their_facts = ours.manifest(), theirs.manifest()
    for key in ("class", "format", "inputs", "weights", "weights_sha256", "weights_file"):
        assert their_facts[key] == ours_facts[key], key
    assert their_facts.keys() == ours_facts.keys() - {"compiled"}  # Only `compile` knows how it was called.
    assert [entry["dtype"] for entry in their_facts["onnx"]["outputs"]] == [dtype, "float32"]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32", "int8", "uint8", "bool"])
def test_typed_data_is_a_weight_too(dtype: str) -> None:
    # Integers that may be indices count as small up to a larger size.
    count = 1000 if dtype in ("float32", "float64", "int8", "uint8") else 600_000
    array = np.resize(DTYPES[dtype], (2, count))
    proto = weight_model(array, "Transpose")
    tensor = proto.graph.initializer[0]
    tensor.CopyFrom(helper.make_tensor("w", tensor.data_type, array.shape, array.ravel().tolist()))
    proto.graph.output[0].type.tensor_type.shape.dim[0].dim_value = count
    proto.graph.output[0].type.tensor_type.shape.dim[1].dim_value = 2
    results = list(compare("typed", proto))
    assert [result.outcome for result in results] == ["same", "same"]
    assert [result.detail for result in results] == ["program", "program"]


def qkv(width: int) -> ModelProto:
    """A projection whose heads are not whole tiles: with layout=tiles its weight is stored in parts."""
    weight = np.arange(width * 3 * width, dtype=np.float32).reshape(width, 3 * width)
    nodes: list[NodeProto] = [
        helper.make_node("MatMul", ["x", "w"], ["p"], "proj"),
        helper.make_node("Split", ["p"], ["q", "k", "v"], "split", axis=2, num_outputs=3),
        helper.make_node("Add", ["q", "k"], ["a"], "add"),
        helper.make_node("Add", ["a", "v"], ["y"], "sum"),
    ]
    initializer = numpy_helper.from_array(weight, "w")
    return model(nodes, [value("x", 1, 8, width)], [value("y", 1, 8, width)], [initializer], opsets={"": 18})


@pytest.mark.parametrize("width", [48, 64])
def test_parts_of_weights(width: int, tmp_path: Path) -> None:
    options = Options(layout="tiles")
    ours = forge_mlir.compile(qkv(width), tmp_path / "python", name="m", **options)
    theirs = forge_mlir.write_python(lowered(qkv(width), "bytecode", options), tmp_path / "native", "m")
    assert any("computed_from" in entry for entry in ours.manifest()["weights"])
    expected, got = tensors(ours), tensors(theirs)
    assert expected.keys() == got.keys()
    for name, array in expected.items():
        np.testing.assert_array_equal(got[name], array)


def test_floats_round_to_the_nearest_of_a_narrow_type(tmp_path: Path) -> None:
    """Rounds to nearest, ties to even; numbers beyond the largest bfloat16 become that, and infinities stay."""
    # 1 + 1/256 and 1 + 3/256 are midway between two bfloat16 numbers.
    text = """func.func @narrow(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = forge.parameter "k" blob(dense_resource<w> : tensor<4xf32>) : tensor<4xbf16> loc("w")
  %1 = forge.add %x, %0 : tensor<4xbf16>
  return %1 : tensor<4xbf16>
}
{-# dialect_resources: { builtin: { w: "0x040000000080803F9EC97FFF0000807F0080813F" } } #-}"""
    written = emit_file(text.encode(), tmp_path).weights_path.read_bytes()
    assert written[-8:] == b"".join(part.to_bytes(2, "little") for part in (0x3F80, 0xFF7F, 0x7F80, 0x3F82))


def test_a_partitioned_model_is_compiled_and_not_emitted(tmp_path: Path) -> None:
    pipeline = "builtin.module(func.func(forge-assign-devices),forge-partition,onnx-to-forge-pipeline)"
    source = (REPOSITORY / "test/Target/Python/partitioned-model-to-python.mlir").read_bytes()
    driver, _ = _native.run_pipeline(source, pipeline)
    with pytest.raises(ForgeError, match="a partitioned model needs its ONNX graph to be written"):
        emit_file(driver or b"", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_values_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    proto = weight_model(np.array([0, 1 << 40] * 100))
    with pytest.raises(ForgeError) as raised:
        forge_mlir.write_python(lowered(proto, "bytecode"), tmp_path / "out", "m")
    assert "'w' holds 1099511627776, which does not fit Int32" in str(raised.value.diagnostics[0])
    assert not list((tmp_path / "out").glob("*"))


def test_weights_that_are_elsewhere_are_refused(tmp_path: Path) -> None:
    imported = forge_mlir.import_onnx(weight_model(DTYPES["float32"]))
    forge_mlir.run_pipeline(imported.module, pipeline(Options()))
    with pytest.raises(ForgeError) as raised:
        forge_mlir.write_python(imported.module, tmp_path / "out", "m")
    assert "has no data in the IR" in str(raised.value.diagnostics[0])
    assert not (tmp_path / "out").exists()


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    module = lowered(weight_model(DTYPES["float32"]), "bytecode")
    forge_mlir.write_python(module, tmp_path, "m")
    forge_mlir.write_python(module, tmp_path, "m")  # Files that belong to it may be removed.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.json", "m.py", "m.safetensors"]
    (tmp_path / "m.py").write_text("mine")
    with pytest.raises(ForgeError) as raised:
        forge_mlir.write_python(module, tmp_path, "m")
    assert "m.py: has changed since forge-mlir wrote it" in str(raised.value)
    assert (tmp_path / "m.py").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.json", "m.py", "m.safetensors"]


def test_both_importers_inline_the_same_tensors() -> None:
    assert _native.inline_bytes() == (INLINE_BYTES, KNOWN_BYTES, UNIFORM_BYTES)


def test_shared_ops_are_those_of_onnxruntime() -> None:
    from onnxruntime.capi import onnxruntime_pybind11_state as onnxruntime

    standard = {schema.name for schema in onnx.defs.get_all_schemas_with_history() if not schema.domain}
    theirs = {s.name for s in onnxruntime.get_all_operator_schema() if s.domain == "com.microsoft"}
    assert {name for name, _ in _native.shared_ops()} == theirs & standard


def test_a_weight_of_four_bits(tmp_path: Path) -> None:
    tensor = TensorProto(name="w", data_type=TensorProto.INT4, dims=[3001], raw_data=(bytes(range(256)) * 6)[:1501])
    node = helper.make_node("DequantizeLinear", ["w", "s"], ["y"], "n")
    scale = numpy_helper.from_array(np.array(0.5, np.float32), "s")
    proto = model([node], [], [value("y", 3001)], [tensor, scale], opsets={"": 21})
    ours = forge_mlir.compile(proto, tmp_path / "python", name="m")
    theirs = forge_mlir.write_python(lowered(proto, "bytecode"), tmp_path / "native", "m")
    expected, got = tensors(ours), tensors(theirs)
    assert expected.keys() == got.keys()
    for name, array in expected.items():
        np.testing.assert_array_equal(got[name], array)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "case", sorted({name for (name, _), (outcome, _) in exceptions().items() if outcome == "other"})
)
def test_other_programs_give_the_same_results(case: str, form: str, tmp_path: Path) -> None:
    proto, data = next((proto, data) for name, proto, data in node_cases() if name == case)
    artifact = forge_mlir.write_python(lowered(proto, form), tmp_path, "m")
    names = [entry["onnx_name"] for entry in artifact.manifest()["inputs"]]
    for inputs, outputs in data:
        got = forge_mlir.run(artifact, dict(zip(names, inputs, strict=True)))
        for result, expected in zip(got.values(), outputs, strict=True):
            assert_same(result, np.asarray(expected))


MODIFIED = """
<ir_version: 13, opset_import: ["" : 23, "ai.onnx.preview" : 1]>
attention (float[1,2,3,4] a, float[1,2,3,4] b, float[1,2,3,4] V, float[1,2,3,3] K, float Q) => (float[1,2,3,4] y) {
    Score = Mul(K, Q)
    y = ai.onnx.preview.FlexAttention <
        score_mod = add (float[B,H,L,S] s) => (float[B,H,L,S] t) { k = Add(s, Score) t = Mul(k, Q) },
        prob_mod = scale (float[B,H,L,S] p) => (float[B,H,L,S] q) { q = Mul(p, K) }> (a, b, V)
}
"""


def test_both_modifiers_of_an_attention(tmp_path: Path) -> None:
    """Without names in the IR, the modifiers are identified by their order; each uses values of the enclosing graph."""
    proto = parser.parse_model(MODIFIED)
    results = list(compare("modified", proto))
    assert [(result.outcome, result.detail) for result in results] == [("same", "program")] * 2
    generator = np.random.default_rng(3)
    given = {
        info.name: generator.standard_normal([dim.dim_value for dim in info.type.tensor_type.shape.dim], np.float32)
        for info in proto.graph.input
    }
    q, k, v, shift, factor = (given[name] for name in ("a", "b", "V", "K", "Q"))
    scores = (q @ k.swapaxes(2, 3) / 2 + shift * factor) * factor
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    expected = weights / weights.sum(-1, keepdims=True) * shift @ v
    artifact = forge_mlir.compile(proto, tmp_path, name="m")
    found = forge_mlir.run(artifact, {name: np.asarray(array, np.float32) for name, array in given.items()})
    assert_same(found["y"], expected)
