"""Names of a model that are not text."""

from __future__ import annotations

from pathlib import Path

import pytest
from onnx import helper

from sample_models.importing import model, refusal, save, value


@pytest.mark.parametrize("name", [b"n0de", b"x1x1", b"gr4f", b"d1m5", b"Sqrt", b"dom1"])
def test_names_that_are_not_utf8(name: bytes, tmp_path: Path) -> None:
    node = helper.make_node("Sqrt", ["x1x1"], ["y"], "n0de")
    inputs = [value("x1x1", "d1m5")]
    proto = model([node], inputs, [value("y", "d1m5")], name="gr4f", opsets={"": 17, "dom1": 1})
    path = save(proto, tmp_path)
    path.write_bytes(path.read_bytes().replace(name, b"\xff\xfe\x80\x81"))
    refusal(path, "not valid UTF-8", r"b'\xff\xfe\x80\x81'")
