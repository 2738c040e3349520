"""The `forge-mlir` command: its subcommands, flags and tables.

May import every other package, each when it is needed.
"""
