"""Executes compiled models: device modules, partitioned models, ONNX subgraphs on the CPU, and an emulation of tiles.

May import `artifact` (its reader), `runtime`, `iterdomain` and `errors`; never the importer or the compiler.
"""
