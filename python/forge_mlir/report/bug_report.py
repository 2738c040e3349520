"""What we need to see a failure again, in one archive: `forge-mlir bug-report`."""

from __future__ import annotations

import io
import json
import os
import platform
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, MutableSequence
from importlib import metadata
from pathlib import Path
from typing import Unpack

import onnx
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto

from forge_mlir import _native
from forge_mlir.codes import Code
from forge_mlir.compiler.lower import import_model
from forge_mlir.compiler.option_values import command_line, without
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pass_pipeline import run_pipeline, single_passes
from forge_mlir.compiler.pipeline_text import pipeline
from forge_mlir.errors import ForgeError
from forge_mlir.onnx_model.dtypes import element_type
from forge_mlir.onnx_model.graph import all_graphs
from forge_mlir.support.outputs import check_output, write_output

_SMALL = 1024
_WEIGHTS = "weights.bin"

_README = """\
What failed, from forge-mlir bug-report.

model.onnx    the model without the values of its weights{anonymous}
{ir}report.json   command line, versions, and what was said

The model says that its weights are in weights.bin. A file of zeros does:
    truncate -s {size} weights.bin
    {command}
"""


def bug_report(
    model: Path, archive: Path, *, anonymous: bool = False, force: bool = False, **options: Unpack[Options]
) -> list[str]:
    """Writes a .tar.gz with the weightless model, the IR before the pass that fails (or after all of them), versions
    and the command line; gives the names in it.

    `anonymous` renames values, nodes, graphs, dims and the ops of domains that are not public, and leaves out
    documentation and metadata: no name of the model is in the archive. Raises ForgeError for a file that is no model,
    and, unless `force` is given, for an archive that something else wrote.
    """
    check_output(archive, [model], force)
    try:
        proto = onnx.load(model, load_external_data=False)
    except Exception as error:  # onnx and protobuf raise what they like
        raise ForgeError(Code.FileDamaged, f"{ascii(str(model))[1:-1]}: not a readable ONNX file") from error
    size = _without_weights(proto)
    if anonymous:
        _anonymise(proto)
        # They speak of names that are gone.
        options = without(options, "inputs", "extraction", "fallback")
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "model.onnx")
        file.write_bytes(proto.SerializeToString())
        with Path(scratch, _WEIGHTS).open("wb") as sparse:
            sparse.truncate(size)
        stage, ir_text, said = _tried(file, options)
    command = ["forge-mlir", "compile", "model.onnx", *command_line(options)]
    facts = {"command": command, "said": said, "stage": stage, "versions": _versions()}
    files = {"model.onnx": proto.SerializeToString(), "report.json": json.dumps(facts, indent=2).encode()}
    if ir_text:
        files["before.mlir"] = ir_text.encode("utf-8", "replace")
    files["README"] = _README.format(
        anonymous=", and without its names" if anonymous else "",
        ir=f"before.mlir   the IR: {stage}\n" if ir_text else "",
        size=size,
        command=" ".join(command),
    ).encode()

    def pack(path: Path) -> None:
        with tarfile.open(path, "w:gz") as tar:
            for name, data in sorted(files.items()):
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                tar.addfile(entry, io.BytesIO(data))

    write_output(archive, pack, [model], force)
    return sorted(files)


def _tried(file: Path, options: Options) -> tuple[str, str, list[str]]:
    """How far the model comes: a stage, the IR there ("" before the import), and what was said."""
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


