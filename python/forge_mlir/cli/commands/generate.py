"""The command that generates tokens with a compiled language model."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from forge_mlir.cli.arguments import Flag, Inputs, Module
from forge_mlir.cli.flags import command
from forge_mlir.cli.output.ui import Ui
from forge_mlir.compiler.option_types.values import limits_of
from forge_mlir.compiler.options import Options

if TYPE_CHECKING:
    from forge_mlir.cli.tokenizer import Words
    from forge_mlir.verify.tokens.generation import Comparison

_SAMPLING = "Choice of tokens"


@command("limits")
def generate(
    module: Module,
    ids: Annotated[
        str | None,
        Flag(metavar="1,2,3", help="give the prompt as numbers of tokens; prompts of a batch are separated by ;"),
    ] = None,
    prompt: Annotated[str | None, Flag(metavar="'WORDS'", help="give the prompt as text; needs --tokenizer")] = None,
    tokenizer: Annotated[
        Path | None, Flag(metavar="DIR", help="read tokenizer.json in this directory; DIR may also be this file itself")
    ] = None,
    tokens: Annotated[int, Flag(metavar="COUNT", help="generate at most this many tokens", minimum=1)] = 64,
    end_token: Annotated[
        list[int] | None,
        Flag(
            metavar="ID",
            help="end when every text of the batch has this token; by default the eos_token_id of "
            "generation_config.json or config.json in the directory of --tokenizer; may be repeated",
            minimum=0,
        ),
    ] = None,
    ignore_eos: Annotated[
        bool,
        Flag("--ignore-eos", help="do not end at the default of --end-token", brief=False, needs="--tokenizer"),
    ] = False,
    greedy: Annotated[
        bool, Flag("--greedy", help="take the most probable token; this is the default", title=_SAMPLING, brief=False)
    ] = False,
    temperature: Annotated[
        float,
        Flag(
            metavar="FACTOR",
            help="sample tokens at this temperature; 0: take the most probable token",
            minimum=0,
            title=_SAMPLING,
        ),
    ] = 0,
    top_k: Annotated[
        int,
        Flag(
            metavar="COUNT",
            help="sample from the COUNT most probable tokens; 0: from all",
            minimum=0,
            title=_SAMPLING,
            brief=False,
            needs="--temperature",
        ),
    ] = 0,
    top_p: Annotated[
        float,
        Flag(
            metavar="SHARE",
            help="sample from the most probable tokens; from the fewest that together have this probability",
            minimum=0,
            title=_SAMPLING,
            brief=False,
            needs="--temperature",
        ),
    ] = 1.0,
    seed: Annotated[
        int | None,
        Flag(
            metavar="SEED",
            help="set the seed of sampling; by default, each run has another seed",
            minimum=0,
            title=_SAMPLING,
            brief=False,
            needs="--temperature",
        ),
    ] = None,
    compare: Annotated[
        Path | None,
        Flag(metavar="MODEL", help="compare the logits of each step with onnxruntime; MODEL is the ONNX model"),
    ] = None,
    inputs: Inputs = None,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Generate tokens with a model compiled with --generate."""
    from forge_mlir.cli.tokenizer import Words, eos_tokens, printable
    from forge_mlir.execute.generation import generate as generate_tokens
    from forge_mlir.execute.values.array_files import load_arrays

    if greedy and temperature:
        raise click.BadParameter("--greedy and --temperature exclude each other")
    if ignore_eos and end_token:
        raise click.BadParameter("--ignore-eos and --end-token exclude each other")
    if compare is not None:
        # Before the first token is printed.
        from forge_mlir.verify.tokens.generation import require_model

        require_model(module, compare, limits_of(options))
    words = Words(tokenizer) if tokenizer is not None else None
    rows = _prompt(ids, prompt, words)
    ends = end_token or ([] if tokenizer is None or ignore_eos else eos_tokens(tokenizer))
    made: list[list[int]] = []
    times = [time.perf_counter()]
    interrupted = False
    others = load_arrays(inputs or ())
    stream = generate_tokens(
        module,
        rows,
        tokens=tokens,
        temperature=temperature,
        top_k=top_k,
        top_p=top_p,
        seed=seed,
        end_tokens=ends,
        inputs=others,
    )
    try:
        for chosen in stream:
            made.append([int(each) for each in chosen])
            times.append(time.perf_counter())
            if not ui.as_json:
                click.echo(
                    words.next(made) if words is not None else ("," if len(made) > 1 else "") + _shown(made[-1]),
                    nl=False,
                )
    except KeyboardInterrupt:
        interrupted = True
    speed = _speed(times)
    texts = words.texts(made) if words is not None else []
    if not ui.as_json:
        click.echo("".join(f"\n{printable(text)}" for text in texts[1:]))
    ui.note(_speed_line(times, speed) + _end(made, tokens, ends, interrupted))
    strange = words.strange(made) if words is not None else []
    if strange:
        such = f"{len(strange)} of them are no words of the tokenizer, such as {strange[0]}"
        ui.note(f"{such}: it may be that of another model")
    facts: dict[str, Any] = {
        "tokens": made,
        "text": texts[0] if texts else None,
        "texts": texts,
        "tokens_per_second": None if speed is None else round(speed, 3),
        "interrupted": interrupted,
        "strange": strange,
    }
    failure = None
    if compare is not None:
        from forge_mlir.verify.tokens.generation import compare_steps

        found = compare_steps(module, compare, rows, made, limits_of(options), others)
        _tell(found, ui)
        facts["comparison"] = found.json()
        failure = found.failure()
    ui.answer(facts, failure)


