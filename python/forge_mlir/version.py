"""The version of the package that is installed."""

from importlib import metadata

__version__ = metadata.version("forge-mlir")
