"""Whether the converted graph computes what ONNX says of each node, in float64, where no rounding hides an error.

The exact check (exact.py) starts from the converted graph. A converter that is a little off, such as a bias that is
multiplied by 1.0005, may stay within what float32 loses in a long sum. So the converted graph is evaluated in float64
with the model's weights, and each node in float64 by onnx.reference, from the operands that the converted graph has:
what is left are the roundings of constants, whose effect is measured by moving them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import NodeProto

from forge_mlir.codes import Code
from forge_mlir.equivalence.in_float64 import unit_of_16_bits
from forge_mlir.equivalence.interpreter import Evaluation
from forge_mlir.equivalence.numbers.algebra import LARGE, Reals
from forge_mlir.equivalence.program import Function, NotCovered, Op, Type
from forge_mlir.errors import ForgeError
from forge_mlir.execute.onnx.child_process import EngineStopped
from forge_mlir.execute.onnx.nodes import OnnxNodes, draws
from forge_mlir.importer import ImportedModel
from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.onnx_model.graph import names_read, node_opset, node_where
from forge_mlir.support.known_deviations import deviations_of
from forge_mlir.support.opsets import declared_opsets

Array = npt.NDArray[Any]

_SMOOTH = frozenset(
    (
        *("Add", "Sub", "Mul", "Div", "Neg", "Abs", "Sqrt", "Reciprocal", "Exp", "Log", "Pow", "Sum", "Mean"),
        *("Erf", "Tanh", "Sigmoid", "Softplus", "Softsign", "Elu", "Selu", "Celu", "Gelu", "Mish", "Swish"),
        *("HardSigmoid", "HardSwish", "LeakyRelu", "PRelu", "Sin", "Cos", "Tan", "Sinh", "Cosh", "Atan"),
        *("MatMul", "Gemm", "Conv", "ConvTranspose", "Einsum", "LSTM", "GRU", "RNN", "Attention", "RotaryEmbedding"),
        *("LayerNormalization", "BatchNormalization", "InstanceNormalization", "GroupNormalization"),
        *("RMSNormalization", "LRN", "LpNormalization", "MeanVarianceNormalization", "Softmax", "LogSoftmax"),
        *("ReduceSum", "ReduceMean", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp"),
        *("ReduceSumSquare", "CumSum", "AveragePool", "GlobalAveragePool", "LpPool", "GlobalLpPool"),
    )
)
"""Ops whose results change as little as their operands do, so that a difference is no other choice."""

_NEAR = 1e-9
"""What float64 and the limits of algorithms leave, of an element and of its row's root mean square."""
_FLOAT32_STEPS = frozenset(
    ("Erf", "Gelu", "HardSwish", "HardSigmoid", "Mish", "GroupNormalization", "Log", "LogSoftmax", "ReduceLogSum")
)
_NEAR_FLOAT32 = 1e-6
"""As `_NEAR`, for ops of which onnx.reference computes some steps in float32, and for logarithms, to whose operand the
device adds 1e-10 and which are scaled by a constant (docs/numerics.md). It is relative to the operand, too."""
_LOGARITHMS = frozenset(("Log", "LogSoftmax", "Softplus", "Mish", "ReduceLogSum", "ReduceLogSumExp"))
_NEAR_ONE = 1e-9
"""What the 1e-10 that the device adds to the operand of a logarithm may make of a result that is nearly 0."""
_JUMPS = 1e-6
"""An element that moves by more, when operands move by `_NEAR`, is next to another choice."""
_CANCELLED = 1e-13
"""What float64 leaves of a difference that is 0, of numbers about 1."""
_TIMES_MOVED = 4.0
_DRAWS = 4
"""In one draw, the movements of many constants may cancel where their roundings do not: of thousands of elements, one
then exceeds the limit. Elements that do are compared with the largest movement of so many draws."""
_MOST_WINDOW_ELEMENTS = 1 << 27
"""Of a convolution in onnx.reference: 1 GB in float64."""
_ROUNDING = 2.0**-24
_EXACT_BITS = 2.0**11


@dataclass(frozen=True)
class Misconverted:
    """A node whose conversion computes something else: `index` of its result `name` is `actual` and should be
    `expected`."""

    node: NodeProto
    name: str
    index: tuple[int, ...]
    actual: float
    expected: float

    def explain(self) -> str:
        where = f"{node_where(self.node)}: result {self.name!a}{list(self.index) if self.index else ''}"
        return f"{where} is {self.actual:.9g} in float64, and {self.expected:.9g} by onnx.reference"


