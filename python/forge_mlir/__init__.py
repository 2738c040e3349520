"""Forge-MLIR: ONNX in, Tenstorrent Forge Python module out, through MLIR.

The names below are loaded when they are first used: `import forge_mlir` and `forge_mlir.runtime` need no MLIR.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forge_mlir.artifact import Artifact as Artifact
    from forge_mlir.compiler import compile as compile
    from forge_mlir.dialects.forge import register as register
    from forge_mlir.errors import Diagnostic as Diagnostic
    from forge_mlir.errors import ForgeError as ForgeError
    from forge_mlir.importer import import_onnx as import_onnx
    from forge_mlir.pipeline import EmittedModule as EmittedModule
    from forge_mlir.pipeline import emit_python as emit_python
    from forge_mlir.pipeline import run_pipeline as run_pipeline
    from forge_mlir.pipeline import verify_module as verify_module
    from forge_mlir.runner import run as run

_HOME = {
    "Artifact": "artifact",
    "Diagnostic": "errors",
    "EmittedModule": "pipeline",
    "ForgeError": "errors",
    "compile": "compiler",
    "emit_python": "pipeline",
    "import_onnx": "importer",
    "register": "dialects.forge",
    "run_pipeline": "pipeline",
    "run": "runner",
    "verify_module": "pipeline",
}

__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
