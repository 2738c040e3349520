"""The keyword arguments of a compilation."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

import numpy as np
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


def check_arguments(arguments: CompileArguments) -> None:
    """Raises TypeError for arguments of other types, and ValueError for values that they cannot have."""
    name, generation, shapes = arguments.get("name"), arguments.get("generate"), arguments.get("shapes") or {}
    if not isinstance(name, str | None):
        raise TypeError(f"name: expected a text, but got {name!r}")
    if generation is not None and not hasattr(generation, "programs_for"):
        raise TypeError(f"generate: expected a forge_mlir.Generation, but got {generation!r}")
    if not isinstance(shapes, Mapping) or not all(
        isinstance(key, str) and isinstance(sizes, Mapping) for key, sizes in shapes.items()
    ):
        raise TypeError(f"shapes: expected sizes of inputs by the name of each set, but got {shapes!r}")
    if not isinstance(arguments.get("force", False), bool | np.bool_):
        raise TypeError(f"force: expected True or False, but got {arguments['force']!r}")
    for each in ("on_pass", "examine"):
        function = arguments.get(each)
        if function is not None and not callable(function):
            raise TypeError(f"{each}: expected a function, but got {function!r}")
    if arguments.get("weights") not in (None, "copy", "reference"):
        raise ValueError(f"weights: expected copy or reference, but got {arguments['weights']!r}")
    for each in ("dump_dir", "cache"):
        if arguments.get(each) == "":  # It would be the current directory.
            raise ValueError(f"{each}: expected a path, but got ''")