@dataclass(frozen=True)
class Conversion:
    """How many results of nodes were compared, and the first one that is something else."""

    compared: int
    wrong: Misconverted | None = None


def compared_in_float64(
    function: Function, imported: ImportedModel, arguments: Mapping[str, Any], names: Sequence[str]
) -> Conversion:
    """Of the converted `function`; `names` are the ONNX names of its arguments, whose values are `arguments`. Raises
    NotCovered."""
    if len(names) != len(function.arguments):
        raise NotCovered(f"{len(function.arguments)} arguments of {len(names)} inputs")
    nodes = OnnxNodes.of(imported)
    given = [_argument(arguments, name, type_) for name, type_ in zip(names, function.arguments, strict=True)]
    held = _held(function, imported, nodes, given, None)
    moved = _Moved(lambda seed: _held(function, imported, nodes, given, seed))
    values: dict[str, Any] = {name: np.asarray(value) for name, value in arguments.items()}
    with np.errstate(all="ignore"):
        return _compared(nodes, values, held, moved)


def _compared(nodes: OnnxNodes, values: dict[str, Any], held: Mapping[str, Array], moved: _Moved) -> Conversion:
    """Node by node, from the operands that the converted graph has, as far as it has them."""
    compared = 0
    for node, results in _results(nodes, values):
        for name in node.output:
            actual, golden = held.get(name), results.get(name)
            if actual is None or not isinstance(golden, np.ndarray) or actual.size != golden.size:
                if (known := golden if actual is None else actual) is not None:
                    values[name] = known
                continue
            actual = actual.reshape(golden.shape)
            values[name] = actual if is_floating(golden.dtype) else actual.astype(golden.dtype)
            if is_floating(golden.dtype) and _is_judged(nodes, node):
                wrong = _differ(nodes, node, values, actual, golden, moved.movement(name, actual, draws=1))
                if wrong.any():
                    wrong &= ~_is_explained(nodes, node, values, name, golden)
                if wrong.any():
                    folded = _after_folds(nodes, node, values).get(name, golden).reshape(golden.shape)
                    wrong &= _differ(nodes, node, values, actual, folded, moved.movement(name, actual, draws=_DRAWS))
                if wrong.any():
                    return Conversion(compared, _first(node, name, wrong, actual, golden))
                compared += 1
    return Conversion(compared)


def _results(nodes: OnnxNodes, values: Mapping[str, Any]) -> Iterator[tuple[NodeProto, dict[str, Any]]]:
    """Each node with its results, up to one that takes too much time or memory."""
    for node in nodes.nodes:
        try:
            results = _in_float64(nodes, node, values)
        except EngineStopped as stopped:
            if stopped.error.code == Code.ChildCrashed:
                raise
            return
        yield node, results


@dataclass
class _Moved:
    """The ONNX values that `evaluate` gives for a seed, with constants moved by a rounding in random directions."""

    evaluate: Callable[[int], Mapping[str, Array]]
    _drawn: list[Mapping[str, Array]] = field(default_factory=list)

    def movement(self, name: str, actual: Array, *, draws: int) -> Array:
        """By how much the elements of `actual`, the value called `name`, move at most in so many draws."""
        while len(self._drawn) < draws:
            self._drawn.append(self.evaluate(1 + len(self._drawn)))
        moved = [np.abs(each[name].reshape(actual.shape) - actual) for each in self._drawn[:draws]]
        return np.asarray(np.max(moved, axis=0))


def _argument(arguments: Mapping[str, Any], name: str, type_: Type) -> Array:
    if name not in arguments:
        raise NotCovered(f"argument {name!a} is no input")
    value = np.asarray(arguments[name])
    if value.dtype.kind in "OUSc" or value.size != np.prod(type_.shape):
        raise NotCovered(f"input {name!a} is no tensor of the argument's shape")
    return value.astype(np.float64 if type_.is_float else np.int64).reshape(type_.shape)


