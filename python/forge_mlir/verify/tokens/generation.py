"""Compares generated tokens with onnxruntime: the same tokens, step by step, with the past that the model itself
returns."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, escaped, quote
from forge_mlir.execute.generation import generation_of, token_loop
from forge_mlir.execute.onnx.engines import OnnxRuntime, reason_of
from forge_mlir.execute.values.structured_values import numpy_type
from forge_mlir.importer.generation.recognise import LAST, PAST, TOTAL
from forge_mlir.importer.onnx_import import scan_source
from forge_mlir.onnx_model.accuracy import ROUNDS, with_float_products
from forge_mlir.onnx_model.errors import OnnxImportError
from forge_mlir.support.sandbox import Limits, is_out_of_memory, isolated
from forge_mlir.token_loop import Array, TokenLoop, greedy, prompt_of
from forge_mlir.verify.comparison import OUTPUT_LIMITS, compare
from forge_mlir.verify.comparison import Comparison as Row
from forge_mlir.verify.comparison import Limits as RowLimits

_PROMPT = 7
_MORE = 2
"""The number of steps after prompts that test one program each."""
_NARROW = {"bfloat16": RowLimits(0.5, 0.99), "float16": RowLimits(0.0625, 0.999)}
"""The limits for logits of a program in a 16-bit type: 64 units of it, relative to the larger of a logit and the root
mean square of its row, and the correlation. Every result within a model is rounded: models with random weights, which
amplify errors, showed 5 % root mean square and at most 18 % in bfloat16; wrong programs showed more."""
_STALE = 100.0
"""The magnitude of numbers at positions that no token has written."""
_UNREPEATED = "logits differ between two runs with equal tokens: the programs keep state"
_DTYPES = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(bool)": np.bool_,
}


@dataclass(frozen=True)
class Comparison:
    """The comparison of the logits of each step. `differs` is the first step with another greedy token, None if there
    is none; `probabilities` are those of the two tokens there: ours in our logits, and theirs in onnxruntime's.
    `rounded` is the 16-bit type of the programs, empty if they have none. `widened` is the number of nodes that
    onnxruntime computed as float products."""

    rows: list[Row]
    differs: int | None
    tokens: tuple[int, int]
    probabilities: tuple[float, float]
    rounded: str = ""
    widened: int = 0
    repeats: bool = True
    """Whether a script that was run again gave the same logits."""

    def lines(self) -> list[str]:
        """The lines for the user."""
        worst = max(self.rows, key=lambda row: row.excess)
        within = f", up to what {self.rounded} rounds" if self.rounded else ""
        lines = [f"compared {len(self.rows)} steps with onnxruntime{within}: {worst.explain()}"]
        if self.widened:
            lines.append(
                f"onnxruntime multiplied floats in {self.widened} MatMulNBits of accuracy_level {ROUNDS}, for which "
                "it rounds them to 8 bits otherwise"
            )
        if self.differs is None:
            return [*lines, "every greedy token is onnxruntime's"]
        (ours, theirs), (first, second) = self.tokens, self.probabilities
        row = self.rows[self.differs]
        lines.append(f"{row.name}: token {ours} of probability {first:.6f}, onnxruntime has {theirs} of {second:.6f}")
        if row.passed:
            lines[-1] += ", which rounding explains"
        return lines

    def failure(self) -> ForgeError | None:
        """The error if a step is wrong. A different token is not an error if the logits agree, because the two are then
        equal up to rounding."""
        if not self.repeats:
            return ForgeError(Code.ResultsDiffer, _UNREPEATED)
        if all(row.passed for row in self.rows):
            return None
        return ForgeError(Code.ResultsDiffer, "; ".join(self.lines()))

    def json(self) -> Json:
        return {
            "steps": [row.json() for row in self.rows],
            "differs": self.differs,
            "tokens": list(self.tokens),
            "probabilities": list(self.probabilities),
            "rounded": self.rounded,
            "widened": self.widened,
            "repeats": self.repeats,
        }


class StepsFailed(ForgeError):
    """The programs of an artifact cannot be run on what its manifest says that they take."""


def compare_steps(
    artifact: Artifact | str | os.PathLike[str],
    model: str | os.PathLike[str],
    ids: Sequence[Sequence[int]],
    tokens: Sequence[Sequence[int]],
    limits: Limits,
    inputs: Mapping[str, Array] | None = None,
) -> Comparison:
    """Compares the logits of a prompt and of each of `tokens` ([batch] each) after it; `inputs` as in `generate`.
    Raises ForgeError if onnxruntime cannot run the model."""
    if not isinstance(artifact, Artifact):
        artifact = Artifact.open(artifact)
    loop = token_loop(artifact, inputs)
    script = _Script("", prompt_of(list(ids), loop.batch), tokens)
    return _compared(artifact, loop, os.fspath(model), [script], limits, inputs or {})


def verify_steps(
    artifact: Artifact, model: str | os.PathLike[str], seed: int, limits: Limits, steps: int = 32
) -> Comparison:
    """Compares a prompt and up to `steps` tokens after it, as `compare_steps` does, and prompts for each of the other
    programs. Tokens are random, so that all positions have different keys and values. Initial caches are random too,
    because their content must not affect results. The prompts and their first steps are run again at the end, which has
    to give equal logits. Raises StepsFailed if the programs cannot be run, which only an edit causes."""
    random = np.random.default_rng(seed)
    inputs = other_inputs(artifact, random)
    loop = token_loop(artifact, inputs)
    loop.caches = [
        cache if at in loop.states else random.normal(0, _STALE, cache.shape).astype(cache.dtype)
        for at, cache in enumerate(loop.caches)
    ]
    scripts: list[_Script] = []
    for count in _prompts(loop):
        rest = min(_MORE if scripts else steps, loop.max_length - count)
        ids = random.integers(0, loop.words, (loop.batch, count + rest + 1))
        name = f"prompt of {count}, " if scripts else ""
        scripts.append(_Script(name, ids[:, :count], ids[:, count:].T.tolist()))
    caches = deepcopy(loop.caches)
    found = _compared(artifact, loop, os.fspath(model), scripts, limits, inputs)
    shorter = [replace(script, tokens=script.tokens[:_MORE]) for script in scripts]
    runs = []
    for _ in range(2):
        loop.caches = deepcopy(caches)
        runs.append([logits.tobytes() for script in shorter for logits in _ours(loop, script)])
    return replace(found, repeats=runs[0] == runs[1])


def require_model(artifact: Artifact | str | os.PathLike[str], model: str | os.PathLike[str], limits: Limits) -> None:
    """Raises ForgeError for a file that onnxruntime cannot run on the tokens of `artifact`: one that is not an ONNX
    model, or whose inputs and outputs have other names than those of the compiled model."""
    facts = generation_of(artifact if isinstance(artifact, Artifact) else Artifact.open(artifact))
    label = escaped(os.fspath(model))
    try:
        weightless, _ = scan_source(model)
        inputs, outputs = isolated("onnx", lambda: _names(weightless.proto), limits)
    except OnnxImportError as error:
        raise error.in_model(label) from error.__cause__
    read = [facts["ids"], facts["mask"], facts["positions"], *facts["lengths"], *facts["others"]]
    read += [past for past, _ in facts["caches"]]
    given = [facts["logits"], *(present for _, present in facts["caches"])]
    for what, asked, found in (("input", read, inputs), ("output", given, outputs)):
        for name in asked:
            if name and name not in found:
                reason = f"it has no {what} {quote(name)}, which the model of the artifact has"
                raise ForgeError(Code.ArtifactOfAnother, f"{label}: {reason}")


def _names(proto: bytes) -> tuple[set[str], set[str]]:
    """The names of a model's inputs and outputs."""
    import onnx

    graph = onnx.ModelProto.FromString(proto).graph
    return {value.name for value in graph.input}, {value.name for value in graph.output}


