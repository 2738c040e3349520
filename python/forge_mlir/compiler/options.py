"""The options of a compilation, each declared once.

A field of `Options` is a keyword argument of `compile`, `check`, `verify`, `bisect` and `reduce`. Its `Option` declares
the spelling on the command line and the passes that it is passed to. The command line (`cli.flags`), the pipeline text
and the command that `reduce` prints are made from it. A pass option that is not given keeps the default of the pass.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Literal, get_type_hints

from forge_mlir.compiler.option_types.float_options import FloatOptions
from forge_mlir.compiler.option_types.spec import APPLY, ASSIGN, LOWER, PARTITION, Form, Group, Option
from forge_mlir.importer.limits import MAX_EXPANSION
from forge_mlir.lowerings.lowering import Lowering
from forge_mlir.support.sandbox import MEMORY_LIMIT, TIME_LIMIT

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Arrays = Mapping[str, npt.NDArray[np.generic]]
else:
    Arrays = Mapping

__all__ = ["Form", "Group", "Option", "Options", "option_table"]


def _padding_targets() -> Sequence[str]:
    from forge_mlir import _native

    targets: Sequence[str] = _native.tile_padding_targets()
    return targets


class Options(FloatOptions, total=False):
    """Keyword arguments of `compile` and `check`; see the help of each.

    For an input in both `input_shapes` and `sample_inputs`, the shape in `input_shapes` is used. With `extract_inputs`
    or `extract_outputs`, only the part of the model between these tensors is compiled. onnx's native code, and
    onnxruntime when it is used for comparison, run in a child process under `time_limit` and `memory_limit`, which is
    in bytes.
    """

    input_shapes: Annotated[
        Mapping[str, Sequence[int]] | None,
        Option(
            "--input-shape",
            "shapes",
            "set the shape of an input; e.g. image=1x3x224x224 (image:1,3,224,224 is accepted too); may be repeated",
            group="inputs",
            brief=True,
        ),
    ]
    dims: Annotated[
        Mapping[str, int] | None,
        Option(
            "--dim",
            "dims",
            "set the size of a symbolic dimension; e.g. batch=1; may be repeated",
            group="inputs",
            brief=True,
        ),
    ]
    sample_inputs: Annotated[
        Arrays | None,
        Option(
            "--sample-inputs",
            "npz",
            "take input shapes from arrays in a .npz file; each array has the name of an input",
            group="inputs",
        ),
    ]
    bind: Annotated[
        Arrays | None,
        Option(
            "--bind",
            "arrays",
            "make an input a constant; the value is read from a file, e.g. axes=axes.npy; may be repeated",
            group="inputs",
        ),
    ]
    overridable: Annotated[
        Sequence[str],
        Option(
            "--overridable",
            "names",
            "make these initializers inputs of the module; their values are the defaults of the inputs",
            group="inputs",
            default=(),
        ),
    ]
    ranges: Annotated[
        Mapping[str, tuple[int | None, int | None]] | None,
        Option(
            "--range",
            "ranges",
            "state the range of an integer input; e.g. ids=0:50257 for 0 to 50256; the compiler uses the "
            "range to prove that arithmetic fits Int32; run refuses inputs outside of the range; may be repeated",
            group="inputs",
        ),
    ]
    extract_inputs: Annotated[
        Sequence[str],
        Option(
            "--extract-inputs",
            "names",
            "begin the compiled part at these tensors; they become its inputs",
            group="extraction",
            default=(),
        ),
    ]
    extract_outputs: Annotated[
        Sequence[str],
        Option(
            "--extract-outputs",
            "names",
            "end the compiled part at these tensors; they become its outputs",
            group="extraction",
            default=(),
        ),
    ]
    lowerings: Annotated[
        Sequence[Lowering],
        Option("--plugin", "plugins", "load converters of your own ops from Python; may be repeated", default=()),
    ]
    patterns: Annotated[
        Sequence[str | os.PathLike[str]],
        Option(
            "--patterns",
            "files",
            "rewrite ONNX nodes by PDL patterns of an MLIR file; may be repeated",
            default=(),
            pass_option="files",
            passes=(APPLY,),
        ),
    ]
    # IR/Rewriting/PassTable.inc (C++) defines which rewrites each value enables.
    optimize: Annotated[
        Literal["none", "exact", "default"],
        Option(
            "--optimize",
            "text",
            "choose which rewrites may run; none: only those that the device needs; exact: also those that keep "
            "every bit of a result, except the sign of a zero; default: all that keep results within rounding",
            default="default",
            choices=lambda: ("none", "exact", "default"),
            pass_option="optimize",
            passes=(LOWER,),
            brief=True,
        ),
    ]
    flat: Annotated[
        bool,
        Option(
            "--flat",
            "switch",
            "write all calls into forward; by default, equal layers share one method",
            default=False,
            pass_option="flat",
            passes=(LOWER,),
        ),
    ]
    max_expansion: Annotated[
        int,
        Option(
            "--max-expansion",
            "integer",
            "limit the number of nodes of function bodies; an op without a converter is replaced by the function body "
            "that ONNX defines for it",
            default=MAX_EXPANSION,
            minimum=0,
            unit="NODES",
        ),
    ]
    fold_limit: Annotated[
        int,
        Option(
            "--fold-limit",
            "integer",
            "limit the size of folded constants; the module computes results that are larger",
            default_of_pass="1,048,576 bytes",
            minimum=0,
            unit="BYTES",
            pass_option="fold-limit",
            passes=(ASSIGN, LOWER),
        ),
    ]
    layout: Annotated[
        Literal["none", "tiles"],
        Option(
            "--tiles",
            "switch",
            "align slices with tiles of 32 x 32 elements; the device then moves fewer tiles; right only if all "
            "elements are finite",
            group="tiles",
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
            "limit how much --tiles may enlarge a weight; FACTOR is the new size divided by the old size",
            default_of_pass="1.25",
            group="tiles",
            minimum=1,
            unit="FACTOR",
            needs="--tiles",
            pass_option="max-weight-growth",
            passes=(LOWER,),
        ),
    ]
    fill_tile_padding: Annotated[
        str,
        Option(
            "--fill-tile-padding",
            "text",
            "write known values into tile padding; the value of the option says which kernels are assumed to read it "
            "(docs/tile-padding.md); by default, nothing is written",
            group="tiles",
            choices=_padding_targets,
            pass_option="fill-tile-padding",
            passes=(LOWER,),
        ),
    ]
    device_format: Annotated[
        str,
        Option(
            "--device-format",
            "text",
            "assume this float format on the device; --tiles computes sizes in bytes for this format, and "
            "--fill-tile-padding chooses values for it; by default, the formats of the model",
            group="tiles",
            choices=lambda: ("f32", "f16", "bf16", "bfp8", "bfp4", "bfp2"),
            pass_option="device-format",
            passes=(LOWER,),
        ),
    ]
    fallback: Annotated[
        Literal["error", "cpu"],
        Option(
            "--fallback",
            "text",
            "choose what happens to refused nodes; error: refuse the model; cpu: run the nodes on the CPU, in "
            "onnxruntime or onnx.reference",
            group="fallback",
            default="error",
            choices=lambda: ("error", "cpu"),
            brief=True,
        ),
    ]
    cpu_ops: Annotated[
        Sequence[str],
        Option(
            "--cpu-ops",
            "names",
            "run these nodes on the CPU; NAME is an ONNX op type or the name of a node; may be repeated",
            group="fallback",
            default=(),
            needs="--fallback=cpu",
            pass_option="cpu-ops",
            passes=(ASSIGN,),
        ),
    ]
    device_ops: Annotated[
        Sequence[str],
        Option(
            "--device-ops",
            "names",
            "require these nodes to run on the device; NAME is an ONNX op type or the name of a node; may be repeated",
            group="fallback",
            default=(),
            needs="--fallback=cpu",
            pass_option="device-ops",
            passes=(ASSIGN,),
        ),
    ]
    max_partitions: Annotated[
        int,
        Option(
            "--max-partitions",
            "integer",
            "limit the number of partitions; 0: no limit",
            group="fallback",
            default=0,
            minimum=0,
            unit="PARTITIONS",
            needs="--fallback=cpu",
            pass_option="max-partitions",
            passes=(PARTITION,),
        ),
    ]
    cpu_exact: Annotated[
        bool,
        Option(
            "--cpu-exact",
            "switch",
            "switch off onnxruntime's graph optimizations; onnxruntime then runs exactly the nodes of the model",
            group="fallback",
            default=False,
            needs="--fallback=cpu",
        ),
    ]
    time_limit: Annotated[
        float,
        Option(
            "--time-limit",
            "number",
            "limit the time of onnx and onnxruntime; the limit applies to each run in a child process; 0: no limit",
            group="limits",
            default=TIME_LIMIT,
            minimum=0,
            unit="SECONDS",
        ),
    ]
    memory_limit: Annotated[
        int,
        Option(
            "--memory-limit",
            "mebibytes",
            "limit the memory of onnx and onnxruntime; the limit applies to each run in a child process, beyond the "
            "memory that the command uses at its start; 0: no limit",
            group="limits",
            default=MEMORY_LIMIT,
            minimum=0,
            unit="MIB",
        ),
    ]


@cache
def option_table() -> Mapping[str, Option]:
    """The option of each keyword argument, in the order of `Options`."""
    hints = get_type_hints(Options, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items()}
