"""Verifies an artifact that generates tokens: its programs, the facts that the token loop reads, and the logits of some
steps."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Unpack

from forge_mlir.artifact.reader import Artifact
from forge_mlir.compiler.option_types.values import limits_of
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, escaped
from forge_mlir.execute.generation import generation_of
from forge_mlir.verify.exact import Exactness, exactness_of
from forge_mlir.verify.given.programs import GivenArtifact, traced_artifact
from forge_mlir.verify.in_child import in_child
from forge_mlir.verify.tokens.generation import Comparison, StepsFailed, require_model, verify_steps
from forge_mlir.verify.verdict import Verdict


@dataclass(frozen=True)
class GenerationVerification:
    """The verdict on an artifact that generates tokens. `exact` has the result of the exact check of each program;
    `steps` is the comparison of logits, None if they were not computed because the artifact is wrong in another way."""

    model: str
    verdict: Verdict
    reasons: tuple[str, ...]
    exact: Mapping[str, Exactness] = field(default_factory=dict)
    steps: Comparison | None = None

    @property
    def passed(self) -> bool:
        return self.verdict == "right"

    def json(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "passed": self.passed,
            "verdict": self.verdict,
            "reasons": list(self.reasons),
            "exact": {name: each.json() for name, each in self.exact.items()},
            "generation": self.steps.json() if self.steps else None,
        }


@in_child
def verify_generation(
    model: str | os.PathLike[str],
    artifact: Artifact | str | os.PathLike[str],
    seed: int = 0,
    **options: Unpack[Options],
) -> GenerationVerification:
    """Compares the programs of `artifact`, and the facts of its manifest that the token loop reads, with a compilation
    of `model` for the same generation and with the same `options`; then the logits of steps with onnxruntime, as
    `verify_steps` does.

    Raises ForgeError for an artifact of another model or of other options, and for one that cannot be read; a wrong
    artifact does not raise.
    """
    path = artifact.manifest_path if isinstance(artifact, Artifact) else artifact
    opened = Artifact.open(path)
    generation_of(opened)
    if "model_sha256" not in opened.manifest().get("compiled", {}):  # of a model that was in memory
        require_model(opened, model, limits_of(options))
    with tempfile.TemporaryDirectory() as scratch:
        given = traced_artifact(model, path, scratch, None, options)
        wrong, doubts = _found_in(given)
        exact: dict[str, Exactness] = {}
        steps: Comparison | None = None
        if not wrong:
            for program in given.programs:
                one = exact[program.name] = exactness_of(
                    program.artifact, program.imported, program.options, program.edits
                )
                if one.state == "different":
                    wrong.append(f"program {program.name!a} is not equal to the model: {one.reason}")
                elif one.edited:
                    what = "has other calls than are compiled, which could not be compared"
                    doubts.append(f"program {program.name!a} {what}: {one.reason}")
            try:
                steps = verify_steps(given.main, model, seed, limits_of(options))
            except StepsFailed as error:
                wrong.append(f"the programs cannot be run: {error.message}")
            else:
                wrong += _wrong_steps(steps)
    verdict: Verdict = "wrong" if wrong else "undecided" if doubts else "right"
    return GenerationVerification(escaped(os.fspath(model)), verdict, tuple(wrong or doubts), exact, steps)


def _found_in(given: GivenArtifact) -> tuple[list[str], list[str]]:
    """What is wrong in the manifests, and what no comparison covers."""
    wrong, doubts = list(given.wrong), list(given.uncovered)
    for program in given.programs:
        wrong += (f"program {program.name!a}: {reason}" for reason in program.wrong)
        doubts += program.uncovered
    return wrong, doubts


def _wrong_steps(steps: Comparison) -> list[str]:
    failure: ForgeError | None = steps.failure()
    return [] if failure is None else [failure.message]
