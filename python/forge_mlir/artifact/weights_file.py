"""The safetensors file of an artifact, written in chunks."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from forge_mlir.artifact.device_types import DEVICE_TYPES
from forge_mlir.artifact.recipe import Recipe, converted
from forge_mlir.codes import Code
from forge_mlir.errors import Diagnostic, ForgeError, quote
from forge_mlir.onnx_model.storage.weights import WeightFile, WeightRef
from forge_mlir.support.progress import phase

Json = dict[str, Any]

_RESHAPES = ("reshape", "squeeze", "unsqueeze")
_MUCH, _SHARE, _SHOWN = 1 << 20, 0.05, 3
"""The thresholds from which repeated weights are reported, in bytes and as a fraction of the file, and how many are
listed."""


_SMALL_INTEGERS = ("int8", "uint8", "int4", "uint4")
_CODES = {name: code for name, (code, _) in DEVICE_TYPES.items()} | {"int8": "I8", "uint8": "U8"}
"""The names of dtypes in safetensors; weights of other dtypes are stored as bytes."""


class _Entry(NamedTuple):
    name: str
    code: str
    shape: tuple[int, ...]
    nbytes: int
    chunks: Callable[[], Iterator[bytes]]


@dataclass
class WeightsFile:
    """Tensors to write. A tensor that several modules use with the same dtype is stored once. Tensors in files are
    identified by their location, others by their content."""

    by_reference: Path | None = None
    """The artifact's directory, if weights that need no conversion stay in files of the model."""
    by_content: bool = False
    """Whether weights in files are also identified by content."""
    entries: list[_Entry] = field(default_factory=list)
    _stored: dict[tuple[object, ...], str] = field(default_factory=dict)
    _references: dict[tuple[WeightFile, int, int], tuple[WeightRef, Json]] = field(default_factory=dict)
    _referring: list[tuple[Json, Json]] = field(default_factory=list)
    """Steps of weights that are computed on loading, each with the location of its source."""
    _digests: dict[tuple[WeightFile, int, int], str] = field(default_factory=dict)
    _names: set[str] = field(default_factory=set)
    _forms: dict[object, dict[str, tuple[str, int]]] = field(default_factory=dict)
    """The tensors that are stored from the bytes at a location, each with the name of the weight and its size."""

    def add(self, weight: Json, weights: Mapping[str, WeightRef]) -> Json:
        """Plans a weight of a device module's manifest. Returns where it is: `tensor`, its name in this file, or its
        location in a file of the model.

        `weights` are those of the importer, by the key in the IR.
        """
        source = _as_stored(weight["source"])
        # The last step may give a smaller tensor, which is broadcast on loading.
        shape = tuple(source.get("shape", source["steps"][-1]["shape"] if "steps" in source else weight["shape"]))
        code, dtype = DEVICE_TYPES[weight["dtype"]]
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        name = weight["name"]
        if "hex" in source:
            data = bytes.fromhex(source["hex"])
            return {"tensor": self._once((data, code, shape), name, code, shape, size, lambda: iter((data,)))}
        if source.get("on_load"):
            return {"steps": [self._source(step, weights, name) if "key" in step else step for step in source["steps"]]}
        if "steps" in source:
            recipe = Recipe(weight["onnx_name"], source["steps"], weights)
            steps = tuple(
                (self._bytes_identity(weights[step["key"]]) if "key" in step else None) for step in source["steps"]
            )
            how = json.dumps([{**step, "key": None} for step in source["steps"]])
            identity: tuple[object, ...] = (steps, how, weight["dtype"], shape)
            tensor = self._once(identity, name, code, shape, size, recipe.chunks)
            for step in source["steps"]:
                if "key" in step:
                    self._note(weights[step["key"]], tensor, size)
            return {"tensor": tensor}
        ref = weights[source["key"]]
        if self.by_reference is not None and ref.file is not None and ref.dtype == weight["dtype"]:
            return self._referred(ref, ref.file, self.by_reference)
        # Unconverted weights are in ONNX's own layout, so that CPU partitions can share them.
        identity = (self._bytes_identity(ref), weight["dtype"], shape)
        tensor = self._once(identity, name, code, shape, size, lambda: _converted(weight, ref))
        self._note(ref, tensor, size)
        return {"tensor": tensor}

    def _source(self, step: Json, weights: Mapping[str, WeightRef], name: str) -> Json:
        """The source of a step of the weight `name`, which is computed on loading from a weight of the model. Integers
        of up to 8 bits are stored as in the model, under `name`, which is also set for weights that the IR contains."""
        ref = weights[step["key"]]
        facts = {key: value for key, value in step.items() if key != "key"}
        facts["stored"] = ref.dtype if ref.dtype in _SMALL_INTEGERS else step["dtype"]
        if self.by_reference is not None and ref.file is not None and ref.dtype == facts["stored"]:
            self._referring.append((facts, self._referred(ref, ref.file, self.by_reference)))
        elif ref.dtype in _SMALL_INTEGERS:
            facts["tensor"] = self.add_raw(ref, name)
            self._note(ref, facts["tensor"], ref.nbytes)
        else:
            facts |= self.add({**step, "name": name, "onnx_name": ref.name, "source": step}, weights)
        return facts

    def _referred(self, ref: WeightRef, file: WeightFile, directory: Path) -> Json:
        """The location of a weight's bytes; `hash_references` adds their SHA-256."""
        span = (file, ref.offset, ref.nbytes)
        if span not in self._references:
            path = Path(os.path.relpath(file.path, os.path.realpath(directory))).as_posix()
            self._references[span] = (ref, {"file": path, "offset": ref.offset, "nbytes": ref.nbytes})
        return self._references[span][1]

    def hash_references(self) -> None:
        """Hashes the weights that stay in files of the model, several at a time."""
        if not self._references:
            return
        from concurrent.futures import ThreadPoolExecutor

        found = list(self._references.values())
        with phase("hashes of weights", len(found)) as advance, ThreadPoolExecutor(os.cpu_count()) as pool:
            digests = pool.map(lambda entry: entry[0].sha256(), found)
            for done, ((_, facts), digest) in enumerate(zip(found, digests, strict=True)):
                facts["sha256"] = digest
                advance(done + 1)
        for step, span in self._referring:
            step |= span

    def add_raw(self, ref: WeightRef, name: str = "") -> str:
        """Plans a weight in ONNX's own layout, named `name` or as in the model. Returns its name in the file."""
        code, shape = (_CODES[ref.dtype], ref.shape) if ref.dtype in _CODES else ("U8", (ref.nbytes,))
        return self._once(
            (self._bytes_identity(ref), ref.dtype, ref.shape), name or ref.name, code, shape, ref.nbytes, ref.chunks
        )

    def _note(self, ref: WeightRef, tensor: str, size: int) -> None:
        self._forms.setdefault(self._bytes_identity(ref), {})[tensor] = (ref.name, min(size, ref.nbytes))

    def warnings(self) -> tuple[Diagnostic, ...]:
        """Warns about weights that are stored more than once, if that makes the file much larger."""
        extra: dict[str, int] = {}
        for forms in self._forms.values():
            (name, _), *_ = forms.values()
            sizes = sorted(size for _, size in forms.values())
            extra[name] = extra.get(name, 0) + sum(sizes[:-1])
        total = sum(extra.values())
        if total < max(_MUCH, self.nbytes * _SHARE):
            return ()
        several = sorted((name for name in extra if extra[name]), key=lambda name: -extra[name])
        names = ", ".join(map(quote, several[:_SHOWN]))
        more = f" and {len(several) - _SHOWN} more" if len(several) > _SHOWN else ""
        text = f"weights stored more than once, scaled or in another layout: {names}{more}; {total:,} bytes more"
        return (Diagnostic("warning", text, code=Code.WeightsRepeated),)

    def _bytes_identity(self, ref: WeightRef) -> object:
        """A key that identifies the bytes of a weight."""
        if ref.file is None:
            return hashlib.sha256(ref.view()).hexdigest()
        span = (ref.file, ref.offset, ref.nbytes)
        if not self.by_content:
            return span
        if span not in self._digests:
            self._digests[span] = ref.sha256()
        return self._digests[span]

    def _once(
        self,
        identity: tuple[object, ...],
        wanted: str,
        code: str,
        shape: tuple[int, ...],
        nbytes: int,
        chunks: Callable[[], Iterator[bytes]],
    ) -> str:
        if identity not in self._stored:
            self._stored[identity] = self._plan(wanted, code, shape, nbytes, chunks)
        return self._stored[identity]

    def _plan(
        self, wanted: str, code: str, shape: tuple[int, ...], nbytes: int, chunks: Callable[[], Iterator[bytes]]
    ) -> str:
        name, number = wanted, 0
        while name in self._names or name == "__metadata__":
            number += 1
            name = f"{wanted}_{number}"
        self._names.add(name)
        self.entries.append(_Entry(name, code, shape, nbytes, chunks))
        return name

    @property
    def nbytes(self) -> int:
        """The size of the file once it is written."""
        return 8 + len(self._header()) + sum(entry.nbytes for entry in self.entries)

    def _header(self) -> bytes:
        header: Json = {}
        offset = 0
        for entry in self.entries:
            span = [offset, offset + entry.nbytes]
            header[entry.name] = {"dtype": entry.code, "shape": entry.shape, "data_offsets": span}
            offset += entry.nbytes
        text = json.dumps(header, separators=(",", ":")).encode()
        return text + b" " * (-len(text) % 8)

    def write(self, path: Path) -> tuple[str, dict[str, tuple[int, int]]]:
        """Writes the file. Returns its SHA-256 and the (offset, bytes) of each tensor.

        Raises ForgeError if the stored type cannot represent a value of a weight.
        """
        text = self._header()
        spans = {}
        with path.open("wb") as file, phase("weights", self.nbytes) as advance:
            sink = _HashingSink(file)
            sink.write(struct.pack("<Q", len(text)))
            sink.write(text)
            for entry in self.entries:
                begin = sink.written
                for chunk in entry.chunks():
                    sink.write(chunk)
                    advance(sink.written)
                if sink.written - begin != entry.nbytes:
                    raise ForgeError(
                        Code.WeightUnfit, f"weight {entry.name!a} has {sink.written - begin} bytes, not {entry.nbytes}"
                    )
                spans[entry.name] = (begin, entry.nbytes)
            return sink.digest.hexdigest(), spans


