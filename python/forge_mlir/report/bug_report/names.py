"""Anonymises a model: keeps only listed fields of each ONNX protobuf message.

Numbers of types, shapes and attributes are unchanged; equal names are replaced by equal new names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import onnx.defs
from onnx import AttributeProto, ModelProto, NodeProto

from forge_mlir import _native

Rename = Callable[[str], str]

_PUBLIC = ("", "ai.onnx", "ai.onnx.ml", "ai.onnx.training", "ai.onnx.preview.training", "com.microsoft")
_STRUCTURE = ("", "ai.onnx", "com.microsoft")
"""Domains in which integer attributes define the computation and are not learnt parameters."""
_MOST_INTEGERS = 64
_SCALES = (("Upsample", "scales"), ("Constant", "value_floats"))
"""Lists of floats that may determine shapes; `without_values` has replaced those that do not."""

_WORDS = """
NOTSET SAME_UPPER SAME_LOWER VALID constant reflect edge wrap nearest linear cubic bilinear bicubic zeros border
reflection forward reverse bidirectional none add mul min max sum mean tanh half_pixel half_pixel_symmetric
pytorch_half_pixel align_corners asymmetric tf_crop_and_resize tf_half_pixel_for_nn round_prefer_floor
round_prefer_ceil floor ceil stretch not_larger not_smaller avg DCR CRD RIGHT LEFT NONE SOFTMAX LOGISTIC
SOFTMAX_ZERO PROBIT SUM AVERAGE MIN MAX BRANCH_LEQ BRANCH_LT BRANCH_GTE BRANCH_GT BRANCH_EQ BRANCH_NEQ LEAF L1 L2
Relu Tanh Sigmoid Affine LeakyRelu ThresholdedRelu ScaledTanh HardSigmoid Elu Softsign Softplus output_half_pixel
gelu relu silu swiglu identity per_tensor per_channel
"""
"""Keywords of ONNX and onnxruntime in attributes; any other text belongs to the model."""


class Renamed:
    """New names by old name; "" is kept."""

    def __init__(self, stem: str) -> None:
        self._stem = stem
        self._known: dict[str, str] = {"": ""}

    def __call__(self, name: str) -> str:
        return self._known.setdefault(name, f"{self._stem}{len(self._known)}")


class _Anonymiser:
    """Copies the listed fields of messages. Fields with a function are texts that the function renames."""

    def __init__(self) -> None:
        value, dim, attribute = Renamed("v"), Renamed("d"), Renamed("attribute")
        self._domain, self._op, self._node, self._attribute_name = Renamed("domain"), Renamed("Op"), 0, attribute
        everything = None
        typed = dict.fromkeys(("elem_type", "shape"), everything)
        self._kept: Mapping[str, Mapping[str, Rename | None]] = {
            "ModelProto": dict.fromkeys(("ir_version", "opset_import", "graph", "functions"), everything),
            "OperatorSetIdProto": {"domain": self._of_domain, "version": everything},
            "GraphProto": {
                "name": lambda _: "graph",
                **dict.fromkeys(("node", "initializer", "sparse_initializer"), everything),
                **dict.fromkeys(("input", "output", "value_info"), everything),
            },
            "NodeProto": {"input": value, "output": value, "attribute": everything},
            "FunctionProto": {
                "input": value,
                "output": value,
                "attribute": attribute,
                **dict.fromkeys(("attribute_proto", "node", "opset_import", "value_info"), everything),
            },
            "AttributeProto": {
                "ref_attr_name": attribute,
                "type": everything,
                **dict.fromkeys(("t", "g", "tp", "sparse_tensor"), everything),
                **dict.fromkeys(("tensors", "graphs", "type_protos", "sparse_tensors"), everything),
            },
            # Values have been replaced before (`values.without_values`).
            "TensorProto": {
                "name": value,
                **dict.fromkeys(("dims", "data_type", "raw_data", "data_location", "external_data"), everything),
                **dict.fromkeys(("float_data", "int32_data", "int64_data", "uint64_data"), everything),
                "string_data": lambda _: "",
            },
            "StringStringEntryProto": dict.fromkeys(("key", "value"), everything),  # only in external data
            "SparseTensorProto": dict.fromkeys(("values", "indices", "dims"), everything),
            "ValueInfoProto": {"name": value, "type": everything},
            "TypeProto": dict.fromkeys(
                ("tensor_type", "sequence_type", "map_type", "optional_type", "sparse_tensor_type"), everything
            ),
            "Tensor": typed,
            "SparseTensor": typed,
            "Sequence": {"elem_type": everything},
            "Optional": {"elem_type": everything},
            "Map": dict.fromkeys(("key_type", "value_type"), everything),
            "TensorShapeProto": {"dim": everything},
            "Dimension": {"dim_value": everything, "dim_param": dim},
        }

    def copy(self, source: Any, target: Any, node: NodeProto | None = None) -> None:
        """`node` is the node of an attribute."""
        kind = source.DESCRIPTOR.name
        kept = self._kept.get(kind, {})
        for field, value in source.ListFields():
            if field.name not in kept:
                continue
            rename, several = kept[field.name], field.is_repeated
            if field.message_type is not None:
                for inner in value if several else (value,):
                    other = getattr(target, field.name)
                    other = other.add() if several else other
                    other.SetInParent()  # a shape without dims is a shape of rank 0
                    self.copy(inner, other, source if kind == "NodeProto" else node)
            elif several:
                getattr(target, field.name).extend(map(rename, value) if rename else value)
            else:
                setattr(target, field.name, rename(value) if rename else value)
        if kind == "NodeProto":
            self._node += 1
            target.name = f"node_{self._node}"
            target.domain, target.op_type = self._of_op(source.domain, source.op_type)
        elif kind == "FunctionProto":
            target.domain, target.name = self._of_op(source.domain, source.name)
        elif kind == "AttributeProto":
            self._attribute(source, target, node)

    def _of_domain(self, domain: str) -> str:
        return domain if domain in _PUBLIC else self._domain(domain)

    def _of_op(self, domain: str, op: str) -> tuple[str, str]:
        return self._of_domain(domain), self._op(op) if _attributes_of(domain, op) is None else op

    def _attribute(self, source: AttributeProto, target: AttributeProto, node: NodeProto | None) -> None:
        domain, op = (node.domain, node.op_type) if node is not None else ("", "")
        defaults = _attributes_of(domain, op) or {}
        known = source.name in defaults
        target.name = source.name if known else self._attribute_name(source.name)
        default = defaults.get(source.name) or AttributeProto(f=1.0)
        structure = known and domain in _STRUCTURE and len(source.ints) <= _MOST_INTEGERS
        if source.HasField("i"):
            target.i = source.i if structure else 0
        if source.HasField("f"):
            target.f = default.f
        if source.HasField("s"):
            target.s = _equation(source.s) if (op, source.name) == ("Einsum", "equation") else _word(source.s)
        target.ints.extend(source.ints if structure else [0] * len(source.ints))
        target.floats.extend(source.floats if (op, source.name) in _SCALES else [1.0] * len(source.floats))
        target.strings.extend(map(_word, source.strings))


def anonymous(model: ModelProto) -> ModelProto:
    """The model with new names, without the values of its own attributes and without everything that is not needed."""
    made = ModelProto()
    _Anonymiser().copy(model, made)
    return made


def _attributes_of(domain: str, op: str) -> Mapping[str, AttributeProto] | None:
    """The attributes of a public op; None for other ops."""
    return _attributes_of_ops().get(("" if domain == "ai.onnx" else domain, op))


def _word(text: bytes) -> bytes:
    return text if text.decode("utf-8", "replace") in _WORDS.split() else b""


def _equation(text: bytes) -> bytes:
    """An Einsum equation with renamed letters."""
    letters: dict[str, str] = {}
    shown = text.decode("utf-8", "replace")
    for letter in re.findall("[a-zA-Z]", shown):
        letters.setdefault(letter, chr(ord("a") + len(letters)) if len(letters) < 26 else letter)
    return "".join(letters.get(c, c) for c in shown if c in letters or c in ",.-> ").encode()


@cache
def _attributes_of_ops() -> Mapping[tuple[str, str], Mapping[str, AttributeProto]]:
    """The public ops with their attributes and defaults, over all versions."""
    found: dict[tuple[str, str], dict[str, AttributeProto]] = {}
    for domain, op, _ in _native.registered_ops():
        if domain in _PUBLIC:
            found[domain, op] = {}
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain in _PUBLIC:
            known = found.setdefault((schema.domain, schema.name), {})
            known.update((name, attribute.default_value) for name, attribute in schema.attributes.items())
    for (domain, op), known in found.items():
        if domain == "com.microsoft":
            known.update(_of_onnxruntime().get(op, {}))
    return found


@cache
def _of_onnxruntime() -> Mapping[str, Mapping[str, AttributeProto]]:
    """The attributes of onnxruntime's own ops; empty if it is not installed."""
    try:
        from onnxruntime.capi.onnxruntime_pybind11_state import get_all_operator_schema
    except ImportError:
        return {}
    schemas = (schema for schema in get_all_operator_schema() if schema.domain == "com.microsoft")
    return {schema.name: {name: AttributeProto(f=1.0) for name in schema.attributes} for schema in schemas}
