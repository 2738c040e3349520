"""The `._ods_common` of the generated op classes when `builder` loads them: they then create ops of the current
conversion instead of torch_mlir ops. The `loc` argument of the generated functions is the conversion."""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Sequence
from typing import Any

from torch_mlir import ir

from forge_mlir.dialects import _ods_common as _dialect
from forge_mlir.lowerings.element_types import element_of
from forge_mlir.lowerings.node import Value

equally_sized_accessor = _dialect.equally_sized_accessor
segmented_accessor = _dialect.segmented_accessor


class AttributeText(str):
    """An attribute as MLIR text."""


class OpView:
    """Creates the op when it is constructed."""

    _ODS_OPERAND_SEGMENTS = None
    _ODS_RESULT_SEGMENTS = None

    def __init__(self, name: str, *_: Any, operands: Sequence[Any], attributes: dict[str, Any], **kwargs: Any) -> None:
        for key, attribute in attributes.items():
            if not isinstance(attribute, AttributeText):
                raise TypeError(f"{name}: argument '{key}' cannot be {attribute!r}")
        text = ", ".join(f"{key} = {attribute}" for key, attribute in attributes.items())
        natives = [_native(name, operand) for operand in operands]
        self.results = [Value(value) for value in kwargs["loc"].create(name, natives, f"{{{text}}}")]
        self.operation = self


class AttrBuilder:
    """Builds attributes as text from Python values."""

    @staticmethod
    def contains(kind: str) -> bool:
        return kind in _BUILDERS

    @staticmethod
    def get(kind: str) -> Callable[..., AttributeText]:
        def build(value: Any, context: Any) -> AttributeText:
            del context
            return AttributeText(_BUILDERS[kind](value))

        return build


def get_default_loc_context(location: Any) -> None:
    """Not needed: attributes are text and have no context."""
    del location


def get_op_results_or_values(values: Sequence[Value]) -> Sequence[Value]:
    return values


def _native(name: str, operand: Any) -> Any:
    if not isinstance(operand, Value):
        raise TypeError(f"{name}: expected a Value, but got {operand!r}")
    return operand.native


def _bool(value: bool) -> str:
    if not isinstance(value, bool):
        raise TypeError(f"expected True or False, but got {value!r}")
    return str(value).lower()


def _ints(values: Sequence[int]) -> str:
    numbers = ", ".join(str(operator.index(value)) for value in values)
    return f"array<i64: {numbers}>" if numbers else "array<i64>"


def _float(value: float) -> str:
    return f"0x{struct.unpack('<I', struct.pack('<f', value))[0]:08X} : f32"


def _text(value: str) -> str:
    data = value.encode()
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data) + '"'


_BUILDERS: dict[str, Callable[[Any], str]] = {
    "BoolAttr": _bool,
    "DenseI64ArrayAttr": _ints,
    "F32Attr": _float,
    "Forge_IntAttr": lambda value: f"{operator.index(value)} : i64",
    "StrAttr": _text,
    "TypeAttr": element_of,
}


def _as_it_is(decorated: Any) -> Any:
    return decorated


_cext = _dialect._Namespace(
    _dialect._cext,
    ir=_dialect._Namespace(ir, OpView=OpView, AttrBuilder=AttrBuilder, Attribute=AttributeText),
    register_dialect=_as_it_is,
    register_operation=lambda dialect: _as_it_is,  # noqa: ARG005
)
