"""Compares a compiled model with ONNX node by node, and finds the first node that is wrong.

Both sides run at the same pace. Each ONNX node is computed twice: on ONNX's own values, which tells how far the module
is off so far, and on what the *module* computed for the node's inputs, which tells what this node alone adds. The
second comparison has no rounding from the nodes before it, so its limits are tight, and the node that fails it is the
node to blame. Values that the module does not hold (they were fused or folded) are computed from those it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
from onnx import NodeProto

from forge_mlir.errors import ForgeError
from forge_mlir.importer import ImportedModel
from forge_mlir.importer.passes.own_opsets import has_own_opsets
from forge_mlir.onnx_model.graph import names_read
from forge_mlir.support.progress import phase
from forge_mlir.verify.cancellation import largest_term
from forge_mlir.verify.comparison import OUTPUT_LIMITS, Comparison, Limits, compare, is_floating
from forge_mlir.verify.module_steps import Observed, Step, StepFailed, SteppedModel, as_onnx
from forge_mlir.verify.onnx_nodes import OnnxNodes, Values, draws, freed
from forge_mlir.verify.rounding import either_way, evaluate_quantiser, is_quantiser

# One node on the same inputs: a few roundings, of values that are mostly smaller than the largest. On models of this
# project float32 stays below 7e-7; long sums in another order need some room. Integers must be equal.
NODE_LIMITS = {
    np.dtype(np.float16): Limits(4e-3, 0.9999),
    np.dtype(ml_dtypes.bfloat16): Limits(3e-2, 0.999),
    np.dtype(np.float32): Limits(4e-6, 0.99999),
    np.dtype(np.float64): Limits(4e-6, 0.99999),  # Float32 on the device
}


@dataclass(frozen=True)
class NodeReport:
    """One output of one ONNX node: `total` on ONNX's inputs, `local` on the module's. `off` names who is wrong where
    the two sides differ by more than the limit: "onnxruntime", "module", or "both", which float64 is as far from;
    "neither", where a quantiser may round either way; "sum" where the terms of a sum cancel; "random", where the value
    was drawn and there is nothing to compare."""

    node: NodeProto
    total: Comparison
    local: Comparison
    off: str = ""

    def json(self) -> dict[str, Any]:
        return {
            "node": self.node.name,
            "op": op_of(self.node),
            "total": self.total.json(),
            "local": self.local.json(),
            "off": self.off,
        }


@dataclass(frozen=True)
class Divergence:
    """The first node that is wrong. `fused` are the nodes before it that became one with it; `steps` what all of them
    became in the emitted module."""

    node: NodeProto
    reason: str
    inputs: tuple[tuple[str, str], ...]
    fused: tuple[NodeProto, ...]
    steps: tuple[Step, ...]

    @property
    def names(self) -> set[str]:
        """The nodes that may be the wrong one."""
        return {self.node.name, *(node.name for node in self.fused)}

    def json(self) -> dict[str, Any]:
        return {
            "node": self.node.name,
            "op": op_of(self.node),
            "reason": self.reason,
            "inputs": [{"name": name, "type": kind} for name, kind in self.inputs],
            "fused": [{"node": node.name, "op": op_of(node)} for node in self.fused],
            "emitted": [{"file": step.file, "line": step.line, "text": step.text} for step in self.steps],
        }


def op_of(node: NodeProto) -> str:
    return f"{node.domain}.{node.op_type}" if node.domain else str(node.op_type)


@dataclass
class Lockstep:
    """One run of both sides. `reports` come in model order and end with the first divergence; afterwards `divergence`
    says what it was, and `outputs` holds what the module returned when there was none, `goldens` what ONNX gives.
    `skipped` are nodes that ONNX could not run by themselves, and why."""

    imported: ImportedModel
    program: SteppedModel
    inputs: Mapping[str, npt.NDArray[Any]]
    divergence: Divergence | None = None
    outputs: dict[str, Any] | None = None
    goldens: Values = field(default_factory=dict)
    skipped: list[tuple[NodeProto, str]] = field(default_factory=list)
    corrected: bool = False
    """Whether onnxruntime was off at a node, or drew other random numbers."""
    _pending: dict[str, Observed] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._nodes = OnnxNodes.of(self.imported)
        self._results = {info.name for info in self.imported.outputs}
        self._producers = {name: node for node in self._nodes.nodes for name in node.output if name}
        # Constants are not computed: where one is wrong, the node that reads it is.
        self._traced = {name: step for name, step in self.program.traced().items() if name in self._producers}
        self._held = {*self._traced, *self.program.hosted()} & self._producers.keys()
        self._run = self.program.run(self.inputs)
        # On ONNX's own values, and on the module's.
        self._onnx: Values = dict(self.inputs)
        self._module: Values = dict(self.inputs)

    @property
    def corrects_onnxruntime(self) -> bool:
        """Whether `goldens` are better than what onnxruntime computes for the whole model: it was off at a node, or
        takes nodes of a function for another opset than the function says."""
        graph = self.imported.graph
        return self.corrected or (graph is not None and has_own_opsets(graph))

    def reports(self) -> Iterator[NodeReport]:
        """Runs everything."""
        uses = self._nodes.uses()
        # What became one call is judged as one, from the values that it began with.
        fused = {id(node): self._origins(node) for node in self._nodes.nodes if not self._held.isdisjoint(node.output)}
        for origins in fused.values():
            uses.update(name for origin in origins for name in names_read(origin))
        with phase("compare nodes", len(self._nodes.nodes)) as advance:
            for done, node in enumerate(self._nodes.nodes, 1):
                advance(done)
                origins = fused.get(id(node), ())
                yield from self._node(node, origins)
                if self.divergence:
                    return
                for name in list(freed(self._onnx, uses, node, origins)):
                    self._module.pop(name, None)
        self._finish()

    def _node(self, node: NodeProto, origins: Sequence[NodeProto]) -> Iterator[NodeReport]:
        call = self._nodes.prepare(node)
        known = {name for name in names_read(node) if name in self._onnx}
        try:
            goldens = call(self._onnx)
            same = all(self._onnx[name] is self._module[name] for name in known)
            expected = goldens if same else call(self._module)
        except ForgeError as error:
            self.skipped.append((node, error.message))
            return
        self._onnx.update(goldens)
        self.goldens.update((name, value) for name, value in goldens.items() if name in self._results)
        self._module.update(expected)
        for name, golden in goldens.items():
            try:
                found = self._pull(name)
            except StepFailed as failure:
                self._blame_failure(node, failure)
                return
            if found is None or not isinstance(golden, np.ndarray):
                continue
            actual = as_onnx(np.asarray(found.value), golden) if found.step else np.asarray(found.value)
            if any(draws(each) for each in (*origins, node)):
                yield self._drawn(node, name, actual)
                continue
            report = self._compared(node, name, actual, golden, np.asarray(expected[name]))
            if not report.local.passed and origins:
                either = self._rounded_either_way(report, origins, name, actual)
                report = either or self._compared_as_one(report, origins, name, actual, np.asarray(expected[name]))
            if not report.local.passed:
                self.divergence = self._blame(node, name, report.local.explain())
                yield report
                return
            self._module[name] = golden if actual.dtype == golden.dtype and _identical(actual, golden) else actual
            yield report

    def _drawn(self, node: NodeProto, name: str, actual: npt.NDArray[Any]) -> NodeReport:
        """The report on a value that holds random numbers: both sides go on with the module's."""
        self._onnx[name] = self._module[name] = actual
        if name in self._results:
            self.goldens[name] = actual
        self.corrected = True
        same = compare(name, actual, actual)
        return NodeReport(node, same, same, off="random")

    def _compared(
        self, node: NodeProto, name: str, actual: npt.NDArray[Any], golden: npt.NDArray[Any], expected: npt.NDArray[Any]
    ) -> NodeReport:
        limits = NODE_LIMITS.get(golden.dtype, OUTPUT_LIMITS)
        local = compare(name, _with_undefined(node, self._module, actual, expected), expected, limits)
        total = compare(name, _with_undefined(node, self._onnx, actual, golden), golden)
        if local.passed:
            return NodeReport(node, total, local)
        for wide in (True, False):
            agreed = self._second_opinion(node, name, actual, limits, wide)
            if agreed is not None:
                return NodeReport(node, total, agreed, off="onnxruntime")
        if (cancelled := self._cancelled(node, name, actual, limits)) is not None:
            return NodeReport(node, total, cancelled, off="sum")
        return NodeReport(node, total, local, off="module")

    def _compared_as_one(
        self,
        report: NodeReport,
        origins: Sequence[NodeProto],
        name: str,
        actual: npt.NDArray[Any],
        expected: npt.NDArray[Any],
    ) -> NodeReport:
        """The report on nodes that became one call: float64 decides over all of them. Roundings between them may grow
        where large terms cancel, so that the limit for one node is too narrow for both sides: then the module may be
        twice as far off as onnxruntime. A CPU partition is right if onnxruntime gives the same for its nodes as one
        graph: one by one their sums may have another order."""
        if name in self.program.hosted():
            whole = self._nodes.prepare_as_one((*origins, report.node))
            try:
                judged = np.asarray(whole(self._module)[name])
            except ForgeError:
                return report
            local = compare(name, actual, judged, report.local.limits)
            return replace(report, local=local, off="") if local.passed else report
        values = dict(self._module)
        try:
            for node in (*origins, report.node):
                values.update(self._wide(node, values))
        except ForgeError:
            return report
        exact, limits = np.asarray(values[name]).astype(expected.dtype), report.local.limits
        own, theirs = compare(name, actual, exact, limits), compare(name, expected, exact, limits)
        off = "" if theirs.passed else "onnxruntime"
        if not own.passed and not theirs.passed and not own.reason and not theirs.reason:
            widened = Limits(max(limits.relative, 2 * theirs.relative), min(limits.pcc, 2 * theirs.pcc - 1))
            own, off = replace(own, limits=widened), "both"
        return replace(report, local=own, off=off) if own.passed else report

    def _rounded_either_way(
        self, report: NodeReport, origins: Sequence[NodeProto], name: str, actual: npt.NDArray[Any]
    ) -> NodeReport | None:
        """The report on nodes that became one call and hold a quantiser that may round either way; None where no such
        one is among them. Next to one, being as far from float64 as onnxruntime is excuses nothing: that is a quantum,
        wherever a rounding of onnxruntime went the other way."""
        if name in self.program.hosted():
            return None
        parts, limits = (*origins, report.node), report.local.limits
        single = NODE_LIMITS[np.dtype(np.float32)].relative
        try:
            sides = either_way(parts, self._with_parameters(parts), self._wide, single)
        except (ForgeError, ValueError):
            return None
        if sides is None or actual.shape != sides[0].shape:
            return None
        apart = [np.abs(actual.astype(np.float64) - side.astype(np.float64)) for side in sides]
        judged = np.where(apart[0] <= apart[1], *sides).astype(actual.dtype)
        local = compare(name, actual, judged, limits)
        return replace(report, local=local, off="neither") if local.passed else report

    def _wide(self, node: NodeProto, values: Values) -> Values:
        """The results of `node` in float64."""
        if is_quantiser(node):
            return evaluate_quantiser(node, {**self._with_parameters((node,)), **values})
        return self._nodes.prepare(node, on_reference=True, wide=True)(values)

    def _with_parameters(self, nodes: Sequence[NodeProto]) -> Values:
        """What the module has, and the constants that quantisers among `nodes` read."""
        read = {name for node in nodes if is_quantiser(node) for name in node.input}
        return {name: value for name, value in self._nodes.constants.items() if name in read} | self._module

    def _second_opinion(
        self, node: NodeProto, name: str, actual: npt.NDArray[Any], limits: Limits, wide: bool
    ) -> Comparison | None:
        """The comparison with onnx.reference, `wide` in float64, where that agrees with the module; None where not.

        ONNX's side goes on with what it says instead of onnxruntime's values."""
        call = self._nodes.prepare(node, on_reference=True, wide=wide)
        try:
            judged = np.asarray(call(self._module)[name])
            corrected = np.asarray(call(self._onnx)[name])
        except ForgeError:
            return None
        if is_floating(actual.dtype):
            judged, corrected = judged.astype(actual.dtype), corrected.astype(actual.dtype)
        local = compare(name, actual, judged, limits)
        if not local.passed:
            return None
        self._onnx[name] = corrected
        if name in self._results:
            self.goldens[name] = corrected
        self.corrected = True
        return local

    def _cancelled(self, node: NodeProto, name: str, actual: npt.NDArray[Any], limits: Limits) -> Comparison | None:
        """The comparison of a sum with float64, by what its terms are; None where it fails, or `node` is no sum."""
        read = {name: self._module.get(name, self._nodes.constants.get(name)) for name in names_read(node)}
        try:
            largest = largest_term(node, read, self._wide)
            exact = np.asarray(self._wide(node, self._module)[name]) if largest is not None else actual
        except ForgeError:
            return None
        if largest is None:
            return None
        scale = float(np.abs(exact).max(initial=0.0)) or 1.0
        local = compare(name, actual, exact.astype(actual.dtype), Limits(limits.relative * largest / scale, -1.0))
        return local if local.passed else None

    def _pull(self, name: str) -> Observed | None:
        """The module's value of `name`; it runs until it has it. None for one that it does not hold."""
        if name in self._pending:
            return self._pending.pop(name)
        if name not in self._held:
            return None
        while (found := self._next()) is not None:
            if found.name == name:
                return found
            if found.name in self._held:
                self._pending[found.name] = found
        return None

    def _next(self) -> Observed | None:
        try:
            return next(self._run)
        except StopIteration as end:
            self.outputs = end.value
            return None

    def _finish(self) -> None:
        try:
            while self._next() is not None:
                pass
        except StepFailed as failure:
            self._blame_failure(self._nodes.nodes[-1], failure)

    # Blame

    def _blame(self, node: NodeProto, name: str, reason: str) -> Divergence:
        step = self._traced.get(name)
        types = tuple((name, self._type_of(name)) for name in node.input if name)
        return Divergence(node, reason, types, self._origins(node), self._cone(step) if step else ())

    def _blame_failure(self, node: NodeProto, failure: StepFailed) -> None:
        """The node of the call that raised; its steps tell it by name."""
        step = failure.step
        if step is not None:
            node = next((n for n in self._nodes.nodes if n.name == step.node), node)
        found = self._blame(node, "", failure.message)
        self.divergence = replace(found, steps=self._cone(step) if step else ())

    def _origins(self, node: NodeProto) -> tuple[NodeProto, ...]:
        """The nodes that `node` was computed from since values that the module holds, in model order."""
        found: dict[int, NodeProto] = {}
        todo = [node]
        while todo:
            for name in names_read(todo.pop()):
                other = self._producers.get(name)
                if other is not None and name not in self._held and id(other) not in found:
                    found[id(other)] = other
                    todo.append(other)
        return tuple(other for other in self._nodes.nodes if id(other) in found)

    def _cone(self, last: Step) -> tuple[Step, ...]:
        """The calls that `last` was computed by since values that ONNX has, in order."""
        holding = {id(step) for step in self._traced.values()}
        steps = next(steps for steps in self.program.modules.values() if any(step is last for step in steps))
        makers = {step.variable: step for step in steps}
        found, todo = {id(last)}, [last]
        while todo:
            for name in todo.pop().operands:
                maker = makers.get(name)
                if maker is not None and id(maker) not in holding and id(maker) not in found:
                    found.add(id(maker))
                    todo.append(maker)
        return tuple(step for step in steps if id(step) in found)

    def _type_of(self, name: str) -> str:
        value = self._module.get(name, self._nodes.constants.get(name))
        return f"{value.dtype}{list(value.shape)}" if isinstance(value, np.ndarray) else "unknown"


def _with_undefined(
    node: NodeProto, values: Values, actual: npt.NDArray[Any], golden: npt.NDArray[Any]
) -> npt.NDArray[Any]:
    """`actual` with the golden's elements where ONNX defines none: a float that the integer type of a Cast lacks."""
    source = values.get(node.input[0]) if node.op_type == "Cast" and not node.domain and node.input else None
    integers = golden.dtype.kind in "iu" and actual.shape == golden.shape
    if not integers or not isinstance(source, np.ndarray) or not is_floating(source.dtype):
        return actual
    limits = np.iinfo(golden.dtype)
    wide = np.trunc(source.astype(np.float64))
    defined = np.isfinite(wide) & (wide >= float(limits.min)) & (wide < float(limits.max) + 1)
    return np.asarray(np.where(defined, actual, golden)).astype(actual.dtype)


def _identical(left: npt.NDArray[Any], right: npt.NDArray[Any]) -> bool:
    return left.shape == right.shape and left.tobytes() == right.tobytes()
