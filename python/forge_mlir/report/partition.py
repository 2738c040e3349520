"""The partitions of a partitioned model, why nodes are on the CPU, and the transfers between partitions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from forge_mlir.artifact.manifest import Json


@dataclass(frozen=True)
class CpuNode:
    """An ONNX node that runs on the CPU, with the reason."""

    name: str
    op: str
    domain: str
    reason: str


@dataclass(frozen=True)
class Traffic:
    """Tensors that enter or leave a partition. `bytes` is the sum of known sizes, `unknown` the number of other
    tensors."""

    tensors: int
    bytes: int
    unknown: int

    @staticmethod
    def of(values: Iterable[Json]) -> Traffic:
        """The traffic of some values of a manifest."""
        sizes = [value["bytes"] for value in values]
        known = [size for size in sizes if size is not None]
        return Traffic(len(sizes), sum(known), len(sizes) - len(known))


@dataclass(frozen=True)
class PartitionSummary:
    """One partition of a partitioned model, in execution order.

    `ops` counts ONNX ops on the CPU, and Forge calls on the device. `share` is the partition's fraction of the
    multiply-adds of the model. On the CPU, those of matrix products and convolutions of known shape are counted.
    """

    module: str
    kind: str
    ops: dict[str, int]
    cpu_nodes: tuple[CpuNode, ...]
    multiply_adds: int
    share: float
    takes: Traffic
    gives: Traffic
    engine: str = ""
    """The engine of a CPU partition."""


def summarise(manifest: Json) -> tuple[PartitionSummary, ...]:
    """The partitions in the main manifest of a model; empty for a single device module."""
    partitions = manifest.get("partitions", [])
    total = sum(partition["multiply_adds"] for partition in partitions)
    values = manifest.get("values", [])
    return tuple(
        PartitionSummary(
            partition["module"],
            partition["kind"],
            partition["ops"],
            tuple(CpuNode(node["name"], node["op"], node["domain"], node["reason"]) for node in partition["nodes"]),
            partition["multiply_adds"],
            partition["multiply_adds"] / total if total else 0.0,
            Traffic.of(values[index] for index in partition["inputs"]),
            Traffic.of(values[index] for index in partition["outputs"]),
            partition.get("engine", ""),
        )
        for partition in partitions
    )
