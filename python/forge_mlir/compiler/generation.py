"""The programs of a language model: one per prompt length, and one for a single token."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from numbers import Integral
from typing import TYPE_CHECKING

from onnx import ModelProto

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, quote
from forge_mlir.importer.limits import MAX_BATCH
from forge_mlir.importer.request import ProgramRequest

if TYPE_CHECKING:
    from forge_mlir.artifact.manifest import Json
    from forge_mlir.artifact.shape_sets import ShapeSet
    from forge_mlir.compiler.options import Options

DECODE = "decode"
_PROMPT = 128
LARGEST_LENGTH = 2**31 - 1
"""The most positions of caches: lengths are int32."""


@dataclass(frozen=True)
class Generation:
    """A language model over caches of `max_length` positions, for `batch` sequences of equal length.

    `prompt_lengths` are the numbers of tokens that prefill programs take at once; by default 128 or `max_length`.
    `caches` gives pairs of past input and present output if they cannot be detected. `all_logits`: return the logits of
    all tokens of a prompt, not only of the last one.
    """

    max_length: int
    prompt_lengths: Sequence[int] = ()
    batch: int = 1
    caches: Mapping[str, str] = field(default_factory=dict)
    all_logits: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.prompt_lengths, Sequence) or isinstance(self.prompt_lengths, str):
            reason = f"prompt_lengths: expected a list of integers, but got {quote(self.prompt_lengths)}"
            raise ForgeError(Code.InputConflict, reason)
        for number in (self.max_length, self.batch, *self.prompt_lengths):
            if isinstance(number, bool) or not isinstance(number, Integral) or number < 1:
                reason = f"a length or a batch must be an integer of at least 1, but is {quote(number)}"
                raise ForgeError(Code.InputConflict, reason)
        if self.max_length > LARGEST_LENGTH:
            reason = f"--max-length {self.max_length} is more than {LARGEST_LENGTH}, the largest int32"
            raise ForgeError(Code.InputConflict, reason)
        if self.batch > MAX_BATCH:
            raise ForgeError(Code.InputConflict, f"--batch {self.batch} is more than {MAX_BATCH}, the most texts")
        longest = max(self.prompt_lengths, default=0)
        if longest > self.max_length:
            raise ForgeError(
                Code.InputConflict,
                f"--prompt-length {longest} is longer than the {self.max_length} positions of --max-length",
            )

    def programs_for(self, source: str | os.PathLike[str] | ModelProto, options: Options) -> dict[str, ProgramRequest]:
        """The programs by module name. A model without a cache has one, for the whole sequence; a model that takes one
        token at a time has only that for a single token. Raises ForgeError for prompt lengths that the model cannot
        take, and for CPU partitions."""
        from forge_mlir.compiler.option_types.values import limits_of
        from forge_mlir.importer.generation.detect import kinds_of

        if options.get("fallback") == "cpu":
            raise ForgeError(
                Code.InputConflict, "--generate takes no --fallback=cpu, because all nodes must be on the device"
            )
        if options.get("error_budget") is not None:
            raise ForgeError(
                Code.InputConflict,
                "--generate takes no --error-budget, which is for a model with fixed sizes; give --keep-float32",
            )
        pairs = tuple(sorted(self.caches.items()))
        lengths = sorted(set(self.prompt_lengths)) or [min(_PROMPT, self.max_length)]
        kinds = kinds_of(source, pairs, limits_of(options))
        if DECODE not in kinds or kinds == [DECODE]:
            lengths = [] if DECODE in kinds else [self.max_length]
            if self.prompt_lengths:
                takes = "one token at a time" if DECODE in kinds else "the whole sequence, because it has no cache"
                raise ForgeError(Code.InputConflict, f"the model takes {takes}: --prompt-length is not for it")
        programs = {
            "prefill" if len(lengths) == 1 else f"prefill_{length}": ProgramRequest(
                "prefill", length, self.max_length, self.batch, pairs, self.all_logits
            )
            for length in lengths
        }
        if DECODE in kinds:
            programs[DECODE] = ProgramRequest(DECODE, 1, self.max_length, self.batch, pairs, self.all_logits)
        return programs

    @contextmanager
    def explained_memory_errors(self) -> Iterator[None]:
        """Adds the length of the caches to errors about memory: masks and positions are constants of this length."""
        try:
            yield
        except ForgeError as error:
            if error.code != Code.MemoryLimit:
                raise
            sizes = f"the caches have {self.max_length} positions (--max-length) of {self.batch} rows (--batch)"
            raise ForgeError(error.code, f"{error.message}: {sizes}", error.details) from error


def generation_facts(sets: Sequence[ShapeSet], generation: Generation | None) -> Json:
    """The facts about each program in the main manifest: `loopback` has the index of the input that an output becomes
    in the next step, and `loopback_outputs` is CompilerConfig.loopback_outputs of the forge package."""
    if generation is None:
        return {}
    programs = {}
    for one in sets:
        found = one.facts["generation"]
        programs[one.name] = {"kind": found["kind"], "tokens": found["tokens"], "length": found["length"]}
    first = sets[0].facts["generation"]
    roles = {
        name: first[name]
        for name in ("ids", "words", "logits", "mask", "positions", "lengths", "caches", "states", "windows", "others")
    }
    return {
        "generation": {
            **roles,
            **({"stated_caches": sorted(map(list, generation.caches.items()))} if generation.caches else {}),
            "max_length": generation.max_length,
            "batch": generation.batch,
            "programs": programs,
            "loopback": {one.name: loopback(one, first["caches"]) for one in sets},
            "loopback_outputs": {one.name: loopback_outputs(one, first["caches"]) for one in sets},
        }
    }


def loopback(one: ShapeSet, caches: Sequence[Sequence[str]]) -> dict[str, int]:
    """The index of the input that each cache output becomes, by the name of the output."""
    manifest = one.program.main.manifest
    inputs = [entry["onnx_name"] for entry in manifest["inputs"]]
    return {present: inputs.index(past) for past, present in caches}


def loopback_outputs(one: ShapeSet, caches: Sequence[Sequence[str]]) -> dict[str, int]:
    """The index of the output for each cache, by the name of its parameter of `forward`, which is how forge/compile.py
    of the package reads CompilerConfig.loopback_outputs."""
    manifest = one.program.main.manifest
    names = {entry["onnx_name"]: entry["name"] for entry in manifest["inputs"]}
    outputs = [entry["onnx_name"] for entry in manifest["outputs"]]
    return {names[past]: outputs.index(present) for past, present in caches}
