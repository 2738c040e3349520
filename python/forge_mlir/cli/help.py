"""Options and commands: help in two lengths, and options that need others.

`--help` shows what most users need on one screen, `--help-all` every option under titles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

OWN, EVERY_COMMAND = "Options", "Every command"

_UNITS = {"MIB": "MiB", "NODES": "nodes", "RUNS": "runs", "SECONDS": "seconds"}
"""The unit after a number, by the placeholder for the value."""

_ALL = "forge_mlir.help_all"
_WIDEST = 32
"""The widest option whose help begins on the same line, in characters."""


class Option(click.Option):
    """An option under a title. The short help shows `brief` options with the first clause of their help. `formerly`
    are old spellings. Without the option `needs`, this one has no effect."""

    def __init__(
        self,
        *arguments: Any,
        title: str,
        brief: bool,
        formerly: Sequence[str] = (),
        needs: str = "",
        **given: Any,
    ) -> None:
        super().__init__(*arguments, **given)
        self.title = title
        self.brief = brief
        self.formerly = tuple(formerly)
        self.needs = needs

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        if self.hidden:
            return None
        if not ctx.meta.get(_ALL):
            return (self._spelling(ctx), (self.help or "").partition(";")[0]) if self.brief else None
        record = super().get_help_record(ctx)
        return record and (self._spelling(ctx), record[1])

    def get_help_extra(self, ctx: click.Context) -> Any:
        """The default with its unit, without the range, which errors mention."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        if isinstance(self.show_default, str):  # click puts it in parentheses.
            extra["default"] = self.show_default
            return extra
        if "default" in extra and self.metavar in _UNITS:
            extra["default"] = f"{float(extra['default']):,.10g} {_UNITS[self.metavar]}"
        return extra

    def _spelling(self, ctx: click.Context) -> str:
        words = ", ".join(self.opts)
        if self.secondary_opts:
            words = f"{words} / {', '.join(self.secondary_opts)}"
        return words if self.is_flag else f"{words} {self.make_metavar(ctx)}"


class Command(click.Command):
    """A subcommand whose options are `Option`s. Options without effect are errors."""

    def invoke(self, ctx: click.Context) -> Any:
        """Raises BadParameter for options whose `needs` is not given."""
        options = {name: each for each in self.params if isinstance(each, Option) for name in each.opts}
        stray: dict[str, list[str]] = {}
        for option in dict.fromkeys(options.values()):
            if option.needs and _is_given(option, ctx):
                flag, _, value = option.needs.partition("=")
                needed = options[flag]
                if not _is_given(needed, ctx) or value not in ("", ctx.params[needed.name or ""]):
                    stray.setdefault(option.needs, []).append(option.opts[0])
        for needs, flags in stray.items():
            raise click.BadParameter(f"{', '.join(flags)} {'needs' if len(flags) == 1 else 'need'} {needs}")
        return super().invoke(ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Raises NoSuchOption for an old spelling, with the new one."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            for option in self.params:
                if error.option_name in getattr(option, "formerly", ()):
                    message = f"{error.option_name} is now {option.opts[0]}"
                    raise click.NoSuchOption(error.option_name, message, ctx=ctx) from error
            raise

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The short help shows only the first sentence."""
        if ctx.meta.get(_ALL):
            super().format_help_text(ctx, formatter)
            return
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text((self.help or "").partition("\n\n")[0])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for found in self.get_params(ctx):
            if isinstance(found, click.Argument) or (record := found.get_help_record(ctx)) is None:
                continue
            title = getattr(found, "title", EVERY_COMMAND) if ctx.meta.get(_ALL) else OWN
            sections.setdefault(title, []).append(record)
        for title, rows in sections.items():
            with formatter.section(title):
                formatter.write_dl(rows, col_max=_WIDEST)


def _is_given(option: Option, ctx: click.Context) -> bool:
    """Whether the option has another value than its default."""
    value = ctx.params[option.name or ""]
    return value is not False and value not in (option.get_default(ctx), None, ())


def show_all(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    """The callback of `--help-all`."""
    if wanted and not ctx.resilient_parsing:
        ctx.meta[_ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        if isinstance(ctx.command, click.Group):
            for name in ctx.command.list_commands(ctx):
                if (found := ctx.command.get_command(ctx, name)) is not None:
                    with click.Context(found, parent=ctx, info_name=name) as inner:
                        click.echo(f"\n{found.get_help(inner)}", color=ctx.color)
        ctx.exit()


HELP_ALL = Option(
    ["--help-all"],
    title=EVERY_COMMAND,
    brief=True,
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_all,
    help="show all options, with their details",
)
