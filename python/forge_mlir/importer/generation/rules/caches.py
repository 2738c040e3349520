"""Rules for ops that read and write caches.

At run time, token_loop.py owns the caches and runtime/op/kv_cache.py writes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from onnx import NodeProto, TensorProto

from forge_mlir.importer.generation.program import Program, Value, attributes_of, known_of
from forge_mlir.importer.generation.recognise import Cache
from forge_mlir.importer.generation.rules import movement
from forge_mlir.importer.generation.rules.arithmetic import anything, given
from forge_mlir.importer.generation.rules.table_rows import lacks_rows
from forge_mlir.importer.generation.sizes import Size
from forge_mlir.onnx_model.graph import set_node_opset

TENSOR_SCATTER = 24
"""The opset of TensorScatter, independent of that of the model."""


class Caches:
    """The caches of a program, and the nodes of its model. `written` maps an input to the value of its cache after the
    write."""

    def __init__(
        self, program: Program, caches: Mapping[str, Cache], decodes: bool, nodes: Sequence[NodeProto]
    ) -> None:
        self.program, self.caches, self.decodes, self.nodes = program, caches, decodes, nodes
        self.written: dict[str, str] = {}

    def origin(self, name: str) -> Cache | None:
        """The cache whose unmodified input a value of the model is, or None."""
        value = self.program.value(name) if name else None
        return self.caches.get(value.name) if value is not None and value.name else None

    def write(self, cache: Cache, node: NodeProto, new: str) -> str:
        """Writes `new`, [batch, heads, new tokens, size], at the current length. Raises OnnxImportError for a second
        write."""
        program = self.program
        if cache.past in self.written:
            raise program.refused(node, f"a second node writes to the cache {cache.past!a}")
        inputs = [cache.past, new]
        if self.decodes:
            inputs.append(program.emit("Cast", [program.length], to=TensorProto.INT64))
        made = program.emit("TensorScatter", inputs, axis=2)
        set_node_opset(program.nodes[-1], TENSOR_SCATTER)
        self.written[cache.past] = made
        return made

    def _size_heads(self, cache: Cache | None, size: Size) -> None:
        """Sets the head size of a cache whose last dim is open in the model, as in models of onnxruntime-genai's
        builder."""
        assert cache is not None
        value = self.program.values[cache.past]
        if value.shape[3] == Size(0):
            self.program.give(cache.past, replace(value, shape=(*value.shape[:3], size)))

    def concat(self, node: NodeProto) -> None:
        """Concat(past, new) is a cache write; any other Concat is unchanged."""
        program = self.program
        cache = self.origin(node.input[0])
        if cache is None or not cache.grows:
            movement.concat(program, node)
            return
        values = given(program, node)
        axis = attributes_of(node)["axis"] % len(values[0].shape)
        if len(values) != 2 or axis != 2:
            raise program.refused(node, f"the cache {cache.past!a} may only grow by one operand along axis 2")
        self._append(cache, node)

    def _append(self, cache: Cache, node: NodeProto) -> None:
        """Writes the operand 1 of `node`, whose result is all keys so far."""
        program = self.program
        past, new = (program.values[name] for name in node.input[:2])
        kept = [each for at, each in enumerate(new.shape) if at != 2]
        if len(new.shape) != len(past.shape) or kept != [each for at, each in enumerate(past.shape) if at != 2]:
            shapes = ", ".join(map(str, past.shape)), ", ".join(map(str, new.shape))
            raise program.refused(node, f"the cache {cache.past!a} is [{shapes[0]}], but gets [{shapes[1]}]")
        total = new.shape[2].plus(past.shape[2])
        made = self.write(cache, node, program.read(node.input[1]))
        shape = (*new.shape[:2], total, *new.shape[3:])
        # For a prompt, the new keys are all keys.
        program.give(node.output[0], Value(made if self.decodes else program.read(node.input[1]), new.dtype, shape))

    def scatter(self, node: NodeProto) -> None:
        """A TensorScatter into the buffer of a cache appends to the cache if only Attention with the number of tokens
        reads the buffer."""
        program, attributes = self.program, attributes_of(node)
        cache = self.origin(node.input[0])
        if cache is None:
            anything(program, node)
            return
        past = program.values[node.input[0]].shape[2]
        starts = program.values[node.input[2]].known if len(node.input) > 2 and node.input[2] else None
        if starts is None or any(each != past for each in starts.reshape(-1)):
            raise program.refused(node, f"it has to write to the cache {cache.past!a} after the tokens that are there")
        if attributes.get("axis", -2) % 4 != 2 or attributes.get("mode", b"linear") != b"linear":
            raise program.refused(node, f"the cache {cache.past!a} may only grow along axis 2")
        for each in self.nodes:
            is_counted = each.op_type == "Attention" and len(each.input) > 6 and each.input[6]
            if (cache.past in each.input and each is not node) or (node.output[0] in each.input and not is_counted):
                raise program.refused(each, f"it may read positions of the cache {cache.past!a} that have no token")
        self._append(cache, node)

    def group_query_attention(self, node: NodeProto) -> None:
        """The cache of a GroupQueryAttention: positions beyond the length of a row are masked."""
        program = self.program
        query = program.values[node.input[0]]
        keys = [self.origin(node.input[at]) for at in (3, 4)]
        if None in keys or (query.shape[1].times == 0 and not self.decodes):
            raise program.refused(node, "its past keys and values must be inputs of the model")
        attributes = attributes_of(node)
        heads, count = attributes["kv_num_heads"], attributes["num_heads"]
        packed = not (len(node.input) > 1 and node.input[1])
        width = query.shape[2].const
        size = width // (count + 2 * heads) if packed else width // count
        for cache in keys:
            self._size_heads(cache, Size(size))
        table = program.value(node.input[7]) if len(node.input) > 7 else None
        if table is not None and program.held(table.shape[0]) < program.capacity:  # The angles of each position.
            raise lacks_rows(program, node, table.shape[0], program.capacity - 1)
        inputs = [program.read(name) for name in node.input]
        total = [Size(program.capacity)]
        inputs[6] = program.materialise(known_of(total, []), TensorProto.INT32)
        rows = Size(1, 1) if self.decodes else query.shape[1]
        if not self.decodes:
            inputs[3] = inputs[4] = ""
        else:
            for cache in keys:
                assert cache is not None
                if cache.past in self.written:
                    raise program.refused(node, f"a second node writes to the cache {cache.past!a}")
                self.written[cache.past] = node.output[keys.index(cache) + 1]
        # A buffer of all positions retains positions that leave the window, so that none have to be dropped.
        window = {"sliding_window_cache": 0} if "sliding_window_cache" in attributes else {}
        program.copy(node, inputs, **({"shared_buffer": 1} if self.decodes else {}), **window)
        shape = (*query.shape[:2], Size(count * size))
        program.give(node.output[0], Value(node.output[0], query.dtype, shape))
        for name, cache in zip(node.output[1:3], keys, strict=False):
            program.give(name, Value(name, query.dtype, (query.shape[0], Size(heads), rows, Size(size))))
            if cache is not None and not self.decodes:
                self.write(cache, node, name)
