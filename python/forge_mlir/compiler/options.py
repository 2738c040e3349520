"""The options of a compilation, each declared once.

A field of `Options` is a keyword argument of `compile`, `check`, `verify`, `bisect` and `reduce`. Its `Option` says how
the command line spells it and which passes it is given to; the command line (`cli.flags`), the pipeline text and the
command that `reduce` prints are made from these. An option of a pass that is not given keeps the pass's own default.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypedDict, get_type_hints

from forge_mlir.importer.limits import MAX_EXPANSION
from forge_mlir.lowerings.lowering import Lowering
from forge_mlir.support.sandbox import MEMORY_LIMIT, TIME_LIMIT

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Arrays = Mapping[str, npt.NDArray[np.generic]]
else:
    Arrays = Mapping

APPLY, ASSIGN, PARTITION = "forge-apply-patterns", "forge-assign-devices", "forge-partition"
LOWER = "onnx-to-forge-pipeline"

Group = Literal["inputs", "extraction", "lowering", "fallback", "limits"]
"""What an option speaks of: "inputs" names the model's inputs, "extraction" its tensors."""

Form = Literal[
    "shapes",
    "dims",
    "ranges",
    "arrays",
    "plugins",
    "files",
    "npz",
    "names",
    "integer",
    "number",
    "text",
    "switch",
    "mebibytes",
]
"""How the command line writes a value: `NAME:1,2`, `NAME=1`, `NAME=0:9`, `NAME=FILE.npy`, `FILE.py`, `FILE`,
`FILE.npz`, `a,b`, ...; the first eight may be given several times, but for the .npz."""


class Option(NamedTuple):
    """How an option is spelt, and where it goes.

    `default` is what the compiler takes when the option is not given; None where a pass has the default. `choices` are
    the values that a text, or each of some names, may have. A "switch" stands for the value `on`. `pass_option` is the
    name that the passes `passes` have for it.
    """

    flag: str
    form: Form
    help: str
    group: Group = "lowering"
    default: Any = None
    choices: Callable[[], Sequence[str]] | None = None
    on: Any = True
    minimum: float | None = None
    metavar: str | None = None
    pass_option: str = ""
    passes: tuple[str, ...] = ()


def _padding_targets() -> Sequence[str]:
    from forge_mlir import _native

    targets: Sequence[str] = _native.tile_padding_targets()
    return targets


