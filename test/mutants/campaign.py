"""Judges wrong programs, one after the other, by `verify` as a user runs it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, Literal

import numpy as np
import onnx
import safetensors.torch
from onnx import ModelProto

from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.reseal import reseal
from forge_mlir.artifact.source.calls import calls_of
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError
from forge_mlir.execute.run import run
from forge_mlir.importer import ImportedModel
from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.verify import PROFILES, Runs, compare, verify_compiled
from forge_mlir.verify.exact import ExactCheck
from forge_mlir.verify.given.edited_weights import edits_of
from forge_mlir.verify.inputs.goldens import golden_outputs
from forge_mlir.verify.inputs.profiles import Profile, profile_inputs
from forge_mlir.verify.verdict import Verdict
from mutants import graphs, lines, tensors

Ended = Literal[
    "killed", "undecided", "survived", "special killed", "special undecided", "special survived", "equivalent", "stops"
]
"""The result of a mutant. "equivalent": it gave the same numbers as the right program on every profile and seed, so
that it is not judged.
"special": it did so except on the profile `special`, with which it was judged again. "stops": it fails when it runs, so
that it does not have to be judged."""

_SEEDS = (0, 1, 2)
_SPECIAL: tuple[Profile, ...] = ("special",)
_ORDINARY = tuple(profile for profile in PROFILES if profile not in _SPECIAL)
_ENDS: dict[Verdict, Ended] = {
    "wrong": "special killed", "undecided": "special undecided", "right": "special survived"
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A wrong program: its model, the rule that made it, the changed line or tensor, and its result. `change` is the
    largest relative change of an output that was measured, for a mutant that was not killed."""

    model: str
    rule: str
    where: str
    ended: Ended
    change: float = 0.0

    def json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Compiled:
    """A model, its compiled artifact, and its graph."""

    name: str
    path: Path
    artifact: Artifact
    imported: ImportedModel | None
    options: Options
    runs: Runs = field(default_factory=Runs)
    """The inputs with which its programs run."""

    @staticmethod
    def of(name: str, model: Path | ModelProto, folder: Path, *, stored: bool = False) -> Compiled:
        """Compiles a model. With `stored`, programs run with one set of inputs and are compared with the outputs that
        onnxruntime gives for these, as with `--inputs` and `--expected`. Raises ForgeError for a model that is
        refused."""
        path = folder / "model.onnx"
        if isinstance(model, Path):
            shutil.copy(model, path)
        else:
            onnx.save(model, path)
        samples = model.with_name("inputs.npz") if isinstance(model, Path) else None
        options: Options = {"sample_inputs": dict(np.load(samples))} if samples and samples.is_file() else {}
        artifact, imported = compile_traced(path, folder / "out", **options)
        made = Compiled(name, path, artifact, imported, options)
        return replace(made, runs=made.stored_runs()) if stored else made

    def stored_runs(self) -> Runs:
        """Stored inputs of the model, or random ones, and onnxruntime's outputs. Raises ForgeError."""
        inputs = self.options.get("sample_inputs")
        if inputs is None:
            inputs = profile_inputs("normal", self.artifact.manifest(), 0, self.imported)
        return Runs(inputs, golden_outputs(self.path, inputs))

    @cached_property
    def check(self) -> ExactCheck:
        """The exact check of the model, with which all its mutants are compared."""
        assert self.imported is not None
        return ExactCheck(self.imported, self.options)

    def verified(self, right: Artifact) -> Verdict:
        """The verdict of `verify --artifact` on the present files; `right` is the artifact as it was compiled. A mutant
        that the exact check finds different is wrong for every input."""
        exact = self.check.of(self.artifact, edits_of(self.artifact, right))
        if exact.state == "different":
            return "wrong"
        return verify_compiled(self.path, self.artifact, self.imported, self.runs, exact).verdict

    def verified_by_nodes(self) -> Verdict:
        """The verdict without a look at the IR."""
        return verify_compiled(self.path, self.artifact, self.imported, self.runs).verdict


def mutants_of_lines(compiled: Compiled, random: Random, most: int) -> Iterator[Mutant]:
    """At most `most` mutants of each rule, in lines that were drawn."""
    for name, at, wrong in _changed_lines(compiled, lines.RULES, random, most):
        yield _judged(compiled, name, wrong.strip(), _with_line(compiled, at, wrong))


def mutants_of_special_lines(compiled: Compiled, random: Random, most: int) -> Iterator[Mutant]:
    """The same for the rules whose programs are wrong only for NaN and infinities, judged with `--profile special`."""
    for name, at, wrong in _changed_lines(compiled, lines.SPECIAL, random, most):
        yield _judged(compiled, name, wrong.strip(), _with_line(compiled, at, wrong), special=True)


def _changed_lines(
    compiled: Compiled, rules: Mapping[str, lines.Rule], random: Random, most: int
) -> Iterator[tuple[str, int, str]]:
    source, manifest = compiled.artifact.module_path.read_text(), compiled.artifact.manifest()
    called = {call.line for call in calls_of(source, manifest)}
    formats = {entry["dtype"] for entry in manifest["outputs"]}
    for name, rule in rules.items():
        found = [(at, wrong) for at, line in enumerate(source.splitlines()) if at + 1 in called for wrong in rule(line)]
        for at, wrong in random.sample(found, min(most, len(found))):
            yield name, at, lines.in_halves(wrong) if formats == {"float16"} else wrong


def _with_line(compiled: Compiled, at: int, wrong: str) -> dict[Path, bytes]:
    path = compiled.artifact.module_path
    text = path.read_text().splitlines()
    return {path: ("\n".join([*text[:at], wrong, *text[at + 1 :]]) + "\n").encode()}


