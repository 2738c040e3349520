"""The base of every error that Forge-MLIR raises on purpose: a message for people, never a traceback to decode."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False)
class ForgeError(Exception):
    """`message` is one line for the user; `diagnostics` are further lines, in the order in which to show them."""

    message: str
    diagnostics: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join((self.message, *self.diagnostics))
