"""The first step of a verdict: a program that is not equal to the model is wrong, however small the difference is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import safetensors.torch
import torch
from torch_mlir import ir

import forge_mlir
from forge_mlir.artifact.reseal import reseal
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.compiler.stages.passes_apart import Pass, Stage
from forge_mlir.verify import Verification, exact, verify_model
from forge_mlir.verify.exact import exactness_of
from resealing import replace_module
from sample_models.layers import numbered, stack
from sample_models.probe import FLOAT, INT64, build, mixed, node, partitioned, weights

MODELS: dict[str, Callable[[], onnx.ModelProto]] = {
    "mixed": mixed,
    "partitioned": partitioned,
    "layers": lambda: stack(numbered(3)),
    "token": lambda: token(),
}


def token() -> onnx.ModelProto:
    """A token of zeros before a norm: its centred value is a splat, stored as one element, which is expanded on
    loading."""
    nodes = [
        node("MatMul", ["x", "w"], ["p"], "product"),
        node("Concat", ["token", "p"], ["tokens"], "tokens", axis=1),
        node("LayerNormalization", ["tokens", "gain", "bias"], ["y"], "norm", axis=-1),
    ]
    made = {
        "token": np.zeros((1, 1, 16), np.float32),
        "w": weights(8, 16),
        "gain": 1 + weights(16),
        "bias": weights(16),
    }
    return build(nodes, {"x": (FLOAT, [1, 4, 8])}, {"y": FLOAT}, **made)


def saved(model: onnx.ModelProto, folder: Path) -> Path:
    path = folder / "m.onnx"
    onnx.save(model, path)
    return path


@pytest.mark.parametrize("name", MODELS)
def test_compiled_programs_are_equal(name: str, tmp_path: Path) -> None:
    artifact, imported = compile_traced(saved(MODELS[name](), tmp_path), tmp_path / "out", fallback="cpu")
    found = exactness_of(artifact, imported, {"fallback": "cpu"})
    assert (found.state, found.reason) == ("equal", "")


def product() -> onnx.ModelProto:
    """(x w + b) * 0.3, whose scale is folded into the weights."""
    nodes = [
        node("MatMul", ["x", "w"], ["p"], "product"),
        node("Add", ["p", "b"], ["s"], "sum"),
        node("Softmax", ["s"], ["y"], "softmax", axis=-1),
    ]
    return build(nodes, {"x": (FLOAT, [8, 8])}, {"y": FLOAT}, w=weights(8, 8), b=weights(8))


def verified(
    folder: Path,
    source: Callable[[str], str] | None = None,
    tensors: Callable[[dict[str, Any]], None] | None = None,
    is_sealed: bool = True,
) -> Verification:
    """`verify --artifact` of the product, with changes of its module or of its weights."""
    path = saved(product(), folder)
    artifact = forge_mlir.compile(path, folder / "out")
    if source is not None:
        before = artifact.module_path.read_text()
        replace_module(artifact, source(before))
        assert artifact.module_path.read_text() != before
    if tensors is not None:
        known = safetensors.torch.load_file(artifact.weights_path)
        tensors(known)
        safetensors.torch.save_file(known, artifact.weights_path)
        if is_sealed:
            reseal(artifact.manifest_path)
    return verify_model(path, artifact=artifact.directory)


def test_an_artifact_as_it_was_compiled(tmp_path: Path) -> None:
    found = verified(tmp_path)
    assert found.exact is not None
    assert (found.verdict, found.exact.state) == ("right", "equal")
    assert found.json()["exact"]["result"] == "equal"


def test_an_artifact_of_another_model_whose_manifest_was_made_to_fit(tmp_path: Path) -> None:
    model = product()
    for name in [weight for weight in model.graph.initializer if weight.name == "b"]:
        name.name = model.graph.node[1].input[1] = "another"
    path = saved(product(), tmp_path)
    hashed = json.loads(forge_mlir.compile(path, tmp_path / "own").manifest_path.read_text())["compiled"]
    (tmp_path / "other").mkdir()
    artifact = forge_mlir.compile(saved(model, tmp_path / "other"), tmp_path / "out")
    facts = json.loads(artifact.manifest_path.read_text())
    facts["compiled"]["model_sha256"] = hashed["model_sha256"]
    artifact.manifest_path.write_text(json.dumps(facts))
    reseal(artifact.manifest_path)
    found = verify_model(path, artifact=artifact.directory)
    assert found.exact is not None
    assert (found.exact.state, found.exact.reason) == (
        "not covered",
        "weight 'another' is none that this model compiles to",
    )
    assert found.verdict != "right"


def test_a_change_that_no_comparison_of_outputs_finds(tmp_path: Path) -> None:
    """A softmax is invariant to an offset of its row up to rounding; in the finite field of the exact check, the sum of
    its results is not."""
    found = verified(
        tmp_path,
        lambda text: text.replace("forge.op.Softmax(", 'forge.op.Subtract("", forge.op.Softmax(').replace(
            "stable=True)", 'stable=True), forge.op.Constant("", constant=1e-13))'
        ),
    )
    assert {verdict for _, verdict in found.runs} == {"right"}
    assert (found.verdict, found.passed) == ("wrong", False)
    assert "not equal to the model" in found.reasons[0]


def test_a_softmax_that_overflows_is_wrong(tmp_path: Path) -> None:
    """The CPU reference computes it like the stable one."""
    found = verified(tmp_path, lambda text: text.replace("stable=True", "stable=False"))
    assert {verdict for _, verdict in found.runs} == {"right"}
    assert found.verdict == "wrong"
    assert "1 softmax of 'probe' have stable=False, and overflow" in found.reasons[0]


def test_a_pass_that_makes_a_softmax_overflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same function, of ordinary numbers."""

    def staged(module: ir.Module, passes: list[Pass]) -> Iterator[Stage]:
        yield from stages(module, passes)
        with module.context:
            for function in module.body.operations:
                for op in function.regions[0].blocks[0].operations:
                    if "stable" in op.operation.attributes:
                        op.operation.attributes["stable"] = ir.BoolAttr.get(False)
        yield Stage("wrong", module)

    stages = exact.staged
    artifact, imported = compile_traced(saved(product(), tmp_path), tmp_path / "out")
    monkeypatch.setattr(exact, "staged", staged)
    found = exactness_of(artifact, imported, {})
    assert found.state == "different"
    assert "softmax" in found.reason