class Options(TypedDict, total=False):
    """Keyword arguments of `compile` and `check`; see the text of each.

    For an input in both, `input_shapes` counts, not `sample_inputs`. Where `extract_inputs` or `extract_outputs` are
    given, only the part of the model between them is compiled. onnx's own code, and onnxruntime where results are
    compared with it, runs in a child process under the two limits.
    """

    input_shapes: Annotated[
        Mapping[str, Sequence[int]] | None,
        Option("--input-shape", "shapes", "sizes of an input, e.g. image:1,3,224,224; may be repeated", "inputs"),
    ]
    dims: Annotated[
        Mapping[str, int] | None,
        Option("--dim", "dims", "size of a symbolic dim, e.g. batch=1; may be repeated", "inputs"),
    ]
    sample_inputs: Annotated[
        Arrays | None,
        Option("--sample-inputs", "npz", ".npz of inputs by ONNX name, whose shapes fix open dims", "inputs"),
    ]
    bind: Annotated[
        Arrays | None,
        Option("--bind", "arrays", "fix an input to a value, e.g. axes=axes.npy; may be repeated", "inputs"),
    ]
    overridable: Annotated[
        Sequence[str],
        Option(
            "--overridable",
            "names",
            "initializers that stay inputs, with their values as defaults, e.g. a,b",
            "inputs",
            (),
        ),
    ]
    ranges: Annotated[
        Mapping[str, tuple[int | None, int | None]] | None,
        Option(
            "--range",
            "ranges",
            "integers that an input holds, e.g. ids=0:50257 (its end is left out); run checks it; may be repeated",
            "inputs",
        ),
    ]
    extract_inputs: Annotated[
        Sequence[str],
        Option("--extract-inputs", "names", "tensors at which the compiled part begins, e.g. a,b", "extraction", ()),
    ]
    extract_outputs: Annotated[
        Sequence[str],
        Option("--extract-outputs", "names", "tensors at which the compiled part ends, e.g. a,b", "extraction", ()),
    ]
    lowerings: Annotated[
        Sequence[Lowering],
        Option("--plugin", "plugins", "Python file with lowerings of your own; may be repeated", "lowering", ()),
    ]
    patterns: Annotated[
        Sequence[str | os.PathLike[str]],
        Option(
            "--patterns",
            "files",
            "MLIR file of PDL patterns that rewrite ONNX nodes; may be repeated",
            default=(),
            pass_option="files",
            passes=(APPLY,),
        ),
    ]
    max_expansion: Annotated[
        int,
        Option(
            "--max-expansion",
            "integer",
            "nodes that ONNX function bodies of unknown ops may expand to",
            default=MAX_EXPANSION,
            minimum=0,
        ),
    ]
    fold_limit: Annotated[
        int,
        Option(
            "--fold-limit",
            "integer",
            "bytes of the largest constant that folding may make",
            minimum=0,
            pass_option="fold-limit",
            passes=(ASSIGN, LOWER),
        ),
    ]
    allow_rounding: Annotated[
        bool,
        Option(
            "--allow-rounding",
            "switch",
            "accept results that agree with ONNX only up to rounding",
            default=False,
            pass_option="allow-rounding",
            passes=(ASSIGN, LOWER),
        ),
    ]
    optimize: Annotated[
        Literal["none", "exact", "default"],
        Option(
            "--optimize",
            "text",
            "rewrites: none (what the model says, legalised), exact (also those that keep every bit) or default",
            default="default",
            choices=lambda: ("none", "exact", "default"),
            pass_option="optimize",
            passes=(LOWER,),
        ),
    ]
    quantization: Annotated[
        Literal["exact", "float"],
        Option(
            "--quantization",
            "text",
            "pairs of QuantizeLinear and DequantizeLinear: exact (round as ONNX does) or float (only cut off)",
            default="exact",
            choices=lambda: ("exact", "float"),
        ),
    ]
    fast_math: Annotated[
        Sequence[str],
        Option(
            "--fast-math",
            "names",
            "liberties with floats, e.g. no-nans,reciprocal: no-nans, no-infs, reciprocal, reassociate, "
            "zero-products, or all",
            default=(),
            choices=lambda: ("no-nans", "no-infs", "reciprocal", "reassociate", "zero-products", "all"),
            metavar="KINDS",
            pass_option="fast-math",
            passes=(LOWER,),
        ),
    ]
    float_format: Annotated[
        Literal["float32", "bfloat16", "mixed"],
        Option(
            "--float-format",
            "text",
            "format that floats are computed and stored in: float32, bfloat16, or mixed (bfloat16, but for nodes that "
            "--error-budget or --keep-float32 leave in float32); by default as the model says",
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
            "with --float-format: ONNX nodes (* and ? match any text) or op types that stay in float32, e.g. "
            "'/head/*',Softmax",
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
            "with --float-format=mixed: largest error of an output, relative to its root mean square on sample inputs; "
            "as few nodes as this needs stay in float32",
            minimum=0,
        ),
    ]
    float_format_outputs: Annotated[
        Literal["declared", "native"],
        Option(
            "--float-format-outputs",
            "text",
            "with --float-format: outputs are cast to the type that the model declares, or native, as computed",
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
            "arithmetic that may leave Int32: checked (check lists it, the reference stops at it) or proven (refused)",
            default="checked",
            choices=lambda: ("checked", "proven"),
            pass_option="integers",
            passes=(LOWER,),
        ),
    ]
    fill_tile_padding: Annotated[
        str,
        Option(
            "--fill-tile-padding",
            "text",
            "fill tile padding for a target of --forge-fill-tile-padding, such as ttnn-conservative",
            choices=_padding_targets,
            metavar="TARGET",
            pass_option="fill-tile-padding",
            passes=(LOWER,),
        ),
    ]
    flat: Annotated[
        bool,
        Option(
            "--flat",
            "switch",
            "write every call in forward, instead of one method for layers that are equal",
            default=False,
            pass_option="flat",
            passes=(LOWER,),
        ),
    ]
    fallback: Annotated[
        Literal["error", "cpu"],
        Option(
            "--fallback",
            "text",
            "what happens to nodes that the device cannot run: error, or cpu",
            "fallback",
            "error",
            choices=lambda: ("error", "cpu"),
        ),
    ]
    cpu_ops: Annotated[
        Sequence[str],
        Option(
            "--cpu-ops",
            "names",
            "ONNX op types or node names for the CPU, with --fallback=cpu; may be repeated",
            "fallback",
            (),
            pass_option="cpu-ops",
            passes=(ASSIGN,),
        ),
    ]
    device_ops: Annotated[
        Sequence[str],
        Option(
            "--device-ops",
            "names",
            "ONNX op types or node names that must run on the device, with --fallback=cpu",
            "fallback",
            (),
            pass_option="device-ops",
            passes=(ASSIGN,),
        ),
    ]
    max_partitions: Annotated[
        int,
        Option(
            "--max-partitions",
            "integer",
            "most partitions with --fallback=cpu; 0: any number",
            "fallback",
            0,
            minimum=0,
            pass_option="max-partitions",
            passes=(PARTITION,),
        ),
    ]
    cpu_exact: Annotated[
        bool,
        Option(
            "--cpu-exact",
            "switch",
            "onnxruntime runs the nodes of CPU partitions as they are, without optimising, with --fallback=cpu",
            "fallback",
            False,
        ),
    ]
    time_limit: Annotated[
        float,
        Option(
            "--time-limit",
            "number",
            "seconds that onnx and onnxruntime may take on the model; 0: any",
            "limits",
            TIME_LIMIT,
            minimum=0,
        ),
    ]
    memory_limit: Annotated[
        int,
        Option(
            "--memory-limit",
            "mebibytes",
            "MiB that onnx and onnxruntime may take on the model; 0: any (from Python: bytes)",
            "limits",
            MEMORY_LIMIT,
            minimum=0,
        ),
    ]
    layout: Annotated[
        Literal["none", "tiles"],
        Option(
            "--tiles",
            "switch",
            "rewrite for a device that holds tensors in tiles of 32 x 32, to move fewer; elements count as finite",
            default="none",
            on="tiles",
            pass_option="layout",
            passes=(LOWER,),
        ),
    ]
    max_weight_growth: Annotated[
        float,
        Option(
            "--max-weight-growth",
            "number",
            "with --tiles: most by which padding heads enlarges a weight",
            minimum=1,
            pass_option="max-weight-growth",
            passes=(LOWER,),
        ),
    ]
    device_format: Annotated[
        str,
        Option(
            "--device-format",
            "text",
            "how the device holds floats, e.g. bf16 or bfp8; by default as the model",
            choices=lambda: ("f32", "f16", "bf16", "bfp8", "bfp4", "bfp2"),
            metavar="FORMAT",
            pass_option="device-format",
            passes=(LOWER,),
        ),
    ]


@cache
def option_table() -> Mapping[str, Option]:
    """The option of each keyword argument, in the order of `Options`."""
    hints = get_type_hints(Options, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items()}
