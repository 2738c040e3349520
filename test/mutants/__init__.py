"""Wrong programs that are made by rules, and the share of them that `verify` finds: `python -m mutants`."""
