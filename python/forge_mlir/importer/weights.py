"""The weights of an imported model: their handles in the IR, and the locations of their bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from onnx import TensorProto

from forge_mlir.onnx_model.dtypes import element_type
from forge_mlir.onnx_model.errors import tensor_label
from forge_mlir.onnx_model.storage.weightless import Span
from forge_mlir.onnx_model.storage.weights import WeightFile, WeightRef

if TYPE_CHECKING:
    from torch_mlir import ir

NOT_KEY = re.compile(r"[^A-Za-z0-9_.]", re.ASCII)
KEY_LIMIT = 100
_KEY_IN_TEXT = re.compile(r"dense_resource<([A-Za-z0-9_.]+)>", re.ASCII)


@dataclass
class Weights:
    """Collects the weights that the IR refers to. `spans` come from the scan; weights within the model are in `file`,
    or in `data` if it came without a file."""

    spans: list[Span]
    file: WeightFile | None
    data: bytes
    by_key: dict[str, WeightRef] = field(default_factory=dict)
    attributes: dict[int, ir.Attribute] = field(default_factory=dict)
    by_placeholder: dict[int, WeightRef] = field(default_factory=dict)

    def attribute(self, placeholder: int, tensor: TensorProto, name: str, tensor_type: ir.Type) -> ir.Attribute:
        """The resource handle of span `placeholder`; repeated uses of a tensor (a body inlined twice) share one."""
        from torch_mlir import ir

        known = self.attributes.get(placeholder)
        if known is not None:
            return known
        text = f"dense_resource<{self._key(name)}> : {tensor_type}"
        attribute = ir.Attribute.parse(text, tensor_type.context)
        # The context renames a key that an earlier import in it uses.
        found = _KEY_IN_TEXT.match(str(attribute))
        assert found is not None
        dtype = element_type(tensor.data_type, tensor_label(name)).name
        ref = replace(self.ref_of(placeholder), name=name, dtype=dtype, shape=tuple(tensor.dims))
        self.by_key[found[1]] = self.by_placeholder[placeholder] = ref
        self.attributes[placeholder] = attribute
        return attribute

    def ref_of(self, placeholder: int) -> WeightRef:
        """The location of span `placeholder` as bytes."""
        span = self.spans[placeholder]
        here = span.file is None and span.data is None
        return WeightRef(
            name="",
            dtype="uint8",
            shape=(span.nbytes,),
            nbytes=span.nbytes,
            offset=span.offset,
            file=self.file if here else span.file,
            data=self.data if here else span.data or b"",
        )

    def _key(self, name: str) -> str:
        stem = NOT_KEY.sub("_", name[:KEY_LIMIT])
        if not stem or not (stem[0].isalpha() or stem[0] == "_"):
            stem = f"_{stem}"
        key, number = stem, 0
        while key in self.by_key:
            number += 1
            key = f"{stem}_{number}"
        return key
