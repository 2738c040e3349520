"""The loop that generates tokens from programs and caches. It needs neither the compiler nor ONNX.

On a device, a `Step` calls the result of forge.compile for a module of the artifact, whose caches
CompilerConfig.loopback_outputs keeps on the device. On the CPU reference it calls the module.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Step = Callable[[Array, Array, list[Array]], tuple[Array, list[Array]]]
"""(ids [batch, tokens], length int32 [batch], caches) -> (logits [batch, 1, words], caches)."""
Choice = Callable[[Array], Array]
"""Logits [batch, words] -> tokens [batch]."""


@dataclass
class TokenLoop:
    """Generates tokens over caches of `max_length` positions, which start as `caches`.

    `prefills` are the prompt programs by the number of tokens that each takes. `decode` is the program for one token;
    it is None for a model without caches, which processes its whole sequence for each token. `states` are the indices
    of caches of fixed size that are replaced as a whole and reset for a prompt. `read` are the tokens so far, [batch,
    count]. Tokens are integers in [0, words).
    """

    prefills: Mapping[int, Step]
    decode: Step | None
    caches: list[Array]
    max_length: int
    words: int
    batch: int = 1
    states: Mapping[int, Array] = field(default_factory=dict)
    read: Array = field(default_factory=lambda: np.zeros((1, 0), np.int64))

    def prompt(self, ids: Array) -> Array:
        """Starts a sequence; returns the logits [batch, words] after the prompt [batch, tokens]. Raises, before
        anything runs, ValueError for a prompt that is empty, does not fit or has another batch size, and IndexError for
        an invalid token."""
        if ids.ndim != 2 or ids.shape[0] != self.batch or ids.shape[1] < 1:
            raise ValueError(f"expected a prompt of shape [{self.batch}, tokens], but got {list(ids.shape)}")
        if ids.shape[1] > self.max_length:
            raise ValueError(f"a prompt of {ids.shape[1]} tokens does not fit into {self.max_length} positions")
        self._require_words(ids)
        count = ids.shape[1]
        # The smallest program that takes the whole prompt, padded on the right; otherwise the largest, and single
        # steps.
        tokens = min((size for size in self.prefills if size >= count), default=max(self.prefills, default=0))
        first = min(count, tokens)
        self.read = ids[:, :0]
        self.caches = [
            deepcopy(self.states[at]) if at in self.states else cache for at, cache in enumerate(self.caches)
        ]
        if first:
            logits = self._prefill(tokens, ids[:, :first])
        for at in range(first, count):
            logits = self.step(ids[:, at])
        return logits

    def step(self, tokens: Array) -> Array:
        """The logits [batch, words] after one more token per row. IndexError beyond the last position and for an
        invalid token."""
        position = self.read.shape[1]
        if position >= self.max_length:
            raise IndexError(f"position {position} is beyond the {self.max_length} of the caches")
        row = np.asarray(tokens).reshape(self.batch, 1)
        self._require_words(row)
        if self.decode is None:
            return self._prefill(max(self.prefills), np.concatenate([self.read, row], 1))
        length = np.full(self.batch, position, np.int32)
        logits, self.caches = self.decode(row, length, self.caches)
        self.read = np.concatenate([self.read, row], 1)
        return logits[:, -1]

    def generate(self, ids: Array, tokens: int, choose: Choice, end_tokens: Collection[int] = ()) -> Iterator[Array]:
        """Yields up to `tokens` tokens [batch] after a prompt; fewer if the positions are exhausted, or if every row
        has generated one of `end_tokens`. A row repeats its end token until all rows have one. Raises as `prompt`, and
        IndexError for an invalid end token."""
        ends = np.array(sorted(end_tokens))
        if ends.size:
            self._require_words(ends)
        logits = self.prompt(ids)
        last, ended = np.zeros(self.batch, np.int64), np.zeros(self.batch, np.bool_)
        for made in range(tokens):
            last = np.where(ended, last, choose(logits))
            ended |= np.isin(last, ends)
            chosen = last.copy()
            yield chosen
            if made + 1 == tokens or ended.all() or self.read.shape[1] >= self.max_length:
                return
            logits = self.step(chosen)

    def _require_words(self, ids: Array) -> None:
        for found in (int(ids.min()), int(ids.max())):
            if not 0 <= found < self.words:
                raise IndexError(f"token {found} is none of the {self.words} words, 0 to {self.words - 1}")

    def _prefill(self, tokens: int, ids: Array) -> Array:
        count = ids.shape[1]
        # A token of the prompt, because the model may compute NaN for others, such as one whose embedding is 0.
        padded = np.pad(ids, ((0, 0), (0, tokens - count)), mode="edge")
        logits, self.caches = self.prefills[tokens](padded, np.full(self.batch, count, np.int32), self.caches)
        self.read = ids
        return logits[:, -1] if logits.shape[1] == 1 else logits[:, count - 1]


def greedy(logits: Array) -> Array:
    """The most probable token of each row; the first one of equal ones."""
    return np.asarray(np.argmax(logits, axis=-1))


def sampler(temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0, seed: int | None = None) -> Choice:
    """A choice that samples tokens at `temperature` from the `top_k` most probable (0: all) whose cumulative
    probability is within `top_p`. ValueError for values out of range; the choice raises it for logits without a finite
    largest one."""
    if not 0 < temperature < np.inf or top_k < 0 or not 0 < top_p <= 1:
        raise ValueError(
            "expected a temperature above 0, top_k of at least 0 and top_p in (0, 1], "
            f"but got {temperature}, {top_k} and {top_p}"
        )
    random = np.random.default_rng(seed)

    def choose(logits: Array) -> Array:
        return np.array([_drawn(row.astype(np.float64)) for row in logits])

    def _drawn(row: Array) -> int:
        order = np.argsort(-row, kind="stable")[: top_k or None]
        largest = row.max()
        if not np.isfinite(largest):
            raise ValueError(f"no token can be drawn: the largest logit is {largest}")
        # The difference is divided, because a logit over a small temperature may be infinite.
        with np.errstate(over="ignore"):
            weights = np.exp((row[order] - largest) / temperature)
        weights /= weights.sum()
        kept = int(np.searchsorted(np.cumsum(weights), top_p)) + 1
        weights = weights[:kept] / weights[:kept].sum()
        return int(random.choice(order[:kept], p=weights))

    return choose


def prompt_of(ids: Sequence[int] | Sequence[Sequence[int]] | Array, batch: int) -> Array:
    """A prompt as [batch, tokens]; a single sequence is used for each row. ValueError for an empty prompt, rows of
    different lengths, and values that are not integers."""
    if not len(ids) or not np.asarray(ids[0]).size:
        raise ValueError("the prompt is empty: at least one token is needed")
    if len({np.asarray(row).size for row in ids}) > 1:
        raise ValueError("the rows of a prompt have different lengths: a batch has one")
    rows = np.atleast_2d(np.asarray(ids))
    if rows.dtype.kind not in "iu":
        raise ValueError(f"the ids of a prompt are integers of 64 bits, but got {rows.dtype}")
    return np.repeat(rows, batch, axis=0) if rows.shape[0] == 1 else rows
