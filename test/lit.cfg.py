"""lit tests of the command-line tools: `lit` on the build tree's test directory."""

import os

import lit.formats

if not hasattr(config, "forge_opt"):
    lit_config.fatal("run lit on the test directory of a build tree: it knows where the tools are")

config.name = "forge-mlir"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".itd", ".test"]
# pytest runs test/python; the others contain files that tests read.
config.excludes = ["python", "data", "fuzz", "Inputs"]
config.test_source_root = os.path.dirname(__file__)

# A process that is built without a sanitizer cannot load a library with one.
if not config.sanitized:
    config.available_features.add("plugin")

for name, tool in [
    ("forge-itd", config.forge_itd),
    ("forge-lsp-server", config.forge_lsp_server),
    ("forge-opt", config.forge_opt),
    ("forge-reduce", config.forge_reduce),
    ("forge-translate", config.forge_translate),
    ("mlir-opt", f"{config.llvm_tools}/mlir-opt"),
    ("llvm-nm", f"{config.llvm_tools}/llvm-nm"),
    ("count", f"{config.llvm_tools}/count"),
    ("split-file", f"{config.llvm_tools}/split-file"),
    ("FileCheck", config.filecheck),
    ("not", config.not_tool),
]:
    # The name of a tool as a whole word, but not as a part of a longer name, a path or an option
    # (--implicit-check-not).
    config.substitutions.append((rf"(?<![-\w/.]){name}(?![-\w/.])", f'"{tool}"'))
config.substitutions.append(("%plugin", f'"{config.plugin}"'))
config.substitutions.append(("%python", f'"{config.python}"'))
# The text from the emitter must be a Python module: %compile reads it from stdin.
config.substitutions.append(("%compile", f'"{config.python}" -m forge_mlir.artifact.names'))
