"""`verify_model`: compiles, runs and compares a model, and explains differences."""

from __future__ import annotations

import itertools
import math
import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.compiler.option_types.values import limits_of
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, escaped
from forge_mlir.execute.defaults import defaults_of
from forge_mlir.execute.loaded_model import LoadedModel
from forge_mlir.execute.onnx.kept_sessions import sessions_are_kept
from forge_mlir.execute.onnx.nodes import draws
from forge_mlir.execute.values.structured_values import as_declared
from forge_mlir.importer import ImportedModel
from forge_mlir.verify.artifacts import GivenArtifact, GivenProgram, Shapes, compiled_artifact, traced_artifact
from forge_mlir.verify.exact import Exactness, exactness_of
from forge_mlir.verify.one_run import verify_artifact
from forge_mlir.verify.samples.goldens import golden_outputs, goldens_of_each
from forge_mlir.verify.samples.profiles import DEFAULT_PROFILES, Profile, profile_inputs, seeds_of
from forge_mlir.verify.verdict import ORDER, Verdict, Verification, unrepeated, with_doubts, worst_of

Arrays = Mapping[str, npt.NDArray[Any]]


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
    **options: Unpack[Options],
) -> Verification:
    """Compiles `model`, or uses the `artifact` it was compiled to, runs it on the CPU reference, and compares every
    value in its trace with ONNX.

    `inputs` are by ONNX name (default: `sample_inputs`), and determine open dims. Without them, inputs are random from
    `seed` and the following `seeds` - 1 seeds, for each of `profiles` (default: `DEFAULT_PROFILES`). Both may be given;
    an artifact that differs from its compilation is also run with random inputs. `goldens` are the outputs for `inputs`
    (default: those of onnxruntime for the file). Outputs may be off by `tolerance`, relative to their rows.

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
            found.append(replace(_of_program(model, program, own), shape_set=program.name))
        return with_doubts(worst_of(found), given.wrong, given.foreign)


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


def _of_program(model: str | os.PathLike[str], program: GivenProgram, runs: Runs) -> Verification:
    """The verification of one program, with what differs from a new compilation."""
    artifact, imported, edits = program.artifact, program.imported, program.edits
    if program.wrong:
        return with_doubts(Verification(escaped(model), (), (), warnings=artifact.warnings), program.wrong, ())
    if edits is not None and not runs.profiles and runs.inputs is not None:
        # Manual edits may be wrong for other inputs than the stored ones.
        runs = replace(runs, profiles=_OF_EDITED)
    exact = exactness_of(artifact, imported, program.options, edits)
    declared = artifact.manifest()["onnx"]
    inputs = None if runs.inputs is None else as_declared(runs.inputs, declared["inputs"])
    goldens = None if runs.goldens is None else as_declared(runs.goldens, declared["outputs"])
    runs = replace(runs, inputs=inputs, goldens=goldens)
    found = verify_compiled(model, artifact, imported, runs, exact, **program.options)
    wrong = "" if edits is None or found.verdict == "wrong" else _between_runs(program, runs)
    return with_doubts(found, (wrong,) if wrong else (), program.foreign)


def _between_runs(program: GivenProgram, runs: Runs) -> str:
    """What differs between two runs of a module with the first inputs, between which it runs with others; empty if
    nothing does, or if the model draws random numbers."""
    imported = program.imported
    if imported is None or imported.graph is None or any(draws(node) for node in imported.graph.graph.node):
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


@dataclass(frozen=True)
class Runs:
    """The runs of a compiled model: `inputs` with `goldens`, and the random inputs of `profiles` from `seed`."""

    inputs: Arrays | None = None
    goldens: Arrays | None = None
    seed: int = 0
    profiles: tuple[Profile, ...] = ()
    tolerance: float | None = None
    seeds: int | None = None
    """The number of seeds from `seed` on; by default `seeds_of` the model."""

    def __post_init__(self) -> None:
        """Raises ForgeError for values with which nothing would be compared, or everything would be right."""
        if self.tolerance is not None and not 0 <= self.tolerance < math.inf:
            raise ForgeError(Code.PassOption, f"tolerance {self.tolerance}: give a number from 0 on, such as 1e-3")
        if self.seeds is not None and self.seeds < 1:
            raise ForgeError(Code.PassOption, f"seeds {self.seeds}: give how many seeds there are, 1 or more")
        if self.seed < 0:
            raise ForgeError(Code.PassOption, f"seed {self.seed}: give a number from 0 on")


@sessions_are_kept()
def verify_compiled(
    model: str | os.PathLike[str],
    artifact: Artifact,
    imported: ImportedModel | None,
    runs: Runs,
    exact: Exactness | None = None,
    **options: Unpack[Options],
) -> Verification:
    """`verify_model` for a compiled model: the verification of the first run that is wrong, else of the first that is
    undecided, else of the first one. A program that is not equal by `exact` is wrong, regardless of the runs."""
    manifest = artifact.manifest()
    found: list[Verification] = []
    if runs.inputs is not None:
        given = {**defaults_of(manifest), **runs.inputs}
        first = verify_artifact(model, artifact, imported, given, runs.goldens, tolerance=runs.tolerance, **options)
        found.append(replace(first, run="inputs"))
    profiles = runs.profiles or (DEFAULT_PROFILES if runs.inputs is None else ())
    seeds = range(runs.seed, runs.seed + (runs.seeds or seeds_of(manifest)))
    runs_of = list(itertools.product(seeds, profiles))
    early: dict[tuple[int, Profile], Arrays | ForgeError | None] = {}
    if seeds_of(manifest) > 1:
        drawn = [profile_inputs(profile, manifest, seed, imported) for seed, profile in runs_of]
        asked = [{**inputs, **(options.get("bind") or {})} for inputs in drawn]
        early = dict(zip(runs_of, goldens_of_each(os.fspath(model), asked, limits_of(options)), strict=True))
    for seed, profile in runs_of:
        if found and (found[-1].verdict == "wrong" or (exact is not None and exact.state == "different")):
            break
        # Goldens without inputs belong to the first seed.
        own = replace(runs, seed=seed, goldens=runs.goldens if seed == runs.seed else None)
        known = early.pop((seed, profile), None)
        if (one := _of_profile(model, artifact, imported, profile, own, known, options)) is not None:
            found.append(one)
    if not found:
        raise ForgeError(Code.GoldensNotOfModel, "ONNX takes no inputs of the profiles that were asked for")
    worst = min(found, key=lambda each: ORDER[each.verdict])
    ended: dict[str, Verdict] = {}
    for each in found:
        ended[each.run] = min(ended.get(each.run, each.verdict), each.verdict, key=lambda verdict: ORDER[verdict])
    worst = replace(worst, runs=tuple(ended.items()), exact=exact)
    if exact is None:
        return worst
    wrong = (f"the program is not equal to the model: {exact.reason}",) if exact.state == "different" else ()
    doubt = f"the artifact has other calls than are compiled, which could not be compared: {exact.reason}"
    return with_doubts(worst, wrong, (doubt,) if exact.edited else ())


def _of_profile(
    model: str | os.PathLike[str],
    artifact: Artifact,
    imported: ImportedModel | None,
    profile: Profile,
    runs: Runs,
    known: Arrays | ForgeError | None,
    options: Options,
) -> Verification | None:
    """The verification with inputs of a profile; None if neither ONNX nor the module accepts them, or they are out of
    the range that the model permits. `known` are the goldens of the first inputs if they were computed before."""
    manifest = artifact.manifest()
    for largest in _LARGEST:
        inputs = profile_inputs(profile, manifest, runs.seed, imported, largest)
        if profile == "normal":
            goldens = runs.goldens if runs.inputs is None else None
            of_file = None if isinstance(known, ForgeError) else known
            one = verify_artifact(
                model, artifact, imported, inputs, goldens, of_file=of_file, tolerance=runs.tolerance, **options
            )
            return replace(one, run="normal")
        if isinstance(known, ForgeError):
            return None
        try:
            given = {**inputs, **(options.get("bind") or {})}
            goldens = known if known is not None else golden_outputs(os.fspath(model), given, limits_of(options))
        except ForgeError:
            return None
        known = None
        try:
            one = verify_artifact(
                model, artifact, imported, inputs, of_file=goldens, tolerance=runs.tolerance, **options
            )
        except ForgeError as error:
            if error.code is not Code.InputRange:
                raise
            return None
        if one.divergence is None or "Int32" not in one.divergence.reason:
            return replace(one, run=profile)
    return None


_LARGEST = (1 << 20, 1 << 10, 1 << 5)
"""Bounds of integers to try if products of larger ones overflow Int32, which is an error in the module."""
