"""The ops of ``forge.op``, computed on torch with Forge's own checks.

An op lives in the file of its family: elementwise of one, two or more operands, matmul, convolution, pooling,
resize, reduce, tm (tensor movement), nn, embedding, kv_cache, misc, constant. Module classes are in nn and loss.
"""

from . import loss, nn
from .constant import Constant
from .convolution import Conv2d, Conv2dTranspose
from .eltwise_binary import (
    Add,
    BitwiseAnd,
    Divide,
    Equal,
    Greater,
    GreaterEqual,
    Heaviside,
    Less,
    LessEqual,
    LogicalAnd,
    Max,
    Min,
    Multiply,
    NotEqual,
    Power,
    Remainder,
    Subtract,
)
from .eltwise_nary import Concatenate, IndexCopy, Stack, Where
from .eltwise_unary import (
    Abs,
    Atan,
    Cast,
    Clip,
    Cosine,
    Erf,
    Exp,
    Gelu,
    Identity,
    LeakyRelu,
    Log,
    LogicalNot,
    Pow,
    Reciprocal,
    Relu,
    Sigmoid,
    Sine,
    Sqrt,
    Tanh,
)
from .embedding import Embedding
from .kv_cache import FillCache, UpdateCache
from .matmul import Matmul
from .misc import CumSum
from .nn import Batchnorm, Dropout, Layernorm, LogSoftmax, MaxPool2dModule, Softmax
from .pooling import AvgPool1d, AvgPool2d, MaxPool1d, MaxPool2d
from .reduce import Argmax, ReduceAvg, ReduceMax, ReduceSum
from .resize import Downsample2d, Resize1d, Resize2d, Upsample2d
from .tm import (
    AdvIndex,
    Broadcast,
    ConstantPad,
    Index,
    Pad,
    PixelShuffle,
    Repeat,
    RepeatInterleave,
    Reshape,
    Select,
    Squeeze,
    Transpose,
    Unsqueeze,
)

__all__ = [
    "Abs", "Add", "AdvIndex", "Argmax", "Atan", "AvgPool1d", "AvgPool2d", "Batchnorm", "BitwiseAnd", "Broadcast",
    "Cast", "Clip", "Concatenate", "Constant", "ConstantPad", "Conv2d", "Conv2dTranspose", "Cosine", "CumSum",
    "Divide", "Downsample2d", "Dropout", "Embedding", "Equal", "Erf", "Exp", "FillCache", "Gelu", "Greater",
    "GreaterEqual", "Heaviside", "Identity", "Index", "IndexCopy", "Layernorm", "LeakyRelu", "Less", "LessEqual",
    "Log", "LogSoftmax", "LogicalAnd", "LogicalNot", "Matmul", "Max", "MaxPool1d", "MaxPool2d", "MaxPool2dModule",
    "Min", "Multiply", "NotEqual", "Pad", "PixelShuffle", "Pow", "Power", "Reciprocal", "ReduceAvg", "ReduceMax",
    "ReduceSum", "Relu", "Remainder", "Repeat", "RepeatInterleave", "Reshape", "Resize1d", "Resize2d", "Select",
    "Sigmoid", "Sine", "Softmax", "Sqrt", "Squeeze", "Stack", "Subtract", "Tanh", "Transpose", "Unsqueeze",
    "UpdateCache", "Upsample2d", "Where", "loss", "nn",
]  # fmt: skip
