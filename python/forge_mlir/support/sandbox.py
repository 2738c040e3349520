"""Runs third-party native code in a child process with limits of time and memory.

onnx's checker and shape inference and onnxruntime may crash, hang or exhaust memory on a malicious model. A forked
child costs milliseconds, needs no serialised arguments, and cannot take the parent down. A `Helper` is a child that
answers many short requests.
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
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn, Self, TypeVar

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError

TIME_LIMIT = 300.0
"""The default time limit of one run, in seconds."""
LONGEST = 1e6
"""The longest time limit, 11 days: poll() takes 2^31 milliseconds, and timers take no infinity."""
MEMORY_LIMIT = 8 << 30
"""The default memory limit of one run in addition to this process, in bytes."""

T = TypeVar("T")


class ChildFailed(ForgeError):
    """A child process crashed or exceeded a limit."""

    def about(self, label: str) -> ChildFailed:
        """The same error, with the name of a model or a node."""
        return ChildFailed(self.code, f"{label}: {self.message}") if label else self


class Limits(NamedTuple):
    """Limits of one run in a child: `seconds`, and `memory` in bytes; 0 means unlimited."""

    seconds: float = TIME_LIMIT
    memory: int = MEMORY_LIMIT


def isolated(what: str, work: Callable[[], T], limits: Limits, about: str = "") -> T:
    """The result of `work()`, which must be picklable, from a child process; exceptions are raised here.

    Raises ChildFailed if the child dies or exceeds a limit; `what` names the code in the message, and `about` the
    model. Output of the child is discarded.
    """
    with isolating(what, work, limits) as result:
        try:
            return result()
        except ChildFailed as error:
            raise error.about(about) from error.__cause__


@contextmanager
def isolating(
    what: str, work: Callable[[], T], limits: Limits, load: Callable[[], object] | None = None
) -> Iterator[Callable[[], T]]:
    """`isolated`, with the child running concurrently with the block, which gets a function that waits for the result.

    The child first calls `load`, without the memory limit, which imports the code that only it needs. A child whose
    result was not requested is killed at the end of the block.
    """
    with _memory("result") as result:
        child = os.fork()
        if not child:
            _serve(load, work, limits, result)
        running = _Child(child, time.monotonic() + limits.seconds if limits.seconds else None)

        def answer() -> T:
            value, error = _answer(what, running.wait(), result, limits)
            if error is not None:
                raise error
            found: T = value
            return found

        try:
            yield answer
        finally:
            running.stop()


class Helper:
    """A child process that answers requests, with `answer`; requests and results must be picklable.

    The limit of time is for each request, the limit of memory for all together. The child is forked for the first
    request, and again for the one after a failure.
    """

    def __init__(self, answer: Callable[[Any], Any], limits: Limits) -> None:
        self._work = answer
        self._limits = limits
        self._child: tuple[_Child, socket.socket] | None = None

    def __enter__(self) -> Self:
        self._files = ExitStack()
        self._request, self._result = (self._files.enter_context(_memory(name)) for name in ("request", "result"))
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._files.close()

    def ask(self, what: str, request: object) -> Any:
        """The answer; errors are as for `isolated`."""
        child, line = self._child = self._child or self._begin()
        try:
            _write(self._request, request)
            status = self._ended(child, line)
            value, error = _answer(what, status, self._result, self._limits)
        except BaseException:  # Even if it is interrupted: the child would answer this request instead of the next one.
            self._stop()
            raise
        if error is not None:
            raise error
        return value

    def _begin(self) -> tuple[_Child, socket.socket]:
        ours, theirs = socket.socketpair()
        child = os.fork()
        if not child:
            ours.close()
            _attend(self._work, self._limits, theirs, (self._request, self._result))
        theirs.close()
        return _Child(child, None), ours

    def _ended(self, child: _Child, line: socket.socket) -> int | None:
        """Waits for an answer: 0, the exit status of a child that ended instead, or None after the limit of time."""
        with suppress(ConnectionError):  # It has ended.
            line.send(b" ")
            line.settimeout(self._limits.seconds or None)
            try:
                if line.recv(1):
                    return 0
            except TimeoutError:
                child.stop()
                return None
        os.ftruncate(self._result, 0)  # This was the answer to another request.
        return child.stop(kill=False)

    def _stop(self) -> None:
        if self._child is not None:
            child, line = self._child
            self._child = None
            line.close()
            child.stop()


@contextmanager
def _memory(name: str) -> Iterator[int]:
    """A file in memory, which a child shares."""
    file = os.memfd_create(name)
    try:
        yield file
    finally:
        os.close(file)


_RETAINED = 1 << 24
"""Files in memory that are larger are emptied when they have been read, in bytes."""


def _write(file: int, value: object) -> None:
    os.lseek(file, 0, os.SEEK_SET)
    with open(file, "wb", closefd=False) as stream:
        pickle.dump(value, stream, protocol=5)  # which copies the elements of arrays only once


def _read(file: int) -> Any:
    os.lseek(file, 0, os.SEEK_SET)
    with open(file, "rb", closefd=False) as stream:
        value = pickle.load(stream)  # written by our own process
    if os.fstat(file).st_size > _RETAINED:
        os.ftruncate(file, 0)
    return value


def _answer(what: str, status: int | None, result: int, limits: Limits) -> tuple[Any, BaseException | None]:
    """The value or error in the file of a child that ended with `status`, or 0 if it goes on; None means that it had to
    be killed. Raises ChildFailed."""
    if status is None or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM):
        raise ChildFailed(Code.TimeLimit, f"{what} took more than {limits.seconds:g} s on it (--time-limit)")
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        raise ChildFailed(Code.ChildCrashed, f"{what} crashed on it ({name}){_more_memory(limits)}")
    try:
        value, error = _read(result)
    except (EOFError, pickle.UnpicklingError) as damaged:
        raise ChildFailed(
            Code.ChildCrashed,
            f"{what} ended without a result (exit code {os.waitstatus_to_exitcode(status)}){_more_memory(limits)}",
        ) from damaged
    if error is not None and is_out_of_memory(error):
        raise ChildFailed(
            Code.MemoryLimit, f"{what} needs more than {limits.memory >> 20} MiB on it (--memory-limit)"
        ) from error
    return value, error


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


def _serve(load: Callable[[], object] | None, work: Callable[[], object], limits: Limits, result: int) -> NoReturn:
    code = 1
    gc.disable()
    try:
        if load:
            load()
        _confine(limits)
        _perform(work, result)
        code = 0
    finally:
        os._exit(code)  # without the exit handlers and buffers of the parent


def _attend(answer: Callable[[Any], object], limits: Limits, line: socket.socket, files: tuple[int, int]) -> NoReturn:
    """Answers until the other end of `line` is closed."""
    code = 1
    gc.freeze()
    request, result = files
    try:
        _confine(limits._replace(seconds=0))
        while line.recv(1):
            _end_after(limits.seconds)
            _perform(lambda: answer(_read(request)), result)
            _end_after(0)
            line.send(b" ")
        code = 0
    finally:
        os._exit(code)


def _perform(work: Callable[[], object], result: int) -> None:
    """Writes the value or error of `work`."""
    try:
        answer: tuple[object, BaseException | None] = (work(), None)
    except Exception as error:
        answer = (None, error)
    try:
        _write(result, answer)
    except Exception as failure:  # an exception type of native code, which may not be picklable
        cause = answer[1] or failure
        _write(result, (None, RuntimeError(f"{type(cause).__name__}: {cause}")))


def _confine(limits: Limits) -> None:
    """Limits this process, whose output is discarded: that of crashing native code is not a diagnostic."""
    limit_this_process(limits)
    faulthandler.disable()
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(silent, stream)


def _end_after(seconds: float) -> None:
    """Ends this process after the time, also while its parent does something else or has ended; 0: not at all."""
    signal.setitimer(signal.ITIMER_REAL, seconds)


def limit_this_process(limits: Limits) -> None:
    """Applies the limits to this process and its children: it is killed after them, or gets a MemoryError."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in (signal.SIGINT, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    _end_after(limits.seconds)
    if limits.memory:
        with open("/proc/self/statm", encoding="ascii") as file:
            mapped = int(file.read().split()[0]) * resource.getpagesize()
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        wanted = min(mapped + limits.memory, sys.maxsize if most == resource.RLIM_INFINITY else most)
        resource.setrlimit(resource.RLIMIT_AS, (wanted, most))


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
