"""ForgeModule: the base class of generated modules."""

from __future__ import annotations

import copy
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from .data_format import pytorch_dtype_to_forge_dataformat
from .tensor import Parameter, Tensor, fit_to_declared


@dataclass
class _Constant:
    """A declared constant; ``shape`` is None when the declaration leaves it open."""

    shape: tuple[int, ...] | None
    dtype: torch.dtype
    tensor: Tensor | None = None


class ForgeModule:
    """Holds parameters and constants by name and computes ``forward`` on torch.

    Subclasses define ``forward(self, *inputs)``, call ``super().__init__(name)`` before anything else, and
    may fill their weights in ``process_framework_parameters``.
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"a module's name must be a string, got {name!r}")
        self.name = name
        self._parameters: dict[str, Parameter] = {}
        self._constants: dict[str, _Constant] = {}
        self._submodules: dict[str, ForgeModule] = {}
        self.subgraph_idx = 0
        self.input_names: list[str] = []

    # Parameters

    def add_parameter(self, name: str, parameter: Parameter, prepend_name: bool = False) -> None:
        """Declare a parameter. RuntimeError if the name is taken."""
        if not isinstance(parameter, Parameter):
            raise TypeError(f"module '{self.name}': '{name}' must be a forge Parameter, got {parameter!r}")
        if name in self._parameters:
            raise RuntimeError(f"module '{self.name}' already has a parameter '{name}'")
        self._parameters[name] = parameter
        parameter._set_auto_name(f"{self.name}.{name}" if prepend_name else name)

    def get_parameter(self, name: str) -> Parameter:
        """The parameter of that name. RuntimeError if there is none."""
        if name not in self._parameters:
            raise RuntimeError(f"module '{self.name}' has no parameter '{name}'")
        return self._parameters[name]

    def get_parameters(self, submodules: bool = True) -> list[Parameter]:
        """All parameters, those of submodules included by default."""
        found = list(self._parameters.values())
        if submodules:
            for child in self._submodules.values():
                found += child.get_parameters()
        return found

    def set_parameter(self, name: str, data: torch.Tensor) -> None:
        """Fill in a parameter. RuntimeError for an unknown name and for what ``Parameter.set_value`` refuses."""
        self.get_parameter(name).set_value(data)

    def load_parameter_dict(self, data: Mapping[str, torch.Tensor]) -> None:
        """``set_parameter`` for every entry."""
        for name, value in data.items():
            self.set_parameter(name, value)

    # Constants

    def add_constant(
        self,
        name: str,
        prepend_name: bool = False,  # noqa: ARG002 (accepted and ignored by Forge too)
        shape: tuple[int, ...] | None = None,
        dtype: torch.dtype = torch.float32,
    ) -> None:
        """Declare a constant. RuntimeError if the name is taken or the dtype has no Forge format."""
        if name in self._constants:
            raise RuntimeError(f"module '{self.name}' already has a constant '{name}'")
        pytorch_dtype_to_forge_dataformat(dtype)
        self._constants[name] = _Constant(tuple(shape) if shape else None, dtype)

    def get_constant(self, name: str) -> Tensor:
        """The constant's value. RuntimeError if the name is unknown, or no value was set.

        Forge hands out uninitialised memory in the second case.
        """
        tensor = self._constant(name).tensor
        if tensor is None:
            raise RuntimeError(f"module '{self.name}': constant '{name}' was never set")
        return tensor

    def set_constant(self, name: str, data: torch.Tensor | Tensor) -> None:
        """Fill in a constant; a 0-d value takes a declared shape of one element.

        RuntimeError for an unknown name, another shape than declared, or a dtype that travels in another
        data format than the declared one.
        """
        declared = self._constant(name)
        value = data.value() if isinstance(data, Tensor) else data
        owner = f"module '{self.name}': constant '{name}' of shape {declared.shape} and {declared.dtype}"
        if not isinstance(value, torch.Tensor):
            raise AssertionError(f"{owner} takes a torch tensor, got {type(value).__name__}")
        if pytorch_dtype_to_forge_dataformat(value.dtype) is not pytorch_dtype_to_forge_dataformat(declared.dtype):
            raise RuntimeError(f"{owner} cannot hold {value.dtype}")
        if declared.shape is not None:
            value = fit_to_declared(value, declared.shape, owner)
        declared.tensor = Tensor.create_from_torch(value.detach(), constant=True)

    def _constant(self, name: str) -> _Constant:
        if name not in self._constants:
            raise RuntimeError(f"module '{self.name}' has no constant '{name}'")
        return self._constants[name]

    # Attributes

    def __setattr__(self, name: str, value: Any) -> None:
        """Assigning a Parameter or a ForgeModule (or a list or dict of them) registers it under the attribute."""
        if isinstance(value, Parameter | ForgeModule | dict | list) and not name.startswith("_"):
            if "_parameters" not in self.__dict__:
                raise RuntimeError("call super().__init__(name) before assigning to a ForgeModule")
            self._register(name, value)
        super().__setattr__(name, value)

    def _register(self, key: str, value: Any) -> None:
        match value:
            case Parameter():
                self._parameters[key] = value
                value._set_auto_name(f"{self.name}.{key}")
            case ForgeModule():
                self._submodules[key] = value
                value.name = f"{self.name}.{key}"
            case dict():
                for name, item in value.items():
                    if isinstance(item, Parameter | ForgeModule):
                        self._register(f"{key}.{name}", item)
            case list():
                for position, item in enumerate(value):
                    if isinstance(item, Parameter | ForgeModule):
                        self._register(f"{key}.{position}", item)

    # Evaluation

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"module '{self.name}' does not define forward")

    def process_framework_parameters(self, model: Any = None) -> None:
        """Fill in parameters and constants from the original model. Nothing to do here."""

    def unset_names(self) -> list[str]:
        """Names of declared parameters and constants that have no value, submodules included."""
        names = [name for name, parameter in self._parameters.items() if not parameter.has_value()]
        names += [name for name, constant in self._constants.items() if constant.tensor is None]
        for child in self._submodules.values():
            names += [f"{child.name}: {name}" for name in child.unset_names()]
        return names

    def __call__(self, *inputs: torch.Tensor | Tensor | Parameter) -> Any:
        """Compute ``forward`` on torch tensors or forge Tensors; what it returns comes back unchanged.

        RuntimeError if a weight was never set or the count differs from ``input_names``; TypeError for an
        input or output that is no tensor.
        """
        unset = self.unset_names()
        if unset:
            raise RuntimeError(f"module '{self.name}': never set: {', '.join(unset)}")
        wrapped = [_wrap(value, f"input {position}") for position, value in enumerate(inputs)]
        if self.input_names:
            if len(wrapped) != len(self.input_names):
                raise RuntimeError(f"module '{self.name}' takes {len(self.input_names)} inputs, got {len(wrapped)}")
            result = self.forward(**dict(zip(self.input_names, wrapped, strict=True)))
        else:
            result = self.forward(*wrapped)
        for position, value in enumerate(result if isinstance(result, tuple | list) else [result]):
            if not isinstance(value, Tensor | Parameter):
                raise TypeError(f"module '{self.name}': output {position} is no forge Tensor but {value!r}")
        return result


def _wrap(value: torch.Tensor | Tensor | Parameter, what: str) -> Tensor | Parameter:
    if isinstance(value, Tensor | Parameter):
        return value
    if isinstance(value, torch.Tensor):
        return Tensor.create_from_torch(value)
    raise TypeError(f"{what} must be a torch or forge tensor, got {type(value).__name__}")


def with_globals(module: ForgeModule, **names: Any) -> ForgeModule:
    """A view of `module`, with its weights, whose own methods see other global `names`, such as another `forge`."""
    kind = type(module)
    methods = {
        name: types.FunctionType(
            each.__code__, {**each.__globals__, **names}, name, each.__defaults__, each.__closure__
        )
        for name, each in vars(kind).items()
        if isinstance(each, types.FunctionType)
    }
    result = copy.copy(module)
    result.__class__ = type(kind.__name__, (kind,), methods)
    return result
