"""Folders of models compiled, verified and timed, on this machine or a Dask cluster; tables that compare sweeps.

May import everything below the command.
"""
