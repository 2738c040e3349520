"""The decision trees of ai.onnx.ml on the device, compared with onnxruntime, and the models that are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from forge_mlir import ForgeError, compile, run
from forge_mlir.verify import verify_model
from sample_models import forests
from sample_models.forests import MODES, Forest, ensemble, model, operand, wide
from sample_models.goldens import assert_same

REGRESSOR, CLASSIFIER = "TreeEnsembleRegressor", "TreeEnsembleClassifier"


def agrees(proto: ModelProto, x: np.ndarray, folder: Path, relative: float = 2e-6) -> dict[str, np.ndarray]:
    session = onnxruntime.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    expected = dict(zip((value.name for value in proto.graph.output), session.run(None, {"x": x}), strict=True))
    found = run(compile(proto, folder), {"x": x})
    for name, value in expected.items():
        assert_same(found[name], value, relative)
    return expected


def refusal(proto: ModelProto, folder: Path) -> str:
    with pytest.raises(ForgeError) as caught:
        compile(proto, folder)
    return " ".join(map(str, caught.value.diagnostics))


@pytest.mark.parametrize("modes", [*((mode,) for mode in MODES), MODES], ids=lambda modes: "+".join(modes))
@pytest.mark.parametrize("missing", [False, True])
def test_every_comparison_decides_as_onnxruntime(modes: tuple[str, ...], missing: bool, tmp_path: Path) -> None:
    """Operands that equal thresholds, infinities, and NaN with and without a direction for missing values."""
    forest = Forest(8, 4, (0,), modes, missing=missing)
    agrees(model(REGRESSOR, forest.attributes("target_") | {"n_targets": 1}), operand(), tmp_path)


@pytest.mark.parametrize("how", ["SUM", "AVERAGE", "MIN", "MAX"])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("targets", [1, 3])
def test_regressors(how: str, sparse: bool, targets: int, tmp_path: Path) -> None:
    forest = Forest(6, 4, range(targets), sparse=sparse)
    attributes = forest.attributes("target_") | {"n_targets": targets, "aggregate_function": how}
    base = [0.25, -1.5, 3.0][:targets]
    agrees(model(REGRESSOR, attributes | {"base_values": base}), operand(), tmp_path)


@pytest.mark.parametrize("transform", ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"])
def test_transforms(transform: str, tmp_path: Path) -> None:
    """Scores between 0 and 1, for which all transforms are defined. onnxruntime's probit is inaccurate around one
    half."""
    forest = Forest(2, 4, range(3), negative=False)
    attributes = forest.attributes("target_") | {"n_targets": 3, "aggregate_function": "AVERAGE"}
    proto = model(REGRESSOR, attributes | {"post_transform": transform})
    agrees(proto, operand(), tmp_path, relative=5e-5 if transform == "PROBIT" else 2e-6)


@pytest.mark.parametrize("transform", ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("base", [None, [0.5, -0.5, 0.25, 0.0]])
def test_classifiers(transform: str, sparse: bool, base: list[float] | None, tmp_path: Path) -> None:
    """A class without a vote is never chosen, even if the scores of the others are negative."""
    forest = Forest(4, 4, range(4), sparse=sparse)
    forest.votes["weights"] = [-abs(weight) for weight in forest.votes["weights"]]
    attributes = forest.attributes("class_") | {"classlabels_int64s": [7, -3, 40, 5], "post_transform": transform}
    if base:
        attributes["base_values"] = base
    found = agrees(model(CLASSIFIER, attributes), operand(), tmp_path)
    assert len(set(found["label"].tolist())) > 1


@pytest.mark.parametrize("transform", ["NONE", "LOGISTIC"])
@pytest.mark.parametrize("negative", [False, True])
@pytest.mark.parametrize("base", [None, [0.125]])
@pytest.mark.parametrize("labels", [[0, 1], [5, -2]])
def test_two_classes_by_one_score(
    transform: str, negative: bool, base: list[float] | None, labels: list[int], tmp_path: Path
) -> None:
    forest = Forest(3, 4, (0,), negative=negative, seed=3)
    if not negative:  # The sum of three probabilities may be below one half.
        forest.votes["weights"] = [weight / 2 for weight in forest.votes["weights"]]
    attributes = forest.attributes("class_") | {"classlabels_int64s": labels, "post_transform": transform}
    if base:
        attributes["base_values"] = base
    found = agrees(model(CLASSIFIER, attributes, rows=64), operand(rows=64), tmp_path)
    assert len(set(found["label"].tolist())) == 2


@pytest.mark.parametrize("transform", ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"])
def test_two_classes_by_votes_for_the_second(transform: str, tmp_path: Path) -> None:
    forest = Forest(3, 4, (1,))
    attributes = forest.attributes("class_") | {"classlabels_int64s": [0, 1], "post_transform": transform}
    agrees(model(CLASSIFIER, attributes), operand(), tmp_path)


@pytest.mark.parametrize("transform", ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"])
def test_scores_alone_of_two_classes_with_votes(transform: str, tmp_path: Path) -> None:
    """As in pyopenjtalk-plus: a forest of scikit-learn without its label output. The scores are not compared with
    onnxruntime's."""
    attributes = Forest(4, 4, range(2)).attributes("class_") | {"classlabels_int64s": [0, 1]}
    proto = model(CLASSIFIER, attributes | {"post_transform": transform})
    del proto.graph.output[0]
    agrees(proto, operand(), tmp_path)


