"""Runs foreign native code in a child process, under limits of time and memory.

onnx's checker and shape inference and onnxruntime can crash, hang or take all memory on a hostile model. A forked child
costs milliseconds, needs no arguments sent and can take nothing with it.
"""

from __future__ import annotations

import faulthandler
import gc
import math
import os
import pickle
import resource
import select
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, NoReturn, TypeVar

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError

TIME_LIMIT = 300.0
"""Seconds of one run."""
MEMORY_LIMIT = 8 << 30
"""Bytes that one run may take, beyond what this process has."""

T = TypeVar("T")


@dataclass(frozen=True)
class Limits:
    """Of one run in a child: `seconds` of time and `memory` in bytes; 0 is none."""

    seconds: float = TIME_LIMIT
    memory: int = MEMORY_LIMIT


def isolated(what: str, work: Callable[[], T], limits: Limits) -> T:
    """The result of `work()`, which must be picklable, from a child process; so are errors that it raises.

    Raises ForgeError when the child dies or a limit is reached; `what` says whose work it was. What the child prints is
    dropped.
    """
    with os.fdopen(os.memfd_create("result"), "w+b") as result:
        child = os.fork()
        if not child:
            _serve(work, limits, result)
        status = _wait(child, limits.seconds)
        result.seek(0)
        data = result.read()
    if status is None:
        raise ForgeError(Code.TimeLimit, f"{what} took more than {limits.seconds:g} s on it (--time-limit)")
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        raise ForgeError(Code.ChildCrashed, f"{what} crashed on it ({name}){_more_memory(limits)}")
    try:
        value, error = pickle.loads(data)  # our own child wrote it
    except (EOFError, pickle.UnpicklingError) as damaged:
        raise ForgeError(
            Code.ChildCrashed,
            f"{what} ended without a result (exit code {os.waitstatus_to_exitcode(status)}){_more_memory(limits)}",
        ) from damaged
    if isinstance(error, MemoryError):
        raise ForgeError(
            Code.MemoryLimit, f"{what} needs more than {limits.memory >> 20} MiB on it (--memory-limit)"
        ) from error
    if error is not None:
        raise error
    return value  # type: ignore[no-any-return]


def _more_memory(limits: Limits) -> str:
    """What may help a child that died: native code seldom says that it had too little memory."""
    return f"; it may need more memory than {limits.memory >> 20} MiB (--memory-limit)" if limits.memory else ""


def _serve(work: Callable[[], object], limits: Limits, result: BinaryIO) -> NoReturn:
    code = 1
    gc.disable()
    try:
        limit_this_process(limits)
        faulthandler.disable()
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):  # what native code says as it dies is no diagnostic
            os.dup2(silent, stream)
        try:
            answer: tuple[object, BaseException | None] = (work(), None)
        except Exception as error:
            answer = (None, error)
        try:
            data = pickle.dumps(answer)
        except Exception:  # an error of a type that native code made
            data = pickle.dumps((None, RuntimeError(f"{type(answer[1]).__name__}: {answer[1]}")))
        result.write(data)
        result.flush()
        code = 0
    finally:
        os._exit(code)  # the parent's exit handlers and buffers are not ours


def limit_this_process(limits: Limits) -> None:
    """Holds the limits for this process and what it starts: it is killed after them, or gets a MemoryError."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in (signal.SIGINT, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    if limits.seconds:  # should the parent die first
        signal.setitimer(signal.ITIMER_REAL, limits.seconds + 1)
    if limits.memory:
        with open("/proc/self/statm", encoding="ascii") as file:
            mapped = int(file.read().split()[0]) * resource.getpagesize()
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        wanted = mapped + limits.memory
        resource.setrlimit(resource.RLIMIT_AS, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))


def _wait(child: int, seconds: float) -> int | None:
    """The exit status of `child`; None when it had to be stopped after `seconds` (0: any number)."""
    ended = False
    handle = os.pidfd_open(child)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        ended = bool(poll.poll(math.ceil(seconds * 1000) if seconds else None))
    finally:
        if not ended:
            os.kill(child, signal.SIGKILL)
        os.close(handle)
        _, status = os.waitpid(child, 0)
    return status if ended else None
