"""Runs a compiled model and compares it with ONNX, for inputs of several profiles."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, Unpack

import numpy.typing as npt

from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.compiler.option_types.values import limits_of
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, escaped, quote
from forge_mlir.execute.defaults import defaults_of
from forge_mlir.importer import ImportedModel
from forge_mlir.verify.exact import Exactness
from forge_mlir.verify.in_child import in_child
from forge_mlir.verify.inputs.goldens import golden_outputs, goldens_of_each
from forge_mlir.verify.inputs.profiles import DEFAULT_PROFILES, PROFILES, Profile, profile_inputs, seeds_of
from forge_mlir.verify.limits.undefined import DivisionByZero
from forge_mlir.verify.one_run import verify_artifact
from forge_mlir.verify.verdict import ORDER, Verdict, Verification, with_doubts

Arrays = Mapping[str, npt.NDArray[Any]]


_MOST_SEEDS = 1_000_000


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
        for name, number, kind in (("seed", self.seed, Integral), ("seeds", self.seeds, Integral | None)):
            if not isinstance(number, kind):
                raise ForgeError(Code.PassOption, f"{name}: expected an integer, but got {quote(number)}")
        if not isinstance(self.tolerance, Real | None):
            raise ForgeError(Code.PassOption, f"tolerance: expected a number, but got {quote(self.tolerance)}")
        if self.tolerance is not None and not 0 <= self.tolerance < math.inf:
            raise ForgeError(Code.PassOption, f"tolerance {self.tolerance}: give a number from 0 on, such as 1e-3")
        if self.seeds is not None and not 1 <= self.seeds <= _MOST_SEEDS:
            reason = f"give how many seeds there are, 1 to {_MOST_SEEDS:,}"
            raise ForgeError(Code.PassOption, f"seeds {self.seeds}: {reason}")
        if self.seed < 0:
            raise ForgeError(Code.PassOption, f"seed {self.seed}: give a number from 0 on")
        if unknown := set(self.profiles).difference(PROFILES):
            listed = f"{', '.join(map(ascii, sorted(unknown)))}: give some of {', '.join(PROFILES)}"
            raise ForgeError(Code.PassOption, f"profiles {listed}")
        if self.goldens is not None and self.inputs is None and self.profiles and "normal" not in self.profiles:
            reason = "outputs without inputs are those of profile 'normal', which is not among the profiles"
            raise ForgeError(Code.PassOption, reason)


@in_child
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
    is_equal = exact is not None and exact.state == "equal" and not exact.reason
    found: list[Verification] = []
    if runs.inputs is not None:
        given = {**defaults_of(manifest), **runs.inputs}
        tensors = [info["name"] for info in manifest["onnx"]["inputs"] if "(" not in (info["dtype"] or "")]
        if missing := [name for name in tensors if name not in given]:
            raise ForgeError(Code.InputNames, f"{escaped(model)}: no value for input {quote(missing[0])}")
        first = verify_artifact(
            model, artifact, imported, given, runs.goldens, tolerance=runs.tolerance, is_equal=is_equal, **options
        )
        found.append(replace(first, run="given"))
    profiles = runs.profiles or (DEFAULT_PROFILES if runs.inputs is None else ())
    seeds = {each: runs.seeds or seeds_of(manifest, each) for each in profiles}
    later = range(max(seeds.values(), default=0))
    runs_of = [(runs.seed + at, each) for at, each in itertools.product(later, profiles) if at < seeds[each]]
    early: dict[tuple[int, Profile], Arrays | ForgeError | None] = {}
    if seeds_of(manifest) > 1:
        drawn = [profile_inputs(each, manifest, seed, imported, _largest(each)[0]) for seed, each in runs_of]
        asked = [{**inputs, **(options.get("bind") or {})} for inputs in drawn]
        early = dict(zip(runs_of, goldens_of_each(os.fspath(model), asked, limits_of(options)), strict=True))
    for seed, profile in runs_of:
        if found and (found[-1].verdict == "wrong" or (exact is not None and exact.state == "different")):
            break
        # Goldens without inputs belong to the first seed.
        own = replace(runs, seed=seed, goldens=runs.goldens if seed == runs.seed else None)
        known = early.pop((seed, profile), None)
        if (one := _of_profile(model, artifact, imported, profile, own, known, is_equal, options)) is not None:
            found.append(one)
    if not found:
        raise ForgeError(Code.ResultsUndecided, "ONNX takes no inputs of the profiles that were asked for")
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
    is_equal: bool,
    options: Options,
) -> Verification | None:
    """The verification with inputs of a profile; None if neither ONNX nor the module accepts them, or they are out of
    the range that the model permits. `known` are the goldens of the first inputs if they were computed before, and
    `is_equal` is as for `verify_artifact`."""
    manifest = artifact.manifest()

    def verify_run(inputs: Arrays, goldens: Arrays | None, of_file: Arrays | None) -> Verification:
        how: Any = {"tolerance": runs.tolerance, "is_equal": is_equal, **options}
        return verify_artifact(model, artifact, imported, inputs, goldens, of_file=of_file, **how)

    for largest in _largest(profile):
        inputs = profile_inputs(profile, manifest, runs.seed, imported, largest)
        if profile == "normal":
            goldens = runs.goldens if runs.inputs is None else None
            of_file = None if isinstance(known, ForgeError) else known
            one = verify_run(inputs, goldens, of_file)
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
            one = verify_run(inputs, None, goldens)
        except ForgeError as error:
            # A module that divides by 0, or exceeds Int32, is not excused.
            if error.code is not Code.InputRange and not isinstance(error, DivisionByZero):
                raise
            return None
        if one.divergence is None or "Int32" not in one.divergence.reason:
            return replace(one, run=profile)
    return None


def _largest(profile: Profile) -> tuple[int, ...]:
    """The bounds of integers to try, in order."""
    return LARGEST if profile == "integers" else LARGEST[-1:]


LARGEST = ((1 << 31) - 1, 1 << 26, 1 << 20, 1 << 15, 1 << 10, 1 << 5)
"""Bounds of integers to try: the largest that the device has, and smaller ones if sums or products of these overflow
Int32, which is an error in the module."""
