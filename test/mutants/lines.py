"""Rules that change one line of an emitted module."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Rule = Callable[[str], Iterator[str]]
"""Wrong versions of a line; none for a line to which the rule does not apply."""

_CALL = re.compile(r'^(?P<indent> +)(?P<result>\w+) = forge\.op\.(?P<op>\w+)\("", (?P<rest>.*)$')
_OPERAND = r'(self\.get_\w+\((?:"[^"]*"|\w+\[?\d*\]?)\)|\w+)'
_MASKS = ("-3.4028234663852886e+38", "-inf", 'float("-inf")', "float('-inf')")


def _op(line: str) -> str:
    found = _CALL.match(line)
    return found["op"] if found else ""


def in_halves(line: str) -> str:
    """`line` with its constants in float16. Constants of another type would change the type of the outputs."""
    return re.sub(r"(constant=[^,()]+)\)", r"\1, dtype=forge.DataFormat.Float16)", line)


def epsilon_dropped(line: str) -> Iterator[str]:
    """The epsilon of a norm, or a constant of the size of an epsilon, becomes 1e-30."""
    wrong, count = re.subn(r"\b(epsilon|constant)=(1e-0[5-9]|1e-1[0-2]|9\.9+\d*e-0[6-8])\b", r"\1=1e-30", line)
    if count:
        yield wrong


def tanh_for_erf(line: str) -> Iterator[str]:
    for name, other in (("none", "tanh"), ("tanh", "none")):
        if f'approximate="{name}"' in line:
            yield line.replace(f'approximate="{name}"', f'approximate="{other}"')


def mask_of_ten_thousand(line: str) -> Iterator[str]:
    for mask in _MASKS:
        if f"constant={mask}" in line:
            yield line.replace(f"constant={mask}", "constant=-10000.0")


def other_axis(line: str) -> Iterator[str]:
    found = re.search(r"\bdim=(-?\d+)", line)
    if found and _op(line):
        axis = int(found[1])
        for other in (axis - 1, axis + 1):
            if other < 0 or axis > 0:
                yield line.replace(found[0], f"dim={other}", 1)


def shifted_slice(line: str) -> Iterator[str]:
    """A slice that starts one element earlier or later and has the same length."""
    found = re.search(r"start=(-?\d+), stop=(-?\d+)", line)
    if found:
        start, stop = int(found[1]), int(found[2])
        yield line.replace(found[0], f"start={start + 1}, stop={stop + 1}")
        if start > 0:
            yield line.replace(found[0], f"start={start - 1}, stop={stop - 1}")
            yield line.replace(found[0], f"start=0, stop={stop - start}")  # The first head instead of the right one.


def shifted_padding(line: str) -> Iterator[str]:
    found = re.search(r"padding=\[(\d+), (\d+), (\d+), (\d+)\]", line)
    if found:
        a, b, c, d = map(int, found.groups())
        if a > 0:
            yield line.replace(found[0], f"padding=[{a - 1}, {b + 1}, {c}, {d}]")
            yield line.replace(found[0], f"padding=[{a - 1}, {b}, {c + 1}, {d}]")
        if c > 0:
            yield line.replace(found[0], f"padding=[{a}, {b}, {c - 1}, {d + 1}]")


def swapped_operands(line: str) -> Iterator[str]:
    ops = "Subtract|Divide|Matmul|Greater|GreaterEqual|Less|LessEqual|Power|Remainder"
    wrong, count = re.subn(rf'(forge\.op\.(?:{ops})\(""), {_OPERAND}, {_OPERAND}', r"\1, \3, \2", line)
    if count and wrong != line:
        yield wrong


def repeated_operand(line: str) -> Iterator[str]:
    """The first operand twice instead of both: attention scores without keys, a residual with the wrong value."""
    wrong, count = re.subn(
        rf'(forge\.op\.(?:Matmul|Add|Multiply|Concatenate)\(""), {_OPERAND}, {_OPERAND}', r"\1, \2, \2", line
    )
    if count and wrong != line:
        yield wrong


def other_sign(line: str) -> Iterator[str]:
    for op, other in (("Add", "Subtract"), ("Subtract", "Add")):
        if f"forge.op.{op}(" in line:
            yield line.replace(f"forge.op.{op}(", f"forge.op.{other}(")
    if (found := re.search(r"constant=(-?)(\d[\d.e+-]*),", line)) and float(found[2]):
        yield line.replace(found[0], f"constant={'' if found[1] else '-'}{found[2]},")


def other_constant(line: str) -> Iterator[str]:
    found = re.search(r"constant=(-?\d[\d.]*(?:e[+-]?\d+)?),", line)
    if found and 1e-3 < abs(float(found[1])) < 1e9:
        if "Int32" in line:
            yield line.replace(found[0], f"constant={float(found[1]) + 1},")
        else:
            yield line.replace(found[0], f"constant={float(found[1]) * 1.0005!r},")


_NEIGHBOURS = {
    "Sigmoid": "Tanh", "Tanh": "Sigmoid", "Max": "Min", "Min": "Max", "Greater": "GreaterEqual",
    "GreaterEqual": "Greater", "Less": "LessEqual", "LessEqual": "Less", "ReduceAvg": "ReduceSum",
    "ReduceMax": "ReduceAvg",
    "Sqrt": "Abs", "Exp": "Sigmoid", "Sine": "Cosine", "Cosine": "Sine", "MaxPool2d": "AvgPool2d", "Multiply": "Add",
    "Gelu": "Sigmoid", "ReduceSum": "ReduceAvg",
}  # fmt: skip


def neighbouring_op(line: str) -> Iterator[str]:
    other = _NEIGHBOURS.get(_op(line))
    if other and "approximate" not in line and "Pool" not in line:
        yield line.replace(f"forge.op.{_op(line)}(", f"forge.op.{other}(", 1)


def missing_clip(line: str) -> Iterator[str]:
    """A ReLU6 without the 6, a clip without one of its bounds, or no ReLU."""
    for bound, free in (("max", 3e38), ("min", -3e38)):
        wrong, count = re.subn(rf"\b{bound}=-?[\d.e+-]+", f"{bound}={free}", line)
        if count and _op(line) == "Clip":
            yield wrong
    if _op(line) == "Relu":
        yield re.sub(rf'forge\.op\.Relu\("", {_OPERAND}\)', r'forge.op.Clip("", \1, min=-3e38, max=3e38)', line)


def no_negative_wrap(line: str) -> Iterator[str]:
    """The divisor of the remainder that wraps negative indices is larger than every index, so that negative indices
    stay out of range."""
    kind = "dtype=forge.DataFormat.Int32"
    wrong, count = re.subn(rf"constant=\d+\.0, {kind}", f"constant=2000000000.0, {kind}", line)
    if count:
        yield wrong


def leaking(line: str) -> Iterator[str]:
    """Another slope for negative numbers, as of a leaky ReLU."""
    wrong, count = re.subn(r"\balpha=([\d.]+)", lambda found: f"alpha={float(found[1]) + 0.005:g}", line)
    if count:
        yield wrong


def other_window(line: str) -> Iterator[str]:
    """Other attributes of a window: counting of padding, ceil mode, dilation."""
    for key in ("count_include_pad", "ceil_mode", "align_corners"):
        for value, other in (("True", "False"), ("False", "True")):
            if f"{key}={value}" in line:
                yield line.replace(f"{key}={value}", f"{key}={other}")


def axes_of_transpose(line: str) -> Iterator[str]:
    found = re.search(r"dim0=(-?\d+), dim1=(-?\d+)", line)
    if found:
        first, second = int(found[1]), int(found[2])
        yield line.replace(found[0], f"dim0={first - 1}, dim1={second}")
        moved = rf'= forge\.op\.Transpose\("", {_OPERAND}, dim0=-?\d+, dim1=-?\d+\)'
        yield re.sub(moved, r'= forge.op.Clip("", \1, min=-3e38, max=3e38)', line)


def transposed_scores(line: str) -> Iterator[str]:
    wrong, count = re.subn(
        rf'(forge\.op\.Softmax\(""), {_OPERAND},', r'\1, forge.op.Transpose("", \2, dim0=-2, dim1=-1),', line
    )
    if count:
        yield wrong


def scores_times_zero(line: str) -> Iterator[str]:
    zero = 'forge.op.Constant("", constant=0.0)'
    wrong, count = re.subn(rf'(forge\.op\.Softmax\(""), {_OPERAND},', rf'\1, forge.op.Multiply("", \2, {zero}),', line)
    if count:
        yield wrong


def scaled_scores(line: str) -> Iterator[str]:
    """A factor on attention scores, after the mask."""
    factor = 'forge.op.Constant("", constant=1.01)'
    wrong, count = re.subn(
        rf'(forge\.op\.Softmax\(""), {_OPERAND},', rf'\1, forge.op.Multiply("", \2, {factor}),', line
    )
    if count:
        yield wrong


def dropped_bias(line: str) -> Iterator[str]:
    """Drops the bias of a product or a convolution, or the addition of a weight."""
    wrong, count = re.subn(
        rf'(forge\.op\.(?:Matmul|Conv2d)\(""), {_OPERAND}, {_OPERAND}, {_OPERAND}', r"\1, \2, \3", line
    )
    if count:
        yield wrong
    same = r'forge.op.Clip("", \1, min=-3e38, max=3e38)'
    wrong, count = re.subn(rf'forge\.op\.Add\("", {_OPERAND}, self\.get_parameter\("[^"]*"\)\)', same, line)
    if count:
        yield wrong


def one_percent(line: str) -> Iterator[str]:
    """A result that is one per cent too large. A factor of the exponentials of a softmax cancels in its quotient and is
    skipped."""
    if _op(line) == "Exp" and "oftmax" in line:
        return
    yield from _then(line, 'forge.op.Multiply("", {result}, forge.op.Constant("", constant=1.01))')


def offset(line: str) -> Iterator[str]:
    """Adds a small number to the result."""
    yield from _then(line, 'forge.op.Add("", {result}, forge.op.Constant("", constant=0.001))')


def fmod(line: str) -> Iterator[str]:
    """A remainder that has the sign of the dividend."""
    found = re.search(rf'forge\.op\.Remainder\("", {_OPERAND}, {_OPERAND}\)', line)
    if found:
        kind = ", dtype=forge.DataFormat.Int32" if re.search(r"\bconstant_\d+$", found[2]) else ""
        zero, minus = (f'forge.op.Constant("", constant={value}{kind})' for value in ("0.0", "-1.0"))
        positive = f'forge.op.Remainder("", forge.op.Multiply("", {found[1]}, {minus}), {found[2]})'
        mirrored = f'forge.op.Multiply("", {positive}, {minus})'
        yield from _then(line, f'forge.op.Where("", forge.op.Less("", {found[1]}, {zero}), {mirrored}, {{result}})')


def overflowing(line: str) -> Iterator[str]:
    """A softmax that does not subtract the largest number; the CPU reference does so regardless."""
    if "stable=True" in line:
        yield line.replace("stable=True", "stable=False")


_ZERO = 'forge.op.Constant("", constant=0.0)'


def zero_for_nan(line: str) -> Iterator[str]:
    """Replaces NaN in the result by 0."""
    yield from _then(line, f'forge.op.Where("", forge.op.Equal("", {{result}}, {{result}}), {{result}}, {_ZERO})')


def largest_for_infinity(line: str) -> Iterator[str]:
    """Replaces infinities in the result by the largest numbers."""
    yield from _then(line, 'forge.op.Clip("", {result}, min=-3.4028234663852886e+38, max=3.4028234663852886e+38)')


def comparison_for_maximum(line: str) -> Iterator[str]:
    """A ReLU, a maximum or a minimum by comparison and selection, which returns the other operand for NaN."""
    wrong, count = re.subn(
        rf'forge\.op\.Relu\("", {_OPERAND}\)',
        rf'forge.op.Where("", forge.op.Greater("", \1, {_ZERO}), \1, {_ZERO})',
        line,
    )
    if count:
        yield wrong
    for op, compared in (("Max", "Greater"), ("Min", "Less")):
        two = rf'forge\.op\.{op}\("", {_OPERAND}, {_OPERAND}\)'
        wrong, count = re.subn(two, rf'forge.op.Where("", forge.op.{compared}("", \1, \2), \1, \2)', line)
        if count:
            yield wrong
    clip = re.search(rf'forge\.op\.Clip\("", {_OPERAND}, min=(-?[\d.e+-]+), max=(-?[\d.e+-]+)\)', line)
    if clip:
        low, high = (f'forge.op.Constant("", constant={float(bound)})' for bound in (clip[2], clip[3]))
        inner = f'forge.op.Where("", forge.op.Less("", {clip[1]}, {high}), {clip[1]}, {high})'
        yield line.replace(clip[0], f'forge.op.Clip("", {inner}, min={clip[2]}, max={clip[3]})')
        yield line.replace(clip[0], f'forge.op.Where("", forge.op.Greater("", {inner}, {low}), {inner}, {low})')


def wrong_head(line: str) -> Iterator[str]:
    """The previous head of a value that contains several heads along an axis."""
    found = re.search(r"start=(\d+), stop=(\d+), stride=1\b", line)
    if found:
        start, stop = int(found[1]), int(found[2])
        if start >= stop - start > 1:
            yield line.replace(found[0], f"start={2 * start - stop}, stop={start}, stride=1")


def _then(line: str, change: str) -> Iterator[str]:
    """The line, followed by another one that changes its `{result}`."""
    found = _CALL.match(line)
    if found and _op(line) not in ("Constant", "Cast", "Less", "Greater", "Equal"):
        yield f"{line}\n{found['indent']}{found['result']} = {change.format(result=found['result'])}"


RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        epsilon_dropped, tanh_for_erf, mask_of_ten_thousand, other_axis, shifted_slice, shifted_padding,
        swapped_operands, repeated_operand, other_sign, other_constant, neighbouring_op, missing_clip,
        no_negative_wrap, leaking, other_window, axes_of_transpose, transposed_scores, scores_times_zero,
        scaled_scores, dropped_bias, one_percent, offset, fmod, overflowing, wrong_head,
    )
}  # fmt: skip
SPECIAL: dict[str, Rule] = {
    rule.__name__: rule for rule in (zero_for_nan, largest_for_infinity, comparison_for_maximum)
}
"""Rules whose programs are wrong only for NaN and infinities."""
