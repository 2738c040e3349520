def computed_weight(weight, weights):
    """Compute a weight from smaller ones by the steps in the manifest, in float64."""
    return finished(weight, len(weight["steps"]) - 1, weights, {})


def finished(weight, at, weights, known):
    """Evaluate a step and the movement after it in the dtype of the weight. Works on blocks of rows, so that only one
    block at a time is in float64."""
    step, dtype = weight["steps"][at], getattr(torch, weight["dtype"])
    if step.get("op") in ("transpose", "reshape", "index", "concatenate", "repeat", "repeat_interleave"):
        return computed_step(step, *[finished(weight, operand, weights, known) for operand in step["operands"]])
    count = step["shape"][0]
    result = torch.empty(step["shape"], dtype=dtype)
    block = max(1, 2**20 // max(1, result[:1].numel()))
    for begin in range(0, count, block):
        rows = slice(begin, begin + block)
        result[rows] = rounded(rows_of(weight, at, rows, count, weights, known, {}), dtype)
    return result


def rows_of(weight, at, rows, count, weights, known, block):
    """Some of the `count` rows of a step. `block` caches rows of its operands, `known` whole values."""
    step = weight["steps"][at]
    operands = [(operand, weight["steps"][operand]["shape"]) for operand in step.get("operands", ())]
    if at not in block and by_row(step, [shape for _, shape in operands], count):
        values = []
        for operand, shape in operands:
            if shape[0] == count and (len(shape) == len(step["shape"]) or step["op"] == "reshape"):
                values.append(rows_of(weight, operand, rows, count, weights, known, block))
            else:
                values.append(exact(weight, operand, whole(weight, operand, weights, known)))
        if step["op"] == "reshape":
            step = {**step, "shape": [values[0].shape[0], *step["shape"][1:]]}
        block[at] = exact(weight, at, computed_step(step, *values))
    elif at not in block:
        block[at] = exact(weight, at, whole(weight, at, weights, known)[rows])
    return block[at]


def by_row(step, shapes, count):
    """Whether each row of a step depends only on the same rows of its operands, and on operands that broadcast."""
    op, rank = step.get("op"), len(step["shape"])
    if op in ("add", "subtract", "multiply", "divide", "bitwise_and", "sqrt", "cast"):
        return all(len(shape) < rank or shape[0] in (1, count) for shape in shapes)
    if op in ("reshape", "concatenate"):
        return all(shape[0] == count for shape in shapes) and (op == "reshape" or step["axis"] not in (0, -rank))
    return False


def whole(weight, at, weights, known):
    """All rows of a step; weights in the file are returned in their stored dtype."""
    if at in known:
        return known[at]
    step = weight["steps"][at]
    dtype = getattr(torch, step["dtype"])
    if "operands" in step:
        values = [exact(weight, operand, whole(weight, operand, weights, known)) for operand in step["operands"]]
        value = computed_step(step, *values)
    elif "splat" in step:
        value = torch.full((), float(step["splat"]), dtype=dtype).expand(step["shape"])
    elif "hex" in step:
        value = torch.frombuffer(bytearray.fromhex(step["hex"]), dtype=dtype).reshape(step["shape"])
    else:
        value = source_of(step, weight["name"], weights).reshape(step["shape"])
    known[at] = value
    return value


def exact(weight, at, value):
    """Convert numbers to the type in which steps are computed."""
    dtype = getattr(torch, weight["steps"][at]["dtype"])
    return value.to(torch.float64 if dtype.is_floating_point else torch.int32)


def computed_step(step, first, *others):
    """Evaluate one step."""
    op = step["op"]
    if op in ("add", "subtract", "multiply", "divide", "bitwise_and", "sqrt"):
        return getattr(torch, op)(first, *others)
    if op == "cast":
        return rounded(first, getattr(torch, step["dtype"]))
    if op == "transpose":
        return first.transpose(step["dim0"], step["dim1"])
    if op == "index":
        return first.index_select(step["dim"], torch.arange(step["start"], step["stop"], step["stride"]))
    if op == "concatenate":
        return torch.cat((first, *others), step["axis"])
    if op == "repeat":
        return torch.tile(first, step["repeats"])
    if op == "repeat_interleave":
        return first.repeat_interleave(step["repeats"], step["dim"])
    if op == "adv_index":
        return first.index_select(step["dim"], *others)
    return first.reshape(step["shape"])


def rounded(value, dtype):
    """Round to the dtype; for bfloat16, floats beyond its largest number become that number."""
    result = value.to(dtype)
    if dtype == torch.bfloat16:
        most = torch.finfo(dtype).max
        fits = value.abs() <= torch.finfo(torch.float32).max
        result = torch.where(fits, result.clamp(-most, most), result)
    if (result.isinf() & ~value.isinf()).any():
        raise RuntimeError(f"a weight has a value that {dtype} does not hold")
    return result


def source_of(step, name, weights):
    """Read a stored source of a weight; 4-bit integers are packed, two per byte."""
    stored = step["stored"]
    raw = "uint8" if stored in ("int4", "uint4") else stored
    if "file" in step:
        value = read_weight({**step, "name": name, "dtype": raw, "shape": [-1]})
    else:
        value = weights.get_tensor(step["tensor"])
    if raw == stored:
        return value
    value = torch.stack((value & 15, value >> 4), -1).flatten()[: torch.Size(step["shape"]).numel()]
    return (value.to(torch.int8) ^ 8) - 8 if stored == "int4" else value
