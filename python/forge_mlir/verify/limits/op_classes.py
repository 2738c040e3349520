"""The classes of ops by what they do to the rounding of a result: one table, which the product and the tests read.

Units are of float32's (or the result's own type's) distance from 1 to the next number, times the element itself.
"""

from __future__ import annotations

MOVES = frozenset(
    [
        "Identity",
        "Reshape",
        "Flatten",
        "Squeeze",
        "Unsqueeze",
        "Transpose",
        "Slice",
        "Split",
        "Concat",
        "Expand",
        "Tile",
        "Pad",
        "Gather",
        "GatherElements",
        "GatherND",
        "DepthToSpace",
        "SpaceToDepth",
        "ReverseSequence",
        "Trilu",
        "Compress",
        "ScatterElements",
        "Scatter",
        "ScatterND",
        "Dropout",
        "MaxPool",
        "GlobalMaxPool",
        "ReduceMax",
        "CenterCropPad",
    ]
)
"""Each element of a result is an element of an operand, or the largest of some: no rounding."""

SCATTERS = frozenset(["ScatterElements", "ScatterND"])
"""Of these, those whose `reduction` adds or multiplies do not move."""

COMPARES = frozenset(
    [
        "And",
        "Or",
        "Not",
        "Xor",
        "Equal",
        "Less",
        "LessOrEqual",
        "Greater",
        "GreaterOrEqual",
        "IsNaN",
        "IsInf",
        "Sign",
        "Floor",
        "Ceil",
        "Round",
        "Relu",
        "Abs",
        "Neg",
        "Max",
        "Min",
        "Clip",
        "Where",
        "Cast",
        "CastLike",
        "ThresholdedRelu",
        "BitShift",
        "BitwiseAnd",
        "BitwiseNot",
        "BitwiseOr",
        "BitwiseXor",
        "Mod",
        "QuantizeLinear",
    ]
)
"""Element by element, and each operand exactly: no rounding of their own, but a threshold at which a result jumps."""

ROUNDED = {
    "Add": 2, "Sub": 2, "Mul": 2, "Div": 2, "Sqrt": 2, "Reciprocal": 2, "LeakyRelu": 2, "PRelu": 2, "Shrink": 2,
    "DequantizeLinear": 3, "Softsign": 4, "Exp": 4, "Log": 4, "Erf": 4, "Sin": 4, "Cos": 4, "Tan": 8, "Asin": 8,
    "Acos": 8, "Atan": 8, "Sinh": 8, "Cosh": 8, "Asinh": 8, "Acosh": 8, "Atanh": 8, "Tanh": 8, "Sigmoid": 8, "Pow": 8,
    "HardSigmoid": 4, "HardSwish": 6, "Swish": 10, "Gelu": 8, "FastGelu": 12, "QuickGelu": 12, "BiasGelu": 12,
    "Elu": 8, "Celu": 8, "Selu": 8, "Softplus": 8, "Mish": 12,
}  # fmt: skip
"""Element by element: the units that a result may be off. Two for what IEEE 754 rounds correctly, since a division may
be written as a multiplication; more for functions, of which each library has its own polynomial."""

OFFSETS = {
    "HardSigmoid": "one", "HardSwish": "operand", "Gelu": "operand", "FastGelu": "operand", "QuickGelu": "operand",
    "BiasGelu": "operand", "Elu": "one", "Celu": "one", "Selu": "one", "Softplus": "one", "Mish": "operand",
    "Pow": "logarithm", "Atanh": "one", "Asinh": "one", "Acosh": "one", "Acos": "one", "Sinh": "one",
}  # fmt: skip
"""Formulas that add to a number near 1 on their way, whose rounding is that of 1 (times the operand), or whose power is
the exponential of a product."""

SUMS = frozenset(
    [
        "Sum",
        "Mean",
        "MatMul",
        "Gemm",
        "Einsum",
        "Conv",
        "ConvTranspose",
        "CumSum",
        "ReduceSum",
        "ReduceMean",
        "AveragePool",
        "GlobalAveragePool",
        "FusedMatMul",
        "TransposeMatMul",
    ]
)
"""Sums of products of elements of the operands: linear in each."""

LINEAR = frozenset(["GridSample", "RoiAlign", "Col2Im"])
"""Sums of elements of the first operand with weights that the op computes: no rule, but linear in that operand."""

CENTRED = frozenset(["LayerNormalization", "InstanceNormalization", "GroupNormalization", "MeanVarianceNormalization"])
"""Of `ROWS`: those that subtract the mean of a row."""
ROWS = frozenset(
    [
        "Softmax",
        "LogSoftmax",
        "LayerNormalization",
        "SimplifiedLayerNormalization",
        "RMSNormalization",
        "InstanceNormalization",
        "GroupNormalization",
        "MeanVarianceNormalization",
        "BatchNormalization",
        "LpNormalization",
        "ReduceL1",
        "ReduceL2",
        "ReduceSumSquare",
        "ReduceLogSum",
        "ReduceLogSumExp",
        "ReduceMin",
        "DFT",
    ]
)
"""Functions of a whole row of elements, with formulas of their own."""

QUANTISE = {"DynamicQuantizeLSTM": (0, 5, 6), "DynamicQuantizeMatMul": (0,)}
"""Functions of a row that round to integers on their way: results have a quantum, which a rounding before it may move.
The operands that they round, or begin with."""

RECURRENT = {"LSTM": (0, 1, 2), "GRU": (0, 1, 2), "RNN": (0, 1, 2)}
"""Functions of a whole sequence, whose state carries the rounding of a step through all later ones. The operands whose
movement shows by how much it grows on the way."""
