"""The command that shows the contents of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import click

from forge_mlir.cli.arguments import Flag, Model
from forge_mlir.cli.flags import command
from forge_mlir.cli.output.check_tables import show_refused
from forge_mlir.cli.output.tables import print_table
from forge_mlir.cli.output.ui import Ui
from forge_mlir.compiler.option_types.values import flags_given
from forge_mlir.compiler.options import Options
from forge_mlir.errors import printable

if TYPE_CHECKING:
    from forge_mlir.report.graph.view import ValueRow
    from forge_mlir.report.inspection import Inspection


@command()
def inspect(
    model: Model,
    refusals: Annotated[bool, Flag("--refusals/--no-refusals", help="list the nodes that would be refused")] = True,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Show what an ONNX model contains.

    Inputs, outputs, opsets, ops, weights, and the nodes that would be refused. Nothing is written, and the exit code
    is 0 for every model that can be read.
    """
    from forge_mlir.report.inspection import inspect_model

    if not refusals and (stray := flags_given(options, "limits")):
        raise click.BadParameter(f"{', '.join(stray)}: without effect with --no-refusals")
    found = inspect_model(model, refusals=refusals, **options)
    if not ui.as_json:
        _show(found)
    ui.answer(found.json())


def _show(found: Inspection) -> None:
    opsets = ", ".join(f"{printable(domain) or 'ai.onnx'} {version}" for domain, version in found.opsets.items())
    print(f"{found.model}: {found.bytes:,} bytes, IR version {found.ir_version}, opsets {opsets}")
    if found.producer:
        print(f"made by {printable(found.producer)}")
    values = [("input", found.inputs), ("output", found.outputs)]
    print_table(("", "type", "name"), [(kind, _type(row), name) for kind, rows in values for name, row in rows.items()])
    functions = f", {found.functions:,} functions" if found.functions else ""
    print(f"{found.nodes:,} nodes{functions}")
    print_table(
        ("op", "opset", "nodes", "converter"),
        (
            (f"{row.domain}.{row.op}" if row.domain else row.op, str(row.opset), f"{row.count:,}", row.converter)
            for row in found.ops
        ),
    )
    if found.weights:
        print_table(
            ("weights", "tensors", "elements", "bytes"),
            ((row.dtype, f"{row.tensors:,}", f"{row.elements:,}", f"{row.bytes:,}") for row in found.weights),
        )
        print_table(
            ("largest weight", "dtype", "shape", "bytes"),
            ((name, dtype, str(list(shape)), f"{nbytes:,}") for name, dtype, shape, nbytes in found.largest),
        )
    if found.verdict is not None:
        show_refused(found.verdict.refused)
        for problem in found.verdict.errors:
            print(f"{problem.code}: {printable(problem.message)}")
        print("nothing would be refused" if found.verdict.supported else "this model would be refused")


def _type(row: ValueRow) -> str:
    if row.shape is None:
        return row.dtype
    return f"{row.dtype} [{', '.join('?' if size is None else str(size) for size in row.shape)}]"
