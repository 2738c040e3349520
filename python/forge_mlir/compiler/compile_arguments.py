"""The keyword arguments of a compilation."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from onnx import ModelProto

from forge_mlir.compiler.options import Options

if TYPE_CHECKING:
    from forge_mlir.artifact.reader import Artifact
    from forge_mlir.compiler.cache import CompileCache
    from forge_mlir.compiler.generation import Generation
    from forge_mlir.compiler.pass_pipeline import OnPass
    from forge_mlir.importer import ImportedModel

Source: TypeAlias = str | os.PathLike[str] | ModelProto

Examine: TypeAlias = "Callable[[Source, Options, Artifact, ImportedModel | None], None]"
"""Called with a model, its options, and the results of `compile_traced` in a temporary directory."""


class CompileArguments(TypedDict, total=False):
    """Keyword arguments of a compilation in addition to those of `Options`.

    `name` becomes the file stem and class name (default: that of the file, or of the graph). Files of an earlier
    compilation in the directory are replaced; other files of these names only with `force`.

    With `shapes` ({"prefill": {"ids": (1, 128)}, "decode": {"ids": (1, 1)}}) there is one module per set of input
    shapes; they share the weights file. With `generate` there is one module per prompt length and one for a single
    token, over caches of one size (`Generation`). `weights="reference"` leaves weights of device modules in the model's
    files if they need no conversion: the manifest has file, offset and SHA-256. Results in the `cache` are not compiled
    again; compilations with lowerings, patterns or callbacks are not cached.

    The IR of each stage is written to `dump_dir`; for a refused model, up to the failing stage. `on_pass` is called
    after each pass, and `examine` with each compiled module before anything is written to the output; an exception that
    they raise ends the compilation.
    """

    name: str | None
    force: bool
    shapes: Mapping[str, Mapping[str, Sequence[int]]] | None
    generate: Generation | None
    weights: Literal["copy", "reference"]
    dump_dir: str | os.PathLike[str] | None
    on_pass: OnPass | None
    examine: Examine | None
    cache: CompileCache | str | os.PathLike[str] | None


class CompileOptions(Options, CompileArguments, total=False):
    """Keyword arguments of `compile`."""
