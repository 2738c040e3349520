"""Models whose cache is the buffer of a GroupQueryAttention, and models without a cache, compared with onnxruntime."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper

from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from forge_mlir.execute.device_module import DeviceModule, SharedWeights
from forge_mlir.execute.generation import generate
from forge_mlir.support.sandbox import Limits
from forge_mlir.verify.tokens.generation import compare_steps
from sample_models.buffered_language_model import buffered_language_model
from sample_models.tiny_language_model import tiny_language_model


@pytest.mark.alike(keep=3)
@pytest.mark.parametrize(
    ("rotary", "packed", "bits", "prompt", "batch"),
    [
        ("inside", True, 0, 1, 1),
        ("inside", True, 4, 7, 2),
        ("inside", False, 8, 20, 1),
        ("outside", False, 0, 16, 2),
        ("outside", False, 4, 3, 1),
    ],
)
def test_greedy_tokens_are_those_of_onnxruntime(
    tmp_path: Path, rotary: str, packed: bool, bits: int, prompt: int, batch: int
) -> None:
    model = tmp_path / "model.onnx"
    onnx.save(buffered_language_model(rotary=rotary, packed=packed, bits=bits), model)
    artifact = compile(model, tmp_path / "out", generate=Generation(96, [16], batch=batch))
    decode = artifact.shape_set("decode").module_path.read_text()
    assert decode.count("forge.op.UpdateCache(") == 2
    assert "IndexCopy" not in decode
    assert artifact.shape_set("prefill").module_path.read_text().count("forge.op.FillCache(") == 2
    ids = np.random.default_rng(prompt).integers(0, 32, (batch, prompt)).tolist()
    made = [row.tolist() for row in generate(artifact, ids, tokens=64)]
    assert len(made) == 64
    found = compare_steps(artifact, model, ids, made, Limits())
    assert found.failure() is None, found.lines()


def test_rounding_to_8_bits_is_compared_with_floats(tmp_path: Path) -> None:
    """onnxruntime's own logits differ by more than the limit."""
    for level in (1, 4):
        onnx.save(buffered_language_model(bits=4, level=level), tmp_path / f"{level}.onnx")
    artifact = compile(tmp_path / "4.onnx", tmp_path / "out", generate=Generation(96, [16]))
    made = [row.tolist() for row in generate(artifact, [[3, 1, 4]], tokens=8)]
    found, other = (
        compare_steps(artifact, tmp_path / f"{level}.onnx", [[3, 1, 4]], made, Limits()) for level in (4, 1)
    )
    assert found.failure() is None, found.lines()
    assert (found.widened, other.widened) == (3, 0)
    assert "multiplied floats in 3 MatMulNBits of accuracy_level 4" in "\n".join(found.lines())
    assert found.rows == other.rows


@pytest.mark.parametrize("packed", [False, True])
def test_a_table_of_4_bits(packed: bool, tmp_path: Path) -> None:
    """Packed, it is the weight of the last product, as onnxruntime-genai writes tied embeddings."""
    model = buffered_language_model(bits=4)
    at = next(at for at, node in enumerate(model.graph.node) if node.output[0] == "embedded")
    weights = {each.name: each for each in model.graph.initializer}
    scales = weights["s_logits"]
    scales.dims[:] = [32, 4]
    table = numpy_helper.to_array(weights["w_logits"]).reshape(32, 32)
    if packed:
        weights["words"].CopyFrom(numpy_helper.from_array(np.array([32, 32], np.int64), "words"))
        reshape = helper.make_node("Reshape", ["w_logits", "words"], ["table"])
        model.graph.node.insert(at, reshape)
    else:
        numbers = np.stack([table & 15, table >> 4], -1).reshape(32, 64).astype(ml_dtypes.uint4)
        weights["words"].CopyFrom(numpy_helper.from_array(numbers, "table"))
    gather = helper.make_node(
        "GatherBlockQuantized", ["table", "input_ids", "s_logits"], ["embedded"], domain="com.microsoft", block_size=16
    )
    model.graph.node[at + packed].CopyFrom(gather)
    onnx.save(model, tmp_path / "model.onnx")
    artifact = compile(tmp_path / "model.onnx", tmp_path / "out", generate=Generation(32, [8]))
    made = [row.tolist() for row in generate(artifact, [[3, 1, 4]], tokens=20)]
    found = compare_steps(artifact, tmp_path / "model.onnx", [[3, 1, 4]], made, Limits())
    assert found.failure() is None, found.lines()


