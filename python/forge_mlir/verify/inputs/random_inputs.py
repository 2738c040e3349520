"""Seeded random inputs that are valid for a model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import GraphProto, NodeProto

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.execute.device_module import Arrays
from forge_mlir.execute.values.random_inputs import MOST
from forge_mlir.execute.values.random_inputs import random_inputs as seeded
from forge_mlir.importer import ImportedModel

# Ops whose integer result only contains values of their first input, reordered or repeated.
_PASSING = {"Cast", "Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose", "Slice", "Split", "Expand",
            "Tile", "Gather", "Concat"}  # fmt: skip

# Inputs with class labels or numbers of images, which are not negative, and the axis of input 0 that they index.
_LABELS = {"SoftmaxCrossEntropyLoss": (1, 1), "NegativeLogLikelihoodLoss": (1, 1), "RoiAlign": (2, 0)}

# Ops that round to an integer or compute a remainder.
_ROUNDING = {"Round", "Floor", "Ceil", "Mod"}

# Input 1 of these ops contains positions along axes of input 0.
_INDEXED = {"Gather", "GatherElements", "ScatterElements", "Scatter", "GatherND", "ScatterND"}

# Inputs with lengths: (operand, operand of the axis, axis).
_LENGTHS = {"LSTM": (4, 0, 0), "GRU": (4, 0, 0), "RNN": (4, 0, 0), "Attention": (6, 1, -2)}

# The position operand of RotaryEmbedding, and the operand whose rows it selects, by domain. Positions are not negative.
_POSITIONS = {"": (3, 1), "com.microsoft": (1, 2)}


def random_inputs(manifest: dict[str, Any], seed: int = 0, imported: ImportedModel | None = None) -> Arrays:
    """Inputs by ONNX name: normally distributed floats, booleans, and integers that are valid as indices.

    Index inputs are determined from the graph of `imported`; without it, integers are 0 or 1.
    """
    indexed = IndexedInputs.of(imported)
    return indexed.adjusted(seeded(manifest, seed, indexed.below))


def inputs_of_import(imported: ImportedModel, seed: int = 0) -> Arrays:
    """`random_inputs` for a model that is not compiled. Raises ForgeError if it has open dims."""
    for info in imported.inputs:
        if "(" not in info.dtype and (info.shape is None or any(isinstance(size, str) for size in info.shape)):
            raise ForgeError(Code.InputsOpen, f"input {info.name!a} has open dims; give them sizes, or give inputs")
    named = [info._asdict() | {"shape": list(info.shape or ())} for info in imported.inputs]
    sizes = [{"onnx_name": info["name"], "shape": info["shape"]} for info in named]
    return random_inputs({"onnx": {"inputs": named}, "inputs": sizes}, seed, imported)


class IndexedInputs:
    """The number of valid indices of each integer input."""

    @staticmethod
    def of(imported: ImportedModel | None) -> IndexedInputs:
        return IndexedInputs(imported.graph.graph if imported and imported.graph else GraphProto())

    def __init__(self, graph: GraphProto) -> None:
        self.rounds = any(node.op_type in _ROUNDING for node in graph.node)
        """Whether the model rounds to integers."""
        self._readers: dict[str, list[NodeProto]] = {}
        for node in graph.node:
            for name in set(node.input):
                self._readers.setdefault(name, []).append(node)
        self._shapes = {tensor.name: list(tensor.dims) for tensor in graph.initializer}
        for value in (*graph.input, *graph.output, *graph.value_info):
            if value.type.tensor_type.HasField("shape"):
                self._shapes[value.name] = [dim.dim_value for dim in value.type.tensor_type.shape.dim]

    def below(self, name: str) -> int:
        """The number of indices that are valid for everything that `name` indexes."""
        return self.most(name) or MOST

    def adjusted(self, inputs: Arrays) -> Arrays:
        """`inputs` with 1 for each 0 of an integer divisor, as ONNX does not define division by zero, and with numbers
        of images in the regions of MaxRoiPool."""
        return {
            name: self._adjusted(name, value) if isinstance(value, np.ndarray) else value
            for name, value in inputs.items()
        }

    def _adjusted(self, name: str, value: npt.NDArray[Any]) -> npt.NDArray[Any]:
        if value.dtype.kind in "iu" and self._divides(name):
            return np.where(value == 0, value.dtype.type(1), value)
        for node, read in self._uses(name):
            if node.op_type == "MaxRoiPool" and node.input[1] == read and value.shape[1:] == (5,) and value.size:
                images = np.arange(len(value)) % max([1, *self._shapes.get(node.input[0], [])[:1]])
                return np.concatenate([images[:, None].astype(value.dtype), value[:, 1:]], axis=1)
        return value

    def _uses(self, name: str) -> Iterator[tuple[NodeProto, str]]:
        """The nodes that read the input, also after it was moved, each with the name that it reads."""
        pending, seen = [name], {name}
        while pending:
            value = pending.pop()
            for node in self._readers.get(value, ()):
                yield node, value
                moved = node.input if node.op_type == "Concat" else node.input[:1]
                if node.op_type in _PASSING and value in moved:
                    pending += (output for output in node.output if output not in seen)
                    seen.update(node.output)

    def _divides(self, name: str) -> bool:
        """Whether the input is a divisor."""
        return any(node.op_type in ("Div", "Mod") and node.input[1] == value for node, value in self._uses(name))

    def is_signed(self, name: str) -> bool:
        """Whether negative indices, which count from the end, are valid too."""
        readers = self._readers.get(name, ())
        return not any(
            node.op_type in _LABELS or _is_length(node, name) or _is_position(node, name) for node in readers
        )

    def most(self, name: str) -> int | None:
        """The number of valid indices of `name`, or one more than the largest valid length; None for an input that is
        neither an index nor a length."""
        return min((size for size in self._indexed(name) if size > 0), default=None)

    def _indexed(self, name: str) -> Iterator[int]:
        for node, value in self._uses(name):
            if node.op_type in _INDEXED and node.input[1] == value:
                yield from self._sizes(node)
            elif _is_length(node, value):
                _, operand, axis = _LENGTHS[node.op_type]
                shape = self._shapes.get(node.input[operand], [])
                yield 1 + shape[axis] if len(shape) > 1 and shape[axis] else 0
            elif _is_position(node, value):
                yield self._positions(node, value)
            elif node.op_type == "OneHot" and node.input[0] == value:
                yield MOST
            elif node.op_type in _LABELS and node.input[_LABELS[node.op_type][0]] == value:
                axis = _LABELS[node.op_type][1]
                yield next(iter(self._shapes.get(node.input[0], [])[axis : axis + 1]), 0)

    def _positions(self, node: NodeProto, name: str) -> int:
        """The number of valid positions in `name`. A scalar is the first position of a sequence, all of which need a
        row."""
        rows = self._shapes.get(node.input[_POSITIONS[node.domain][1]], [])[:1]
        operand = self._shapes.get(node.input[0], [])
        is_first = self._shapes.get(name) == [1] and len(operand) > 2
        return max(1, rows[0] - (operand[-2] - 1 if is_first else 0)) if rows else 0

    def _sizes(self, node: NodeProto) -> list[int]:
        shape = self._shapes.get(node.input[0], [])
        if node.op_type.endswith("ND"):
            return shape
        axis = next((attribute.i for attribute in node.attribute if attribute.name == "axis"), 0)
        return [shape[axis]] if -len(shape) <= axis < len(shape) else []


def _is_length(node: NodeProto, name: str) -> bool:
    operand = _LENGTHS.get(node.op_type, (0, 0, 0))[0]
    return bool(operand) and len(node.input) > operand and node.input[operand] == name


def _is_position(node: NodeProto, name: str) -> bool:
    if node.op_type != "RotaryEmbedding" or node.domain not in _POSITIONS:
        return False
    operand = _POSITIONS[node.domain][0]
    return len(node.input) > operand and node.input[operand] == name
