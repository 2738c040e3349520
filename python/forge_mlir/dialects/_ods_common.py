"""The module that `_forge_ops_gen.py` imports as `._ods_common`: that of torch_mlir, with two replacements.

The generated classes access everything through `_cext`. This file provides a `_cext` in which `ir.OpView` infers result
types and `ir.AttrBuilder` supports the attribute kinds of forge. torch_mlir itself is not modified.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index
from typing import Any

import numpy as np
from torch_mlir import ir
from torch_mlir.dialects import _ods_common as _torch_mlir

from forge_mlir import _native
from forge_mlir.codes import Code
from forge_mlir.dialects import crossing
from forge_mlir.errors import Diagnostic, ForgeError

equally_sized_accessor = _torch_mlir.equally_sized_accessor
get_default_loc_context = _torch_mlir.get_default_loc_context
get_op_results_or_values = _torch_mlir.get_op_results_or_values
segmented_accessor = _torch_mlir.segmented_accessor


class OpView(ir.OpView):  # type: ignore[misc]
    """An op whose result types are inferred in C++ if they are not given.

    In torch_mlir's context forge ops are unregistered, without InferTypeOpInterface, verifier and printer; this class
    calls those of the C++ dialect.
    """

    def __init__(self, first: Any, *args: Any, **kwargs: Any) -> None:
        if isinstance(first, str) and kwargs.get("results") is None:
            kwargs["operands"] = [_value(operand) for operand in kwargs["operands"]]
            kwargs["results"] = _infer(first, kwargs["operands"], kwargs["attributes"], kwargs.get("loc"))
        super().__init__(first, *args, **kwargs)

    def __str__(self) -> str:
        """The custom form; the generic form if the op is not in a valid module."""
        try:
            return crossing.text(self)
        except ForgeError:
            return str(self.operation)

    def verify(self) -> bool:
        """Returns True. Raises ForgeError if the op is in no module, or if its module is invalid."""
        crossing.verify(self)
        return True


class AttrBuilder:
    """Builds attributes from Python values: int, float, bool, str, list[int], type, numpy array."""

    @staticmethod
    def contains(kind: str) -> bool:
        return kind in _BUILDERS or bool(ir.AttrBuilder.contains(kind))

    @staticmethod
    def get(kind: str) -> Callable[..., ir.Attribute]:
        builder: Callable[..., ir.Attribute] = _BUILDERS.get(kind) or ir.AttrBuilder.get(kind)
        return builder


class _Namespace:
    """`base` with some names replaced."""

    def __init__(self, base: Any, **replaced: Any) -> None:
        self._base = base
        self.__dict__.update(replaced)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._base, name)


def _int_attr(value: int, context: ir.Context | None) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64, context=context), index(value))


def _elements_attr(value: Any, context: ir.Context | None) -> ir.Attribute:
    array = np.asarray(value)
    # In this dialect unsigned element types keep their signedness, and signed ones are signless.
    return ir.DenseElementsAttr.get(array, signless=array.dtype.kind != "u", context=context)


_BUILDERS: dict[str, Callable[..., ir.Attribute]] = {"Forge_IntAttr": _int_attr, "ElementsAttr": _elements_attr}

_cext = _Namespace(_torch_mlir._cext, ir=_Namespace(ir, OpView=OpView, AttrBuilder=AttrBuilder))


def _value(operand: Any) -> ir.Value:
    value: ir.Value = _torch_mlir.get_op_result_or_value(operand)
    return value


def _infer(
    name: str, operands: Sequence[ir.Value], attributes: dict[str, ir.Attribute], location: ir.Location | None
) -> list[ir.Type]:
    """The result types of the op `name`. Raises ForgeError with the violated constraint."""
    for key, attribute in attributes.items():
        if not isinstance(attribute, ir.Attribute):
            raise ForgeError(Code.InvalidIr, f"'{name}' op attribute '{key}' cannot be made of {attribute!r}")
    with (location or ir.Location.current).context as context:
        dictionary = ir.DictAttr.get({key: _stand_in(value) for key, value in attributes.items()})
        types, reports = _native.infer_types(name, [str(operand.type) for operand in operands], str(dictionary))
        if types is None:
            raise ForgeError(
                Code.InvalidIr,
                f"'{name}' op cannot be made of these operands and attributes",
                Diagnostic.all_of(reports),
            )
        return [ir.Type.parse(text, context) for text in types]


def _stand_in(attribute: ir.Attribute) -> ir.Attribute:
    """The attribute itself, but a splat for a constant: types do not depend on its elements, which may be many."""
    if not isinstance(attribute, ir.DenseElementsAttr) or attribute.is_splat:
        return attribute
    element = attribute.type.element_type
    zero = "0" if isinstance(element, ir.IntegerType) else "(0.0,0.0)" if isinstance(element, ir.ComplexType) else "0.0"
    if isinstance(element, ir.IntegerType) and element.width == 1:
        zero = "false"
    elements = zero if 0 not in attribute.type.shape else ""
    return ir.Attribute.parse(f"dense<{elements}> : {attribute.type}")
