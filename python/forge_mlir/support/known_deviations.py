"""The table of where onnxruntime, onnx.reference and onnx's shape inference do not do what ONNX says."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from onnx import AttributeProto, GraphProto, ModelProto, NodeProto

Engine = Literal["onnxruntime", "onnx.reference"]
Program = Literal["onnxruntime", "onnx.reference", "onnx shape inference"]

ENGINE_KEY, EXACT_KEY = "forge_mlir.engine", "forge_mlir.exact"
"""Metadata of the graphs that compilations write: the engine that opened one, and whether ("true", "false") onnxruntime
must run its nodes as they are."""


@dataclass(frozen=True)
class Deviation:
    """One row of known_deviations.toml, which explains the fields."""

    op: str
    engine: Program
    opsets: tuple[int, int]
    what: str
    reason: str
    link: str
    attributes: Mapping[str, str | int] = field(default_factory=dict)
    inputs: int = 0
    when: str = ""
    stand_in: str = ""
    case: str = ""

    def concerns(self, node: NodeProto, opset: int) -> bool:
        """Whether `node`, of `opset`, is one that the row speaks of; `when` is left to the caller."""
        first, last = self.opsets
        return (
            not node.domain
            and node.op_type == self.op
            and first <= opset <= (last or opset)
            and len(node.input) >= self.inputs
            and self.attributes.items() <= {attribute.name: _value(attribute) for attribute in node.attribute}.items()
        )


@cache
def known_deviations() -> tuple[Deviation, ...]:
    """All rows, in the order of the file."""
    text = files("forge_mlir.support").joinpath("known_deviations.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text)["deviation"]
    return tuple(Deviation(**{**row, "opsets": tuple(row["opsets"])}) for row in rows)


def deviations_of(engine: Program, node: NodeProto, opset: int) -> list[Deviation]:
    """The rows that speak of `node` and `engine`."""
    return [row for row in known_deviations() if row.engine == engine and row.concerns(node, opset)]


def engine_of(model: ModelProto) -> Engine:
    """What runs `model`: onnxruntime, unless it is known to compute something else than ONNX says."""
    opset = next((entry.version for entry in model.opset_import if not entry.domain), 0)
    return "onnx.reference" if _deviates(model.graph, opset) else "onnxruntime"


def _deviates(graph: GraphProto, opset: int) -> bool:
    """Whether onnxruntime is known to compute something else than ONNX says for a node of `graph`."""
    return any(
        deviations_of("onnxruntime", node, opset) or any(_deviates(inner, opset) for inner in _graphs(node))
        for node in graph.node
    )


def _graphs(node: NodeProto) -> list[GraphProto]:
    return [attribute.g for attribute in node.attribute if attribute.HasField("g")]


def _value(attribute: AttributeProto) -> str | int:
    """A string or an integer as the table writes it; other attributes are in no row."""
    return str(attribute.s.decode("utf-8", "replace")) if attribute.s else int(attribute.i)