class _HashingSink:
    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.digest = hashlib.sha256()
        self.written = 0

    def write(self, chunk: bytes) -> None:
        self.file.write(chunk)
        self.digest.update(chunk)
        self.written += len(chunk)


def _as_stored(source: Json) -> Json:
    """The source of a weight without its final reshapes, which do not change bytes. `shape` becomes that of the last
    step, or that of the steps before the reshapes if loading broadcasts. Sources that are computed on loading are
    unchanged."""
    if source.get("on_load"):
        return source
    steps = list(source.get("steps", ()))
    while len(steps) > 1 and steps[-1].get("op") in _RESHAPES and steps[-1]["operands"] == [len(steps) - 2]:
        steps.pop()
    if len(steps) == len(source.get("steps", ())) or (len(steps) == 1 and "key" not in steps[0]):
        return source
    shape, whole = steps[-1]["shape"], source["steps"][-1]["shape"]
    if whole != [1] * (len(whole) - len(shape)) + shape:
        shape = whole
    return {"steps": steps, "shape": shape} if len(steps) > 1 else {"key": steps[0]["key"], "shape": shape}


def _converted(weight: Json, ref: WeightRef) -> Iterator[bytes]:
    """The bytes of a weight in its stored dtype."""
    name, (_, target) = weight["onnx_name"], DEVICE_TYPES[weight["dtype"]]
    if ref.dtype == weight["dtype"]:
        yield from ref.chunks()
    elif ref.dtype in ("int4", "uint4"):
        yield converted(name, ref.array().reshape(-1), target).tobytes()
    else:
        for chunk in ref.chunks():
            yield converted(name, np.frombuffer(chunk, dtype=ref.dtype), target).tobytes()
