"""Recognises files of other formats, so that the error message can name the format."""

from __future__ import annotations

from forge_mlir.codes import Code
from forge_mlir.onnx_model.errors import import_error

_MAGIC = (
    (b"version https://git-lfs", "a Git LFS pointer, not the model itself", "fetch it with `git lfs pull`"),
    (b"PK\x03\x04", "a zip archive (a PyTorch checkpoint is one too)", "unpack it, or export the model to ONNX"),
    (b"\x1f\x8b", "a gzip file", "unpack it first"),
    (b"\x89HDF", "an HDF5 file", "export the model to ONNX"),
    (b"GGUF", "a GGUF file", "export the model to ONNX"),
    (b"\x80\x02", "a Python pickle", "export the model to ONNX"),
)


def refuse_other_formats(head: bytes) -> None:
    """Raises OnnxImportError if `head`, the first bytes of a file, identifies another format."""
    for magic, what, hint in _MAGIC:
        if head.startswith(magic):
            raise import_error(Code.OtherFormat, f"is {what}", hint=hint)
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if text.startswith((b"<!doctype", b"<html", b"<?xml")):
        raise import_error(
            Code.OtherFormat, "is a web page, not a model", hint="the download went to an error or login page"
        )
    if len(text) > 3 and all(byte in b"\t\r\n" or 32 <= byte < 127 for byte in text):
        hint = (
            "convert a text-format model to binary with onnx.save" if b"ir_version" in text else "no ONNX model is text"
        )
        raise import_error(Code.OtherFormat, "is a text file, not a binary ONNX model", hint=hint)
