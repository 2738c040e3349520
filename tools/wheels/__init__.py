"""Wheels that need no LLVM of the machine: built, proven and listed. `make wheel`, `make wheel-check`."""
