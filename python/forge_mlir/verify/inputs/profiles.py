"""Profiles of inputs, which determine the errors that can be detected.

Normally distributed floats never reach the bound of a ReLU6, have no equal elements, and no rows without variance.
Other profiles draw such values, from a seed. `mixed` has some of each, row by row, and runs after `normal`; `ties`
follows it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

import ml_dtypes
import numpy as np
import numpy.typing as npt

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, quote
from forge_mlir.execute.defaults import defaults_of
from forge_mlir.execute.device_module import Arrays
from forge_mlir.importer import ImportedModel
from forge_mlir.verify.inputs.random_inputs import IndexedInputs, random_inputs
from forge_mlir.verify.inputs.thresholds import Thresholds

Profile = Literal[
    "normal", "wide", "negative", "ties", "integers", "degenerate", "mixed", "special", "sizes", "neighbours"
]
OF_NODES: tuple[Profile, ...] = ("sizes", "neighbours")
"""Profiles for single nodes: in a whole model, numbers of such sizes overflow, and close ones do not stay close."""
PROFILES: tuple[Profile, ...] = tuple(each for each in get_args(Profile) if each not in OF_NODES)
"""The profiles that a user can choose."""
DEFAULT_PROFILES: tuple[Profile, ...] = ("normal", "mixed", "ties")

_FEW_NODES, _ELEMENTS, _MOST_SEEDS = 16, 1024, 8
_FEWEST_ROWS = 4
_SPECIAL_PERIOD, _SPECIAL_SHARE, _SPECIAL_SEEDS = 8, 16, 3
_THRESHOLD_SHARE = 1 / 16
_MOST_OF_HALVES = 65504.0
_LARGEST_EXPONENT = 30.0

_Array = npt.NDArray[Any]
_Draw = Callable[[np.random.Generator, tuple[int, ...]], npt.NDArray[np.float64]]


def checked_profiles(names: Sequence[str]) -> tuple[Profile, ...]:
    """`names` as profiles, without duplicates; "all" is every profile. Raises ForgeError for an unknown name."""
    found = dict.fromkeys(PROFILES if "all" in names else ())
    for name in names:
        if name != "all" and name not in PROFILES:
            raise ForgeError(
                Code.PassOption, f"there is no profile {quote(name)}; there are {', '.join(PROFILES)}, all"
            )
        found.update((profile, None) for profile in PROFILES if profile == name)
    return tuple(found)


def seeds_of(manifest: dict[str, Any], profile: Profile = "normal") -> int:
    """The number of seeds for a profile: more for a model with few nodes and small inputs, for which one sample is not
    sufficient, and for special numbers, of which inputs with few rows do not have all kinds."""
    nodes = manifest["onnx"].get("nodes", _FEW_NODES + 1)
    shapes = [entry["shape"] or () for entry in manifest.get("values", manifest["inputs"])]
    elements = sum(math.prod(size for size in shape if isinstance(size, int)) for shape in shapes)
    seeds = min(_MOST_SEEDS, _ELEMENTS // max(elements, 1)) if nodes <= _FEW_NODES else 1
    return max(seeds, _SPECIAL_SEEDS if profile == "special" else 1)


def profile_inputs(
    profile: Profile,
    manifest: dict[str, Any],
    seed: int = 0,
    imported: ImportedModel | None = None,
    largest: int = 1 << 20,
) -> Arrays:
    """Inputs by ONNX name, drawn by `profile` from `seed`; `normal` is `random_inputs`.

    Integers that are indices take all valid values, including negative ones. Other integers are between -`largest` and
    `largest` in `integers`, close to few such numbers in `neighbours`, and small in other profiles.
    """
    if profile == "normal":
        return random_inputs(manifest, seed, imported)
    generator = np.random.default_rng([seed, get_args(Profile).index(profile)])
    inputs, defaults = random_inputs(manifest, seed, imported), defaults_of(manifest)
    indexed, thresholds = IndexedInputs.of(imported), Thresholds.of(imported)
    for info in manifest["onnx"]["inputs"]:
        name = info["name"]
        drawn_before = inputs.get(name)
        if name in defaults or not isinstance(drawn_before, np.ndarray) or drawn_before.dtype.kind in "OUSTc":
            continue  # text, sequences and maps are the same in every profile
        if profile == "special" and drawn_before.dtype.kind in "biu":
            continue
        dtype, shape = drawn_before.dtype, drawn_before.shape
        if dtype.kind == "b":
            inputs[name] = generator.integers(0, 2, size=shape).astype(bool)
        elif is_integer(dtype):
            most = indexed.most(name)
            if most is not None and not indexed.is_signed(name):
                drawn = np.asarray(generator.integers(0, most, size=shape))
            else:
                drawn = _integers(profile, generator, shape, dtype, most, largest)
            if profile == "ties" and drawn.size:
                drawn = _with_tied_ends(generator, drawn, drawn.min(), drawn.max())
            elif thresholds.integers and drawn.size:
                drawn = _with_thresholds(generator, drawn, thresholds, dtype, most, signed=indexed.is_signed(name))
            inputs[name] = np.asarray(np.clip(drawn, *info["range"]) if "range" in info else drawn).astype(dtype)
        else:
            inputs[name] = _floats(profile, generator, shape, dtype, indexed.rounds, thresholds)
    return indexed.adjusted(inputs)


def _with_thresholds(
    generator: np.random.Generator,
    drawn: _Array,
    thresholds: Thresholds,
    dtype: np.dtype[Any],
    most: int | None,
    *,
    signed: bool,
) -> _Array:
    """Some integers are those that the model compares with, as far as its type and what it indexes have them."""
    near = thresholds.integers_near(generator, drawn.shape)
    low, high = _bounds(dtype)
    if most is not None:
        low, high = max(low, -most if signed else 0), most - 1
    takes = (generator.random(drawn.shape) < _THRESHOLD_SHARE) & (near >= low) & (near <= high)
    return np.where(takes, near, drawn)


def _integers(
    profile: Profile,
    generator: np.random.Generator,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    most: int | None,
    largest: int,
) -> _Array:
    least, greatest = _bounds(dtype)
    if most is not None:
        lowest = -most if least < 0 else 0
        return np.asarray(generator.integers(lowest, most, size=shape))
    if profile == "neighbours":
        few = np.array([largest - 2, 2 - largest, largest // 2, 5])
        return np.clip(generator.choice(few, shape) + generator.integers(-1, 2, shape), least, greatest)
    low, high = (-largest, largest) if profile == "integers" else (-4, 12)
    if dtype.itemsize == 1:
        low, high = least, greatest
    return np.asarray(generator.integers(max(low, least), min(high, greatest) + 1, size=shape))


def is_integer(dtype: np.dtype[Any]) -> bool:
    """The small integers of ml_dtypes have no numpy kind."""
    return dtype.kind in "iu" or dtype.name.startswith(("int", "uint"))


def _bounds(dtype: np.dtype[Any]) -> tuple[int, int]:
    info: Any = ml_dtypes.iinfo if dtype.kind == "V" else np.iinfo
    return int(info(dtype).min), int(info(dtype).max)


def _floats(
    profile: Profile,
    generator: np.random.Generator,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    rounds: bool,
    thresholds: Thresholds,
) -> _Array:
    info: Any = ml_dtypes.finfo
    most = float(info(dtype).max)
    if profile == "neighbours":
        return _neighbours(generator, shape, np.dtype(np.float32) if dtype.itemsize > 4 else dtype).astype(dtype)
    drawn = _DRAWS[profile](generator, shape)
    drawn = _of_all_sizes(generator, drawn, most) if profile == "sizes" else _both_zeros(generator, drawn)
    if profile == "mixed":
        if thresholds.floats:
            takes = generator.random(shape) < _THRESHOLD_SHARE
            drawn = np.where(takes, thresholds.floats_near(generator, shape), drawn)
        drawn = _with_rows_of_one_kind(generator, drawn, 30.0 if most > _MOST_OF_HALVES else 1.0)
    if profile == "special":
        return _with_special_rows(generator, drawn, info(np.float32 if dtype.itemsize > 4 else dtype)).astype(dtype)
    if profile == "ties":
        drawn = _with_equal_slices(generator, drawn)
        if rounds:
            drawn = _with_coarse_rows(generator, drawn, int(info(np.float32 if dtype.itemsize > 4 else dtype).nmant))
    drawn = np.asarray(np.clip(drawn, -most / 2, most / 2))
    # The device has no float64, and a remainder of large numbers depends on every bit.
    return (drawn.astype(np.float32) if profile == "sizes" and dtype.itemsize > 4 else drawn).astype(dtype)


def _both_zeros(generator: np.random.Generator, drawn: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """`drawn` with zeros of both signs, which divisions distinguish."""
    zeros = drawn == 0
    return (
        np.where(zeros, np.copysign(0.0, generator.choice([-1.0, 1.0], drawn.shape)), drawn) if zeros.any() else drawn
    )


def _wide(generator: np.random.Generator, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Magnitudes from 1e-4 to 1e4 in one tensor, of both signs."""
    return np.asarray(generator.choice([-1.0, 1.0], shape) * 10.0 ** generator.uniform(-4, 4, shape))


