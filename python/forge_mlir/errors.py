"""The base of every error that Forge-MLIR raises on purpose: a message for people, never a traceback to decode."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from typing import TypedDict

from forge_mlir.codes import Code

NAME_LIMIT = 120


class Report(TypedDict):
    """A diagnostic as the native module gives it: the fields of `Diagnostic`."""

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
    """`name` as an ASCII literal of bounded length. Names in a model are hostile text: they may hold quotes, control
    characters, terminal escapes or a megabyte of anything."""
    return "".join(_bounded(name))


def shortened(name: object) -> str:
    """As `quote`, without the quotes."""
    literal, more = _bounded(name)
    return literal[1:-1] + more


def _bounded(name: object) -> tuple[str, str]:
    text = name if isinstance(name, (str, bytes)) else str(name)
    return ascii(text[:NAME_LIMIT]), "" if len(text) <= NAME_LIMIT else f"... ({len(text)} characters)"


def escaped(text: object) -> str:
    """Text of a model, a user or a library as ASCII, without control characters and of any length."""
    return ascii(str(text))[1:-1]


def printable(text: object) -> str:
    """`escaped` text; what is printable ASCII already is unchanged, with its backslashes."""
    shown = str(text)
    return shown if shown.isascii() and shown.isprintable() else escaped(shown)


@dataclass(frozen=True)
class Diagnostic:
    """One report of a compiler pass.

    `severity` is error, warning, remark or note; `code` is a `Code`, "" for remarks and notes. `onnx_node` is the name
    that the ONNX node has in its model, "" when the report is about no node. Of a node that is refused, `op`, `domain`
    and `opset` say what it is, `operands` are the types of its operands as MLIR text ("none" types where one is
    absent), `reason` is why, and `bind` names the graph inputs whose values, given at compile time, would decide what
    the node needs. `location` is the MLIR location, "" when unknown; `notes` belong to the report; `model` is the file,
    once somebody knows it. Only `message`, `reason` and `notes` have text from the model escaped.
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
        """The error that an ONNX node is refused with; `outputs` stand for the name of one that has none."""
        message = f"{node_label(name, op, domain, outputs)}: {reason}"
        return cls("error", message, code=code, onnx_node=name, op=op, domain=domain, opset=opset, reason=reason)

    @classmethod
    def all_of(cls, reports: Iterable[Report]) -> tuple[Diagnostic, ...]:
        """From what the native module reports."""
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
        """A line for the report and one per note, all ASCII; lines inside a message are indented."""
        node = quote(self.onnx_node) if self.onnx_node else ""
        # Passes that speak of a node by name need no second mention.
        where = f"node {node}: " if node and node[1:-1] not in _ascii(self.message) else ""
        model = f"{_ascii(self.model)}: " if self.model else ""
        lines = [headline(self.severity, self.code, f"{model}{where}{_ascii(self.message)}")]
        lines += [f"  note: {_ascii(note)}" for note in self.notes]
        return "\n".join(lines)


def node_label(name: str, op_type: str, domain: str = "", outputs: tuple[str, ...] = ()) -> str:
    """A node as people can find it: by name, or by its first output when it has none."""
    op = shortened(op_type)
    kind = f"{shortened(domain)}.{op}" if domain else op
    if name:
        return f"node {quote(name)} ({kind})"
    if outputs:
        return f"unnamed {kind} node producing {quote(outputs[0])}"
    return f"unnamed {kind} node"


def headline(severity: str, code: str, text: str) -> str:
    """How every report begins; `code` may be ""."""
    return f"{severity}: [{code}] {text}" if code else f"{severity}: {text}"


def _ascii(text: str) -> str:
    return "\n    ".join("".join(map(printable, line)) for line in text.split("\n"))


@dataclass(eq=False)
class ForgeError(Exception):
    """`code` is what it is about, `message` one line for the user.

    `details` say more, in the order in which to show them; of a refused model they are the refused nodes.
    """

    code: Code
    message: str
    details: tuple[Diagnostic, ...] = ()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """`details`, or where there are none the error itself: there is always one to look at."""
        return self.details or (Diagnostic("error", self.message, code=self.code),)

    def __str__(self) -> str:
        return "\n".join((f"[{self.code}] {self.message}", *map(str, self.details)))


class CompilationCancelled(ForgeError):
    """What a callback raises to end a compilation; nothing is written then."""

    def __init__(self, message: str = "the compilation was cancelled") -> None:
        super().__init__(Code.Cancelled, message)


class ItdError(ForgeError):
    """A question about iteration domains that has no answer. The native module raises it too."""

    def __init__(self, message: str) -> None:
        super().__init__(Code.DomainQuestion, message)
