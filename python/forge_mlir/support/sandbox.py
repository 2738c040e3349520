"""Runs third-party native code in a child process with limits of time and memory.

onnx's checker and shape inference and onnxruntime may crash, hang or exhaust memory on a malicious model. A forked
child costs milliseconds, needs no serialised arguments, and cannot take the parent down.
"""

from __future__ import annotations

import errno
import faulthandler
import gc
import math
import os
import pickle
import resource
import select
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple, NoReturn, TypeVar

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError

TIME_LIMIT = 300.0
"""The default time limit of one run, in seconds."""
MEMORY_LIMIT = 8 << 30
"""The default memory limit of one run in addition to this process, in bytes."""

T = TypeVar("T")


class Limits(NamedTuple):
    """Limits of one run in a child: `seconds`, and `memory` in bytes; 0 means unlimited."""

    seconds: float = TIME_LIMIT
    memory: int = MEMORY_LIMIT


def isolated(what: str, work: Callable[[], T], limits: Limits) -> T:
    """The result of `work()`, which must be picklable, from a child process; exceptions are raised here.

    Raises ForgeError if the child dies or exceeds a limit; `what` names the code in the message. Output of the child is
    discarded.
    """
    with isolating(what, work, limits) as result:
        return result()


@contextmanager
def isolating(
    what: str, work: Callable[[], T], limits: Limits, load: Callable[[], object] | None = None
) -> Iterator[Callable[[], T]]:
    """`isolated`, with the child running concurrently with the block, which gets a function that waits for the result.

    The child first calls `load`, without the memory limit, which imports the code that only it needs. A child whose
    result was not requested is killed at the end of the block.
    """
    with os.fdopen(os.memfd_create("result"), "w+b") as result:
        child = os.fork()
        if not child:
            _serve(load, work, limits, result)
        running = _Child(child, time.monotonic() + limits.seconds if limits.seconds else None)

        def answer() -> T:
            status = running.wait()
            result.seek(0)
            value: T = _answer(what, status, result.read(), limits)
            return value

        try:
            yield answer
        finally:
            running.stop()


def _answer(what: str, status: int | None, data: bytes, limits: Limits) -> Any:
    """Interprets `data` of a child that ended with `status`; a status of None means that it had to be killed."""
    if status is None:
        raise ForgeError(Code.TimeLimit, f"{what} took more than {limits.seconds:g} s on it (--time-limit)")
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        raise ForgeError(Code.ChildCrashed, f"{what} crashed on it ({name}){_more_memory(limits)}")
    try:
        value, error = pickle.loads(data)  # written by our own child process
    except (EOFError, pickle.UnpicklingError) as damaged:
        raise ForgeError(
            Code.ChildCrashed,
            f"{what} ended without a result (exit code {os.waitstatus_to_exitcode(status)}){_more_memory(limits)}",
        ) from damaged
    if error is not None and is_out_of_memory(error):
        raise ForgeError(
            Code.MemoryLimit, f"{what} needs more than {limits.memory >> 20} MiB on it (--memory-limit)"
        ) from error
    if error is not None:
        raise error
    return value


_TOO_LARGE = (
    "can't allocate memory",
    "not enough memory",
    "Storage size calculation overflowed",
    "array is too big",
    "Maximum allowed dimension exceeded",
)
"""Messages of torch and numpy about values that do not fit into memory, in errors without a specific type."""


def is_out_of_memory(error: BaseException) -> bool:
    """Whether memory was exhausted: for Python, for a system call, or for a tensor of torch or numpy."""
    if isinstance(error, (RuntimeError, ValueError)):
        return any(text in str(error) for text in _TOO_LARGE)
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


def _more_memory(limits: Limits) -> str:
    """Advice for a child that died: native code rarely reports that it lacked memory."""
    return f"; it may need more memory than {limits.memory >> 20} MiB (--memory-limit)" if limits.memory else ""


def _serve(load: Callable[[], object] | None, work: Callable[[], object], limits: Limits, result: BinaryIO) -> NoReturn:
    code = 1
    gc.disable()
    try:
        if load:
            load()
        limit_this_process(limits)
        faulthandler.disable()
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):  # output of crashing native code is not a diagnostic
            os.dup2(silent, stream)
        try:
            answer: tuple[object, BaseException | None] = (work(), None)
        except Exception as error:
            answer = (None, error)
        try:
            data = pickle.dumps(answer)
        except Exception:  # an exception type of native code, which may not be picklable
            data = pickle.dumps((None, RuntimeError(f"{type(answer[1]).__name__}: {answer[1]}")))
        result.write(data)
        result.flush()
        code = 0
    finally:
        os._exit(code)  # without the exit handlers and buffers of the parent


def limit_this_process(limits: Limits) -> None:
    """Applies the limits to this process and its children: it is killed after them, or gets a MemoryError."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in (signal.SIGINT, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    if limits.seconds:  # in case the parent dies first
        signal.setitimer(signal.ITIMER_REAL, limits.seconds + 1)
    if limits.memory:
        with open("/proc/self/statm", encoding="ascii") as file:
            mapped = int(file.read().split()[0]) * resource.getpagesize()
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        wanted = mapped + limits.memory
        resource.setrlimit(resource.RLIMIT_AS, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))


@dataclass
class _Child:
    """A child process with a `deadline` of the monotonic clock (None: no deadline)."""

    pid: int
    deadline: float | None
    _over: bool = False

    def wait(self) -> int | None:
        """The exit status; None if it had to be killed at the deadline."""
        ended = False
        handle = os.pidfd_open(self.pid)
        try:
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            ended = bool(poll.poll(self._milliseconds()))
        finally:
            os.close(handle)
            status = self.stop(kill=not ended)
        return status if ended else None

    def stop(self, kill: bool = True) -> int:
        """Waits for its end, if that has not been done; returns the exit status."""
        if self._over:
            return 0
        self._over = True
        if kill:
            os.kill(self.pid, signal.SIGKILL)
        return os.waitpid(self.pid, 0)[1]

    def _milliseconds(self) -> int | None:
        return None if self.deadline is None else max(math.ceil((self.deadline - time.monotonic()) * 1000), 0)
