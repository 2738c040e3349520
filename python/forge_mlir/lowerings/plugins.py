"""Plugins: Python files with lowerings."""

from __future__ import annotations

import importlib.util
import os
import sys
import traceback
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, shortened
from forge_mlir.lowerings.lowering import Lowering

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class _Loader(SourceFileLoader):
    """Does not write bytecode into the user's folder."""

    def set_data(self, path: str, data: ReadableBuffer, *, _mode: int = 0o666) -> None:
        """Called by Python to write bytecode."""


def load_plugin(file: str | os.PathLike[str]) -> list[Lowering]:
    """Executes a Python file and returns the lowerings that it defines, in order. Raises ForgeError if it cannot be
    executed or defines none."""
    path = Path(file).absolute()
    shown = shortened(os.fspath(file))
    if not path.is_file():
        raise ForgeError(Code.PluginUnreadable, f"{shown}: is no file")
    import hashlib

    # A unique name, because two plugins may have the same file name.
    name = f"forge_mlir_plugin_{hashlib.sha256(os.fsencode(path)).hexdigest()[:16]}"
    if path.suffix != ".py":
        raise ForgeError(Code.PluginUnreadable, f"{shown}: expected a file that ends in .py")
    loader = _Loader(name, str(path))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # parts of the standard library look up the module of a class there
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:  # a user's file may raise anything
        if isinstance(error, SystemExit) and isinstance(error.code, int) and error.code > 128:
            raise  # A signal ends the command (`forge_mlir.cli.main`).
        raise ForgeError(
            Code.PluginUnreadable, f"{_location(error, path, shown)}: {type(error).__name__}: {error}"
        ) from error
    finally:
        del sys.modules[name]
    found = [each for each in vars(module).values() if isinstance(each, Lowering) and _is_of(each, name)]
    if not found:
        raise ForgeError(Code.PluginUnreadable, f"{shown}: defines no lowering; decorate one with forge_mlir.lowering")
    return found


def _is_of(lowering: Lowering, module: str) -> bool:
    return getattr(lowering.function, "__module__", module) == module


def _location(error: BaseException, path: Path, shown: str) -> str:
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"{shown}:{error.lineno}"
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f"{shown}:{own[-1].lineno}" if own else shown
