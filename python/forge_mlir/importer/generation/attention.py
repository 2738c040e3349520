"""Decomposes attention ops into ops that have rules: product with the keys, mask, softmax."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from onnx import NodeProto, TensorProto, helper, numpy_helper

from forge_mlir.importer.generation.program import Program, attributes_of
from forge_mlir.onnx_model.graph import fresh_name


def expanded(program: Program, node: NodeProto) -> list[NodeProto]:
    """The decomposition of an Attention (since opset 23) or a MultiHeadAttention of com.microsoft; empty for other
    nodes. Raises OnnxImportError for operands that are not supported here."""
    form = _FORMS.get((node.domain, node.op_type))
    if form is None:
        return []
    made = _Expansion(program, node)
    form(made)
    return made.nodes


@dataclass
class _Expansion:
    """The nodes of a decomposition; their names have the name of the original node as a prefix."""

    program: Program
    node: NodeProto
    nodes: list[NodeProto] = field(default_factory=list)

    @property
    def attributes(self) -> dict[str, Any]:
        return dict(attributes_of(self.node))

    def operand(self, at: int) -> str:
        return self.node.input[at] if len(self.node.input) > at else ""

    def result(self, at: int) -> str:
        return self.node.output[at] if len(self.node.output) > at else ""

    def emit(self, op: str, inputs: Sequence[str], output: str = "", **attributes: Any) -> str:
        name = output or fresh_name(f"{self.node.name}/{op}", self.program.taken)
        self.nodes.append(helper.make_node(op, inputs, [name], name=f"{self.node.name}/{op}", **attributes))
        return name

    def integers(self, *values: int) -> str:
        return self.emit("Constant", [], value=numpy_helper.from_array(np.array(values, np.int64)))

    def scalar(self, number: int) -> str:
        return self.emit("Constant", [], value=numpy_helper.from_array(np.array(number, np.int64)))

    def like(self, number: float, value: str) -> str:
        """A scalar constant of the element type of `value`."""
        constant = self.emit("Constant", [], value=numpy_helper.from_array(np.array(number, np.float32)))
        return self.emit("CastLike", [constant, value])

    def size(self, value: str, axis: int) -> str:
        """The size of one axis of a value, as a tensor of shape [1]."""
        return self.emit("Shape", [value], start=axis, end=axis + 1)

    def split(self, value: str, heads: int) -> str:
        """[batch, tokens, heads * size] -> [batch, heads, tokens, size]."""
        shape = self.emit("Concat", [self.size(value, 0), self.size(value, 1), self.integers(heads, -1)], axis=0)
        return self.emit("Transpose", [self.emit("Reshape", [value, shape])], perm=[0, 2, 1, 3])

    def joined(self, value: str, output: str) -> None:
        """[batch, heads, tokens, size] -> [batch, tokens, heads * size]."""
        rows = self.emit("Transpose", [value], perm=[0, 2, 1, 3])
        shape = self.emit("Concat", [self.size(rows, 0), self.size(rows, 1), self.integers(-1)], axis=0)
        self.emit("Reshape", [rows, shape], output)

    def rank(self, value: str) -> int:
        return len(self.program.values[value].shape)

    def biased(self, operands: Sequence[str], bias: str, is_split: Sequence[bool]) -> list[str]:
        """Adds to queries, keys and values their sections of `bias`; those that are split by heads include it."""
        width, whole = self.program.values[operands[0]].shape[2].const, self.program.values[bias].shape[0].const
        ends, axis, made = [0, width, 2 * width, whole], self.integers(0), []
        for at, each in enumerate(operands):
            section = [bias, self.integers(ends[at]), self.integers(ends[at + 1]), axis]
            made.append(each if is_split[at] else self.emit("Add", [each, self.emit("Slice", section)]))
        return made

    def unpacked(self, operands: Sequence[str]) -> list[str]:
        """The operands of which keys and values, or all three, are one value [batch, tokens, heads, parts, size]:
        [batch, heads, tokens, size] each."""
        query, packed = operands[:2] if operands[1] else ("", operands[0])
        if self.rank(packed) != 5:
            raise self.program.refused(self.node, "its packed operand has to be [batch, tokens, heads, parts, size]")
        parts = [
            self.emit("Transpose", [self.emit("Gather", [packed, self.scalar(part)], axis=3)], perm=[0, 2, 1, 3])
            for part in range(2 if query else 3)
        ]
        return [query, *parts] if query else parts

    def shown(self, padding: str, mask: str, query: str) -> str:
        """`mask`, which may be absent, with the positions hidden where `padding`, [batch, keys], is 0."""
        if self.rank(padding) != 2:
            raise self.program.refused(self.node, "its padding mask has to be [batch, keys]")
        seen = self.emit("Greater", [padding, self.like(0, padding)])
        hidden = self.like(self.attributes.get("mask_filter_value", -10000.0), query)
        bias = self.emit("Where", [seen, self.like(0, query), hidden])
        bias = self.emit("Unsqueeze", [bias, self.integers(1, 2)])
        return self.emit("Add", [mask, bias]) if mask else bias

    def grown(self, past: str, new: str, present: str) -> str:
        if past:
            return self.emit("Concat", [past, new], present, axis=2)
        return self.emit("Identity", [new], present) if present else new

    def repeated(self, value: str, times: int, heads: int) -> str:
        """Repeats each head `times` times in a row."""
        if times == 1:
            return value
        sizes = [self.size(value, axis) for axis in range(4)]
        apart = self.emit("Unsqueeze", [value, self.integers(2)])
        wide = self.emit("Concat", [*sizes[:2], self.integers(times), *sizes[2:]], axis=0)
        flat = self.emit("Concat", [sizes[0], self.integers(times * heads), *sizes[2:]], axis=0)
        return self.emit("Reshape", [self.emit("Expand", [apart, wide]), flat])

    def visible(self, scores: str, new: str, keys: str, past: str, before: int, after: int) -> str:
        """Sets scores to minus infinity where the key is more than `before` positions before the query, or more than
        `after` positions after it; -1 for any distance. Queries are at the last positions of the keys."""
        if before < 0 and after < 0:
            return scores
        empty = self.integers()
        count, total = (self.emit("Reshape", [self.size(each, 2), empty]) for each in (new, keys))
        zero, one = self.scalar(0), self.scalar(1)
        first = self.emit("Reshape", [self.size(past, 2), empty]) if past else zero
        if not past and self.operand(6):  # the keys are a buffer with this number of tokens
            first = self.emit("Sub", [total, count])
        rows = self.emit("Range", [first, self.emit("Add", [first, count]), one])
        rows = self.emit("Unsqueeze", [rows, self.integers(1)])
        columns = self.emit("Range", [zero, total, one])
        for most, op, sign in ((after, "LessOrEqual", 1), (before, "GreaterOrEqual", -1)):
            if most >= 0:
                bound = self.emit("Add", [rows, self.scalar(sign * most)]) if most else rows
                scores = self.emit("Where", [self.emit(op, [columns, bound]), scores, self.like(-np.inf, scores)])
        return scores

    def attend(self, query: str, keys: str, values: str, past: str, mask: str, window: tuple[int, int]) -> str:
        """softmax(query * keys^T * scale + mask) * values; the default scale is 1 / sqrt(size), and `window` has the
        distances of `visible`."""
        cap, scale = self.attributes.get("softcap", 0.0), self.attributes.get("scale")
        product = self.emit("MatMul", [query, self.emit("Transpose", [keys], perm=[0, 1, 3, 2])])
        if not scale:
            size = self.emit("CastLike", [self.emit("Reshape", [self.size(query, 3), self.integers()]), query])
            product = self.emit("Div", [product, self.emit("Sqrt", [size])])
        else:
            product = self.emit("Mul", [product, self.like(scale, product)])
        if cap:
            inside = self.emit("Tanh", [self.emit("Div", [product, self.like(cap, product)])])
            product = self.emit("Mul", [inside, self.like(cap, product)])
        if mask:
            product = self.emit("Add", [product, mask])
        product = self.visible(product, query, keys, past, *window)
        return self.emit("MatMul", [self.emit("Softmax", [product], axis=-1), values])


def _attention(made: _Expansion) -> None:
    """Attention with queries, keys, values, mask, past keys and values."""
    attributes = made.attributes
    if made.result(3):
        raise made.program.refused(made.node, "its fourth result is not supported here")
    values = [made.operand(at) for at in range(3)]
    is_joined = made.rank(values[0]) == 3
    if is_joined:
        heads = [attributes[f"{name}_num_heads"] for name in ("q", "kv")]
        values = [made.split(each, count) for each, count in zip(values, (*heads, heads[1]), strict=True)]
    else:
        heads = [made.program.values[each].shape[1].const for each in values[:2]]
    query, *new = values
    pasts = [made.operand(at) for at in (4, 5)]
    if counts := made.operand(6):
        tokens = made.program.values[made.operand(1)].shape[1 if is_joined else 2]
        known = made.program.values[counts].known
        if any(pasts) or known is None or any(each != tokens for each in known.reshape(-1)):
            raise made.program.refused(made.node, "lengths per row are not supported here")
    keys, held = (made.grown(past, each, made.result(at)) for past, each, at in zip(pasts, new, (1, 2), strict=True))
    if heads[0] != heads[1]:
        keys, held = (made.repeated(each, heads[0] // heads[1], heads[1]) for each in (keys, held))
    mask = made.operand(3)
    if mask and made.program.values[mask].dtype == TensorProto.BOOL:
        mask = made.emit("Where", [mask, made.like(0, query), made.like(-np.inf, query)])
    before, after = (attributes.get(f"{side}_window_size", -1) for side in ("left", "right"))
    window = before, 0 if attributes.get("is_causal", 0) else after
    context = made.attend(query, keys, held, pasts[0], mask, window)
    if is_joined:
        made.joined(context, made.result(0))
    else:
        made.emit("Identity", [context], made.result(0))


def _multi_head_attention(made: _Expansion) -> None:
    """MultiHeadAttention with queries, keys, values, bias, padding mask, mask, past keys and values. Keys and values of
    rank 4 are those of cross-attention."""
    attributes = made.attributes
    if any(made.operand(at) for at in (8, 9)) or made.result(3):
        raise made.program.refused(made.node, "a buffer and its fourth result are not supported here")
    heads, pasts = attributes["num_heads"], [made.operand(at) for at in (6, 7)]
    operands = [made.operand(at) for at in range(3)]
    if not all(operands):
        if made.operand(3):
            raise made.program.refused(made.node, "a bias of packed queries, keys and values is not supported here")
        operands = made.unpacked(operands)
    is_split = [each not in made.program.values or made.rank(each) == 4 for each in operands]
    if bias := made.operand(3):
        operands = made.biased(operands, bias, is_split)
    query, *new = (each if split else made.split(each, heads) for each, split in zip(operands, is_split, strict=True))
    keys, held = (made.grown(past, each, made.result(at)) for past, each, at in zip(pasts, new, (1, 2), strict=True))
    mask = made.operand(5)
    if padding := made.operand(4):
        mask = made.shown(padding, mask, query)
    window = -1, 0 if attributes.get("unidirectional", 0) else -1
    made.joined(made.attend(query, keys, held, pasts[0], mask, window), made.result(0))


_FORMS = {("", "Attention"): _attention, ("com.microsoft", "MultiHeadAttention"): _multi_head_attention}
