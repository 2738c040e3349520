"""Generated tokens against onnxruntime: the same ids, step by step, with the past that the model itself grows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from forge_mlir.artifact.reader import Artifact, Json
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.execute.generation import generation_of, token_loop
from forge_mlir.execute.onnx_engines import OnnxRuntime
from forge_mlir.support.sandbox import Limits, isolated
from forge_mlir.token_loop import Array, TokenLoop, greedy, prompt_of
from forge_mlir.verify.comparison import Comparison as Row
from forge_mlir.verify.comparison import compare

_PROMPT = 7
_DTYPES = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(bool)": np.bool_,
}


@dataclass(frozen=True)
class Comparison:
    """The logits of each step against onnxruntime's. `differs` is the first step with another greedy token, None where
    there is none; `probabilities` are those of the two tokens there: ours by us, and theirs by onnxruntime."""

    rows: list[Row]
    differs: int | None
    tokens: tuple[int, int]
    probabilities: tuple[float, float]

    def lines(self) -> list[str]:
        """What a user is told."""
        worst = max(self.rows, key=lambda row: row.excess)
        told = [f"compared {len(self.rows)} steps with onnxruntime: {worst.explain()}"]
        if self.differs is None:
            return [*told, "every greedy token is onnxruntime's"]
        (ours, theirs), (first, second) = self.tokens, self.probabilities
        return [
            *told,
            f"step {self.differs}: token {ours} of probability {first:.6f}, onnxruntime has {theirs} of {second:.6f}",
        ]

    def failure(self) -> ForgeError | None:
        """The error where a step is wrong."""
        if self.differs is None and all(row.passed for row in self.rows):
            return None
        return ForgeError(Code.ResultsDiffer, "; ".join(self.lines()))

    def json(self) -> Json:
        return {
            "steps": [row.json() for row in self.rows],
            "differs": self.differs,
            "tokens": list(self.tokens),
            "probabilities": list(self.probabilities),
        }


def compare_steps(
    artifact: Artifact | str | os.PathLike[str],
    model: str | os.PathLike[str],
    ids: Sequence[Sequence[int]],
    tokens: Sequence[Sequence[int]],
    limits: Limits,
    inputs: Mapping[str, Array] | None = None,
) -> Comparison:
    """Compares the logits of a prompt and of each of `tokens` ([batch] each) after it; `inputs` as those of
    `generate`. Raises ForgeError where onnxruntime cannot run the model."""
    if not isinstance(artifact, Artifact):
        artifact = Artifact.open(artifact)
    facts = generation_of(artifact)
    loop = token_loop(artifact, inputs)
    others = dict(inputs or {})
    prompt, path = prompt_of(list(ids), loop.batch), os.fspath(model)
    ours = _ours(loop, prompt, tokens)
    sizes = [cache.shape for cache in loop.caches]
    theirs = isolated("onnxruntime", lambda: _theirs(path, facts, sizes, prompt, tokens, others), limits)
    rows = [
        compare(f"step {at}", mine.astype(np.float32), golden.astype(np.float32))
        for at, (mine, golden) in enumerate(zip(ours, theirs, strict=True))
    ]
    for at, (mine, golden) in enumerate(zip(ours, theirs, strict=True)):
        chosen, expected = greedy(mine), greedy(golden)
        if (chosen != expected).any():
            row = int(np.argmax(chosen != expected))
            pair = int(chosen[row]), int(expected[row])
            return Comparison(rows, at, pair, (_share(mine[row], pair[0]), _share(golden[row], pair[1])))
    return Comparison(rows, None, (0, 0), (0.0, 0.0))


def verify_steps(
    artifact: Artifact, model: str | os.PathLike[str], seed: int, limits: Limits, steps: int = 32
) -> Comparison:
    """Compares a prompt of random tokens, and up to `steps` greedy ones after it, as `compare_steps` does."""
    random = np.random.default_rng(seed)
    inputs = other_inputs(artifact, random)
    loop = token_loop(artifact, inputs)
    count = max(1, min(_PROMPT, loop.max_length // 2))
    prompt = random.integers(0, loop.words, (loop.batch, count))
    made = [row.tolist() for row in loop.generate(prompt, steps + 1, greedy)]
    return compare_steps(artifact, model, prompt.tolist(), made, limits, inputs)


def other_inputs(artifact: Artifact, random: np.random.Generator) -> dict[str, Array]:
    """What the model reads beside tokens and caches, such as the caches of cross-attention: random numbers, and ones
    where it is integers or booleans, which are masks."""
    facts = generation_of(artifact)
    declared = artifact.shape_set(next(iter(facts["programs"]))).manifest()["onnx"]["inputs"]
    made = {}
    for info in (each for each in declared if each["name"] in facts["others"]):
        shape, dtype = info["shape"], np.dtype("float32" if info["dtype"] == "bfloat16" else info["dtype"])
        made[info["name"]] = (random.normal(0, 1, shape) if dtype.kind == "f" else np.ones(shape)).astype(dtype)
    return made


def _share(logits: Array, token: int) -> float:
    weights = np.exp(logits.astype(np.float64) - float(logits.max()))
    return float(weights[token] / weights.sum())


def _ours(loop: TokenLoop, prompt: Array, tokens: Sequence[Sequence[int]]) -> list[Array]:
    found = [loop.prompt(prompt)]
    for row in tokens[:-1]:
        found.append(loop.step(np.array(row)))
    return found


def _theirs(
    path: str,
    facts: Json,
    sizes: Sequence[Sequence[int]],
    prompt: Array,
    tokens: Sequence[Sequence[int]],
    others: Mapping[str, Array],
) -> list[Array]:
    """The logits by onnxruntime: what the child does. `sizes` are the shapes of our caches."""
    run = OnnxRuntime(path, exact=False, threads=0)
    inputs = {each.name: each for each in run.session.get_inputs()}
    outputs = [each.name for each in run.session.get_outputs()]
    batch, past, found = prompt.shape[0], 0, []
    caches = {name: _empty(inputs[name], held, facts) for (name, _), held in zip(facts["caches"], sizes, strict=True)}
    # A model that takes one token at a time reads its prompt so.
    rest = prompt[:, 1:] if inputs[facts["ids"]].shape[1] == 1 else prompt[:, :0]
    rest = np.concatenate([rest, *(np.array(row).reshape(batch, 1) for row in tokens[:-1])], 1)
    new = seen = prompt[:, : prompt.shape[1] + max(len(tokens) - 1, 0) - rest.shape[1]]
    while True:
        total = past + new.shape[1]
        feeds: dict[str, Any] = {**caches, **others, facts["ids"]: new}
        if facts["mask"]:
            feeds[facts["mask"]] = np.ones((batch, total))
        if facts["positions"]:
            feeds[facts["positions"]] = np.tile(np.arange(past, total), (batch, 1))
        given = {name: value.astype(_DTYPES[inputs[name].type]) for name, value in feeds.items()}
        results = dict(zip(outputs, run(given), strict=True))
        if seen.shape[1] >= prompt.shape[1]:
            found.append(results[facts["logits"]][:, -1])
        if not rest.shape[1]:
            return found
        row, rest = rest[:, :1], rest[:, 1:]
        seen = np.concatenate([seen, row], 1)
        caches = {name: results[present] for name, present in facts["caches"]}
        past, new = (total, row) if caches else (0, seen)


def _empty(declared: Any, held: Sequence[int], facts: Json) -> Array:
    """The past before the first token, by the shape of our cache: no positions. A state of one size is zeros, and so is
    the buffer of a window."""
    sizes, window = list(held), facts["windows"].get(declared.name, 0)
    if declared.name not in facts["states"]:
        sizes[2] = max(held[2], window) if window else 0
    shape = [size if isinstance(size, int) else sizes[at] for at, size in enumerate(declared.shape)]
    return np.zeros(shape, _DTYPES[declared.type])
