"""The table of known deviations of onnxruntime, onnx.reference and onnx's shape inference from ONNX.

The product and the tests read it; test/python/support checks each row that has a `case` against the pinned releases.
Rows about operand values are for the fuzzer and for `verify --profile special`, which generate such values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from onnx import AttributeProto, NodeProto

Program = Literal["onnxruntime", "onnx.reference", "onnx shape inference"]
Condition = Literal["not finite", "not finite or huge", "large quotient", "saturating products"]


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
    """Applies only to nodes for which the reader of the table evaluates this keyword to true."""
    stand_in: str = ""
    """An op whose inference gives the right type."""
    case: str = ""
    """A case of onnx.backend.test that shows the deviation."""

    def concerns(self, node: NodeProto, opset: int) -> bool:
        """Whether the row applies to `node` of `opset`; the caller checks `when`."""
        first, last = self.opsets
        return (
            not node.domain
            and node.op_type == self.op
            and first <= opset <= (last or opset)
            and len(node.input) >= self.inputs
            and self.attributes.items() <= {attribute.name: _value(attribute) for attribute in node.attribute}.items()
        )


KNOWN_DEVIATIONS = (
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
        op="GlobalMaxPool",
        engine="onnx.reference",
        opsets=(1, 0),
        what="another shape and other values for ranks other than 4",
        reason="it takes the largest number over the last two axes, and puts as many back as there are spatial ones",
        link="https://onnx.ai/onnx/operators/onnx__GlobalMaxPool.html",
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
    Deviation(
        op="MaxPool",
        engine="onnx shape inference",
        opsets=(10, 0),
        attributes={"ceil_mode": 1},
        when="the last window may start after the input",
        what="one element too many per axis",
        reason="a window that would start in the right padding is none",
        link="https://github.com/onnx/onnx/issues/5711",
    ),
    Deviation(
        op="AveragePool",
        engine="onnx shape inference",
        opsets=(10, 0),
        attributes={"ceil_mode": 1},
        when="the last window may start after the input",
        what="one element too many per axis",
        reason="a window that would start in the right padding is none",
        link="https://github.com/onnx/onnx/issues/5711",
    ),
    Deviation(
        op="LpPool",
        engine="onnx shape inference",
        opsets=(18, 0),
        attributes={"ceil_mode": 1},
        when="the last window may start after the input",
        what="one element too many per axis",
        reason="a window that would start in the right padding is none",
        link="https://github.com/onnx/onnx/issues/5711",
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


@dataclass(frozen=True)
class OperandDeviation:
    """A row that applies only to operands with certain values."""

    ops: tuple[str, ...]
    """Op types of any version and domain."""
    engine: Program
    when: Condition
    """The condition on operands, which `support.operand_conditions` evaluates."""
    reason: str
    ordinary: bool = False
    """Whether operands of any run may meet the condition, not only those of the profile `special`."""


OPERAND_DEVIATIONS = (
    OperandDeviation(
        ops=(
            *("MatMulInteger", "ConvInteger", "QLinearMatMul", "QLinearConv", "QGemm", "MatMulIntegerToFloat"),
            *("DynamicQuantizeMatMul", "DynamicQuantizeLSTM", "QAttention"),
        ),
        engine="onnxruntime",
        when="saturating products",
        reason="without VNNI, the sum of two products of 8-bit integers is saturated to 16 bits, which signed weights "
        "of the whole range exceed",
        ordinary=True,
    ),
    OperandDeviation(
        ops=("GRU", "LSTM", "RNN", "DynamicQuantizeLSTM", "Attention"),
        engine="onnxruntime",
        when="not finite",
        reason="its sigmoid and tanh clamp what they are given: NaN becomes a number, and the product with a "
        "first state of 0 is left out",
    ),
    OperandDeviation(
        ops=("GridSample", "DeformConv", "RoiAlign"),
        engine="onnxruntime",
        when="not finite or huge",
        reason="it converts a coordinate to an integer, which C++ does not define beyond 2^31",
    ),
    OperandDeviation(
        ops=("LayerNormalization", "InstanceNormalization", "GroupNormalization", "SkipLayerNormalization"),
        engine="onnxruntime",
        when="not finite",
        reason="it takes the mean by running differences, in which one infinity makes NaN; the sum is an infinity",
    ),
    OperandDeviation(
        ops=("QuantizeLinear",),
        engine="onnxruntime",
        when="not finite",
        reason="it converts an infinity of float16 to uint16 0; ONNX saturates",
    ),
    OperandDeviation(
        ops=("QuantizeLinear",),
        engine="onnx.reference",
        when="large quotient",
        reason="it converts to int32 before it saturates, so that large numbers wrap",
    ),
    OperandDeviation(
        ops=("MaxRoiPool", "MaxPool"),
        engine="onnxruntime",
        when="not finite",
        reason="it keeps a number where the next one is not larger, so that a NaN is passed over; a maximum "
        "with NaN is NaN",
    ),
    OperandDeviation(
        ops=("MaxPool",),
        engine="onnx.reference",
        when="not finite",
        reason="it takes a NaN for padding, which it passes over",
    ),
    OperandDeviation(
        ops=("GlobalMaxPool",),
        engine="onnxruntime",
        when="not finite",
        reason="it passes over a NaN, as MaxPool does",
    ),
    OperandDeviation(
        ops=("LRN",),
        engine="onnxruntime",
        when="not finite or huge",
        reason="it sums squares by running differences, so that an infinity makes NaN of the elements after it",
    ),
    OperandDeviation(
        ops=("ArgMax", "ArgMin", "Hardmax", "TopK"),
        engine="onnxruntime",
        when="not finite",
        reason="where it places a NaN depends on the position; onnx.reference takes the first NaN for the largest and "
        "for the smallest element, and TopK orders it above infinity",
    ),
    OperandDeviation(
        ops=("DynamicQuantizeLinear",),
        engine="onnxruntime",
        when="not finite or huge",
        reason="the range has no scale, and its zero point is an integer made of NaN, which ONNX leaves open",
    ),
    OperandDeviation(
        ops=("DynamicQuantizeLinear",),
        engine="onnx.reference",
        when="not finite or huge",
        reason="the range has no scale, and its zero point is an integer made of NaN, which ONNX leaves open",
    ),
    OperandDeviation(
        ops=("DFT", "STFT"),
        engine="onnxruntime",
        when="not finite",
        reason="its algorithm decides which elements an infinity is multiplied by 0 for, and which it reaches at all",
    ),
    OperandDeviation(
        ops=("DFT", "STFT"),
        engine="onnx.reference",
        when="not finite",
        reason="its algorithm decides which elements an infinity is multiplied by 0 for, and which it reaches at all",
    ),
    OperandDeviation(
        ops=("GridSample",),
        engine="onnx.reference",
        when="not finite or huge",
        reason="it converts a coordinate to an integer, and raises an error for NaN",
    ),
    OperandDeviation(
        ops=("LSTM",),
        engine="onnx.reference",
        when="not finite",
        reason="it multiplies cells by peepholes of 0 where there are none, so that an infinite cell becomes NaN",
    ),
    OperandDeviation(
        ops=("Attention",),
        engine="onnx.reference",
        when="not finite or huge",
        reason="a row of scores that are all -inf gives 0, masked or not; the softmax that ONNX writes there gives NaN",
    ),
)

_BY_OP = {row.op: [each for each in KNOWN_DEVIATIONS if each.op == row.op] for row in KNOWN_DEVIATIONS}


def deviations_of(engine: Program, node: NodeProto, opset: int) -> list[Deviation]:
    """The rows that apply to `node` and `engine`."""
    return [row for row in _BY_OP.get(node.op_type, ()) if row.engine == engine and row.concerns(node, opset)]


def _value(attribute: AttributeProto) -> str | int:
    """A string or integer attribute as written in the table, which contains no others."""
    return str(attribute.s.decode("utf-8", "replace")) if attribute.s else int(attribute.i)
