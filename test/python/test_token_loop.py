"""The token loop alone: with programs that count, and in an environment with numpy only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import forge_mlir
from forge_mlir.token_loop import Array, TokenLoop, greedy, prompt_of, sampler

WORDS = 10

# A model whose next token is the last one plus one; its only cache has the tokens so far.
_SCRIPT = """
import sys
import numpy as np
from forge_mlir.token_loop import TokenLoop, greedy, prompt_of

def decode(ids, length, caches):
    caches[0][np.arange(len(ids)), length] = ids[:, 0]
    return np.eye(10)[(ids + 1) % 10], caches

loop = TokenLoop({}, decode, [np.zeros((1, 8), np.int64)], 8, 10)
print([int(row[0]) for row in loop.generate(prompt_of([3, 4], 1), 5, greedy)], loop.caches[0].tolist())
print(sorted(name for name in ("torch", "onnx", "onnxruntime", "click", "safetensors") if name in sys.modules))
"""


class Counting:
    """Programs for prompts of 4 and for a single token; records which were called with how many tokens."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int]] = []

    def prefill(self, ids: Array, length: Array, caches: list[Array]) -> tuple[Array, list[Array]]:
        self.calls.append(("prefill", int(length[0])))
        return np.eye(WORDS)[(ids[:, length[0] - 1 : length[0]] + 1) % WORDS], caches

    def decode(self, ids: Array, length: Array, caches: list[Array]) -> tuple[Array, list[Array]]:
        self.calls.append(("decode", int(length[0])))
        return np.eye(WORDS)[(ids + 1) % WORDS], caches

    def loop(self, **more: Any) -> TokenLoop:
        return TokenLoop({4: self.prefill}, self.decode, [np.zeros(1)], 8, WORDS, **more)


@pytest.mark.parametrize(
    ("ids", "reason"),
    [
        ([3, WORDS], "token 10 is none of the 10 words, 0 to 9"),
        ([3, -1], "token -1 is none of the 10 words, 0 to 9"),
        ([3, 2**40], "token 1099511627776 is none of the 10 words"),
        ([], "the prompt is empty"),
        ([[]], "the prompt is empty"),
        ([[1], [2, 3]], "have different lengths"),
        ([[1], [2]], r"expected a prompt of shape \[1, tokens\], but got \[2, 1\]"),
        ([[[1]]], "expected a prompt of shape"),
        ([1.5], "are integers of 64 bits, but got float64"),
        ([2**70], "are integers of 64 bits, but got object"),
        ([1] * 9, "a prompt of 9 tokens does not fit into 8 positions"),
    ],
)
def test_invalid_prompts_are_refused_before_anything_runs(ids: Any, reason: str) -> None:
    model = Counting()
    with pytest.raises((ValueError, IndexError), match=reason):
        model.loop().prompt(prompt_of(ids, 1))
    assert not model.calls


def test_generation_ends_after_an_end_token() -> None:
    def made(prompt: Any, batch: int, ends: tuple[int, ...]) -> list[list[int]]:
        loop = Counting().loop(batch=batch, read=np.zeros((batch, 0), np.int64))
        return [row.tolist() for row in loop.generate(prompt_of(prompt, batch), 6, greedy, ends)]

    assert made([3], 1, (5, 7)) == [[4], [5]]
    assert len(made([5], 1, (5,))) == 6, "a token of the prompt is no end"
    assert made([[3], [1]], 2, (4,)) == [[4, 2], [4, 3], [4, 4]], "rows that have ended repeat their end token"
    with pytest.raises(IndexError, match="token 10 is none of the 10 words"):
        made([3], 1, (WORDS,))


def test_a_prompt_longer_than_every_program_is_read_token_by_token() -> None:
    model = Counting()
    made = [int(row[0]) for row in model.loop().generate(prompt_of([5, 6, 7, 8, 9, 0], 1), 2, greedy)]
    assert made == [1, 2]
    assert model.calls == [("prefill", 4), ("decode", 4), ("decode", 5), ("decode", 6)]


def test_a_step_beyond_the_last_position_or_the_vocabulary() -> None:
    model = Counting()
    loop = model.loop()
    loop.prompt(prompt_of([1] * 8, 1))
    with pytest.raises(IndexError, match="position 8 is beyond the 8 of the caches"):
        loop.step(np.array([1]))
    loop.prompt(prompt_of([1], 1))
    before = list(model.calls)
    with pytest.raises(IndexError, match="token 10 is none of the 10 words"):
        loop.step(np.array([10]))
    assert model.calls == before


