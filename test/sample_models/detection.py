"""A small detector: a convolution, a head for boxes by the means of distributions, and a head for classes."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto

from sample_models.probe import FLOAT, build, node

BINS, CLASSES, SIDE, STRIDE = 8, 3, 4, 2


def detector() -> ModelProto:
    """An image 1x3x8x8 to 1x7x16: centres, sizes and scores of the 16 cells."""
    random = np.random.default_rng(0)
    cells = SIDE * SIDE
    grid = np.stack(np.meshgrid(np.arange(SIDE), np.arange(SIDE)), 0).reshape(1, 2, cells) + 0.5
    nodes = [
        node("Conv", ["image", "w0", "b0"], ["conv"], "/stem/Conv", strides=[2, 2], pads=[1, 1, 1, 1]),
        node("Sigmoid", ["conv"], ["gate"], "/stem/Sigmoid"),
        node("Mul", ["conv", "gate"], ["features"], "/stem/Mul"),
        node("Conv", ["features", "w1", "b1"], ["boxes"], "/box/Conv"),
        node("Conv", ["features", "w2", "b2"], ["classes"], "/class/Conv"),
        node("Reshape", ["boxes", "by_side"], ["bins"], "/box/Reshape"),
        node("Transpose", ["bins"], ["last"], "/box/Transpose", perm=[0, 1, 3, 2]),
        node("Softmax", ["last"], ["shares"], "/box/Softmax", axis=-1),
        node("MatMul", ["shares", "steps"], ["mean"], "/box/MatMul"),
        node("Reshape", ["mean", "four"], ["distances"], "/box/Reshape_1"),
        node("Split", ["distances"], ["before", "after"], "/box/Split", axis=1, num_outputs=2),
        node("Sub", ["grid", "before"], ["low"], "/box/Sub"),
        node("Add", ["grid", "after"], ["high"], "/box/Add"),
        node("Add", ["low", "high"], ["sum"], "/box/Add_1"),
        node("Mul", ["sum", "half"], ["centre"], "/box/Mul"),
        node("Sub", ["high", "low"], ["size"], "/box/Sub_1"),
        node("Concat", ["centre", "size"], ["box"], "/box/Concat", axis=1),
        node("Mul", ["box", "stride"], ["scaled"], "/box/Mul_1"),
        node("Sigmoid", ["classes"], ["scores"], "/class/Sigmoid"),
        node("Reshape", ["scores", "by_class"], ["score"], "/class/Reshape"),
        node("Concat", ["scaled", "score"], ["detections"], "/Concat", axis=1),
    ]
    shapes = {"w0": (16, 3, 3, 3), "b0": (16,), "w1": (4 * BINS, 16, 1, 1), "b1": (4 * BINS,)}
    shapes |= {"w2": (CLASSES, 16, 1, 1), "b2": (CLASSES,)}
    tensors = {name: (random.standard_normal(shape) / 3).astype(np.float32) for name, shape in shapes.items()}
    return build(
        nodes,
        {"image": (FLOAT, [1, 3, 2 * SIDE, 2 * SIDE])},
        {"detections": FLOAT},
        **tensors,
        grid=grid.astype(np.float32),
        steps=np.arange(BINS, dtype=np.float32).reshape(BINS, 1),
        by_side=np.array([1, 4, BINS, cells]),
        four=np.array([1, 4, cells]),
        by_class=np.array([1, CLASSES, cells]),
        half=np.float32(0.5),
        stride=np.float32(STRIDE),
    )