def test_a_softmax_of_the_user_that_overflows_is_as_compiled(tmp_path: Path) -> None:
    """A softmax that a lowering requested is not an edit; calls that are equal, but written differently, are none
    either."""

    def lower(n: Any, b: Any) -> Any:
        n.ignore_attr("axis")
        return b.softmax(n.input(0), dim=-1, stable=False)

    path = saved(product(), tmp_path)
    options: Any = {"lowerings": [forge_mlir.lowering("", "Softmax")(lower)]}
    artifact = forge_mlir.compile(path, tmp_path / "out", **options)
    source = artifact.module_path.read_text()
    assert "stable=False" in source
    replace_module(artifact, source.replace("stable=False", "stable=True"))
    found = verify_model(path, artifact=artifact.directory, **options)
    assert (found.verdict, found.exact and found.exact.state) == ("right", "equal")


@pytest.mark.parametrize("is_sealed", [True, False])
def test_a_weight_with_an_error_of_a_millionth(is_sealed: bool, tmp_path: Path) -> None:
    """Also if the manifest still has the hash of the file before the edit."""

    def off(known: dict[str, Any]) -> None:
        known["w"][3, 5] *= 1 + 1e-6

    found = verified(tmp_path, tensors=off, is_sealed=is_sealed)
    assert found.exact is not None
    assert (found.verdict, found.exact.state) == ("wrong", "different")


