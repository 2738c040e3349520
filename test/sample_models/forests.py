"""Random decision trees as attributes of ai.onnx.ml's ops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from onnx import AttributeProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

ML = "ai.onnx.ml"
FEATURES = 5
MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ")
Attributes = dict[str, Any]


@dataclass
class Forest:
    """Trees whose thresholds are multiples of a quarter in [-2, 2], so that operands which are such multiples, too, can
    be equal to a threshold.

    `modes` are those of the splits; each leaf votes for `targets`; `negative` allows negative weights.
    """

    trees: int
    depth: int
    targets: Sequence[int]
    modes: Sequence[str] = ("BRANCH_LEQ",)
    negative: bool = True
    sparse: bool = False
    missing: bool = False
    seed: int = 0
    nodes: dict[str, list[Any]] = field(default_factory=dict)
    votes: dict[str, list[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = ("treeids", "nodeids", "featureids", "modes", "values", "truenodeids", "falsenodeids")
        self.nodes = {name: [] for name in (*names, "missing_value_tracks_true")}
        self.votes = {name: [] for name in ("treeids", "nodeids", "ids", "weights")}
        self.random = np.random.default_rng(self.seed)
        for tree in range(self.trees):
            self._grow(tree, [0], self.depth if tree else 0)  # The first tree is a single leaf.

    def _grow(self, tree: int, free: list[int], depth: int) -> int:
        """Grows a subtree; returns the id of its first node. `free` contains the next id."""
        here = free[0]
        free[0] += 1
        is_leaf = depth == 0 or (depth < self.depth and self.random.random() < 0.2)
        at = len(self.nodes["nodeids"])
        split = "LEAF" if is_leaf else str(self.random.choice(list(self.modes)))
        row = (tree, here, int(self.random.integers(FEATURES)), split, float(self.random.integers(-8, 9)) / 4, 0, 0)
        for name, value in zip(list(self.nodes), (*row, int(self.missing and self.random.random() < 0.5)), strict=True):
            self.nodes[name].append(value)
        if is_leaf:
            chosen = [t for t in self.targets if not self.sparse or self.random.random() < 0.5] or [self.targets[0]]
            for target in chosen:
                weight = float(np.float32(self.random.uniform(-1 if self.negative else 0, 1)))
                for name, value in zip(list(self.votes), (tree, here, target, weight), strict=True):
                    self.votes[name].append(value)
            return here
        self.nodes["truenodeids"][at] = self._grow(tree, free, depth - 1)
        self.nodes["falsenodeids"][at] = self._grow(tree, free, depth - 1)
        return here

    def attributes(self, prefix: str) -> Attributes:
        """The attributes of TreeEnsembleClassifier (prefix "class_") or TreeEnsembleRegressor ("target_")."""
        nodes = {f"nodes_{name}": values for name, values in self.nodes.items()}
        if not self.missing:
            del nodes["nodes_missing_value_tracks_true"]
        return nodes | {f"{prefix}{name}": values for name, values in self.votes.items()}


def wide(attributes: Attributes, *names: str) -> Attributes:
    """The attributes with `names` as float64 tensors, which exist since version 3."""
    tensors = {
        f"{name}_as_tensor": numpy_helper.from_array(np.array(attributes[name], np.float64), name) for name in names
    }
    return {name: value for name, value in attributes.items() if name not in names} | tensors


def ensemble(forest: Forest, dtype: type = np.float32) -> Attributes:
    """The same trees as attributes of TreeEnsemble; leaves have one vote, for the first target. A tree of one leaf
    becomes a split with the same leaf on both sides."""
    nodes, leaves = forest.nodes, {}
    weights: list[float] = []
    for tree, node, weight in zip(
        forest.votes["treeids"], forest.votes["nodeids"], forest.votes["weights"], strict=True
    ):
        leaves[tree, node] = len(weights)
        weights.append(weight)
    where = list(zip(nodes["treeids"], nodes["nodeids"], strict=True))
    alone = [key for key in where if key[1] == 0 and key in leaves]
    splits = {key: at for at, key in enumerate(key for key in where if key not in leaves or key in alone)}
    kept = [at for at, key in enumerate(where) if key in splits]

    def child(at: int, name: str) -> tuple[int, int]:
        key = (nodes["treeids"][at], nodes[name][at])
        return (leaves[key], 1) if key in leaves else (splits[key], 0)

    whens = {name: [child(at, f"{name}nodeids") for at in kept] for name in ("true", "false")}
    modes = [0 if nodes["modes"][at] == "LEAF" else MODES.index(nodes["modes"][at]) for at in kept]
    found = {
        "tree_roots": [at for key, at in splits.items() if key[1] == 0],
        "nodes_featureids": [nodes["featureids"][at] for at in kept],
        "nodes_modes": numpy_helper.from_array(np.array(modes, np.uint8), "modes"),
        "nodes_splits": numpy_helper.from_array(np.array([nodes["values"][at] for at in kept], dtype), "splits"),
        "leaf_weights": numpy_helper.from_array(np.array(weights, dtype), "weights"),
        "leaf_targetids": [0] * len(weights),
        "n_targets": 1,
    }
    for name, pairs in whens.items():
        found[f"nodes_{name}nodeids"] = [index for index, _ in pairs]
        found[f"nodes_{name}leafs"] = [is_leaf for _, is_leaf in pairs]
    if forest.missing:
        found["nodes_missing_value_tracks_true"] = [nodes["missing_value_tracks_true"][at] for at in kept]
    return found


def model(
    op: str, attributes: Attributes, rows: int | None = 16, kind: int = TensorProto.FLOAT, version: int = 3
) -> ModelProto:
    """A model of one node on `x` [rows, FEATURES]."""
    outputs = ["label", "scores"] if op == "TreeEnsembleClassifier" else ["scores"]
    node: NodeProto = helper.make_node(op, ["x"], outputs, "trees", domain=ML)
    node.attribute.extend(
        value if isinstance(value, AttributeProto) else helper.make_attribute(name, value)
        for name, value in attributes.items()
    )
    score = kind if op == "TreeEnsemble" else TensorProto.FLOAT
    values = [
        helper.make_tensor_value_info(name, TensorProto.INT64 if name == "label" else score, None) for name in outputs
    ]
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", kind, [rows, FEATURES])], values)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid(ML, 5 if op == "TreeEnsemble" else version)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def operand(dtype: type = np.float32, rows: int = 16, special: bool = True) -> np.ndarray:
    """Multiples of a quarter in [-2, 2], as the thresholds are, with NaN, infinities and -0.0 among them."""
    random = np.random.default_rng(7)
    x = random.integers(-8, 9, size=(rows, FEATURES)) / 4
    if special:
        x[0, :] = np.nan
        x[1:5, 1:3] = [[np.inf, -np.inf], [np.nan, 0.5], [-0.0, np.nan], [1e38, -1e-40]]
    return (x * 2 if np.dtype(dtype).kind == "i" else x).astype(dtype)
