"""How one option of a compilation is declared: `forge_mlir.compiler.options` has the options themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

APPLY, ASSIGN, PARTITION = "forge-apply-patterns", "forge-assign-devices", "forge-partition"
LOWER = "onnx-to-forge-pipeline"
"""The passes, and the pipeline, that take options."""

Group = Literal["inputs", "extraction", "conversion", "floats", "tiles", "fallback", "limits"]
"""What an option is about: sizes and values of the model's inputs, a part of the model, how nodes are converted,
precision, tensors in tiles, CPU partitions, and limits of time and memory."""

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
"""How the command line writes a value: `NAME=1x2`, `NAME=1`, `NAME=0:9`, `NAME=FILE.npy`, `FILE.py`, `FILE`,
`FILE.npz`, `a,b`, ...; an option of one of the first eight forms may be given several times."""


class Option(NamedTuple):
    """The spelling of an option on the command line, and the passes that it is given to.

    `help` begins with a clause of at most fifty characters, which the short help prints alone; details follow a
    semicolon. `default` is the value that the compiler uses when the option is not given; None if a pass has the
    default. `choices` are the values that a text, or each of several names, may have. A "switch" sets the value `on`.
    `unit` is printed in place of the value. `pass_option` is the name of the option of the passes `passes`. An option
    with `brief` is in the short help.
    """

    flag: str
    form: Form
    help: str
    group: Group = "conversion"
    default: Any = None
    choices: Callable[[], Sequence[str]] | None = None
    on: Any = True
    minimum: float | None = None
    unit: str | None = None
    pass_option: str = ""
    passes: tuple[str, ...] = ()
    brief: bool = False
