"""Worker processes: each runs one case at a time under limits, and is replaced when it dies or hangs."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait

from conformance.cases import Case
from conformance.check import CRASH, TIMEOUT, Outcome, run_case
from in_process import without_children

SECONDS = {"light": 300.0}
DEFAULT_SECONDS = 60.0
_START_SECONDS = 120.0
MEMORY = 8 << 30
"""Bytes of address space that a worker may map."""

# Forked children share the loaded cases. This process must not start threads before the fork, so that only workers
# import torch.
_FORK = multiprocessing.get_context("fork")


Run = Callable[[Case], Outcome]


@dataclass
class _Worker:
    process: multiprocessing.process.BaseProcess
    pipe: Connection
    case: str = ""
    deadline: float = 0.0


def run_cases(
    cases: Mapping[str, Case], names: Sequence[str], jobs: int, run: Run = run_case
) -> Iterator[tuple[str, Outcome, float]]:
    """Runs `names` in `jobs` processes; yields (name, outcome, seconds) as the cases end."""
    waiting = list(reversed(names))
    started: dict[str, float] = {}
    workers: list[_Worker] = []
    try:
        while waiting or workers:
            while waiting and len(workers) < jobs:
                workers.append(_start(cases, workers, run))
                _give(workers[-1], cases, waiting, started)
            soonest = min(worker.deadline for worker in workers)
            ready = wait([worker.pipe for worker in workers], max(0.0, soonest - time.monotonic()))
            for worker in list(workers):
                outcome = _outcome(worker, worker.pipe in ready)
                if outcome is None:
                    continue
                yield worker.case, outcome, time.monotonic() - started[worker.case]
                alive = worker.process.is_alive() and outcome.status != TIMEOUT and not _died(outcome)
                if alive and waiting:
                    _give(worker, cases, waiting, started)
                else:
                    _stop(worker)
                    workers.remove(worker)
    finally:
        for worker in workers:
            _stop(worker)


def _start(cases: Mapping[str, Case], others: list[_Worker], run: Run) -> _Worker:
    mine, theirs = _FORK.Pipe()
    inherited = [mine, *(other.pipe for other in others)]
    process = _FORK.Process(target=_serve, args=(theirs, inherited, cases, run), daemon=True)
    process.start()
    theirs.close()
    # Importing torch takes seconds, which do not count for a case.
    if not mine.poll(_START_SECONDS):
        raise RuntimeError("a worker does not start")
    mine.recv()
    return _Worker(process, mine)


def _give(worker: _Worker, cases: Mapping[str, Case], waiting: list[str], started: dict[str, float]) -> None:
    worker.case = waiting.pop()
    started[worker.case] = time.monotonic()
    worker.deadline = started[worker.case] + SECONDS.get(cases[worker.case].kind, DEFAULT_SECONDS)
    worker.pipe.send(worker.case)


def _outcome(worker: _Worker, ready: bool) -> Outcome | None:
    """The result of the case that `worker` runs, None while it is running."""
    if ready:
        try:
            outcome: Outcome = worker.pipe.recv()
            return outcome
        except (EOFError, OSError):
            worker.process.join(10)
            code = worker.process.exitcode
            name = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
            return Outcome(CRASH, f"the process died: {name}")
    if time.monotonic() >= worker.deadline:
        return Outcome(TIMEOUT, "took too long")
    return None


def _died(outcome: Outcome) -> bool:
    return outcome.status == CRASH and outcome.reason.startswith("the process died")


def _stop(worker: _Worker) -> None:
    worker.pipe.close()
    worker.process.kill()
    worker.process.join()


def _serve(pipe: Connection, inherited: list[Connection], cases: Mapping[str, Case], run: Run) -> None:
    for other in inherited:
        other.close()
    with open(os.devnull, "w") as silent:  # What native code prints when it crashes is no result.
        os.dup2(silent.fileno(), 1)
        os.dup2(silent.fileno(), 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    import torch

    import forge_mlir.compiler.driver  # noqa: F401

    torch.set_num_threads(1)
    without_children()
    pipe.send("ready")
    while True:
        try:
            name = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            outcome = run(cases[name])
        except BaseException as error:
            outcome = Outcome(CRASH, f"{type(error).__name__}: {error}"[:160])
        pipe.send(outcome)