def other_inputs(artifact: Artifact, random: np.random.Generator) -> dict[str, Array]:
    """The inputs besides tokens and caches, such as caches of cross-attention: random floats, and ones for integers and
    booleans, which are masks."""
    facts = generation_of(artifact)
    declared = artifact.shape_set(next(iter(facts["programs"]))).manifest()["onnx"]["inputs"]
    made = {}
    for info in (each for each in declared if each["name"] in facts["others"]):
        shape, dtype = info["shape"], numpy_type(info["dtype"])
        made[info["name"]] = (np.ones(shape) if dtype.kind in "iub" else random.normal(0, 1, shape)).astype(dtype)
    return made


def _share(logits: Array, token: int) -> float:
    weights = np.exp(logits.astype(np.float64) - float(logits.max()))
    return float(weights[token] / weights.sum())


@dataclass(frozen=True)
class _Script:
    """The input of both sides: a prompt [batch, tokens], and the tokens [batch] after it. `name` is the prefix of its
    steps."""

    name: str
    prompt: Array
    tokens: Sequence[Sequence[int]]


def _prompts(loop: TokenLoop) -> list[int]:
    """The lengths of the prompts of a verification: for each prompt program one that needs padding if possible, and one
    that is longer than all programs."""
    counts = [max(1, min(_PROMPT, loop.max_length // 2))]
    sizes = sorted(loop.prefills)
    for before, size in zip([0, *sizes], sizes, strict=False):
        if not any(before < count <= size for count in counts):
            counts.append(before + (size - before + 1) // 2)
    if sizes and sizes[-1] < loop.max_length:
        counts.append(sizes[-1] + 1)
    return counts


def _compared(
    artifact: Artifact,
    loop: TokenLoop,
    path: str,
    scripts: Sequence[_Script],
    limits: Limits,
    inputs: Mapping[str, Array],
) -> Comparison:
    require_model(artifact, path, limits)
    facts, rounded = generation_of(artifact), _rounded(artifact)
    allowed = _NARROW[rounded] if rounded else OUTPUT_LIMITS
    sizes = [cache.shape for cache in loop.caches]
    names = [f"{script.name}step {at}" for script in scripts for at in range(max(len(script.tokens), 1))]
    ours = [logits for script in scripts for logits in _ours(loop, script)]
    theirs, widened = isolated("onnxruntime", lambda: _theirs(path, facts, sizes, scripts, inputs), limits)
    rows = [
        compare(name, mine.astype(np.float32), golden.astype(np.float32), allowed)
        for name, mine, golden in zip(names, ours, theirs, strict=True)
    ]
    for at, (mine, golden) in enumerate(zip(ours, theirs, strict=True)):
        chosen, expected = greedy(mine), greedy(golden)
        if (chosen != expected).any():
            row = int(np.argmax(chosen != expected))
            pair = int(chosen[row]), int(expected[row])
            shares = _share(mine[row], pair[0]), _share(golden[row], pair[1])
            return Comparison(rows, at, pair, shares, rounded, widened)
    return Comparison(rows, None, (0, 0), (0.0, 0.0), rounded, widened)


def _rounded(artifact: Artifact) -> str:
    """The 16-bit type of the inputs, weights or outputs of the programs; if there are two, the less precise one."""
    programs = [artifact.shape_set(name).manifest() for name in generation_of(artifact)["programs"]]
    parts = [(*each["onnx"]["inputs"], *each["onnx"]["outputs"], *each.get("weights", ())) for each in programs]
    held = {entry["dtype"] for part in parts for entry in part}
    return next((kind for kind in _NARROW if kind in held), "")


def _ours(loop: TokenLoop, script: _Script) -> list[Array]:
    """Raises StepsFailed."""
    try:
        found = [loop.prompt(script.prompt)]
        for row in script.tokens[:-1]:
            found.append(loop.step(np.array(row)))
    except (ForgeError, ValueError, IndexError) as error:
        if isinstance(error, ForgeError) and error.code is Code.MemoryLimit:
            raise
        reason = error.message if isinstance(error, ForgeError) else escaped(error)
        raise StepsFailed(Code.ResultsDiffer, reason) from error
    return found


def _theirs(
    path: str,
    facts: Json,
    sizes: Sequence[Sequence[int]],
    scripts: Sequence[_Script],
    others: Mapping[str, Array],
) -> tuple[list[Array], int]:
    """Runs in the child process: the logits of onnxruntime, and the number of nodes that are computed as float
    products. `sizes` are the shapes of our caches."""
    changed, widened = with_float_products(Path(path))
    source = changed or path
    folder = os.path.dirname(os.path.abspath(path)) if widened else ""
    try:
        run = OnnxRuntime(source, exact=False, threads=0, folder=folder)
        return [logits for script in scripts for logits in _stepped(run, facts, sizes, script, others)], widened
    except Exception as error:  # onnxruntime raises many exception types
        if isinstance(error, ForgeError) or is_out_of_memory(error):
            raise
        reason = escaped(f"onnxruntime: {reason_of(error)}".replace(path, "the model"))
        raise ForgeError(
            Code.PartitionFailed, f"the model cannot be run on what the artifact reads: {reason}"
        ) from error


def _stepped(
    run: OnnxRuntime, facts: Json, sizes: Sequence[Sequence[int]], script: _Script, others: Mapping[str, Array]
) -> list[Array]:
    """The logits of one script, with the past that the model returns."""
    prompt, tokens = script.prompt, script.tokens
    inputs = {each.name: each for each in run.session.get_inputs()}
    outputs = [each.name for each in run.session.get_outputs()]
    batch, past, found = prompt.shape[0], 0, []
    caches = {name: _empty(inputs[name], held, facts) for (name, _), held in zip(facts["caches"], sizes, strict=True)}
    # A model that takes one token at a time reads the prompt token by token.
    rest = prompt[:, 1:] if inputs[facts["ids"]].shape[1] == 1 else prompt[:, :0]
    rest = np.concatenate([rest, *(np.array(row).reshape(batch, 1) for row in tokens[:-1])], 1)
    new = seen = prompt[:, : prompt.shape[1] + max(len(tokens) - 1, 0) - rest.shape[1]]
    while True:
        total = past + new.shape[1]
        feeds: dict[str, Any] = {**caches, **others, facts["ids"]: new}
        if facts["mask"]:
            feeds[facts["mask"]] = np.ones((batch, total))
        if facts["positions"]:
            rows = [batch] * (len(inputs[facts["positions"]].shape) - 1)
            feeds[facts["positions"]] = np.tile(np.arange(past, total), (*rows, 1))
        for name, which in facts["lengths"].items():
            shape = [size if isinstance(size, int) else batch for size in inputs[name].shape]
            feeds[name] = np.full(shape, {PAST: past, LAST: total - 1, TOTAL: total}[which])
        given = {name: value.astype(_DTYPES[inputs[name].type]) for name, value in feeds.items()}
        results = dict(zip(outputs, run(given), strict=True))
        if seen.shape[1] >= prompt.shape[1]:
            logits = results[facts["logits"]]  # [batch, tokens, words], or of rank 2
            found.append(logits.reshape(batch, -1, logits.shape[-1])[:, -1])
        if not rest.shape[1]:
            return found
        row, rest = rest[:, :1], rest[:, 1:]
        seen = np.concatenate([seen, row], 1)
        caches = {name: results[present] for name, present in facts["caches"]}
        past, new = (total, row) if caches else (0, seen)


def _empty(declared: Any, held: Sequence[int], facts: Json) -> Array:
    """The past before the first token, from the shape of our cache: no positions. States of fixed size and window
    buffers are zeros."""
    sizes, window = list(held), facts["windows"].get(declared.name, 0)
    if declared.name not in facts["states"]:
        sizes[2] = max(held[2], window) if window else 0
    shape = [size if isinstance(size, int) else sizes[at] for at, size in enumerate(declared.shape)]
    return np.zeros(shape, _DTYPES[declared.type])
