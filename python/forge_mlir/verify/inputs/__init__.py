"""Inputs for verification, and expected outputs."""
