"""Options about precision: which rewrites may round, and the formats of floats and integers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict

from forge_mlir.compiler.option_types.spec import ASSIGN, LOWER, Option


class FloatOptions(TypedDict, total=False):
    """The part of `Options` that affects the precision of results."""

    allow_rounding: Annotated[
        bool,
        Option(
            "--allow-rounding",
            "switch",
            "accept some results that differ by rounding; a float16 softmax is then computed in one call; nodes that a "
            "lowering of --plugin refuses because of rounding are accepted",
            group="floats",
            default=False,
            pass_option="allow-rounding",
            passes=(ASSIGN, LOWER),
        ),
    ]
    quantization: Annotated[
        Literal["exact", "float"],
        Option(
            "--quantization",
            "text",
            "choose how QuantizeLinear and DequantizeLinear run; exact: round as ONNX does; float: "
            "saturate but do not round, which is faster and gives other results",
            group="floats",
            default="exact",
            choices=lambda: ("exact", "float"),
        ),
    ]
    fast_math: Annotated[
        Sequence[str],
        Option(
            "--fast-math",
            "names",
            "allow rewrites that may change float results; e.g. no-nans,reciprocal; docs/fast-math.md "
            "says what each kind allows",
            group="floats",
            default=(),
            choices=lambda: ("no-nans", "no-infs", "reciprocal", "reassociate", "zero-products", "all"),
            pass_option="fast-math",
            passes=(LOWER,),
        ),
    ]
    float_format: Annotated[
        Literal["float32", "bfloat16", "mixed"],
        Option(
            "--float-format",
            "text",
            "compute and store floats in this format; mixed: bfloat16, except for nodes that "
            "--error-budget or --keep-float32 keep in float32; by default, the formats of the model",
            group="floats",
            choices=lambda: ("float32", "bfloat16", "mixed"),
            pass_option="float-format",
            passes=(LOWER,),
        ),
    ]
    keep_float32: Annotated[
        Sequence[str],
        Option(
            "--keep-float32",
            "names",
            "keep these nodes in float32; needs --float-format; NAME is an ONNX op type or the name of a node, e.g. "
            "'/head/*',Softmax; * and ? are wildcards",
            group="floats",
            default=(),
            pass_option="keep-float32",
            passes=(LOWER,),
        ),
    ]
    error_budget: Annotated[
        float,
        Option(
            "--error-budget",
            "number",
            "limit the error of every output; needs --float-format=mixed; enough nodes are kept in float32; the error "
            "is measured on sample inputs, relative to the root mean square of the output",
            group="floats",
            minimum=0,
            unit="ERROR",
        ),
    ]
    float_format_outputs: Annotated[
        Literal["declared", "native"],
        Option(
            "--float-format-outputs",
            "text",
            "choose the type of outputs; needs --float-format; declared: cast to the type in the "
            "model; native: as computed",
            group="floats",
            default="declared",
            choices=lambda: ("declared", "native"),
            pass_option="float-format-outputs",
            passes=(LOWER,),
        ),
    ]
    integers: Annotated[
        Literal["checked", "proven"],
        Option(
            "--integers",
            "text",
            "choose what happens where Int32 may overflow; checked: compile the node (the check command lists "
            "it, and the CPU reference stops at an overflow); proven: refuse the node",
            group="floats",
            default="checked",
            choices=lambda: ("checked", "proven"),
            pass_option="integers",
            passes=(LOWER,),
        ),
    ]
