"""The flags that select the programs of a language model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import click

from forge_mlir.cli.arguments import Flag

if TYPE_CHECKING:
    from forge_mlir.compiler.generation import Generation

LANGUAGE_MODELS = "Language models"
"""The title of the options of --generate."""

MaxLength = Annotated[
    int | None,
    Flag(
        metavar="TOKENS",
        help="limit a text to this many tokens; the caches have as many positions; needs --generate",
        minimum=1,
        title=LANGUAGE_MODELS,
        brief=False,
        needs="--generate",
    ),
]
PromptLengths = Annotated[
    list[int] | None,
    Flag(
        metavar="TOKENS",
        help="compile a program for prompts up to this length; needs --generate; may be repeated",
        title=LANGUAGE_MODELS,
        brief=False,
        needs="--generate",
    ),
]
Batch = Annotated[
    int,
    Flag(
        metavar="TEXTS",
        help="generate this many texts at a time; needs --generate",
        minimum=1,
        title=LANGUAGE_MODELS,
        brief=False,
        needs="--generate",
    ),
]


def generation_of_flags(
    generate: bool,
    max_length: int | None,
    prompt_length: list[int] | None,
    batch: int,
    cached: list[str] | None = None,
    all_logits: bool = False,
) -> Generation | None:
    """Converts the flags of --generate. Raises BadParameter for flags that contradict each other."""
    if not generate:
        return None
    from forge_mlir.compiler.generation import Generation

    if max_length is None:
        raise click.BadParameter("--generate needs --max-length")
    pairs = [each.partition("=") for each in cached or ()]
    if any(not past or not present for past, _, present in pairs):
        raise click.BadParameter("expected PAST=PRESENT", param_hint="--cache-pair")
    for names in zip(*((past, present) for past, _, present in pairs), strict=True):
        if len(set(names)) < len(names):
            raise click.BadParameter("each past and each present is of one pair", param_hint="--cache-pair")
    return Generation(
        max_length, tuple(prompt_length or ()), batch, {past: present for past, _, present in pairs}, all_logits
    )