class Device:
    """A stub of a device that keeps values: caches are handles of its buffers, which a program overwrites. A value that
    is not a handle is written to a new buffer. The cache counts tokens by position, the state sums all of them."""

    def __init__(self) -> None:
        self.buffers: list[Array] = []

    def run(self, ids: Array, length: Array, caches: list[Any]) -> tuple[Array, list[Any]]:
        kept = [each if isinstance(each, int) else self.upload(each) for each in caches]
        cache, state = (self.buffers[at] for at in kept)
        prefills = ids.shape[1] > 1
        count, start = (int(length[0]), 0) if prefills else (1, int(length[0]))
        cache[start : start + count] = ids[0, :count]
        state += ids[0, :count].sum()
        return np.eye(WORDS)[[[int(state[0] + cache[: start + count].sum()) % WORDS]]], kept

    def upload(self, value: Array) -> int:
        # Like asarray, the stub uses the memory of the host directly if it can.
        self.buffers.append(np.asarray(value))
        return len(self.buffers) - 1


@pytest.mark.parametrize("prefills", [True, False])
def test_each_prompt_starts_from_the_states_on_a_device_that_keeps_them(prefills: bool) -> None:
    def loop() -> TokenLoop:
        device, state = Device(), np.zeros(1)
        programs = {4: device.run} if prefills else {}
        return TokenLoop(programs, device.run, [np.full(8, 99.0), state], 8, WORDS, states={1: state})

    def tokens(loop: TokenLoop, ids: list[int]) -> list[int]:
        return [int(row[0]) for row in loop.generate(prompt_of(ids, 1), 4, greedy)]

    prompts = [[1, 2, 3], [4, 5, 6], [1, 2, 3], [7]]
    one = loop()
    again = [tokens(one, ids) for ids in prompts]
    assert again == [tokens(loop(), ids) for ids in prompts]
    assert len({str(each) for each in again}) > 1
    assert not one.states[1].any()


@pytest.mark.parametrize(
    "options",
    [
        {"temperature": -1.0},
        {"temperature": 0.0},
        {"temperature": float("nan")},
        {"temperature": float("inf")},
        {"top_k": -1},
        {"top_p": 0.0},
        {"top_p": 1.5},
        {"top_p": float("nan")},
    ],
)
def test_a_sample_that_is_out_of_range(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"expected a temperature above 0.*but got"):
        sampler(**options)


def test_it_needs_numpy_alone(tmp_path: Path) -> None:
    """In an interpreter that finds only numpy and this package."""
    numpy = Path(np.__file__).parent
    for folder in (numpy, numpy.with_name("numpy.libs"), Path(forge_mlir.__file__).parent):
        if folder.exists():
            (tmp_path / folder.name).symlink_to(folder)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{_SCRIPT}"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["[5, 6, 7, 8, 9] [[3, 4, 5, 6, 7, 8, 0, 0]]", "[]"]


@pytest.mark.parametrize("temperature", [1e-308, 5e-324])
def test_a_very_low_temperature_is_greedy(temperature: float) -> None:
    """A logit over such a temperature is infinite."""
    logits = np.array([[1.0, 3.0, -np.inf], [-2.0, -9.0, -4.0]], np.float32)
    assert sampler(temperature, seed=0)(logits).tolist() == [1, 0]


@pytest.mark.parametrize("number", ["inf", "nan", "-inf"])
def test_logits_without_a_largest_number(number: str) -> None:
    row = [-np.inf, -np.inf] if number == "-inf" else [float(number), 1.0]
    with pytest.raises(ValueError, match=f"no token can be drawn: the largest logit is {number}"):
        sampler(seed=0)(np.array([row]))


def test_samples_follow_the_probabilities() -> None:
    logits = np.log(np.array([[0.5, 0.3, 0.15, 0.05]] * 4000))
    for options, expected in [
        ({}, [0.5, 0.3, 0.15, 0.05]),
        ({"top_k": 2}, [0.625, 0.375, 0, 0]),
        ({"top_p": 0.9}, [0.5263, 0.3158, 0.1579, 0]),
        ({"temperature": 0.5}, [0.6849, 0.2466, 0.0616, 0.0068]),
    ]:
        drawn = sampler(**options, seed=1)(logits)  # type: ignore[arg-type]
        np.testing.assert_allclose(np.bincount(drawn, minlength=4) / 4000, expected, atol=0.03)


@pytest.mark.parametrize("ids", [torch.tensor([3, 4]), torch.tensor([[3, 4]]), [torch.tensor([3, 4])]])
def test_a_prompt_of_tensors(ids: Any) -> None:
    assert prompt_of(ids, 2).tolist() == [[3, 4], [3, 4]]