@dataclass
class _Moving(Reals):
    """Constants that are no short fractions are moved by a rounding of float32: what conversions store of pi is. In a
    16-bit format, whose rounding is `unit`, only integers and halves are exact."""

    random: np.random.Generator | None = None
    unit: float = 0.0

    def number(self, value: float) -> Array:
        return self._moved(super().number(value))

    def constant(self, elements: Array) -> Array:
        return self._moved(super().constant(elements))

    def _moved(self, elements: Array) -> Array:
        if self.random is None or elements.dtype.kind != "f":
            return elements
        with np.errstate(invalid="ignore"):
            exact = 2 * elements if self.unit else np.frexp(elements)[0] * _EXACT_BITS
            signs = self.random.choice([-1.0, 1.0], elements.shape)
            moved = elements * (1 + max(self.unit, _ROUNDING) * signs)
            return np.where(exact != np.floor(exact), moved, elements)


@dataclass(frozen=True)
class _OfModel(Evaluation):
    """Constants that the model has are not moved."""

    known: frozenset[str] = field(default_factory=frozenset)

    def _constant(self, op: Op) -> Any:
        elements = op.attributes["value"]
        is_known = isinstance(elements, np.ndarray) and any(
            self.known.issuperset(each) and each for each in _traced(op)
        )
        return elements if is_known and op.type.is_float else super()._constant(op)


def _held(
    function: Function, imported: ImportedModel, nodes: OnnxNodes, given: list[Array], seed: int | None
) -> dict[str, Array]:
    """The ONNX values that the function holds, in float64; with a `seed`, with constants moved by a rounding."""
    found: dict[str, Array] = {}

    def watch(at: int, _: list[Any], results: list[Any]) -> None:
        for value, names in zip(results, _traced(function.ops[at]), strict=False):
            found.update((name, value) for name in names)

    def weight(key: str, type_: Type) -> Array:
        if key not in imported.weights:
            raise NotCovered(f"weight {key!a} is none of the model")
        kind = np.float64 if type_.is_float else np.int64
        return np.asarray(imported.weights[key].array()).astype(kind).reshape(type_.shape)

    algebra = _Moving(None if seed is None else np.random.default_rng(seed), unit_of_16_bits(function))
    with np.errstate(all="ignore"):
        _OfModel(algebra, weight, watch, known=frozenset(nodes.constants)).outputs(function, given)
    return found


_TRACE = re.compile(r'^loc\(fused<\[(.*)\]>\[?["@]')
_ENTRIES = re.compile(r'\[((?:"(?:[^"\\]|\\.)*"(?:, )?)*)\]')
_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|.)")


def _traced(op: Op) -> list[list[str]]:
    """By result, the ONNX values that are held as they are: not scaled, nor in another shape."""
    found = _TRACE.match(op.location)
    if found is None:
        return []
    return [[_unescaped(name) for name in _NAME.findall(entry)] for entry in _ENTRIES.findall(found[1])]


def _unescaped(text: str) -> str:
    def character(found: re.Match[bytes]) -> bytes:
        return bytes.fromhex(found[1].decode()) if len(found[1]) == 2 else found[1]

    return _ESCAPE.sub(character, text.encode()).decode(errors="replace")


def _in_float64(nodes: OnnxNodes, node: NodeProto, values: Mapping[str, Any]) -> dict[str, Any]:
    """The results of a node; none where onnx.reference cannot run it, or where it draws numbers."""
    if draws(node, nodes.constants) or _window_elements(nodes, node, values) > _MOST_WINDOW_ELEMENTS:
        return {}
    try:
        return nodes.prepare(node, on_reference=True, wide=True)(values)
    except ForgeError:
        return {}


def _window_elements(nodes: OnnxNodes, node: NodeProto, values: Mapping[str, Any]) -> int:
    """The elements of the windows of a convolution, which onnx.reference stores at once, with the zeros between the
    elements of dilated kernels."""
    if node.op_type != "Conv":
        return 0
    x, w = (np.shape(values.get(name, nodes.constants.get(name, ()))) for name in node.input[:2])
    dilations = next((each.ints for each in node.attribute if each.name == "dilations"), [1] * len(w[2:]))
    kernel = [(size - 1) * dilation + 1 for size, dilation in zip(w[2:], dilations, strict=False)]
    return int(math.prod(x[1:]) * math.prod(kernel))


def _is_judged(nodes: OnnxNodes, node: NodeProto) -> bool:
    opsets = declared_opsets(nodes.model)
    opset = node_opset(node) or opsets.get(node.domain, 0)
    if any(attribute.name == "softmax_precision" for attribute in node.attribute):
        return False  # onnx.reference casts the scores to that type, also from float64.
    return not node.domain and node.op_type in _SMOOTH and not deviations_of("onnx.reference", node, opset)


