"""The subcommands, one file for each. `forge_mlir.cli.app` lists them."""
