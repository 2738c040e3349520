"""Files of other formats are named in the error."""

from __future__ import annotations

import zipfile
from pathlib import Path

from sample_models.importing import refusal


def test_zip(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "m.onnx", "w") as archive:
        archive.writestr("a", "b")
    refusal(tmp_path / "m.onnx", "zip archive")
