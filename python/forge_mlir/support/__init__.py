"""Utilities for all layers, independent of models: a sandbox for native code, lazily loaded names."""
