"""Wrong programs made by rule, and how many of them `verify` finds: `python -m mutation`."""
