"""Every assert of Forge fails with the right kind of error."""

from typing import Any

import pytest
import test_convolution
import test_eltwise_binary
import test_eltwise_nary
import test_eltwise_unary
import test_embedding
import test_kv_cache
import test_matmul
import test_misc
import test_nn
import test_pooling
import test_reduce
import test_resize
import test_tm
import torch
from test_signatures import FUNCTIONS

from forge_cases import Case
from forge_mlir import runtime as forge

A, R, T, I = AssertionError, RuntimeError, TypeError, IndexError  # noqa: E741 (short names for a long table)
BIG = 2**31


def t(*shape: int, dtype: torch.dtype = torch.float32) -> forge.Tensor:
    return forge.Tensor.create_from_torch(torch.ones(shape, dtype=dtype))


def ids(*values: int) -> forge.Tensor:
    return forge.Tensor.create_from_torch(torch.tensor(values))


X = t(2, 4, 6, 6)
W = t(8, 4, 3, 3)
V = t(5)
M = t(2, 3)
INT = t(2, 3, dtype=torch.int32)

ELTWISE = [
    *(
        row
        for op in (
            *test_eltwise_binary.ARITHMETIC,
            *test_eltwise_binary.COMPARISONS,
            "Heaviside",
            "Power",
            "BitwiseAnd",
        )
        for row in [
            (op, (M, t(2, 2)), {}, R),  # sizes that do not broadcast
            (op, (M, t(3, 2)), {}, R),
            (op, (M, 2), {}, R),  # An int operand becomes a Constant, which needs a float.
            (op, (M, True), {}, R),
            (op, (M, torch.ones(2, 3)), {}, T),  # a torch tensor is not a forge tensor
            (op, (M, None), {}, T),
        ]
    ),
    ("Heaviside", (M, INT), {}, R),
    ("LeakyRelu", (M,), {"alpha": 1}, R),
    ("LeakyRelu", (M,), {"alpha": None}, R),
    ("Pow", (M,), {"exponent": 2}, R),
    ("Clip", (M,), {"min": 0, "max": 1.0}, R),
    ("Clip", (M,), {"min": 0.0, "max": 1}, R),
    ("Clip", (M,), {"min": None, "max": 1.0}, R),
    ("Gelu", (M,), {"approximate": "fast"}, R),
    ("Gelu", (M,), {"approximate": None}, R),
    *(("Cast", (M,), {"dtype": d}, R) for d in (torch.float64, torch.int16, torch.complex64, torch.uint16, 3, "f")),
    *(("Cast", (M,), {"dtype": forge.DataFormat[f]}, R) for f in ("Int8", "Lf8", "Bfp2_b", "RawUInt16", "Invalid")),
    ("Identity", (M,), {"unsqueeze": [0.5]}, T),
    ("Constant", (), {"constant": 1}, R),
    ("Constant", (), {"constant": True}, R),
    ("Constant", (), {"constant": 1.0, "dtype": torch.float32}, R),
    ("Constant", (), {"constant": 1.0, "dtype": forge.DataFormat.Int8}, R),
    ("Constant", (1.0,), {}, T),  # keyword only
    ("Concatenate", (M, M), {}, T),  # axis is mandatory
    ("Concatenate", (), {"axis": 0}, R),
    ("Concatenate", (M, V), {"axis": 0}, R),
    ("Concatenate", (M, t(0)), {"axis": 0}, R),  # ONNX's empty rank-1 tensor
    ("Concatenate", (M, t(3, 3)), {"axis": 1}, R),
    ("Concatenate", (M, M), {"axis": 2}, R),
    ("Concatenate", (M, M), {"axis": 0.0}, R),
    ("Stack", (M, t(3, 2)), {"axis": 0}, R),
    ("Stack", (M, M), {"axis": 3}, R),
    ("Stack", (M, M), {"axis": -4}, R),
    ("Where", (t(4), M, M), {}, R),
    ("Where", (M, M, t(2, 2)), {}, R),
    ("IndexCopy", (M, ids(0), t(2, 3)), {"dim": 0}, (R, I)),
    ("IndexCopy", (M, ids(5), t(1, 3)), {"dim": 0}, (R, I)),
    ("IndexCopy", (M, ids(0), t(1, 3)), {"dim": 2}, R),
]
PRODUCTS = [
    ("Matmul", (M, M), {}, R),
    ("Matmul", (M, t(3, 3, dtype=torch.int32)), {}, R),
    ("Matmul", (M, t(3, 4), t(3)), {}, R),
    ("Conv2d", (X, t(8, 4)), {}, I),
    ("Conv2d", (X, t(8, 4, 3)), {}, I),
    ("Conv2d", (X, t(8, 4, 3, 3, 3)), {}, R),
    ("Conv2d", (t(4, 6, 6), W), {"padding": 0}, R),
    ("Conv2d", (X, W), {"padding": "valid"}, A),
    ("Conv2d", (X, W), {"padding": [1]}, A),
    ("Conv2d", (X, W), {"padding": [1, 1, 1]}, A),
    ("Conv2d", (X, W), {"padding": None}, A),
    ("Conv2d", (X, W), {"padding": 0.5}, A),
    ("Conv2d", (X, W), {"padding": [0.5, 0.5, 0.5, 0.5]}, T),
    ("Conv2d", (X, W), {"padding": [BIG, 0, 0, 0]}, T),
    ("Conv2d", (X, W), {"padding": 0, "channel_last": 0}, R),
    ("Conv2d", (X, W), {"padding": 0, "groups": 1.0}, R),
    ("Conv2d", (X, W), {"padding": 0, "groups": True}, R),
    ("Conv2d", (X, W), {"padding": 0, "groups": 3}, R),
    ("Conv2d", (X, W), {"padding": 0, "stride": [1]}, R),
    ("Conv2d", (X, W), {"padding": 0, "stride": 1.0}, R),
    ("Conv2d", (X, W), {"padding": 0, "dilation": [1.0, 1.0]}, T),
    ("Conv2d", (X, t(8, 3, 3, 3)), {"padding": 0}, R),
    ("Conv2d", (X, W, t(2, 8)), {"padding": 0}, R),
    ("Conv2dTranspose", (X, t(4, 8, 3, 3)), {"padding": (1, 2, 1, 1)}, A),
    ("Conv2dTranspose", (X, t(4, 8, 3, 3)), {"padding": (1, 1, 2, 1)}, A),
    ("Conv2dTranspose", (X, t(4, 8, 3, 3)), {"padding": (1, 1)}, ValueError),
    ("Conv2dTranspose", (X, t(4, 8, 3, 3)), {"padding": [1]}, R),
    ("Conv2dTranspose", (X, t(4, 8, 3, 3)), {"padding": "valid"}, A),
    ("Conv2dTranspose", (X, t(4, 8, 3, 3)), {"padding": 0, "channel_last": 1}, R),
    ("Conv2dTranspose", (X, t(4, 8, 3, 3)), {"padding": 0, "output_padding": 1}, R),  # not less than the stride
]
SPATIAL = [
    ("MaxPool1d", (X,), {"kernel_size": 2, "ceil_mode": True}, A),
    ("MaxPool1d", (X,), {"kernel_size": 2, "ceil_mode": 0}, R),
    ("MaxPool1d", (X,), {"kernel_size": 2, "return_indices": True}, A),
    ("MaxPool1d", (X,), {"kernel_size": (2,)}, A),
    ("MaxPool1d", (X,), {"kernel_size": True}, A),
    ("MaxPool1d", (X,), {"kernel_size": 2, "padding": "same"}, A),
    ("MaxPool1d", (X,), {"kernel_size": 2, "padding": [1]}, A),
    ("MaxPool1d", (t(1, 2, 6),), {"kernel_size": 2, "stride": [1]}, R),
    ("MaxPool1d", (t(1, 2, 6),), {"kernel_size": 2, "dilation": 2}, R),
    ("MaxPool1d", (M,), {"kernel_size": 2}, R),
    ("MaxPool2d", (X,), {"kernel_size": 2, "return_indices": True}, A),
    ("MaxPool2d", (X,), {"kernel_size": [2, 2]}, A),
    ("MaxPool2d", (X,), {"kernel_size": 2, "padding": "valid"}, A),
    ("MaxPool2d", (X,), {"kernel_size": 2, "padding": [0, 1, 0, 0]}, R),
    ("MaxPool2d", (X,), {"kernel_size": 2, "padding": [0, 0, 1, 0]}, R),
    ("MaxPool2d", (X,), {"kernel_size": 2, "padding": [1, 1]}, I),
    ("MaxPool2d", (X,), {"kernel_size": 2, "padding": 0, "dilation": 2}, R),
    ("MaxPool2d", (X,), {"kernel_size": 2, "padding": 0, "dilation": [1, 2]}, R),
    ("MaxPool2d", (X,), {"kernel_size": 2, "padding": 0, "ceil_mode": 0}, R),
    ("MaxPool2d", (t(4, 6, 6),), {"kernel_size": 2, "padding": 0}, R),
    ("MaxPool2d", (t(1, 1, 4, 4, dtype=torch.int32),), {"kernel_size": 3, "padding": 1}, R),
    # The last window would start in the padding: torch drops it, Forge's shape formula counts it.
    ("MaxPool2d", (t(1, 1, 2, 2),), {"kernel_size": 1, "stride": 4, "padding": 0, "ceil_mode": True}, R),
    ("AvgPool1d", (t(1, 2, 6),), {"kernel_size": 2}, I),  # the default padding
    ("AvgPool1d", (t(1, 2, 6),), {"kernel_size": "2"}, A),
    ("AvgPool1d", (t(1, 2, 6),), {"kernel_size": 2, "padding": [0, 1]}, R),
    ("AvgPool1d", (t(1, 2, 6),), {"kernel_size": 2, "padding": 0, "ceil_mode": 0}, R),
    ("AvgPool1d", (t(1, 2, 6),), {"kernel_size": 2, "padding": 0, "count_include_pad": 1}, R),
    ("AvgPool1d", (M,), {"kernel_size": 2, "padding": 0}, R),
    ("AvgPool2d", (X,), {"kernel_size": 2, "padding": 0, "divisor_override": 2.0}, A),
    ("AvgPool2d", (X,), {"kernel_size": 2.0, "padding": 0}, A),
    ("AvgPool2d", (X,), {"kernel_size": 2, "padding": [0, 1, 0, 0]}, R),
    ("AvgPool2d", (X,), {"kernel_size": 2, "padding": [0, 0, 0, 1]}, R),
    ("AvgPool2d", (X,), {"kernel_size": 3, "padding": [1, 1, 0, 0]}, R),  # The shape shows that the pads are swapped.
    ("AvgPool2d", (X,), {"kernel_size": 2, "padding": [0, 0]}, I),
    ("AvgPool2d", (X,), {"kernel_size": 2, "padding": 0, "ceil_mode": 1}, R),
    ("AvgPool2d", (X,), {"kernel_size": 2, "padding": 0, "count_include_pad": 0}, R),
    ("AvgPool2d", (t(4, 6, 6),), {"kernel_size": 2, "padding": 0}, R),
    ("AvgPool2d", (t(1, 1, 4, 4, dtype=torch.int32),), {"kernel_size": 2, "padding": 0}, R),
    ("Resize1d", (t(1, 2, 3),), {"size": [4]}, A),
    ("Resize1d", (t(1, 2, 3),), {"size": 4, "mode": "bilinear"}, A),
    ("Resize1d", (X,), {"size": 4}, R),
    ("Resize1d", (t(1, 2, 3),), {"size": 4, "align_corners": 0}, R),
    ("Resize1d", (t(1, 2, 3),), {"size": 4, "channel_last": 0}, R),
    ("Resize2d", (X,), {"sizes": 4}, A),
    ("Resize2d", (X,), {"sizes": [4]}, A),
    ("Resize2d", (X,), {"sizes": [4.0, 4.0]}, T),
    ("Resize2d", (X,), {"sizes": [4, 4], "mode": "linear"}, A),
    ("Resize2d", (X,), {"sizes": [4, 4], "mode": "bicubic"}, A),
    ("Resize2d", (X,), {"sizes": [4, 4], "align_corners": 1}, R),
    ("Resize2d", (X,), {"sizes": [4, 4], "channel_last": 1}, R),
    ("Resize2d", (t(1, 2, 3),), {"sizes": [4, 4]}, R),
    ("Upsample2d", (X,), {"scale_factor": 2.0}, A),
    ("Upsample2d", (X,), {"scale_factor": [2]}, A),
    ("Upsample2d", (X,), {"scale_factor": [2.0, 2.0]}, T),
    ("Upsample2d", (X,), {"scale_factor": 2, "mode": "linear"}, A),
    ("Upsample2d", (X,), {"scale_factor": 2, "channel_last": 0}, R),
    ("Upsample2d", (t(1, 2, 3),), {"scale_factor": 2}, R),
    ("Downsample2d", (X,), {"scale_factor": 2}, R),
    ("Downsample2d", (X,), {"scale_factor": [2]}, A),
    ("Downsample2d", (X,), {"scale_factor": 2, "mode": "linear"}, A),
]
REDUCE = [
    *(
        row
        for op in ("ReduceSum", "ReduceAvg", "ReduceMax")
        for row in [
            (op, (M,), {"dim": 4}, A),
            (op, (M,), {"dim": -5}, A),
            (op, (t(1, 1, 1, 1, 2),), {"dim": 4}, A),
            (op, (M,), {"dim": 2}, R),
            (op, (M,), {"dim": -3}, R),
            (op, (M,), {"dim": [0]}, T),
            (op, (M,), {"dim": 0.0}, T),
            (op, (M,), {"dim": None}, T),
            (op, (M,), {"dim": 0, "keep_dim": 1}, R),
            (op, (M,), {}, T),
        ]
    ),
    ("ReduceAvg", (INT,), {"dim": 0}, R),
    ("Argmax", (M,), {"dim": 2}, R),
    ("Argmax", (M,), {"dim": -3}, R),
    ("Argmax", (M,), {"dim": 0, "keep_dim": 0}, R),
    ("CumSum", (M,), {"dim": 2}, R),
    ("CumSum", (M,), {"dim": 0.0}, R),
]
MOVEMENT = [
    ("Transpose", (X,), {"dim0": 1, "dim1": 1}, A),
    ("Transpose", (X,), {"dim0": 0, "dim1": 4}, A),
    ("Transpose", (X,), {"dim0": 4, "dim1": 0}, A),
    ("Transpose", (X,), {"dim0": 0, "dim1": -5}, R),
    ("Transpose", (X,), {"dim0": 0.0, "dim1": 1}, R),
    ("Reshape", (M,), {"shape": [-1, -1]}, A),
    ("Reshape", (M,), {"shape": [4, -1]}, A),
    ("Reshape", (M,), {"shape": [0, -1]}, A),
    ("Reshape", (M,), {"shape": (2, 2)}, A),
    ("Reshape", (M,), {"shape": (0, 3)}, A),  # 0 does not copy the dim
    ("Reshape", (M,), {"shape": (2, -1)}, T),
    ("Reshape", (M,), {"shape": (2.0, 3.0)}, T),
    ("Reshape", (M,), {"shape": (-2, -3)}, R),
    ("Index", (V,), {"dim": 0, "start": 5, "stop": 5}, A),
    ("Index", (V,), {"dim": 0, "start": 0, "stop": 6}, A),
    ("Index", (V,), {"dim": 0, "start": 0, "stop": BIG - 1}, A),
    ("Index", (V,), {"dim": 0, "start": 0, "stop": 2**63 - 1}, A),
    ("Index", (V,), {"dim": 0, "start": -BIG - 1, "stop": 5}, R),
    ("Index", (V,), {"dim": 0, "start": 0, "stop": 5, "stride": 0}, A),
    ("Index", (V,), {"dim": 0, "start": 4, "stop": 0, "stride": -1}, A),
    ("Index", (V,), {"dim": 0, "start": 0, "stop": 5, "stride": 6}, A),
    ("Index", (V,), {"dim": 1, "start": 0, "stop": 1}, R),
    ("Index", (V,), {"dim": -2, "start": 0, "stop": 1}, R),
    ("Index", (V,), {"dim": 0, "start": 0.0, "stop": 1}, R),
    ("Index", (V,), {"dim": 0, "start": True, "stop": 2}, R),
    ("AdvIndex", (M, t(1, 1, 1)), {}, R),
    ("AdvIndex", (M, forge.Tensor.create_from_torch(torch.tensor(0))), {}, R),
    ("AdvIndex", (M, ids(0)), {"dim": 2}, R),
    ("AdvIndex", (M, ids(-1)), {}, I),
    ("AdvIndex", (M, ids(2)), {}, I),
    ("AdvIndex", (M, ids(0)), {"dim": None}, R),
    ("Select", (t(1, 1, 1, 1, 2),), {"dim": 4, "index": 0}, A),
    ("Select", (V,), {"dim": 0, "index": 5}, A),
    ("Select", (V,), {"dim": 0, "index": (3, 3)}, A),
    ("Select", (V,), {"dim": 0, "index": 0, "stride": 6}, A),
    ("Select", (V,), {"dim": 0, "index": (1, 2), "stride": 2}, A),
    ("Select", (V,), {"dim": 0, "index": (0, 0)}, A),
    ("Select", (V,), {"dim": 1, "index": 0}, R),
    ("Select", (V,), {"dim": 0, "index": (0, 1, 2)}, R),
    ("Pad", (M,), {"pad": (1,)}, A),
    ("Pad", (M,), {"pad": (1, 1, 1)}, A),
    ("Pad", (M,), {"pad": (1, 1, 1, 1, 1, 1)}, A),
    ("Pad", (M,), {"pad": (1, 1), "mode": "edge"}, A),
    ("Pad", (V,), {"pad": (1, 1), "mode": "reflect"}, A),
    ("Pad", (V,), {"pad": (1, 1), "mode": "replicate"}, A),
    ("Pad", (M,), {"pad": (1, 1), "value": 0}, R),
    ("Pad", (M,), {"pad": (1, 1), "channel_last": 0}, R),
    ("Pad", (M,), {"pad": (1.0, 1.0)}, T),
    ("Pad", (V,), {"pad": (0, 0, 1, 1)}, R),
    ("Pad", (X,), {"pad": (1, 1), "mode": "reflect"}, R),
    ("Pad", (M,), {"pad": (3, 0), "mode": "reflect"}, R),
    ("Pad", (X,), {"pad": (0, 0, -1, 0)}, R),  # a negative pad, which Forge's shape function misses
    ("ConstantPad", (M,), {"padding": [1, 1]}, A),
    ("ConstantPad", (M,), {"padding": [1, 1, 1, 1]}, AttributeError),
    ("Broadcast", (M,), {"dim": 0, "shape": 4}, R),
    ("Broadcast", (M,), {"dim": 0, "shape": (4, 3)}, R),
    ("Broadcast", (M,), {"dim": 0.0, "shape": 2}, R),
    ("Repeat", (M,), {"repeats": [2]}, R),
    ("Repeat", (M,), {"repeats": 2}, R),
    ("Repeat", (M,), {"repeats": [2.0, 1.0]}, T),
    ("RepeatInterleave", (M,), {"repeats": 2, "dim": 2}, R),
    ("RepeatInterleave", (M,), {"repeats": 2, "dim": -3}, R),
    ("RepeatInterleave", (M,), {"repeats": [2], "dim": 0}, R),
    ("Unsqueeze", (M,), {"dim": 3}, R),
    ("Unsqueeze", (M,), {"dim": -4}, R),
    ("Unsqueeze", (M,), {"dim": [0]}, R),
    ("Squeeze", (M,), {"dim": 0}, R),
    ("Squeeze", (M,), {"dim": 2}, R),
    ("Squeeze", (t(1, 1),), {}, T),
    ("PixelShuffle", (t(4, 4),), {"upscale_factor": 2}, R),
    ("PixelShuffle", (t(3, 4, 4),), {"upscale_factor": 2}, R),
    ("PixelShuffle", (t(4, 4, 4),), {"upscale_factor": 2.0}, R),
]
NN = [
    ("Softmax", (M, 1), {}, T),  # dim is keyword only
    ("Softmax", (M,), {"dim": 2}, R),
    ("Softmax", (M,), {"dim": -3}, I),
    ("Softmax", (M,), {"dim": 0, "stable": 1}, R),
    ("Softmax", (INT,), {"dim": 0}, R),
    ("Softmax", (INT,), {"dim": 0, "stable": False}, R),
    ("LogSoftmax", (INT,), {"dim": 0, "stable": False}, R),
    ("LogSoftmax", (M, 1), {}, T),
    ("LogSoftmax", (M,), {"dim": 2}, R),
    ("LogSoftmax", (M,), {"dim": -3}, R),
    ("Layernorm", (M, t(3), t(3)), {"dim": 0}, R),
    ("Layernorm", (M, t(3), t(3)), {"dim": -2}, R),
    ("Layernorm", (M, t(2), t(3)), {}, R),
    ("Layernorm", (M, t(3), t(2)), {}, R),
    ("Layernorm", (M, t(2, 3), t(3)), {}, R),
    ("Layernorm", (M, t(3), t(2, 3)), {}, R),
    ("Layernorm", (M, t(3), None), {}, T),
    ("Layernorm", (M, t(3)), {}, T),
    ("Layernorm", (M, t(3), t(3)), {"epsilon": 0}, R),
    ("Batchnorm", (X, t(4), t(4), t(4), t(4)), {"epsilon": 1}, R),
    ("Batchnorm", (X, t(4), t(4), t(4), t(6)), {}, R),
    ("Batchnorm", (X, t(4), t(4), t(1, 4, 1, 1), t(4)), {}, R),
    ("Batchnorm", (X, t(4), t(4), t(4), None), {}, T),
    ("Dropout", (M,), {"p": 1}, R),
    ("Dropout", (M,), {"training": 0}, R),
    ("Dropout", (M,), {"seed": 1.0}, R),
    ("Dropout", (M,), {"p": 1.5}, R),
    ("Embedding", (ids(0), t(3)), {}, R),
    ("Embedding", (ids(0), t(2, 3, 4)), {}, R),
    ("Embedding", (ids(2), M), {}, I),
    ("Embedding", (ids(-1), M), {}, I),
    ("Embedding", (ids(2**32), M), {}, I),
    ("FillCache", (t(2, 2, 3, 4), t(2, 3, 4)), {}, R),
    ("FillCache", (t(2, 3, 4), t(2, 2, 3, 4)), {}, R),
    ("FillCache", (t(2, 2, 3, 4), t(1, 1, 3, 4)), {}, R),
    ("FillCache", (t(2, 2, 3, 4), t(1, 2, 3, 1)), {}, R),
    ("FillCache", (t(2, 2, 3, 4), t(2, 2, 3, 4)), {"batch_offset": 1}, R),
    ("FillCache", (t(2, 2, 3, 4), t(1, 2, 3, 4)), {"batch_offset": -1}, R),
    ("FillCache", (t(2, 2, 3, 4), t(2, 2, 4, 4)), {}, R),
    ("FillCache", (t(2, 2, 3, 4), t(2, 2, 3, 4)), {"batch_offset": 0.0}, R),
    ("UpdateCache", (t(2, 2, 3, 4), t(1, 2, 1, 4), 0), {}, R),  # The annotation is int, but an int fails.
    ("UpdateCache", (t(2, 2, 3, 4), t(1, 2, 2, 4), ids(0)), {}, R),
    ("UpdateCache", (t(2, 2, 3, 4), t(1, 2, 1, 4), ids(0, 1)), {}, R),
    ("UpdateCache", (t(2, 2, 3, 4), t(1, 2, 1, 4), ids(3)), {}, R),
    ("UpdateCache", (t(2, 2, 3, 4), t(1, 2, 1, 4), ids(-1)), {}, R),
    ("UpdateCache", (t(2, 2, 3, 4), t(1, 2, 1, 4), t(1, 1)), {}, R),
    ("UpdateCache", (t(2, 2, 3, 4), t(2, 2, 1, 4), ids(0, 0)), {"batch_offset": 1}, R),
    ("UpdateCache", (t(2, 2, 3, 4), t(1, 1, 1, 4), ids(0)), {}, R),
    ("UpdateCache", (t(2, 2, 3), t(1, 2, 1, 4), ids(0)), {}, R),
]


