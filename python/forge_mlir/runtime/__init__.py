"""The CPU reference of the ``forge`` API, on torch.

A generated module runs on it unchanged when Tenstorrent's ``forge`` package is not installed::

    from forge_mlir import runtime as forge

Ops compute what Forge's own reference evaluation computes, including its checks and oddities. Where Forge would
continue with garbage (a weight of the wrong shape, a constant that was never set), this raises. It registers nothing
under the name
``forge``.
"""

try:
    import torch as _torch  # noqa: F401
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "forge_mlir.runtime needs torch: pip install 'forge-mlir[runtime]'", name="torch"
    ) from missing

from . import op
from .compiled_model import CompiledModel, compile
from .data_format import DataFormat, forge_dataformat_to_pytorch_dtype, pytorch_dtype_to_forge_dataformat
from .module import ForgeModule
from .tensor import Parameter, Tensor

__all__ = [
    "CompiledModel",
    "DataFormat",
    "ForgeModule",
    "Parameter",
    "Tensor",
    "compile",
    "forge_dataformat_to_pytorch_dtype",
    "op",
    "pytorch_dtype_to_forge_dataformat",
]
