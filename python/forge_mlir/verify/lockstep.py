"""Compares a compiled model with ONNX node by node, and finds the first node that is wrong.

Both sides run in lockstep. Each ONNX node is computed twice: on ONNX's own values, which shows the total error of the
module so far, and on the *module's* values of the node's inputs, which shows the error of this node alone. The second
comparison excludes rounding errors of earlier nodes, so that each element has the limit of `bounds`; a node that
exceeds it is at fault. Values that the module does not have (because they were fused or folded) are computed from those
that it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from onnx import NodeProto

from forge_mlir.errors import ForgeError
from forge_mlir.execute.onnx.nodes import OnnxNodes, Values, draws, freed
from forge_mlir.importer import ImportedModel
from forge_mlir.importer.passes.functions.own_opsets import has_own_opsets
from forge_mlir.onnx_model.graph import names_read
from forge_mlir.support.progress import phase
from forge_mlir.verify.comparison import compare
from forge_mlir.verify.judged import Judged
from forge_mlir.verify.judges import Judges
from forge_mlir.verify.limits.arg_max import is_misplaced
from forge_mlir.verify.limits.undefined import require_divisors, undefined_elements, with_undefined
from forge_mlir.verify.module_steps import Observed, Step, StepFailed, SteppedModel, as_onnx
from forge_mlir.verify.node_reports import Divergence, NodeReport
from forge_mlir.verify.wrong_by_both import wrong_by_both

_Both = tuple[npt.NDArray[Any], npt.NDArray[Any]]
"""ONNX's results for its own values, and for the module's."""


class _Late(NamedTuple):
    """An output that the module returns but that is not in its trace: its node, the earlier nodes that were fused with
    it, ONNX's results for the module's values, these values, and ONNX's own."""

    node: NodeProto
    origins: Sequence[NodeProto]
    expected: Any
    values: Values
    own: Values


