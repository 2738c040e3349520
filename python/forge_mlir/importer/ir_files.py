"""Files of MLIR where a command expects a model."""

from __future__ import annotations

import os
from functools import partial
from importlib import import_module
from pathlib import Path

from forge_mlir.support.sandbox import Limits, isolating

_BYTECODE = b"ML\xefR"


def is_ir(path: str | os.PathLike[str]) -> bool:
    """Whether a file is MLIR: bytecode by how it begins; text, which has no mark, by its name. False for what cannot be
    opened."""
    if os.fspath(path).endswith(".mlir"):
        return True
    if not Path(path).is_file():
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(_BYTECODE)) == _BYTECODE
    except OSError:
        return False


def model_of_ir(path: str | os.PathLike[str], limits: Limits | None = None) -> bytes:
    """The serialised ModelProto of a file of MLIR (`proto_of_ir`), read in a child process, as MLIR's parser and its
    reader of bytecode crash on some damaged files. Raises ForgeError."""

    def read() -> bytes:
        from forge_mlir.importer.ir_to_onnx import proto_of_ir

        return proto_of_ir(os.fspath(path))

    load = partial(import_module, "forge_mlir.importer.ir_to_onnx")
    with isolating("MLIR", read, limits or Limits(), load) as result:
        return result()
