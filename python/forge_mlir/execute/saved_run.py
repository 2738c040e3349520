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
from forge_mlir.support.json_text import json_object

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
        """Names are stored in the facts, because names of values in a model need not be valid file names. So is text,
        because arrays of text lose characters 0 at its end."""
        facts: dict[str, Any] = {"module": self.module}
        arrays: Arrays = {}
        for role, values in zip(_ROLES, (self.inputs, self.outputs), strict=True):
            facts[role] = [{"name": name, "dtype": value.dtype.name} for name, value in values.items()]
            for at, value in enumerate(values.values()):
                if value.dtype == object:
                    facts[role][at] |= {"text": value.ravel().tolist(), "shape": value.shape}
                else:
                    arrays[f"{role}_{at}"] = value
        arrays[_FACTS] = np.array(json.dumps(facts))
        save_npz(path, arrays)

    @staticmethod
    def load(path: Path) -> SavedRun:
        """Raises ForgeError for a file that `run --save` did not write."""
        arrays = load_npz(path)
        try:
            facts = json_object(str(arrays[_FACTS]))
            found = [_arrays(facts[role], role, arrays) for role in _ROLES]
            return SavedRun(str(facts["module"]), *found)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ForgeError(
                Code.ArraysUnreadable, f"{shortened(str(path))}: no run that forge-mlir run --save wrote"
            ) from error


def _arrays(entries: list[Mapping[str, Any]], role: str, arrays: Mapping[str, npt.NDArray[Any]]) -> Arrays:
    """.npz has no bfloat16: such arrays are stored as bytes and converted back. Earlier versions stored text as
    arrays."""
    found: Arrays = {}
    for at, entry in enumerate(entries):
        if "text" in entry:
            found[entry["name"]] = np.array(entry["text"], object).reshape(entry["shape"])
            continue
        value = arrays[f"{role}_{at}"]
        if value.dtype.kind == "V":
            value = value.view(np.dtype(getattr(ml_dtypes, entry["dtype"])))
        found[entry["name"]] = value.astype(object) if entry["dtype"] == "object" else value
    return found