def mutants_of_tensors(compiled: Compiled, random: Random, most: int) -> Iterator[Mutant]:
    """The same for the tensors of the weights file."""
    path = compiled.artifact.weights_path
    weights = safetensors.torch.load_file(path)
    for name, rule in tensors.RULES.items():
        found = [(key, wrong) for key, value in sorted(weights.items()) for wrong in rule(value)]
        for key, wrong in random.sample(found, min(most, len(found))):
            yield _judged(compiled, name, key, {path: safetensors.torch.save({**weights, key: wrong})})


def mutants_of_graphs(
    name: str, model: ModelProto, random: Random, most: int, *, of_each_rule: bool = False, stored: bool = False
) -> Iterator[Mutant]:
    """At most `most` wrong versions of a graph, in all or per rule (`of_each_rule`), compiled and judged against the
    right one."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            right = Compiled.of(name, model, Path(scratch), stored=stored)
        except ForgeError:
            return
        found = list(graphs.wrong_graphs(model))
        rules = sorted({rule for rule, _ in found}) if of_each_rule else [""]
        groups = [[each for each in found if rule in ("", each[0])] for rule in rules]
        for rule, wrong in (each for group in groups for each in random.sample(group, min(most, len(group)))):
            with tempfile.TemporaryDirectory() as other:
                try:
                    made = Compiled.of(name, wrong, Path(other))
                except Exception:  # onnx or the compiler refuses the graph: there is no program to judge.
                    continue
                if _kinds(made) == _kinds(right):
                    ended = Compiled(name, right.path, made.artifact, right.imported, right.options, right.runs)
                    # The IR has the same error as the module, so that only a comparison by nodes can find it.
                    yield _ended(ended, rule, name, right.artifact, lambda made=ended: made.verified_by_nodes())


def _kinds(compiled: Compiled) -> list[Any]:
    return [(entry["shape"], entry["dtype"]) for entry in compiled.artifact.manifest()["outputs"]]


def _judged(compiled: Compiled, rule: str, where: str, files: Mapping[Path, bytes], *, special: bool = False) -> Mutant:
    """The result of the artifact with its files replaced by `files`. The original files are restored afterwards."""
    with tempfile.TemporaryDirectory() as kept:
        shutil.copytree(compiled.artifact.directory, kept, dirs_exist_ok=True)
        try:
            for path, data in files.items():
                path.write_bytes(data)
            reseal(compiled.artifact.manifest_path)
            right = Artifact(Path(kept), compiled.artifact.name)
            if special:
                return Mutant(compiled.name, rule, where, *_on_special_values(compiled, right))
            return _ended(compiled, rule, where, right, lambda: compiled.verified(right))
        finally:
            shutil.copytree(kept, compiled.artifact.directory, dirs_exist_ok=True)


def _ended(compiled: Compiled, rule: str, where: str, right: Artifact, verify: Callable[[], Verdict]) -> Mutant:
    def made(ended: Ended, change: float = 0.0) -> Mutant:
        return Mutant(compiled.name, rule, where, ended, change)

    manifest = right.manifest()
    try:
        run(compiled.artifact, profile_inputs("normal", manifest, 0, compiled.imported))
    except Exception:  # An emitted module may raise any exception.
        return made("stops")
    if not any(_changes(compiled, right, _ORDINARY)):
        return made(*_on_special_values(compiled, right))
    try:
        found = verify()
    except ForgeError:
        return made("killed")
    if found == "wrong":
        return made("killed")
    return made("undecided" if found == "undecided" else "survived", max(_changes(compiled, right, _ORDINARY)))


def _on_special_values(compiled: Compiled, right: Artifact) -> tuple[Ended, float]:
    """The result of a program that is right for all ordinary numbers, without the exact check, and its largest
    change."""
    change = max(_changes(compiled, right, _SPECIAL), default=0.0)
    if change == 0:
        return "equivalent", 0.0
    found = verify_compiled(compiled.path, compiled.artifact, compiled.imported, Runs(profiles=_SPECIAL)).verdict
    return _ENDS[found], change


def _changes(compiled: Compiled, right: Artifact, profiles: Sequence[Profile]) -> Iterator[float]:
    """The relative change of each output on inputs of these profiles and several seeds, as they are measured: 0 where
    every bit is equal, infinity where only the wrong program fails."""
    manifest = right.manifest()
    for profile in profiles:
        for seed in _SEEDS:
            inputs = profile_inputs(profile, manifest, seed, compiled.imported)
            try:
                expected = run(right, inputs)
            except Exception:  # Inputs that the right program refuses show nothing.
                continue
            try:
                got = run(compiled.artifact, inputs)
            except Exception:
                yield np.inf
                continue
            for name, value in expected.items():
                if _same(np.asarray(got[name]), np.asarray(value)):
                    yield 0.0
                else:
                    row = compare(name, np.asarray(got[name]), np.asarray(value))
                    yield max(np.inf if row.reason else row.relative, 1e-12)


def _same(got: np.ndarray, expected: np.ndarray) -> bool:
    """Whether all numbers are equal. The sign of zero is ignored, since a compilation does not promise to keep it."""
    if got.dtype != expected.dtype or not is_floating(expected.dtype):
        return got.dtype == expected.dtype and np.array_equal(got, expected)
    # NaN of bfloat16, which is not a float type of numpy, are not equal for array_equal.
    return np.array_equal(got.astype(np.float64), expected.astype(np.float64), equal_nan=True)
