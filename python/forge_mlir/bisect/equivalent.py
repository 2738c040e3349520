"""Checks whether each pass preserves what a model computes, for all inputs and weights."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Unpack

from forge_mlir.bisect.search import Stage, passes_of, staged
from forge_mlir.compiler.lower import import_model
from forge_mlir.compiler.options import Options
from forge_mlir.equivalence import Chain, Engine, Verdict, engine_of
from forge_mlir.support.progress import phase


@dataclass(frozen=True)
class PassVerdict:
    """The verdicts of the engines on the pass `name`, compared with the IR before it."""

    name: str
    verdicts: tuple[Verdict, ...]

    @property
    def differs(self) -> bool:
        return any(verdict.differences for verdict in self.verdicts)

    @property
    def covered(self) -> bool:
        return not any(verdict.not_covered for verdict in self.verdicts)

    def json(self) -> dict[str, Any]:
        return {"pass": self.name, "layers": [verdict.json() for verdict in self.verdicts]}


@dataclass(frozen=True)
class PassVerdicts:
    """`passes` end with the first one that changes results, `culprit`. The conversion from ONNX is not included,
    because the IR before it has no forge ops."""

    passes: tuple[PassVerdict, ...]

    @property
    def culprit(self) -> PassVerdict | None:
        return next((each for each in self.passes if each.differs), None)


def compare_stages(stages: Iterable[Stage], engines: Iterable[Engine]) -> PassVerdicts:
    """Compares each stage with the previous one, until one differs."""
    chains = [Chain(engine) for engine in engines]
    found = list[PassVerdict]()
    for at, stage in enumerate(stages):
        verdicts = tuple(chain.add(stage.module) for chain in chains)
        if at:
            found.append(PassVerdict(stage.name, verdicts))
            if found[-1].differs:
                break
    return PassVerdicts(tuple(found))


def bisect_exact(model: str | os.PathLike[str], *, seed: int = 0, **options: Unpack[Options]) -> PassVerdicts:
    """Compiles `model` pass by pass and compares the IR before and after each pass, in float64 and in a finite field.

    Nothing is executed and no input is needed: arguments and weights are drawn from `seed`. Raises ForgeError for a
    model
    that cannot be compiled.
    """
    with phase("import"):
        imported = import_model(model, traced=True, **options)
    engines = [engine_of("float64", imported.weights, seed), engine_of("exact", imported.weights, seed)]
    return compare_stages(staged(imported.module, passes_of(options)), engines)
