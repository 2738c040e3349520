"""Random models: valid ones compared with two other implementations, and broken ones that must not break anything."""
