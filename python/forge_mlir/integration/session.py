"""`InferenceSession`, for code that uses onnxruntime's interface."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, quote
from forge_mlir.execute.device_module import Arrays
from forge_mlir.execute.loaded_model import LoadedModel
from forge_mlir.execute.values.structured_values import as_declared

if TYPE_CHECKING:
    from onnx import ModelProto

    from forge_mlir.compiler.options import Options

_ROLES = ("inputs", "outputs")
_ARRAYS = "call run, which takes and returns arrays of numpy"
_RUNTIME = "it has no counterpart here, where the module runs on the device or on the CPU reference"
_INSTEAD = {
    **dict.fromkeys(("io_binding", "run_with_iobinding", "run_with_ort_values", "run_with_ortvaluevector"), _ARRAYS),
    "create_ortvalue_from_shape_and_type": _ARRAYS,
    "run_async": "call run in a thread",
    **dict.fromkeys(("end_profiling", "get_profiling_start_time_ns"), "measure with forge-mlir run --benchmark"),
    **dict.fromkeys(("get_tuning_results", "set_tuning_results", "set_providers", "set_ep_dynamic_options"), _RUNTIME),
    **dict.fromkeys(("get_input_epdevices", "get_input_memory_infos", "get_output_memory_infos"), _RUNTIME),
    **dict.fromkeys(("get_provider_graph_assignment_info", "release_captured_graph"), _RUNTIME),
}
"""The methods of onnxruntime's class that are not here, and what to do instead."""
# Element types whose ONNX names differ from those of numpy.
_SPELT = {"float32": "float", "float64": "double"}


@dataclass(frozen=True)
class NodeArg:
    """An input or output as in onnxruntime: `type` is a text such as "tensor(float)"; an open dim is its name or
    None."""

    name: str
    type: str
    shape: list[int | str | None]


@dataclass(frozen=True)
class ModelMetadata:
    """What the file of a model says about it, as in onnxruntime."""

    producer_name: str
    graph_name: str
    domain: str
    description: str
    graph_description: str
    version: int
    custom_metadata_map: dict[str, str]


