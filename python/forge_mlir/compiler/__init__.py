"""From an imported model to the files of a module: options, pass pipeline, CPU subgraphs, driver.

May import `importer`, `artifact`, `dialects`, `onnx_model`, `support` and the native module, but nothing that executes
modules.
"""
