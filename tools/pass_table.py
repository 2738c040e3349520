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

This page is for developers of passes. It lists the passes of `--onnx-to-forge-pipeline` in their order, and the
[rewrites](#rewrites) of each pass. [The reference of passes](reference/passes.md) describes each pass with examples.
`python tools/pass_table.py` writes this page from `PassTable.inc`. Do not edit it.

Each row of the table is a run of a pass. Some passes run several times. The columns are:

- *when*: the options of the pipeline with which the pass runs. If the cell is empty, the pass always runs. The options
  of `forge-mlir` have the same names, except that `layout=tiles` is `--tiles`.
- *position*: why the pass runs at this position.
- *class*: how far the pass may change results if `--fast-math` is not given. [Numerics](numerics.md#what-passes-may-do)
  defines the classes.

"""

_REWRITES = """
## Rewrites

A rewrite is *optional* if the compiler can emit a program without it. The tables below list the optional rewrites. Some
passes, such as `--forge-separate-products`, also have required rewrites. These count for the class of the pass in the
table above.

### Which rewrites are applied

The option `--optimize` selects optional rewrites:

- `default`: all
- `exact`: the rewrites of the class *exact*, except those of passes that run only *with `optimize=default`*
- `none`: none

The rewrites of `--forge-float-format` and `--forge-separate-products` do not depend on this option.

If the column *kind* of a rewrite is not empty, the rewrite needs a further option. For the kind `tiles`, this is
`--tiles`. For any other kind, it is [`--fast-math=KIND`](fast-math.md).

`--forge-pixel-rows` and `--forge-head-rows` apply a rewrite only if it decreases the [estimated time](cost.md) of the
program. `--forge-divisibility-rewrite` applies one only if the program then moves fewer tiles.

### Notation

`a -> b` means that a is replaced by b. The letters mean:

- `x`, `y`: values that depend on inputs of the model
- `v`, `w`, `V`, `W`: weights
- `s`, `t`: scales that are weights or constants
- `c`: a constant
- `f`: an elementwise function
- `-0`: zeros with a negative sign. Adding them to a value does not change it

A *product* is a matrix product. The third operand of `matmul` and `conv2d` is the bias. The shape of images is written
with N for the number of images, C for channels, H for height, and W for width. The shape of attention is written with N
for the number of rows, H for the number of heads, and D for the columns of a head.
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


def summaries() -> dict[str, str]:
    """The summary of each pass in TableGen, which says what the pass does."""
    record = re.compile(r'Pass<"([\w-]+)".*?let summary = ((?:"(?:[^"\\]|\\.)*"\s*)+);', re.DOTALL)
    return {
        name: _text(summary).replace('\\"', '"')
        for file in sorted((ROOT / "include/forge").rglob("*Passes.td"))
        for name, summary in record.findall(file.read_text(encoding="ascii"))
    }


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
    does = summaries()
    without_kind = {row.pass_name for row in rewrites() if not row.kind}
    idle = {row.pass_name for row in rewrites()} - without_kind
    lines = ["| pass | what it does | when | position | class |", "|---|---|---|---|---|"]
    for step in steps():
        numeric_class = known[step.pass_name].numeric_class
        if step.pass_name in idle:
            numeric_class += "; changes nothing without `--fast-math`"
        cells = (does[step.pass_name], _CONDITIONS[step.condition], step.why, numeric_class)
        lines.append(f"| `--{step.pass_name}` | {' | '.join(cells)} |")
    sections = [_section(name) for name in dict.fromkeys(row.pass_name for row in rewrites())]
    return _HEAD + "\n".join(lines) + "\n" + _REWRITES + "".join(sections)


def _section(pass_name: str) -> str:
    """The table of the rewrites of a pass."""
    lines = ["| rewrite | what it does | class | kind |", "|---|---|---|---|"]
    for rewrite in rewrites():
        if rewrite.pass_name == pass_name:
            kind = f"`{rewrite.kind}`" if rewrite.kind else ""
            lines.append(f"| {rewrite.name} | {rewrite.what} | {rewrite.numeric_class} | {kind} |")
    return f"\n### `--{pass_name}`\n\n" + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="ascii")
