"""The command that writes a report about a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from forge_mlir.cli.arguments import Model, output_option
from forge_mlir.cli.flags import command
from forge_mlir.cli.ui import Ui
from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError

Format = Literal["html", "markdown", "json"]

_SUFFIXES: dict[str, Format] = {".html": "html", ".md": "markdown", ".json": "json"}


@command()
def report(
    model: Model,
    output: Annotated[Path | None, output_option("the file to write; MODEL_report.html by default")] = None,
    form: Annotated[
        Format | None, typer.Option("--format", help="html, markdown or json; as the file is called, by default")
    ] = None,
    accuracy: Annotated[
        bool, typer.Option("--accuracy/--no-accuracy", help="run the model, and tell the error of each node")
    ] = True,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Write a page about a model: what is refused, ops, tiles, accuracy, weights, and its graph with the IR of each
    node at each stage."""
    from forge_mlir.report.model_report import model_report
    from forge_mlir.report.rendering import to_html, to_json, to_markdown
    from forge_mlir.verify import verify_model

    kind: Format = form or _SUFFIXES.get(output.suffix if output else "", "html")
    suffix = next(ending for ending, name in _SUFFIXES.items() if name == kind)
    file = output or Path(f"{model.stem}_report{suffix}")
    found = model_report(model, **options)
    if accuracy and found.verdict.supported:
        try:
            result = verify_model(model, **options)
        except ForgeError as error:
            found = replace(found, notes=(*found.notes, f"accuracy: {error.message}"))
        else:
            errors = {report.node.name: report.local.relative for report in result.nodes}
            rows = tuple(replace(row, relative=_finite(errors.get(row.name))) for row in found.nodes)
            found = replace(found, nodes=rows)
    found = replace(found, phases={name: round(seconds, 3) for name, seconds in ui.phases.items()})
    text = {"html": to_html, "markdown": to_markdown, "json": to_json}[kind](found)
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ForgeError(Code.CannotWrite, f"cannot write {str(file)!a}: {error.strerror}") from error
    ui.say(str(file))
    ui.answer({"report": str(file), "format": kind, "verdict": found.verdict.json()["verdict"]})


def _finite(error: float | None) -> float | None:
    """A number that JSON has."""
    return None if error is None else min(error, 1e300)


COMMANDS = (report,)
