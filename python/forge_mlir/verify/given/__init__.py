"""Artifacts that users give, compared with what their model compiles to."""