def _without_weights(model: ModelProto) -> int:
    """Says of all big tensors that they are in a file of zeros; gives the size of that file."""
    size = 0
    for tensor in _tensors(model):
        count = 1
        for dim in tensor.dims:
            count *= dim
        if tensor.data_type == TensorProto.STRING or tensor.data_type == TensorProto.UNDEFINED:
            continue
        nbytes = element_type(tensor.data_type, "a tensor").nbytes(count)
        if nbytes <= _SMALL and tensor.data_location != TensorProto.EXTERNAL:
            continue
        kept = TensorProto(name=tensor.name, data_type=tensor.data_type, dims=tensor.dims)
        kept.data_location = TensorProto.EXTERNAL
        for key, value in (("location", _WEIGHTS), ("offset", str(size)), ("length", str(nbytes))):
            kept.external_data.add(key=key, value=value)
        tensor.CopyFrom(kept)
        size += -(-nbytes // 64) * 64
    return size


def _tensors(model: ModelProto) -> Iterator[TensorProto]:
    for graph in all_graphs(model.graph):
        yield from graph.initializer
    for attribute in _attributes(model):
        if attribute.type == AttributeProto.TENSOR:
            yield attribute.t
        yield from attribute.tensors


def _attributes(model: ModelProto) -> Iterator[AttributeProto]:
    for graph in all_graphs(model.graph):
        for node in graph.node:
            yield from node.attribute
    for function in model.functions:
        for node in function.node:
            yield from node.attribute


def _anonymise(model: ModelProto) -> None:
    """Gives everything that has a name another one."""
    rename, ops = _Names("v"), _Ops()
    model.ClearField("doc_string")
    model.ClearField("metadata_props")
    model.producer_name = model.producer_version = model.domain = ""
    for entry in model.opset_import:
        entry.domain = ops.domain(entry.domain)
    for function in model.functions:
        function.domain, function.name = ops.of(function.domain, function.name)
        function.ClearField("doc_string")
        function.ClearField("metadata_props")
        for entry in function.opset_import:
            entry.domain = ops.domain(entry.domain)
        _rename(function.input, rename)
        _rename(function.output, rename)
        _anonymise_nodes(function.node, ops, rename)
    for graph in all_graphs(model.graph):
        _anonymise_graph(graph, ops, rename)


class _Names:
    """New names, the same for the same old one."""

    def __init__(self, stem: str) -> None:
        self._stem = stem
        self._known: dict[str, str] = {"": ""}

    def __call__(self, name: str) -> str:
        return self._known.setdefault(name, f"{self._stem}{len(self._known)}")


class _Ops:
    """Names of ops and domains; public ones stay."""

    def __init__(self) -> None:
        self._domains, self._ops = _Names("domain"), _Names("Op")

    def domain(self, domain: str) -> str:
        return domain if domain.startswith("ai.onnx") or domain == "com.microsoft" else self._domains(domain)

    def of(self, domain: str, op: str) -> tuple[str, str]:
        renamed = self.domain(domain)
        return renamed, op if renamed == domain else self._ops(op)


def _rename(names: MutableSequence[str], rename: _Names) -> None:
    names[:] = [rename(name) for name in names]


def _anonymise_graph(graph: GraphProto, ops: _Ops, rename: _Names) -> None:
    graph.name = "graph"
    graph.ClearField("doc_string")
    graph.ClearField("metadata_props")
    graph.ClearField("quantization_annotation")
    for value in (*graph.input, *graph.output, *graph.value_info):
        value.name = rename(value.name)
        value.ClearField("doc_string")
        value.ClearField("metadata_props")
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_param:
                dim.dim_param = rename(dim.dim_param)
    for tensor in (*graph.initializer, *(sparse.values for sparse in graph.sparse_initializer)):
        tensor.name = rename(tensor.name)
        tensor.ClearField("doc_string")
        tensor.ClearField("metadata_props")
    _anonymise_nodes(graph.node, ops, rename)


def _anonymise_nodes(nodes: Iterable[NodeProto], ops: _Ops, rename: _Names) -> None:
    for at, node in enumerate(nodes):
        node.name = f"node_{at}"
        node.domain, node.op_type = ops.of(node.domain, node.op_type)
        node.ClearField("doc_string")
        node.ClearField("metadata_props")
        _rename(node.input, rename)
        _rename(node.output, rename)
        for attribute in node.attribute:
            attribute.ClearField("doc_string")
            for tensor in (*([attribute.t] if attribute.HasField("t") else []), *attribute.tensors):
                tensor.name = rename(tensor.name)
                tensor.ClearField("doc_string")
