"""The command that writes a report about a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import click

from forge_mlir.cli.arguments import FORCE, Flag, Models, output_option
from forge_mlir.cli.flags import command
from forge_mlir.cli.folders import answer_for_each
from forge_mlir.cli.output.ui import Ui
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, escaped
from forge_mlir.support.outputs import check_output, make_folder, write_output

if TYPE_CHECKING:
    from forge_mlir.report.model_report import ModelReport

Format = Literal["html", "markdown", "json", "model-explorer", "onnx"]

_SUFFIXES: dict[Format, str] = {
    "html": ".html",
    "markdown": ".md",
    "json": ".json",
    "model-explorer": ".explorer.json",
    "onnx": ".onnx",
}
_GRAPHS: Sequence[Format] = ("model-explorer", "onnx")
"""Formats of a graph alone."""


@command()
def report(
    model: Models,
    output: Annotated[
        Path | None,
        output_option("write the report here; by default MODEL_report.html; for a folder of models, a directory"),
    ] = None,
    form: Annotated[
        Format | None,
        Flag(
            "--format",
            help="choose the format; by default that of the ending of --output; model-explorer: the graph after each "
            "pass; onnx: the graph of forge ops",
        ),
    ] = None,
    accuracy: Annotated[
        bool | None,
        Flag(
            "--accuracy/--no-accuracy",
            help="report the error of each node; this needs a run of the model, and is the default",
        ),
    ] = None,
    force: Annotated[bool, FORCE] = False,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Write a report about a model, as HTML, Markdown or JSON.

    The report has the graph with the IR of each node after each pass, refused nodes, costs, accuracy and weights.
    """
    kind = form or _kind_of(output, model.is_dir())
    if accuracy and kind in _GRAPHS:
        raise click.BadParameter(f"the format {kind} has no errors of nodes", param_hint="--accuracy")

    def written(source: Path, own: Options) -> tuple[dict[str, str | None], None]:
        file = Path(f"{source.stem}_report{_SUFFIXES[kind]}")
        if model.is_dir():  # One page per model, in the given directory.
            file = Path(output or ".") / file
            make_folder(file.parent)
        elif output is not None:
            file = output
        answer = _write(source, file, kind, accuracy, force, own, ui)
        ui.say(str(file))
        return answer, None

    answer_for_each(model, options, ui, written)


def _write(
    model: Path, file: Path, kind: Format, accuracy: bool | None, force: bool, options: Options, ui: Ui
) -> dict[str, str | None]:
    from forge_mlir.importer.onnx_import import files_of

    read = files_of(model)
    check_output(file, read, force)
    verdict: str | None = None
    word: str | None = None
    if kind in _GRAPHS:
        data = _graph(model, kind, options)
    else:
        found = _report(model, accuracy is not False, options, ui)
        verdict = found.verdict.json()["verdict"]
        if found.accuracy is not None:
            word = found.accuracy.word
            if word != "right":
                ui.note(f"{escaped(model)}: results are {word}: {found.accuracy.text}")
        data = _rendered(found, kind)
    write_output(file, lambda path: path.write_bytes(data), read, force)
    return {"report": str(file), "format": kind, "verdict": verdict, "accuracy": word}


def _kind_of(output: Path | None, is_folder: bool) -> Format:
    """The format of a file, by its name: that of the longest of the suffixes, as .explorer.json is not .json. Raises
    BadParameter for a name with another suffix, which only a directory (`is_folder`) may have."""
    endings = [(suffix, kind) for kind, suffix in _SUFFIXES.items() if output and output.name.endswith(suffix)]
    if not endings and output and output.suffix and not is_folder and not output.is_dir():
        known = ", ".join(_SUFFIXES.values())
        raise click.BadParameter(f"expected a file that ends in one of {known}, or --format", param_hint="--output")
    return max(endings, key=lambda ending: len(ending[0]))[1] if endings else "html"


def _report(model: Path, accuracy: bool, options: Options, ui: Ui) -> ModelReport:
    from forge_mlir.report.model_report import model_report

    found = model_report(model, **options)
    if accuracy and found.verdict.supported:
        found = with_accuracy(found, model, options)
    return replace(found, phases={name: round(seconds, 3) for name, seconds in ui.phases.items()})


def with_accuracy(found: ModelReport, model: Path, options: Options) -> ModelReport:
    """The report with the results of `verify` added."""
    from forge_mlir.report.accuracy import Accuracy
    from forge_mlir.verify import verify_model

    try:
        result = verify_model(model, **options).json()
    except ForgeError as error:
        return replace(found, accuracy=Accuracy("not known", f"it could not be run: {error.message}"))
    errors = {row["node"]: (row["local"]["relative"], row["total"]["relative"]) for row in result["nodes"]}
    nodes = []
    for row in found.nodes:
        alone, total = map(_finite, errors[row.name]) if row.name in errors else (None, None)
        nodes.append(replace(row, relative=alone, total=total))
    return replace(found, nodes=tuple(nodes), accuracy=Accuracy.of(result))


def _finite(error: float | None) -> float:
    """An error as JSON can represent it; non-finite ones are replaced."""
    return 1e300 if error is None else min(error, 1e300)


def _rendered(found: ModelReport, kind: Format) -> bytes:
    from forge_mlir.report.rendering import to_html, to_json, to_markdown

    return {"html": to_html, "markdown": to_markdown, "json": to_json}[kind](found).encode()


def _graph(model: Path, kind: Format, options: Options) -> bytes:
    from forge_mlir.report.graph.export import to_model_explorer, to_onnx

    if kind == "onnx":
        return bytes(to_onnx(model, **options).SerializeToString())
    return to_model_explorer(model, **options).encode()
