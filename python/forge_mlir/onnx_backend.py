"""Forge-MLIR as a backend of ONNX: `onnx.backend.base.Backend`, for `onnx.backend.test` and every tool that takes one.

    import forge_mlir.onnx_backend as backend
    outputs = backend.prepare(model).run([x])

Nodes that the device cannot run are run on the CPU; `prepare(model, fallback="error")` refuses them instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, ValueInfoProto, helper
from onnx.backend.base import Backend, BackendRep
from onnx.defs import onnx_opset_version
from onnx.shape_inference import infer_shapes

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.integration.session import InferenceSession


class ForgeBackendRep(BackendRep):  # type: ignore[misc]
    """A prepared model."""

    def __init__(self, session: InferenceSession) -> None:
        self._session = session

    def run(self, inputs: Any, **_: Any) -> tuple[Any, ...]:
        """The outputs in the model's order, for inputs as a sequence in that order, by name, or a single one."""
        names = [argument.name for argument in self._session.get_inputs()]
        if isinstance(inputs, Mapping):
            feed = dict(inputs)
        elif isinstance(inputs, (list, tuple)):
            if len(inputs) > len(names):
                raise ForgeError(Code.InputNames, f"expected {len(names)} inputs, but got {len(inputs)}")
            feed = dict(zip(names, inputs, strict=False))
        else:
            feed = {names[0]: inputs}
        return tuple(self._session.run(None, feed))


class ForgeBackend(Backend):  # type: ignore[misc]
    """Compiles models, and runs them on the CPU reference."""

    @classmethod
    def is_compatible(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        """Whether `model` compiles."""
        try:
            cls.prepare(model, device, **kwargs)
        except ForgeError:
            return False
        return True

    @classmethod
    def prepare(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> ForgeBackendRep:
        """Compiles `model`. Keyword arguments are those of `forge_mlir.compile`. Raises ForgeError."""
        if not cls.supports_device(device):
            raise ValueError(f"expected the device CPU, but got {device!a}")
        return ForgeBackendRep(InferenceSession(model, **kwargs))

    @classmethod
    def run_node(
        cls,
        node: NodeProto,
        inputs: Sequence[Any],
        device: str = "CPU",
        outputs_info: Sequence[tuple[Any, tuple[int, ...]]] | None = None,
        **kwargs: Any,
    ) -> tuple[Any, ...]:
        """Runs one node of the newest opset, or of that in `opset_version`."""
        opset = kwargs.pop("opset_version", None)
        arrays = dict(zip([name for name in node.input if name], map(np.asarray, inputs), strict=True))
        given = [_tensor(name, array.dtype, array.shape) for name, array in arrays.items()]
        imports = [helper.make_opsetid(node.domain, opset or onnx_opset_version())]
        model = helper.make_model(helper.make_graph([node], "node", given, []), opset_imports=imports)
        if outputs_info is None:
            inferred = {value.name: value for value in infer_shapes(model).graph.value_info}
            made = [inferred[name] for name in node.output if name]
        else:
            infos = zip(node.output, outputs_info, strict=True)
            made = [_tensor(name, dtype, shape) for name, (dtype, shape) in infos if name]
        model.graph.output.extend(made)
        return cls.prepare(model, device, **kwargs).run(arrays)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether `device` is the CPU: the reference runs there."""
        return device == "CPU"


def _tensor(name: str, dtype: Any, shape: Sequence[int]) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape)


is_compatible = ForgeBackend.is_compatible
prepare = ForgeBackend.prepare
run = ForgeBackend.run_model
run_model = ForgeBackend.run_model
run_node = ForgeBackend.run_node
supports_device = ForgeBackend.supports_device
