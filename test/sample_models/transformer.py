"""A GPT-2 of any depth, with names as torch's exporters write them."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, NodeProto

from sample_models.probe import FLOAT, INT64, build, node, weights

TOKENS, HEADS, WIDTH, WORDS = 6, 2, 16, 32


class _Writer:
    """Nodes are named by their path in the model, or, if `counted`, by their op with a number from the second of a kind
    on, as torch's newer exporter does."""

    def __init__(self, counted: bool) -> None:
        self.counted = counted
        self.nodes: list[NodeProto] = []
        self.tensors: dict[str, np.ndarray] = {}
        self.kinds: dict[str, int] = {}

    def weight(self, name: str, *shape: int) -> str:
        self.tensors[name] = weights(*shape) / 4
        return name

    def add(self, kind: str, scope: str, *reads: str, outputs: int = 1, **attributes: object) -> list[str]:
        number = self.kinds[kind] = self.kinds.get(kind, -1) + 1
        suffix = f"_{number}" if number else ""
        results = [f"{kind.lower()}{suffix}.{at}" for at in range(outputs)]
        name = f"node_{kind}{suffix}" if self.counted else f"/{scope}/{kind}{suffix if not scope else ''}"
        self.nodes.append(node(kind, list(reads), results, name, **attributes))
        return results

    def linear(self, scope: str, x: str, before: int, after: int) -> str:
        (product,) = self.add("MatMul", scope, x, self.weight(f"{scope}.weight", before, after))
        return self.add("Add", scope, product, self.weight(f"{scope}.bias", after))[0]

    def norm(self, scope: str, x: str) -> str:
        owned = self.weight(f"{scope}.weight", WIDTH), self.weight(f"{scope}.bias", WIDTH)
        return self.add("LayerNormalization", scope, x, *owned, epsilon=1e-5)[0]

    def layer(self, scope: str, x: str) -> str:
        attention = f"{scope}.attn"
        joined = self.linear(f"{attention}.c_attn", self.norm(f"{scope}.ln_1", x), WIDTH, 3 * WIDTH)
        heads = []
        parts = self.add("Split", attention, joined, outputs=3, axis=-1, num_outputs=3)
        for name, part, order in zip("qkv", parts, ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]), strict=True):
            (headed,) = self.add("Reshape", f"{attention}.{name}", part, "heads")
            heads += self.add("Transpose", f"{attention}.{name}", headed, perm=order)
        (scores,) = self.add("MatMul", f"{attention}.scores", heads[0], heads[1])
        (scaled,) = self.add("Mul", f"{attention}.scale", scores, "scale")
        (masked,) = self.add("Add", f"{attention}.mask", scaled, "mask")
        (soft,) = self.add("Softmax", attention, masked, axis=-1)
        (mixed,) = self.add("MatMul", f"{attention}.mix", soft, heads[2])
        (turned,) = self.add("Transpose", f"{attention}.merge", mixed, perm=[0, 2, 1, 3])
        (merged,) = self.add("Reshape", f"{attention}.merge", turned, "merged")
        (x,) = self.add("Add", scope, x, self.linear(f"{attention}.c_proj", merged, WIDTH, WIDTH))
        wide = self.linear(f"{scope}.mlp.c_fc", self.norm(f"{scope}.ln_2", x), WIDTH, 4 * WIDTH)
        (curved,) = self.add("Gelu", f"{scope}.mlp.act", wide, approximate="tanh")
        return self.add("Add", f"{scope}.mlp", x, self.linear(f"{scope}.mlp.c_proj", curved, 4 * WIDTH, WIDTH))[0]


def transformer(layers: int, counted: bool = False) -> ModelProto:
    writer = _Writer(counted)
    (words,) = writer.add("Gather", "wte", writer.weight("wte.weight", WORDS, WIDTH), "ids")
    (x,) = writer.add("Add", "wpe", words, writer.weight("wpe.weight", TOKENS, WIDTH))
    for at in range(layers):
        x = writer.layer(f"h.{at}", x)
    head = writer.weight("lm_head.weight", WIDTH, WORDS)
    writer.nodes.append(node("MatMul", [writer.norm("ln_f", x), head], ["logits"], "/lm_head/MatMul"))
    tensors = {
        "heads": np.array([1, TOKENS, HEADS, WIDTH // HEADS]), "merged": np.array([1, TOKENS, WIDTH]),
        "scale": np.float32((WIDTH // HEADS) ** -0.5),
        "mask": np.triu(np.full((TOKENS, TOKENS), -100, np.float32), 1),
    }  # fmt: skip
    return build(writer.nodes, {"ids": (INT64, [1, TOKENS])}, {"logits": FLOAT}, 20, **tensors, **writer.tensors)
