"""MLIR files as input of commands that expect a model."""

from __future__ import annotations

import os
from functools import partial
from importlib import import_module
from pathlib import Path

from forge_mlir.support.sandbox import Limits, isolating

_BYTECODE = b"ML\xefR"


def is_ir(path: str | os.PathLike[str]) -> bool:
    """Whether a file is MLIR: bytecode is recognised by its magic number, text by its file name. False if it cannot be
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
    """The serialised ModelProto for an MLIR file (`proto_of_ir`). Runs in a child process, because MLIR's parser and
    bytecode reader may crash on damaged files. Raises ForgeError."""

    def read() -> bytes:
        from forge_mlir.importer.ir_to_onnx import proto_of_ir

        return proto_of_ir(os.fspath(path))

    load = partial(import_module, "forge_mlir.importer.ir_to_onnx")
    with isolating("MLIR", read, limits or Limits(), load) as result:
        return result()
