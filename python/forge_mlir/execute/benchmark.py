"""Measures the run time of a compiled model: warm-up, iterations, percentiles."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from forge_mlir.artifact.reader import Artifact
from forge_mlir.execute.device_module import Arrays, forge_package
from forge_mlir.execute.loaded_model import LoadedModel
from forge_mlir.support.progress import phase

PERCENTILES = (50, 90, 95, 99)


@dataclass(frozen=True)
class Timing:
    """Wall-clock times in seconds: loading the module with its weights, the first run, and each measured run."""

    runner: str
    load: float
    first: float
    warm_up: int
    runs: Sequence[float]

    def percentile(self, percent: float) -> float:
        """The given percentile of the run times, interpolated as in numpy."""
        return float(np.percentile(self.runs, percent))

    def json(self) -> dict[str, Any]:
        """Times in milliseconds."""
        times = {
            "load": self.load,
            "first": self.first,
            "mean": float(np.mean(self.runs)),
            "minimum": min(self.runs),
            "maximum": max(self.runs),
            "deviation": float(np.std(self.runs)),
            **{f"p{percent}": self.percentile(percent) for percent in PERCENTILES},
        }
        milliseconds = {name: round(1e3 * seconds, 4) for name, seconds in times.items()}
        per_second = round(1 / times["mean"], 3) if times["mean"] else None
        return {
            "runner": self.runner,
            "warm_up": self.warm_up,
            "iterations": len(self.runs),
            "milliseconds": milliseconds,
            "runs_per_second": per_second,
        }


def benchmark(
    artifact: Artifact,
    inputs: Mapping[str, npt.NDArray[Any]],
    warm_up: int,
    iterations: int,
    float_format: str | None = None,
) -> tuple[Arrays, Timing]:
    """Loads the model, and runs it `warm_up` times and then `iterations` times (at least once). Also returns the
    results of the last run. Raises as `forge_mlir.run` does."""
    began = time.perf_counter()
    model = LoadedModel.open(artifact, float_format=float_format)
    load = time.perf_counter() - began
    runs: list[float] = []
    results: Arrays = {}
    with phase("benchmark", warm_up + iterations) as advance:
        for number in range(warm_up + iterations):
            began = time.perf_counter()
            results = model.run(inputs)
            runs.append(time.perf_counter() - began)
            advance(number + 1)
    return results, Timing(runner(), load, runs[0], warm_up, tuple(runs[warm_up:]))


def runner() -> str:
    """What executes modules here: Tenstorrent's package if it is installed, as in emitted files."""
    return "the forge package" if forge_package().__name__ == "forge" else "the CPU reference"


def not_finite(value: npt.NDArray[Any]) -> tuple[int, int]:
    """The numbers of NaN and of infinite elements; 0 for types without either."""
    try:
        return int(np.isnan(value).sum()), int(np.isinf(value).sum())
    except TypeError:
        return 0, 0
