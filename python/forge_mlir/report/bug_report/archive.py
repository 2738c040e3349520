"""Writes an archive with everything that is needed to reproduce a failure: `forge-mlir bug-report`."""

from __future__ import annotations

import io
import json
import os
import platform
import shlex
import tarfile
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Unpack

import onnx

from forge_mlir import _native
from forge_mlir.codes import Code
from forge_mlir.compiler.lower import import_model
from forge_mlir.compiler.option_types.values import command_line, limits_of, without
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pass_pipeline import run_pipeline, single_passes
from forge_mlir.compiler.pipeline_text import pipeline
from forge_mlir.errors import ForgeError, escaped, naming
from forge_mlir.importer.ir_files import is_ir, model_of_ir
from forge_mlir.importer.onnx_import import files_of, opened
from forge_mlir.onnx_model.errors import OnnxImportError
from forge_mlir.report.bug_report.names import anonymous as anonymised
from forge_mlir.report.bug_report.values import WEIGHTS, without_values
from forge_mlir.support.outputs import check_output, write_output
from forge_mlir.support.sandbox import isolated

_README = """\
What failed, from forge-mlir bug-report.

model.onnx    the model without the values of its tensors, but for integers that decide shapes{anonymous}
{ir}report.json   command line, versions, and what was said

The model says that its weights are in weights.bin. A file of zeros does:
    truncate -s {size} weights.bin
    {command}
"""


def bug_report(
    model: Path, archive: Path, *, anonymous: bool = False, force: bool = False, **options: Unpack[Options]
) -> list[str]:
    """Writes a .tar.gz with the weightless model, the IR before the failing pass (or after all passes), versions and
    the command line. Returns the names of the files in it.

    It contains no tensor values except integers that determine shapes. `anonymous` keeps only the parts of the model
    that are listed in `names`: structure, public ops, shapes, and attributes of public ops that are integers or ONNX
    keywords; all names are replaced. Options that contain names are then left out, as are lowerings and patterns.
    Raises ForgeError for a file that is not a model, and, unless `force` is given, for an existing archive of another
    origin.
    """
    read, limits = files_of(model), limits_of(options)
    check_output(archive, read, force)
    with naming(model):
        converted = model_of_ir(model, limits) if is_ir(model) else None
    proto, size = isolated("onnx", lambda: _stripped(model, converted, anonymous), limits, escaped(model))
    if anonymous:
        # These options contain names that are replaced.
        options = without(options, "inputs", "extraction", "fallback")
        options = {**options, "lowerings": (), "patterns": (), "keep_float32": ()}
        if options.get("float_format") == "mixed" and options.get("error_budget") is None:
            options["float_format"] = "bfloat16"  # The rest of it were the names.
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "model.onnx")
        file.write_bytes(proto)
        with Path(scratch, WEIGHTS).open("wb") as sparse:
            sparse.truncate(size)
        stage, ir_text, said = _tried(file, options)
    command = ["forge-mlir", "compile", "model.onnx", *command_line(options)]
    facts = {"command": command, "said": said, "stage": stage, "versions": _versions()}
    files = {"model.onnx": proto, "report.json": json.dumps(facts, indent=2).encode()}
    if ir_text:
        files["before.mlir"] = ir_text.encode("utf-8", "replace")
    files["README"] = _README.format(
        anonymous=", and without its names" if anonymous else "",
        ir=f"before.mlir   the IR: {stage}\n" if ir_text else "",
        size=size,
        command=shlex.join(command),
    ).encode()

    def pack(path: Path) -> None:
        with tarfile.open(path, "w:gz") as tar:
            for name, data in sorted(files.items()):
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                tar.addfile(entry, io.BytesIO(data))

    write_output(archive, pack, read, force)
    return sorted(files)


def _stripped(model: Path, converted: bytes | None, anonymous: bool) -> tuple[bytes, int]:
    """The model for the archive, and the size of its weights. `converted` is the model if the file is IR. Runs in a
    child process."""
    try:
        with opened(model):
            pass
        is_file = converted is None
        proto = onnx.load(model, load_external_data=False) if is_file else onnx.ModelProto.FromString(converted)
    except OnnxImportError as error:
        raise error.in_model(escaped(model)) from error
    except MemoryError:
        raise
    except Exception as error:  # onnx and protobuf raise many exception types
        raise ForgeError(Code.FileDamaged, f"{escaped(model)}: not a readable ONNX file") from error
    proto.DiscardUnknownFields()
    size = without_values(proto)
    return (anonymised(proto) if anonymous else proto).SerializeToString(), size


def _tried(file: Path, options: Options) -> tuple[str, str, list[str]]:
    """Compiles the model: the stage at which it ends, the IR there ("" before the import), and the messages."""
    try:
        module = import_model(file, **options).module
    except ForgeError as error:
        return "the import fails", "", [_here(str(error), file)]
    text, _ = _native.expand_pipeline(pipeline(options))
    for name, single in single_passes(text or ""):
        try:
            run_pipeline(module, single, lowerings=options.get("lowerings", ()))
        except ForgeError as error:
            return f"before {name}, which fails", module.operation.get_asm(enable_debug_info=True), [str(error)]
    return "after all passes", module.operation.get_asm(enable_debug_info=True), []


def _here(text: str, file: Path) -> str:
    return text.replace(f"{file.parent}{os.sep}", "")


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for package in ("forge-mlir", "onnx", "onnxruntime", "torch-mlir", "numpy", "protobuf"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found
