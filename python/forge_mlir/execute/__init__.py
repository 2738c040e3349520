"""Runs compiled models: a device module, a partitioned model, an ONNX subgraph on the CPU, tiles of a device.

May import `artifact` (its reader), `runtime`, `iterdomain` and `errors`; never the importer or the compiler.
"""
