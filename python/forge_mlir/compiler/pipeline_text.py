"""Converts options to the text of a pass pipeline."""

from __future__ import annotations

import os
from numbers import Real
from typing import Any
from urllib.parse import quote

from forge_mlir.compiler.option_types.spec import APPLY, ASSIGN, LOWER, PARTITION
from forge_mlir.compiler.option_types.values import value_of
from forge_mlir.compiler.options import Options, option_table


def pipeline(options: Options, explain_layout: bool = False) -> str:
    """The pass pipeline for these options; `explain_layout` requests a remark per rewrite of `layout="tiles"`."""
    remarks = " layout-remarks=true" if explain_layout else ""
    lowering = f"{LOWER}{{{_pass_options(LOWER, options)}{remarks}}}"
    passes = [*_preparation(options), lowering]
    if value_of(options, "fallback") == "cpu":
        partition = f"{PARTITION}{{{_pass_options(PARTITION, options)}}}"
        passes[-1:] = [_assignment(options), partition, lowering]
    return f"builtin.module({','.join(passes)})"


def assignment(options: Options) -> str:
    """The part of the pipeline that assigns nodes to the device or the CPU."""
    return f"builtin.module({','.join([*_preparation(options), _assignment(options)])})"


def _preparation(options: Options) -> list[str]:
    """The passes before nodes are converted or assigned."""
    given = _pass_options(APPLY, options)
    return [f"{APPLY}{{{given}}}"] if given else []


def _assignment(options: Options) -> str:
    return f"func.func({ASSIGN}{{{_pass_options(ASSIGN, options)}}})"


def _pass_options(pass_name: str, options: Options) -> str:
    """The options of one pass in pipeline syntax; text is percent-encoded if the syntax requires it."""
    words = []
    for name, option in option_table().items():
        value: Any = options.get(name)
        if pass_name not in option.passes or value is None:
            continue
        if option.form == "switch" and not isinstance(value, str):  # a bool, also of numpy
            text = str(bool(value)).lower()
        elif isinstance(value, Real):  # also a number of numpy
            text = str(value)
        elif isinstance(value, str):
            text = quote(value)
        else:
            text = ",".join(quote(os.fspath(entry), safe="/:.") for entry in value)
        if text:
            words.append(f"{option.pass_option}={text}")
    return " ".join(words)
