"""Breaks MLIR modules: their text, token by token, and their bytecode."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

LIT = Path(__file__).resolve().parents[2]
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[%@#!^]?[\w.$-]+|\s+|.', re.DOTALL)
_NUMBERS = ("0", "1", "-1", "2", "32", "65536", "2147483648", "9223372036854775807", "-9223372036854775808", "?")
_SIZES = re.compile(r"(?<=[\[<x,])\d+(?=[\]x,>])")
PASSES = (
    "onnx-to-forge-pipeline",
    "convert-onnx-to-forge",
    "func.func(forge-assign-devices),forge-partition,onnx-to-forge-pipeline",
    "forge-partition",
    "func.func(forge-fuse-patterns)",
    "func.func(forge-lower-split),func.func(forge-lower-strided-slice)",
    "func.func(forge-legalize-types),canonicalize,cse",
    "func.func(forge-isolate-outputs),forge-verify-emittable",
    "canonicalize",
)


@cache
def corpus() -> list[str]:
    """The modules of all lit files, without the lines for FileCheck and lit."""
    modules = []
    for path in sorted(LIT.rglob("*.mlir")):
        for part in re.split(r"^// -----.*$", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
            text = "\n".join(line for line in part.splitlines() if not line.lstrip().startswith("//"))
            if "func.func" in text:
                modules.append(text)
    return modules


def mutate(r: Random) -> str:
    """A module of the corpus with one to six changes."""
    text = r.choice(corpus())
    for _ in range(r.randint(1, 6)):
        text = _change(r, text)
    return text


def _change(r: Random, text: str) -> str:
    lines = text.splitlines()
    tokens = _TOKEN.findall(text)
    if not tokens:
        return text
    at = r.randrange(len(tokens))
    match r.randrange(8):
        case 0:
            sizes = list(_SIZES.finditer(text))
            if sizes:
                found = r.choice(sizes)
                return text[: found.start()] + r.choice(_NUMBERS) + text[found.end() :]
        case 1:
            tokens[at] = r.choice(tokens)
        case 2:
            del tokens[at]
        case 3:
            tokens.insert(at, r.choice(tokens))
        case 4:
            line = r.randrange(len(lines))
            lines.insert(r.randrange(len(lines) + 1), lines[line])
            return "\n".join(lines)
        case 5:
            del lines[r.randrange(len(lines))]
            return "\n".join(lines)
        case 6:
            numbers = [i for i, token in enumerate(tokens) if token.lstrip("-").isdigit()]
            if numbers:
                tokens[r.choice(numbers)] = r.choice(_NUMBERS)
        case _:
            other = _TOKEN.findall(r.choice(corpus()))
            start = r.randrange(len(other))
            tokens[at : at + r.randint(0, 4)] = other[start : start + r.randint(1, 12)]
    return "".join(tokens)


def mutate_bytes(r: Random, data: bytes) -> bytes:
    """Bytecode with a few bytes changed."""
    raw = bytearray(data)
    for _ in range(r.randint(1, 4)):
        if raw:
            raw[r.randrange(len(raw))] = r.randrange(256)
    if r.random() < 0.1:
        del raw[r.randrange(len(raw) + 1) :]
    return bytes(raw)
