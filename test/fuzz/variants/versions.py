"""Adapts a node to another version of its op or to another type."""

from __future__ import annotations

from functools import cache
from itertools import zip_longest
from random import Random

import numpy as np
import onnx
from onnx import AttributeProto, NodeProto, TensorProto, helper, numpy_helper

from fuzz.coverage import TYPE_ATTRIBUTES, Cell, Schema, cells_of_schema, schema_at, schemas
from fuzz.variants.seeds import all_seeds
from fuzz.variants.variant import Variant, cast, numpy_type

NEWEST = onnx.defs.onnx_opset_version()
# Attributes of old versions that later versions have as operands of another name.
_OTHER_NAMES = {"paddings": "pads", "value": "constant_value", "dtype": "dtype"}
_SCALES = ("height_scale", "width_scale")


@cache
def all_cells() -> list[Cell]:
    """All cells of ops that have a seed model: every version once, then the versions with more types."""
    r = Random(0)
    by_version = [cells_of_schema(version) for op in sorted(all_seeds()) for version in schemas().get(op, {}).values()]
    for found in by_version:
        r.shuffle(found)
    r.shuffle(by_version)
    return [cell for row in zip_longest(*by_version) for cell in row if cell is not None]


def opsets_of(cell: Cell) -> range:
    """The opsets in which this version of the op is used."""
    later = min((number for number in schemas()[cell.op] if number > cell.since), default=NEWEST + 1)
    return range(cell.since, max(min(later, NEWEST + 1), cell.since + 1))


def aim(r: Random, variant: Variant, cell: Cell) -> None:
    """Gives the node of `variant` the version and the type of `cell`."""
    node = variant.main()
    before = schema_at(variant.op, variant.domains.get(variant.op[0], variant.opset))
    after = schemas()[cell.op][cell.since]
    if node is None or before is None:
        return
    if cell.op[0]:
        variant.domains[cell.op[0]] = cell.since
    elif not set(opsets_of(cell)) & {variant.opset}:
        variant.opset = r.choice([opsets_of(cell)[0], opsets_of(cell)[-1]])
    if before.since != after.since:
        fit(variant, node, before, after)
    if cell.variable:
        _set_type(variant, node, after, cell)


def fit(variant: Variant, node: NodeProto, before: Schema, after: Schema) -> None:
    """Makes operands attributes if the other version has attributes, and the reverse, and removes what the other
    version does not have."""
    names = [name for name, _ in after.inputs]
    operands = dict(zip((name for name, _ in before.inputs), node.input, strict=False))
    if after.variadic or before.variadic or not after.attributes | before.attributes:
        return
    kept = {attribute.name: attribute for attribute in node.attribute if attribute.name in after.attributes}
    for name in after.attributes - kept.keys():
        value = variant.arrays.get(operands.get(_OTHER_NAMES.get(name, name), ""))
        if value is not None and value.size and _OTHER_NAMES.get(name, name) not in names:
            kept[name] = _attribute(name, value)
    if before.op[1] == "Upsample" and set(_SCALES) <= after.attributes and (scales := operands.get("scales")):
        for name, value in zip(_SCALES, variant.arrays[scales][-2:], strict=True):
            kept[name] = helper.make_attribute(name, float(value))
    for attribute in node.attribute:
        name = _OTHER_NAMES.get(attribute.name, attribute.name)
        if attribute.name not in after.attributes and name in names and name not in operands:
            operands[name] = f"{name}_of_attribute"
            variant.arrays[operands[name]] = _array(attribute)
    # Renamed operands keep their positions: an operand that ONNX renamed is the same operand.
    same_places = [operands.get(name, "") for name in names]
    for at, old in enumerate(node.input):
        if at < len(names) and not same_places[at] and before.formal(at)[0] not in (*names, *kept):
            same_places[at] = old
    while same_places and not same_places[-1]:
        same_places.pop()
    attributes = [AttributeProto.FromString(attribute.SerializeToString()) for attribute in kept.values()]
    del node.attribute[:]
    node.attribute.extend(attributes)
    node.input[:] = same_places


def _attribute(name: str, value: np.ndarray) -> AttributeProto:
    plain = value.astype(np.float64 if value.dtype.kind == "f" else np.int64)
    return helper.make_attribute(name, plain.tolist() if plain.ndim else plain.item())


def _array(attribute: AttributeProto) -> np.ndarray:
    value = helper.get_attribute_value(attribute)
    if isinstance(value, TensorProto):
        return numpy_helper.to_array(value)
    floats = attribute.type in (AttributeProto.FLOAT, AttributeProto.FLOATS)
    return np.asarray(value, np.float32 if floats else np.int64)


def _set_type(variant: Variant, node: NodeProto, schema: Schema, cell: Cell) -> None:
    """Gives the operands of the cell's type variable its type; without such operands, sets the attribute that
    determines the type of the result."""
    dtype = numpy_type(cell.dtype)
    operands = [name for at, name in enumerate(node.input) if schema.formal(at)[1] == cell.variable]
    for name in operands:
        if name in variant.arrays:
            variant.arrays[name] = cast(variant.arrays[name], dtype)
    if operands:
        return
    for name in TYPE_ATTRIBUTES:
        if name in schema.attributes:
            kept = [attribute for attribute in node.attribute if attribute.name != name]
            kept = [AttributeProto.FromString(attribute.SerializeToString()) for attribute in kept]
            number = helper.np_dtype_to_tensor_dtype(dtype)
            old = cell.op[1] == "Cast" and cell.since < 6
            kept.append(helper.make_attribute(name, TensorProto.DataType.Name(number) if old else number))
            del node.attribute[:]
            node.attribute.extend(kept)
