"""Normalisations, softmax and dropout. The module classes of forge.op.nn are re-exported from _nn_modules."""

import torch

from ..tensor import Operand, Tensor
from ._call import Call
from ._nn_modules import (
    AvgPool2dModule,
    Conv2dModule,
    ConvTranspose2dModule,
    Linear,
    MaxPool1dModule,
    MaxPool2dModule,
)

__all__ = [
    "AvgPool2dModule",
    "Batchnorm",
    "Conv2dModule",
    "ConvTranspose2dModule",
    "Dropout",
    "Layernorm",
    "Linear",
    "LogSoftmax",
    "MaxPool1dModule",
    "MaxPool2dModule",
    "Softmax",
]


def Softmax(name: str, operandA: Operand, *, dim: int, stable: bool = True) -> Tensor:
    """forge.op.Softmax: softmax along dim. Without ``stable``, the largest number is not subtracted, so that
    exponentials of numbers beyond 88 overflow. Keeps shape and dtype.

    RuntimeError for dim >= rank, attribute types and integer operands; IndexError for a dim below -rank.
    """
    call = Call("Softmax", name)
    operandA = call.operand(operandA)
    axis = call.int_attr("dim", dim)
    is_stable = call.bool_attr("stable", stable)
    call.tt_assert(axis < len(operandA.shape), f"dim {axis} of shape {operandA.shape}")
    return call.result(lambda x: torch.softmax(x, axis) if is_stable else _unstable(x, axis), operandA)


def LogSoftmax(name: str, operandA: Operand, *, dim: int, stable: bool = True) -> Tensor:
    """forge.op.LogSoftmax: logarithm of softmax along dim; ``stable`` as for Softmax. Keeps shape and dtype.

    RuntimeError for a dim outside the rank, attribute types and integer operands.
    """
    call = Call("LogSoftmax", name)
    operandA = call.operand(operandA)
    axis = call.axis("dim", dim, len(operandA.shape))
    is_stable = call.bool_attr("stable", stable)
    return call.result(lambda x: torch.log_softmax(x, axis) if is_stable else _unstable(x, axis).log(), operandA)


def _unstable(x: torch.Tensor, axis: int) -> torch.Tensor:
    """The quotients of exponentials. Raises RuntimeError for integers, as torch.softmax does."""
    if not x.is_floating_point():
        raise RuntimeError(f"softmax is not implemented for {x.dtype}")
    exponentials = torch.exp(x)
    return exponentials / exponentials.sum(axis, keepdim=True)


def Layernorm(
    name: str, operandA: Operand, weights: Operand, bias: Operand, dim: int = -1, epsilon: float = 1e-05
) -> Tensor:
    """forge.op.Layernorm: normalisation over the last axis, then scale and shift, cast to the operand's dtype.

    RuntimeError unless dim is the last axis, and weights and bias have its size on their last axis and 1 on all
    others; also for an epsilon that is no float. TypeError without a bias.
    """
    call = Call("Layernorm", name)
    operandA, weights, bias = call.operand(operandA), call.operand(weights), call.operand(bias)
    shape = operandA.shape
    axis, eps = call.int_attr("dim", dim), call.float_attr("epsilon", epsilon)
    call.tt_assert(len(shape) > 0 and axis in (-1, len(shape) - 1), f"dim {axis} is not the last axis of {shape}")
    for what, operand in (("weights", weights), ("bias", bias)):
        fits = operand.shape[-1:] == shape[-1:] and all(size == 1 for size in operand.shape[:-1])
        call.tt_assert(fits, f"{what} of shape {operand.shape} for the last axis of {shape}")

    def compute(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        scale, shift = w.reshape(-1).to(x.dtype), b.reshape(-1).to(x.dtype)
        return torch.nn.functional.layer_norm(x, shape[-1:], scale, shift, eps)

    return call.result(compute, operandA, weights, bias, shape=shape)


def Batchnorm(
    name: str,
    operandA: Operand,
    weights: Operand,
    bias: Operand,
    running_mean: Operand,
    running_var: Operand,
    epsilon: float = 1e-05,
) -> Tensor:
    """forge.op.Batchnorm: inference batch normalisation along axis 1 with the given statistics.

    RuntimeError for an epsilon that is no float, and for what torch refuses: integers, rank below 2, statistics
    that are not 1-D of the channels' size. TypeError for a missing operand.
    """
    call = Call("Batchnorm", name)
    eps = call.float_attr("epsilon", epsilon)
    shape = call.operand(operandA).shape
    given = {"weights": weights, "bias": bias, "running_mean": running_mean, "running_var": running_var}
    for what, operand in given.items():
        found = call.operand(operand).shape
        call.tt_assert(found == shape[1:2], f"{what} of shape {found} for {shape}")

    def compute(
        x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, mean: torch.Tensor, var: torch.Tensor
    ) -> torch.Tensor:
        return torch.nn.functional.batch_norm(x, mean.detach(), var.detach(), w, b, False, 0.0, eps)

    return call.result(compute, operandA, weights, bias, running_mean, running_var)


def Dropout(name: str, operandA: Operand, p: float = 0.5, training: bool = True, seed: int = 0) -> Tensor:
    """forge.op.Dropout: torch's dropout from a generator seeded with ``seed``; the identity if not training.

    Note that training defaults to True. RuntimeError for attribute types and for a p outside [0, 1].
    """
    call = Call("Dropout", name)
    rate, train, start = call.float_attr("p", p), call.bool_attr("training", training), call.int_attr("seed", seed)

    def compute(x: torch.Tensor) -> torch.Tensor:
        # Forge reseeds torch's global generator for good; the draw is the same if it is put back afterwards.
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(start)
            return torch.dropout(x, rate, train)

    return call.result(compute, operandA)
