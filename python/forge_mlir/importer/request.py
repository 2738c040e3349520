"""What an import is asked for, and what the child process that sees the model first answers.

The passes that work on the model are loaded by the child alone (`importer.normalise`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from forge_mlir.importer.limits import MAX_EXPANSION

IsKnown = Callable[[str, str, int], bool]
"""Whether the compiler has a converter for (domain, op, opset)."""


class Extraction(NamedTuple):
    """The tensors at which a model begins and ends; where there are none, it is the model's own."""

    inputs: Sequence[str] = ()
    outputs: Sequence[str] = ()

    def __bool__(self) -> bool:
        return bool(self.inputs or self.outputs)


class ProgramRequest(NamedTuple):
    """One program of a language model: a prompt of up to `tokens` (`kind` "prefill"), or one token ("decode"), over
    caches of `max_length` positions. `caches` are pairs of past and present that the user states."""

    kind: str
    tokens: int
    max_length: int
    batch: int = 1
    caches: tuple[tuple[str, str], ...] = ()
    all_logits: bool = False


class Request(NamedTuple):
    """What a user wants changed, as `import_onnx` explains it."""

    input_shapes: Mapping[str, Sequence[int]]
    dims: Mapping[str, int]
    bind: Mapping[str, npt.NDArray[np.generic]]
    overridable: tuple[str, ...] = ()
    extraction: Extraction = Extraction()
    is_known: IsKnown | None = None
    max_expansion: int = MAX_EXPANSION
    float_quantization: bool = False
    program: ProgramRequest | None = None


class NormalisedModel(NamedTuple):
    """A weightless that is checked, sorted, typed and expanded."""

    proto: bytes
    opset: dict[str, int]
    warnings: list[str]
    defaults: dict[str, bytes]
    """Tensors by the inputs that need not be given."""
    generation: dict[str, Any] | None = None
    """What the inputs and outputs of a language model are."""
