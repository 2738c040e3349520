"""``forge.compile`` on the CPU: checks what Forge's graph builder would reject, then evaluates the module on every
call."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from .data_format import forge_dataformat_to_pytorch_dtype, pytorch_dtype_to_forge_dataformat
from .module import ForgeModule
from .op._call import Call
from .tensor import Parameter, Tensor


@dataclass(frozen=True)
class CompiledModel:
    """Calls the module on torch tensors. Integers are converted to int32 on input and output, as on the device; one
    that does not fit raises OverflowError."""

    module: ForgeModule
    name: str
    input_shapes: tuple[tuple[int, ...], ...]

    def __call__(self, *inputs: torch.Tensor) -> list[torch.Tensor]:
        """The outputs, always as a list. RuntimeError for another count or shape than compiled for."""
        shapes = tuple(tuple(value.shape) for value in inputs)
        if shapes != self.input_shapes:
            raise RuntimeError(f"'{self.name}' is compiled for inputs of shapes {self.input_shapes}, got {shapes}")
        result = self.module(*(_device_dtype(value) for value in inputs))
        return [_device_dtype(output.value()) for output in _as_tuple(result)]


def compile(  # the name Forge gives it
    module: ForgeModule, sample_inputs: Sequence[torch.Tensor | Tensor], module_name: str | None = None
) -> CompiledModel:
    """Run the module once on the samples, check it, and return a callable that runs it on the CPU.

    Nothing is compiled: options that only affect the device's compiler are not accepted. TypeError for a module that is
    not a ForgeModule. RuntimeError for what Forge's graph builder cannot handle: an output that is neither the result
    of an op nor an input, the same output twice, and a parameter with the name of an input.
    """
    if not isinstance(module, ForgeModule):
        raise TypeError(f"the CPU reference runs ForgeModules, got {type(module).__name__}")
    inputs = [value if isinstance(value, Tensor) else Tensor.create_from_torch(value) for value in sample_inputs]
    name = module_name or module.name
    arguments = set(inspect.signature(module.forward).parameters)
    for parameter in module.get_parameters():
        if parameter.get_name() in arguments:
            raise RuntimeError(f"'{name}': parameter '{parameter.get_name()}' is called like an input of forward")
    seen: list[Tensor] = []
    for position, output in enumerate(_as_tuple(module(*inputs))):
        made_here = output.src_op is not None if isinstance(output, Tensor) else False
        if not made_here and not any(output is value for value in inputs):
            raise RuntimeError(f"'{name}': output {position}, {output!r}, is made by no op; wrap it in Identity")
        if any(output is earlier for earlier in seen):
            raise RuntimeError(f"'{name}': output {position}, {output!r}, is returned twice; wrap it in Identity")
        seen.append(output)
    return CompiledModel(module, name, tuple(value.shape for value in inputs))


def _as_tuple(result: Tensor | Parameter | Sequence[Tensor]) -> Sequence[Tensor]:
    return (result,) if isinstance(result, Tensor | Parameter) else result  # type: ignore[return-value]


def _device_dtype(value: torch.Tensor) -> torch.Tensor:
    if value.dtype == torch.int64:
        Call("compile", "").require_int32(value, value)
    return value.to(forge_dataformat_to_pytorch_dtype(pytorch_dtype_to_forge_dataformat(value.dtype)))
