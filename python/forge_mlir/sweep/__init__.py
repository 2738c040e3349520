"""Compiles, verifies and times folders of models, on this machine or a Dask cluster, and compares sweeps.

May import everything below the command.
"""
