"""Work in a child process beside the block that asks for it. What hostile work does to it is in `hostile`."""

from __future__ import annotations

import mmap
import os
import time

import pytest

from forge_mlir.errors import ForgeError
from forge_mlir.support.sandbox import Limits, isolating


def test_the_child_works_while_the_block_goes_on() -> None:
    read, write = os.pipe()
    with isolating("it", lambda: os.read(read, 5), Limits(seconds=60)) as result:
        os.write(write, b"hello")  # The child waits for it.
        assert result() == b"hello"
    os.close(read)
    os.close(write)


def test_a_child_that_nobody_waits_for_ends_with_the_block() -> None:
    read, write = os.pipe()
    os.set_blocking(read, False)
    with pytest.raises(KeyError), isolating("it", lambda: time.sleep(600), Limits()):
        raise KeyError
    os.close(write)
    assert os.read(read, 1) == b""  # The child had the other copy of the writing end.
    os.close(read)


def test_what_is_loaded_takes_none_of_the_memory() -> None:
    loaded: list[mmap.mmap] = []
    size = 64 << 20

    def load() -> None:
        # Not from the heap, of which a process that ran long has enough that is free.
        loaded.append(mmap.mmap(-1, size))

    def work() -> int:
        return len(loaded[0])

    with isolating("it", work, Limits(memory=16 << 20), load) as result:
        assert result() == size
    with (
        isolating("it", lambda: load() or work(), Limits(memory=16 << 20)) as result,
        pytest.raises(ForgeError, match="needs more than 16 MiB"),
    ):
        result()


def test_what_the_child_raises_is_raised_here() -> None:
    def work() -> None:
        raise ValueError("no")

    with isolating("it", work, Limits()) as result, pytest.raises(ValueError, match="no"):
        result()
