"""The table of known deviations of onnxruntime, onnx.reference and onnx's shape inference from ONNX.

The product and the tests read it; test/python/support checks each row that has a `case` against the pinned releases.
Deviations for certain operand values are in `operand_deviations`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from onnx import AttributeProto, NodeProto

Program = Literal["onnxruntime", "onnx.reference", "onnx shape inference"]
_ENGINES: tuple[Program, Program] = ("onnxruntime", "onnx.reference")


@dataclass(frozen=True)
class Deviation:
    """A row of the table."""

    op: str
    """An op in ONNX's own domain."""
    engine: Program
    opsets: tuple[int, int]
    """The first and the last opset of the op; 0 for an open end."""
    what: str
    """The deviation."""
    reason: str
    """The reason, or the consequence for this project."""
    link: str
    """The upstream report, or the part of the specification."""
    attributes: Mapping[str, str | int] = field(default_factory=dict)
    """Applies only to nodes with these attribute values."""
    inputs: int = 0
    """Applies only to nodes with at least this many inputs."""
    when: str = ""
    """Applies only to nodes for which this condition of `CONDITIONS` holds."""
    stand_in: str = ""
    """An op whose inference gives the right type."""
    case: str = ""
    """A case of onnx.backend.test that shows the deviation."""

    def concerns(self, node: NodeProto, opset: int) -> bool:
        """Whether the row applies to `node` of `opset`."""
        first, last = self.opsets
        return (
            not node.domain
            and node.op_type == self.op
            and first <= opset <= (last or opset)
            and len(node.input) >= self.inputs
            and self.attributes.items() <= {attribute.name: _value(attribute) for attribute in node.attribute}.items()
            and (not self.when or CONDITIONS[self.when](node))
        )


def _has_negative_axis(node: NodeProto) -> bool:
    return any(axis < 0 for attribute in node.attribute for axis in attribute.ints)


def _may_start_after_input(node: NodeProto) -> bool:
    """Whether the last window of a pool may start in the trailing padding."""
    attributes = {attribute.name: list(attribute.ints) for attribute in node.attribute}
    kernel = attributes.get("kernel_shape", [])
    ones, zeros = [1] * len(kernel), [0] * 2 * len(kernel)
    ends = attributes.get("pads", zeros)[len(kernel) :]
    windows = zip(kernel, attributes.get("dilations", ones), attributes.get("strides", ones), ends, strict=False)
    return any(stride + end > (size - 1) * dilation + 1 for size, dilation, stride, end in windows)


def _is_beside_same(node: NodeProto, name: str, most: int) -> bool:
    """Whether the attribute `name` has a value above `most` beside auto_pad SAME."""
    attributes = {attribute.name: attribute for attribute in node.attribute}
    same = "auto_pad" in attributes and attributes["auto_pad"].s.startswith(b"SAME")
    return same and name in attributes and any(value > most for value in attributes[name].ints)


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


CONDITIONS: dict[str, Callable[[NodeProto], bool]] = {
    "a function or the length of a sequence is given": _is_unusual_cell,
    "an axis is negative": _has_negative_axis,
    "an output has the scores before softcap": _outputs_capped_scores,
    "dilations are given beside auto_pad SAME": partial(_is_beside_same, name="dilations", most=1),
    "onesided is not given": lambda node: all(attribute.name != "onesided" for attribute in node.attribute),
    "output_padding is given beside auto_pad SAME": partial(_is_beside_same, name="output_padding", most=0),
    "output_shape is given": lambda node: any(attribute.name == "output_shape" for attribute in node.attribute),
    "the last window may start after the input": _may_start_after_input,
}
"""The conditions on nodes that rows name."""

