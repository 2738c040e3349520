"""Models with planned fills on tiles with poisoned padding: results are right, padding is as predicted, and every fill
is needed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnx import TensorProto, helper, numpy_helper
from padding_models import RandomModel
from torch_mlir import ir

from forge_mlir import ForgeError, import_onnx
from forge_mlir._native import tile_padding_targets
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.recipe import COMPUTED_OPS
from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.pass_pipeline import run_pipeline
from forge_mlir.execute.run import run
from forge_mlir.execute.tile_emulator import SELF_MASKING, TiledTensor, TileEmulator
from forge_mlir.verify import OUTPUT_LIMITS, Limits, compare_values, golden_outputs
from sample_models.goldens import CLOSE
from sample_models.repository import data_of, stored

POISONS = [math.nan, math.inf, -math.inf, 1e30, None]
TARGET = "ttnn-conservative"
MODELS = stored("gpt2_block", "vit", "bert", "resnet18")

Arrays = dict[str, np.ndarray]


def reading_model() -> onnx.ModelProto:
    """Softmax, mean, max, a product whose contracted axis has padding, and a layer norm, on values computed on the
    device."""
    rng = np.random.default_rng(0)
    weights = {
        "w": rng.normal(size=(10, 40)).astype(np.float32),
        "scale": rng.normal(size=10).astype(np.float32),
        "bias": rng.normal(size=10).astype(np.float32),
    }
    nodes = [
        helper.make_node("Transpose", ["x"], ["t"], perm=[0, 2, 1, 3]),
        helper.make_node("Softmax", ["t"], ["softmax"], axis=-1),
        helper.make_node("Softmax", ["t"], ["softmax_rows"], axis=-2),
        helper.make_node("ReduceMean", ["t"], ["mean"], axes=[-1]),
        helper.make_node("ReduceMax", ["t"], ["max"], axes=[-1]),
        helper.make_node("ReduceSum", ["t", "rows"], ["sum"]),
        helper.make_node("ArgMax", ["t"], ["argmax"], axis=-1),
        helper.make_node("MatMul", ["t", "w"], ["product"]),
        helper.make_node("LayerNormalization", ["t", "scale", "bias"], ["norm"], axis=-1),
    ]
    outputs = ["softmax", "softmax_rows", "mean", "max", "sum", "product", "norm"]
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    infos.append(helper.make_tensor_value_info("argmax", TensorProto.INT64, None))
    graph = helper.make_graph(
        nodes,
        "reading",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 7, 3, 10])],
        infos,
        [numpy_helper.from_array(value, name) for name, value in weights.items()]
        + [numpy_helper.from_array(np.array([-2], np.int64), "rows")],
    )
    return onnx.shape_inference.infer_shapes(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    )


@dataclass
class Planned:
    """A compiled model, and for each call its op and the predicted padding of its result."""

    artifact: Artifact
    inputs: Arrays
    goldens: Arrays
    states: list[tuple[str, str]] = field(default_factory=list)
    fills: list[int] = field(default_factory=list)
    """The positions, among the pads, of those that are fills."""
    plan: str = ""

    def on(self, emulator: TileEmulator) -> Arrays:
        return run(self.artifact, self.inputs, emulator)

    def matches(self, results: Arrays) -> bool:
        return not self.wrong(results)

    def wrong(self, results: Arrays) -> set[str]:
        """The outputs that differ from the goldens."""
        limits = Limits(CLOSE, OUTPUT_LIMITS.pcc)
        rows = compare_values({name: results[name] for name in self.goldens}, self.goldens, limits)
        return {row.name for row in rows if not row.passed}


def plan(model: onnx.ModelProto | Path, inputs: Arrays, goldens: Arrays, directory: Path) -> Planned:
    planned = Planned(compile(model, directory, name="m", fill_tile_padding=TARGET, flat=True), inputs, goldens)
    module = import_onnx(model).module
    annotate = f"func.func(forge-fill-tile-padding{{target={TARGET} annotate=true explain=true}})"
    found = run_pipeline(module, f"builtin.module(onnx-to-forge-pipeline{{fill-tile-padding=none}},{annotate})")
    planned.plan = next(remark.message for remark in found if remark.message.startswith("tile padding"))
    pads = 0
    weights: set[ir.Value] = set()

    def visit(operation: ir.Operation) -> ir.WalkResult:
        nonlocal pads
        name = operation.name
        is_source = name in ("forge.constant", "forge.parameter", "forge.scalar_constant")
        is_computed = name.removeprefix("forge.") in COMPUTED_OPS and (
            all(value in weights for value in operation.operands)
            and not any(use.owner.name == "func.return" for use in operation.results[0].uses)
        )
        if is_source or is_computed:
            weights.update(operation.results)
        if name.startswith("forge.") and not is_computed and name not in ("forge.constant", "forge.parameter"):
            planned.states.append((name, str(operation.attributes["forge.padding"].value)))
            if name == "forge.pad":
                if "forge.fill" in operation.attributes and operation.attributes["forge.fill"].value == "fill":
                    planned.fills.append(pads)
                pads += 1
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    planned.states = called(planned)
    return planned


def called(planned: Planned) -> list[tuple[str, str]]:
    """The predicted states of the calls, in the order of the module, without ops that are computed with the weights. In
    the module, scalar constants come first."""
    calls = re.findall(r"= forge\.op\.(\w+)\(", planned.artifact.module_path.read_text())
    numbers = iter([state for state in planned.states if state[0] == "forge.scalar_constant"])
    states = iter(planned.states)
    found = []
    for call in calls:
        if call == "Constant":
            found.append(next(numbers))
        else:
            found.append(next(state for state in states if plain(state[0].removeprefix("forge.")) == plain(call)))
    return found


def plain(name: str) -> str:
    return name.replace("_", "").lower()


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Planned:
    model = reading_model()
    inputs = {"x": np.random.default_rng(1).normal(size=(1, 7, 3, 10)).astype(np.float32)}
    return plan(model, inputs, golden_outputs(model.SerializeToString(), inputs), tmp_path_factory.mktemp("reading"))


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("poison", POISONS)
def test_a_model_with_fills_is_right_for_any_padding(reading: Planned, poison: float | None, in_place: bool) -> None:
    assert reading.matches(reading.on(TileEmulator(poison, in_place=in_place)))


def test_every_fill_is_needed(reading: Planned) -> None:
    assert len(reading.fills) >= 8, "one fill per reader, two of the layer norm"
    for fill in reading.fills:
        # In place, one fill could replace another.
        emulators = [TileEmulator(poison, unfilled=fill, in_place=False) for poison in POISONS]
        assert not all(reading.matches(reading.on(emulator)) for emulator in emulators), f"fill {fill} is not needed"


def test_without_a_plan_the_model_is_wrong(reading: Planned, tmp_path: Path) -> None:
    model = reading_model()
    unplanned = Planned(compile(model, tmp_path), reading.inputs, reading.goldens)
    results = unplanned.on(TileEmulator(math.nan))
    assert reading.wrong(results) == set(reading.goldens)


def test_the_self_masking_target_needs_its_masks(tmp_path: Path, reading: Planned) -> None:
    artifact = compile(reading_model(), tmp_path, fill_tile_padding="ttnn-self-masking")
    planned = Planned(artifact, reading.inputs, reading.goldens)
    assert planned.matches(planned.on(TileEmulator(math.nan, masked=SELF_MASKING, retile=0.0)))
    assert not planned.matches(planned.on(TileEmulator(math.nan, retile=0.0)))


def holds(state: str) -> Callable[[torch.Tensor], bool]:
    """A function that tells whether values agree with a state such as `live 0`."""
    kind = state.removeprefix("live ")
    match kind:
        case "none":
            return lambda values: values.numel() == 0
        case "undef":
            return lambda _: True
        case "finite":
            return lambda values: bool(torch.isfinite(values.double()).all())
    constant = torch.tensor(float(kind), dtype=torch.float64)  # States are printed with six digits.
    return lambda values: bool(torch.isclose(values.double(), constant, rtol=1e-5, atol=0).all())


def outside(planned: Planned, poison: float | None) -> list[str]:
    """Runs the model, and returns every call whose padding differs from the prediction."""
    found: list[str] = []
    calls = 0

    def check(op: str, result: TiledTensor) -> None:
        nonlocal calls
        name, state = planned.states[calls]
        expected = plain(name.removeprefix("forge."))
        assert expected == plain({"Constant": "scalar_constant"}.get(op, op)), f"call {calls} is another op"
        for region in state.split(", "):
            where, what = region.split(" ", 1)
            if not holds(what)(result.padding()[where]):
                found.append(f"call {calls}, {name}: {where} should hold {what}")
        calls += 1

    planned.on(TileEmulator(poison, on_call=check))
    assert calls == len(planned.states)
    return found


@pytest.mark.parametrize("poison", POISONS)
def test_padding_is_as_predicted(reading: Planned, poison: float | None) -> None:
    assert outside(reading, poison) == []


def test_a_wrong_prediction_is_found(reading: Planned) -> None:
    at = next(index for index, (_, state) in enumerate(reading.states) if "undef" in state)
    name, state = reading.states[at]
    states = [*reading.states[:at], (name, state.replace("undef", "0")), *reading.states[at + 1 :]]
    assert outside(Planned(reading.artifact, reading.inputs, reading.goldens, states), math.nan)


def test_a_quotient_by_a_zero_of_unknown_sign_is_filled(tmp_path: Path) -> None:
    graph = helper.make_graph(
        [
            helper.make_node("Neg", ["x"], ["negative"]),
            helper.make_node("Mul", ["x", "negative"], ["product"]),
            helper.make_node("Div", ["minus_one", "product"], ["quotient"]),
            helper.make_node("ReduceMax", ["quotient"], ["y"], axes=[1]),
        ],
        "quotient",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 10])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 1])],
        [numpy_helper.from_array(np.float32(-1), "minus_one")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    inputs = {"x": np.ones((2, 10), np.float32)}
    planned = plan(model, inputs, golden_outputs(model.SerializeToString(), inputs), tmp_path)
    assert planned.matches(planned.on(TileEmulator(math.nan)))
    assert outside(planned, math.nan) == []


# In place, the elements that the pad adds are in the padding of its operand: a fill before the Tanh would overwrite
# them, and they overwrite a fill before the Pad, so that no later op can share it.
@pytest.mark.parametrize(
    "ops",
    [("Pad", "Softmax", "Tanh"), ("Softmax", "Pad", "Tanh", "LogSoftmax"), ("LogSoftmax", "Pad", "Softmax", "Tanh")],
)
@pytest.mark.parametrize("in_place", [False, True])
def test_fills_next_to_a_pad_in_place(tmp_path: Path, ops: Sequence[str], in_place: bool) -> None:
    operands = {"Pad": ["exp", "pads"], "Tanh": ["Pad"]}
    nodes = [helper.make_node(op, operands.get(op, ["exp"]), [op], name=op) for op in ops]
    graph = helper.make_graph(
        [helper.make_node("Exp", ["x"], ["exp"]), *nodes],
        "pad",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [7, 3])],
        [helper.make_tensor_value_info(op, TensorProto.FLOAT, None) for op in ops if op != "Pad"],
        [numpy_helper.from_array(np.array([0, 0, 0, 5]), "pads")],
    )
    model = onnx.shape_inference.infer_shapes(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)
    )
    inputs = {"x": np.random.default_rng(0).normal(size=(7, 3)).astype(np.float32)}
    planned = plan(model, inputs, golden_outputs(model.SerializeToString(), inputs), tmp_path)
    assert planned.matches(planned.on(TileEmulator(math.nan, in_place=in_place)))
    assert outside(planned, math.nan) == []


@pytest.mark.parametrize("folder", MODELS, ids=lambda path: path.name)
def test_whole_models_on_a_target_that_masks(folder: Path, tmp_path: Path) -> None:
    inputs, goldens = data_of(folder)
    planned = Planned(compile(folder / "model.onnx", tmp_path, fill_tile_padding="ttnn-self-masking"), inputs, goldens)
    assert planned.matches(planned.on(TileEmulator(math.nan, masked=SELF_MASKING, retile=0.0)))


@pytest.mark.parametrize("folder", MODELS, ids=lambda path: path.name)
def test_whole_models_on_poisoned_tiles(folder: Path, tmp_path: Path) -> None:
    inputs, goldens = data_of(folder)
    planned = plan(folder / "model.onnx", inputs, goldens, tmp_path)
    for poison in (math.nan, None):
        assert planned.matches(planned.on(TileEmulator(poison)))
        assert outside(planned, poison) == []


@pytest.mark.parametrize("seed", range(8))
def test_random_models_on_poisoned_tiles(seed: int, tmp_path: Path) -> None:
    model = RandomModel(seed, steps=15)
    inputs = {"x": np.random.default_rng(seed).normal(size=model.input_shape).astype(np.float32)}
    goldens = run(compile(model.build(), tmp_path / "unplanned"), inputs)
    assert all(np.isfinite(golden).all() for golden in goldens.values())
    planned = plan(model.build(), inputs, goldens, tmp_path)
    for poison, in_place in ((math.nan, True), (-math.inf, False), (None, True)):
        assert planned.matches(planned.on(TileEmulator(poison, in_place=in_place)))
    assert outside(planned, math.nan) == []


def test_the_targets_are_those_of_the_pass(tmp_path: Path) -> None:
    model = reading_model()
    for target in tile_padding_targets():
        compile(model, tmp_path / target, fill_tile_padding=target)
    with pytest.raises(ForgeError, match="expected ttnn-conservative, ttnn-self-masking, none"):
        compile(model, tmp_path, fill_tile_padding="gpu")
    with pytest.raises(ForgeError, match=f"expected a target of {', '.join(tile_padding_targets())}, but got 'gpu'"):
        run_pipeline(import_onnx(model).module, "builtin.module(onnx-to-forge-pipeline{fill-tile-padding=gpu})")
