"""The IR after each pass, by the ONNX node that each line came from."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import lru_cache

from onnx import ModelProto
from torch_mlir import ir

from forge_mlir import _native
from forge_mlir.codes import Code
from forge_mlir.compiler.lower import import_model
from forge_mlir.compiler.open_dims import open_dims_diagnostics, open_inputs
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pass_pipeline import run_pipeline, single_passes
from forge_mlir.compiler.pipeline_text import pipeline
from forge_mlir.errors import ForgeError, escaped, naming

_ALIAS = re.compile(r"^(#loc\d*) = (loc\(.*\))$", re.MULTILINE)
_TEXT = r"[^\"\\]*+(?:\\.[^\"\\]*+)*+"
_LINE_LOCATION = re.compile(rf" loc\((#loc\d*|\"{_TEXT}\".*|fused.*)\)$")
_NAME = re.compile(rf"\"({_TEXT})\"")
_REFERENCE = re.compile(r"#loc\d*")
_ESCAPE = re.compile(r"\\(?:([0-9A-Fa-f]{2})|(.))")
_LONGEST_LINE = 600
_ELIDED = 8


@dataclass
class Stages:
    """Stores only changes: for each node the lines of a stage that differ from those of the previous one."""

    _found: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    _last: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, module: ir.Module) -> None:
        """Adds the IR after the pass `name`."""
        now: dict[str, list[str]] = {}
        for names, line in located_lines(
            module.operation.get_asm(enable_debug_info=True, large_elements_limit=_ELIDED)
        ):
            for node in names:
                now.setdefault(node, []).append(line)
        for node in {*now, *self._last}:
            lines = now.get(node, [])
            if lines != self._last.get(node, []):
                self._found.setdefault(node, {})[name] = lines
        self._last = now

    def of(self, node: str) -> dict[str, list[str]]:
        """The lines of a node after each pass that changed them."""
        return self._found.get(node, {})


def stages_of(
    source: str | os.PathLike[str] | ModelProto, options: Options, notes: list[str], strict: bool = False
) -> Iterator[tuple[str, ir.Module]]:
    """The module after the import and after each pass; it is modified in place. If a pass fails, `notes` gets the
    reason, or with `strict` ForgeError is raised."""
    imported = import_model(source, **options)
    yield "import", imported.module
    label = escaped(imported.path) if imported.path else "model"
    if opened := open_inputs(imported):
        if strict:
            found = tuple(open_dims_diagnostics(opened, label))
            raise ForgeError(Code.ModelRefused, f"{label}: cannot be compiled, inputs are open", found)
        notes.append("the stages end with the import, because inputs are open")
        return
    text, _ = _native.expand_pipeline(pipeline(options))
    for name, single in single_passes(text or ""):
        try:
            with naming(label) if strict else nullcontext():
                run_pipeline(imported.module, single, lowerings=options.get("lowerings", ()))
        except ForgeError as error:
            if strict:
                raise
            notes.append(f"the stages end before {name}: {error.message}")
            return
        yield name, imported.module


def named_in(location: str) -> tuple[str, ...]:
    """The names in a location."""
    return tuple(dict.fromkeys(_unescaped(name) for name in _NAME.findall(location)))


def located_lines(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """The lines of a module's text, each with the names in its location. Value numbers are removed, because they depend
    on preceding lines."""
    aliases = dict(_ALIAS.findall(text))
    known: dict[str, tuple[str, ...]] = {}

    def names(location: str, depth: int = 0) -> tuple[str, ...]:
        if location.startswith("#"):
            if location not in known:
                known[location] = names(aliases.get(location, ""), depth + 1) if depth < 20 else ()
            return known[location]
        found = [_unescaped(name) for name in _NAME.findall(location)]
        for reference in _REFERENCE.findall(_NAME.sub("", location)):
            found += names(reference, depth + 1)
        return tuple(dict.fromkeys(found))

    for line in text.splitlines():
        found = _LINE_LOCATION.search(line)
        if found is None or line.startswith("#"):
            continue
        shown = line[: found.start()].strip()
        shown = shown if len(shown) <= _LONGEST_LINE else f"{shown[:_LONGEST_LINE]} ..."
        yield names(found[1]), re.sub(r"%\d+", "%", shown)


@lru_cache(maxsize=1 << 16)  # A name occurs in the IR after each pass.
def _unescaped(text: str) -> str:
    """Decodes an MLIR string: `\\22` is a UTF-8 byte in hexadecimal."""
    if "\\" not in text:
        return text
    parts = _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else m[2], text)
    return parts.encode("latin-1", "replace").decode("utf-8", "replace") if parts.isascii() is False else parts
