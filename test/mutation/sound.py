"""Right programs, and what `verify` says of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from forge_mlir.errors import ForgeError
from forge_mlir.verify import verify_model
from mutation import models


@dataclass(frozen=True)
class Judged:
    """A right program: the group and the name of its model, and the verdict; "refused" for one that is not compiled."""

    group: str
    model: str
    verdict: str
    reason: str = ""


def judge_all(folders: Sequence[Path], architectures: Path | None, most: int) -> Iterator[Judged]:
    """The models of the repository, of `folders`, and at most so many `architectures`, which are .onnx files, each on
    its stored inputs, if it has any, and on two profiles."""
    for name, path in models.stored().items():
        yield _judged("repository", name, path)
    for folder in folders:
        for path in sorted(folder.glob("*/model.onnx")):
            yield _judged(folder.name, path.parent.name, path)
    if architectures is not None:
        known = sorted(architectures.glob("*.onnx"))
        for path in sorted(Random(0).sample(known, min(most, len(known)))):
            yield _judged("architectures", path.stem, path)


def _judged(group: str, name: str, path: Path) -> Judged:
    data = path.with_name("inputs.npz")
    inputs = dict(np.load(data)) if data.is_file() else None
    try:
        found = verify_model(path, inputs, profiles=("normal", "mixed"))
    except ForgeError as error:
        return Judged(group, name, "refused", str(error.message)[:200])
    return Judged(group, name, found.verdict, f"{found.run}: {found.reasons[0][:200]}" if found.reasons else "")
