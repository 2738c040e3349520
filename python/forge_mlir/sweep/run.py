"""A sweep: measures every model of a folder, on this machine or a Dask cluster, and writes tables of the results."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from subprocess import Popen
from typing import Unpack

from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, quote, shortened
from forge_mlir.integration.folder import sizes_of_all
from forge_mlir.support.outputs import Writer, check_output, write_outputs
from forge_mlir.support.progress import phase
from forge_mlir.support.sandbox import Limits
from forge_mlir.sweep import rows as tables
from forge_mlir.sweep.cluster import on_cluster
from forge_mlir.sweep.junit import to_junit
from forge_mlir.sweep.measure import Request, measured
from forge_mlir.sweep.page import to_html
from forge_mlir.sweep.rows import Row

MODEL_LIMITS = Limits(1800.0, 16 << 30)
"""The default limits of one model."""


_TABLES = ("sweep.csv", "sweep.parquet", "index.html", "junit.xml")


@dataclass(frozen=True)
class Sweep:
    """The rows of all models in the folder, the number of models that were measured now, and the models whose verdict
    was better in an earlier sweep, with both rows."""

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

    `jobs` models are measured at a time here (default: one per core), or as many as there are workers of the Dask
    cluster at `scheduler`, which must have the files at the same paths. Unless `fresh`, a model is not measured again
    if `output` has a row for the same files (the model, weights, inputs, plugins and patterns), flags, limits and
    versions. Values of inputs come from an inputs.npz next to a model; otherwise they are random and seeded. From
    `dims` and `input_shapes` each model uses those that apply to it.

    Existing tables that no sweep wrote, or that have changed since, are replaced only with `force`.

    Raises ForgeError for a folder without models, for a size of a dim or input that no model has, and for tables that
    cannot be read or written. Failures of models do not stop it.
    """
    # Path.resolve raises RuntimeError for a loop of links.
    root, results = Path(os.path.realpath(directory)), Path(os.path.realpath(output))
    requests = [Request.of(file, name, options, limits) for name, file in models_in(root).items()]
    if not root.is_dir():
        raise ForgeError(Code.FileUnreadable, f"{shortened(directory)}: there is no such folder")
    if not requests:
        raise ForgeError(Code.FileUnreadable, f"{shortened(directory)}: there is no .onnx file in this folder")
    sizes_of_all([Path(request.file) for request in requests], options)
    before = {} if earlier is None else _earlier(Path(earlier))
    with _writing(results):
        results.mkdir(parents=True, exist_ok=True)
        tables.check_log(results)
        tables.mend(results)
        for name in _TABLES:
            if not ((results / name).is_file() and tables.is_written(results, name)):
                check_output(results / name, (), force)
    known = {} if fresh else tables.read(results)
    left = [request for request in requests if not _is_known(request, known)]
    found = {request.model: known[request.model] for request in requests if request not in left}
    run = on_cluster(left, scheduler) if scheduler and left else _here(left, jobs or os.cpu_count() or 1)
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


def models_in(root: Path) -> dict[str, Path]:
    """The ONNX files below `root` by relative path."""
    # Path.rglob raises an error for a folder that cannot be listed, such as one of a process that has ended in /proc.
    found = sorted(Path(at, name) for at, _, names in os.walk(root) for name in names if name.endswith(".onnx"))
    return {file.relative_to(root).as_posix(): file for file in found if os.path.isfile(file)}


def worse(rows: Iterable[Row], earlier: dict[str, Row]) -> list[tuple[Row, Row]]:
    """The rows of models whose verdict was better in an earlier sweep, with the earlier rows."""
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
        raise ForgeError(Code.FileUnreadable, f"{shortened(directory)}: there are no rows of a sweep in this folder")
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
    finally:  # An interrupted sweep stops its processes.
        pool.shutdown(wait=False, cancel_futures=True)
        for child in children:
            child.kill()


def _write(results: Path, rows: Sequence[Row], earlier: dict[str, Row]) -> list[Path]:
    writers: dict[str, Writer] = {
        "sweep.csv": lambda path: tables.write_csv(path, rows),
        "junit.xml": lambda path: path.write_bytes(to_junit(rows)),
        "index.html": lambda path: path.write_text(to_html(rows, earlier), encoding="ascii"),
    }
    if find_spec("pyarrow") is not None:
        writers["sweep.parquet"] = lambda path: tables.write_parquet(path, rows)
    files = {results / name: write for name, write in writers.items()}
    write_outputs(files, (), True, lambda path, digest: tables.append_table(results, path.name, digest))
    return [*files]
