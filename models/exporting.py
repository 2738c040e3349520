"""What the make.py of every model does with its module: export, run, and write the three files.

Each folder beside this file holds one model at toy size with random weights of a fixed seed: `model.onnx`,
`inputs.npz` and `outputs.npz`, by ONNX names. `python -m models.<name>.make [folder]`, from the root of the repository,
makes them again; that needs torch, onnx and onnxruntime. `outputs.npz` is what onnxruntime computes with its graph
optimisations switched off.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
import torch
from torch import Tensor, nn

OPSET = 17
# No file of a test model should weigh on a clone.
_MOST_BYTES = 250_000


def destination(script: str) -> Path:
    """The folder that the command line of a make.py names, its own without one."""
    return Path(sys.argv[1]) if len(sys.argv) > 1 else Path(script).parent


def export(
    module: nn.Module,
    inputs: Mapping[str, Tensor],
    outputs: Sequence[str],
    folder: Path,
    *,
    opset: int = OPSET,
    dynamic: Mapping[str, Mapping[int, str]] | None = None,
    keep_batch_norm: bool = False,
) -> None:
    """Writes the three files for `module` in eval mode. `dynamic` names open dimensions, by input or output and axis.

    Raises AssertionError when onnxruntime does not compute what torch computes.
    """
    module.eval()
    path = folder / "model.onnx"
    mode = torch.onnx.TrainingMode.PRESERVE if keep_batch_norm else torch.onnx.TrainingMode.EVAL
    with warnings.catch_warnings():
        # torch announces the end of the TorchScript exporter at every call; most models in use look like its output.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module, tuple(inputs.values()), str(path), opset_version=opset, input_names=list(inputs),
            output_names=list(outputs), dynamic_axes=dynamic, training=mode,
            do_constant_folding=not keep_batch_norm, dynamo=False,
        )  # fmt: skip
    with torch.no_grad():
        expected = module(*inputs.values())
    expected = expected if isinstance(expected, tuple) else (expected,)
    results = write_goldens(path, {name: value.numpy() for name, value in inputs.items()})
    for name, value in zip(outputs, expected, strict=True):
        np.testing.assert_allclose(results[name], value.numpy(), rtol=1e-4, atol=1e-5)


def write_goldens(path: Path, feeds: Mapping[str, Any]) -> dict[str, Any]:
    """Checks the model at `path`, and writes `feeds` and what onnxruntime makes of them beside it."""
    onnx.checker.check_model(str(path), full_check=True)
    assert path.stat().st_size < _MOST_BYTES, f"{path} has {path.stat().st_size} bytes"
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    results = dict(zip([out.name for out in session.get_outputs()], session.run(None, dict(feeds)), strict=True))
    np.savez(path.with_name("inputs.npz"), **feeds)
    np.savez(path.with_name("outputs.npz"), **results)
    return results


def train_norms(module: nn.Module) -> None:
    """Gives every normalisation the look of a trained one: untrained, it scales by one and shifts by nothing."""
    for part in module.modules():
        if isinstance(part, (nn.LayerNorm, nn.BatchNorm2d, nn.RMSNorm)):
            nn.init.normal_(part.weight, mean=1.0, std=0.1)
            if getattr(part, "bias", None) is not None:
                nn.init.normal_(part.bias, std=0.05)
        if isinstance(part, nn.BatchNorm2d):
            nn.init.normal_(part.running_mean, std=0.1)
            nn.init.uniform_(part.running_var, 0.5, 1.5)
