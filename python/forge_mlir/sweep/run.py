"""A sweep: every model of a folder measured once, on this machine or a Dask cluster, and the tables of the results."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from subprocess import Popen
from typing import Unpack

from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, quote
from forge_mlir.support.outputs import check_output
from forge_mlir.support.progress import phase
from forge_mlir.support.sandbox import Limits
from forge_mlir.sweep import rows as tables
from forge_mlir.sweep.junit import to_junit
from forge_mlir.sweep.measure import Request, measured
from forge_mlir.sweep.page import to_html
from forge_mlir.sweep.rows import Row

MODEL_LIMITS = Limits(1800.0, 16 << 30)
"""What one model may take, by default."""


_TABLES = ("sweep.csv", "sweep.parquet", "index.html", "junit.xml")


@dataclass(frozen=True)
class Sweep:
    """The rows of all models that are in the folder, how many of them were measured now, and those that an earlier
    sweep had a better verdict of, with its rows."""

    rows: Sequence[Row]
    measured: int
    files: Sequence[Path]
    fallen: Sequence[tuple[Row, Row]]


def sweep(
    directory: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    limits: Limits = MODEL_LIMITS,
    earlier: str | os.PathLike[str] | None = None,
    fresh: bool = False,
    force: bool = False,
    **options: Unpack[Options],
) -> Sweep:
    """Compiles, verifies and times every .onnx file below `directory`, and writes tables to `output`: sweep.csv,
    sweep.parquet where pyarrow is installed, junit.xml, and index.html, which compares with the rows in `earlier`.

    `jobs` models at a time here (one for each core by default), or as many as the workers of the Dask cluster at
    `scheduler` take; they must see the files at the same paths. A model whose file, flags and version are those of a
    row in `output` is not measured again, unless `fresh` (files with its weights are not looked at). Values of inputs
    come from an inputs.npz beside a model; random, seeded ones otherwise. Of `dims` and `input_shapes` each model takes
    those that it has.

    Tables of these names that no sweep wrote are replaced with `force` only.

    Raises ForgeError for a folder without models, and for tables that cannot be read or written. No model ends it.
    """
    root, results = Path(directory).resolve(), Path(output).resolve()
    requests = [Request.of(file, name, options, limits) for name, file in models_in(root, results).items()]
    if not requests:
        raise ForgeError(Code.FileUnreadable, f"{quote(directory)[1:-1]}: there is no .onnx file in this folder")
    before = {} if earlier is None else _earlier(Path(earlier))
    if not tables.is_log(results) and not force:
        for name in _TABLES:
            check_output(results / name, ())
    with _writing(results):
        results.mkdir(parents=True, exist_ok=True)
        tables.mend(results)
    known = {} if fresh else tables.read(results)
    left = [request for request in requests if not _is_known(request, known)]
    found = {request.model: known[request.model] for request in requests if request not in left}
    run = _on_cluster(left, scheduler) if scheduler and left else _here(left, jobs or os.cpu_count() or 1)
    with phase("models", len(requests)) as advance, closing(run):
        advance(len(found))
        for row in run:
            with _writing(results):
                tables.append(results, row)
            found[row.model] = row
            advance(len(found))
    rows = [found[request.model] for request in requests]
    with _writing(results):
        return Sweep(rows, len(left), _write(results, rows, before), worse(rows, before))


def models_in(root: Path, results: Path) -> dict[str, Path]:
    """The ONNX files below `root` by their path in it, without those that a sweep wrote."""
    files = (file for file in sorted(root.rglob("*.onnx")) if file.is_file() and not file.is_relative_to(results))
    return {file.relative_to(root).as_posix(): file for file in files}


def worse(rows: Iterable[Row], earlier: dict[str, Row]) -> list[tuple[Row, Row]]:
    """Rows of models that an earlier sweep had a better verdict of, with those."""
    order = tables.VERDICTS.index
    pairs = ((row, earlier[row.model]) for row in rows if row.model in earlier)
    return [(row, other) for row, other in pairs if order(row.verdict) > order(other.verdict)]


@contextmanager
def _writing(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ForgeError(Code.CannotWrite, f"cannot write to {quote(directory)}: {error.strerror}") from error


def _earlier(directory: Path) -> dict[str, Row]:
    rows = tables.read(directory)
    if not rows:
        raise ForgeError(Code.FileUnreadable, f"{quote(directory)[1:-1]}: there are no rows of a sweep in this folder")
    return rows


def _is_known(request: Request, known: dict[str, Row]) -> bool:
    row = known.get(request.model)
    try:
        return row is not None and row.key == request.begun().key
    except OSError:
        return False


def _here(requests: Sequence[Request], jobs: int) -> Generator[Row]:
    children: list[Popen[bytes]] = []
    pool = ThreadPoolExecutor(jobs)
    try:
        futures = [pool.submit(measured, request, children.append) for request in requests]
        for future in as_completed(futures):
            yield future.result()
    finally:  # An interrupted sweep leaves nothing running.
        pool.shutdown(wait=False, cancel_futures=True)
        for child in children:
            child.kill()


def _on_cluster(requests: Sequence[Request], scheduler: str) -> Generator[Row]:
    """The client alone writes rows, so that a task that runs again on another worker makes no second one."""
    from distributed import Client
    from distributed import as_completed as completed

    try:
        client = Client(scheduler, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise ForgeError(Code.FileUnreadable, f"no Dask scheduler answers at {quote(scheduler)}: {error}") from error
    with client:
        futures = {client.submit(measured, request, pure=False): request for request in requests}
        for future in completed(list(futures), loop=client.loop):
            if future.status == "finished":
                yield future.result()
            elif future.status == "error":  # Its workers died, time after time.
                reason = f"its workers died: {future.exception()}"[:500]
                yield replace(futures[future].begun(), code=Code.ChildCrashed, reason=reason)
            else:
                raise ForgeError(Code.ChildCrashed, f"the Dask scheduler at {quote(scheduler)} went away: run it again")
            future.release()


def _write(results: Path, rows: Sequence[Row], earlier: dict[str, Row]) -> list[Path]:
    writers: dict[str, Callable[[Path], object]] = {
        "sweep.csv": lambda path: tables.write_csv(path, rows),
        "junit.xml": lambda path: path.write_bytes(to_junit(rows)),
        "index.html": lambda path: path.write_text(to_html(rows, earlier), encoding="ascii"),
    }
    if find_spec("pyarrow") is not None:
        writers["sweep.parquet"] = lambda path: tables.write_parquet(path, rows)
    for name, write in writers.items():
        scratch = results / f".{name}.new"
        write(scratch)
        scratch.replace(results / name)
    return [results / name for name in writers]
