"""Normalisation ops, dropout, and the module classes."""

from collections.abc import Callable

import pytest
import torch
from torch.nn.functional import conv2d, conv_transpose2d

from forge_cases import Case, Random, parametrize
from forge_mlir import runtime as forge

R = Random(3)
X = R.floats(2, 4, 7, 6)
W = R.floats(6, 4, 3, 2)
B = R.floats(6)


def windows(x: torch.Tensor, kernel: tuple[int, int], stride: tuple[int, int]) -> torch.Tensor:
    """All windows of the last two axes, each flattened to a new last axis."""
    return x.unfold(2, kernel[0], stride[0]).unfold(3, kernel[1], stride[1]).flatten(-2)


def _norm(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, eps: float) -> torch.Tensor:
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred.pow(2).mean(-1, keepdim=True) + eps).sqrt() * w + b


CASES = [
    *(Case("Softmax", [X], lambda x, d=d: x.exp() / x.exp().sum(d, keepdim=True), {"dim": d}) for d in (0, -1, -4)),
    Case("Softmax", [X[0]], lambda x: x.softmax(1), {"dim": 1, "stable": False}),
    Case("LogSoftmax", [X], lambda x: x - x.exp().sum(1, keepdim=True).log(), {"dim": 1}),
    Case("Layernorm", [X, R.floats(6), R.floats(6)], lambda x, w, b: _norm(x, w, b, 1e-5)),
    Case(
        "Layernorm",
        [X, R.floats(1, 1, 1, 6), R.floats(1, 6)],
        lambda x, w, b: _norm(x, w, b, 0.5),
        {"dim": 3, "epsilon": 0.5},
    ),
    Case(
        "Layernorm", [X.half(), R.floats(6), R.floats(6)], lambda x, w, b: torch.layer_norm(x, [6], w.half(), b.half())
    ),
    Case(
        "Batchnorm",
        [X, R.floats(4), R.floats(4), R.floats(4), R.positive(4)],
        lambda x, w, b, m, v: ((x.movedim(1, -1) - m) / (v + 0.25).sqrt() * w + b).movedim(-1, 1),
        {"epsilon": 0.25},
    ),
    Case("Dropout", [X], lambda x: x, {"training": False}),
    Case("Dropout", [X], lambda x: torch.zeros_like(x), {"p": 1.0}),
]


@parametrize(CASES)
def test_value(case: Case) -> None:
    case.check()


def test_the_message_about_statistics_names_the_call_once() -> None:
    operands = [forge.Tensor.create_from_torch(torch.ones(size)) for size in ((2, 4), 4, 4, 4, 6)]
    with pytest.raises(RuntimeError) as caught:
        forge.op.Batchnorm("", *operands)
    assert str(caught.value) == "forge.op.Batchnorm: running_var of shape (6,) for (2, 4)"


def test_dropout_uses_its_seed_and_keeps_the_global_state() -> None:
    x = forge.Tensor.create_from_torch(torch.ones(100))
    torch.manual_seed(5)
    undisturbed = torch.rand(3)
    torch.manual_seed(5)
    first = forge.op.Dropout("", x, seed=3).value()
    assert torch.equal(torch.rand(3), undisturbed)
    torch.manual_seed(3)
    assert torch.equal(first, torch.dropout(x.value(), 0.5, True))
    assert not torch.equal(first, forge.op.Dropout("", x, seed=4).value())


class TestModuleClasses:
    def test_linear(self) -> None:
        linear = forge.op.nn.Linear("l", 4, 3, bias=False)
        x = torch.randn(2, 4)
        assert linear.weights.shape == (4, 3)
        torch.testing.assert_close(linear(x).value(), x @ linear.weights.value())

    def test_linear_with_bias_fails_as_shipped(self) -> None:
        with pytest.raises(AttributeError):
            forge.op.nn.Linear("l", 4, 3)

    @pytest.mark.parametrize("bias", [True, False])
    def test_conv2d(self, bias: bool) -> None:
        module = forge.op.nn.Conv2dModule("c", 4, 6, (3, 2), stride=2, padding=[1, 0, 1, 0], bias=bias)
        module.set_parameter("weights", W)
        if bias:
            module.set_parameter("bias", B)
        want = conv2d(X, W, B if bias else None, stride=2, padding=(1, 0))
        torch.testing.assert_close(module(X).value(), want, rtol=1e-5, atol=1e-5)

    def test_conv_transpose2d(self) -> None:
        module = forge.op.nn.ConvTranspose2dModule("c", 4, 6, (3, 2), stride=2, padding=0, groups=2)
        weights = torch.randn(4, 3, 3, 2)
        module.load_parameter_dict({"weights": weights, "bias": B})
        want = conv_transpose2d(X, weights, B, stride=2, groups=2)
        torch.testing.assert_close(module(X).value(), want, rtol=1e-5, atol=1e-5)

    def test_pools(self) -> None:
        pooled = forge.op.nn.MaxPool1dModule("p", 3, 2)(X[0]).value()
        assert torch.equal(pooled, X[0].unfold(-1, 3, 2).amax(-1))
        pooled = forge.op.MaxPool2dModule("p", 2, 2, padding=0)(X).value()
        assert torch.equal(pooled, windows(X, (2, 2), (2, 2)).amax(-1))
        pooled = forge.op.nn.AvgPool2dModule("p", 2, 2, 0)(X).value()
        torch.testing.assert_close(pooled, windows(X, (2, 2), (2, 2)).mean(-1))

    @pytest.mark.parametrize(
        "make",
        [
            lambda nn: nn.Conv2dModule("c", 4, 6, (3, 3), groups=3),
            lambda nn: nn.ConvTranspose2dModule("c", 4, 6, (3, 3), groups=4),
            lambda nn: nn.ConvTranspose2dModule("c", 4, 6, (3, 3), padding_mode="reflect"),
            lambda nn: nn.ConvTranspose2dModule("c", 4, 6, (3, 3), output_padding=1),
        ],
    )
    def test_asserts(self, make: Callable[[object], object]) -> None:
        with pytest.raises(AssertionError):
            make(forge.op.nn)
