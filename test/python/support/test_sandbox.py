"""Work in a child process while the calling block continues. Hostile work is tested in `hostile`."""

from __future__ import annotations

import math
import mmap
import os
import signal
import time

import pytest

from forge_mlir.compiler.option_types.values import limits_of
from forge_mlir.errors import ForgeError
from forge_mlir.support.sandbox import ChildFailed, Helper, Limits, isolating


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


def test_a_child_does_not_exceed_its_time_while_the_parent_does_something_else() -> None:
    with isolating("it", lambda: time.sleep(0.5), Limits(seconds=0.1)) as result:
        time.sleep(1)
        with pytest.raises(ChildFailed, match="it took more than"):
            result()


@pytest.mark.parametrize("seconds", [3e6, 1e30, math.inf])
def test_a_time_that_never_passes(seconds: float) -> None:
    limits = limits_of({"time_limit": seconds})
    with isolating("it", os.getppid, limits) as result, Helper(served, limits) as helper:
        assert result() == os.getpid()
        assert helper.ask("it", "pid") != os.getpid()


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


def served(request: str | bytes) -> object:
    """What a helper of these tests answers."""
    match request:
        case "pid":
            return os.getpid()
        case "stop":
            os.abort()
        case "wait":
            time.sleep(600)
        case "grow":
            return bytes(1 << 33)
        case "unpicklable":
            return (each for each in ())
        case str():
            raise KeyError(request)
    return request


def test_one_child_answers_many_requests() -> None:
    large = os.urandom(1 << 25)
    with Helper(served, Limits()) as helper:
        pid = helper.ask("it", "pid")
        assert pid != os.getpid()
        for request in (large, b"", large[:100]):
            assert helper.ask("it", request) == request
        with pytest.raises(KeyError, match="unknown"):
            helper.ask("it", "unknown")
        with pytest.raises(RuntimeError, match="pickle"):
            helper.ask("it", "unpicklable")
        assert helper.ask("it", "pid") == pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize(("request_", "word"), [("stop", "SIGABRT"), ("wait", "time-limit"), ("grow", "memory-limit")])
def test_after_a_failure_another_child_answers(request_: str, word: str) -> None:
    with Helper(served, Limits(0.5, 1 << 30)) as helper:
        pid = helper.ask("it", "pid")
        with pytest.raises(ChildFailed, match=word):
            helper.ask("it", request_)
        assert helper.ask("it", "pid") != pid


def test_the_time_is_that_of_one_request() -> None:
    with Helper(served, Limits(seconds=0.5)) as helper:
        pid = helper.ask("it", "pid")
        time.sleep(2)
        assert helper.ask("it", "pid") == pid


def test_a_child_whose_parent_is_killed_ends() -> None:
    read, write = os.pipe()
    parent = os.fork()
    if not parent:
        with Helper(served, Limits()) as helper:
            helper.ask("it", "pid")
            os.kill(os.getpid(), signal.SIGKILL)
    os.close(write)
    os.waitpid(parent, 0)
    assert os.read(read, 1) == b""  # The child had the last copy of the writing end.
    os.close(read)
