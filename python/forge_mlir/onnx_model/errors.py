"""Errors of the importer."""

from __future__ import annotations

from dataclasses import dataclass, replace

from forge_mlir.codes import Code
from forge_mlir.errors import Diagnostic, ForgeError
from forge_mlir.errors import quote as quote


@dataclass(eq=False)
class OnnxImportError(ForgeError):
    """A model cannot be imported.

    `reason` is the error, `where` names the node or tensor (quoted), `hint` is advice, `model` is the file. `message`
    combines them.
    """

    model: str = ""
    where: str = ""
    reason: str = ""
    hint: str = ""
    unsupported: bool = False
    """Whether the model is valid but the IR cannot represent something in it."""

    def in_model(self, model: str) -> OnnxImportError:
        """The same error, prefixed by the model's name."""
        if self.model or not model:
            return self
        return replace(self, model=model, message=f"{model}: {self.message}")


def import_error(
    code: Code,
    reason: str,
    *,
    where: str = "",
    hint: str = "",
    diagnostics: tuple[Diagnostic, ...] = (),
    unsupported: bool = False,
) -> OnnxImportError:
    """Creates an error; a caller that knows the file adds its name (`OnnxImportError.in_model`)."""
    message = f"{where}: {reason}" if where else reason
    if hint:
        message = f"{message}; {hint}"
    return OnnxImportError(code, message, diagnostics, where=where, reason=reason, hint=hint, unsupported=unsupported)


def tensor_label(name: str) -> str:
    return f"tensor {quote(name)}"
