"""A saved run: inputs and outputs in one .npz, for comparison with later runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, shortened
from forge_mlir.execute.values.array_files import load_npz, save_npz

Arrays = dict[str, npt.NDArray[Any]]

_FACTS = "forge-mlir-run"
_ROLES = ("inputs", "outputs")


@dataclass(frozen=True)
class SavedRun:
    """Arrays by ONNX name, and the name of the module that ran."""

    module: str
    inputs: Arrays
    outputs: Arrays

    def save(self, path: Path) -> None:
        """Names are stored in the facts, because names of values in a model need not be valid file names."""
        facts: dict[str, Any] = {"module": self.module}
        arrays: Arrays = {}
        for role, values in zip(_ROLES, (self.inputs, self.outputs), strict=True):
            facts[role] = [{"name": name, "dtype": value.dtype.name} for name, value in values.items()]
            stored = (value.astype(str) if value.dtype == object else value for value in values.values())
            arrays.update({f"{role}_{at}": value for at, value in enumerate(stored)})
        arrays[_FACTS] = np.array(json.dumps(facts))
        save_npz(path, arrays)

    @staticmethod
    def load(path: Path) -> SavedRun:
        """Raises ForgeError for a file that `run --save` did not write."""
        arrays = load_npz(path)
        try:
            facts = json.loads(str(arrays[_FACTS]))
            found = [_arrays(facts[role], role, arrays) for role in _ROLES]
            return SavedRun(str(facts["module"]), *found)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ForgeError(
                Code.ArraysUnreadable, f"{shortened(str(path))}: no run that forge-mlir run --save wrote"
            ) from error


def _arrays(entries: list[Mapping[str, str]], role: str, arrays: Mapping[str, npt.NDArray[Any]]) -> Arrays:
    """.npz has no bfloat16 and only text of fixed length: such arrays are stored as bytes and converted back."""
    found: Arrays = {}
    for at, entry in enumerate(entries):
        value = arrays[f"{role}_{at}"]
        if value.dtype.kind == "V":
            value = value.view(np.dtype(getattr(ml_dtypes, entry["dtype"])))
        elif entry["dtype"] == "object":
            value = value.astype(object)
        found[entry["name"]] = value
    return found
