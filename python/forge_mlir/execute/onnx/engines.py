"""The engines for ONNX graphs on the CPU: onnxruntime, and onnx.reference if onnxruntime cannot or should not be
used."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

import ml_dtypes
import numpy as np

from forge_mlir.errors import escaped
from forge_mlir.execute.onnx.corrected_ops import corrected_ops
from forge_mlir.execute.onnx.kept_sessions import kept_session
from forge_mlir.support.known_deviations import deviations_of
from forge_mlir.support.opsets import declared_opsets, default_opset

if TYPE_CHECKING:
    from onnx import FunctionProto, GraphProto, ModelProto, NodeProto

Engine = Literal["onnxruntime", "onnx.reference"]

ENGINE_KEY, EXACT_KEY = "forge_mlir.engine", "forge_mlir.exact"
"""Metadata in graphs that compilations write: the engine that opened the graph, and whether onnxruntime must not
optimise it ("true", "false")."""

Runner = Callable[[dict[str, Any]], list[Any]]
"""Outputs in order, for inputs by name. Raises the exceptions of the engine."""

# Types that onnxruntime returns as their bits.
_BITS = {"tensor(float8e4m3fn)": ml_dtypes.float8_e4m3fn}
# Other types for which it has no type of numpy.
_NOT_OF_NUMPY = re.compile(r"bfloat16|float[48]e|int[24]\b")

# The packages that onnx.reference imports for a node.
_PACKAGE_OF = {"ImageDecoder": "PIL"}


class OnnxRuntime:
    """A session of onnxruntime as a `Runner`. It optimises unless `exact`. `folder` contains the external data of a
    model that is given as bytes. Raises RuntimeError for inputs and outputs that it does not convert from and to
    numpy, besides the exceptions of onnxruntime."""

    def __init__(self, source: str | bytes, exact: bool, threads: int, folder: str = "") -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        if exact:
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.log_severity_level = 4
        options.intra_op_num_threads = threads
        # A MatMul with dequantised weights of 4 bits multiplies floats; by default, its other operand is rounded to 8
        # bits.
        options.add_session_config_entry("session.qdq_matmulnbits_accuracy_level", "1")
        if folder:
            options.add_session_config_entry("session.model_external_initializers_file_folder_path", folder)

        def opened() -> Any:
            return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])

        self.session = opened() if folder else kept_session(source, (exact, threads), opened)
        taken = [value.type for value in self.session.get_inputs()]
        given = [value.type for value in self.session.get_outputs()]
        if any(map(_NOT_OF_NUMPY.search, [*taken, *(kind for kind in given if kind not in _BITS)])):
            raise RuntimeError("it does not exchange values of this type with numpy")
        self._kinds = [_BITS.get(kind) for kind in given]

    def __call__(self, feeds: dict[str, Any]) -> list[Any]:
        feeds = {name: _in_native_order(value) for name, value in feeds.items()}
        found = list(zip(self.session.run(None, feeds), self._kinds, strict=True))
        if any(type(value).__name__ == "SparseTensor" for value, _ in found):
            raise TypeError("an output is a sparse tensor")
        return [value.view(kind) if kind and isinstance(value, np.ndarray) else value for value, kind in found]


def _in_native_order(value: Any) -> Any:
    """`value` with the bytes of each array in the order of the machine: onnxruntime reads them so, whatever the dtype
    says."""
    if isinstance(value, list):
        return [_in_native_order(part) for part in value]
    return value.astype(value.dtype.newbyteorder("="), copy=False) if isinstance(value, np.ndarray) else value


def _open_reference(source: str | bytes, _exact: bool, _threads: int) -> Runner:
    import onnx
    from onnx.reference import ReferenceEvaluator

    model = onnx.ModelProto.FromString(source) if isinstance(source, bytes) else onnx.load(source)
    for node in _nodes(model.graph):
        package = None if node.domain else _PACKAGE_OF.get(node.op_type)
        if package is not None and find_spec(package) is None:
            raise RuntimeError(f"{node.op_type} needs the package {package}, which is not installed")
    evaluator = ReferenceEvaluator(model, new_ops=corrected_ops())
    are_float32 = [output.type.tensor_type.elem_type == onnx.TensorProto.FLOAT for output in model.graph.output]

    def run(feeds: dict[str, Any]) -> list[Any]:
        # Infinities and NaN are results as others are, about which numpy would warn the user.
        with np.errstate(all="ignore"):
            results = evaluator.run(None, feeds)
        # Some of its ops (Adam) return float64 instead of float32.
        return [
            value.astype(np.float32) if is_float32 and getattr(value, "dtype", None) == np.float64 else value
            for value, is_float32 in zip(results, are_float32, strict=True)
        ]

    return run


OPENERS: dict[Engine, Callable[[str | bytes, bool, int], Runner]] = {
    "onnxruntime": OnnxRuntime,
    "onnx.reference": _open_reference,
}


def engine_of(model: ModelProto) -> Engine:
    """The engine for `model`: onnxruntime, unless it is known to deviate from ONNX for one of the nodes, also of
    functions of the model, and onnx.reference is not."""
    bodies: list[tuple[GraphProto | FunctionProto, ModelProto | FunctionProto]] = [(model.graph, model)]
    bodies += [(function, function) for function in model.functions]
    nodes = [
        (node, opsets.get(node.domain, 0))
        for body, owner in bodies
        for opsets in [{**declared_opsets(owner), "": default_opset(owner)}]
        for node in _nodes(body)
    ]

    def deviates(engine: Engine) -> bool:
        return any(deviations_of(engine, node, opset) for node, opset in nodes)

    return "onnx.reference" if deviates("onnxruntime") and not deviates("onnx.reference") else "onnxruntime"


def engines_for(first: Engine) -> list[Engine]:
    """Both engines, starting with `first`."""
    return sorted(OPENERS, key=lambda engine: engine != first)


@dataclass(frozen=True)
class Proof:
    """The engine that can open a model, or None, and whether onnxruntime must not optimise it; `reasons` are those of
    the engines that cannot open it."""

    engine: Engine | None
    exact: bool
    reasons: Mapping[Engine, str]

    def explain(self) -> str:
        """The reasons in one line of ASCII."""
        return escaped("; ".join(f"{engine}: {reason}" for engine, reason in self.reasons.items()))


def prove(model: bytes, exact: bool) -> Proof:
    """Opens a serialised model with one engine after another, as a run does. onnxruntime infers shapes again while it
    optimises, and refuses some models only then, such as with an If whose other branch does not fit the shapes of the
    inputs: unless it must be `exact` anyway, such a model is opened without optimisations. Engines are native code and
    get the model unmodified: call it in a sandbox."""
    import onnx

    reasons: dict[Engine, str] = {}
    for engine in engines_for(engine_of(onnx.ModelProto.FromString(model))):
        for exactly in (False, True) if engine == "onnxruntime" and not exact else (exact,):
            try:
                OPENERS[engine](model, exactly, 1)
            except Exception as error:  # engines raise many exception types
                reasons[engine] = reason_of(error)
            else:
                return Proof(engine, exactly, reasons)
    return Proof(None, exact, reasons)


def reason_of(error: Exception) -> str:
    """The message of an engine, in one line."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if type(error).__module__.startswith("onnxruntime") else f"{type(error).__name__}: {text}"


def _nodes(body: GraphProto | FunctionProto) -> Sequence[NodeProto]:
    """The nodes of `body` and of its subgraphs."""
    found: list[NodeProto] = []
    for node in body.node:
        found.append(node)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                found += _nodes(attribute.g)
    return found