def _negative(generator: np.random.Generator, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    return np.asarray(-3 * np.abs(generator.standard_normal(shape)))


def _ties(generator: np.random.Generator, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Numbers with exact sums, many of which are equal, or midpoints between integers, before or after multiplication
    by a power of two: five halves around 0, or eighths between -4 and 4. A quarter of the elements is the maximum and a
    quarter the minimum, so that even short slices along any axis have ties."""
    coarse, fine = generator.integers(-2, 3, shape) / 2, generator.integers(-32, 33, shape) / 8
    drawn = np.asarray(np.where(generator.integers(0, 2, (*shape[:-1], 1) if shape else ()), coarse, fine))
    return _with_tied_ends(generator, drawn, drawn.min(initial=4), drawn.max(initial=-4))


def _with_tied_ends(generator: np.random.Generator, drawn: _Array, least: Any, most: Any) -> _Array:
    """Sets a quarter of the elements to the maximum, for ArgMax with ties, and a quarter to the minimum."""
    end = generator.integers(0, 4, drawn.shape)
    return np.where(end == 0, most, np.where(end == 1, least, drawn))


def _with_equal_slices(generator: np.random.Generator, drawn: _Array) -> _Array:
    """Makes two slices along each axis but the last equal, so that values computed from them are too."""
    for axis, size in enumerate(drawn.shape[:-1]):
        if size > 1 and drawn.size:
            first, second = generator.choice(size, 2, replace=False)
            slices = np.moveaxis(drawn, axis, 0)
            slices[second] = slices[first]
    return drawn


def _with_coarse_rows(generator: np.random.Generator, drawn: _Array, mantissa: int) -> _Array:
    """Makes some rows, or some elements if there are few rows, so large that their type has few fractions: products of
    them are integers or midpoints between integers."""
    exponents = generator.uniform(mantissa - 9, mantissa - 1, drawn.shape)
    large = generator.choice([-1.0, 1.0], drawn.shape) * 2.0**exponents
    has_rows = drawn.ndim > 1 and drawn.size >= _FEWEST_ROWS * drawn.shape[-1]
    share, shape = (0.3, (*drawn.shape[:-1], 1)) if has_rows else (0.1, drawn.shape)
    return np.where(generator.random(shape) < share, large, drawn)


def _degenerate(generator: np.random.Generator, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Rows of zeros, of one value, of tiny numbers, and of zeros except for one element."""
    drawn = np.zeros(shape)
    if not shape or not drawn.size:
        return drawn
    for at, row in enumerate(drawn.reshape(-1, shape[-1])):
        kind = (at + int(generator.integers(0, 4))) % 4
        if kind == 1:
            row[:] = float(generator.integers(1, 9))
        elif kind == 2:
            row[:] = 1e-6 * generator.standard_normal(row.size)
        elif kind == 3:
            row[int(generator.integers(0, row.size))] = 100.0
    return drawn


def _normal(generator: np.random.Generator, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    return np.asarray(generator.standard_normal(shape))


def _mixed(generator: np.random.Generator, shape: tuple[int, ...]) -> npt.NDArray[np.float64]:
    """Each row, or each element if there are few rows, is drawn by another profile."""
    kinds = (_normal, _wide, _negative, _ties, _degenerate)
    drawn = [kind(generator, shape) for kind in kinds]
    rows = int(np.prod(shape[:-1])) if shape else 1
    if rows >= 2 * len(kinds):
        choice = generator.integers(0, len(kinds), (*shape[:-1], 1))
    else:
        choice = generator.integers(0, len(kinds) - 1, shape)
    return np.asarray(np.choose(choice, drawn))


def _with_rows_of_one_kind(
    generator: np.random.Generator, drawn: npt.NDArray[np.float64], large: float
) -> npt.NDArray[np.float64]:
    """Half of the rows hold numbers of one kind: negative, zero, small, or nearly equal. In a row of many kinds, a
    norm, a sum or a maximum hides what it does with these. If there is a single row, it is chosen at random whether it
    holds numbers of one kind. Numbers of about `large` are small in float16, in which they would overflow."""
    if not drawn.size or not drawn.ndim:
        return drawn
    rows = drawn.reshape(-1, drawn.shape[-1]).copy()
    kinds: list[_Draw] = [
        _negative,
        lambda _, shape: np.zeros(shape),
        lambda generator, shape: 10.0 ** -generator.integers(2, 12) * _normal(generator, shape),
        lambda generator, shape: large + _normal(generator, shape),
        lambda generator, shape: large / 3 * _negative(generator, shape),
    ]
    first = int(generator.integers(0, len(kinds)))
    chosen = np.flatnonzero(generator.random(len(rows)) < 0.5) if len(rows) == 1 else generator.permutation(len(rows))
    for at, row in enumerate(chosen[: max(1, len(rows) // 2)], first):
        rows[row] = kinds[at % len(kinds)](generator, (rows.shape[1],))
    return rows.reshape(drawn.shape)


def _of_all_sizes(generator: np.random.Generator, drawn: _Array, most: float) -> _Array:
    """Numbers of every size that the type has, but for the largest and the smallest ones, with zeros; some of them
    are multiples of a half, most of these about as large as those of which the type has no fractions. Of each image,
    or else of each row, all are negative, or positive, or some of each."""
    top = min(_LARGEST_EXPONENT, math.log10(most) / 2 if most <= _MOST_OF_HALVES else _LARGEST_EXPONENT)
    numbers = 10.0 ** generator.uniform(-top, top, drawn.shape)
    bits = 12 if most <= _MOST_OF_HALVES else 26
    kind = generator.integers(0, 12, drawn.shape)
    exponents = generator.uniform(np.where(kind < 2, 0, bits - 6), bits, drawn.shape)
    numbers = np.where(kind < 5, np.rint(2.0**exponents) / 2, np.where(kind == 5, 0.0, numbers))
    leading = drawn.shape[:2] if drawn.ndim > 2 else drawn.shape[:-1]
    block = (*leading, *[1] * (drawn.ndim - len(leading)))
    sign = generator.choice([-1.0, 0.0, 1.0], block)
    return np.asarray(numbers * np.where(sign, sign, generator.choice([-1.0, 1.0], drawn.shape)))


def _neighbours(generator: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype[Any]) -> _Array:
    """Few numbers, the same ones for every operand, and what is next to them in `dtype`, or as far from them as
    single digits of float32 are: comparisons of such operands have every outcome."""
    few = np.array([1.1, -0.9, 3.3e-3, 7.0e2, -2.0e-6]).astype(dtype)
    chosen = generator.choice(few, shape)
    up, down = (np.nextafter(chosen, np.array(end, dtype)) for end in (np.inf, -np.inf))
    wide = [each.astype(np.float64) for each in (chosen, chosen, up, down)]
    wide += [wide[0] * (1 + step) for step in (3e-7, -3e-7, 5e-6, -5e-6)]
    return np.asarray(np.choose(generator.integers(0, len(wide), shape), wide))


def _with_special_rows(generator: np.random.Generator, drawn: _Array, info: Any) -> _Array:
    """`drawn` with a few special numbers of one kind in each of five rows of eight: NaN, one of the infinities, the
    largest numbers of both signs, or zeros and the smallest numbers. Row-wise results are finite in the other rows; a
    single row has one kind."""
    most, least, denormal = float(info.max), float(info.smallest_normal), float(info.smallest_subnormal)
    kinds = ([np.nan], [np.inf], [-np.inf], [most, -most], [0.0, -0.0, least, -least, denormal, -denormal])
    if not drawn.size:
        return drawn
    rows = np.array(drawn, ndmin=1).reshape(-1, *drawn.shape[-1:] or (1,))
    first = int(generator.integers(0, len(kinds) if len(rows) == 1 else _SPECIAL_PERIOD))
    for at, row in enumerate(rows, first):
        if (kind := at % _SPECIAL_PERIOD) < len(kinds):
            positions = generator.choice(row.size, 1 + row.size // _SPECIAL_SHARE, replace=False)
            row[positions] = [kinds[kind][0], *generator.choice(kinds[kind], positions.size - 1)]
    return rows.reshape(drawn.shape)


_DRAWS: dict[str, _Draw] = {
    "normal": _normal,
    "special": _normal,
    "sizes": _normal,
    "neighbours": _normal,
    "integers": lambda generator, shape: generator.integers(-64, 65, shape).astype(np.float64),
    "wide": _wide,
    "negative": _negative,
    "ties": _ties,
    "degenerate": _degenerate,
    "mixed": _mixed,
}