class InferenceSession:
    """A model that is compiled, or was before, and runs on the CPU reference (or on the device if Tenstorrent's package
    is installed).

    `source` is an ONNX file, a serialised model, a ModelProto, or an artifact (directory or .py). A model with open
    dims is compiled for each set of input shapes on first use; nodes that the device cannot run are assigned to the CPU
    unless `fallback="error"`. Other keyword arguments are those of `forge_mlir.compile`; onnxruntime's arguments about
    execution (`sess_options`, `providers`, `provider_options`) are accepted and ignored. Methods of onnxruntime's class
    that are not here raise AttributeError, which says what to do instead.
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | bytes | ModelProto | Artifact,
        sess_options: object = None,
        providers: object = None,  # noqa: ARG002 (onnxruntime's)
        provider_options: object = None,  # noqa: ARG002
        **options: Unpack[Options],
    ) -> None:
        self._options: Options = {"fallback": "cpu", **options}
        self._session_options = sess_options
        self._models: dict[object, LoadedModel] = {}
        self._artifact: Artifact | None = None
        self._source: str | ModelProto = ""
        # CPU partitions read their graphs from here as long as the session exists.
        self._scratch = tempfile.TemporaryDirectory()
        if isinstance(source, Artifact):
            self._artifact = source
        elif isinstance(source, (str, os.PathLike)) and (os.path.isdir(source) or Path(source).suffix == ".py"):
            self._artifact = Artifact.open(source)
        if self._artifact is not None and options:
            raise ValueError(f"options are for models that are compiled: {', '.join(options)}")
        if self._artifact is None:
            from onnx import ModelProto

            if isinstance(source, bytes):
                try:
                    self._source = ModelProto.FromString(source)
                except Exception as error:  # protobuf raises many exception types
                    raise ForgeError(Code.FileDamaged, "the bytes are not a readable ONNX model") from error
            else:
                assert not isinstance(source, Artifact)
                self._source = source if isinstance(source, ModelProto) else os.fspath(source)
        self._declared, outputs = self._facts()
        self._inputs = [_of_manifest(info) for info in self._declared if "default" not in info]
        self._overridable = [_of_manifest(info) for info in self._declared if "default" in info]
        self._outputs = list(map(_of_manifest, outputs))
        if self._artifact is None and not self._is_open():
            self._model({})

    def _facts(self) -> tuple[list[Json], list[Json]]:
        """The facts about inputs and outputs, in the format of manifests."""
        if self._artifact is not None:
            manifest = self._artifact.manifest()
            sets = [self._artifact.shape_set(entry["name"]).manifest() for entry in manifest.get("shape_sets", ())]
            inputs, outputs = (_over_sets([each["onnx"][role] for each in sets or [manifest]]) for role in _ROLES)
            return inputs, outputs
        from forge_mlir.compiler.lower import import_model
        from forge_mlir.importer import OnnxImportError

        try:
            imported = import_model(self._source, **self._options)
        except OnnxImportError as error:
            if not error.unsupported or self._options.get("fallback") != "cpu":
                raise
            self._artifact = self._compiled({})  # the whole model runs on the CPU, for any sizes
            return self._facts()
        inputs, outputs = ([info._asdict() for info in infos] for infos in (imported.inputs, imported.outputs))
        for info in inputs:
            if info["name"] in imported.defaults:
                info["default"] = imported.defaults[info["name"]]
        return inputs, outputs

    def _is_open(self) -> bool:
        return any(not isinstance(size, int) for arg in (*self._inputs, *self._overridable) for size in arg.shape)

    def __getattr__(self, name: str) -> Any:
        """Called for names that are not here."""
        reason = f": {_INSTEAD[name]}" if name in _INSTEAD else ""
        raise AttributeError(f"forge_mlir.InferenceSession has no {name!r}{reason}", name=name, obj=self)

    def get_inputs(self) -> list[NodeArg]:
        """The inputs that a run requires, in the model's order. For an artifact with shape sets, dims that differ
        between sets are open; `get_shape_sets` has their sizes."""
        return list(self._inputs)

    def get_overridable_initializers(self) -> list[NodeArg]:
        """The inputs with default values, which a run may omit (option `overridable`)."""
        return list(self._overridable)

    def get_modelmeta(self) -> ModelMetadata:
        """The metadata in the file of the model. Raises ValueError for an artifact, which does not have them."""
        if not self._source:
            raise ValueError("an artifact does not have the metadata of its model; open the ONNX model")
        from forge_mlir.importer.onnx_import import scan_source

        model = scan_source(self._source)[0].parsed()
        return ModelMetadata(
            model.producer_name,
            model.graph.name,
            model.domain,
            model.doc_string,
            model.graph.doc_string,
            model.model_version,
            {entry.key: entry.value for entry in model.metadata_props},
        )

    def get_session_options(self) -> object:
        """The `sess_options` that were given, which have no effect."""
        return self._session_options

    def get_shape_sets(self) -> dict[str, dict[str, list[int]]]:
        """The input shapes of each shape set of an artifact; empty for a model without shape sets."""
        sets = self._artifact.manifest().get("shape_sets", ()) if self._artifact else ()
        return {entry["name"]: dict(entry["inputs"]) for entry in sets}

    def get_outputs(self) -> list[NodeArg]:
        """The outputs in the model's order."""
        return list(self._outputs)

    def get_providers(self) -> list[str]:
        """The names of what executes the model."""
        return ["ForgeMlirExecutionProvider"]

    def get_provider_options(self) -> dict[str, dict[str, str]]:
        """The options of each provider; there are none."""
        return {name: {} for name in self.get_providers()}

    def disable_fallback(self) -> None:
        """Has no effect: there is one provider."""

    enable_fallback = disable_fallback

    def run(
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, Any],
        run_options: object = None,  # noqa: ARG002 (onnxruntime's)
    ) -> list[Any]:
        """The outputs in the order of `output_names`, or all in the model's order if there are none. Raises ForgeError
        for inputs that do not fit, and for a refused model."""
        if isinstance(output_names, str):
            raise TypeError(f"expected a list of names of outputs, but got {output_names!a}")
        arrays: dict[str, Any] = {
            name: value if isinstance(value, (list, tuple, Mapping)) or value is None else np.asarray(value)
            for name, value in as_declared(input_feed, self._declared).items()
        }
        results: Arrays = self._model(arrays).run(arrays)
        known = [arg.name for arg in self._outputs]
        wanted = list(output_names or known)
        if unknown := [name for name in wanted if name not in results]:
            raise ForgeError(
                Code.InputUnknown, f"there is no output {quote(unknown[0])}; there are {', '.join(map(quote, known))}"
            )
        return [results[name] for name in wanted]

    def _model(self, arrays: Mapping[str, Any]) -> LoadedModel:
        """The model compiled for inputs of these shapes."""
        shapes = {name: value.shape for name, value in arrays.items() if isinstance(value, np.ndarray)}
        is_open = self._is_open()
        has_sets = self._artifact is not None and "shape_sets" in self._artifact.manifest()
        key = tuple(sorted(shapes.items())) if is_open or has_sets else None
        if key not in self._models:
            if self._artifact is not None:
                self._models[key] = LoadedModel.open(self._artifact.shape_set_for(shapes))
            else:
                self._models[key] = LoadedModel.open(self._compiled(shapes if is_open else {}))
        return self._models[key]

    def _compiled(self, shapes: Mapping[str, Sequence[int]]) -> Artifact:
        from forge_mlir.compiler.driver import compile, with_shapes

        directory = tempfile.mkdtemp(dir=self._scratch.name)  # Of its own: threads may compile at the same time.
        return compile(self._source, directory, name="model", **with_shapes(self._options, shapes))


def _over_sets(sets: Sequence[Sequence[Json]]) -> list[Json]:
    """The inputs or outputs of all shape sets, each once; dims that differ are open."""
    found: dict[str, Json] = {}
    for info in (info for infos in sets for info in infos):
        known = found.setdefault(info["name"], dict(info))
        ours, theirs = known["shape"], info["shape"]
        same_rank = ours is not None and theirs is not None and len(ours) == len(theirs)
        known["shape"] = [a if a == b else "" for a, b in zip(ours, theirs, strict=True)] if same_rank else None
    return list(found.values())


def _of_manifest(info: Mapping[str, Any]) -> NodeArg:
    shape = [size if size != "" else None for size in info["shape"] or ()]
    return NodeArg(info["name"], _spelt(info["dtype"] or "unknown"), shape)


def _spelt(dtype: str) -> str:
    """A type of a manifest in onnxruntime's spelling: "seq(map(int64,tensor(float)))"."""
    kind, _, inner = dtype.removesuffix(")").partition("(")
    if not inner:
        return f"tensor({_SPELT.get(dtype, dtype)})"
    if kind == "map":
        key, _, value = inner.partition(",")
        return f"map({_SPELT.get(key, key)},{_spelt(value)})"
    return f"{'seq' if kind == 'sequence' else kind}({_spelt(inner)})"
