"""The lowerings of one compilation."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from forge_mlir._native import LoweringCall, LoweringRefused, TensorValue
from forge_mlir.codes import Code
from forge_mlir.errors import CompilationCancelled, Diagnostic, ForgeError, escaped
from forge_mlir.lowerings.builder import Builder
from forge_mlir.lowerings.lowering import Lowering
from forge_mlir.lowerings.node import Node, Value


@dataclass
class LoweringRun:
    """The lowerings of one compilation. `failures` are exceptions that they raised, `reports` are the corresponding
    diagnostics."""

    lowerings: Sequence[Lowering]
    failures: list[BaseException] = field(default_factory=list)
    reports: list[Diagnostic] = field(default_factory=list)

    def __post_init__(self) -> None:
        known: dict[tuple[str, str, int], Lowering] = {}
        for each in self.lowerings:
            if not isinstance(each, Lowering):
                raise TypeError(f"expected lowerings, as forge_mlir.lowering makes them, but got {type(each)}")
            first = known.setdefault((each.domain, each.op, each.since), each)
            if first is not each:
                files = f"{escaped(first.file)} and {escaped(each.file)}"
                what = f"two lowerings of {each.op!a} of domain {each.domain!a}, version {each.since}: in {files}"
                raise ForgeError(Code.PluginUnreadable, what)

    def native(self) -> list[tuple[str, str, int, Callable[[LoweringCall], list[TensorValue | None]]]]:
        """The lowerings in the format of the native module."""
        return [(each.domain, each.op, each.since, self._caller(each)) for each in self.lowerings]

    def has(self, domain: str, op: str, opset: int) -> bool:
        return any((each.domain, each.op) == (domain, op) and each.since <= opset for each in self.lowerings)

    def _caller(self, lowering: Lowering) -> Callable[[LoweringCall], list[TensorValue | None]]:
        def call(native: LoweringCall) -> list[TensorValue | None]:
            try:
                return _natives(lowering.function(Node(native), Builder(native)), native.num_outputs)
            except (LoweringRefused, CompilationCancelled):
                raise
            except (Exception, SystemExit) as error:  # a user's function may raise anything
                reason = f"{_location(error, lowering.file)}: {type(error).__name__}: {error}"
                reason = reason.encode("utf-8", "backslashreplace").decode()  # the native module takes UTF-8
                self.failures.append(error)
                self.reports.append(_report(native, reason))
                native.fail(reason)

        return call


def _report(call: LoweringCall, reason: str) -> Diagnostic:
    return Diagnostic.of_node(Code.LoweringFailed, call.name, call.op_type, call.domain, call.opset, reason)


def _natives(result: object, outputs: int) -> list[TensorValue | None]:
    values = [result] if isinstance(result, Value) else result
    if not isinstance(values, Sequence) or not all(value is None or isinstance(value, Value) for value in values):
        raise TypeError(f"expected a Value or a sequence of them as the result, but got {result!r}")
    if len(values) > outputs:
        raise TypeError(f"expected results for {outputs} outputs, but got {len(values)}")
    return [None if value is None else value.native for value in values]


def _location(error: BaseException, file: str) -> str:
    """The innermost line in the lowering's own file, or the line of its definition."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == file]
    return f"{own[-1].filename}:{own[-1].lineno}" if own else file
