"""One model gives one program, whatever the memory contains and whatever other threads compile."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import onnx
import pytest

import forge_mlir
from forge_mlir import Lowering, lowering
from forge_mlir.lowerings import Builder, Node, Value
from sample_models.custom_ops import DOMAIN, swish_and_halves
from sample_models.repository import stored

CASES = Path(__file__).parents[2] / "fuzz" / "cases"


@lowering(DOMAIN, "Swish")
def swish(node: Node, b: Builder) -> Value:
    x = node.input(0)
    return b.multiply(x, b.sigmoid(b.multiply(x, b.scalar_like(x, node.float_attr("beta", 1.0)))))


@lowering(DOMAIN, "SplitHalf")
def split_half(node: Node, b: Builder) -> list[Value]:
    x = node.input(0)
    return b.split(x, node.int_attr("axis"), [x.shape[-1] // 2] * 2)


OWN: list[Lowering] = [swish, split_half]


def compiled(number: int, directory: Path) -> dict[str, bytes]:
    """The files of one of three models."""
    target = directory / str(number)
    if number % 3 == 0:
        forge_mlir.compile(swish_and_halves(), target, name="m", lowerings=OWN)
    else:
        (folder,) = stored("gpt2_block" if number % 3 == 1 else "lstm")
        forge_mlir.compile(folder / "model.onnx", target, name="m")
    return {path.name: path.read_bytes() for path in target.iterdir()}


def same_from_threads(compilations: int, threads: int, directory: Path) -> None:
    expected = [compiled(number, directory / "alone") for number in range(3)]
    assert len({files["m.py"] for files in expected}) == 3
    with ThreadPoolExecutor(threads) as pool:
        found = list(pool.map(lambda number: compiled(number, directory / "together"), range(compilations)))
    assert [number for number, files in enumerate(found) if files != expected[number % 3]] == []


def test_some_from_four_threads(tmp_path: Path) -> None:
    same_from_threads(12, 4, tmp_path)
    assert len(list((tmp_path / "together").iterdir())) == 12


@pytest.mark.slow
def test_a_hundred_from_eight_threads(tmp_path: Path) -> None:
    same_from_threads(100, 8, tmp_path)
    assert len(list((tmp_path / "together").iterdir())) == 100


def test_a_compilation_repeated_gives_the_same_bytes(tmp_path: Path) -> None:
    """Facts about erased values are not applied to new values at the same address."""
    model = onnx.load(CASES / "graphs-ranges-of-erased-values.onnx")
    found = set()
    for _ in range(60):
        artifact = forge_mlir.compile(model, tmp_path, name="m")
        found.add((artifact.module_path.read_bytes(), artifact.weights_path.read_bytes()))
    assert len(found) == 1
