"""Converts emitted modules back to IR by recording the calls of `forward` on placeholders for tensors.

Nothing is computed. Weights are the steps that compute them from the model's weights, from the manifest of a traced
compilation.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
from torch_mlir import ir
from torch_mlir.dialects import func

from forge_mlir import _native
from forge_mlir import runtime as reference
from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.reader import Artifact
from forge_mlir.dialects import forge
from forge_mlir.equivalence.program import Array, Function, NotCovered, Type
from forge_mlir.execute.device_module import load_namespace

_ELEMENTS = {
    reference.DataFormat.Float32: "f32",
    reference.DataFormat.Float16: "f16",
    reference.DataFormat.Float16_b: "bf16",
    reference.DataFormat.Int32: "i32",
}
_STORED = {
    "float32": ("f32", np.dtype(np.float32)),
    "float16": ("f16", np.dtype(np.float16)),
    "bfloat16": ("bf16", np.dtype(ml_dtypes.bfloat16)),
    "int32": ("i32", np.dtype(np.int32)),
}


Edits = Mapping[str, npt.NDArray[np.bool_]]
"""The elements of weights that differ from their recipe, by the name of the weight in its module."""


def module_of(artifact: Artifact, function: Function, context: ir.Context, edits: Edits) -> ir.Module:
    """The calls of a device module as a function with the name, arguments and outputs of `function`.

    The artifact has to be one of `compile_traced`; `edits` are edited weights by name. Raises NotCovered for a module
    that cannot be read.
    """
    manifest = artifact.manifest()
    forge.register(context)
    with context, ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            made = func.FuncOp(function.name, ([_ir_type(type_) for type_ in function.arguments], []))
        block = made.add_entry_block()
        with ir.InsertionPoint(block):
            recorder = _Recorder(manifest, edits)
            try:
                results = recorder.run(artifact, [_Tensor(argument) for argument in block.arguments])
            except NotCovered:
                raise
            except Exception as error:  # edited modules may raise anything
                frames = traceback.walk_tb(error.__traceback__)
                own = [line for frame, line in frames if frame.f_code.co_filename == str(artifact.module_path)]
                where = f"line {own[-1]}: " if own else ""
                what = f"{type(error).__name__}: {error}".partition("\n")[0]
                raise NotCovered(f"the module cannot be read back: {where}{what}") from error
            if len(results) != len(function.outputs):
                raise NotCovered(f"the module returns {len(results)} results, not {len(function.outputs)}")
            func.ReturnOp(results)
        types = ir.FunctionType.get([argument.type for argument in block.arguments], [each.type for each in results])
        made.operation.attributes["function_type"] = ir.TypeAttr.get(types)
        names = [ir.DictAttr.get({"forge.onnx_name": ir.StringAttr.get(name)}) for name in function.outputs]
        made.operation.attributes["res_attrs"] = ir.ArrayAttr.get(names)
    return module


class _Tensor:
    """Stands in for a tensor in an emitted module."""

    def __init__(self, value: ir.Value) -> None:
        self.value = value
        self._value: Any = None  # Set by `release` in emitted modules.

    def set_src_layer(self, _layer: str) -> _Tensor:
        return self


_Call = Callable[[str, Sequence[Any], Mapping[str, Any]], _Tensor]


class _Package:
    """Stands in for the `forge` package in an emitted module, once its weights are declared."""

    DataFormat = reference.DataFormat

    def __init__(self, call: _Call) -> None:
        self.op = _Calls(call)


class _Calls:
    def __init__(self, call: _Call) -> None:
        self._call = call

    def __getattr__(self, name: str) -> Callable[..., _Tensor]:
        return lambda *arguments, **named: self._call(name, arguments, named)


class _Recorder:
    """Creates the ops of one module at the insertion point."""

    def __init__(self, manifest: Json, edits: Edits) -> None:
        self._class, self._digest = manifest["class"], manifest["python_sha256"]
        self._weights = {entry["name"]: entry for entry in manifest["weights"]}
        self._edits = edits
        self._known: dict[str, _Tensor] = {}

    def run(self, artifact: Artifact, arguments: Sequence[_Tensor]) -> list[ir.Value]:
        """The results of `forward` as values."""
        namespace = load_namespace(artifact.module_path, self._digest)
        module = namespace[self._class]()
        module.get_parameter = module.get_constant = self._weight
        namespace["forge"] = _Package(self._call)
        results = module.forward(*arguments)
        return [each.value for each in (results if isinstance(results, (tuple, list)) else (results,))]

    def _call(self, name: str, arguments: Sequence[Any], named: Mapping[str, Any]) -> _Tensor:
        signature = inspect.signature(getattr(reference.op, name))
        bound = signature.bind(*arguments, **named)
        bound.apply_defaults()
        op, order = _ops()[name]
        given: dict[str, Any] = {}
        for key, value in bound.arguments.items():
            if key not in order or value is None:
                continue
            if isinstance(value, tuple) and any(isinstance(each, _Tensor) for each in value):
                value = [each.value for each in value]
            elif isinstance(value, _Tensor):
                value = value.value
            elif isinstance(value, reference.DataFormat):
                value = ir.Type.parse(_ELEMENTS[value])
            given[key] = list(value) if isinstance(value, tuple) else value
        return _Tensor(_made(op, given))

    # Weights

    def _weight(self, name: str) -> _Tensor:
        if name not in self._known:
            if (entry := self._weights.get(name)) is None:
                raise NotCovered(f"weight {name!a} is none that the manifest lists")
            if (source := entry.get("source")) is None:
                raise NotCovered(f"weight {name!a} is none that this model compiles to")
            steps = source["steps"] if "steps" in source else [{**source, **_type_of(entry)}]
            values: list[ir.Value] = []
            for step in steps:
                values.append(_step(step, [values[at] for at in step.get("operands", ())]))
            self._known[name] = _Tensor(self._edited(name, entry, _expanded(values[-1], entry["shape"])))
        return self._known[name]

    def _edited(self, name: str, entry: Json, value: ir.Value) -> ir.Value:
        if name not in self._edits:
            return value
        # An edited weight has no recipe and becomes a weight of its own.
        where = self._edits[name]
        condition = _constant(where.astype(np.int32), "int32")
        edited = _step({"key": f"{name}, edited", **_type_of(entry)}, [])
        return _made("forge.where", {"condition": condition, "x": edited, "y": value})


def _expanded(value: ir.Value, shape: Sequence[int]) -> ir.Value:
    """Broadcasts a weight to its full shape, as loading does if the recipe gives a smaller one."""
    made = list(ir.RankedTensorType(value.type).shape)
    if made == list(shape):
        return value
    aligned = [1] * (len(shape) - len(made)) + made
    if aligned != made:
        value = _made("forge.reshape", {"operandA": value, "shape": aligned})
    repeats = [whole // part for whole, part in zip(shape, aligned, strict=True)]
    return _made("forge.repeat", {"operandA": value, "repeats": repeats})


def _step(step: Json, operands: list[ir.Value]) -> ir.Value:
    """Creates the op of one step of a recipe."""
    if "key" in step:
        type_ = _ir_type(Type(_STORED[step["dtype"]][0], tuple(step["shape"])))
        return _classes()["forge.parameter"](type_, step["key"]).operation.result
    if "op" not in step:
        shape, kind = tuple(step["shape"]), _STORED[step["dtype"]][1]
        if "splat" in step:
            return _constant(np.full(shape, float(step["splat"])), step["dtype"])
        return _constant(np.frombuffer(bytes.fromhex(step["hex"]), dtype=kind).reshape(shape), step["dtype"])
    op = f"forge.{step['op']}"
    if op in ("forge.squeeze", "forge.unsqueeze"):
        op = "forge.reshape"
    order = next(order for known, order in _ops().values() if known == op)
    if op == "forge.cast":
        value = _made(op, {"operandA": operands[0], "dtype": ir.Type.parse(_STORED[step["dtype"]][0])})
        if step.get("saturates"):
            value.owner.attributes["forge.saturates"] = ir.UnitAttr.get()
        return value
    if order[0] == "operands":
        return _made(op, {"operands": operands, "axis": step["axis"]})
    attributes = {name: bool(step[name]) if name == "keep_dim" else step[name] for name in order if name in step}
    return _made(op, {**dict(zip(order, operands, strict=False)), **attributes})


def _made(op: str, given: Mapping[str, Any]) -> ir.Value:
    # Renamed because the op classes use the name otherwise.
    named = {"operands_" if key == "operands" else key: value for key, value in given.items()}
    result: ir.Value = _classes()[op](**named).operation.result
    return result


def _constant(elements: Array, kind: str) -> ir.Value:
    element, dtype = _STORED[kind]
    shape = elements.shape or (1,)
    type_ = _ir_type(Type(element, shape))
    if element == "bf16":  # not a numpy type
        words = ", ".join(f"0x{bits:04X}" for bits in elements.astype(dtype).reshape(-1).view(np.uint16).tolist())
        attribute = ir.Attribute.parse(f"dense<[{words}]> : tensor<{elements.size}xbf16>")
        flat = _classes()["forge.constant"](attribute).operation.result
        return _made("forge.reshape", {"operandA": flat, "shape": list(shape)})
    with np.errstate(over="ignore"):
        stored = np.ascontiguousarray(elements.astype(dtype).reshape(shape))
    attribute = ir.DenseElementsAttr.get(stored, signless=True)
    return _classes()["forge.constant"](attribute, results=[type_]).operation.result


def _type_of(entry: Json) -> Json:
    return {"dtype": entry["dtype"], "shape": entry["shape"]}


def _ir_type(type_: Type) -> ir.Type:
    return ir.RankedTensorType.get(type_.shape, ir.Type.parse(type_.element))


@cache
def _ops() -> dict[str, tuple[str, tuple[str, ...]]]:
    """The op and the names of its operands and attributes, by the name of the call."""
    return {callee.removeprefix("forge.op."): (op, tuple(order)) for op, callee, _, order, _ in _native.forge_calls()}


@cache
def _classes() -> dict[str, Any]:
    return {each.OPERATION_NAME: each for each in forge.OP_CLASSES}
