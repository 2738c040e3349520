"""Measures the models of a sweep on a Dask cluster."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, quote
from forge_mlir.sweep.measure import Request, measured
from forge_mlir.sweep.rows import Row

if TYPE_CHECKING:
    from distributed import Client, Future

_ANSWER, _LOOK, _PATIENCE = 10.0, 2.0, 60.0
"""Seconds that a scheduler has to answer, between checks of a cluster, and until a cluster without workers is given
up."""


def on_cluster(requests: Sequence[Request], scheduler: str) -> Generator[Row]:
    """Measures models on the cluster at `scheduler`. Only the client writes the yielded rows, so that a task that is
    repeated on another worker adds no second row."""
    from distributed import Client

    try:
        client = Client(scheduler, timeout=_ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ForgeError(Code.PassOption, f"no Dask scheduler answers at {quote(scheduler)}: {error}") from error
    with client:
        futures = {client.submit(measured, request, pure=False): request for request in requests}
        for future in _completed(client, set(futures), scheduler):
            if future.status == "finished":
                yield future.result()
            elif future.status == "error":  # Its workers died repeatedly.
                reason = f"its workers died: {future.exception()}"[:500]
                yield replace(futures[future].begun(), code=Code.ChildCrashed, reason=reason)
            else:
                raise _gone(scheduler)
            future.release()


def _completed(client: Client, left: set[Future], scheduler: str) -> Iterator[Future]:
    """Yields tasks as they complete. Raises ForgeError if the cluster has no workers for some time, or is gone."""
    seen = time.monotonic()
    while left:
        try:
            ended = _ended(client, left)
            if ended or client.nthreads():
                seen = time.monotonic()
        except (CancelledError, OSError) as error:
            raise _gone(scheduler) from error
        yield from ended
        left -= ended
        if time.monotonic() - seen > _PATIENCE:
            reason = f"the Dask scheduler at {quote(scheduler)} has had no worker for {_PATIENCE:g} s"
            raise ForgeError(Code.ChildCrashed, f"{reason}: start some (dask worker ADDRESS), and run it again")


def _ended(client: Client, futures: set[Future]) -> set[Future]:
    """The `futures` that have completed, as soon as there are any; none after a timeout."""
    from distributed import wait

    with client.as_current(), suppress(TimeoutError):
        return set(wait(futures, timeout=_LOOK, return_when="FIRST_COMPLETED").done)
    return set()


def _gone(scheduler: str) -> ForgeError:
    return ForgeError(Code.ChildCrashed, f"the Dask scheduler at {quote(scheduler)} went away: run it again")
