"""Builds, tests and lists wheels that do not need LLVM on the machine. `make wheel`, `make wheel-check`."""