def _rounds(nodes: OnnxNodes, node: NodeProto, values: Mapping[str, Any]) -> bool:
    """Whether the evaluation may round sums to float32: an operand is so large, such as the -1e9 of a mask."""
    operands = (values.get(name, nodes.constants.get(name)) for name in node.input)
    return any(
        isinstance(each, np.ndarray) and each.dtype.kind == "f" and (np.abs(each) >= LARGE).any() for each in operands
    )


def _limit(nodes: OnnxNodes, node: NodeProto, values: Mapping[str, Any], golden: Array, movement: Array) -> Array:
    """By how much elements may be apart: what float64 and the roundings of constants explain."""
    size = np.abs(golden) + _of_row(golden)
    if node.op_type in _FLOAT32_STEPS:
        operand = np.asarray(values.get(node.input[0], golden), np.float64)  # It may be a constant of the model.
        near, size = _NEAR_FLOAT32, size + (np.abs(operand) if operand.shape == golden.shape else 0)
    else:
        near = _NEAR
    least = _NEAR_ONE if node.op_type in _LOGARITHMS else _CANCELLED
    rounding = 2 * _ROUNDING * np.abs(golden) if _rounds(nodes, node, values) else 0
    return least + near * size + rounding + _TIMES_MOVED * (movement + _of_row(movement))


def _differ(
    nodes: OnnxNodes, node: NodeProto, values: Mapping[str, Any], actual: Array, golden: Array, movement: Array
) -> npt.NDArray[np.bool_]:
    """Which finite elements are further apart than the limit."""
    isfinite = np.isfinite(actual) & np.isfinite(golden)
    return np.asarray(~(np.abs(actual - golden) <= _limit(nodes, node, values, golden, movement)) & isfinite)


def _after_folds(nodes: OnnxNodes, node: NodeProto, values: Mapping[str, Any]) -> dict[str, Any]:
    """The results of a node whose operands, if they are computed from constants only, are rounded to the types of the
    model, as by a conversion that folds them."""
    folded: dict[str, Any] = dict(nodes.constants)
    for each in nodes.nodes:
        if each is node:
            break
        if each.op_type in ("Shape", "Size"):
            folded.update({name: values[name] for name in each.output if name in values})
        elif not draws(each, nodes.constants) and all(name in folded for name in names_read(each)):
            with suppress(ForgeError):
                folded.update(nodes.prepare(each, on_reference=True)(folded))
    return _in_float64(nodes, node, {**values, **{name: folded[name] for name in names_read(node) if name in folded}})


def _of_row(x: Array) -> Array:
    """The root mean square of what is finite along the last axis."""
    finite = np.where(np.isfinite(x), x, 0)
    return np.asarray(np.sqrt((finite**2).mean(-1, keepdims=True)) if x.ndim and x.size else np.abs(finite))


def _is_explained(
    nodes: OnnxNodes, node: NodeProto, values: Mapping[str, Any], name: str, golden: Array
) -> npt.NDArray[np.bool_]:
    """Which elements onnx.reference itself gives otherwise when its operands move by a little."""
    random = np.random.default_rng(0)
    shifted = {each: _shifted(values[each], random) for each in names_read(node) if each in values}
    other = _in_float64(nodes, node, {**values, **shifted}).get(name)
    if not isinstance(other, np.ndarray) or other.shape != golden.shape:
        return np.ones(golden.shape, bool)
    return np.asarray(np.abs(other - golden) > _JUMPS * (np.abs(golden) + _of_row(golden)))


def _shifted(value: Any, random: np.random.Generator) -> Any:
    if not isinstance(value, np.ndarray) or not is_floating(value.dtype):
        return value
    return value.astype(np.float64) * (1 + _NEAR * random.standard_normal(value.shape))


def _first(node: NodeProto, name: str, wrong: npt.NDArray[np.bool_], actual: Array, golden: Array) -> Misconverted:
    """The element that is furthest off."""
    apart = np.where(wrong, np.abs(actual - golden), -1.0)
    index = tuple(int(at) for at in np.unravel_index(int(apart.argmax()), apart.shape))
    return Misconverted(node, name, index, float(actual[index]), float(golden[index]))
