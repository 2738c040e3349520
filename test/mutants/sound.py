"""Correct programs, and the verdicts of `verify` on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import onnx

from forge_mlir.errors import ForgeError
from forge_mlir.verify import verify_model
from forge_mlir.verify.inputs.profiles import DEFAULT_PROFILES
from mutants import models


@dataclass(frozen=True)
class Judged:
    """A correct program: the group and the name of its model, and the verdict; "refused" for one that is not compiled.
    `exact` is the result of the exact check, or "" without one."""

    group: str
    model: str
    verdict: str
    reason: str = ""
    exact: str = ""

    def json(self) -> dict[str, Any]:
        return asdict(self)


def programs(folders: Sequence[Path], architectures: Path | None, most: int) -> Iterator[tuple[str, str, Path]]:
    """Group, name and file of each model: those of the repository, the small ones of the mutants, those in `folders`,
    and at most `most` .onnx files in `architectures`."""
    for name, path in models.stored().items():
        yield "repository", name, path
    written = models.REPOSITORY / "build" / "mutants"
    written.mkdir(parents=True, exist_ok=True)
    for name, model in models.small().items():
        onnx.save(model, path := written / f"{name}.onnx")
        yield "small", name, path
    for folder in folders:
        for path in sorted(folder.glob("*/model.onnx")):
            yield folder.name, path.parent.name, path
    if architectures is not None:
        known = sorted(architectures.glob("*.onnx"))
        for path in sorted(Random(0).sample(known, min(most, len(known)))):
            yield "architectures", path.stem, path


def judged(group: str, name: str, path: Path) -> Judged:
    """The verdict of `verify` on a model with its stored inputs, if there are any, and with the default profiles."""
    data = path.with_name("inputs.npz")
    inputs = dict(np.load(data)) if data.is_file() else None
    try:
        found = verify_model(path, inputs, profiles=DEFAULT_PROFILES)
    except ForgeError as error:
        return Judged(group, name, "refused", str(error.message)[:200])
    reason = f"{found.run}: {found.reasons[0][:300]}" if found.reasons else ""
    return Judged(group, name, found.verdict, reason, found.exact.state if found.exact else "")