def _tell(found: Comparison, ui: Ui) -> None:
    for line in found.lines():
        ui.say(line)


def _end(made: list[list[int]], tokens: int, ends: list[int], interrupted: bool) -> str:
    """Why generation ended, if it did not because `tokens` tokens were generated."""
    if interrupted:
        return ", interrupted"
    if len(made) >= tokens:
        return ""
    ended = made and all(token in ends for token in made[-1])
    return ", and the text has ended" if ended else ", and the caches are full"


def _speed(times: list[float]) -> float | None:
    """Tokens per second after the first token; None for fewer than two. `times` are the start and the time of each
    token."""
    return (len(times) - 2) / max(times[-1] - times[1], 1e-9) if len(times) > 2 else None


def _speed_line(times: list[float], speed: float | None) -> str:
    line = f"{len(times) - 1} tokens"
    if len(times) > 1:
        line += f", the first after {times[1] - times[0]:.2f} s with loading"
    return line if speed is None else f"{line}, then {speed:.1f} a second"


def _shown(row: list[int]) -> str:
    return ";".join(map(str, row))


def _prompt(ids: str | None, prompt: str | None, words: Words | None) -> list[list[int]]:
    """The rows of the prompt. Raises BadParameter unless it is given exactly once, as ids or as text."""
    if (ids is None) == (prompt is None):
        raise click.BadParameter("give the prompt as --ids, or as --prompt with --tokenizer")
    if prompt is not None:
        if words is None:
            raise click.BadParameter("--prompt needs --tokenizer")
        return [words.encode(prompt)]
    assert ids is not None
    from forge_mlir.errors import quote

    texts = [row.split(",") for row in ids.split(";")]
    # Up to 18 digits are an int64. int() alone would read 1_0 as 10.
    if not all(re.fullmatch(r"\s*[+-]?[0-9]{1,18}\s*", each) for row in texts for each in row):
        raise click.BadParameter(f"expected numbers as 1,2,3, but got {quote(ids)}", param_hint="--ids")
    rows = [[int(each) for each in row] for row in texts]
    if len({len(row) for row in rows}) != 1:
        raise click.BadParameter("the rows of a batch have one length", param_hint="--ids")
    return rows
