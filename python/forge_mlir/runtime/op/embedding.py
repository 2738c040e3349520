"""Row lookup in a table."""

import torch

from ..tensor import Operand, Tensor
from ._call import Call, indices_within


def Embedding(name: str, indices: Operand, embedding_table: Operand) -> Tensor:
    """forge.op.Embedding: rows of a 2-D table, of shape indices.shape + [columns] and the table's dtype.

    Indices may have any dtype. RuntimeError for a table that is not 2-D, IndexError for an index
    outside its rows.
    """
    call = Call("Embedding", name)
    indices, table = call.operand(indices), call.operand(embedding_table)
    call.tt_assert(len(table.shape) == 2, f"the table must have rank 2, got shape {table.shape}")
    return call.moved(
        lambda i, t: torch.nn.functional.embedding(indices_within(i, t.shape[0]), t),
        indices,
        table,
        shape=(*indices.shape, table.shape[-1]),
    )
