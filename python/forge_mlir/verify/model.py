"""`verify_model`: compiles, runs and compares a model, and explains differences."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

from forge_mlir.artifact.reader import Artifact
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.compiler.options import Options
from forge_mlir.equivalence.read_back import Edits
from forge_mlir.execute.values.structured_values import as_declared
from forge_mlir.importer import ImportedModel
from forge_mlir.verify.artifacts import traced_artifact
from forge_mlir.verify.compiled import Arrays, Runs, verify_compiled
from forge_mlir.verify.exact import exactness_of
from forge_mlir.verify.nodes_alone import nodes_alone, processor_time
from forge_mlir.verify.samples.profiles import Profile
from forge_mlir.verify.verdict import Verification


def verify_model(
    model: str | os.PathLike[str],
    inputs: Arrays | None = None,
    goldens: Arrays | None = None,
    *,
    name: str | None = None,
    artifact: str | os.PathLike[str] | None = None,
    seed: int = 0,
    profiles: Sequence[Profile] | None = None,
    tolerance: float | None = None,
    seeds: int | None = None,
    alone: bool = True,
    **options: Unpack[Options],
) -> Verification:
    """Compiles `model`, or uses the `artifact` it was compiled to, runs it on the CPU reference, and compares every
    value in its trace with ONNX.

    `inputs` are by ONNX name (default: `sample_inputs`), and determine open dims. Without them, inputs are random from
    `seed` and the following `seeds` - 1 seeds, for each of `profiles` (default: `DEFAULT_PROFILES`). Both may be given;
    an artifact that differs from its compilation is also run with random inputs. `goldens` are the outputs for `inputs`
    (default: those of onnxruntime for the file). Outputs may be off by `tolerance`, relative to their rows. With
    `alone`, distinct nodes are also verified alone. Raises ForgeError for a model that cannot be compiled or
    run; a wrong result does not raise.
    """
    runs = Runs(seed=seed, profiles=tuple(profiles or ()), tolerance=tolerance, seeds=seeds)
    if inputs is None:
        inputs = options.get("sample_inputs")
    elif options.get("sample_inputs") is None:
        options["sample_inputs"] = inputs
    with tempfile.TemporaryDirectory() as scratch:
        edits: Edits | None = None
        if artifact is not None:
            made, imported, edits = traced_artifact(model, artifact, scratch, **options)
        else:
            made, imported = compile_traced(model, scratch, name=name, **options)
        if edits is not None and not runs.profiles and inputs is not None:
            # Manual edits may be wrong for other inputs than the stored ones.
            runs = replace(runs, profiles=_OF_EDITED)
        declared = made.manifest()["onnx"]
        if inputs is not None:
            inputs = as_declared(inputs, declared["inputs"])
        if goldens is not None:
            goldens = as_declared(goldens, declared["outputs"])
        runs = replace(runs, inputs=inputs, goldens=goldens)
        return verify_traced(model, made, imported, runs, edits, alone=alone, **options)


_OF_EDITED: tuple[Profile, ...] = ("mixed", "ties")
"""Profiles for edited artifacts; runs that the model does not accept are left out."""


def verify_traced(
    model: str | os.PathLike[str],
    artifact: Artifact,
    imported: ImportedModel | None,
    runs: Runs,
    edits: Edits | None = None,
    *,
    alone: bool = True,
    **options: Unpack[Options],
) -> Verification:
    """`verify_model` for the result of `compile_traced`, or of `traced_artifact` with its `edits`. Distinct nodes are
    verified alone if nothing is wrong before, and the calls are those that are compiled."""
    began = processor_time()
    exact = exactness_of(artifact, imported, options, edits)
    found = verify_compiled(model, artifact, imported, runs, exact, **options)
    if not alone or imported is None or edits is not None or found.verdict == "wrong":
        return found
    verified = nodes_alone(artifact, imported, processor_time() - began, options)
    found = replace(found, alone=verified)
    if not verified.wrong:
        return found
    reasons = (*(each.explain() for each in verified.wrong), *found.reasons)
    return replace(found, verdict="wrong", reasons=reasons, by_node=frozenset())
