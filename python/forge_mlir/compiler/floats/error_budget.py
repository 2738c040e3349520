"""Selects the ONNX nodes that stay in Float32 so that a bfloat16 program stays within an error budget.

The rounding of each node is measured on sample inputs (`execute.rounding_probe`). Nodes are sorted by error saved per
byte. Bisection finds the shortest prefix for which the compiled program meets the budget; the criterion is the measured
error of whole programs, which is deterministic.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.execute.rounding_probe import RoundingProbe
from forge_mlir.execute.run import run
from forge_mlir.execute.values.random_inputs import random_inputs

Arrays = Mapping[str, npt.NDArray[Any]]
Compile = Callable[[Path, Literal["float32", "bfloat16"], Sequence[str]], Artifact]
"""Compiles the model to a directory in a float format, with nodes that stay in Float32."""


@dataclass(frozen=True)
class Budgeted:
    """The nodes that stay in Float32, the error of the outputs with and without them, relative to their root mean
    square, and how many programs were measured."""

    nodes: tuple[str, ...]
    error: float
    error_without: float
    tries: int

    def facts(self, budget: float) -> dict[str, Any]:
        """The facts for the manifest."""
        return {
            "error_budget": budget,
            "float32_nodes": list(self.nodes),
            "error": self.error,
            "error_in_bfloat16": self.error_without,
            "programs_measured": self.tries,
        }


def nodes_within(budget: float, compile: Compile, inputs: Arrays | None) -> Budgeted:
    """Raises ForgeError if the program exceeds the budget even with all nodes in Float32, and for a partitioned model,
    whose nodes cannot be measured individually."""
    with tempfile.TemporaryDirectory(prefix="forge-mlir-") as scratch:
        exact = compile(Path(scratch) / "float32", "float32", ())
        manifest = exact.manifest()
        if "partitions" in manifest or "shape_sets" in manifest:
            raise ForgeError(
                Code.PassOption, "--error-budget: expected a model of one device module; give --keep-float32 instead"
            )
        sample = {**random_inputs(manifest), **(inputs or {})}
        reference = run(exact, sample)
        probe = RoundingProbe()
        run(exact, sample, probe)
        # Calls on an input before its first node have the name of the input.
        entries = {entry["onnx_name"] for entry in manifest["inputs"]}
        order = [name for name in _by_error_per_byte(probe) if name not in entries]
        tried: dict[int, float] = {}

        def error(count: int) -> float:
            if count not in tried:
                artifact = compile(Path(scratch) / f"kept_{count}", "bfloat16", order[:count])
                tried[count] = relative_error(run(artifact, sample), reference)
            return tried[count]

        low, high = 0, len(order)
        if error(high) > budget:
            raise ForgeError(
                Code.PassOption,
                f"--error-budget: {budget:g} is less than the error of {error(high):.3g} that stays with every node in "
                "float32, where inputs, weights or outputs are rounded",
            )
        while low < high:
            middle = (low + high) // 2
            if error(middle) <= budget:
                high = middle
            else:
                low = middle + 1
        return Budgeted(tuple(order[:high]), error(high), error(0), len(tried))


def _by_error_per_byte(probe: RoundingProbe) -> list[str]:
    found = [(name, node) for name, node in probe.by_node.items() if name and node.squares > 0]
    return [name for name, node in sorted(found, key=lambda each: (-each[1].squares / max(each[1].nbytes, 1), each[0]))]


def relative_error(outputs: Arrays, reference: Arrays) -> float:
    """The largest error of the outputs: the root mean square of the difference, relative to that of the reference. For
    integer outputs, the fraction of elements that differ."""
    worst = 0.0
    for name, expected in reference.items():
        found = np.asarray(outputs[name])
        if np.asarray(expected).dtype.kind in "biu":
            worst = max(worst, float(np.mean(found != expected)) if found.size else 0.0)
            continue
        a, b = np.asarray(found, dtype=np.float64), np.asarray(expected, dtype=np.float64)
        finite = np.isfinite(b)
        if not finite.any():
            continue
        scale = float(np.sqrt(np.mean(b[finite] ** 2)))
        difference = np.nan_to_num(a[finite] - b[finite], nan=np.inf, posinf=np.inf, neginf=np.inf)
        size = float(np.sqrt(np.mean(difference**2)))
        worst = max(worst, size / scale if scale else size)
    return worst
