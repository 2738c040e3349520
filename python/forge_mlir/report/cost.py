"""What a program takes on the device by the compiler's cost model, and what each pass saved of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from forge_mlir import _native
from forge_mlir._native import PassRun

_CONVERSION = "convert-onnx-to-forge"


@dataclass(frozen=True)
class Cost:
    """One run on the device: calls of TTNN, bytes of what they read and write in whole tiles, tiles that only move,
    multiply-adds of products and convolutions. Counts of a model (docs/cost.md), no timings."""

    kernels: int = 0
    bytes: int = 0
    tiles: int = 0
    multiply_adds: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.kernels + other.kernels,
            self.bytes + other.bytes,
            self.tiles + other.tiles,
            self.multiply_adds + other.multiply_adds,
        )

    def __sub__(self, other: Cost) -> Cost:
        return self + Cost(-other.kernels, -other.bytes, -other.tiles, -other.multiply_adds)

    @property
    def weight(self) -> float:
        """All of it as bytes that a device moves in the same time, by the compiler's own weights (docs/cost.md)."""
        kernel_bytes, multiply_adds_per_byte = _native.cost_weights()
        return self.kernels * kernel_bytes + self.bytes + self.multiply_adds / multiply_adds_per_byte


@dataclass(frozen=True)
class CostRow:
    """A kind of op, or a layer: how many ops there were when ONNX had become Forge ops, and are in the program."""

    name: str
    ops_before: int
    ops_after: int
    before: Cost
    after: Cost


@dataclass(frozen=True)
class PassSaving:
    """What a pass took off (negative: added), in all its runs; `did` is what it counted itself."""

    name: str
    saved: Cost
    did: dict[str, int]


@dataclass(frozen=True)
class CallCost:
    """A call of the program that runs on the device, by the ONNX node that its location names first."""

    callee: str
    node: str
    cost: Cost


@dataclass(frozen=True)
class PassPoint:
    """The program after a pass: how many ops run on the device, and what they take."""

    name: str
    ops: int
    cost: Cost


@dataclass(frozen=True)
class CostSummary:
    """`before`: once ONNX had become Forge ops; `after`: the program. Rows are in the order of the program's kernels,
    passes in the order they ran first."""

    before: Cost
    after: Cost
    ops: tuple[CostRow, ...]
    layers: tuple[CostRow, ...]
    passes: tuple[PassSaving, ...]

    @property
    def total(self) -> CostRow:
        """The sum of all rows."""
        before, after = (sum(getattr(row, name) for row in self.ops) for name in ("ops_before", "ops_after"))
        return CostRow("in all", before, after, self.before, self.after)


def layer_of(name: str) -> str:
    """The part of a model that a node belongs to, by the path that exporters put into its name: its first two parts."""
    parts = [part for part in name.split("/") if part][:-1]
    return "/".join(parts[:2])


@dataclass
class _Sums:
    """The cost of a program, by op and by layer."""

    total: Cost = Cost()
    calls: list[CallCost] = field(default_factory=list)
    by_op: dict[str, tuple[int, Cost]] = field(default_factory=dict)
    by_layer: dict[str, tuple[int, Cost]] = field(default_factory=dict)

    @classmethod
    def of(cls, run: PassRun, device_format: str) -> _Sums:
        sums = cls()
        for callee, node, *counts in run.costs(device_format):
            cost = Cost(*counts)
            sums.total += cost
            sums.calls.append(CallCost(callee, node, cost))
            for rows, name in ((sums.by_op, callee), (sums.by_layer, layer_of(node))):
                ops, known = rows.get(name, (0, Cost()))
                rows[name] = ops + 1, known + cost
        return sums


class CostObserver:
    """An `on_pass` of `compile` that adds costs up. Raises ValueError for a format that no device has."""

    def __init__(self, device_format: str = "") -> None:
        self._format = device_format
        self._before: _Sums | None = None
        self._now = _Sums()
        self._saved: dict[str, Cost] = {}
        self._did: dict[str, Counter[str]] = {}
        self._points: list[PassPoint] = []

    def __call__(self, run: PassRun) -> None:
        """Called with each pass that ran, while its IR is there."""
        last, self._now = self._now, _Sums.of(run, self._format)
        if run.name == _CONVERSION or self._before is not None:
            self._points.append(PassPoint(run.name, len(self._now.calls), self._now.total))
        if run.name == _CONVERSION:
            self._before = self._now
        elif self._before is not None:
            saved = self._saved.get(run.name, Cost()) + (last.total - self._now.total)
            did = self._did.get(run.name, Counter()) + Counter(run.statistics)
            self._saved[run.name], self._did[run.name] = saved, did

    @property
    def calls(self) -> tuple[CallCost, ...]:
        """The program as the last pass left it, in its order."""
        return tuple(self._now.calls) if self._before is not None else ()

    @property
    def points(self) -> tuple[PassPoint, ...]:
        """The program once ONNX had become Forge ops, and after each pass from then on."""
        return tuple(self._points)

    def summary(self) -> CostSummary | None:
        """What was seen; None where no ONNX op became a Forge op."""
        if self._before is None:
            return None
        passes = (
            PassSaving(name, saved, dict(self._did[name]))
            for name, saved in self._saved.items()
            if saved != Cost() or self._did[name]
        )
        return CostSummary(
            self._before.total,
            self._now.total,
            _rows(self._before.by_op, self._now.by_op),
            _rows(self._before.by_layer, self._now.by_layer),
            tuple(passes),
        )


def _rows(before: dict[str, tuple[int, Cost]], after: dict[str, tuple[int, Cost]]) -> tuple[CostRow, ...]:
    none = (0, Cost())
    rows = []
    for name in dict.fromkeys((*after, *before)):
        (ops_before, cost_before), (ops_after, cost_after) = before.get(name, none), after.get(name, none)
        rows.append(CostRow(name, ops_before, ops_after, cost_before, cost_after))
    return tuple(sorted(rows, key=lambda row: (-row.after.kernels, -row.after.bytes, row.name)))