def test_programs_share_their_weights(tmp_path: Path) -> None:
    """The weights file has the bytes of the model once, and memory has each unpacked matrix once."""
    onnx.save(buffered_language_model(bits=4), tmp_path / "model.onnx")
    artifact = compile(tmp_path / "model.onnx", tmp_path / "out", generate=Generation(96, [16]))
    sets = [artifact.shape_set(name) for name in ("prefill", "decode")]
    known = SharedWeights()
    modules = [DeviceModule.open(each, known).module for each in sets]
    entries = [each.manifest()["weights"] for each in sets]
    unpacked = [entry["name"] for entry in entries[0] if "steps" in entry]
    assert len(unpacked) == 2, "those of up to a kilobyte are in the program"
    for name in unpacked:
        first, second = (module.get_parameter(name).value() for module in modules)
        assert first.data_ptr() == second.data_ptr()
    with artifact.open_weights() as weights:
        bytes_ = [name for name in artifact.stored_weights() if weights.get_tensor(name).dtype == torch.uint8]
    assert sorted(bytes_) == sorted(unpacked)


@pytest.mark.parametrize(
    ("counted", "biased", "prompt", "batch"), [(True, False, 3, 2), (False, True, 7, 1), (True, True, 9, 1)]
)
def test_lengths_that_are_inputs_and_a_bias_of_the_scores(
    tmp_path: Path, counted: bool, biased: bool, prompt: int, batch: int
) -> None:
    model = tmp_path / "model.onnx"
    onnx.save(buffered_language_model(counted=counted, biased=biased), model)
    artifact = compile(model, tmp_path / "out", generate=Generation(24, [8], batch=batch))
    lengths = {"seqlens_k": "last", "total_sequence_length": "total"} if counted else {}
    assert artifact.manifest()["generation"]["lengths"] == lengths
    ids = np.random.default_rng(prompt).integers(0, 32, (batch, prompt)).tolist()
    made = [row.tolist() for row in generate(artifact, ids, tokens=8)]
    found = compare_steps(artifact, model, ids, made, Limits())
    assert found.failure() is None, found.lines()


def test_a_buffer_with_another_user_is_refused(tmp_path: Path) -> None:
    model = buffered_language_model()
    model.graph.node.append(helper.make_node("Shape", ["past_key"], ["read"], name="reader"))
    model.graph.output.append(helper.make_tensor_value_info("read", TensorProto.INT64, [4]))
    with pytest.raises(ForgeError, match="'past_key': a size is open"):
        compile(model, tmp_path, generate=Generation(24, [8]))


def test_a_rotary_table_with_too_few_rows_is_refused(tmp_path: Path) -> None:
    model = buffered_language_model(rotary="outside", packed=False)
    with pytest.raises(ForgeError, match=r"its table has 128 rows, but a text of \d+ tokens reads row \d+"):
        compile(model, tmp_path, generate=Generation(129, [16]))
    compile(model, tmp_path, generate=Generation(128, [16]))


@pytest.mark.parametrize(("prompt", "batch", "mask"), [(1, 1, "total"), (9, 2, "tokens")])
def test_a_model_without_a_cache_runs_its_whole_sequence(tmp_path: Path, prompt: int, batch: int, mask: str) -> None:
    """`mask` is the declared length of the mask, which is as long as the tokens."""
    model = tmp_path / "model.onnx"
    made = _without_cache()
    declared = next(value for value in made.graph.input if value.name == "attention_mask").type.tensor_type
    declared.shape.dim[1].dim_param = mask
    onnx.save(made, model)
    artifact = compile(model, tmp_path / "out", generate=Generation(32, batch=batch))
    assert artifact.manifest()["generation"]["mask"] == "attention_mask"
    ids = np.random.default_rng(prompt).integers(0, 31, (batch, prompt)).tolist()
    tokens = [row.tolist() for row in generate(artifact, ids, tokens=20)]
    assert len(tokens) == 20
    found = compare_steps(artifact, model, ids, tokens, Limits())
    assert found.failure() is None, found.lines()


def test_prompt_lengths_of_a_model_without_a_cache_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match="takes the whole sequence, because it has no cache: --prompt-length is not"):
        compile(_without_cache(), tmp_path, generate=Generation(32, [8]))


def _without_cache() -> onnx.ModelProto:
    """The tiny model without past inputs: keys and values of the sequence are used directly."""
    model = tiny_language_model()
    graph = model.graph
    for node in graph.node:
        if node.op_type == "Concat":
            node.op_type = "Identity"
            del node.input[0], node.attribute[:]
        if node.name == "past_shape":
            node.op_type, node.input[0] = "Constant", ""
            del node.input[:]
            node.attribute.append(
                helper.make_attribute("value", onnx.numpy_helper.from_array(np.array([1, 2, 0, 8], np.int64)))
            )
    for declared in (graph.input, graph.output):
        kept = [value for value in declared if "past" not in value.name and "present" not in value.name]
        del declared[:]
        declared.extend(kept)
    return model
