"""Determines the roles of a language model's inputs and outputs from the graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from onnx import GraphProto, NodeProto, TensorProto, ValueInfoProto

from forge_mlir.codes import Code
from forge_mlir.importer.generation.program import attributes_of
from forge_mlir.onnx_model.errors import import_error, quote, tensor_label
from forge_mlir.onnx_model.graph import constant_value, node_where

_INTEGERS = (TensorProto.INT64, TensorProto.INT32)
# Ops with cache inputs and outputs: the indices of both.
_PAIRS = {
    "GroupQueryAttention": ((3, 1), (4, 2)),
    "Attention": ((4, 1), (5, 2)),
    "MultiHeadAttention": ((6, 1), (7, 2)),
    "TensorScatter": ((0, 0),),
    "LinearAttention": ((3, 1),),
    "CausalConvWithState": ((3, 1),),
}
PAST, LAST, TOTAL = "past", "last", "total"
_LENGTHS = {
    "GroupQueryAttention": ((5, LAST), (6, TOTAL)),
    "TensorScatter": ((2, PAST),),
    "Attention": ((6, TOTAL),),
}
"""Operands that are lengths."""
_STATES = ("LinearAttention", "CausalConvWithState")
_THROUGH = ("Identity", "Cast")
_RESHAPED = (*_THROUGH, "Reshape", "Unsqueeze", "Squeeze", "Flatten")


@dataclass(frozen=True)
class Cache:
    """An input that a step reads, and the output that replaces it for the next step. `grows`: it grows along axis 2 by
    the new tokens; otherwise it is a state of fixed size that is replaced as a whole. `window`: the smallest number of
    positions that onnxruntime needs if the past is a buffer; 0 if it is none."""

    past: str
    present: str
    grows: bool
    window: int = 0


@dataclass(frozen=True)
class Roles:
    """The inputs and outputs of a language model by role; the empty name means that there is none."""

    ids: str
    logits: str
    mask: str
    positions: str
    lengths: Mapping[str, str]
    """Inputs that are a length, and which: `PAST`, the number of tokens before the new ones; `TOTAL`, with the new
    ones; or `LAST`, the position of the last one."""
    caches: tuple[Cache, ...]
    others: tuple[str, ...]
    """Inputs that are the same in every step."""
    words: int
    """The number of rows in the word table."""

    def facts(self) -> dict[str, object]:
        return {
            "ids": self.ids,
            "words": self.words,
            "logits": self.logits,
            "mask": self.mask,
            "positions": self.positions,
            "lengths": dict(self.lengths),
            "caches": [[cache.past, cache.present] for cache in self.caches],
            "states": [cache.past for cache in self.caches if not cache.grows],
            "windows": {cache.past: cache.window for cache in self.caches if cache.window},
            "others": list(self.others),
        }


def recognise(graph: GraphProto, stated: Mapping[str, str]) -> Roles:
    """The roles in `graph`; `stated` has pairs of past and present names from the user. Raises OnnxImportError if
    tokens or logits are missing or ambiguous."""
    constants = {tensor.name for tensor in graph.initializer}
    inputs = {value.name: value for value in graph.input if value.name not in constants}
    outputs = [value.name for value in graph.output]
    producers = {name: node for node in graph.node for name in node.output}
    for past, present in stated.items():
        if past not in inputs or present not in outputs:
            missing = past if past not in inputs else present
            what = "input" if past not in inputs else "output"
            raise import_error(Code.InputUnknown, f"there is no {what} {quote(missing)} to be a cache")
    caches = [_stated_cache(past, present, producers, inputs) for past, present in stated.items()]
    for present in (name for name in outputs if name not in stated.values()):
        found = _cache(present, producers, inputs)
        if found is not None and found.past not in stated:
            caches.append(found)
    used = {cache.past for cache in caches}
    lengths = _lengths(graph, inputs, producers)
    used.update(lengths)
    integers = [name for name, value in inputs.items() if name not in used and _rank(value) == 2 and _is_mask(value)]
    tables = {table for name in integers for table in _tables(graph, name, producers)}
    logits = _logits(graph, outputs, {cache.present for cache in caches}, tables, producers)
    ids, words = _ids(graph, integers, inputs, logits, producers)
    others = {
        dim.dim_param
        for name, value in inputs.items()
        if name not in used and name not in integers
        for dim in value.type.tensor_type.shape.dim[1:]
    }
    rest = [name for name in integers if name != ids]
    mask = next((name for name in rest if _is_mask_of_all(name, inputs, ids, others, bool(caches))), "")
    rest += [name for name, value in inputs.items() if name not in used and _rank(value) == 1 and "pos" in name.lower()]
    alike = [name for name in rest if name != mask and _is_as_long_as_the_ids(name, inputs, ids)]
    positions = next((name for name in alike if "pos" in name.lower()), "")
    for name in alike:
        if name != positions and _second_name(inputs[name]) == _second_name(inputs[ids]) != "":
            raise import_error(
                Code.NoStaticCache,
                "it is as long as the tokens, and not known to be their positions, which have 'pos' in their name",
                where=tensor_label(name),
                unsupported=True,
            )
    known = {ids, mask, positions, *used}
    same = tuple(name for name in inputs if name not in known)
    return Roles(ids, logits, mask, positions, lengths, tuple(caches), same, words)


def takes_one_token(graph: GraphProto, roles: Roles) -> bool:
    """Whether the tokens of a model have the declared shape [batch, 1]."""
    ids = next(value for value in graph.input if value.name == roles.ids)
    return bool(ids.type.tensor_type.shape.dim[1].dim_value == 1)


def _rank(value: ValueInfoProto) -> int:
    tensor = value.type.tensor_type
    return len(tensor.shape.dim) if tensor.HasField("shape") else -1


def _second_name(value: ValueInfoProto) -> str:
    return str(value.type.tensor_type.shape.dim[-1].dim_param)


def _is_mask(value: ValueInfoProto) -> bool:
    return value.type.tensor_type.elem_type in (*_INTEGERS, TensorProto.BOOL, TensorProto.FLOAT)


def _origin(name: str, producers: Mapping[str, NodeProto], through: tuple[str, ...] = _THROUGH) -> str:
    """The origin of a value, through ops that preserve it."""
    while name in producers and producers[name].op_type in through:
        name = producers[name].input[0]
    return name


def _cache(present: str, producers: Mapping[str, NodeProto], inputs: Mapping[str, ValueInfoProto]) -> Cache | None:
    name = _origin(present, producers)
    node = producers.get(name)
    if node is None:
        return None
    if node.op_type == "Concat" and not node.domain:
        past = _origin(node.input[0], producers)
        rank = _rank(inputs[past]) if past in inputs else -1
        if rank < 3:
            return None
        axis = attributes_of(node)["axis"] % rank
        if (rank, axis) != (4, 2):
            raise import_error(
                Code.NoStaticCache,
                f"it grows along axis {axis} of {rank}, and a cache is [batch, heads, positions, size]",
                where=f"{tensor_label(past)}, {node_where(node)}",
                unsupported=True,
            )
        return Cache(past, present, True)
    for read, given in _PAIRS.get(node.op_type, ()):
        if len(node.output) > given and node.output[given] == name and len(node.input) > read:
            past = _origin(node.input[read], producers)
            if past in inputs:
                attributes, grows, rank = attributes_of(node), node.op_type not in _STATES, _rank(inputs[past])
                if grows and rank != 4:
                    raise import_error(
                        Code.NoStaticCache,
                        f"its rank is {rank}, and a cache is [batch, heads, positions, size]",
                        where=f"{tensor_label(past)}, {node_where(node)}",
                        unsupported=True,
                    )
                window = attributes["local_window_size"] if attributes.get("sliding_window_cache") else 0
                return Cache(past, present, grows, 1 if node.op_type == "TensorScatter" else window)
    return None


def _lengths(
    graph: GraphProto, inputs: Mapping[str, ValueInfoProto], producers: Mapping[str, NodeProto]
) -> dict[str, str]:
    """The inputs that tell attention ops the number of keys."""
    found = {}
    for node in graph.node:
        for at, which in _LENGTHS.get(node.op_type, ()):
            name = _origin(node.input[at], producers, _RESHAPED) if len(node.input) > at else ""
            if name in inputs:
                found[name] = which
    return found


def _stated_cache(
    past: str, present: str, producers: Mapping[str, NodeProto], inputs: Mapping[str, ValueInfoProto]
) -> Cache:
    """The cache of a stated pair. A Concat with a slice of the past, such as the window of a convolution that moves by
    one token, gives a state of fixed size. Raises OnnxImportError if the output is computed from another past."""
    found = _cache(present, producers, inputs)
    if found is not None and found.past != past:
        raise import_error(
            Code.InputConflict,
            f"the output {quote(present)} of --cache-pair is what {quote(found.past)} becomes",
            where=tensor_label(past),
        )
    node = producers.get(_origin(present, producers))
    grows = node is not None and (
        _origin(node.input[0], producers) == past
        if node.op_type == "Concat"
        else node.op_type in _PAIRS and node.op_type not in _STATES
    )
    return Cache(past, present, grows)


def _logits(
    graph: GraphProto,
    outputs: list[str],
    presents: set[str],
    tables: set[tuple[int, int]],
    producers: Mapping[str, NodeProto],
) -> str:
    """The first output of rank 3 that is not a cache, and whose last size is the number of rows of one of `tables`,
    those that inputs index. If there is none, the first one of rank 2 with such a size, the logits of the last token or
    of one text, or else the first one of rank 3 that is not as wide as a table, as hidden states are."""
    ranks = {value.name: _rank(value) for value in graph.output}
    counts, widths = ({table[at] for table in tables} for at in range(2))
    words = {name: _words(graph, name, producers) for name in outputs if name not in presents}
    found = [name for name in words if ranks[name] in (3, -1)]
    with_words = [name for name in found if words[name] in counts]
    flat = [name for name in words if ranks[name] == 2 and words[name] in counts]
    found = [*with_words, *flat, *(name for name in found if words[name] not in widths)]
    if not found:
        raise import_error(
            Code.NoStaticCache,
            "no output is the logits, [batch, tokens, words] or [batch, words]",
            hint="only language models with their last product, the head, generate",
        )
    return found[0]


def _constants(graph: GraphProto) -> dict[str, list[int]]:
    """The shapes of the constants."""
    found = {tensor.name: list(tensor.dims) for tensor in graph.initializer}
    for node in graph.node:
        tensor = constant_value(node)
        if tensor is not None:
            found[node.output[0]] = list(tensor.dims)
    return found


def _tables(graph: GraphProto, name: str, producers: Mapping[str, NodeProto]) -> list[tuple[int, int]]:
    """The shapes of the tables that `name` indexes: numbers of rows and columns."""
    tables = {name: dims for name, dims in _constants(graph).items() if len(dims) == 2}
    found = []
    for node in graph.node:
        is_quantised = node.op_type == "GatherBlockQuantized"
        if (node.op_type != "Gather" and not is_quantised) or _origin(node.input[1], producers, _RESHAPED) != name:
            continue
        # Numbers of 4 bits may be packed, but each row has its scales.
        data = _origin(node.input[2 if is_quantised else 0], producers)
        table = _origin(data, producers, (*_THROUGH, "Transpose"))
        if table in tables:
            rows, columns = tables[table] if data == table else tables[table][::-1]
            found.append((rows, columns * attributes_of(node).get("block_size", 128) if is_quantised else columns))
    return found


def _ids(
    graph: GraphProto,
    integers: list[str],
    inputs: Mapping[str, ValueInfoProto],
    logits: str,
    producers: Mapping[str, NodeProto],
) -> tuple[str, int]:
    """The input that selects rows of the word table, and the number of its rows. If another input also selects rows of
    a table, the word table is the one with as many rows as the logits have words."""
    found = {
        name: rows
        for name in integers
        if inputs[name].type.tensor_type.elem_type in _INTEGERS
        and (rows := [rows for rows, _ in _tables(graph, name, producers)])
    }
    if len(found) > 1:
        words = _words(graph, logits, producers)
        found = {name: rows for name, rows in found.items() if words in rows} or found
    if len(found) > 1:
        found = {name: rows for name, rows in found.items() if "position" not in name}
    branches = next((node for node in graph.node if node.op_type == "If"), None)
    if not found and branches is not None:
        raise import_error(
            Code.NoStaticCache,
            "the tokens are read within its branches",
            where=node_where(branches),
            unsupported=True,
            hint="take the file of the branch with a past, such as decoder_with_past_model.onnx",
        )
    if len(found) != 1:
        names = ", ".join(map(quote, found)) or "none"
        raise import_error(
            Code.NoStaticCache, f"one input has to select the words of the tokens, but found {names}", unsupported=True
        )
    (name, rows), *_ = found.items()
    return name, min(rows)


def _words(graph: GraphProto, logits: str, producers: Mapping[str, NodeProto]) -> int:
    """The last size of the logits, from their type or from the weight of the final product; -1 if unknown."""
    for value in graph.output:
        dims = value.type.tensor_type.shape.dim
        if value.name == logits and _rank(value) in (2, 3) and dims[-1].HasField("dim_value"):
            return int(dims[-1].dim_value)
    node = producers.get(_origin(logits, producers))
    if node is None or node.op_type != "MatMul":
        return -1
    weight = _origin(node.input[1], producers)
    table = _origin(weight, producers, (*_THROUGH, "Transpose"))
    dims = _constants(graph).get(table) or [-1]
    return dims[-1 if weight == table else 0]


def _is_mask_of_all(
    name: str, inputs: Mapping[str, ValueInfoProto], ids: str, others: set[str], has_past: bool
) -> bool:
    """Whether an input is the mask, [batch, past + new], in contrast to position ids, [batch, new], and masks of other
    inputs: its second size is open, and neither that of the tokens nor one of `others`. Without a past, its size is
    that of the tokens, and it has "mask" in its name."""
    ours, tokens = (inputs[each].type.tensor_type.shape.dim[1] for each in (name, ids))
    if ours.dim_param in others - {""} or (tokens.dim_param and ours.dim_value):
        return False
    if ours.dim_param and tokens.dim_param and (has_past or ours.dim_param != tokens.dim_param):
        return bool(ours.dim_param != tokens.dim_param)
    return bool("mask" in name.lower())


def _is_as_long_as_the_ids(name: str, inputs: Mapping[str, ValueInfoProto], ids: str) -> bool:
    """Whether an input can be the position ids: integers, [batch, new] or [new]."""
    kind = inputs[name].type.tensor_type
    ours, tokens = (inputs[each].type.tensor_type.shape.dim[-1] for each in (name, ids))
    alike = ours.dim_param == tokens.dim_param and ours.dim_value == tokens.dim_value
    return kind.elem_type in _INTEGERS and (alike or not (ours.dim_value or tokens.dim_value))
