"""Values other than tensors: sequences are lists, maps are dicts, an absent optional is None, and text is in object
arrays.

Files of arrays store their parts by name: `q.0` and `q.1` for a sequence, `m.keys` and `m.values` for a map, `p.0.keys`
for a map in a sequence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, escaped, quote


def flattened(values: Mapping[str, Any]) -> dict[str, npt.NDArray[Any]]:
    """The tensors in `values`, and the parts of other values, as arrays. Text is in object arrays."""
    flat: dict[str, npt.NDArray[Any]] = {}
    for name, value in values.items():
        if isinstance(value, (list, tuple)):
            flat.update(flattened({f"{name}.{at}": part for at, part in enumerate(value)}))
        elif isinstance(value, Mapping):
            flat[f"{name}.keys"] = _array(list(value))
            flat.update(flattened({f"{name}.values": _array(list(value.values()))}))
        elif value is not None:
            flat[name] = _array(value)
    return flat


def storable(values: Mapping[str, Any]) -> dict[str, npt.NDArray[Any]]:
    """`flattened` in a form that a .npz can store without pickles. Raises ForgeError for text that it cannot store."""
    flat = flattened(values)
    for name, value in flat.items():
        if value.dtype.kind == "O":
            flat[name] = value.astype(np.str_)
            if (flat[name] != value).any():
                reason = "text that ends in a character 0, which arrays in a .npz lose; run --save keeps it"
                raise ForgeError(Code.CannotWrite, f"output {name!a} has {reason}")
    return flat


def as_declared(given: Mapping[str, Any], infos: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Converts `given` inputs to those that the model takes according to `infos` of its manifest: joins parts to
    sequences and maps, and converts tensors of torch, lists of numbers, and the bytes of types that numpy lacks, to
    arrays. Raises ForgeError for a list that is no tensor of the declared type, and TypeError for what is no
    mapping."""
    if not isinstance(given, Mapping):
        raise TypeError(f"expected inputs by name, but got {type(given)}")
    inputs = {name: _of_torch(name, value) if hasattr(value, "detach") else value for name, value in given.items()}
    names = {info["name"] for info in infos}
    for info in infos:
        name, dtype = info["name"], info["dtype"] or ""
        if "(" in dtype and name not in inputs:
            parts = {key: inputs.pop(key) for key in inputs.keys() - names if key.startswith(f"{name}.")}
            if parts:
                inputs[name] = _joined(name, parts, dtype)
        elif "(" not in dtype and isinstance(inputs.get(name), (list, tuple, int, float, bool, str)):
            inputs[name] = _of_list(name, inputs[name], numpy_type(dtype) if dtype else None)
        elif dtype and "(" not in dtype and name in inputs:
            inputs[name] = _of_bytes(inputs[name], dtype)
    return inputs


def _of_torch(name: str, value: Any) -> npt.NDArray[Any]:
    from forge_mlir.execute.values.torch_values import to_numpy

    try:
        return to_numpy(value)
    except (TypeError, RuntimeError) as error:  # It is sparse, quantised, or without values.
        raise ForgeError(Code.InputMismatch, f"input {name!a}: no array: {escaped(error)}") from error


def _of_list(name: str, value: Any, dtype: np.dtype[Any] | None) -> npt.NDArray[Any]:
    """The tensor of a number, a text, or lists of them. Only numbers of floating types are rounded. Raises
    ForgeError."""
    try:
        found = np.asarray(value, None if dtype is None or dtype.kind != "O" else dtype)
    except (ValueError, TypeError, OverflowError) as error:  # rows of different lengths
        raise ForgeError(Code.InputMismatch, f"input {name!a}: no tensor: {escaped(error)}") from error
    if dtype is None or found.dtype == dtype:
        return found
    is_number = found.dtype.kind in "biufV" or found.dtype.kind == dtype.kind
    if not is_number or found.dtype.type is np.void:
        raise ForgeError(Code.InputMismatch, f"input {name!a}: expected numbers of {dtype.name}, but got other values")
    with np.errstate(over="ignore", invalid="ignore"):
        converted = found.astype(dtype)
        if "float" in dtype.name or dtype.kind == "c":
            fits = np.isfinite(converted) | ~np.isfinite(found)
        else:  # numpy compares its own integers of different types exactly.
            fits = (converted.astype(np.int64) if dtype.kind == "V" else converted) == found
    if not np.all(fits):
        number = found[~fits].flat[0]
        raise ForgeError(Code.InputMismatch, f"input {name!a}: {number} is no number of type {dtype.name}")
    return converted


def _of_bytes(value: Any, dtype: str) -> Any:
    """`value` in its `dtype`, if it was read from a file: those of numpy have bfloat16 and the like as bytes."""
    if not isinstance(value, np.ndarray) or value.dtype.type is not np.void or value.dtype.fields is not None:
        return value
    target = numpy_type(dtype)
    return value.view(target) if value.dtype.itemsize == target.itemsize else value


def numpy_type(dtype: str) -> np.dtype[Any]:
    """The numpy type for an element type of a manifest. Raises ForgeError for types that numpy and ml_dtypes
    lack."""
    try:
        return np.dtype(object if dtype == "string" else getattr(ml_dtypes, dtype, dtype))
    except TypeError as error:
        reason = f"numpy has no type of the name {quote(dtype)}; give arrays for inputs of this type"
        raise ForgeError(Code.InputMismatch, reason) from error


def kind_of(value: Any) -> str:
    """The type of a value, in the spelling of manifests: "float32", "string", "sequence(map(int64,float32))"."""
    if isinstance(value, (list, tuple)):
        return f"sequence({kind_of(value[0]) if value else ''})"
    if isinstance(value, Mapping):
        return f"map({kind_of(_array(list(value)))},{kind_of(_array(list(value.values())))})"
    if value is None:
        return "none"
    array = _array(value)
    return "string" if array.dtype.kind == "O" else array.dtype.name


def shape_of(value: Any) -> list[int]:
    """The shape of a tensor; for other values, the number of their parts."""
    return [len(value)] if isinstance(value, (list, tuple, Mapping)) else list(np.shape(value))


def _array(value: Any) -> npt.NDArray[Any]:
    """Converts text of any kind to Python str."""
    array = np.asarray(value)
    if array.dtype.kind == "U":  # An array of text has lost characters 0 at the end of Python's text.
        array = np.asarray(value, object)
    if array.dtype.kind == "S":
        array = np.char.decode(array, "utf-8", "replace")
    return array.astype(object) if array.dtype.kind == "U" else array


def _joined(name: str, parts: Mapping[str, Any], dtype: str) -> Any:
    kind, _, inner = dtype[:-1].partition("(")
    if kind == "map":
        keys, values = (np.asarray(parts.get(f"{name}.{role}", ())).tolist() for role in ("keys", "values"))
        return dict(zip(keys, values, strict=True))
    if kind == "optional":
        return _joined(name, parts, inner)
    if "(" not in inner:
        return [parts[key] for key in sorted(parts, key=lambda key: _position(key, name))]
    found: dict[int, dict[str, Any]] = {}
    for key, value in parts.items():
        found.setdefault(_position(key, name), {})[key] = value
    return [_joined(f"{name}.{at}", found[at], inner) for at in sorted(found)]


def _position(key: str, name: str) -> int:
    number = key[len(name) + 1 :].partition(".")[0]
    return int(number) if number.isdecimal() else 0
