"""The table of known deviations of onnxruntime, onnx.reference and onnx's shape inference from ONNX.

The product and the tests read it; test/python/support checks each row that has a `case` against the pinned releases.
Deviations for certain operand values are in `operand_deviations`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from forge_mlir.support.node_conditions import CONDITIONS

if TYPE_CHECKING:
    from onnx import AttributeProto, NodeProto

Program = Literal["onnxruntime", "onnx.reference", "onnx shape inference"]
_ENGINES: tuple[Program, Program] = ("onnxruntime", "onnx.reference")


@dataclass(frozen=True)
class Deviation:
    """A row of the table."""

    op: str
    engine: Program
    opsets: tuple[int, int]
    """The first and the last opset of the op; 0 for an open end."""
    what: str
    """The deviation."""
    reason: str
    """The reason, or the consequence for this project."""
    link: str
    """The upstream report, or the part of the specification."""
    domain: str = ""
    """The domain of the op; `opsets` are its versions."""
    attributes: Mapping[str, str | int] = field(default_factory=dict)
    """Applies only to nodes with these attribute values."""
    inputs: int = 0
    """Applies only to nodes with at least this many inputs."""
    absent: int | None = None
    """Applies only to nodes without this input."""
    when: str = ""
    """Applies only to nodes that meet this condition, which `support.node_conditions` evaluates."""
    stand_in: str = ""
    """An op whose inference gives the right type."""
    case: str = ""
    """A case of onnx.backend.test that shows the deviation."""

    def concerns(self, node: NodeProto, opset: int) -> bool:
        """Whether the row applies to `node` of `opset`, the version of its domain."""
        first, last = self.opsets
        return (
            (node.domain, node.op_type) == (self.domain, self.op)
            and first <= opset <= (last or opset)
            and len(node.input) >= self.inputs
            and (self.absent is None or not any(node.input[self.absent : self.absent + 1]))
            and self.attributes.items() <= {attribute.name: _value(attribute) for attribute in node.attribute}.items()
            and (not self.when or CONDITIONS[self.when](node))
        )


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
    *(
        Deviation(
            op=op,
            engine="onnxruntime",
            opsets=(17, 0),
            what=f"values that are zero come out as up to {largest}",
            reason="it sums in float32, onnx.reference in float64; ONNX's cases allow 1e-7",
            link=f"https://onnx.ai/onnx/operators/onnx__{op}.html",
            case=f"test_{op.lower()}",
        )
        for op, largest in (("DFT", "1e-4"), ("STFT", "1e-5"))
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
    *(
        Deviation(
            op="Attention",
            engine="onnxruntime",
            opsets=(23, 0),
            attributes={"softmax_precision": precision},
            what="another rounding, and other results where a score overflows",
            reason="its softmax is in float32, not in the 16-bit type of softmax_precision",
            link="https://onnx.ai/onnx/operators/onnx__Attention.html",
        )
        for precision in (10, 16)
    ),
    Deviation(
        op="Col2Im",
        engine="onnxruntime",
        opsets=(18, 0),
        when="dilations are given for other than two axes",
        what="sums of other elements if there are several channels",
        reason="its algorithm for any number of axes reads other columns; that for two axes is right",
        link="https://onnx.ai/onnx/operators/onnx__Col2Im.html",
    ),
    *(
        Deviation(
            op="Cast",
            engine="onnxruntime",
            opsets=(21, 0),
            attributes={"to": to},
            what="the nearest integer of a float",
            reason="it truncates floats to other integers, as onnx.reference does to these",
            link="https://onnx.ai/onnx/operators/onnx__Cast.html",
        )
        for to in (21, 22)
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
    *(
        Deviation(
            op=op,
            engine="onnx.reference",
            opsets=(1, 12),
            what="other values where there are axes after the given one",
            reason="it knows opset 13 only, which is along one axis; before, all axes from the given one on",
            link=f"https://onnx.ai/onnx/operators/onnx__{op}.html",
        )
        for op in ("Softmax", "LogSoftmax", "Hardmax")
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
    *(
        Deviation(
            op=op,
            engine="onnxruntime",
            opsets=(1, 0),
            when="a stride exceeds the kernel beside auto_pad SAME",
            what="windows that start after the first elements",
            reason="it takes the missing pads, a negative number, off the input",
            link=f"https://onnx.ai/onnx/operators/onnx__{op}.html",
        )
        for op in ("AveragePool", "LpPool")
    ),
    Deviation(
        op="AveragePool",
        engine="onnx.reference",
        opsets=(1, 6),
        what="smaller averages at the edges of padded input",
        reason="it counts the padding, which count_include_pad asks for since opset 7 only",
        link="https://onnx.ai/onnx/operators/onnx__AveragePool.html",
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
        op="Loop",
        engine="onnxruntime",
        opsets=(1, 0),
        absent=1,
        when="the condition of the body may be false",
        what="fewer iterations where the body's condition becomes false",
        reason="it obeys the condition that the body computes, which ONNX ignores if there is no condition input",
        link="https://onnx.ai/onnx/operators/onnx__Loop.html",
    ),
    Deviation(
        op="TreeEnsemble",
        engine="onnxruntime",
        domain="ai.onnx.ml",
        opsets=(5, 0),
        when="post_transform is another number in onnxruntime, or is left out",
        what="the softmax in place of the logistic function, and the other way round; of one target, neither",
        reason="it numbers them otherwise than ONNX, and transforms one score by PROBIT only",
        link="https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsemble.html",
    ),
    Deviation(
        op="TreeEnsemble",
        engine="onnx.reference",
        domain="ai.onnx.ml",
        opsets=(5, 0),
        when="a tree is one leaf, or a set has the member 0",
        what="another leaf",
        reason="it takes the leaf with the index of the root, and 0 for the end of a set",
        link="https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsemble.html",
    ),
    Deviation(
        op="TreeEnsembleRegressor",
        engine="onnxruntime",
        domain="ai.onnx.ml",
        opsets=(1, 0),
        when="a target with a base value may have no vote",
        what="0 for a target that gets no vote",
        reason="of several targets, it adds the base values only to those that got a vote",
        link="https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsembleRegressor.html",
    ),
    Deviation(
        op="TreeEnsembleRegressor",
        engine="onnxruntime",
        domain="ai.onnx.ml",
        opsets=(1, 0),
        when="one score is transformed",
        what="the score without its transform",
        reason="it transforms the score of one target by PROBIT only",
        link="https://onnx.ai/onnx/operators/onnx_aionnxml_TreeEnsembleRegressor.html",
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
    *(
        Deviation(
            op=op,
            engine="onnx shape inference",
            opsets=(1, 10),
            when="an axis is negative",
            what=what,
            reason="axes counted from the front until opset 11; onnxruntime takes negative ones of any opset",
            link=f"https://onnx.ai/onnx/operators/onnx__{op}.html",
        )
        for op, what in (("Squeeze", "the axis is kept"), ("Unsqueeze", "the model is refused"))
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
