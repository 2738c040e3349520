"""The classes of ops by their effect on rounding errors: one table, for the product and the tests.

A unit is the distance from 1 to the next number in float32 (or in the result's own type), times the element itself.
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
"""Each element of a result is an element of an operand, or the maximum of several: no rounding."""

SCATTERS = frozenset(["ScatterElements", "ScatterND"])
"""Ops that do not only move if their `reduction` adds or multiplies."""

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
"""Elementwise and exact, but with a threshold at which a result jumps."""

ROUNDED = {
    "Add": 2, "Sub": 2, "Mul": 2, "Div": 2, "Sqrt": 2, "Reciprocal": 2, "LeakyRelu": 2, "PRelu": 2, "Shrink": 2,
    "DequantizeLinear": 3, "Softsign": 4, "Exp": 4, "Log": 4, "Erf": 4, "Sin": 4, "Cos": 4, "Tan": 8, "Asin": 8,
    "Acos": 8, "Atan": 8, "Sinh": 8, "Cosh": 8, "Asinh": 8, "Acosh": 8, "Atanh": 8, "Tanh": 8, "Sigmoid": 8, "Pow": 8,
    "HardSigmoid": 4, "HardSwish": 6, "Swish": 10, "Gelu": 8, "FastGelu": 12, "QuickGelu": 12, "BiasGelu": 12,
    "Elu": 8, "Celu": 8, "Selu": 8, "Softplus": 8, "Mish": 12,
}  # fmt: skip
"""Elementwise: the allowed error in units. Two for ops that IEEE 754 rounds correctly, because a division may be a
multiplication by the reciprocal; more for functions, for which libraries have different approximations."""

OFFSETS = {
    "HardSigmoid": "one", "HardSwish": "operand", "Gelu": "operand", "FastGelu": "operand", "QuickGelu": "operand",
    "BiasGelu": "operand", "Elu": "one", "Celu": "one", "Selu": "one", "Softplus": "one", "Mish": "operand",
    "Pow": "logarithm", "Atanh": "one", "Asinh": "one", "Acosh": "one", "Acos": "one", "Sinh": "one",
}  # fmt: skip
"""Formulas that add an operand to 1 in an intermediate step, whose rounding error is that of 1 (times the operand), or
whose power is the exponential of a product."""

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
"""Sums of products of elements of the operands, linear in each operand."""

LINEAR = frozenset(["GridSample", "RoiAlign", "Col2Im"])
"""Sums of elements of the first operand with weights that the op computes: no rule, but linear in that operand."""

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
        "GlobalLpPool",
        "DFT",
    ]
)
"""Functions of a whole row of elements, with formulas of their own."""

QUANTISE = {"DynamicQuantizeLSTM": (0, 5, 6), "DynamicQuantizeMatMul": (0,)}
"""Functions of a row that round intermediate results to integers: a preceding rounding error may change a result by a
whole step. The operands that are rounded, or that the rounded value is computed from."""

RECURRENT = {"LSTM": (0, 1, 2), "GRU": (0, 1, 2), "RNN": (0, 1, 2)}
"""Functions of a whole sequence, whose state propagates rounding errors of a step to all later ones. The operands whose
movement shows how much they grow."""

INTERPOLATE = ("Resize", "Upsample")
BY_PLACE = frozenset(["GridSample", "DeformConv", "RoiAlign", "DFT", "STFT", "DynamicQuantizeLinear"])
"""Ops in which an operand selects what is read, or in which the algorithm determines where non-finite numbers
propagate."""
OF_ONE_STEP = COMPARES | MOVES | {"Add", "Sub", "Mul", "Div", "Sqrt", "Neg"}
"""Ops without intermediate results that may overflow."""
