"""The facts of a manifest, one on each line, so that a test names those that it is about:
`forge-translate --forge-to-manifest | facts.py`."""

from __future__ import annotations

import json
import sys

for key, value in json.load(sys.stdin).items():
    for entry in value if isinstance(value, list) else [value]:
        print(f"{key}: {json.dumps(entry)}")
