"""Writes docs/pipeline.md from PassTable.inc, the table that defines the pipeline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "include/forge/Dialect/Forge/IR/Rewriting/PassTable.inc"
PAGE = ROOT / "docs/pipeline.md"

CLASSES = {
    "Exact": "exact",
    "Rounding": "up to rounding",
    "ZeroTerms": "adds zero terms",
    "MovesRounding": "changes what is rounded",
    "Assumes": "assumes",
}
"""The names in docs/numerics.md of the members of NumericClass."""

_HEAD = """# The pipeline

This page lists the passes of `--onnx-to-forge-pipeline` in order, and their [rewrites](#rewrites). [The reference of
passes](reference/passes.md) describes each pass. `python tools/pass_table.py` writes this page from `PassTable.inc`. Do
not edit it.

- *when*: the options of the pipeline with which the pass runs. If the cell is empty, the pass always runs. `forge-mlir`
  has options of the same names, except that `layout=tiles` is `--tiles`.
- *class*: how far the pass may change results, without `--fast-math`
  ([definitions](numerics.md#what-passes-may-do)).

"""

_REWRITES = """
## Rewrites

The table lists the *optional* rewrites, without which a program can also be emitted. Some passes, such as
`--forge-separate-products`, also have required rewrites. The class of a pass includes these.

`a -> b` means that a is replaced by b. The letters mean:

- `x`, `y`: values that depend on inputs of the model
- `v`, `w`, `V`, `W`: weights
- `s`, `t`: scales that are weights or constants
- `c`: a constant
- `f`: an elementwise function
- `-0`: zeros with a negative sign, which change no value that they are added to

In descriptions, a *product* is a matrix product. The third operand of `matmul` and `conv2d` is the bias. In shapes of
images, N is the number of images, C the channels, H the height and W the width. In shapes of attention, N is the number
of rows, H the number of heads, and D the columns of a head.

The option `--optimize` selects rewrites:

- `default`: all rewrites
- `exact`: the rewrites of the class *exact*, in passes that run *unless `optimize=none`*
- `none`: none of these

The rewrites of `--forge-float-format` and `--forge-separate-products` do not depend on this option.

A rewrite with a *kind* needs [`--fast-math=KIND`](fast-math.md), or `--tiles` if the kind is `tiles`.

`--forge-pixel-rows` and `--forge-head-rows` apply a rewrite if the [estimated time](cost.md) then decreases.
`--forge-divisibility-rewrite` applies a rewrite if the program then moves fewer tiles.

"""


class Pass(NamedTuple):
    """A pass, its requirements and guarantees, and its numeric class: the highest of its rewrites that need no
    kind of --fast-math."""

    name: str
    numeric_class: str
    requires: tuple[str, ...]
    establishes: tuple[str, ...]


class Rewrite(NamedTuple):
    """A rewrite of a pass, and the `kind` of --fast-math that enables it, if one is needed."""

    pass_name: str
    name: str
    numeric_class: str
    kind: str
    what: str


class Step(NamedTuple):
    """A pass at its position in the pipeline, with the condition on the options of the pipeline."""

    pass_name: str
    condition: str
    why: str


def passes() -> list[Pass]:
    """The passes of the table. Raises ValueError for an invalid row."""
    return [
        Pass(_text(name), CLASSES[numeric], _list(requires), _list(establishes))
        for name, numeric, requires, establishes in _rows("FORGE_PASS", 4)
    ]


def rewrites() -> list[Rewrite]:
    """The rewrites of the table. Raises ValueError for an invalid row."""
    return [
        Rewrite(_text(owner), _text(name), CLASSES[numeric], _text(kind), _text(what))
        for owner, name, numeric, kind, what in _rows("FORGE_REWRITE", 5)
    ]


def steps() -> list[Step]:
    """The steps of the pipeline. Raises ValueError for an invalid row."""
    return [Step(_kebab(name), condition, _text(why)) for name, condition, _, why in _rows("FORGE_STEP", 4)]


def _rows(macro: str, count: int) -> Iterator[list[str]]:
    text = TABLE.read_text(encoding="ascii")
    for match in re.finditer(rf"^{macro}\(", text, re.MULTILINE):
        row = _arguments(text[match.end() :])
        if len(row) != count:
            raise ValueError(f"{TABLE}: expected {count} arguments of {macro}, but got {row}")
        yield row


def _arguments(text: str) -> list[str]:
    """The arguments of a macro, up to the closing parenthesis."""
    arguments, depth = [""], 0
    for token in re.findall(r'"(?:[^"\\]|\\.)*"|.', text, re.DOTALL):
        if token == ")" and depth == 0:
            return [argument.strip() for argument in arguments]
        depth += (token in "({") - (token in ")}") if len(token) == 1 else 0
        if token == "," and depth == 0:
            arguments.append("")
        else:
            arguments[-1] += token
    raise ValueError(f"{TABLE}: a row has no end")


def _text(literals: str) -> str:
    """Concatenates adjacent C++ string literals."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))


def _list(literals: str) -> tuple[str, ...]:
    return tuple(filter(None, _text(literals).split(", ")))


def _kebab(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


_CONDITIONS = {
    "!o.floatFormat.empty()": "with `float-format`",
    "true": "",
    "o.rewrites()": "unless `optimize=none`",
    "o.rounds()": "with `optimize=default`",
    "o.rounds() && o.layout == LayoutRewrites::Tiles": "with `layout=tiles` and `optimize=default`",
    "o.rounds() && o.fillTilePadding.empty()": "with `optimize=default`, without `fill-tile-padding`",
    "!o.fillTilePadding.empty()": "with `fill-tile-padding`",
    "o.flat": "with `flat`",
}
"""The names of conditions on the page."""


def page() -> str:
    """The content of docs/pipeline.md."""
    known = {row.name: row for row in passes()}
    without_kind = {row.pass_name for row in rewrites() if not row.kind}
    idle = {row.pass_name for row in rewrites()} - without_kind
    lines = ["| pass | when | why at this position | class |", "|---|---|---|---|"]
    for step in steps():
        numeric_class = known[step.pass_name].numeric_class
        if step.pass_name in idle:
            numeric_class += "; changes nothing without `--fast-math`"
        cells = (_CONDITIONS[step.condition], step.why, numeric_class)
        lines.append(f"| `--{step.pass_name}` | {' | '.join(cells)} |")
    order = "\n".join(lines) + "\n"
    lines = ["| pass | rewrite | what it does | class | kind |", "|---|---|---|---|---|"]
    for rewrite in rewrites():
        kind = f"`{rewrite.kind}`" if rewrite.kind else ""
        first = f"| `--{rewrite.pass_name}` | {rewrite.name} | {rewrite.what} |"
        lines.append(f"{first} {rewrite.numeric_class} | {kind} |")
    return _HEAD + order + _REWRITES + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="ascii")
