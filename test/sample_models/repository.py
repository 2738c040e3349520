"""The models that are stored in the repository, each with inputs and outputs (models/exporting.py)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

REPOSITORY = Path(__file__).parents[2]
MODELS = REPOSITORY / "models"
STORED = sorted(path.parent for path in MODELS.glob("*/model.onnx"))


def stored(*names: str) -> list[Path]:
    """The folders of these models. Raises FileNotFoundError when one is missing, so that no test is skipped."""
    for name in names:
        if not (MODELS / name / "model.onnx").is_file():
            raise FileNotFoundError(f"models/{name}/model.onnx is missing; make it with python -m models.{name}.make")
    return [MODELS / name for name in names]


def data_of(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The inputs of a stored model and its outputs, by ONNX names."""
    return dict(np.load(folder / "inputs.npz")), dict(np.load(folder / "outputs.npz"))
