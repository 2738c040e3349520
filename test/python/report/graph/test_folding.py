"""Boxes of a graph: scopes, repetitions, and levels of limited width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from forge_mlir.report.graph.folding import FoldedNode, Group, folded, scope_of


def nodes_of(children: Sequence[Group | int]) -> Iterator[int]:
    for child in children:
        if isinstance(child, int):
            yield child
        else:
            yield from nodes_of(child.children)


def widest(children: Sequence[Group | int]) -> int:
    return max(len(children), *(widest(child.children) for child in children if isinstance(child, Group)), 0, 0)


def ops(text: str, shape: int = 1) -> list[FoldedNode]:
    return [FoldedNode((), op, shape) for op in text.split()]


def test_layers_that_repeat_are_one_box() -> None:
    layer = [FoldedNode(("model", f"layers.{n}", part), op, 1) for n in range(12) for part, op in
             (("attn", "MatMul"), ("attn", "Softmax"), ("mlp", "MatMul"), ("mlp", "Gelu"))]  # fmt: skip
    found = folded([FoldedNode((), "Gather", 1), *layer, FoldedNode((), "MatMul", 2)])
    first, repeat, last = found
    assert (first, last) == (0, 49)
    assert isinstance(repeat, Group)
    assert (repeat.kind, repeat.label, len(repeat.children)) == ("scope", "model", 1)
    (inner,) = repeat.children
    assert isinstance(inner, Group)
    assert (inner.kind, inner.label, len(inner.children)) == ("repeat", "layers.0 … layers.11", 12)


def test_repetitions_need_no_names() -> None:
    found = folded(ops("Gather " + "MatMul Add Relu " * 5 + "Softmax"))
    assert [child if isinstance(child, int) else child.kind for child in found] == [0, "repeat", 16]
    repeat = found[1]
    assert isinstance(repeat, Group)
    assert [list(nodes_of((unit,))) for unit in repeat.children] == [
        [1 + 3 * n + k for k in range(3)] for n in range(5)
    ]
    assert repeat.label == "MatMul, Add, Relu"


def test_other_shapes_are_no_repetition() -> None:
    mixed = [FoldedNode((), op, at) for at, op in enumerate(("Conv", "Relu") * 4)]
    assert folded(mixed) == tuple(range(8))
    assert folded(ops("Add Relu Add Relu")) == (0, 1, 2, 3), "too little to fold"


def test_every_node_once_and_no_level_too_wide() -> None:
    random = np.random.default_rng(0)
    for size in (0, 1, 61, 500, 4000):
        names = [f"Op{n}" for n in random.integers(0, 40, size)]
        scopes = [tuple(f"s{n}" for n in random.integers(0, 3, random.integers(0, 4))) for _ in names]
        found = folded([FoldedNode(scope, name, 1) for scope, name in zip(scopes, names, strict=True)])
        assert sorted(nodes_of(found)) == list(range(size))
        assert not size or widest(found) <= 60


def test_scopes() -> None:
    assert scope_of("/layers.0/attn/MatMul", {}) == ("layers.0", "attn")
    assert scope_of("node_1", {"namespace": ": m.Net/h: ModuleList/h.0: Block/h.0.mlp: MLP/add: aten.add"}) == (
        *("h", "0", "mlp"),
    )
    assert scope_of("MatMul_3", {}) == ()


def test_scopes_are_nested_to_a_limit() -> None:
    name = "/".join(f"s{at}" for at in range(3000))
    scopes = scope_of(f"{name}/node", {})
    assert "/".join(scopes) == name
    boxes = folded([FoldedNode(scopes, "Relu", 1), FoldedNode((*scopes[:-1], "other"), "Exp", 1)])
    assert list(nodes_of(boxes)) == [0, 1]
