"""Makes the quantised ResNet-18 of this folder: that of models/resnet18 with its norms folded, in the QDQ form of
onnxruntime, with int8 weights per channel (see models/exporting.py)."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from models.exporting import destination, export, write_goldens
from models.resnet18.make import made
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static


class Images(CalibrationDataReader):  # type: ignore[misc]
    """A few random images, to find the ranges of values with."""

    def __init__(self) -> None:
        self._images = iter([{"image": torch.randn(1, 3, 64, 64).numpy()} for _ in range(4)])

    def get_next(self) -> dict[str, Any] | None:
        return next(self._images, None)


def main(folder: Path) -> None:
    module, inputs = made()
    with tempfile.TemporaryDirectory() as scratch:
        export(module, inputs, ["logits"], Path(scratch))
        quantize_static(
            Path(scratch) / "model.onnx", folder / "model.onnx", Images(), quant_format=QuantFormat.QDQ,
            per_channel=True, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
        )  # fmt: skip
    results = write_goldens(folder / "model.onnx", {name: value.numpy() for name, value in inputs.items()})
    assert np.isfinite(results["logits"]).all()


if __name__ == "__main__":
    main(destination(__file__))
