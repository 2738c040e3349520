"""The conditions on nodes in the table of known deviations."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import NodeProto


def _ints(node: NodeProto) -> dict[str, list[int]]:
    return {attribute.name: list(attribute.ints) for attribute in node.attribute}


def _number(node: NodeProto, name: str, default: int) -> int:
    return next((int(attribute.i) for attribute in node.attribute if attribute.name == name), default)


def _has_negative_axis(node: NodeProto) -> bool:
    return any(axis < 0 for axes in _ints(node).values() for axis in axes)


def _may_start_after_input(node: NodeProto) -> bool:
    """Whether the last window of a pool may start in the trailing padding."""
    attributes = _ints(node)
    kernel = attributes.get("kernel_shape", [])
    ones, zeros = [1] * len(kernel), [0] * 2 * len(kernel)
    ends = attributes.get("pads", zeros)[len(kernel) :]
    windows = zip(kernel, attributes.get("dilations", ones), attributes.get("strides", ones), ends, strict=False)
    return any(stride + end > (size - 1) * dilation + 1 for size, dilation, stride, end in windows)


def _lacks_onesided(node: NodeProto) -> bool:
    return all(attribute.name != "onesided" for attribute in node.attribute)


def _has_output_shape(node: NodeProto) -> bool:
    return any(attribute.name == "output_shape" for attribute in node.attribute)


def _dilates_other_ranks(node: NodeProto) -> bool:
    dilations = _ints(node).get("dilations", [])
    return len(dilations) != 2 and any(size > 1 for size in dilations)


def _pads_to_same(node: NodeProto) -> bool:
    return any(each.name == "auto_pad" and each.s.startswith(b"SAME") for each in node.attribute)


def _is_beside_same(node: NodeProto, name: str, most: int) -> bool:
    """Whether the attribute `name` has a value above `most` beside auto_pad SAME."""
    return _pads_to_same(node) and any(value > most for value in _ints(node).get(name, []))


def _strides_past_kernel(node: NodeProto) -> bool:
    lists = _ints(node)
    steps = zip(lists.get("strides", []), lists.get("kernel_shape", []), strict=False)
    return _pads_to_same(node) and any(stride > size for stride, size in steps)


def _is_unusual_cell(node: NodeProto) -> bool:
    """Whether a recurrent op has lengths, or other than the usual functions."""
    attributes = {attribute.name: attribute for attribute in node.attribute}
    activations = [text.lower() for text in attributes["activations"].strings] if "activations" in attributes else []
    usual = {"RNN": [b"tanh"], "GRU": [b"sigmoid", b"tanh"]}.get(node.op_type, [b"sigmoid", b"tanh", b"tanh"])
    return (
        any(node.input[4:5])
        or "clip" in attributes
        or ("input_forget" in attributes and attributes["input_forget"].i == 1)
        or activations not in ([], usual, 2 * usual)
    )


def _outputs_capped_scores(node: NodeProto) -> bool:
    """Whether an attention with a softcap has its scores before the softcap as an output."""
    attributes = {attribute.name: attribute for attribute in node.attribute}
    capped = "softcap" in attributes and attributes["softcap"].f != 0
    mode = attributes["qk_matmul_output_mode"].i if "qk_matmul_output_mode" in attributes else 0
    return capped and mode == 0 and any(node.output[3:])


def _may_stop(node: NodeProto) -> bool:
    """Whether the condition that the body of a Loop computes may be false: it is neither its own, nor a constant."""
    from onnx.numpy_helper import to_array

    body = next((attribute.g for attribute in node.attribute if attribute.name == "body"), None)
    if body is None or len(body.input) < 2 or not body.output:
        return False
    producers = {name: each for each in body.node for name in each.output}
    values = {tensor.name: tensor for tensor in body.initializer}
    name = body.output[0].name
    for _ in body.node:  # In an invalid model the nodes may be a cycle.
        if name in producers and producers[name].op_type == "Identity":
            name = producers[name].input[0]
    if name in producers and producers[name].op_type == "Constant":
        values.update((name, attribute.t) for attribute in producers[name].attribute if attribute.name == "value")
    return name != body.input[1].name and not (name in values and bool(to_array(values[name]).all()))


_SOFTMAX, _LOGISTIC, _SOFTMAX_ZERO = 1, 2, 3
_CHILDREN = ("trueleafs", "falseleafs", "truenodeids", "falsenodeids")


def _transforms_otherwise(node: NodeProto) -> bool:
    moved = (_SOFTMAX, _LOGISTIC, *((_SOFTMAX_ZERO,) if _number(node, "n_targets", 0) == 1 else ()))
    return _number(node, "post_transform", 0) in moved


def _transforms_one_score(node: NodeProto) -> bool:
    named = {attribute.name: attribute.s for attribute in node.attribute}
    transform = named.get("post_transform", b"NONE")
    return _number(node, "n_targets", 0) == 1 and transform in (b"SOFTMAX", b"LOGISTIC", b"SOFTMAX_ZERO")


def _has_leaf_or_member_0(node: NodeProto) -> bool:
    from onnx.numpy_helper import to_array

    ints = _ints(node)
    both = zip(*(ints.get(f"nodes_{name}", []) for name in _CHILDREN), strict=False)
    alone = {at for at, (left, right, one, other) in enumerate(both) if left and right and one == other != at}
    members = next((to_array(each.t) for each in node.attribute if each.name == "membership_values"), None)
    return not alone.isdisjoint(ints.get("tree_roots", [])) or (members is not None and bool((members == 0).any()))


def _may_lack_a_vote(node: NodeProto) -> bool:
    """Whether there are base values, and several targets, one of which has votes for some leaves only of each tree."""
    if all(each.name not in ("base_values", "base_values_as_tensor") for each in node.attribute):
        return False
    ints = _ints(node)
    modes = [mode for each in node.attribute if each.name == "nodes_modes" for mode in each.strings]
    ids = zip(ints.get("nodes_treeids", []), ints.get("nodes_nodeids", []), modes, strict=False)
    leaves: dict[int, set[int]] = {}
    for tree, leaf, mode in ids:
        if mode == b"LEAF":
            leaves.setdefault(tree, set()).add(leaf)
    votes: dict[tuple[int, int], set[int]] = {}
    names = ("target_treeids", "target_nodeids", "target_ids")
    for tree, leaf, target in zip(*(ints.get(name, []) for name in names), strict=False):
        votes.setdefault((tree, target), set()).add(leaf)
    surely = {target for (tree, target), voting in votes.items() if leaves.get(tree, set()) <= voting}
    targets = _number(node, "n_targets", 0)
    return targets > 1 and len(surely) < targets


CONDITIONS: dict[str, Callable[[NodeProto], bool]] = {
    "an axis is negative": _has_negative_axis,
    "onesided is not given": _lacks_onesided,
    "a function or the length of a sequence is given": _is_unusual_cell,
    "an output has the scores before softcap": _outputs_capped_scores,
    "dilations are given beside auto_pad SAME": partial(_is_beside_same, name="dilations", most=1),
    "a stride exceeds the kernel beside auto_pad SAME": _strides_past_kernel,
    "output_padding is given beside auto_pad SAME": partial(_is_beside_same, name="output_padding", most=0),
    "dilations are given for other than two axes": _dilates_other_ranks,
    "output_shape is given": _has_output_shape,
    "the last window may start after the input": _may_start_after_input,
    "the condition of the body may be false": _may_stop,
    "post_transform is another number in onnxruntime, or is left out": _transforms_otherwise,
    "one score is transformed": _transforms_one_score,
    "a tree is one leaf, or a set has the member 0": _has_leaf_or_member_0,
    "a target with a base value may have no vote": _may_lack_a_vote,
}
