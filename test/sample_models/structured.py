"""Models whose inputs or outputs are text, sequences or maps, which are read and written by a CPU partition."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto, helper, numpy_helper

ML = "ai.onnx.ml"
WEIGHT = np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)


def _value(name: str, kind: TypeProto) -> ValueInfoProto:
    return helper.make_value_info(name, kind)


def _tensor(element: int, shape: Sequence[int] | None) -> TypeProto:
    return helper.make_tensor_type_proto(element, shape)


def _model(
    nodes: list[NodeProto],
    inputs: list[ValueInfoProto],
    outputs: list[ValueInfoProto],
    initializers: Sequence[TensorProto] = (),
) -> ModelProto:
    constants = [numpy_helper.from_array(WEIGHT, "w"), *initializers]
    graph = helper.make_graph(nodes, "structured", inputs, outputs, constants)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(ML, 3)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def text_to_product() -> ModelProto:
    """A label encoder that maps text to numbers, and a matrix product for the device."""
    keys = {"keys_strings": ["up", "down"], "values_floats": [1.0, 2.0], "default_float": 0.0}
    nodes = [
        helper.make_node("LabelEncoder", ["s"], ["i"], domain=ML, **keys),
        helper.make_node("MatMul", ["i", "w"], ["y"]),
    ]
    return _model(
        nodes,
        [_value("s", _tensor(TensorProto.STRING, [2, 4]))],
        [_value("y", _tensor(TensorProto.FLOAT, [2, 3]))],
    )


def category_columns() -> ModelProto:
    """Two columns of text with a vocabulary each, as scikit-learn's OneHotEncoder is exported: unknown words are an
    error."""
    parts, nodes = [], []
    for at, words in enumerate((["red", "blue"], ["small", "large"])):
        nodes.append(helper.make_node("Gather", ["s", f"at{at}"], [f"c{at}"], axis=1))
        nodes.append(helper.make_node("OneHotEncoder", [f"c{at}"], [f"h{at}"], domain=ML, cats_strings=words, zeros=0))
        parts.append(numpy_helper.from_array(np.array([at], np.int64), f"at{at}"))
    nodes.append(helper.make_node("Concat", ["h0", "h1"], ["h"], axis=2))
    nodes.append(helper.make_node("MatMul", ["h", "w"], ["y"]))
    return _model(
        nodes,
        [_value("s", _tensor(TensorProto.STRING, [3, 2]))],
        [_value("y", _tensor(TensorProto.FLOAT, [3, 1, 3]))],
        parts,
    )


def classifier(words: bool) -> ModelProto:
    """A classifier as scikit-learn exports it: the outputs are a label, and a map of probabilities for each row."""
    labels = {"classlabels_strings": ["no", "yes"]} if words else {"classlabels_ints": [0, 1]}
    zipped = {"classlabels_strings": ["no", "yes"]} if words else {"classlabels_int64s": [0, 1]}
    linear = {"coefficients": [1.0, 2.0, 3.0, -1.0, -2.0, -3.0], "intercepts": [0.1, 0.2], "post_transform": "SOFTMAX"}
    nodes = [
        helper.make_node("LinearClassifier", ["x"], ["label", "p"], domain=ML, **linear, **labels),
        helper.make_node("ZipMap", ["p"], ["probabilities"], domain=ML, **zipped),
    ]
    key = TensorProto.STRING if words else TensorProto.INT64
    maps = helper.make_sequence_type_proto(helper.make_map_type_proto(key, _tensor(TensorProto.FLOAT, None)))
    return _model(
        nodes,
        [_value("x", _tensor(TensorProto.FLOAT, [2, 3]))],
        [_value("label", _tensor(key, [2])), _value("probabilities", maps)],
    )


def labels() -> ModelProto:
    """Class names as a string initializer, from which the index of the largest score selects."""
    names = helper.make_tensor("names", TensorProto.STRING, [3], [b"cat", b"dog", b"cow"])
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["scores"]),
        helper.make_node("ArgMax", ["scores"], ["best"], axis=1, keepdims=0),
        helper.make_node("Gather", ["names", "best"], ["name"]),
    ]
    return _model(
        nodes,
        [_value("x", _tensor(TensorProto.FLOAT, [2, 4]))],
        [_value("name", _tensor(TensorProto.STRING, [2])), _value("scores", _tensor(TensorProto.FLOAT, [2, 3]))],
        [names],
    )


def from_map() -> ModelProto:
    """A model with a map of features as its input."""
    kind = helper.make_map_type_proto(TensorProto.STRING, _tensor(TensorProto.FLOAT, None))
    words = ["a", "b", "c", "d"]
    nodes = [
        helper.make_node("DictVectorizer", ["d"], ["v"], domain=ML, string_vocabulary=words),
        helper.make_node("MatMul", ["v", "w"], ["y"]),
    ]
    return _model(nodes, [_value("d", kind)], [_value("y", _tensor(TensorProto.FLOAT, [1, 3]))])


def sequences() -> ModelProto:
    """A model with a sequence as an input and a sequence as an output."""
    given = helper.make_sequence_type_proto(_tensor(TensorProto.FLOAT, [2, 4]))
    made = helper.make_sequence_type_proto(_tensor(TensorProto.FLOAT, None))
    nodes = [
        helper.make_node("ConcatFromSequence", ["q"], ["c"], axis=0),
        helper.make_node("MatMul", ["c", "w"], ["y"]),
        helper.make_node("SplitToSequence", ["y"], ["r"], axis=0, keepdims=1),
    ]
    return _model(nodes, [_value("q", given)], [_value("y", _tensor(TensorProto.FLOAT, [4, 3])), _value("r", made)])
