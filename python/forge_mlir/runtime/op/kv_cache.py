"""Writes into a key/value cache of shape batch, heads, positions, head size. The operand itself is left alone."""

import torch

from ..tensor import Operand, Parameter, Tensor
from ._call import Call


def FillCache(name: str, cache: Operand, input: Operand, batch_offset: int = 0) -> Tensor:
    """forge.op.FillCache: the cache with ``input`` at batch rows batch_offset.. and positions 0..

    RuntimeError unless both have rank 4, equal heads and head size, and input fits in batch and positions.
    """
    call = Call("FillCache", name)
    cache, input = call.operand(cache), call.operand(input)
    offset = _check_cache(call, cache, input, batch_offset)
    batch, _, length, _ = input.shape
    call.tt_assert(length <= cache.shape[2], f"{length} positions do not fit in {cache.shape[2]}")

    def compute(rows: torch.Tensor, update: torch.Tensor) -> torch.Tensor:
        filled = rows.clone()
        filled[offset : offset + batch, :, :length] = update
        return filled

    return call.moved(compute, cache, input, shape=cache.shape)


def UpdateCache(name: str, cache: Operand, input: Operand, update_index: Operand, batch_offset: int = 0) -> Tensor:
    """forge.op.UpdateCache: the cache with batch row b of ``input`` (one position) at position update_index[b].

    update_index is a tensor of rank 0 or 1, whatever Forge's annotation says; a Python int raises RuntimeError.
    So does any index outside the cache, a count other than input's batch, more than one position in input, and
    what FillCache refuses.
    """
    call = Call("UpdateCache", name)
    cache, input, index = call.operand(cache), call.operand(input), call.operand(update_index)
    offset = _check_cache(call, cache, input, batch_offset)
    batch = input.shape[0]
    call.tt_assert(len(index.shape) <= 1, f"update_index must have rank 0 or 1, got shape {index.shape}")
    call.tt_assert(input.shape[2] == 1, f"input must hold one position, got {input.shape[2]}")
    positions = [int(position) for position in index.value().reshape(-1).tolist()]
    call.tt_assert(len(positions) == batch, f"{len(positions)} indices for a batch of {batch}")
    for position in positions:
        call.tt_assert(0 <= position < cache.shape[2], f"index {position} is outside of {cache.shape[2]} positions")

    def compute(rows: torch.Tensor, update: torch.Tensor, _: torch.Tensor) -> torch.Tensor:
        updated = rows.clone()
        for row, position in enumerate(positions):
            updated[row + offset, :, position] = update[row, :, 0]
        return updated

    return call.moved(compute, cache, input, index, shape=cache.shape)


def _check_cache(call: Call, cache: Tensor | Parameter, update: Tensor | Parameter, batch_offset: int) -> int:
    """What both ops ask for; returns the offset."""
    offset = call.int_attr("batch_offset", batch_offset)
    for what, operand in (("cache", cache), ("input", update)):
        call.tt_assert(len(operand.shape) == 4, f"{what} must have rank 4, got shape {operand.shape}")
    (rows, *_), (batch, *_) = cache.shape, update.shape
    call.tt_assert(cache.shape[1] == update.shape[1], f"heads differ: {cache.shape[1]} and {update.shape[1]}")
    call.tt_assert(cache.shape[3] == update.shape[3], f"head sizes differ: {cache.shape[3]} and {update.shape[3]}")
    call.tt_assert(offset >= 0 and offset + batch <= rows, f"{batch} rows at {offset} do not fit in {rows}")
    return offset