@pytest.mark.parametrize("kind", [TensorProto.INT32, TensorProto.INT64])
def test_integer_features(kind: int, tmp_path: Path) -> None:
    """onnxruntime implements the classifier for these types only."""
    attributes = Forest(5, 4, range(3), MODES, missing=True).attributes("class_") | {"classlabels_int64s": [0, 1, 2]}
    x = operand(helper.tensor_dtype_to_np_dtype(kind), special=False)
    agrees(model(CLASSIFIER, attributes, kind=kind), x, tmp_path)


@pytest.mark.parametrize("modes", [*((mode,) for mode in MODES), MODES], ids=lambda modes: "+".join(modes))
def test_float64_is_rounded_on_both_sides(modes: tuple[str, ...], tmp_path: Path) -> None:
    """Multiples of 0.1 are not exact in float32. Values equal to a threshold stay equal, and the order of the others is
    kept."""
    forest = Forest(6, 4, (0,), modes)
    forest.nodes["values"] = [round(value * 4) / 10 for value in forest.nodes["values"]]
    attributes = wide(forest.attributes("target_") | {"n_targets": 1}, "nodes_values", "target_weights")
    x = np.random.default_rng(1).integers(-8, 9, size=(16, forests.FEATURES)) / 10
    agrees(model(REGRESSOR, attributes, kind=TensorProto.DOUBLE), x, tmp_path)


def test_float64_thresholds_of_float32_operands_are_refused(tmp_path: Path) -> None:
    forest = Forest(2, 3, (0,))
    forest.nodes["values"][1] = 0.1
    proto = model(REGRESSOR, wide(forest.attributes("target_") | {"n_targets": 1}, "nodes_values"))
    assert "a split compares with 0.100000, which is no float32 number" in refusal(proto, tmp_path)


@pytest.mark.parametrize("kind", [TensorProto.FLOAT, TensorProto.DOUBLE])
@pytest.mark.parametrize("depth", [3, 7])
def test_tree_ensemble(kind: int, depth: int, tmp_path: Path) -> None:
    """The attributes of the deep trees exceed the size of a small tensor."""
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    forest = Forest(9, depth, (0,), MODES[:4], missing=True)
    proto = model("TreeEnsemble", ensemble(forest, dtype), kind=kind)
    agrees(proto, operand(dtype), tmp_path)


def test_tree_ensemble_members_of_sets(tmp_path: Path) -> None:
    """Membership in sets of different sizes, combined with other comparisons."""
    attributes = {
        "n_targets": 1,
        "tree_roots": [0],
        "nodes_featureids": [0, 1, 2],
        "nodes_modes": numpy_helper.from_array(np.array([6, 0, 6], np.uint8)),
        "nodes_splits": numpy_helper.from_array(np.array([99.0, 0.5, 99.0], np.float32)),
        "membership_values": numpy_helper.from_array(np.array([1, 2, 3, np.nan, 0.5, np.nan], np.float32)),
        "nodes_truenodeids": [1, 0, 2],
        "nodes_trueleafs": [0, 1, 1],
        "nodes_falsenodeids": [2, 1, 3],
        "nodes_falseleafs": [0, 1, 1],
        "leaf_targetids": [0, 0, 0, 0],
        "leaf_weights": numpy_helper.from_array(np.array([1, 10, 100, 1000], np.float32)),
    }
    x = np.array([[a, b, c, 0, 0] for a in (0, 1, 2, 3, 99) for b in (0, 1) for c in (0, 0.5)], np.float32)
    found = agrees(model("TreeEnsemble", attributes, rows=len(x)), x, tmp_path)
    assert set(found["scores"].reshape(-1).tolist()) == {1.0, 10.0, 100.0, 1000.0}


def test_no_rows(tmp_path: Path) -> None:
    forest = Forest(3, 3, range(3))
    proto = model(CLASSIFIER, forest.attributes("class_") | {"classlabels_int64s": [0, 1, 2]}, rows=0)
    found = run(compile(proto, tmp_path), {"x": np.zeros((0, forests.FEATURES), np.float32)})
    assert found["label"].shape == (0,)
    assert found["scores"].shape == (0, 3)


