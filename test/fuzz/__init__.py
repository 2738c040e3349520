"""Fuzzing: random valid models, which are compared with two other implementations, and broken models, which must not
crash the compiler."""
