"""The table of device limits, and what is made of it."""

from __future__ import annotations

import re

import device_limits


def test_the_page_is_fresh() -> None:
    assert device_limits.PAGE.read_text(encoding="ascii") == device_limits.page(), "run python tools/device_limits.py"


def test_each_row_has_a_form_and_each_form_a_row() -> None:
    source = (device_limits.TABLE.parent / "DeviceForms.cpp").read_text(encoding="ascii")
    forms = re.findall(r"^static Value form\((\w+) op,", source, re.MULTILINE)
    assert sorted(forms) == sorted(op for op, *_ in device_limits.rows())
