"""torch modules as ONNX files, and a backend of torch.compile."""

from __future__ import annotations

import contextlib
import io
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from forge_mlir.codes import Code
from forge_mlir.compiler import driver
from forge_mlir.errors import ForgeError, quote
from forge_mlir.execute.loaded_model import LoadedModel
from forge_mlir.execute.torch_values import to_numpy, to_torch


def export(module: torch.nn.Module, example_inputs: tuple[Any, ...], file: Path) -> Path:
    """Writes `module`, as it is for inference, to `file`, its weights beside it. Raises ForgeError, with torch's
    reason, for a module that torch cannot export."""
    training = module.training
    module.eval()
    try:
        # The exporter prints its progress.
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), torch.no_grad():
            warnings.simplefilter("ignore")
            program = torch.onnx.export(module, example_inputs, dynamo=True, verbose=False)
            assert program is not None
            program.save(str(file), external_data=True)
    except ModuleNotFoundError:
        raise
    except Exception as error:  # torch and onnxscript raise what they like
        reason = f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"
        raise ForgeError(
            Code.ImportFailed,
            f"torch.onnx.export cannot export the module: {quote(reason)[1:-1]}",
        ) from error
    finally:
        module.train(training)
    return file


def backend(graph: torch.fx.GraphModule, example_inputs: Sequence[Any]) -> Callable[..., Any]:
    """`torch.compile(model, backend="forge_mlir")`: each graph that torch finds is compiled and runs on the CPU
    reference, or on the device where Tenstorrent's package is installed; nodes that the device lacks run on the CPU.

    Inference only: results have no gradients.
    """
    given = tuple(_example(value) for value in example_inputs)
    scratch = tempfile.TemporaryDirectory()
    file = export(graph, given, Path(scratch.name, "graph.onnx"))
    model = LoadedModel.open(driver.compile(file, Path(scratch.name, "out"), fallback="cpu"))
    tensors = [at for at, value in enumerate(example_inputs) if isinstance(value, torch.Tensor)]

    def run(*values: Any, _files: object = scratch) -> tuple[torch.Tensor, ...]:
        arrays = [to_numpy(values[at]) for at in tensors]
        # The exporter drops inputs that nothing reads.
        feed = dict(zip(model.input_names, arrays, strict=True))
        return tuple(map(to_torch, model.run(feed).values()))

    return run


def _example(value: Any) -> Any:
    """A real tensor for a fake one."""
    if not isinstance(value, torch.Tensor):
        return value
    return torch.zeros(tuple(value.shape), dtype=value.dtype)
