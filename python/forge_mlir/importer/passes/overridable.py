"""Initializers that are also graph inputs, which ONNX allows callers to override, stay inputs with a default."""

from __future__ import annotations

from collections.abc import Sequence

from onnx import ModelProto, TensorProto

from forge_mlir.codes import Code
from forge_mlir.onnx_model.errors import import_error, quote


def keep_inputs(model: ModelProto, names: Sequence[str]) -> dict[str, TensorProto]:
    """Removes the initializers `names` from the graph of `model`, so that their inputs are inputs. Returns their
    values.

    The inputs get the shapes of their values. Raises OnnxImportError for a name that is not both.
    """
    graph = model.graph
    inputs = {value.name: value for value in graph.input}
    both = {tensor.name: tensor for tensor in graph.initializer if tensor.name in inputs}
    defaults: dict[str, TensorProto] = {}
    for name in dict.fromkeys(names):
        if name not in both:
            shown = ", ".join(map(quote, sorted(both)[:16])) or "none"
            raise import_error(
                Code.InputUnknown,
                f"{quote(name)} is not both an initializer and an input of the graph",
                hint=f"those that are: {shown}",
            )
        defaults[name] = TensorProto.FromString(both[name].SerializeToString())
        shape = inputs[name].type.tensor_type.shape
        shape.ClearField("dim")
        shape.SetInParent()
        for size in both[name].dims:
            shape.dim.add().dim_value = size
        graph.initializer.remove(both[name])
    return defaults
