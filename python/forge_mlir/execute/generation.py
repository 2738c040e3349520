"""Generates tokens with an artifact that was compiled with `generate`."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.execute.device_module import SharedWeights
from forge_mlir.execute.loaded_model import LoadedModel
from forge_mlir.execute.values.structured_values import numpy_type
from forge_mlir.token_loop import Array, Choice, Step, TokenLoop, greedy, prompt_of, sampler


def generate(
    artifact: Artifact | str | os.PathLike[str],
    ids: Sequence[int] | Sequence[Sequence[int]] | Array,
    *,
    tokens: int = 64,
    temperature: float = 0,
    top_k: int = 0,
    top_p: float = 1.0,
    seed: int | None = None,
    end_tokens: Collection[int] = (),
    inputs: Mapping[str, Array] | None = None,
) -> Iterator[Array]:
    """Yields up to `tokens` tokens, [batch] each, after the prompt `ids`: one sequence, or one per row of the batch.

    Each is the most probable token if `temperature` is 0, otherwise a sample (`sampler`). Generation ends early when
    every row has generated one of `end_tokens`, or when the caches are full. `inputs` are inputs of the model besides
    tokens and caches, such as the states of an encoder. Raises ForgeError for an artifact that was not compiled for
    generation, and for a prompt or token ids that do not fit.
    """
    loop = token_loop(artifact, inputs)
    try:
        # Also created for greedy decoding, to check its arguments.
        drawn = sampler(temperature or 1.0, top_k, top_p, seed)
        choose: Choice = drawn if temperature else greedy
        yield from loop.generate(prompt_of(ids, loop.batch), tokens, choose, end_tokens)
    except (ValueError, IndexError) as error:
        raise ForgeError(Code.InputMismatch, str(error)) from error


def generation_of(artifact: Artifact) -> Json:
    """The facts about generation in the manifest. Raises ForgeError for an artifact without them, and for a single one
    of its programs."""
    facts = artifact.manifest().get("generation")
    if facts is None:
        raise ForgeError(
            Code.InputMismatch,
            f"{artifact.module_path}: it was not compiled for generation; compile the model with --generate",
        )
    if "programs" not in facts:
        raise ForgeError(
            Code.InputMismatch,
            f"{artifact.module_path}: it is one of the programs that generate; give the directory, or the module that "
            "loads them all",
        )
    found: Json = facts
    return found


def token_loop(artifact: Artifact | str | os.PathLike[str], inputs: Mapping[str, Array] | None = None) -> TokenLoop:
    """The programs of an artifact with empty caches, on the CPU reference or the device."""
    if not isinstance(artifact, Artifact):
        artifact = Artifact.open(artifact)
    facts = generation_of(artifact)
    if unknown := sorted(set(inputs or {}) - set(facts["others"])):
        expected = ", ".join(map(ascii, facts["others"])) or "none"
        raise ForgeError(
            Code.InputNames,
            f"input {unknown[0]!a} is no input besides tokens and caches, which are {expected}",
        )
    prefills: dict[int, Step] = {}
    decode: Step | None = None
    caches: list[Array] = []
    shared = SharedWeights()
    for name, program in facts["programs"].items():
        model = LoadedModel.open(artifact.shape_set(name), shared)
        step = _step(model, facts, program["length"], inputs or {})
        if program["kind"] == "decode":
            decode = step
        else:
            prefills[program["tokens"]] = step
        declared = {info["name"]: info for info in model.manifest["onnx"]["inputs"]}
        caches = [_empty(declared[past]) for past, _ in facts["caches"]]
    states = {at: caches[at] for at, (past, _) in enumerate(facts["caches"]) if past in facts["states"]}
    return TokenLoop(prefills, decode, caches, facts["max_length"], facts["words"], facts["batch"], states)


def _empty(info: Json) -> Array:
    return np.zeros(info["shape"], numpy_type(info["dtype"]))


def _step(model: LoadedModel, facts: Json, length: str, others: Mapping[str, Array]) -> Step:
    dtypes = {info["name"]: info["dtype"] for info in model.manifest["onnx"]["inputs"]}
    pairs = facts["caches"]

    def run(ids: Array, lengths: Array, caches: list[Array]) -> tuple[Array, list[Array]]:
        given: dict[str, Any] = {past: cache for (past, _), cache in zip(pairs, caches, strict=True)}
        given |= {facts["ids"]: ids.astype(dtypes[facts["ids"]]), length: lengths, **others}
        results = model.run({name: given[name] for name in model.input_names if name in given})
        return results[facts["logits"]], [results[present] for _, present in pairs]

    return run
