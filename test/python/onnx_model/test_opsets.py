"""The IR versions and opsets that a model may declare."""

from __future__ import annotations

from pathlib import Path

import pytest
from onnx import ModelProto

from sample_models.importing import linear, refusal, save


@pytest.mark.parametrize("version", [0, -1, 1 << 40])
def test_ir_version(version: int, tmp_path: Path) -> None:
    proto = ModelProto()
    proto.CopyFrom(linear())
    proto.ir_version = version
    refusal(save(proto, tmp_path), f"IR version {version}")
