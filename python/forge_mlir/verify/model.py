"""`verify_model`: compiles, runs and compares a model, and explains differences."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Unpack

import numpy as np

from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options
from forge_mlir.equivalence.read_back import Edits
from forge_mlir.errors import ForgeError, escaped
from forge_mlir.execute.loaded_model import LoadedModel
from forge_mlir.execute.onnx.nodes import OnnxNodes, draws
from forge_mlir.execute.values.structured_values import as_declared
from forge_mlir.importer import ImportedModel
from forge_mlir.verify.alone.nodes_alone import nodes_alone, processor_time
from forge_mlir.verify.compiled import Arrays, Runs, verify_compiled
from forge_mlir.verify.exact import exactness_of
from forge_mlir.verify.given.programs import GivenArtifact, GivenProgram, Shapes, compiled_artifact, traced_artifact
from forge_mlir.verify.in_child import in_child
from forge_mlir.verify.inputs.profiles import DEFAULT_PROFILES, Profile, profile_inputs
from forge_mlir.verify.verdict import Verification, unrepeated, with_doubts, worst_of


@in_child
def verify_model(
    model: str | os.PathLike[str],
    inputs: Arrays | None = None,
    goldens: Arrays | None = None,
    *,
    name: str | None = None,
    artifact: str | os.PathLike[str] | None = None,
    shapes: Shapes | None = None,
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
    (default: those of onnxruntime for the file). Outputs may be off by `tolerance`, relative to their rows.
    With `alone`, distinct nodes are also verified alone.

    With `shapes`, or for an artifact that was compiled with them, each program is verified, that whose shapes `inputs`
    have with these; the result is that of the first program that is wrong, else undecided.

    Raises ForgeError for a model that cannot be compiled or run; a wrong result does not raise.
    """
    runs = Runs(seed=seed, profiles=tuple(profiles or ()), tolerance=tolerance, seeds=seeds)
    if inputs is None:
        inputs = options.get("sample_inputs")
    elif options.get("sample_inputs") is None and shapes is None:
        options["sample_inputs"] = inputs
    with tempfile.TemporaryDirectory() as scratch:
        if artifact is not None:
            given = traced_artifact(model, artifact, scratch, shapes, options)
        else:
            given = compiled_artifact(model, scratch, name, shapes, options)
        chosen = _program_for(given, inputs)
        found = []
        for program in given.programs:
            own = replace(runs, inputs=inputs, goldens=goldens) if program is chosen else runs
            found.append(replace(_of_program(model, program, own, alone=alone), shape_set=program.name))
        return with_doubts(worst_of(found), given.wrong, given.uncovered)


def _program_for(given: GivenArtifact, inputs: Arrays | None) -> GivenProgram | None:
    """The program that takes `inputs`. Raises ForgeError if none of several does."""
    if inputs is None or len(given.programs) == 1:
        return given.programs[0]
    for program in given.programs:
        declared = program.artifact.manifest()["onnx"]["inputs"]
        own = as_declared(inputs, declared)
        if all(info["shape"] == list(np.shape(own[info["name"]])) for info in declared if info["name"] in own):
            return program
    raise ForgeError(Code.ShapeSetUnknown, "no shape set takes inputs of the shapes of those that are given")


def _of_program(model: str | os.PathLike[str], program: GivenProgram, runs: Runs, *, alone: bool) -> Verification:
    """The verification of one program, with what differs from a new compilation."""
    artifact, imported, edits = program.artifact, program.imported, program.edits
    if program.wrong:
        return with_doubts(Verification(escaped(model), (), (), warnings=artifact.warnings), program.wrong, ())
    declared = artifact.manifest()["onnx"]
    if edits is not None and not runs.profiles:
        # Manual edits may be wrong for other inputs than the stored ones, and for integers that the exact check does
        # not draw.
        profiles = _OF_EDITED if runs.inputs is not None else DEFAULT_PROFILES
        has_integers = any("int" in (info["dtype"] or "") for info in declared["inputs"])
        runs = replace(runs, profiles=(*profiles, "integers") if has_integers else profiles)
    inputs = None if runs.inputs is None else as_declared(runs.inputs, declared["inputs"])
    goldens = None if runs.goldens is None else as_declared(runs.goldens, declared["outputs"])
    runs = replace(runs, inputs=inputs, goldens=goldens)
    found = verify_traced(model, artifact, imported, runs, edits, alone=alone, **program.options)
    wrong = "" if edits is None or found.verdict == "wrong" else _between_runs(program, runs)
    return with_doubts(found, (wrong,) if wrong else (), program.uncovered)


def _between_runs(program: GivenProgram, runs: Runs) -> str:
    """What differs between two runs of a module with the first inputs, between which it runs with others; empty if
    nothing does, or if the model draws random numbers."""
    imported = program.imported
    if imported is None or imported.graph is None:
        return ""
    nodes = OnnxNodes.of(imported)
    if any(draws(node, nodes.constants) for node in nodes.nodes):
        return ""
    manifest = program.artifact.manifest()
    others = profile_inputs("mixed", manifest, runs.seed, imported)
    profile = runs.profiles[0] if runs.profiles else DEFAULT_PROFILES[0]
    inputs = profile_inputs(profile, manifest, runs.seed, imported) if runs.inputs is None else runs.inputs
    model = LoadedModel.open(program.artifact)
    before = model.run(inputs)
    with suppress(ForgeError):  # others that the model does not accept
        model.run(others)
    return unrepeated(before, model.run(inputs))


_OF_EDITED: tuple[Profile, ...] = ("mixed", "ties")
"""Profiles for edited artifacts; runs that the model does not accept are left out."""


@in_child
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
    verified = nodes_alone(artifact, imported, processor_time() - began, options, found.nodes)
    return with_doubts(replace(found, alone=verified), [each.explain() for each in verified.wrong], ())
