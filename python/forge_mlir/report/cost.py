"""The cost of a program on the device according to the compiler's cost model, and the savings of each pass."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from forge_mlir import _native
from forge_mlir._native import PassRun

_CONVERSION = "convert-onnx-to-forge"
_NUMBERED = re.compile(r"(?:^|\.)\d+$")

COST_TITLES = ("kernels", "bytes", "padding", "bytes moved", "multiply-adds", "picoseconds")
"""The titles of the fields of a Cost, in order."""

Bound = Literal["launch", "memory", "arithmetic", "nothing"]


@dataclass(frozen=True)
class Device:
    """The rates of a device in the cost model, per nanosecond, and the nanoseconds of a launch (docs/cost.md has
    sources)."""

    name: str
    bytes: int
    multiply_adds: int
    multiply_adds_of_8: int
    launch: int

    @classmethod
    def of(cls, name: str = "") -> Device:
        """The device of this name; the default is the device that programs are compiled for. Raises ValueError for an
        unknown one."""
        devices = [cls(*row) for row in _native.devices()]
        found = next((device for device in devices if name in (device.name, "")), None)
        if found is None:
            raise ValueError(f"expected one of {', '.join(device.name for device in devices)}, but got {name!r}")
        return found

    def rate(self, device_format: str) -> int:
        """Multiply-adds per nanosecond in this float format."""
        return self.multiply_adds_of_8 if device_format.startswith("bfp") else self.multiply_adds


@dataclass(frozen=True)
class Cost:
    """The cost of one run on the device: calls of TTNN; bytes that they read and write in whole tiles, of which padding
    and bytes of pure movement are listed separately; multiply-adds of products and convolutions; and picoseconds in
    total. An estimate (docs/cost.md), not a measurement."""

    kernels: int = 0
    bytes: int = 0
    padding: int = 0
    moved: int = 0
    multiply_adds: int = 0
    picoseconds: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(*map(operator.add, vars(self).values(), vars(other).values()))

    def __sub__(self, other: Cost) -> Cost:
        return Cost(*map(operator.sub, vars(self).values(), vars(other).values()))

    def bound(self, device: Device, device_format: str = "") -> Bound:
        """What dominates the time: launches, memory, or multiply-adds."""
        launch = self.kernels * device.launch
        work = self.picoseconds / 1000 - launch
        if self.picoseconds <= 0:
            return "nothing"
        if launch >= work:
            return "launch"
        by_bytes, by_sums = self.bytes / device.bytes, self.multiply_adds / device.rate(device_format)
        return "memory" if by_bytes >= by_sums else "arithmetic"


@dataclass(frozen=True)
class CostRow:
    """An op type, a layer or an ONNX node: the number of ops after the conversion from ONNX and in the final program,
    and what bounds the time of the latter."""

    name: str
    ops_before: int
    ops_after: int
    before: Cost
    after: Cost
    bound: Bound


@dataclass(frozen=True)
class PassSaving:
    """The savings of a pass (negative: additional cost) over all its runs; `did` are its own statistics."""

    name: str
    saved: Cost
    did: dict[str, int]


@dataclass(frozen=True)
class CallCost:
    """A call of the program that runs on the device, by the first ONNX node in its location."""

    callee: str
    node: str
    cost: Cost


@dataclass(frozen=True)
class PassPoint:
    """The program after a pass: the number of ops on the device, and their cost."""

    name: str
    ops: int
    cost: Cost


@dataclass(frozen=True)
class CostSummary:
    """`before` is the cost after the conversion from ONNX; `after` that of the final program, and `bound` what bounds
    its time. Rows are sorted by time in the program, passes by their first run."""

    device: Device
    before: Cost
    after: Cost
    bound: Bound
    ops: tuple[CostRow, ...]
    layers: tuple[CostRow, ...]
    nodes: tuple[CostRow, ...]
    passes: tuple[PassSaving, ...]

    @property
    def total(self) -> CostRow:
        """The sum of all rows."""
        before, after = (sum(getattr(row, name) for row in self.ops) for name in ("ops_before", "ops_after"))
        return CostRow("in all", before, after, self.before, self.after, self.bound)


def layer_of(name: str, scopes: Mapping[str, tuple[str, ...]] | None = None) -> str:
    """The layer of a node: the prefix of its path, from `scopes` or its name, up to the first number, or its first two
    components."""
    path = (scopes or {}).get(name) or tuple(part for part in name.split("/") if part)[:-1]
    numbered = next((at for at, part in enumerate(path) if _NUMBERED.search(part)), 1)
    return "/".join(path[: numbered + 1])


@dataclass
class _Sums:
    """Accumulates the cost of a program."""

    total: Cost = Cost()
    calls: list[CallCost] = field(default_factory=list)

    @classmethod
    def of(cls, run: PassRun, device_format: str, device: str) -> _Sums:
        calls = [CallCost(callee, node, Cost(*counts)) for callee, node, *counts in run.costs(device_format, device)]
        return cls(sum((call.cost for call in calls), Cost()), calls)


class CostObserver:
    """An `on_pass` callback of `compile` that accumulates costs. Raises ValueError for an unknown format or device."""

    def __init__(self, device_format: str = "", device: str = "") -> None:
        self._format = device_format
        self._device = Device.of(device)
        self._before: _Sums | None = None
        self._now = _Sums()
        self._saved: dict[str, Cost] = {}
        self._did: dict[str, Counter[str]] = {}
        self._points: list[PassPoint] = []

    def __call__(self, run: PassRun) -> None:
        """Called after each pass, while its IR exists."""
        last, self._now = self._now, _Sums.of(run, self._format, self._device.name)
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
        """The calls of the program after the last pass, in order."""
        return tuple(self._now.calls) if self._before is not None else ()

    @property
    def points(self) -> tuple[PassPoint, ...]:
        """The program after the conversion from ONNX, and after each later pass."""
        return tuple(self._points)

    def summary(self, scopes: Mapping[str, tuple[str, ...]] | None = None) -> CostSummary | None:
        """The accumulated costs; None if no ONNX op was converted. `scopes` are paths of nodes whose names contain
        none."""
        if self._before is None:
            return None
        passes = (
            PassSaving(name, saved, dict(self._did[name]))
            for name, saved in self._saved.items()
            if saved != Cost() or self._did[name]
        )
        return CostSummary(
            self._device,
            self._before.total,
            self._now.total,
            self._now.total.bound(self._device, self._format),
            self._rows(lambda call: call.callee),
            self._rows(lambda call: layer_of(call.node, scopes)),
            self._rows(lambda call: call.node),
            tuple(passes),
        )

    def _rows(self, name_of: Callable[[CallCost], str]) -> tuple[CostRow, ...]:
        assert self._before is not None
        before, after = _grouped(self._before.calls, name_of), _grouped(self._now.calls, name_of)
        none = (0, Cost())
        rows = []
        for name in dict.fromkeys((*after, *before)):
            (ops_before, cost_before), (ops_after, cost_after) = before.get(name, none), after.get(name, none)
            bound = cost_after.bound(self._device, self._format)
            rows.append(CostRow(name, ops_before, ops_after, cost_before, cost_after, bound))
        return tuple(sorted(rows, key=lambda row: (-row.after.picoseconds, -row.after.bytes, row.name)))


def _grouped(calls: Iterable[CallCost], name_of: Callable[[CallCost], str]) -> dict[str, tuple[int, Cost]]:
    found: dict[str, tuple[int, Cost]] = {}
    for call in calls:
        ops, known = found.get(name_of(call), (0, Cost()))
        found[name_of(call)] = ops + 1, known + call.cost
    return found