def test_verify_compares_trees(tmp_path: Path) -> None:
    forest = Forest(20, 5, range(3))
    proto = model(CLASSIFIER, forest.attributes("class_") | {"classlabels_int64s": [0, 1, 2]})
    onnx.save(proto, tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx", {"x": operand(special=False)}).passed


# Refusals


def regressor(**changes: Any) -> ModelProto:
    """Two trees with given attributes."""
    attributes = Forest(3, 3, (0,), seed=1).attributes("target_") | {"n_targets": 1}
    for name, change in changes.items():
        attributes[name] = change(list(attributes[name])) if callable(change) else change
    return model(REGRESSOR, attributes, version=changes.get("version", 3))


def replaced(at: int, value: object) -> Callable[[list[object]], list[object]]:
    return lambda values: [*values[:at], value, *values[at + 1 :]]


SPLIT = 1  # The index of the first node of the second tree; the first tree is a leaf.

HOSTILE = {
    "a cycle": ({"nodes_truenodeids": replaced(SPLIT, 0)}, "is reached twice, so this is no tree"),
    "a child that is none": ({"nodes_falsenodeids": replaced(SPLIT, 999)}, "names node 999, which tree 1 does not"),
    "a negative child": ({"nodes_truenodeids": replaced(SPLIT, -1)}, "names node -1"),
    "a feature that is none": ({"nodes_featureids": replaced(SPLIT, 5)}, "tests feature 5 of an operand with 5"),
    "a negative feature": ({"nodes_featureids": replaced(SPLIT, -1)}, "tests feature -1"),
    "a list too short": ({"nodes_featureids": lambda values: values[:-1]}, "entries in attribute 'nodes_featureids'"),
    "weights too few": ({"target_weights": lambda values: values[:-1]}, "entries in attribute 'target_weights'"),
    "a mode": ({"nodes_modes": replaced(SPLIT, "BRANCH_MEMBER")}, "names 'BRANCH_MEMBER'"),
    "a threshold of NaN": ({"nodes_values": replaced(SPLIT, float("nan"))}, "a split compares with nan"),
    "a weight of infinity": ({"target_weights": replaced(0, float("inf"))}, "the weight of a leaf is not finite"),
    "a target that is none": ({"target_ids": replaced(0, 1)}, "a leaf votes for target 1 of 1"),
    "a vote of a node": ({"target_nodeids": replaced(1, 0)}, "has a weight, and is no leaf"),
    "a vote of no node": ({"target_treeids": replaced(0, 77)}, "which tree 77 does not have"),
    "two votes": ({"target_treeids": replaced(1, 0), "target_nodeids": replaced(1, 0)}, "votes for target 0 twice"),
    "a node twice": ({"nodes_nodeids": replaced(SPLIT + 1, 0)}, "has node 0 twice"),
    "a tree in pieces": ({"nodes_treeids": lambda values: [*values[:-1], 0]}, "do not stand together"),
    "no target": ({"n_targets": 0}, "'n_targets' must be between 1 and 2^20"),
    "too many targets": ({"n_targets": 2**40}, "'n_targets' must be between 1 and 2^20"),
    "base values": ({"base_values": [1.0, 2.0]}, "expected 1 entries in attribute 'base_values'"),
    "a transform": ({"post_transform": "CUBE"}, "must be one of NONE, SOFTMAX"),
    "a transform of one target": ({"post_transform": "LOGISTIC"}, "NONE and PROBIT are supported"),
    "an aggregate": ({"aggregate_function": "MEDIAN"}, "must be one of AVERAGE, SUM"),
}  # fmt: skip


@pytest.mark.parametrize("what", HOSTILE)
def test_is_refused(what: str, tmp_path: Path) -> None:
    changes, reason = HOSTILE[what]
    assert reason in refusal(regressor(**changes), tmp_path)


def test_the_unchanged_trees_are_not_refused(tmp_path: Path) -> None:
    agrees(regressor(), operand(), tmp_path)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"tree_roots": [999]}, "names split 999 of"),
        ({"tree_roots": [0, 0]}, "split 0 is reached twice"),
        ({"nodes_modes": numpy_helper.from_array(np.full(1, 7, np.uint8))}, "has 7; the last mode is 6"),
        ({"nodes_modes": numpy_helper.from_array(np.full(1, 6, np.uint8))}, "has no set for a BRANCH_MEMBER"),
        ({"nodes_truenodeids": [5]}, "names leaf 5 of 1"),
        ({"nodes_truenodeids": [-5]}, "names leaf -5 of 1"),
        ({"nodes_trueleafs": [0]}, "split 0 is reached twice"),
        (
            {"tree_roots": onnx.helper.make_attribute("tree_roots", [], attr_type=onnx.AttributeProto.INTS)},
            "there is no tree",
        ),
        ({"nodes_trueleafs": [2]}, "attribute 'nodes_truenodeids' names leaf 0"),
        ({"membership_values": numpy_helper.from_array(np.ones(1, np.float32))}, "more sets than there are"),
        ({"post_transform": 5}, "'post_transform' must be below 5"),
        ({"aggregate_function": -1}, "'aggregate_function' must be below 4"),
    ],
)
def test_hostile_tree_ensembles_are_refused(changes: dict[str, Any], reason: str, tmp_path: Path) -> None:
    proto = model("TreeEnsemble", ensemble(Forest(1, 0, (0,))) | changes)
    assert reason in refusal(proto, tmp_path)