KNOWN_DEVIATIONS = (
    *(
        Deviation(
            op=op,
            engine="onnx.reference",
            opsets=(1, 0),
            when="a function or the length of a sequence is given",
            what="the results of the default functions for whole sequences",
            reason="it ignores activations, clip, input_forget and sequence_lens",
            link=f"https://onnx.ai/onnx/operators/onnx__{op}.html",
        )
        for op in ("GRU", "LSTM", "RNN")
    ),
    Deviation(
        op="Attention",
        engine="onnx.reference",
        opsets=(23, 0),
        when="an output has the scores before softcap",
        what="the scores after softcap",
        reason="it overwrites them",
        link="https://onnx.ai/onnx/operators/onnx__Attention.html",
    ),
    Deviation(
        op="BatchNormalization",
        engine="onnx.reference",
        opsets=(6, 13),
        what="the mean and the variance of the batch are mixed in",
        reason="it computes what a training does wherever there is a momentum, which is an attribute with a default",
        link="https://onnx.ai/onnx/operators/onnx__BatchNormalization.html",
    ),
    Deviation(
        op="Optional",
        engine="onnx.reference",
        opsets=(15, 0),
        what="a list that contains the tensor, so that the result of OptionalGetElement has one axis more",
        reason="it represents an optional value as a list",
        link="https://onnx.ai/onnx/operators/onnx__Optional.html",
    ),
    Deviation(
        op="DFT",
        engine="onnxruntime",
        opsets=(17, 0),
        what="values that are zero come out as up to 1e-4",
        reason="it sums in float32, onnx.reference in float64; ONNX's cases allow 1e-7",
        link="https://onnx.ai/onnx/operators/onnx__DFT.html",
        case="test_dft",
    ),
    Deviation(
        op="STFT",
        engine="onnxruntime",
        opsets=(17, 0),
        what="values that are zero come out as up to 1e-5",
        reason="it sums in float32, onnx.reference in float64; ONNX's cases allow 1e-7",
        link="https://onnx.ai/onnx/operators/onnx__STFT.html",
        case="test_stft",
    ),
    Deviation(
        op="MaxUnpool",
        engine="onnxruntime",
        opsets=(9, 0),
        inputs=3,
        what="the elements are at other positions if output_shape is given",
        reason="it reads indices as positions in the output, ONNX as positions in the output that the pooling implies",
        link="https://github.com/onnx/onnx/issues/2398",
        case="test_maxunpool_export_with_output_shape",
    ),
    *(
        Deviation(
            op="QuantizeLinear",
            engine="onnxruntime",
            opsets=(23, 0),
            attributes={"precision": precision},
            what="other integers next to the middle of two, and instead of those that an overflow gives",
            reason="it divides in float32, not in the 16-bit type of precision",
            link="https://onnx.ai/onnx/operators/onnx__QuantizeLinear.html",
        )
        for precision in (10, 16)
    ),
    Deviation(
        op="Resize",
        engine="onnxruntime",
        opsets=(11, 0),
        attributes={"coordinate_transformation_mode": "align_corners"},
        what="other values where scale times length is no integer",
        reason="it aligns corners with the whole length of the result, ONNX with scale times length",
        link="https://github.com/onnx/onnx/issues/2462",
        case="test_resize_downsample_scales_linear_align_corners",
    ),
    Deviation(
        op="LpNormalization",
        engine="onnx.reference",
        opsets=(1, 0),
        attributes={"p": 1},
        what="other values for negative elements",
        reason="its L1 norm sums the values, not their absolute values",
        link="https://github.com/onnx/onnx/pull/8427",
    ),
    Deviation(
        op="Softmax",
        engine="onnx.reference",
        opsets=(1, 12),
        what="other values where there are axes after the given one",
        reason="it knows the meaning of opset 13 only, which is along one axis; before, all axes from the given one on",
        link="https://onnx.ai/onnx/operators/onnx__Softmax.html",
    ),
    Deviation(
        op="LogSoftmax",
        engine="onnx.reference",
        opsets=(1, 12),
        what="other values where there are axes after the given one",
        reason="it knows the meaning of opset 13 only, which is along one axis; before, all axes from the given one on",
        link="https://onnx.ai/onnx/operators/onnx__LogSoftmax.html",
    ),
    Deviation(
        op="Hardmax",
        engine="onnx.reference",
        opsets=(1, 12),
        what="other values where there are axes after the given one",
        reason="it knows the meaning of opset 13 only, which is along one axis; before, all axes from the given one on",
        link="https://onnx.ai/onnx/operators/onnx__Hardmax.html",
    ),
    Deviation(
        op="ConvTranspose",
        engine="onnx.reference",
        opsets=(1, 0),
        what="other values, or an error, for group > 1",
        reason="it mixes up the groups",
        link="https://onnx.ai/onnx/operators/onnx__ConvTranspose.html",
    ),
    Deviation(
        op="MaxPool",
        engine="onnx.reference",
        opsets=(1, 0),
        what="input is cut off where auto_pad needs no pads",
        reason="it takes the missing pads, a negative number, off the input",
        link="https://onnx.ai/onnx/operators/onnx__MaxPool.html",
    ),
    Deviation(
        op="LpPool",
        engine="onnx.reference",
        opsets=(1, 0),
        what="other values for ceil_mode = 1",
        reason="a window that sticks out counts as a whole one",
        link="https://onnx.ai/onnx/operators/onnx__LpPool.html",
    ),
    Deviation(
        op="LRN",
        engine="onnx.reference",
        opsets=(1, 0),
        what="other values where there are more channels than samples",
        reason="it sums squares for as many channels as the batch has samples, and takes 0 for the others",
        link="https://onnx.ai/onnx/operators/onnx__LRN.html",
    ),
    Deviation(
        op="LRN",
        engine="onnxruntime",
        opsets=(1, 0),
        what="values that are off by percents next to large ones",
        reason="it sums squares by running differences, in which the rounding error of a large square stays",
        link="https://onnx.ai/onnx/operators/onnx__LRN.html",
    ),
    Deviation(
        op="GroupNormalization",
        engine="onnx.reference",
        opsets=(18, 0),
        what="NaN, or other numbers, for rows of similar elements",
        reason="it subtracts the square of the mean from the mean of the squares in float32",
        link="https://onnx.ai/onnx/operators/onnx__GroupNormalization.html",
    ),
    Deviation(
        op="GlobalMaxPool",
        engine="onnx.reference",
        opsets=(1, 0),
        what="another shape and other values for ranks other than 4",
        reason="it takes the largest number over the last two axes, and puts as many back as there are spatial ones",
        link="https://onnx.ai/onnx/operators/onnx__GlobalMaxPool.html",
    ),
    Deviation(
        op="MeanVarianceNormalization",
        engine="onnx.reference",
        opsets=(9, 0),
        what="NaN, or numbers that are many times too large, for rows of similar elements",
        reason="it subtracts the square of the mean from the mean of the squares in float32, and runs no float64",
        link="https://onnx.ai/onnx/operators/onnx__MeanVarianceNormalization.html",
    ),
    Deviation(
        op="MeanVarianceNormalization",
        engine="onnx shape inference",
        opsets=(9, 0),
        stand_in="Identity",
        what="valid models are refused",
        reason="it infers through the op's function body, which it finds invalid; the type is that of the input",
        link="https://onnx.ai/onnx/operators/onnx__MeanVarianceNormalization.html",
    ),
    Deviation(
        op="Squeeze",
        engine="onnx shape inference",
        opsets=(1, 10),
        when="an axis is negative",
        what="the axis is kept",
        reason="axes counted from the front until opset 11; onnxruntime takes negative ones of any opset",
        link="https://onnx.ai/onnx/operators/onnx__Squeeze.html",
    ),
    Deviation(
        op="Unsqueeze",
        engine="onnx shape inference",
        opsets=(1, 10),
        when="an axis is negative",
        what="the model is refused",
        reason="axes counted from the front until opset 11; onnxruntime takes negative ones of any opset",
        link="https://onnx.ai/onnx/operators/onnx__Unsqueeze.html",
    ),
    *(
        Deviation(
            op=op,
            engine="onnx shape inference",
            opsets=(first, 0),
            attributes={"ceil_mode": 1},
            when="the last window may start after the input",
            what="one element too many per axis",
            reason="a window that would start in the right padding is none",
            link="https://github.com/onnx/onnx/issues/5711",
        )
        for op, first in (("MaxPool", 10), ("AveragePool", 10), ("LpPool", 18))
    ),
    *(
        Deviation(
            op=op,
            engine=engine,
            opsets=(first, 0),
            when="dilations are given beside auto_pad SAME",
            what="other windows, often fewer",
            reason="it pads as if there were no dilations",
            link=f"https://onnx.ai/onnx/operators/onnx__{op}.html",
        )
        for op, first in (("MaxPool", 10), ("AveragePool", 19), ("LpPool", 18))
        for engine in _ENGINES
    ),
    Deviation(
        op="ConvTranspose",
        engine="onnx shape inference",
        opsets=(1, 0),
        when="output_shape is given",
        what="a shape that ends before the first size that is smaller than that of the input",
        reason="it takes such a size for an error",
        link="https://onnx.ai/onnx/operators/onnx__ConvTranspose.html",
    ),
    Deviation(
        op="ConvTranspose",
        engine="onnx shape inference",
        opsets=(1, 0),
        when="output_padding is given beside auto_pad SAME",
        what="sizes that are too large",
        reason="it adds output_padding to the size that auto_pad SAME gives",
        link="https://onnx.ai/onnx/operators/onnx__ConvTranspose.html",
    ),
    Deviation(
        op="STFT",
        engine="onnx shape inference",
        opsets=(17, 0),
        when="onesided is not given",
        what="the length of the whole spectrum",
        reason="its default of onesided is 0, ONNX's is 1",
        link="https://onnx.ai/onnx/operators/onnx__STFT.html",
    ),
)

_BY_OP = {row.op: [each for each in KNOWN_DEVIATIONS if each.op == row.op] for row in KNOWN_DEVIATIONS}


def deviations_of(engine: Program, node: NodeProto, opset: int) -> list[Deviation]:
    """The rows that apply to `node` and `engine`."""
    return [row for row in _BY_OP.get(node.op_type, ()) if row.engine == engine and row.concerns(node, opset)]


def _value(attribute: AttributeProto) -> str | int:
    """A string or integer attribute as written in the table, which contains no others."""
    return str(attribute.s.decode("utf-8", "replace")) if attribute.s else int(attribute.i)
