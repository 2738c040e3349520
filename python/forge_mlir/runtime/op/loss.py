"""Losses of forge.op.loss, composed of ops. Labels are one-hot or probabilities of the prediction's shape.

Shared errors: AssertionError for arguments that are no forge Tensors (a Parameter is none), or differ in data format
or shape, or have another rank than the loss takes; RuntimeError for a reduction other than none, mean and sum.
A reduced result keeps its rank, as all ones.
"""

from __future__ import annotations

import math

from ..module import ForgeModule
from ..tensor import Tensor
from .constant import Constant
from .eltwise_binary import Add, GreaterEqual, Less, Min, Multiply, Subtract
from .eltwise_unary import Abs, Clip, Log, Sigmoid, Sqrt
from .nn import Softmax
from .reduce import ReduceAvg, ReduceSum


class CrossEntropyLoss(ForgeModule):
    """forge.op.loss.CrossEntropyLoss: mean over the batch of -sum(labels * log(softmax(predictions))), shape (1, 1)."""

    def __init__(self, name: str) -> None:
        super().__init__(name)

    def forward(self, predictions: Tensor, labels: Tensor) -> Tensor:
        _check(self.name, predictions, labels, min_rank=2)
        log_probabilities = Log("", Softmax("", predictions, dim=-1))
        per_row = ReduceSum("", Multiply("", labels, log_probabilities), -1)
        return ReduceAvg("", _negative(per_row), 0)


class _ReducedLoss(ForgeModule):
    """A loss with a reduction over all axes."""

    def __init__(self, name: str, reduction: str = "mean") -> None:
        super().__init__(name)
        self.reduction = reduction

    def _reduce(self, loss: Tensor) -> Tensor:
        match self.reduction:
            case "none":
                return loss
            case "mean":
                step = ReduceAvg
            case "sum":
                step = ReduceSum
            case _:
                raise RuntimeError(f"{self.name}: reduction must be none, mean or sum, got {self.reduction!r}")
        for axis in range(len(loss.shape)):
            loss = step("", loss, axis)
        return loss


class L1Loss(_ReducedLoss):
    """forge.op.loss.L1Loss: |prediction - labels|; rank 1 or 2."""

    def forward(self, prediction: Tensor, labels: Tensor) -> Tensor:
        _check(self.name, prediction, labels)
        return self._reduce(Abs("", Subtract("", prediction, labels)))


class MSELoss(_ReducedLoss):
    """forge.op.loss.MSELoss: (predictions - labels) squared; rank 1 or 2."""

    def forward(self, predictions: Tensor, labels: Tensor) -> Tensor:
        _check(self.name, predictions, labels)
        difference = Subtract("", predictions, labels)
        return self._reduce(Multiply("", difference, difference))


class NLLLoss(_ReducedLoss):
    """forge.op.loss.NLLLoss: -sum(prediction * labels) over the last axis, for log-probabilities; rank 1 or 2."""

    def forward(self, prediction: Tensor, labels: Tensor) -> Tensor:
        _check(self.name, prediction, labels)
        return self._reduce(ReduceSum("", _negative(Multiply("", prediction, labels)), -1))


class KLDivLoss(_ReducedLoss):
    """forge.op.loss.KLDivLoss: labels * (log(labels) - prediction), for log-probabilities; rank 1 or 2."""

    def forward(self, prediction: Tensor, labels: Tensor) -> Tensor:
        _check(self.name, prediction, labels)
        return self._reduce(Multiply("", labels, Subtract("", Log("", labels), prediction)))


class HuberLoss(_ReducedLoss):
    """forge.op.loss.HuberLoss: d*d/2 where |d| < delta, else delta * (|d| - delta/2); rank 1 or 2."""

    def __init__(self, name: str, delta: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(name, reduction)
        self.delta = delta

    def forward(self, prediction: Tensor, labels: Tensor) -> Tensor:
        _check(self.name, prediction, labels)
        distance = Abs("", Subtract("", prediction, labels))
        delta = _scalar(self.delta)
        squared = Multiply("", Multiply("", distance, distance), _scalar(0.5))
        linear = Multiply("", Subtract("", distance, _scalar(self.delta / 2)), delta)
        near, far = Less("", distance, delta), GreaterEqual("", distance, delta)
        return self._reduce(Add("", Multiply("", near, squared), Multiply("", far, linear)))


class BCELoss(_ReducedLoss):
    """forge.op.loss.BCELoss: -(y*log(p) + (1-y)*log(1-p)); rank 1 or 2."""

    def forward(self, prediction: Tensor, labels: Tensor) -> Tensor:
        _check(self.name, prediction, labels)
        one = _scalar(1.0)
        hit = Multiply("", labels, Log("", prediction))
        miss = Multiply("", Subtract("", one, labels), Log("", Subtract("", one, prediction)))
        return self._reduce(_negative(Add("", hit, miss)))


class BCEWithLogitsLoss(BCELoss):
    """forge.op.loss.BCEWithLogitsLoss: BCELoss of sigmoid(prediction); rank 1 or 2."""

    def forward(self, prediction: Tensor, labels: Tensor) -> Tensor:
        _check(self.name, prediction, labels)
        return super().forward(Sigmoid("", prediction), labels)


class TripletMarginLoss(_ReducedLoss):
    """forge.op.loss.TripletMarginLoss: max(d(anchor, positive) - d(anchor, negative) + margin, 0); rank 2.

    d is the Euclidean distance over the last axis, eps added to the differences; p is ignored. With swap, the
    smaller of d(anchor, negative) and d(positive, negative) counts. Only anchor and positive are checked.
    """

    def __init__(
        self,
        name: str,
        margin: float = 1.0,
        p: float = 2.0,
        reduction: str = "mean",
        swap: bool = False,
        eps: float = 1e-8,
    ) -> None:
        super().__init__(name, reduction)
        del p
        self.margin = margin
        self.swap = swap
        self.eps = eps

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        _check(self.name, anchor, positive, min_rank=2)
        far = self._distance(anchor, negative)
        if self.swap:
            far = Min("", far, self._distance(positive, negative))
        loss = Add("", Subtract("", self._distance(anchor, positive), far), _scalar(self.margin))
        return self._reduce(Clip("", loss, 0.0, math.inf))

    def _distance(self, a: Tensor, b: Tensor) -> Tensor:
        difference = Add("", Subtract("", a, b), _scalar(self.eps))
        return Sqrt("", ReduceSum("", Multiply("", difference, difference), -1))


def _check(loss: str, prediction: Tensor, labels: Tensor, min_rank: int = 1) -> None:
    for operand in (prediction, labels):
        if not isinstance(operand, Tensor):
            raise AssertionError(f"{loss}: arguments must be forge Tensors, got {operand!r}")
    if prediction.data_format is not labels.data_format or prediction.shape != labels.shape:
        of = (f"shape {each.shape} in {each.data_format.name}" for each in (prediction, labels))
        raise AssertionError(f"{loss}: arguments differ in format or shape: {' and '.join(of)}")
    if not min_rank <= len(prediction.shape) <= 2:
        raise AssertionError(f"{loss}: rank must be {min_rank} to 2, got shape {prediction.shape}")


def _scalar(value: float) -> Tensor:
    return Constant("", constant=value)


def _negative(value: Tensor) -> Tensor:
    return Multiply("", value, _scalar(-1.0))
