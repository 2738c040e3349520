"""The weights of an artifact that differ from those of a new compilation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.recipe import Recipe
from forge_mlir.artifact.reseal import hash_of_file
from forge_mlir.equivalence.read_back import Edits
from forge_mlir.execute.values.structured_values import numpy_type
from forge_mlir.execute.values.torch_values import to_numpy
from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.onnx_model.storage.weights import WeightFile, WeightRef

_ROUNDINGS = 2.0**-22
"""A relative error of two units of float32."""


def device_modules(artifact: Artifact) -> list[str]:
    """The names of the device modules of a program."""
    parts = artifact.manifest().get("partitions", [{"module": artifact.name, "kind": "device"}])
    return [Path(part["module"]).name for part in parts if part["kind"] == "device"]


def weights_digest(artifact: Artifact) -> str:
    """The hash of the current weights file and of what the manifest says about each weight: after an edit, the hash in
    the manifest is outdated."""
    facts = artifact.manifest()
    # Weights that stay in files of the model have a hash of their own; the path depends on the folder.
    entries = [_without(("source", "file"), entry) for entry in facts["weights"]]
    return hash_of_file(artifact.directory, Path(facts["weights_file"]).name) + json.dumps(entries, sort_keys=True)


def _without(keys: Sequence[str], entry: Json) -> Json:
    found = {key: value for key, value in entry.items() if key not in keys}
    return {**found, "steps": [_without(keys, step) for step in entry["steps"]]} if "steps" in entry else found


def reads_model_files(artifact: Artifact) -> bool:
    """Whether the modules of an artifact may read weights from files of the model."""
    files = filter(Path.is_file, artifact.directory.glob("*.py"))
    return any("\ndef read_weight(" in path.read_text("utf-8", "replace") for path in files)


def found_from(directory: Path, entry: Json) -> Json:
    """An entry of a weight in a manifest that was copied from `directory`, with paths that lead to the same files."""
    moved = {**entry, "file": str((directory / entry["file"]).absolute())} if "file" in entry else entry
    return {**moved, "steps": [found_from(directory, step) for step in entry["steps"]]} if "steps" in entry else moved


def edits_of(given: Artifact, made: Artifact) -> Edits:
    """The elements of the weights of `given` that differ from those of `made` by more than rounding; integers
    are not rounded."""
    found: dict[str, npt.NDArray[np.bool_]] = {}
    for name in device_modules(made):
        compiled, changed = Artifact(made.directory, name), Artifact(given.directory, name)
        if weights_digest(compiled) == weights_digest(changed):
            continue
        with compiled.open_weights() as stored, changed.open_weights(trust_edits=True) as edited:
            known = {weight["name"]: weight for weight in changed.manifest()["weights"]}
            for weight in compiled.manifest()["weights"]:
                other = known.get(weight["name"])
                if other is None or weight["shape"] != other["shape"]:
                    continue
                theirs, ours = _elements(other, edited, given.directory), _elements(weight, stored, made.directory)
                where = _apart(theirs, ours) if is_floating(numpy_type(weight["dtype"])) else theirs != ours
                if where.any():
                    found[weight["name"]] = where
    return found


def _elements(weight: Json, stored: Any, directory: Path) -> npt.NDArray[np.float64]:
    """The elements of a weight in its shape in the module."""
    if "splat" in weight:
        return np.full(weight["shape"], float(weight["splat"]))
    if "steps" in weight:
        values = _computed(weight, stored, directory)
    elif "file" in weight:
        values = _source(weight, stored, directory).array()
    else:
        values = to_numpy(stored.get_tensor(weight["tensor"]))
    return np.asarray(np.broadcast_to(values.astype(np.float64), weight["shape"]))


def _computed(weight: Json, stored: Any, directory: Path) -> npt.NDArray[Any]:
    """The elements of a weight that is computed on loading."""
    steps = [{**step, "key": str(at)} if "stored" in step else step for at, step in enumerate(weight["steps"])]
    sources = {step["key"]: _source(step, stored, directory) for step in steps if "key" in step}
    return Recipe(weight["name"], steps, sources).array()


def _source(entry: Json, stored: Any, directory: Path) -> WeightRef:
    """The bytes of a weight, or of the source of a step."""
    dtype, shape = str(entry.get("stored", entry["dtype"])), tuple(entry["shape"])
    if "file" in entry:
        path = directory / entry["file"]
        file = WeightFile.of(str(path), path.stat())
        return WeightRef(entry["file"], dtype, shape, entry["nbytes"], entry["offset"], file)
    data = to_numpy(stored.get_tensor(entry["tensor"])).tobytes()
    return WeightRef(entry["tensor"], dtype, shape, len(data), data=data)


def _apart(values: npt.NDArray[np.float64], others: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """The elements whose difference exceeds that of two valid roundings."""
    with np.errstate(invalid="ignore"):
        # An infinity is close to nothing but itself.
        near = np.isfinite(others) & (np.abs(values - others) <= _ROUNDINGS * np.abs(others))
    return np.asarray(~(near | (values == others) | (np.isnan(values) & np.isnan(others))))
