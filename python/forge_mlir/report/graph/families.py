"""The families of ops, each of which has a colour in the report."""

from __future__ import annotations

from collections.abc import Mapping

FAMILIES: Mapping[str, str] = {
    "products and convolutions": """
        Matmul Conv2d Conv2dTranspose Conv3d MatMul Gemm Einsum Conv ConvTranspose DeformConv MatMulInteger
        ConvInteger QLinearMatMul QLinearConv MatMulNBits FusedMatMul FusedGemm FusedConv NhwcConv GemmFastGelu
        TransposeMatMul MatMulIntegerToFloat DynamicQuantizeMatMul MoE QMoE GemmFloat8 MatMulBnb4
        FusedMatMulActivation
    """,
    "attention and recurrence": """
        UpdateCache FillCache Attention MultiHeadAttention GroupQueryAttention QAttention LSTM GRU RNN
        RotaryEmbedding DecoderMaskedMultiHeadAttention PackedAttention PackedMultiHeadAttention TensorScatter
        LinearAttention PagedAttention SparseAttention FlexAttention DynamicQuantizeLSTM
        DecoderMaskedSelfAttention CausalConvWithState
    """,
    "norms and softmax": """
        Layernorm Batchnorm LayerNormalization SimplifiedLayerNormalization SkipLayerNormalization
        BatchNormalization SkipSimplifiedLayerNormalization InstanceNormalization GroupNormalization GroupNorm
        RMSNormalization LRN LpNormalization MeanVarianceNormalization Softmax LogSoftmax Hardmax
        EmbedLayerNormalization Normalizer SkipGroupNorm BiasSoftmax
    """,
    "activations": """
        Relu LeakyRelu PRelu Elu Selu Celu Gelu FastGelu QuickGelu BiasGelu Sigmoid HardSigmoid HardSwish Silu
        Swish Mish Softplus Softsign Tanh ThresholdedRelu Shrink Clip Dropout BiasAdd BiasSplitGelu
        BitmaskDropout SwiGLU
    """,
    "arithmetic": """
        Subtract Multiply Divide Power Remainder Sine Cosine Heaviside LogicalNot LogicalAnd NotEqual LessEqual
        GreaterEqual Add Sub Mul Div Pow Sqrt Exp Log Neg Abs Reciprocal Erf Sin Cos Tan Asin Acos Atan Sinh
        Cosh Asinh Acosh Atanh Floor Ceil Round Sign Mod Min Max Mean Sum And Or Xor Not Equal Greater
        GreaterOrEqual Less LessOrEqual Where IsNaN IsInf BitShift BitwiseAnd BitwiseOr BitwiseXor BitwiseNot
        CumSum CumProd Cast CastLike Det Scaler Binarizer Inverse BitCast
    """,
    "reductions and pools": """
        ReduceAvg Argmax MaxPool1d MaxPool2d AvgPool1d AvgPool2d ReduceSum ReduceMean ReduceMax ReduceMin
        ReduceProd ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceSumSquare ArgMax ArgMin TopK MaxPool
        AveragePool GlobalAveragePool GlobalMaxPool LpPool GlobalLpPool MaxUnpool MaxRoiPool RoiAlign
        NhwcMaxPool QLinearAveragePool QLinearGlobalAveragePool
    """,
    "movement": """
        Upsample2d Downsample2d Stack Select Resize1d Resize2d Repeat RepeatInterleave PixelShuffle Index
        ConstantPad Concatenate Broadcast HStack Reshape Transpose Concat Split Slice Squeeze Unsqueeze Flatten
        Expand Tile Pad Identity Resize Upsample DepthToSpace SpaceToDepth Col2Im ReverseSequence CenterCropPad
        GridSample AffineGrid Compress Trilu ImageDecoder NhwcFusedConv UnfoldTensor Crop DynamicSlice
    """,
    "indexing and shapes": """
        Embedding AdvIndex IndexCopy Gather GatherElements GatherND Scatter ScatterElements ScatterND OneHot
        Shape Size Range Constant ConstantOfShape EyeLike NonZero Unique NonMaxSuppression GatherBlockQuantized
        ArrayFeatureExtractor
    """,
    "quantisation": """
        QuantizeLinear DequantizeLinear DynamicQuantizeLinear QLinearAdd QLinearMul QLinearSigmoid
        QLinearLeakyRelu QLinearConcat QLinearSoftmax QLinearReduceMean QGemm QLinearWhere BlockQuantize
    """,
    "control and sequences": """
        If Loop Scan SequenceAt SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength
        SequenceMap ConcatFromSequence SplitToSequence Optional OptionalGetElement OptionalHasElement
    """,
}
"""The ops of each family, by their names in any domain, and Forge's names if they differ."""

OTHER = "other"

_FAMILY_OF = {op: family for family, ops in FAMILIES.items() for op in ops.split()}


def family_of(op: str) -> str:
    """The family of an op; `OTHER` if it is in none."""
    return _FAMILY_OF.get(op, OTHER)
