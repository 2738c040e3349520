"""Arguments that several commands have. One name, one meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

Model = Annotated[Path, typer.Argument(help="ONNX model")]
Module = Annotated[Path, typer.Argument(help="compiled module: its .py, or its directory")]
Name = Annotated[str | None, typer.Option(help="name of the module; the file's by default")]
Inputs = Annotated[
    list[str] | None,
    typer.Option(
        "--inputs", "-i", metavar="FILE", help=".npz, .npy or NAME=FILE.npy; may be repeated; seeded random by default"
    ),
]
Outputs = Annotated[
    list[str] | None,
    typer.Option("--outputs", metavar="FILE", help="expected outputs, as --inputs; onnxruntime's results by default"),
]
Seed = Annotated[int, typer.Option(help="seed of random inputs")]


def output_option(text: str) -> Any:
    """Where a command writes to."""
    return typer.Option("--output", "-o", help=text)
