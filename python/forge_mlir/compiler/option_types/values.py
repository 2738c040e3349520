"""Checks option values, provides defaults, and converts options to a command line."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from numbers import Integral, Real
from typing import Any

from forge_mlir.codes import Code
from forge_mlir.compiler.options import Form, Group, Option, Options, option_table
from forge_mlir.errors import ForgeError, shortened
from forge_mlir.errors import quote as quote_text
from forge_mlir.lowerings.lowering import Lowering
from forge_mlir.support.sandbox import LONGEST, Limits


def check_options(options: Options) -> None:
    """Raises TypeError for an unknown option, and ForgeError for a value that an option cannot have, for a file that is
    not there, for an option without the one that it needs, and for rewrites for tiles or of fast math if `optimize`
    disables them."""
    if unknown := options.keys() - Options.__annotations__.keys():
        raise TypeError(f"unknown options: {', '.join(sorted(unknown))}")
    for name, option in option_table().items():
        if name in options and (reason := wrong_value(option, options.get(name))) is not None:
            raise ForgeError(Code.PassOption, f"{option.flag}: {reason}")
    for file in options.get("patterns") or ():
        if not os.path.isfile(file):
            raise ForgeError(Code.PluginUnreadable, f"{shortened(file)}: is no file")
    names = {option.flag: name for name, option in option_table().items()}
    for name, option in option_table().items():
        if option.needs and (value := value_of(options, name)) and value != option.default:
            flag, _, needed = option.needs.partition("=")
            if value_of(options, names[flag]) != (needed or option_table()[names[flag]].on):
                raise ForgeError(Code.PassOption, f"{option.flag} needs {option.needs}")
    optimize = value_of(options, "optimize")
    given = (("--tiles", value_of(options, "layout") == "tiles"), ("--fast-math", bool(options.get("fast_math"))))
    for flag, is_given in given if optimize != "default" else ():
        if is_given:
            reason = f"its rewrites may change results, and --optimize={optimize} applies none that does"
            raise ForgeError(Code.PassOption, f"{flag}: {reason}")


def wrong_value(option: Option, value: Any) -> str | None:
    """An error message if `value` has another type than the option, is less than the minimum, too large for a pass, or
    not one of the choices of the option; None if it is valid or not given."""
    if value is None and option.form not in ("files", "plugins"):
        return None
    absent = ("", option.default) if option.form == "text" else (option.default,)
    if isinstance(value, (str, int, float, tuple)) and value in absent:
        return None
    choices = option.choices() if option.choices is not None else ()
    if option.form in ("names", "files", "plugins") and not _is_list(value):
        return f"expected a list{' of ' if choices else ''}{', '.join(choices)}, but got {quote_text(value)}"
    if option.minimum is not None and not (isinstance(value, Real) and float(value) >= option.minimum):
        return f"expected a number of at least {option.minimum:g}, but got {quote_text(value)}"
    if option.form == "integer" and option.passes and value >= 1 << 63:
        return f"expected a number of at most {(1 << 63) - 1}, but got {quote_text(value)}"
    is_array = isinstance(value, Collection) and not isinstance(value, str)
    if option.form == "switch" and (is_array or value not in (option.default, option.on)):
        return f"expected {option.default} or {option.on}, but got {quote_text(value)}"
    expected, fits = _OF_FORM.get(option.form, ("", bool))
    if expected and not fits(value):
        return f"expected {expected}, but got {quote_text(value)}"
    if not choices:
        return None
    given = value if option.form == "names" else (value,)
    stray = next((each for each in given if each not in choices), None)
    return None if stray is None else f"expected {', '.join(choices)}, but got {quote_text(stray)}"


def _is_list(value: Any, *elements: type) -> bool:
    # Not an array, whose truth is that of its element.
    is_list = isinstance(value, (Sequence, Set)) and not isinstance(value, (str, bytes))
    return is_list and (not elements or all(isinstance(each, elements) for each in value))


def _is_integer(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_sizes(value: Any) -> bool:
    return _is_list(value) or getattr(value, "ndim", 0) == 1


def _is_map(value: Any, fits: Callable[[Any], bool] = lambda _: True) -> bool:
    return isinstance(value, Mapping) and all(isinstance(name, str) and fits(value[name]) for name in value)


def _is_range(ends: Any) -> bool:
    return _is_list(ends, Integral, type(None)) and len(ends) == 2


_OF_FORM: Mapping[Form, tuple[str, Callable[[Any], bool]]] = {
    "shapes": ("sizes by name, as {'image': [1, 3, 224, 224]}", lambda value: _is_map(value, _is_sizes)),
    "dims": ("a size by name, as {'batch': 1}", lambda value: _is_map(value, _is_integer)),
    "ranges": ("two ends by name, integers or None, as {'ids': (0, 50257)}", lambda value: _is_map(value, _is_range)),
    "arrays": ("arrays by name", _is_map),
    "npz": ("arrays by name", _is_map),
    "plugins": ("a list of lowerings", lambda value: _is_list(value, Lowering)),
    "files": ("a list of paths", lambda value: _is_list(value, str, os.PathLike)),
    "names": ("a list of names", lambda value: _is_list(value, str)),
    "integer": ("an integer", _is_integer),
    "mebibytes": ("an integer", _is_integer),
}
"""The type of a value, and whether a value has it, by the form of its option."""


def value_of(options: Options, name: str) -> Any:
    """The value of an option, or its default."""
    given = options.get(name)
    return option_table()[name].default if given is None else given


def without(options: Options, *groups: Group) -> Options:
    """`options` without those of some groups."""
    table = option_table()
    kept: Options = {**options}
    for name in options:
        if table[name].group in groups:
            del kept[name]  # type: ignore[misc]
    return kept


def flags_given(options: Options, *others: Group) -> list[str]:
    """The flags of options that have another value than their default, except those of the groups `others`."""
    table = option_table()
    return [table[name].flag for name, value in without(options, *others).items() if value != table[name].default]


def command_line(options: Options) -> list[str]:
    """The command-line arguments for `options`, except for arrays, which are files on the command line."""
    words = []
    for name, option in option_table().items():
        value = value_of(options, name)
        if option.form not in ("arrays", "npz") and value != option.default and value not in ("", None):
            words += _words(option, value)
    return words


def _words(option: Option, value: Any) -> list[str]:
    if option.form == "switch":
        return [option.flag]
    if option.form == "plugins":
        return [word for file in dict.fromkeys(each.file for each in value) for word in (option.flag, file)]
    if option.form == "files":
        return [word for file in value for word in (option.flag, os.fspath(file))]
    if option.form == "names":
        return [option.flag, ",".join(value)] if value else []
    if option.form == "shapes":
        return [w for name, shape in value.items() for w in (option.flag, f"{name}={'x'.join(map(str, shape))}")]
    if option.form == "ranges":
        ends = {name: ":".join("" if end is None else str(end) for end in ends) for name, ends in value.items()}
        return [w for name, text in ends.items() for w in (option.flag, f"{name}={text}")]
    if option.form == "dims":
        return [w for name, size in value.items() for w in (option.flag, f"{name}={size}")]
    return [option.flag, str(value >> 20 if option.form == "mebibytes" else value)]


def limits_of(options: Options) -> Limits:
    """The memory and time limits for third-party native code."""
    return Limits(min(value_of(options, "time_limit"), LONGEST), value_of(options, "memory_limit"))