@dataclass
class Lockstep:
    """One run of both sides. `reports` are in model order and end with the first divergence. Afterwards `divergence`
    describes it, `outputs` are the results of the module if there was none, and `goldens` are those of ONNX. `skipped`
    are nodes that ONNX could not run individually, with reasons."""

    imported: ImportedModel
    program: SteppedModel
    inputs: Mapping[str, npt.NDArray[Any]]
    program_format: np.dtype[Any] | None = None
    """The float format of the module if it differs from the model's."""
    units: int = 1
    """The units that nodes that only choose, compare or move may be off by."""
    divergence: Divergence | None = None
    outputs: dict[str, Any] | None = None
    goldens: Values = field(default_factory=dict)
    skipped: list[tuple[NodeProto, str]] = field(default_factory=list)
    undecided: list[tuple[NodeProto, str]] = field(default_factory=list)
    """Nodes on which onnxruntime and onnx.reference differ, and the error of the module."""
    corrected: bool = False
    """Whether ONNX's side continued with other values than onnxruntime's, because these were wrong or ONNX defines
    none."""
    deviates: bool = False
    """Whether onnxruntime is known to deviate for a node and its operands."""
    stopped: bool = False
    """Whether the module stopped with an error, which is the divergence."""
    stopped_in_subgraph: bool = False
    """Whether that is an overflow of integers in a branch or an iteration, which may not be taken."""
    drawn: bool = False
    """Whether random numbers were drawn; both sides use those of the module."""
    as_nodes_say: set[str] = field(default_factory=set)
    """Outputs that differ from those of the file and are exactly the results of its last nodes for the module's own
    values."""
    unmoved: set[str] = field(default_factory=set)
    """Outputs that agree and whose nodes had exactly ONNX's operands."""
    misplaced: set[str] = field(default_factory=set)
    """Outputs that are indices of the largest or smallest elements and differ by more than rounding explains."""
    _pending: dict[str, Observed] = field(default_factory=dict)
    _late: dict[str, _Late] = field(default_factory=dict)
    _last: Judged | None = None

    def __post_init__(self) -> None:
        self.nodes = OnnxNodes.of(self.imported)
        self._judges = Judges(self.nodes, self.program_format, self.inputs, units=self.units)
        self.ordered = self._judges.ordered
        self._results = {info.name for info in self.imported.outputs}
        self._producers = {name: node for node in self.nodes.nodes for name in node.output if name}
        self._positions = {id(node): position for position, node in enumerate(self.nodes.nodes)}
        # Constants are not compared: an error in one shows at its users.
        self._traced = {name: step for name, step in self.program.traced().items() if name in self._producers}
        # Of the others, the module has no value: the nodes before a result are compared with it as a whole.
        self._hosted = frozenset(self.program.returned())
        self.held = {*self._traced, *self._hosted} & self._producers.keys()
        """The ONNX values that the module has."""
        self._run = self.program.run(self.inputs)
        # Values on ONNX's own inputs, and on the module's.
        self._onnx: Values = dict(self.inputs)
        self._module: Values = dict(self.inputs)

    @property
    def has_own_opsets(self) -> bool:
        """Whether there are nodes from a function for another opset, which onnxruntime interprets in the model's
        opset."""
        return self.imported.graph is not None and has_own_opsets(self.imported.graph)

    @property
    def trusts_reference(self) -> bool:
        """Whether onnx.reference is not known to be wrong for any of the nodes."""
        return not any(self._judges.deviates("onnx.reference", node) for node in self.nodes.nodes)

    def reports(self) -> Iterator[NodeReport]:
        """Runs both sides."""
        uses = self.nodes.uses()
        # Nodes that were fused into one call are compared as a whole, starting from the values that the call read.
        last = self.held | self._results
        fused = {id(node): self._origins(node) for node in self.nodes.nodes if not last.isdisjoint(node.output)}
        for origins in fused.values():
            uses.update(name for origin in origins for name in names_read(origin))
        with phase("compare nodes", len(self.nodes.nodes)) as advance:
            for done, node in enumerate(self.nodes.nodes, 1):
                advance(done)
                origins = fused.get(id(node), ())
                yield from self._node(node, origins)
                if self.divergence:
                    return
                for name in list(freed(self._onnx, uses, node, origins)):
                    self._module.pop(name, None)
        self._finish()

    def _node(self, node: NodeProto, origins: Sequence[NodeProto]) -> Iterator[NodeReport]:
        require_divisors(node, self._module)
        call = self.nodes.prepare(node)
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
        self.deviates = self.deviates or self._judges.is_known(node, self._onnx)
        for name, golden in goldens.items():
            try:
                found = self._pull(name)
            except StepFailed as failure:
                self._blame_failure(node, failure)
                return
            if found is None or not isinstance(golden, np.ndarray):
                if name in self._results:
                    read = (self._read(origins, node, values) for values in (self._module, self._onnx))
                    self._late[name] = _Late(node, origins, expected[name], *read)
                continue
            actual = np.asarray(found.value)
            if found.step:
                actual = as_onnx(actual, golden, rounds=self.program_format is not None)
            if any(draws(each, self.nodes.constants) for each in (*origins, node)):
                yield self._drawn(node, name, actual)
                continue
            report = self._compared(node, origins, name, actual, (golden, np.asarray(expected[name])))
            if report.off == "judges":
                self.undecided.append((node, report.local.explain()))
            elif not report.local.passed:
                self.divergence = self._blame(node, name, report.local.explain())
                yield report
                return
            self._module[name] = golden if actual.dtype == golden.dtype and _identical(actual, golden) else actual
            yield report

    def _drawn(self, node: NodeProto, name: str, actual: npt.NDArray[Any]) -> NodeReport:
        """The report for a random value: both sides continue with the module's."""
        self._onnx[name] = self._module[name] = actual
        if name in self._results:
            self.goldens[name] = actual
        self.drawn = True
        same = compare(name, actual, actual)
        return NodeReport(node, same, same, off="random")

    def _compared(
        self, node: NodeProto, origins: Sequence[NodeProto], name: str, actual: npt.NDArray[Any], values: _Both
    ) -> NodeReport:
        golden, expected = values
        actual_of_module = with_undefined(node, self._module, actual, expected)
        total = compare(name, with_undefined(node, self._onnx, actual, golden), golden)
        case = Judged((*origins, node), name, actual_of_module, expected, self._module, name in self._hosted)
        self._last = case
        local, off = self._judges.judge(case)
        settled = self._judges.settled.pop(name, None)
        if settled is not None:
            self._take(name, actual, settled)
        elif off in ("judges", "onnxruntime"):
            self._correct((*origins, node), name, actual, self._onnx, local.passed and golden is expected)
        elif local.passed:
            self._define(node, name, actual)
            if golden is values[1] and name in self._results:
                self.unmoved.add(name)
        return NodeReport(node, total, local, off)

    def wrong_by_both(self) -> str:
        """An element of the divergence, or of an output that is not in the trace, that is wrong by both references;
        empty if there is none, and if the module stopped."""
        if self.divergence is not None:
            return wrong_by_both(self._judges, self._last) if self._last and not self.stopped else ""
        for name, late in self._late.items():
            actual = (self.outputs or {}).get(name)
            if not isinstance(actual, np.ndarray) or not isinstance(late.expected, np.ndarray):
                continue
            actual = with_undefined(late.node, late.values, actual, late.expected)
            case = Judged((*late.origins, late.node), name, actual, late.expected, late.values, hosted=False)
            if self._judges.judge(case)[1] == "module" and (found := wrong_by_both(self._judges, case)):
                return found
        return ""

    def settle_outputs(self, names: Iterable[str]) -> None:
        """Checks outputs that were returned but are not in the trace and differ from those of the file. If they involve
        NaN, ONNX's side continues with the elements that are not wrong. Records which outputs are exactly ONNX's
        results for the module's own values, and which are indices that rounding does not explain."""
        for name in names:
            late, actual = self._late.get(name), (self.outputs or {}).get(name)
            if late is None or not isinstance(actual, np.ndarray) or not isinstance(late.expected, np.ndarray):
                continue
            case = Judged((*late.origins, late.node), name, actual, late.expected, late.values, hosted=False)
            local, off = self._judges.judge(case)
            settled = self._judges.settled.pop(name, None)
            if settled is not None:
                self._take(name, actual, settled)
                if off == "judges":
                    self.undecided.append((late.node, local.explain()))
            elif off in ("judges", "onnxruntime"):
                if off == "judges":
                    self.undecided.append((late.node, local.explain()))
                same = all(late.own[each] is value for each, value in late.values.items())
                self._correct(case.nodes, name, actual, late.own, local.passed and same)
            elif is_misplaced(self._judges, case):
                self.misplaced.add(name)
            elif actual.dtype == late.expected.dtype and np.array_equal(actual, late.expected):
                self.as_nodes_say.add(name)

    def _read(self, origins: Sequence[NodeProto], node: NodeProto, values: Values) -> Values:
        """Those of `values` that are operands of nodes."""
        names = {name for each in (*origins, node) for name in names_read(each)}
        return {name: values[name] for name in names if name in values}

    def _define(self, node: NodeProto, name: str, actual: npt.NDArray[Any]) -> None:
        """ONNX's side continues with the module's elements where ONNX defines no value."""
        golden = np.asarray(self._onnx[name])
        undefined = undefined_elements(node, self._onnx, golden)
        if undefined is None or actual.shape != golden.shape or (actual == golden)[undefined].all():
            return
        self._take(name, actual, undefined)

    def _take(self, name: str, actual: npt.NDArray[Any], elements: npt.NDArray[np.bool_]) -> None:
        """ONNX's side continues with these elements of the module."""
        golden = np.asarray(self._onnx[name])
        if actual.shape != golden.shape or not elements.any():
            return
        self._onnx[name] = np.where(elements, actual, golden).astype(golden.dtype)
        if name in self._results:
            self.goldens[name] = self._onnx[name]
        self.corrected = True

    def _correct(
        self, nodes: Sequence[NodeProto], name: str, actual: npt.NDArray[Any], values: Values, is_right: bool
    ) -> None:
        """ONNX's side continues with onnx.reference's result of `nodes` for `values` instead of onnxruntime's, or with
        the module's value."""
        corrected, known = actual, dict(values)
        if not is_right and not any(self._judges.deviates("onnx.reference", node) for node in nodes):
            with suppress(ForgeError):
                for node in nodes:
                    known.update(self.nodes.prepare(node, on_reference=True)(known))
                corrected = np.asarray(known[name])
        self._onnx[name] = corrected
        if name in self._results:
            self.goldens[name] = corrected
        self.corrected = True

    def _pull(self, name: str) -> Observed | None:
        """The module's value of `name`, after running it until it is computed. None if it is not in the trace."""
        if name in self._pending:
            return self._pending.pop(name)
        if name not in self.held:
            return None
        while (found := self._next()) is not None:
            if found.name == name:
                return found
            if found.name in self.held:
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
            self._blame_failure(self.nodes.nodes[-1], failure)

    # Blame

    def _blame(self, node: NodeProto, name: str, reason: str) -> Divergence:
        step = self._traced.get(name)
        types = tuple((name, self._type_of(name)) for name in node.input if name)
        return Divergence(node, reason, types, self._origins(node), self._cone(step) if step else ())

    def _blame_failure(self, node: NodeProto, failure: StepFailed) -> None:
        """The node of the call that raised, which its steps name."""
        step = failure.step
        is_inner = step is not None and step.node not in {"", *(each.name for each in self.nodes.nodes)}
        self.stopped_in_subgraph = is_inner and failure.message.startswith(OverflowError.__name__)
        if step is not None:
            node = next((n for n in self.nodes.nodes if n.name == step.node), node)
        found = self._blame(node, "", failure.message)
        self.stopped = True
        self.divergence = replace(found, steps=self._cone(step) if step else ())

    def _origins(self, node: NodeProto) -> tuple[NodeProto, ...]:
        """The nodes between values that the module has and `node`, in model order."""
        found: dict[int, NodeProto] = {}
        todo = [node]
        while todo:
            for name in names_read(todo.pop()):
                other = self._producers.get(name)
                if other is not None and name not in self.held and id(other) not in found:
                    found[id(other)] = other
                    todo.append(other)
        # By position: a pass over all nodes for each node would be quadratic.
        return tuple(sorted(found.values(), key=lambda other: self._positions[id(other)]))

    def _cone(self, last: Step) -> tuple[Step, ...]:
        """The calls between values that ONNX has and `last`, in order."""
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
        value = self._module.get(name, self.nodes.constants.get(name))
        return f"{value.dtype}{list(value.shape)}" if isinstance(value, np.ndarray) else "unknown"


def _identical(left: npt.NDArray[Any], right: npt.NDArray[Any]) -> bool:
    return left.shape == right.shape and left.tobytes() == right.tobytes()
