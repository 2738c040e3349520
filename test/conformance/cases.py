"""The cases of `onnx.backend.test`: node, simple, pytorch-converted, pytorch-operator and light."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import ModelProto, NodeProto, TensorProto, TypeProto, numpy_helper
from onnx.backend.test import loader
from onnx.backend.test.case.test_case import TestCase

from node_cases import node_cases

# The suite lists its light models under "real".
KINDS = {"node": "node", "simple": "simple", "pytorch-converted": "pytorch-converted",
         "pytorch-operator": "pytorch-operator", "real": "light"}  # fmt: skip
_LIGHT = "onnx/backend/test/data/light/"
_EXPANDED = re.compile(r"^(.+?)_expanded")

Arrays = dict[str, Any]
"""Tensors as arrays, sequences as lists of arrays, an absent optional as None."""
DataSet = tuple[Arrays, Arrays]


@dataclass(frozen=True)
class Case:
    """One case. `data` returns its (inputs, outputs) by ONNX name."""

    kind: str
    name: str
    rtol: float
    atol: float
    model: Callable[[], ModelProto]
    data: Callable[[ModelProto], Iterator[DataSet]]

    def op(self) -> str:
        """The op that the case tests (`domain.Op` outside the default domain), or "" for a whole model."""
        if self.kind != "node":
            return ""
        nodes = self.model().graph.node
        return op_name(nodes[0]) if len(nodes) == 1 else ""

    def has(self, op: str) -> bool:
        """Whether a node of the model is `op`."""
        return any(op in (node.op_type, op_name(node)) for node in self.model().graph.node)

    def dtype(self) -> str:
        """The element type of the first input, or of the first output where there is none; "" for no tensor."""
        graph = self.model().graph
        code = (*graph.input, *graph.output)[0].type.tensor_type.elem_type
        return str(TensorProto.DataType.Name(code).lower()) if code else ""


def op_name(node: NodeProto) -> str:
    return f"{node.domain}.{node.op_type}" if node.domain else str(node.op_type)


def all_cases(op: str = "") -> dict[str, Case]:
    """Every case by name, sorted by name within each kind; with `op`, only the cases of this op."""
    cases: dict[str, Case] = {}
    for suite, kind in KINDS.items():
        tests = node_cases() if kind == "node" else loader.load_model_tests(kind=suite)
        for test in sorted(tests, key=lambda test: test.name):
            cases[test.name] = _case(kind, test)
    return {name: case for name, case in cases.items() if cases[unexpanded(cases, name)].has(op)} if op else cases


def unexpanded(cases: Mapping[str, Case], name: str) -> str:
    """The name of the case whose expansion `name` is, or `name` itself. An expanded case tests the op that it defines,
    not the ops of its body."""
    found = _EXPANDED.match(name)
    return found[1] if found and found[1] in cases else name


def _case(kind: str, test: TestCase) -> Case:
    if kind == "node":
        return Case(kind, test.name, test.rtol, test.atol, lambda: test.model, partial(_in_memory, test))
    if kind == "light":
        path = Path(loader.DATA_DIR) / "light" / test.url.removeprefix(_LIGHT)
        return Case(kind, test.name, test.rtol, test.atol, partial(onnx.load, path), partial(_light, path))
    folder = Path(test.model_dir)
    model = partial(onnx.load, folder / "model.onnx")
    return Case(kind, test.name, test.rtol, test.atol, model, partial(_stored, folder))


def _names(model: ModelProto) -> tuple[list[str], list[str]]:
    constants = {tensor.name for tensor in model.graph.initializer}
    inputs = [value.name for value in model.graph.input if value.name not in constants]
    return inputs, [value.name for value in model.graph.output]


def _in_memory(test: TestCase, model: ModelProto) -> Iterator[DataSet]:
    inputs, outputs = _names(model)
    for given, expected in test.data_sets:
        yield (
            {name: _value(value) for name, value in zip(inputs, given, strict=True)},
            {name: _value(value) for name, value in zip(outputs, expected, strict=True)},
        )


def _value(value: Any) -> Any:
    if isinstance(value, TensorProto):
        return np.asarray(numpy_helper.to_array(value))
    if isinstance(value, onnx.SequenceProto):
        return numpy_helper.to_list(value)
    if isinstance(value, onnx.OptionalProto):
        return numpy_helper.to_optional(value)
    if isinstance(value, (list, tuple)):
        return [_value(item) for item in value]
    return None if value is None else np.asarray(value)


def _stored(folder: Path, model: ModelProto) -> Iterator[DataSet]:
    inputs, outputs = _names(model)
    types = {value.name: value.type for value in (*model.graph.input, *model.graph.output)}
    for data in sorted(folder.glob("test_data_set_*")):
        yield (
            {name: _read(data / f"input_{at}.pb", types[name]) for at, name in enumerate(inputs)},
            {name: _read(data / f"output_{at}.pb", types[name]) for at, name in enumerate(outputs)},
        )


def _read(path: Path, proto: TypeProto) -> Any:
    kinds = {"sequence_type": onnx.SequenceProto, "optional_type": onnx.OptionalProto}
    message = kinds.get(proto.WhichOneof("value"), TensorProto)()
    message.ParseFromString(path.read_bytes())
    return _value(message)


def _light(path: Path, model: ModelProto) -> Iterator[DataSet]:
    """The cases of light models. The suite makes their inputs as a ramp over [0, 1) in the shape of the input, and
    contains the expected outputs."""
    inputs, outputs = _names(model)
    types = {value.name: value.type.tensor_type for value in model.graph.input}
    given = {}
    for name in inputs:
        shape = [dim.dim_value for dim in types[name].shape.dim]
        size = int(np.prod(shape))
        given[name] = (np.arange(size).reshape(shape) / size).astype(np.float32)
    shipped = {name: path.with_name(f"{path.stem}_output_{at}.pb") for at, name in enumerate(outputs)}
    if all(file.exists() for file in shipped.values()):
        yield given, {name: _tensor(file) for name, file in shipped.items()}
        return
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    yield given, dict(zip(outputs, session.run(outputs, given), strict=True))


def _tensor(path: Path) -> npt.NDArray[Any]:
    tensor = TensorProto()
    tensor.ParseFromString(path.read_bytes())
    return np.asarray(numpy_helper.to_array(tensor))
