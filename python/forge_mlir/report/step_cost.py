"""The bytes that a program of a language model moves, compared with the sizes of its weights, caches and logits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from forge_mlir.artifact.manifest import Json
from forge_mlir.iterdomain import tiled
from forge_mlir.report.cost import CostSummary

_FORMATS = {"float32": "f32", "bfloat16": "bf16", "float16": "f16", "int32": "i32", "bool": "i32"}


@dataclass(frozen=True)
class StepCost:
    """Bytes in whole tiles: `moved` by the calls of one run in the compiler's cost model (docs/cost.md), and the sizes
    of weights, caches and logits."""

    moved: int
    weights: int
    caches: int
    logits: int

    @property
    def least(self) -> int:
        return self.weights + self.caches + self.logits

    @property
    def multiple(self) -> float:
        return self.moved / self.least if self.least else 0.0

    def json(self) -> dict[str, Any]:
        return {
            "moved": self.moved,
            "weights": self.weights,
            "caches": self.caches,
            "logits": self.logits,
            "multiple": round(self.multiple, 3),
        }

    def line(self) -> str:
        return (
            f"a run moves {self.moved:,} bytes: {self.multiple:.2f} times its weights ({self.weights:,}), "
            f"caches ({self.caches:,}) and logits ({self.logits:,})"
        )


def step_cost(cost: CostSummary, manifest: Json, roles: Json) -> StepCost:
    """The step cost of a program with this manifest and these generation facts (`artifact`, `importer.generation`)."""
    inputs = {entry["onnx_name"]: entry for entry in manifest["inputs"]}
    outputs = {entry["onnx_name"]: entry for entry in manifest["outputs"]}
    return StepCost(
        cost.after.bytes,
        sum(map(_bytes, manifest["weights"])),
        sum(_bytes(inputs[past]) for past, _ in roles["caches"]),
        _bytes(outputs[roles["logits"]]),
    )


def _bytes(entry: Json) -> int:
    """The size of a value in whole tiles."""
    found = tiled(entry["shape"] or [1], dtype=_FORMATS[entry["dtype"]]).report()["alloc_bytes"]
    assert isinstance(found, int)
    return found
