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
    """Writes no bytecode: the folder is the user's."""

    def set_data(self, path: str, data: ReadableBuffer, *, _mode: int = 0o666) -> None:
        """Python keeps bytecode by this."""


def load_plugin(file: str | os.PathLike[str]) -> list[Lowering]:
    """The lowerings that a Python file defines, in its order. Runs the file. Raises ForgeError for one that cannot be
    run, or defines none."""
    path = Path(file).absolute()
    shown = shortened(os.fspath(file))
    if not path.is_file():
        raise ForgeError(Code.PluginUnreadable, f"{shown}: is no file")
    import hashlib

    # A name of its own: two plugins may have one file name.
    name = f"forge_mlir_plugin_{hashlib.sha256(os.fsencode(path)).hexdigest()[:16]}"
    if path.suffix != ".py":
        raise ForgeError(Code.PluginUnreadable, f"{shown}: expected a file that ends in .py")
    loader = _Loader(name, str(path))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # Some of the standard library looks for the module of a class there.
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:  # A user's file raises what it likes.
        raise ForgeError(
            Code.PluginUnreadable, f"{_place(error, path, shown)}: {type(error).__name__}: {error}"
        ) from error
    finally:
        del sys.modules[name]
    found = [each for each in vars(module).values() if isinstance(each, Lowering) and _is_of(each, name)]
    if not found:
        raise ForgeError(Code.PluginUnreadable, f"{shown}: defines no lowering; decorate one with forge_mlir.lowering")
    return found


def _is_of(lowering: Lowering, module: str) -> bool:
    return getattr(lowering.function, "__module__", module) == module


def _place(error: BaseException, path: Path, shown: str) -> str:
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"{shown}:{error.lineno}"
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f"{shown}:{own[-1].lineno}" if own else shown