def test_padding_of_pools_is_never_the_largest(tmp_path: Path) -> None:
    """If equal elements are drawn, either of them is the largest of its window, but not the padding value, which makes
    the convolution after it NaN."""
    nodes = [
        node("MaxPool", ["x"], ["pool"], "pool", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        node("Conv", ["pool", "w"], ["conv"], "conv"),
        node("QuantizeLinear", ["conv", "scale", "zero"], ["q"], "quantise"),
        node("DequantizeLinear", ["q", "scale", "zero"], ["y"], "dequantise"),
    ]
    numbers = {"scale": np.float32(0.01), "zero": np.int8(3)}
    model = build(nodes, {"x": (FLOAT, [1, 2, 6, 6])}, {"y": FLOAT}, w=weights(4, 2, 1, 1), **numbers)
    found = verify_model(saved(model, tmp_path))
    assert (found.verdict, found.exact and found.exact.state) == ("right", "equal")


def test_a_row_of_a_table_that_no_drawn_index_selects(tmp_path: Path) -> None:
    table = weights(4000, 8)
    model = build([node("Gather", ["t", "x"], ["y"], "gather")], {"x": (INT64, [4])}, {"y": FLOAT}, t=table)
    path = saved(model, tmp_path)
    artifact = forge_mlir.compile(path, tmp_path / "out")
    known = safetensors.torch.load_file(artifact.weights_path)
    known["t"][3210, 3] = 0
    safetensors.torch.save_file(known, artifact.weights_path)
    reseal(artifact.manifest_path)
    found = verify_model(path, artifact=artifact.directory, profiles=("normal",), seeds=1)
    assert found.verdict == "wrong"
    assert "weight 't' has 1 elements" in found.reasons[0]


def test_the_sign_of_a_zero_shows_in_its_reciprocal(tmp_path: Path) -> None:
    """1 / (x - -0) is infinity if x is either zero. The exact check has one zero, the inputs have both."""
    nodes = [node("Sub", ["x", "zero"], ["d"], "difference"), node("Reciprocal", ["d"], ["y"], "reciprocal")]
    model = build(nodes, {"x": (FLOAT, [4, 8])}, {"y": FLOAT}, zero=np.array(-0.0, np.float32))
    path = saved(model, tmp_path)
    artifact = forge_mlir.compile(path, tmp_path / "out")
    assert verify_model(path, artifact=artifact.directory).verdict == "right"
    source = artifact.module_path.read_text()
    replace_module(artifact, source.replace(", difference).set_src_layer", ", x).set_src_layer"))
    found = verify_model(path, artifact=artifact.directory)
    assert found.exact is not None
    assert (found.verdict, found.exact.state) == ("wrong", "equal")
    assert found.reasons[0].startswith("infinity of the other sign")


def test_a_weight_that_was_rounded_differently_is_right(tmp_path: Path) -> None:
    def next_number(known: dict[str, Any]) -> None:
        known["w"] = torch.nextafter(known["w"], torch.full_like(known["w"], np.inf))

    found = verified(tmp_path, tensors=next_number)
    assert (found.verdict, found.exact and found.exact.state) == ("right", "equal")


def test_a_module_that_is_only_written_differently(tmp_path: Path) -> None:
    """x w and (x * 2) (w / 2) are equal up to rounding."""
    found = verified(
        tmp_path,
        lambda text: text.replace(
            'forge.op.Softmax("", ', 'forge.op.Softmax("", forge.op.Multiply("", forge.op.Constant("", constant=1.0), '
        ).replace(", dim=-1, stable=True)", "), dim=-1, stable=True)"),
    )
    assert (found.verdict, found.exact and found.exact.state) == ("right", "equal")


def test_a_model_that_is_too_large_is_not_covered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "_MOST_WORK", 100)
    found = verified(tmp_path)
    assert found.exact is not None
    assert (found.verdict, found.exact.state) == ("right", "not covered")
    assert "steps" in found.exact.reason


def test_an_edit_of_a_model_that_is_too_large_is_undecided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "_MOST_WORK", 100)
    found = verified(tmp_path, lambda text: text.replace("dim=-1, stable=True", "dim=1, stable=True"))
    assert {verdict for _, verdict in found.runs} == {"right"}
    assert found.verdict == "undecided"
    assert "other calls" in found.reasons[0]


def test_programs_with_fast_math_are_not_covered(tmp_path: Path) -> None:
    artifact, imported = compile_traced(saved(product(), tmp_path), tmp_path / "out", fast_math=("reassociate",))
    found = exactness_of(artifact, imported, {"fast_math": ("reassociate",)})
    assert (found.state, found.reason) == ("not covered", "fast_math lets passes change what is computed")


def test_unsigned_integers_have_the_bits_of_the_device(tmp_path: Path) -> None:
    """0 - 1 is -1 in Int32, which is returned as 4294967295."""
    kind = onnx.TensorProto.UINT32
    model = build([node("Sub", ["x", "y"], ["z"], "sub")], {"x": (kind, [64]), "y": (kind, [64])}, {"z": kind})
    found = verify_model(saved(model, tmp_path))
    assert found.verdict == "right", found.reasons
