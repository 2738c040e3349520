"""The declaration of a compiler option; `forge_mlir.compiler.options` has the options themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

APPLY, ASSIGN, PARTITION = "forge-apply-patterns", "forge-assign-devices", "forge-partition"
LOWER = "onnx-to-forge-pipeline"
"""The passes and the pipeline that have options."""

Stage = Literal["import", "forge", "call", "python"]
STAGES: tuple[Stage, ...] = ("import", "forge", "call", "python")
"""The stages of a model: imported IR, the forge dialect, its call level, and a Python module."""

Group = Literal["inputs", "extraction", "conversion", "floats", "tiles", "fallback", "limits"]
"""The topic of an option: sizes and values of the model's inputs, extraction of a part, conversion of nodes, precision,
tile layout, CPU partitions, and limits of time and memory."""

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
"""The syntax of a value on the command line: `NAME=1x2`, `NAME=1`, `NAME=0:9`, `NAME=FILE.npy`, `FILE.py`, `FILE`,
`FILE.npz`, `a,b`, ...; options with one of the first eight forms may be repeated."""


class Option(NamedTuple):
    """The spelling of an option on the command line, and the passes that it is passed to.

    `help` begins with a clause of at most fifty characters, which is all that the short help prints; details follow a
    semicolon. `default` is the default value in the compiler; None if a pass defines it. `choices` are the allowed
    values of a string, or of each of several strings. `default_of_pass` is the default of a pass, as the help shows it.
    A "switch" sets the value `on`. `unit` is shown in place of the value. `pass_option` is the name of the option in
    the passes `passes`. Options with `brief` are in the short help. On the command line, an option without the option
    `needs` is an error.
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
    needs: str = ""
    default_of_pass: str = ""

    @property
    def stage(self) -> Stage:
        """The first stage at which the option has an effect."""
        if not self.passes:
            return "import"
        return "call" if self.passes == (LOWER,) else "forge"
