"""The base class of all intended errors, with messages for users, and diagnostics."""

from __future__ import annotations

import copyreg
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, TypedDict

from forge_mlir.codes import Code

NAME_LIMIT = 120


class Report(TypedDict):
    """A diagnostic from the native module, with the fields of `Diagnostic`."""

    severity: str
    code: str
    message: str
    onnx_node: str
    op: str
    domain: str
    reason: str
    opset: int
    operands: list[str]
    bind: list[str]
    location: str
    notes: list[str]


def quote(name: object) -> str:
    """`name` as an ASCII literal of bounded length. Names in a model are untrusted: they may contain quotes, control
    characters, terminal escapes or megabytes of text."""
    return "".join(_bounded(name))


def counted(number: int, noun: str) -> str:
    """A number with a noun: "1 node", "1,769 nodes"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def shortened(name: object) -> str:
    """As `quote`, without quotes."""
    literal, more = _bounded(name)
    return literal[1:-1] + more


def _bounded(name: object) -> tuple[str, str]:
    text = name if isinstance(name, (str, bytes)) else str(name)
    return ascii(text[:NAME_LIMIT]), "" if len(text) <= NAME_LIMIT else f"... ({len(text)} characters)"


def escaped(text: object) -> str:
    """Text of a model, a user or a library as ASCII without control characters; the length is not limited."""
    return ascii(str(text))[1:-1]


def printable(text: object) -> str:
    """As `escaped`, but printable ASCII, including backslashes, is unchanged."""
    shown = str(text)
    return shown if shown.isascii() and shown.isprintable() else escaped(shown)


@dataclass(frozen=True)
class Diagnostic:
    """One report of a compiler pass.

    `severity` is error, warning, remark or note; `code` is a `Code`, "" for remarks and notes. `onnx_node` is the name
    of the ONNX node in its model, "" if the report is not about a node. For a refused node, `op`, `domain` and `opset`
    identify its op, `operands` are its operand types as MLIR text ("none" types for absent ones), `reason` is the
    reason, and `bind` names the graph inputs that would have to be constant. `location` is the MLIR location, "" if
    unknown; `notes` belong to the report; `model` is the file, if known. Only in `message`, `reason` and `notes` is
    text of the model escaped.
    """

    severity: str
    message: str
    _: KW_ONLY
    code: str = ""
    onnx_node: str = ""
    op: str = ""
    domain: str = ""
    opset: int = 0
    operands: tuple[str, ...] = ()
    reason: str = ""
    bind: tuple[str, ...] = ()
    location: str = ""
    notes: tuple[str, ...] = ()
    model: str = ""

    @classmethod
    def of_node(
        cls, code: str, name: str, op: str, domain: str, opset: int, reason: str, outputs: tuple[str, ...] = ()
    ) -> Diagnostic:
        """The error for a refused node; `outputs` are shown for a node without a name."""
        message = f"{node_label(name, op, domain, outputs)}: {reason}"
        return cls("error", message, code=code, onnx_node=name, op=op, domain=domain, opset=opset, reason=reason)

    @classmethod
    def all_of(cls, reports: Iterable[Report]) -> tuple[Diagnostic, ...]:
        """Converts reports of the native module."""
        return tuple(map(cls._of, reports))

    @classmethod
    def _of(cls, report: Report) -> Diagnostic:
        return cls(
            report["severity"],
            report["message"],
            code=report["code"],
            onnx_node=report["onnx_node"],
            op=report["op"],
            domain=report["domain"],
            opset=report["opset"],
            operands=tuple(report["operands"]),
            reason=report["reason"],
            bind=tuple(report["bind"]),
            location=report["location"],
            notes=tuple(report["notes"]),
        )

    def __str__(self) -> str:
        """A line for the report and one per note, in ASCII; further lines of a message are indented."""
        node = quote(self.onnx_node) if self.onnx_node else ""
        # Messages of passes that name the node need no prefix.
        where = f"node {node}: " if node and node[1:-1] not in _ascii(self.message) else ""
        model = f"{_ascii(self.model)}: " if self.model else ""
        lines = [headline(self.severity, self.code, f"{model}{where}{_ascii(self.message)}")]
        lines += [f"  note: {_ascii(note)}" for note in self.notes]
        return "\n".join(lines)


def node_label(name: str, op_type: str, domain: str = "", outputs: tuple[str, ...] = ()) -> str:
    """A label by which users can find a node: its name, or its first output if it has none."""
    op = shortened(op_type)
    kind = f"{shortened(domain)}.{op}" if domain else op
    if name:
        return f"node {quote(name)} ({kind})"
    if outputs:
        return f"unnamed {kind} node producing {quote(outputs[0])}"
    return f"unnamed {kind} node"


def headline(severity: str, code: str, text: str) -> str:
    """The prefix of every report; `code` may be ""."""
    return f"{severity}: [{code}] {text}" if code else f"{severity}: {text}"


def _ascii(text: str) -> str:
    return "\n    ".join("".join(map(printable, line)) for line in text.split("\n"))


@dataclass(eq=False)
class ForgeError(Exception):
    """`code` identifies the kind of error; `message` is one line for the user.

    `details` are further reports in the order in which to show them; for a refused model, one per refused node.
    """

    code: Code
    message: str
    details: tuple[Diagnostic, ...] = ()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """`details`, or if there are none the error itself, so that there is always at least one diagnostic."""
        return self.details or (Diagnostic("error", self.message, code=self.code),)

    def __reduce__(self) -> tuple[Any, ...]:
        # By default from its positional arguments, of which `dataclasses.replace` gives none.
        return copyreg.__newobj__, (type(self),), self.__dict__  # type: ignore[attr-defined]

    def __str__(self) -> str:
        return "\n".join((f"[{self.code}] {self.message}", *map(str, self.details)))


@contextmanager
def naming(model: object) -> Iterator[None]:
    """Adds the name of the model to errors of the block, and to their diagnostics, which do not have it."""
    label = escaped(model)
    try:
        yield
    except ForgeError as error:
        if label in error.message:
            raise
        found = tuple(replace(each, model=each.model or label) for each in error.details)
        raise ForgeError(error.code, f"{label}: {error.message}", found) from error


class CompilationCancelled(ForgeError):
    """Raised by a callback to end a compilation; nothing is written then."""

    def __init__(self, message: str = "the compilation was cancelled") -> None:
        super().__init__(Code.Cancelled, message)


class ItdError(ForgeError):
    """A query about iteration domains that cannot be answered. The native module raises it too."""

    def __init__(self, message: str) -> None:
        super().__init__(Code.DomainQuestion, message)
