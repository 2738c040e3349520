"""Which ONNX ops have converters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import onnx.defs

from forge_mlir import _native
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError


@dataclass(frozen=True)
class OpSupport:
    """An op at one opset: `since` is its version there. "body" means that it is replaced by the function body that ONNX
    defines for it."""

    domain: str
    op: str
    since: int
    device: Literal["yes", "body", "no"]

    @property
    def full_name(self) -> str:
        return f"{self.domain}.{self.op}" if self.domain else self.op


def supported_ops(opset: int | None = None) -> list[OpSupport]:
    """All ops of ONNX at `opset` of the default domain (default: the newest), and ops of other domains, by name. A
    converter may still refuse some uses of an op. Raises ForgeError for an opset that onnx does not know."""
    newest = onnx.defs.onnx_opset_version()
    if opset is not None and opset > newest:
        raise ForgeError(Code.PassOption, f"expected an opset up to {newest}, but got {opset}")
    converters: dict[tuple[str, str], int] = {}
    for domain, op, since in _native.registered_ops():
        converters[domain, op] = min(since, converters.get((domain, op), since))
    found = {(row.domain, row.op): row for row in _of_onnx(opset or newest, converters)}
    for (domain, op), since in converters.items():
        if domain and (domain, op) not in found:
            found[domain, op] = OpSupport(domain, op, since, "yes")
    return sorted(found.values(), key=lambda row: (row.domain, row.op))


def _of_onnx(opset: int, converters: dict[tuple[str, str], int]) -> Iterator[OpSupport]:
    for schema in onnx.defs.get_all_schemas():
        if schema.domain in ("", "ai.onnx.ml"):
            version = opset if not schema.domain else schema.since_version
            if not onnx.defs.has(schema.name, version, schema.domain):
                continue
            at = onnx.defs.get_schema(schema.name, version, schema.domain)
            if at.deprecated:
                continue
            known = converters.get((schema.domain, schema.name), version + 1) <= version
            body = at.has_function or at.has_context_dependent_function
            yield OpSupport(schema.domain, schema.name, at.since_version, "yes" if known else "body" if body else "no")
