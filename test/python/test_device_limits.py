"""The table of device limits, and what is generated from it.

The C++ compiler checks that each row has a function in --forge-device-forms and each function a row: the pass is
generated from the table, and an unused function is an error.
"""

from __future__ import annotations

import device_limits


def test_the_page_is_fresh() -> None:
    assert device_limits.PAGE.read_text(encoding="ascii") == device_limits.page(), "run python tools/device_limits.py"
