"""The table of device limits, and what is made of it.

That each row has a form, and each form a row, the C++ compiler says: --forge-device-forms is made of the table, and a
function that nothing calls is an error.
"""

from __future__ import annotations

import device_limits


def test_the_page_is_fresh() -> None:
    assert device_limits.PAGE.read_text(encoding="ascii") == device_limits.page(), "run python tools/device_limits.py"
