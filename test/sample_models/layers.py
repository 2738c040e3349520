"""Models of several layers that are equal or almost equal, and models with a block of nodes that occurs several
times."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from onnx import ModelProto, NodeProto

from sample_models.probe import BOOL, FLOAT, INT64, build, node, weights

WIDTH = 16


def _layer(name: str, source: str, result: str, mask: str = "") -> tuple[list[NodeProto], dict[str, np.ndarray]]:
    """A norm, two matrix products and a residual; `mask` is added between the products."""
    added = mask or f"{name}.shift"
    nodes = [
        node("LayerNormalization", [source, f"{name}.scale"], [f"{name}.normal"], f"/{name}/norm", epsilon=1e-5),
        node("MatMul", [f"{name}.normal", f"{name}.up"], [f"{name}.wide"], f"/{name}/up"),
        node("Add", [f"{name}.wide", added], [f"{name}.moved"], f"/{name}/add"),
        node("Tanh", [f"{name}.moved"], [f"{name}.curved"], f"/{name}/tanh"),
        node("MatMul", [f"{name}.curved", f"{name}.down"], [f"{name}.narrow"], f"/{name}/down"),
        node("Add", [f"{name}.narrow", source], [result], f"/{name}/residual"),
    ]
    tensors = {
        f"{name}.scale": weights(WIDTH), f"{name}.up": weights(WIDTH, 32), f"{name}.down": weights(32, WIDTH),
    }  # fmt: skip
    return nodes, tensors if mask else {**tensors, f"{name}.shift": weights(4, 32)}


def stack(names: Sequence[str], outputs: Sequence[str] = ("y",), mask: bool = False) -> ModelProto:
    """One layer for each name, between a matrix product and a softmax that belong to no layer. `outputs` may name
    values within layers; with a `mask`, the first layer computes a value that all layers add."""
    nodes, tensors = [node("MatMul", ["x", "w"], ["v0"], "begin")], {"w": weights(WIDTH, WIDTH)}
    if mask:
        nodes.append(node("Where", ["allowed", "zero", "low"], ["mask"], f"/{names[0]}/mask"))
        tensors |= {"zero": np.float32(0), "low": np.float32(-100)}
    for at, name in enumerate(names):
        more, owned = _layer(name, f"v{at}", f"v{at + 1}", "mask" if mask else "")
        nodes += more
        tensors |= owned
    nodes.append(node("Softmax", [f"v{len(names)}"], ["y"], "end"))
    inputs = {"x": (FLOAT, [4, WIDTH]), **({"allowed": (BOOL, [4, 32])} if mask else {})}
    return build(nodes, inputs, dict.fromkeys(outputs, FLOAT), **tensors)


def numbered(count: int) -> list[str]:
    return [f"h.{at}" for at in range(count)]


def hosted() -> ModelProto:
    """Three layers, a node that only the CPU can run, and three more layers."""
    nodes, tensors = [], {}
    for at, name in enumerate(numbered(6)):
        more, owned = _layer(name, "x" if at == 0 else "scaled" if at == 3 else f"v{at}", f"v{at + 1}")
        nodes += more
        tensors |= owned
        if at == 2:
            nodes += [
                node("MatMul", ["v3", "square"], ["matrix"], "matrix"),
                node("Det", ["matrix"], ["det"], "det"),
                node("Mul", ["v3", "det"], ["scaled"], "scaled"),
            ]
    return build(nodes, {"x": (FLOAT, [4, WIDTH])}, {"v6": FLOAT}, square=weights(WIDTH, 4), **tensors)


def growing(count: int) -> ModelProto:
    """Layers of integers; each multiplies the magnitude by about 100."""
    nodes, tensors = [], {}
    for layer in range(count):
        value = f"v{layer}.0"
        for at in range(8):
            result = f"v{layer + 1}.0" if at == 7 else f"v{layer}.{at + 1}"
            kind = "Mul" if at == 4 else "Add"
            nodes.append(node(kind, [value, f"c{layer}.{at}"], [result], f"/h.{layer}/{kind.lower()}_{at}"))
            tensors[f"c{layer}.{at}"] = np.arange(4) + (100 + layer if at == 4 else 8 * layer + at)
            value = result
    return build(nodes, {"v0.0": (INT64, [4])}, {f"v{count}.0": INT64}, **tensors)


# The sizes differ between the occurrences of the block, so that these are no layers.
WIDTHS = (16, 24, 40, 12)


def _spelled(scope: str, value: str, result: str) -> list[NodeProto]:
    """A norm of separate nodes, as an exporter without LayerNormalization writes it."""
    inner = [f"{scope}.{name}" for name in ("mean", "centred", "square", "variance", "moved", "root")]
    mean, centred, square, variance, moved, root = inner
    return [
        node("ReduceMean", [value, "last"], [mean], f"{scope}/mean"),
        node("Sub", [value, mean], [centred], f"{scope}/centred"),
        node("Mul", [centred, centred], [square], f"{scope}/square"),
        node("ReduceMean", [square, "last"], [variance], f"{scope}/variance"),
        node("Add", [variance, "epsilon"], [moved], f"{scope}/moved"),
        node("Sqrt", [moved], [root], f"{scope}/root"),
        node("Div", [centred, root], [result], f"{scope}/divided"),
    ]


def norms(
    widths: Sequence[int] = WIDTHS, rows: int | str = 4, *, spelled: bool = False, hosted_at: int = -1
) -> ModelProto:
    """For each width but the last: a norm, a Tanh of its result, a matrix product, and an Abs. The functions between
    norm and product keep rewrites from moving the scale of the norm into the product, and the mean of the next norm
    into the product before it. `spelled` norms are seven nodes each, others are one. The norm number `hosted_at` reads
    a value that only the CPU can compute."""
    nodes: list[NodeProto] = []
    tensors: dict[str, object] = {"last": np.array([-1]), "epsilon": np.float32(1e-5)} if spelled else {}
    value = "x"
    for at, (width, following) in enumerate(pairwise(widths)):
        if at == hosted_at:
            nodes += [
                node("MatMul", [value, "square"], ["matrix"], "matrix"),
                node("Det", ["matrix"], ["det"], "det"),
                node("Mul", [value, "det"], ["scaled"], "scaled"),
            ]
            tensors["square"] = weights(width, 4)
            value = "scaled"
        if spelled:
            nodes += _spelled(f"/norm.{at}", value, f"normal.{at}")
        else:
            owned = [f"scale.{at}", f"shift.{at}"]
            nodes.append(node("LayerNormalization", [value, *owned], [f"normal.{at}"], f"norm_{at}", epsilon=1e-5))
            tensors |= {name: weights(width) for name in owned}
        nodes += [
            node("Tanh", [f"normal.{at}"], [f"curved.{at}"], f"tanh_{at}"),
            node("MatMul", [f"curved.{at}", f"wide.{at}"], [f"wider.{at}"], f"product_{at}"),
            node("Abs", [f"wider.{at}"], [f"v{at + 1}"], f"size_{at}"),
        ]
        tensors[f"wide.{at}"] = weights(width, following)
        value = f"v{at + 1}"
    return build(nodes, {"x": (FLOAT, [rows, widths[0]])}, {value: FLOAT}, **tensors)