@pytest.mark.parametrize(
    ("op", "operands", "attributes", "error"), [*ELTWISE, *PRODUCTS, *SPATIAL, *REDUCE, *MOVEMENT, *NN]
)
def test_refuses(op: str, operands: tuple[Any, ...], attributes: dict[str, Any], error: Any) -> None:
    with pytest.raises(error):
        getattr(forge.op, op)("", *operands, **attributes)


CASES: list[Case] = [
    *test_eltwise_unary.CASES,
    *test_eltwise_binary.CASES,
    *test_eltwise_nary.CASES,
    *test_tm.CASES,
    *test_matmul.CASES,
    *test_convolution.CASES,
    *test_pooling.CASES,
    *test_resize.CASES,
    *test_reduce.CASES,
    *test_misc.CASES,
    *test_nn.CASES,
    *test_embedding.CASES,
    *test_kv_cache.CASES,
]
CALLABLE = [entry["name"] for entry in FUNCTIONS if entry["callable_from_python"]]
ONE_CASE = {case.op: case for case in reversed(CASES)}


def test_every_callable_op_has_a_case() -> None:
    assert set(CALLABLE) - {"Constant"} == set(ONE_CASE)


@pytest.mark.parametrize("op", ONE_CASE)
def test_a_missing_name_is_refused(op: str) -> None:
    """Omitting the leading "" shifts every argument."""
    case = ONE_CASE[op]
    operands = [forge.Tensor.create_from_torch(x) for x in case.operands]
    with pytest.raises(TypeError):
        getattr(forge.op, op)(*operands, **case.attributes)


# Forge's LogicalAnd ignores its last operand.
@pytest.mark.parametrize("op", [op for op in ONE_CASE if op != "LogicalAnd"])
def test_a_released_operand_is_refused(op: str) -> None:
    case = ONE_CASE[op]
    operands = [forge.Tensor.create_from_torch(x) for x in case.operands]
    operands[-1]._value = None
    with pytest.raises(RuntimeError, match="released"):
        getattr(forge.op, op)("", *operands, **case.attributes)
