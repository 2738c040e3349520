"""Whether a value of the module is right: what onnxruntime says, and where that differs, float64 and onnx.reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import NodeProto

from forge_mlir.errors import ForgeError
from forge_mlir.execute.onnx.engines import Engine
from forge_mlir.execute.onnx.nodes import OnnxNodes, Values
from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.onnx_model.graph import names_read, node_opset
from forge_mlir.support.known_deviations import deviations_of
from forge_mlir.verify.comparison import OUTPUT_LIMITS, Comparison, compare, epsilon
from forge_mlir.verify.float_formats import in_format, is_narrow, rounding_of
from forge_mlir.verify.limits.bounds import Case, bounds_of, sum_is_exact, terms_of
from forge_mlir.verify.limits.op_classes import CENTRED, MOVES, SUMS
from forge_mlir.verify.limits.partial_sums import ORDERED, joined_bound
from forge_mlir.verify.limits.rounding import evaluate_quantiser, is_quantiser

Array = npt.NDArray[Any]

_MOST_WIDENED = 16.0
"""Where onnxruntime itself is farther from float64 than a limit, the module may be twice as far as that, and never more
than this many times the limit."""
_ANOTHER_MEANING = 1e-3
"""An engine that is farther than this from float64, relative to the row, does not round: it computes something else."""
_ROUNDS_EACH_STEP = 32
"""But for units of a 16-bit type, which onnx.reference rounds every partial sum to."""
_NOTHING = 1e-6
"""But for what is next to nothing beside 1 and the largest element: onnxruntime's functions end there."""


@dataclass(frozen=True)
class Judged:
    """A value of the module: result `name` of the last of `nodes`, which became one call, and are in model order.
    `values` is what the module has, and what onnxruntime makes of that for the nodes before the last one."""

    nodes: Sequence[NodeProto]
    name: str
    actual: Array
    expected: Array
    values: Values
    hosted: bool
    orders: bool = False
    """Whether limits have the partial sums, as in `Case`."""


