"""The request to an import, and the response of the child process that prepares the model.

Only the child loads the passes on models (`importer.normalise`).
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
    """The tensors at which the extracted part of a model begins and ends; empty for the inputs or outputs of the
    model."""

    inputs: Sequence[str] = ()
    outputs: Sequence[str] = ()

    def __bool__(self) -> bool:
        return bool(self.inputs or self.outputs)


class ProgramRequest(NamedTuple):
    """One program of a language model: a prompt of up to `tokens` tokens (`kind` "prefill") or one token ("decode"),
    over caches of `max_length` positions. `caches` are pairs of past and present from the user."""

    kind: str
    tokens: int
    max_length: int
    batch: int = 1
    caches: tuple[tuple[str, str], ...] = ()
    all_logits: bool = False


class Request(NamedTuple):
    """The changes that a user requests; see `import_onnx`."""

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
    """A model without weights that is checked, sorted, typed and expanded."""

    proto: bytes
    opset: dict[str, int]
    warnings: list[str]
    defaults: dict[str, bytes]
    """Default tensors of optional inputs."""
    generation: dict[str, Any] | None = None
    """The roles of the inputs and outputs of a language model."""
