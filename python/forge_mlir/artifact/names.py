"""Names of emitted modules, and the check that a module binds all names that it reads: Python reports a missing one
only when the line runs."""

from __future__ import annotations

import builtins
import re
import symtable
import sys
from collections.abc import Iterator

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError

_OF_EVERY_MODULE = {*vars(builtins), "__file__", "__name__"}


def module_stem(name: str) -> str:
    """`name`, with `_model` after it if its module would replace one of Python's, such as `random`: a script in the
    folder of the module, or the module itself, could not import torch."""
    stem = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    return f"{name}_model" if stem in sys.stdlib_module_names else name


def unbound_names(source: str) -> list[str]:
    """The sorted names that the Python module `source` reads as globals and does not bind at its top level.

    Raises SyntaxError if the text is not Python.
    """
    module = symtable.symtable(source, "module.py", "exec")
    bound = {symbol.get_name() for symbol in module.get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    bound |= {child.get_name() for child in module.get_children()} | _OF_EVERY_MODULE
    return sorted({name for scope in _scopes(module) for name in _globals_of(scope)} - bound)


def check_names(name: str, source: str) -> str:
    """Returns `source`. Raises ForgeError, an internal error, if module `name` would raise a NameError."""
    if unbound := unbound_names(source):
        message = f"{name}.py reads names that nothing binds: {', '.join(unbound)}; --flat writes it without methods"
        raise ForgeError(Code.InternalError, message)
    return source


def _scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _scopes(child)


def _globals_of(scope: symtable.SymbolTable) -> Iterator[str]:
    for symbol in scope.get_symbols():
        if symbol.is_referenced() and (symbol.is_global() or scope.get_type() == "module"):
            yield symbol.get_name()


if __name__ == "__main__":
    check_names("standard input", sys.stdin.read())