class Judges:
    """Decides about the values of one model."""

    def __init__(self, nodes: OnnxNodes, program: np.dtype[Any] | None = None) -> None:
        """`program` is the float format that the module computes in, where it is not the model's."""
        self._nodes = nodes
        self._program = program
        self._opsets = {entry.domain: entry.version for entry in nodes.model.opset_import}
        self._centred = {node.input[0] for node in nodes.nodes if node.op_type in CENTRED}
        """Values whose rows a norm centres, or does not where they have no mean but for a rounding."""
        self._own_errors: dict[str, npt.NDArray[np.float64]] = {}

    def judge(self, case: Judged, *, scaled: bool) -> tuple[Comparison, str]:
        """The comparison that decides, and who is off, as `NodeReport` has it. With `scaled` the module holds the value
        with a factor, whose rounding it has then."""
        self._note_own_error(case)
        near = compare(case.name, case.actual, case.expected, allowed=_last_bit(case.expected))
        if near.passed:
            return near, ""
        allowed = self._allowed(case, scaled, case.expected)
        known = any(self.deviates("onnxruntime", node) for node in case.nodes)
        # Both sides round.
        local = compare(case.name, case.actual, case.expected, allowed=2 * allowed)
        if not local.passed and any(node.op_type in ORDERED for node in case.nodes):
            case = replace(case, orders=True)
            allowed = self._allowed(case, scaled, case.expected)
            local = compare(case.name, case.actual, case.expected, allowed=2 * allowed)
        if local.passed and not known:
            return local, ""
        if case.hosted:
            return self._as_one(case, local)
        if any(self.deviates("onnx.reference", node) for node in case.nodes):
            return local, "judges" if known else "module"
        return self._by_float64(case, local, known)

    def allowed(
        self, nodes: Sequence[NodeProto], name: str, values: Values, *, orders: bool = False
    ) -> npt.NDArray[np.float64]:
        """By how much result `name` of the last of `nodes` may be off, each element by itself; `orders` as in
        `Case`."""
        errors: dict[str, Any] = {}
        terms: dict[str, float] = {}
        for node in nodes:
            case = replace(self._case(node, values, errors), orders=orders)
            errors.update(self._bounds(case))
            _join_sums(case, errors, terms)
        return np.asarray(errors[name])

    def _note_own_error(self, case: Judged) -> None:
        """By how much a value that a norm has centred is off: its rows have that for a mean."""
        if case.name in self._centred and case.nodes[-1].op_type in CENTRED:
            self._own_errors[case.name] = self.allowed(case.nodes, case.name, {**case.values, case.name: case.expected})

    def _allowed(self, case: Judged, scaled: bool, result: Array) -> npt.NDArray[np.float64]:
        if len(case.nodes) == 1 and not scaled and not is_narrow(self._program) and is_floating(case.expected.dtype):
            (node,) = case.nodes
            if sum_is_exact(self._case(node, case.values, {})):
                return np.zeros(())
        return self.allowed(case.nodes, case.name, {**case.values, case.name: result}, orders=case.orders)

    def _bounds(self, case: Case) -> dict[str, Any]:
        try:
            return bounds_of(case)
        except Exception:  # The reference raises what it likes, for types that an op does not have in float64.
            return {name: _of_the_largest(value) for name, value in case.results.items()}

    def _case(self, node: NodeProto, values: Values, errors: Mapping[str, Any]) -> Case:
        read = {name: values.get(name, self._nodes.constants.get(name)) for name in names_read(node)}
        results = {name: in_format(np.asarray(values[name]), self._program) for name in node.output if name in values}
        roundings = {name: rounding_of(value, self._program) for name, value in read.items()}
        own = {name: each + errors.get(name, 0.0) for name, each in roundings.items() if each is not None}
        made = {name: self._own_errors[name] for name in read if name in self._own_errors}
        errors = {**errors, **own}
        return Case(node, self._opset(node), read, errors, results, self._plain, self._wide, own_errors=made)

    def _opset(self, node: NodeProto) -> int:
        return node_opset(node) or self._opsets.get(node.domain, 0)

    def deviates(self, engine: Engine, node: NodeProto) -> bool:
        """Whether it is known that `engine` does not do what ONNX says of `node`."""
        return bool(deviations_of(engine, node, self._opset(node)))

    # Evaluation

    def _plain(self, node: NodeProto, values: Mapping[str, Any]) -> Values:
        return self._nodes.prepare(node)(self._changed(values))

    def _wide(self, node: NodeProto, values: Mapping[str, Any]) -> Values:
        """The results of `node` in float64."""
        if is_quantiser(node):
            return evaluate_quantiser(node, values)
        return self._nodes.prepare(node, on_reference=True, wide=True)(self._changed(values))

    def _changed(self, values: Mapping[str, Any]) -> Values:
        """`values` without those that are the constants of the model, which a graph may need to have as such."""
        return {name: value for name, value in values.items() if value is not self._nodes.constants.get(name)}

    def _exact(self, case: Judged) -> Array:
        """The value in float64, from what the module has before the nodes. Raises ForgeError."""
        values: Values = {name: value for name, value in case.values.items() if name != case.name}
        for node in case.nodes:
            read = {name: values.get(name, self._nodes.constants.get(name)) for name in names_read(node)}
            values.update(self._wide(node, read))
        return np.asarray(values[case.name])

    # Verdicts where onnxruntime and the module differ

    def _as_one(self, case: Judged, local: Comparison) -> tuple[Comparison, str]:
        """A CPU partition is right if onnxruntime gives the same for its nodes as one graph: one by one their sums may
        have another order."""
        try:
            judged = np.asarray(self._nodes.prepare_as_one(case.nodes)(case.values)[case.name])
        except ForgeError:
            return local, "module"
        whole = compare(case.name, case.actual, judged, allowed=_last_bit(judged))
        return (whole, "") if whole.passed else (local, "module")

    def _by_float64(self, case: Judged, local: Comparison, known: bool) -> tuple[Comparison, str]:
        exact = self._reference(case)
        if exact is None or exact.shape != case.expected.shape:
            agrees = exact is not None and compare(case.name, case.actual, exact.astype(case.actual.dtype)).passed
            return (replace(local, reason=_DISAGREE), "judges") if known or agrees else (local, "module")
        exact = exact.astype(case.expected.dtype)
        allowed = self._allowed(case, True, exact)
        own = compare(case.name, case.actual, exact, allowed=allowed)
        if known:
            return (own, "onnxruntime") if own.passed else (own, "module")
        theirs = compare(case.name, case.expected, exact, allowed=allowed)
        if theirs.reason or (_is_another_meaning(theirs, exact) and theirs.excess > _MOST_WIDENED):
            # Two judges, and two meanings; the module has one of them, or none.
            return (replace(own, reason=_DISAGREE), "judges") if own.passed else (local, "module")
        if own.passed:
            return own, "" if theirs.passed else "onnxruntime"
        if not own.reason and own.excess <= min(2 * theirs.excess, _MOST_WIDENED):
            return compare(case.name, case.actual, exact, allowed=allowed * own.excess * (1 + 1e-9)), "both"
        return own, "module"

    def _reference(self, case: Judged) -> Array | None:
        """What onnx.reference gives in float64, or where it cannot, in the types of the model; None where it runs none
        of them."""
        try:
            return self._exact(case)
        except (ForgeError, ValueError, TypeError):
            pass
        if len(case.nodes) > 1:
            return None
        try:
            found = self._nodes.prepare(case.nodes[-1], on_reference=True)(case.values)
        except ForgeError:
            return None
        return np.asarray(found[case.name])


