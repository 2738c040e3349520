"""Runs the backend test suite of the pinned onnx release through the compiler and the CPU reference.

PYTHONPATH=test python -m conformance [--subset] [--filter REGEX] [--jobs 2] [--update]
"""