@pytest.mark.parametrize(
    ("targets", "changes", "reason"),
    [
        ((0, 1), {}, "onnxruntime's label is not the top class"),
        ((0,), {"post_transform": "SOFTMAX"}, "NONE or LOGISTIC"),
        ((0,), {"base_values": [1.0, 2.0]}, "base values of two classes"),
        ((1,), {"base_values": [1.0]}, "base values of two classes"),
        ((0,), {"classlabels_int64s": [1]}, "must have two labels or more"),
        (
            (0,),
            {"classlabels_int64s": [0, 1, 2], "base_values": [1.0]},
            "expected 3 entries in attribute 'base_values'",
        ),
    ],
)
def test_classifiers_that_are_refused(
    targets: tuple[int, ...], changes: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    attributes = Forest(3, 3, targets).attributes("class_") | {"classlabels_int64s": [0, 1]} | changes
    assert reason in refusal(model(CLASSIFIER, attributes), tmp_path)


@pytest.mark.parametrize(
    ("seed", "changes", "reason"),
    [(0, {"base_values": [1.0, 2.0]}, "base values of two"), (2, {}, "rows without one for the second")],
)
def test_scores_of_two_classes_that_are_refused(
    seed: int, changes: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    """In these cases onnxruntime does not output the sums of votes."""
    forest = Forest(2, 3, (0, 1), sparse=seed > 0, seed=seed)
    proto = model(CLASSIFIER, forest.attributes("class_") | {"classlabels_int64s": [0, 1]} | changes)
    del proto.graph.output[0]
    assert reason in refusal(proto, tmp_path)


def test_string_labels_are_refused(tmp_path: Path) -> None:
    proto = model(CLASSIFIER, Forest(3, 3, (0,)).attributes("class_") | {"classlabels_strings": ["no", "yes"]})
    proto.graph.output[0].type.tensor_type.elem_type = TensorProto.STRING
    assert "string" in refusal(proto, tmp_path)


def test_many_targets_of_many_trees_are_refused(tmp_path: Path) -> None:
    attributes = Forest(100, 2, (0,)).attributes("target_") | {"n_targets": 2**20}
    reason = refusal(model(REGRESSOR, attributes), tmp_path)
    assert "FM1406" in reason
    assert "100 trees with 1048576 targets are too many" in reason


def test_a_leaf_without_a_weight_is_refused(tmp_path: Path) -> None:
    forest = Forest(2, 3, (0,))
    for values in forest.votes.values():
        values.pop()
    assert "a leaf has no weight" in refusal(
        model(REGRESSOR, forest.attributes("target_") | {"n_targets": 1}), tmp_path
    )


def test_large_trees_are_refused_with_advice(tmp_path: Path) -> None:
    """One tree with a sequence of 5,000 splits would need a path matrix of 25 million elements. The CPU can run it."""
    count = 5000
    attributes = {
        "n_targets": 1,
        "tree_roots": [0],
        "nodes_featureids": [0] * count,
        "nodes_modes": numpy_helper.from_array(np.zeros(count, np.uint8)),
        "nodes_splits": numpy_helper.from_array(np.arange(count, dtype=np.float32)),
        "nodes_truenodeids": list(range(count)),
        "nodes_trueleafs": [1] * count,
        "nodes_falsenodeids": [*range(1, count), count],
        "nodes_falseleafs": [0] * (count - 1) + [1],
        "leaf_targetids": [0] * (count + 1),
        "leaf_weights": numpy_helper.from_array(np.arange(count + 1, dtype=np.float32)),
    }
    proto = model("TreeEnsemble", attributes)
    reason = refusal(proto, tmp_path)
    assert "5000 splits and 5001 leaves has 25005000 elements; 16777216 are supported" in reason
    assert "FM1406" in reason
    assert "--fallback=cpu" in reason
    x = np.linspace(-1, 6000, 16 * forests.FEATURES, dtype=np.float32).reshape(16, -1)
    found = run(compile(proto, tmp_path, fallback="cpu"), {"x": x})["scores"][:, 0]
    np.testing.assert_array_equal(found, np.minimum(np.ceil(np.maximum(x[:, 0], 0)), count))