def _join_sums(case: Case, errors: dict[str, Any], terms: dict[str, float]) -> None:
    """Adds to `errors` of an addition what it has as a part of the sum in the same call that it adds to; notes in
    `terms` the values that are such sums."""
    node, made = case.node, case.node.output[0]
    if node.op_type in SUMS and made in case.results:
        terms[made] = terms_of(case, np.asarray(case.results[made]))
        return
    at = next((at for at, name in enumerate(node.input) if name in terms), None)
    if at is None or not (node.op_type in _JOINED or node.op_type in MOVES):
        return
    terms[made] = terms[node.input[at]]
    if node.op_type in ("Add", "Sub"):
        errors[made] = errors[made] + joined_bound(case, at, terms[made])


_JOINED = ("Add", "Sub", "Mul", "Div")
"""What a call that sums may do on the way, besides moving: a scale is one of its weights."""

_DISAGREE = "onnxruntime and onnx.reference differ, and neither is known to be wrong here"


def _is_another_meaning(theirs: Comparison, exact: Array) -> bool:
    wide = np.abs(exact.astype(np.float64)) if is_floating(exact.dtype) else np.zeros(())
    largest = float(np.where(np.isfinite(wide), wide, 0.0).max(initial=0.0))
    meaning = max(_ANOTHER_MEANING, _ROUNDS_EACH_STEP * epsilon(exact.dtype)) if is_floating(exact.dtype) else 0.0
    return theirs.relative > meaning and theirs.max_abs > _NOTHING * max(1.0, largest)


def _last_bit(expected: Array) -> npt.NDArray[np.float64]:
    """A unit of each element: no op's result is wrong for that."""
    if not is_floating(expected.dtype):
        return np.zeros(())
    wide = np.abs(expected.astype(np.float64))
    return np.asarray(np.where(np.isfinite(wide), wide, 0.0) * epsilon(expected.dtype))


def _of_the_largest(value: Array) -> npt.NDArray[np.float64]:
    """Where nothing can be computed: the limits of a whole model, of each element by itself."""
    if not is_floating(value.dtype):
        return np.zeros(())
    wide = np.abs(value.astype(np.float64))
    return np.asarray(np.where(np.isfinite(wide), wide, 0.0) * OUTPUT_LIMITS.relative / 10)


def undefined_elements(node: NodeProto, values: Values, golden: Array) -> npt.NDArray[np.bool_] | None:
    """The elements of a Cast's result that ONNX does not define: those of floats that its integer type lacks. None
    where there are none."""
    source = values.get(node.input[0]) if node.op_type == "Cast" and not node.domain and node.input else None
    if golden.dtype.kind not in "iu" or not isinstance(source, np.ndarray) or not is_floating(source.dtype):
        return None
    limits = np.iinfo(golden.dtype)
    wide = np.trunc(source.astype(np.float64))
    defined = np.isfinite(wide) & (wide >= float(limits.min)) & (wide < float(limits.max) + 1)
    return None if defined.all() or defined.shape != golden.shape else ~defined


def with_undefined(node: NodeProto, values: Values, actual: Array, golden: Array) -> Array:
    """`actual` with the golden's elements where ONNX defines none."""
    undefined = undefined_elements(node, values, golden)
    if undefined is None or actual.shape != golden.shape:
        return actual
    return np.asarray(np.where(undefined, golden, actual)).astype(actual.dtype)
