"""Work in a child process while the calling block continues. Hostile work is tested in `hostile`."""

from __future__ import annotations

import mmap
import os
import time

import pytest

from forge_mlir.errors import ForgeError
from forge_mlir.support.sandbox import Limits, isolating


def test_the_child_runs_in_parallel_with_the_block() -> None:
    read, write = os.pipe()
    with isolating("it", lambda: os.read(read, 5), Limits(seconds=60)) as result:
        os.write(write, b"hello")  # The child waits for this.
        assert result() == b"hello"
    os.close(read)
    os.close(write)


def test_a_child_that_nobody_waits_for_ends_with_the_block() -> None:
    read, write = os.pipe()
    os.set_blocking(read, False)
    with pytest.raises(KeyError), isolating("it", lambda: time.sleep(600), Limits()):
        raise KeyError
    os.close(write)
    assert os.read(read, 1) == b""  # The child had the only other copy of the writing end.
    os.close(read)


def test_loaded_packages_do_not_count_for_the_limit() -> None:
    loaded: list[mmap.mmap] = []
    size = 64 << 20

    def load() -> None:
        # Not from the heap, because a process that has run for long has enough free memory in it.
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


def test_an_exception_of_the_child_is_raised_in_the_parent() -> None:
    def work() -> None:
        raise ValueError("no")

    with isolating("it", work, Limits()) as result, pytest.raises(ValueError, match="no"):
        result()
