"""The `forge-mlir` command with its subcommands, as click has them."""

from __future__ import annotations

from importlib import import_module

import click

from forge_mlir.cli.exit_codes import PIPE_CLOSED
from forge_mlir.cli.help import show_all

_COMMANDS = (
    "compile",
    "check",
    "inspect",
    "import",
    "emit",
    "run",
    "generate",
    "reseal",
    "verify",
    "bisect",
    "reduce",
    "report",
    "sweep",
    "explain",
    "ops",
    "bug-report",
)
"""Each is a function in the module of its name in `forge_mlir.cli.commands`."""


class _Commands(click.Group):
    """Loads commands on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [*_COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        name = "import_" if cmd_name == "import" else cmd_name.replace("-", "_")
        found: click.Command = getattr(import_module(f"forge_mlir.cli.commands.{name}"), name)
        return found

    def invoke(self, ctx: click.Context) -> object:
        """Runs the command. Without this, click reports a closed output pipe as an internal error."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            ctx.exit(PIPE_CLOSED)


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from forge_mlir.version import __version__

        click.echo(f"forge-mlir {__version__}")
        context.exit()


app = _Commands(
    help="Compile ONNX models to Python for Tenstorrent (also --version, --help-all).",
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help", "-h"]},
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            hidden=True,  # Mentioned in the help text, so that all commands fit on a screen.
            callback=_show_version,
            help="print the version",
        ),
        click.Option(
            ["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            hidden=True,
            callback=show_all,
            help="show all options of all commands",
        ),
    ],
)
