"""The models that variants start from: onnx's node cases, the cases of onnxruntime's ops, and some for ops without
cases."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import ModelProto, TensorProto, helper, numpy_helper, parser

from forge_mlir.support.opsets import declared_opsets
from fuzz.coverage import NOT_DRAWN, schema_at
from fuzz.operands import Array
from fuzz.variants.variant import MOST_ELEMENTS, Variant, nodes_in
from node_cases import node_cases
from sample_models import forests
from sample_models.microsoft import attention, layers, quantised
from sample_models.microsoft.case import feed_of, model_of
from yaml_file import read_yaml

Op = tuple[str, str]
_WRITTEN = Path(__file__).parent / "seeds.yaml"


@cache
def all_seeds() -> dict[Op, list[Variant]]:
    """The models of each op."""
    found: dict[Op, list[Variant]] = defaultdict(list)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for op, model, feeds in (*_node_cases(), *_contrib_cases(), *_trees(), *_written()):
            variant = _variant(op, model, feeds)
            if variant is not None:
                found[variant.op].append(variant)
    return dict(found)


def _node_cases() -> Iterator[tuple[str, ModelProto, Mapping[str, Any]]]:
    for case in sorted((case for case in node_cases() if case.model), key=lambda case: str(case.name)):
        names = [value.name for value in case.model.graph.input]
        yield "", case.model, dict(zip(names, case.data_sets[0][0], strict=True))


def _contrib_cases() -> Iterator[tuple[str, ModelProto, Mapping[str, Any]]]:
    for case in (*attention.families(), *layers.families()):
        if not case.refused and case.reference is None:
            yield (
                case.op,
                model_of(case, [onnx.ValueInfoProto(name=name) for name in case.outputs if name]),
                feed_of(case),
            )
    for name, make in {**quantised.CONVERTED, **quantised.ON_CPU}.items():
        data, feeds = make()
        yield name.split()[0], ModelProto.FromString(data), feeds


def _written() -> Iterator[tuple[str, ModelProto, Mapping[str, Any]]]:
    """The models of seeds.yaml, which are in onnx's text format; their inputs are filled with small numbers."""
    for op, text in read_yaml(_WRITTEN).items():
        model = parser.parse_model(text)
        feeds = {}
        for value in model.graph.input:
            shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
            numbers = np.arange(int(np.prod(shape))).reshape(shape) % 7 - 2
            dtype = helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
            feeds[value.name] = np.asarray(np.abs(numbers) if dtype.kind == "i" else numbers / 2).astype(dtype)
        yield op, model, feeds


def _variant(op: str, model: ModelProto, feeds: Mapping[str, Any]) -> Variant | None:
    """None for models with text, sequences, random results, functions, or too many elements."""
    graph = model.graph
    if not all(isinstance(value, (np.ndarray, np.generic)) for value in feeds.values()):
        return None
    arrays: dict[str, Array] = {name: np.asarray(value) for name, value in feeds.items()}
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    arrays |= stored
    nodes = nodes_in(graph.node)
    if (
        model.functions
        or any(array.dtype.kind in "OSUTc" for array in arrays.values())
        or any(node.op_type in NOT_DRAWN for node in nodes)
        or sum(array.size for array in arrays.values()) > 4 * MOST_ELEMENTS
    ):
        return None
    versions = {"": onnx.defs.onnx_opset_version(), **declared_opsets(model)}
    main = next((node for node in nodes if node.op_type == op), nodes[0])
    key = (main.domain, main.op_type)
    if schema_at(key, versions.get(main.domain, 1)) is None:
        return None
    outputs = [value.name for value in graph.output]
    domains = {domain: version for domain, version in versions.items() if domain}
    return Variant(list(graph.node), arrays, set(stored), outputs, versions[""], key, domains)


def _trees() -> Iterator[tuple[str, ModelProto, Mapping[str, Any]]]:
    for modes in (("BRANCH_LEQ",), forests.MODES):
        for missing in (False, True):
            forest = forests.Forest(3, 3, [0, 1, 2], modes, missing=missing)
            single = forests.Forest(3, 3, [0], modes, missing=missing)
            feeds = {"x": forests.operand()}
            labels = {"classlabels_int64s": [10, 20, 30]}
            op = "TreeEnsembleClassifier"
            yield op, forests.model(op, forest.attributes("class_") | labels), feeds
            op = "TreeEnsembleRegressor"
            yield op, forests.model(op, forest.attributes("target_") | {"n_targets": 3}), feeds
            yield "TreeEnsemble", forests.model("TreeEnsemble", forests.ensemble(single)), feeds


@cache
def attribute_values() -> dict[tuple[Op, str], list[Any]]:
    """The values of each attribute of each op in the models; graphs and tensors are omitted."""
    seen: dict[tuple[Op, str], list[Any]] = defaultdict(list)
    for variants in all_seeds().values():
        for node in (node for variant in variants for node in nodes_in(variant.nodes)):
            for attribute in node.attribute:
                value = helper.get_attribute_value(attribute)
                if not isinstance(value, onnx.GraphProto | TensorProto):
                    seen[(node.domain, node.op_type), attribute.name].append(value)
    return dict(seen)
