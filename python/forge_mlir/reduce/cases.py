"""Extracts smaller models from a model, with inputs recorded in one run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import onnx.numpy_helper
import onnx.shape_inference
from onnx import GraphProto, ModelProto, NodeProto, ValueInfoProto, helper

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, escaped, quote
from forge_mlir.execute.onnx.child_process import EngineStopped, running_in_child
from forge_mlir.execute.onnx.nodes import OnnxNodes, element_code
from forge_mlir.execute.values.array_files import save_npz
from forge_mlir.importer.onnx_import import whole_model
from forge_mlir.onnx_model.dtypes import element_text
from forge_mlir.onnx_model.errors import OnnxImportError
from forge_mlir.onnx_model.graph import names_read
from forge_mlir.support.sandbox import Limits, isolated

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Case:
    """A model with inputs. `values` are the known values of the original model by name."""

    model: ModelProto
    values: Mapping[str, npt.NDArray[Any]]

    @property
    def nodes(self) -> list[NodeProto]:
        return list(self.model.graph.node)

    @property
    def inputs(self) -> Arrays:
        """The arrays for those inputs of the graph whose values are known."""
        names = [value.name for value in self.model.graph.input]
        return {name: self.values[name] for name in names if name in self.values}

    def save(self, model: Path, inputs: Path) -> None:
        self.save_model(model)
        self.save_inputs(inputs)

    def save_model(self, path: Path) -> None:
        path.write_bytes(self.model.SerializeToString())

    def save_inputs(self, path: Path) -> None:
        save_npz(path, self.inputs)

    def with_nodes(self, nodes: Iterable[NodeProto], outputs: Iterable[str] | None = None) -> Case | None:
        """The same model with a subset of its nodes: values without a producer become inputs, values without a user
        become outputs. None if nothing is known about a value that would become an input."""
        kept = list(nodes)
        made = [name for node in kept for name in node.output if name]
        read = {name for node in kept for name in names_read(node)}
        wanted = {value.name for value in self.model.graph.output}
        results = list(outputs) if outputs is not None else [n for n in made if n not in read or n in wanted]
        if not results:
            return None
        source = self.model.graph
        initializers = [tensor for tensor in source.initializer if tensor.name in read]
        sparse = [tensor for tensor in source.sparse_initializer if tensor.values.name in read]
        known = {*made, *(tensor.name for tensor in initializers), *(tensor.values.name for tensor in sparse)}
        types = {value.name: value for value in (*source.input, *source.value_info, *source.output)}
        graph = GraphProto(name=source.name or "reduced", node=kept, initializer=initializers)
        graph.sparse_initializer.extend(sparse)
        for name in sorted(read - known):
            info = self._info(name, types)
            if info is None:
                return None
            graph.input.append(info)
        graph.output.extend(types.get(name, ValueInfoProto(name=name)) for name in results)
        graph.value_info.extend(types[name] for name in made if name in types and name not in results)
        model = ModelProto()
        model.CopyFrom(self.model)
        model.graph.CopyFrom(graph)
        return replace(self, model=model)

    def without_types(self) -> Case:
        """The case without declared types, except for the element types of inputs and outputs."""
        model = ModelProto()
        model.CopyFrom(self.model)
        del model.graph.value_info[:]
        for value in model.graph.output:
            value.type.tensor_type.ClearField("shape")
        return replace(self, model=model)

    def with_output_types(self, limits: Limits) -> Case:
        """The case with the shapes of outputs that onnx can infer."""
        model = _inferred(self.model, limits)
        del model.graph.value_info[:]
        return replace(self, model=model)

    def _info(self, name: str, types: Mapping[str, ValueInfoProto]) -> ValueInfoProto | None:
        if name in self.values:
            value = self.values[name]
            return helper.make_tensor_value_info(name, element_code(value.dtype), value.shape)
        return types.get(name)


def capture(
    model: str | os.PathLike[str] | ModelProto,
    inputs: Mapping[str, npt.NDArray[Any]],
    bound: Mapping[str, npt.NDArray[Any]] | None = None,
    limits: Limits | None = None,
) -> Case:
    """The whole model as a case, with the values of every node that ONNX can execute. `bound` inputs become
    initializers. The model is read, its types are inferred and its nodes are run in child processes under `limits`.
    Raises ForgeError for a file that is not an ONNX model."""
    limits = limits or Limits()
    proto = ModelProto()
    if isinstance(model, ModelProto):
        proto.CopyFrom(model)
    else:
        proto.ParseFromString(_read(model, limits))
    _check_inputs(proto, inputs, bound or {}, "model" if isinstance(model, ModelProto) else escaped(model))
    for name, value in (bound or {}).items():
        for at in reversed([at for at, tensor in enumerate(proto.graph.initializer) if tensor.name == name]):
            del proto.graph.initializer[at]  # the default of the input
        proto.graph.initializer.append(onnx.numpy_helper.from_array(np.asarray(value), name))
    constants = {tensor.name for tensor in proto.graph.initializer}
    entries = [value for value in proto.graph.input if value.name not in constants]
    del proto.graph.input[:]
    proto.graph.input.extend(entries)
    for graph_input in proto.graph.input:
        if graph_input.name in inputs:
            value = inputs[graph_input.name]
            graph_input.CopyFrom(
                helper.make_tensor_value_info(graph_input.name, element_code(value.dtype), value.shape)
            )
    proto = _inferred(proto, limits)
    try:
        with running_in_child(limits):
            return Case(proto, _values(proto, inputs))
    except ForgeError as error:  # A tensor is damaged, so that the model cannot be written either.
        label = "model" if isinstance(model, ModelProto) else escaped(model)
        raise ForgeError(error.code, f"{label}: {error.message}") from error


def _check_inputs(model: ModelProto, inputs: Mapping[str, npt.NDArray[Any]], bound: Iterable[str], label: str) -> None:
    """Raises ForgeError for given inputs that the model does not have, or has in another dtype, which would look like
    failures, and, if some are given, for others without a value."""
    given = set(inputs)
    graph = model.graph
    defaults = {tensor.name for tensor in graph.initializer}
    # A part of the model that is extracted may begin at any tensor, and sequences and maps have names with an ending.
    names = {value.name for value in graph.input} | {name for node in graph.node for name in node.output}
    stray = sorted(name for name in given if not {name, name.rpartition(".")[0]} & names)
    entries = [value.name for value in graph.input if value.type.HasField("tensor_type")]
    missing = [name for name in entries if name not in {*given, *bound, *defaults}] if given <= {*entries} else []
    if stray or (given and missing):
        reason = f"there is no input {quote(stray[0])}" if stray else f"no value for input {quote(missing[0])}"
        expected = ", ".join(quote(value.name) for value in graph.input[:20]) or "none"
        raise ForgeError(Code.InputNames, f"{label}: {reason}; its inputs are {expected}")
    for value in graph.input:
        code, array = value.type.tensor_type.elem_type, inputs.get(value.name)
        if code and array is not None and array.dtype.kind in "biuf" and code != element_code(array.dtype):
            reason = f"expected dtype {element_text(code)}, but got {array.dtype.name}"
            raise ForgeError(Code.InputMismatch, f"{label}: input {quote(value.name)}: {reason}")


def _read(model: str | os.PathLike[str], limits: Limits) -> bytes:
    """A model as protobuf serialises it, with its external data."""
    try:
        return isolated("onnx", partial(whole_model, model), limits, escaped(model))
    except OnnxImportError as error:
        raise error.in_model(escaped(model)) from error


def _inferred(model: ModelProto, limits: Limits) -> ModelProto:
    """A copy of the model with the types that onnx can infer, and none if it fails: types are not needed."""
    found = ModelProto()
    found.CopyFrom(model)
    with suppress(Exception):  # onnx raises many exception types
        infer = partial(onnx.shape_inference.infer_shapes, model)
        found.ParseFromString(isolated("onnx", lambda: bytes(infer().SerializeToString()), limits))
    return found


def _values(model: ModelProto, inputs: Mapping[str, npt.NDArray[Any]]) -> Arrays:
    """Every tensor of one run. All are kept in memory; a model too large for that has to be reduced manually first."""
    nodes = OnnxNodes(model, {})
    known: dict[str, Any] = dict(inputs)
    for node in nodes.nodes:
        if not all(name in known or name in nodes.constants for name in names_read(node)):
            continue
        try:
            known.update(nodes.prepare(node)(known))
        except (ForgeError, EngineStopped):
            continue
    return {
        name: value
        for name, value in {**nodes.constants, **known}.items()
        if isinstance(value, np.ndarray) and value.dtype.kind not in "OUS"
    }
