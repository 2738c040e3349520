"""The short and the long help, and what they say about each option."""

from __future__ import annotations

import re
from typing import get_args

import click
import pytest
from click.testing import CliRunner

from forge_mlir.cli.app import app
from forge_mlir.cli.commands.verify import Profile
from forge_mlir.cli.help import OWN, Option
from forge_mlir.compiler.options import option_table
from forge_mlir.verify.inputs.profiles import DEFAULT_PROFILES, PROFILES
from sample_models.repository import REPOSITORY

NAMES = app.list_commands(click.Context(app))
WIDTH = 78
"""The width of the help on a terminal of 80 columns. CliRunner itself sets a width of 80."""


def shown(name: str, flag: str) -> str:
    done = CliRunner().invoke(app, [name, flag], terminal_width=WIDTH)
    assert done.exit_code == 0
    return done.output


def options_of(name: str) -> list[Option]:
    found = app.get_command(click.Context(app), name)
    assert found is not None
    return [each for each in found.params if isinstance(each, Option)]


@pytest.mark.parametrize("name", NAMES)
def test_the_short_help_fits_a_screen(name: str) -> None:
    lines = shown(name, "--help").splitlines()
    assert len(lines) <= 24, "\n".join(lines)
    assert max(map(len, lines)) <= WIDTH
    assert any("--help-all" in line for line in lines)


@pytest.mark.parametrize("name", NAMES)
def test_the_long_help_has_every_option_under_its_title(name: str) -> None:
    text = shown(name, "--help-all")
    for option in (each for each in options_of(name) if not each.hidden):
        section = text.partition(f"\n{option.title}:\n")[2].partition("\n\n")[0]
        assert all(spelling in section for spelling in option.opts), option.opts
    assert len(text.splitlines()) >= len(shown(name, "--help").splitlines())


@pytest.mark.parametrize("name", NAMES)
def test_every_option_describes_its_value(name: str) -> None:
    text = shown(name, "--help-all")
    assert not re.search(r"\b(TEXT|INTEGER|FLOAT|NUMBER|PATH)\b", text)
    for option in options_of(name):
        if isinstance(option.type, (click.types.IntParamType, click.types.FloatParamType)):
            assert option.metavar, f"{option.opts}: a number has a unit"


def test_a_command_is_described_in_one_line() -> None:
    done = CliRunner().invoke(app, ["--help"], terminal_width=WIDTH)
    assert len(done.output.splitlines()) <= 24
    for name in NAMES:
        assert f"\n  {name} " in done.output
    assert "..." not in done.output.partition("Commands:")[2], "click cuts what is too long for a line"


@pytest.mark.parametrize("name", [name for name, option in option_table().items() if option.choices])
def test_choices_are_shown_checked_and_completed(name: str) -> None:
    option = option_table()[name]
    assert option.choices is not None
    choices = option.choices()
    assert f"[{'|'.join(choices)}]" in shown("compile", "--help-all")
    wrong = CliRunner().invoke(app, ["compile", "m.onnx", f"{option.flag}=no-such-choice"])
    assert wrong.exit_code == 2
    assert ", ".join(choices) in wrong.output
    (found,) = (each for each in options_of("compile") if each.name == name)
    offered = found.type.shell_complete(click.Context(app), found, choices[0][:2])
    assert choices[0] in {each.value for each in offered}


def test_the_profiles_are_those_of_verify() -> None:
    assert get_args(Profile) == (*PROFILES, "all")
    (option,) = (each for each in options_of("verify") if "--profile" in each.opts)
    *others, last = DEFAULT_PROFILES
    assert f"by default {', '.join(others)} and {last}" in str(option.help)


def test_the_clause_of_the_short_help_is_short() -> None:
    for name in NAMES:
        for option in options_of(name):
            clause = (option.help or "").partition(";")[0]
            assert 0 < len(clause) <= 50, f"{name} {option.opts}: {clause}"


@pytest.mark.parametrize("name", NAMES)
def test_options_are_under_titles(name: str) -> None:
    untitled = [option.opts[0] for option in options_of(name) if option.title == OWN]
    assert len(untitled) <= 10, untitled


def test_a_flag_has_one_meaning() -> None:
    """A flag takes the same kind of value in every command. What is written, and what a result is compared with, is a
    file or a directory."""
    found: dict[str, set[str]] = {}
    for name in NAMES:
        context = click.Context(app)
        for option in options_of(name):
            value = "" if option.is_flag else option.make_metavar(context)
            found.setdefault(option.opts[0], set()).add(value)
    assert {flag for flag, values in found.items() if len(values) > 1} == {"--output", "--against"}


@pytest.mark.parametrize(
    ("command", "old", "new"),
    [
        ("verify", "--outputs", "--expected"),
        ("bisect", "--outputs", "--expected"),
        ("emit", "--weights", "--weight-table"),
        ("sweep", "--compare", "--against"),
    ],
)
def test_an_old_spelling_is_an_error_with_the_new_one(command: str, old: str, new: str) -> None:
    done = CliRunner().invoke(app, [command, "m", old, "x"])
    assert done.exit_code == 2
    assert f"{old} is now {new}" in done.stderr
    assert old not in shown(command, "--help-all").split()


def test_the_long_help_of_the_program_has_that_of_every_command() -> None:
    done = CliRunner().invoke(app, ["--help-all"], terminal_width=WIDTH, prog_name="forge-mlir")
    assert done.exit_code == 0
    for name in NAMES:
        assert f"\nUsage: forge-mlir {name} " in done.output
        for option in options_of(name):
            assert option.opts[0] in done.output


@pytest.mark.parametrize("name", [name for name, option in option_table().items() if option.minimum is not None])
def test_a_number_has_a_default_in_the_help(name: str) -> None:
    option = option_table()[name]
    section = " ".join(shown("compile", "--help-all").partition(f"\n  {option.flag} ")[2].split("\n  --")[0].split())
    # Without --error-budget, errors are not limited.
    assert f"[default: {option.default_of_pass}" in section or option.flag == "--error-budget", section


@pytest.mark.parametrize(
    ("name", "file", "declared"),
    [
        ("fold_limit", "Dialect/Forge/IR/Constants/Evaluate.h", r"kFoldLimit = 1 << (\d+);"),
        ("max_weight_growth", "Dialect/Forge/Transforms/TilePasses.td", r'"max-weight-growth", "double", "([\d.]+)"'),
    ],
)
def test_the_default_in_the_help_is_that_of_the_pass(name: str, file: str, declared: str) -> None:
    found = re.search(declared, (REPOSITORY / "include" / "forge" / file).read_text(encoding="utf-8"))
    assert found is not None
    value = f"{1 << int(found[1]):,} bytes" if name == "fold_limit" else found[1]
    assert option_table()[name].default_of_pass == value
