"""Compares the facts of a manifest that are read when a program runs with those of a new compilation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.compiler.compile_arguments import CompileArguments
from forge_mlir.compiler.generation import DECODE, Generation
from forge_mlir.errors import ForgeError, escaped, shortened

_READ = ("inputs", "outputs", "values", "partitions", "shape_sets", "generation")
"""What is read at run time, besides the weights, the module and `onnx`."""
_UNREAD = {"inputs": {"name"}, "partitions": {"ops", "multiply_adds", "nodes"}}
"""Facts about an entry of these that only reports read, and the names of parameters, which a module may change."""


def first_differences(given: Json, made: Json) -> Iterator[str]:
    """The first difference in each fact that is read at run time."""
    pairs = [(key, given.get(key), made.get(key)) for key in _READ]
    pairs += [(f"onnx.{key}", given.get("onnx", {}).get(key), made["onnx"][key]) for key in ("inputs", "outputs")]
    for key, theirs, ours in pairs:
        if (found := _difference(key, theirs, ours)) is not None:
            path, has, expected = found
            yield f"the manifest has {path} {has}, and that of the model has {expected}"


def _difference(path: str, theirs: Any, ours: Any) -> tuple[str, str, str] | None:
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in {**ours, **theirs}:
            if key in _UNREAD.get(path.partition("[")[0], ()):
                continue
            if (found := _difference(f"{path}.{key}", theirs.get(key), ours.get(key))) is not None:
                return found
        return None
    if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        pairs = enumerate(zip(theirs, ours, strict=True))
        return next((found for at, pair in pairs if (found := _difference(f"{path}[{at}]", *pair))), None)
    if type(theirs) is type(ours) and theirs == ours:
        return None
    return escaped(path), _shown(theirs), _shown(ours)


def _shown(value: Any) -> str:
    return "nothing" if value is None else shortened(escaped(json.dumps(value)))


def asked_of(artifact: Artifact, shapes: Mapping[str, Mapping[str, Sequence[int]]] | None) -> CompileArguments:
    """The arguments of the compilation that gave `artifact`: its `shapes`, or its `generate`; `shapes` if they are
    given."""
    facts = artifact.manifest()
    if "generation" in facts:
        return {"generate": generation_of(artifact)}
    if shapes is not None or "shape_sets" not in facts:
        return {"shapes": shapes}
    return {
        "shapes": {
            entry["name"]: {name: shape for name, shape in entry["inputs"].items() if shape is not None}
            for entry in facts["shape_sets"]
        }
    }


def generation_of(artifact: Artifact) -> Generation:
    """The generation that an artifact was compiled for. It is read from the inputs of the programs, so that other facts
    of the main manifest can be compared with those of a compilation. Raises ForgeError."""
    facts = artifact.manifest()
    try:
        found, sets = facts["generation"], {entry["name"]: entry for entry in facts["shape_sets"]}
        ids = {name: entry["inputs"][found["ids"]] for name, entry in sets.items()}
        lengths = sorted(tokens for name, (_, tokens) in ids.items() if name != DECODE)
        batch = next(iter(ids.values()))[0]
        programs = {name: Artifact(artifact.directory, Path(entry["module"]).name) for name, entry in sets.items()}
        onnx = {name: program.manifest()["onnx"] for name, program in programs.items()}
        has_all = any(
            len(info["shape"]) > 1 and info["shape"][1] == ids[name][1] > 1
            for name, each in onnx.items()
            for info in each["outputs"]
            if info["name"] == found["logits"]
        )
        most = _positions(onnx[DECODE], sets[DECODE]["inputs"]) if DECODE in onnx else lengths[-1]
        return Generation(
            int(most or found["max_length"]),
            lengths if DECODE in onnx else (),
            int(batch),
            dict(found.get("stated_caches", ())),
            has_all,
        )
    except (KeyError, TypeError, ValueError, IndexError, StopIteration, AttributeError) as error:
        reason = f"the manifest does not describe programs that generate tokens: {type(error).__name__}: {error}"
        raise ForgeError(Code.ArtifactUnreadable, f"{shortened(artifact.name)}: {escaped(reason)}") from error


def _positions(onnx: Json, inputs: Json) -> int:
    """The number of positions of the caches, which limits the length that a step may have; 0 if it is not known."""
    limits = {info["range"][1] + 1 for info in onnx["inputs"] if info["dtype"] == "int32" and "range" in info}
    return max(limits & {size for shape in inputs.values() for size in shape or ()}, default=0)
