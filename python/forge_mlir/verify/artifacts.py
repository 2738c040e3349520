"""Prepares an artifact on disk for verification: adds the trace, which maps ONNX values to its variables."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from forge_mlir.artifact.calls import calls_of
from forge_mlir.artifact.reader import Artifact, Json
from forge_mlir.artifact.recipe import Recipe
from forge_mlir.artifact.reseal import hash_of_file, reseal
from forge_mlir.codes import Code
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.compiler.option_types.values import command_line
from forge_mlir.compiler.options import Options
from forge_mlir.equivalence.read_back import Edits
from forge_mlir.errors import ForgeError, quote, shortened
from forge_mlir.execute.values.torch_values import to_numpy
from forge_mlir.importer import ImportedModel
from forge_mlir.onnx_model.storage.weights import WeightFile, WeightRef

_ROUNDINGS = 2.0**-22
"""A relative error of two units of float32."""


def traced_artifact(
    model: str | os.PathLike[str], path: str | os.PathLike[str], scratch: str, **options: Unpack[Options]
) -> tuple[Artifact, ImportedModel | None, Edits | None]:
    """The artifact at `path` in its current state, including edits, copied to `scratch` with the traces of a
    compilation of `model`; and the elements of its weights that differ from that compilation, or None if everything is
    equal, including the module.

    Variables that no longer exist are not compared. Raises ForgeError for an artifact of another model, or one that was
    compiled with other options.
    that was compiled with other options.
    """
    given = Artifact.open(path)
    facts = given.manifest()
    made, imported = compile_traced(model, scratch, name=given.name, **options)
    fresh = made.manifest()
    if facts.get("compiled", {}).get("model_sha256") != fresh.get("compiled", {}).get("model_sha256"):
        raise ForgeError(
            Code.ArtifactOfAnother,
            f"{shortened(given.name)}: was compiled from another file than {quote(os.fspath(model))}",
        )
    flags = facts.get("compiled", {}).get("flags", [])
    if flags != fresh.get("compiled", {}).get("flags", []):
        shown, ours = " ".join(map(ascii, flags)) or "no options", " ".join(command_line(options)) or "no options"
        raise ForgeError(Code.ArtifactOfAnother, f"was compiled with {shown}; verify was given {ours}")
    traces = {name: Artifact(made.directory, name).manifest() for name in _modules(made)}
    edits = None if _digests(given) == _digests(made) else edits_of(given, made)
    shutil.copytree(given.directory, scratch, dirs_exist_ok=True)
    reseal(made.manifest_path)
    for name, compiled in traces.items():
        if "trace" in compiled:
            _add_trace(Artifact(made.directory, name), compiled)
    if (made.directory / f"{made.name}.json").is_file() and fresh.get("partitions"):
        reseal(made.manifest_path)
    return Artifact(Path(scratch), given.name, given.warnings), imported, edits


def _modules(artifact: Artifact) -> list[str]:
    parts = artifact.manifest().get("partitions", [{"module": artifact.name, "kind": "device"}])
    return [part["module"] for part in parts if part["kind"] == "device"]


def _digests(artifact: Artifact) -> list[str]:
    parts = [Artifact(artifact.directory, name) for name in _modules(artifact)]
    return [
        digest for part in parts for digest in (hash_of_file(part.directory, part.module_path.name), _of_weights(part))
    ]


def _of_weights(artifact: Artifact) -> str:
    """The hash of the current weights file: after an edit, that in the manifest is outdated."""
    return hash_of_file(artifact.directory, Path(artifact.manifest()["weights_file"]).name)


def _add_trace(artifact: Artifact, compiled: Json) -> None:
    sources = {weight["name"]: weight["source"] for weight in compiled["weights"]}
    facts = artifact.manifest()
    places = {call.place for call in calls_of(artifact.module_path.read_text(encoding="ascii"), facts)}
    facts["trace"] = [entry for entry in compiled["trace"] if entry["variable"] in places]
    facts["weights"] = [
        {**weight, "source": sources[weight["name"]]} if weight["name"] in sources else weight
        for weight in facts["weights"]
    ]
    artifact.manifest_path.write_text(json.dumps(facts), encoding="utf-8")


def edits_of(given: Artifact, made: Artifact) -> Edits:
    """The elements of the weights of `given` that differ from those of `made` by more than rounding, by weight."""
    found: dict[str, npt.NDArray[np.bool_]] = {}
    for name in _modules(made):
        ours, theirs = Artifact(made.directory, name), Artifact(given.directory, name)
        if _of_weights(ours) == _of_weights(theirs):
            continue
        with ours.open_weights() as stored, theirs.open_weights(trust_edits=True) as edited:
            known = {weight["name"]: weight for weight in theirs.manifest()["weights"]}
            for weight in ours.manifest()["weights"]:
                other = known.get(weight["name"])
                if other is None or weight["shape"] != other["shape"]:
                    continue
                values = _elements(other, edited, given.directory), _elements(weight, stored, made.directory)
                if (where := _apart(*values)).any():
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
