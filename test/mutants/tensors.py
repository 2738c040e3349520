"""Rules that change one tensor of a weights file."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch

Rule = Callable[[torch.Tensor], Iterator[torch.Tensor]]


def scaled_bias(value: torch.Tensor) -> Iterator[torch.Tensor]:
    """Multiplies a vector by 1.0005."""
    if value.is_floating_point() and value.squeeze().ndim == 1 and value.abs().max() > 0:
        yield value * 1.0005


def missing_summand(value: torch.Tensor) -> Iterator[torch.Tensor]:
    """Sets the largest weight of one sum to zero."""
    if value.is_floating_point() and value.squeeze().ndim >= 2:
        wrong = value.clone()
        wrong.view(-1)[value.abs().argmax()] = 0
        yield wrong


def missing_median(value: torch.Tensor) -> Iterator[torch.Tensor]:
    """Sets a weight of median size to zero: one summand of many."""
    if value.is_floating_point() and value.squeeze().ndim >= 1 and value.numel() >= 64:
        wrong = value.clone()
        sizes = value.abs().view(-1)
        wrong.view(-1)[sizes.argsort()[sizes.numel() // 2]] = 0
        if not torch.equal(wrong, value):
            yield wrong


def negated_half(value: torch.Tensor) -> Iterator[torch.Tensor]:
    """Negates the first half of the last axis, as the sines of a rotary embedding that rotates in the wrong
    direction."""
    if value.is_floating_point() and value.squeeze().ndim >= 2 and value.shape[-1] % 2 == 0:
        wrong = value.clone()
        half = value.shape[-1] // 2
        wrong[..., :half] = -wrong[..., :half]
        if not torch.equal(wrong, value):
            yield wrong


def rounded_to_16_bits(value: torch.Tensor) -> Iterator[torch.Tensor]:
    if value.is_floating_point():
        wrong = value.to(torch.bfloat16).to(value.dtype)
        if not torch.equal(wrong, value):
            yield wrong


def transposed(value: torch.Tensor) -> Iterator[torch.Tensor]:
    if value.is_floating_point() and value.ndim == 2 and value.shape[0] == value.shape[1] > 1:
        yield value.T.contiguous()


def rolled(value: torch.Tensor) -> Iterator[torch.Tensor]:
    """Shifts the elements by one position, as an error at a border does."""
    if value.ndim and value.shape[-1] > 1:
        wrong = torch.roll(value, 1, -1).contiguous()
        if not torch.equal(wrong, value):
            yield wrong


def mask_of_ten_thousand(value: torch.Tensor) -> Iterator[torch.Tensor]:
    if value.is_floating_point() and (value < -1e30).any():
        yield torch.where(value < -1e30, torch.full_like(value, -1e4), value)


def one_flipped(value: torch.Tensor) -> Iterator[torch.Tensor]:
    """Changes one element of a mask, or one index."""
    if not value.is_floating_point() and value.numel():
        wrong = value.clone()
        flat = wrong.view(-1)
        at = flat.numel() // 2
        flat[at] = 0 if flat[at] else 1
        yield wrong


RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        scaled_bias,
        missing_summand,
        missing_median,
        negated_half,
        rounded_to_16_bits,
        transposed,
        rolled,
        mask_of_ten_thousand,
        one_flipped,
    )
}
