"""Open dims of a model's inputs: which there are, flags that fix them, and sizes to try."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace

from forge_mlir.codes import Code
from forge_mlir.errors import NAME_LIMIT, Diagnostic, quote
from forge_mlir.importer import ImportedModel, TensorInfo


def open_inputs(imported: ImportedModel) -> list[TensorInfo]:
    """The inputs whose shapes are not fixed."""
    return [info for info in imported.inputs if info.shape is None or any(isinstance(n, str) for n in info.shape)]


def open_dims_diagnostics(inputs: Sequence[TensorInfo], label: str) -> tuple[Diagnostic, ...]:
    """An error per input with open dims, the last of which lists flags that fix them, and per sequence or optional."""
    tensors = [info for info in inputs if not _is_structured(info)]
    note = f"give the sizes: {flags(tensors)}, or --sample-inputs inputs.npz with arrays of these names"
    return tuple(
        Diagnostic(
            "error",
            f"input {quote(info.name)} is of type {info.dtype}, which the device does not have",
            code=Code.TypeNotHeld,
            model=label,
        )
        if _is_structured(info)
        else Diagnostic(
            "error",
            f"input {quote(info.name)} has {_what(info)}",
            code=Code.DynamicShape,
            model=label,
            notes=(note,) if info is tensors[-1] else (),
        )
        for info in inputs
    )


def open_dims_warnings(inputs: Sequence[TensorInfo], label: str) -> tuple[Diagnostic, ...]:
    """As `open_dims_diagnostics`, but warnings, for a model whose nodes may run on the CPU."""
    return tuple(
        replace(found, severity="warning", message=f"{found.message}: what depends on it runs on the CPU")
        for found in open_dims_diagnostics([info for info in inputs if not _is_structured(info)], label)
    )


def flags(inputs: Sequence[TensorInfo], size: int = 1) -> str:
    """The flags that fix all open dims of `inputs`: `--dim batch=1` for dims with names."""
    words: dict[str, None] = {}
    for info in inputs:
        if info.shape is None:
            words[f"--input-shape {_shell(f'{info.name}=SIZES')}"] = None
        elif "" in info.shape:
            sizes = "x".join(str(size if isinstance(n, str) else n) for n in info.shape)
            words[f"--input-shape {_shell(f'{info.name}={sizes}')}"] = None
        else:
            words.update((f"--dim {_shell(f'{n}={size}')}", None) for n in info.shape if isinstance(n, str))
    return " ".join(words)


def trial_shapes(inputs: Sequence[TensorInfo]) -> Iterator[dict[str, list[int]]]:
    """Shapes to try for inputs with open dims, in order to find further problems: a batch of one with medium sizes, and
    all ones."""
    if any(info.shape is None for info in inputs):
        return
    batches = {info.shape[0] for info in inputs if info.shape} - {""}
    for inner in (64, 1):
        yield {info.name: _trial_shape(info.shape or (), batches, inner) for info in inputs}


def _trial_shape(shape: Sequence[int | str], batches: set[int | str], inner: int) -> list[int]:
    """`shape` with 1 for open leading dims and other dims of the symbols `batches`, and `inner` for other open dims."""
    return [
        size if isinstance(size, int) else 1 if axis == 0 or size in batches else inner
        for axis, size in enumerate(shape)
    ]


def _is_structured(info: TensorInfo) -> bool:
    """Whether an input is a sequence or an optional, such as `sequence(float32)`."""
    return "(" in info.dtype


def _what(info: TensorInfo) -> str:
    if info.shape is None:
        return "an unknown rank"
    named = list(dict.fromkeys(n for n in info.shape if isinstance(n, str) and n))
    unnamed = [axis for axis, n in enumerate(info.shape) if n == ""]
    parts = [f"open dim {quote(name)}" for name in named] + [f"an open dim at axis {axis}" for axis in unnamed]
    return " and ".join(parts)


def _shell(text: str) -> str:
    """`text`, quoted for a shell. Long names and names with special characters are only escaped for display."""
    safe = text.isascii() and text.isprintable() and len(text) <= NAME_LIMIT
    return shlex.quote(text) if safe else quote(text)
