"""Forge-MLIR: ONNX in, Tenstorrent Forge Python module out, through MLIR.

The names below are loaded on first use: `import forge_mlir`, `forge_mlir.runtime` and `forge_mlir.emitted` need no
MLIR. docs/files.md lists what each package contains and may import.
"""

from typing import TYPE_CHECKING

from forge_mlir.support.lazy import lazy_names

if TYPE_CHECKING:
    from forge_mlir.artifact.reader import Artifact as Artifact
    from forge_mlir.compiler.driver import compile_to as compile_to
    from forge_mlir.compiler.generation import Generation as Generation
    from forge_mlir.compiler.pass_pipeline import EmittedModule as EmittedModule
    from forge_mlir.compiler.pass_pipeline import emit_python as emit_python
    from forge_mlir.compiler.pass_pipeline import run_first_rewrites as run_first_rewrites
    from forge_mlir.compiler.pass_pipeline import run_pipeline as run_pipeline
    from forge_mlir.compiler.pass_pipeline import verify_module as verify_module
    from forge_mlir.compiler.pass_pipeline import write_python as write_python
    from forge_mlir.compiler.stages.files import write_import as write_import
    from forge_mlir.dialects.forge import register as register
    from forge_mlir.errors import CompilationCancelled as CompilationCancelled
    from forge_mlir.errors import Diagnostic as Diagnostic
    from forge_mlir.errors import ForgeError as ForgeError
    from forge_mlir.execute.generation import generate as generate
    from forge_mlir.execute.run import run as run
    from forge_mlir.importer.onnx_import import import_onnx as import_onnx
    from forge_mlir.integration.compile import compile as compile
    from forge_mlir.integration.session import InferenceSession as InferenceSession
    from forge_mlir.lowerings.lowering import Lowering as Lowering
    from forge_mlir.lowerings.lowering import lowering as lowering
    from forge_mlir.lowerings.plugins import load_plugin as load_plugin
    from forge_mlir.verify.calling import verify as verify
    from forge_mlir.version import __version__ as __version__

_HOME = {
    "Artifact": "forge_mlir.artifact.reader",
    "CompilationCancelled": "forge_mlir.errors",
    "Diagnostic": "forge_mlir.errors",
    "EmittedModule": "forge_mlir.compiler.pass_pipeline",
    "ForgeError": "forge_mlir.errors",
    "Generation": "forge_mlir.compiler.generation",
    "__version__": "forge_mlir.version",
    "InferenceSession": "forge_mlir.integration.session",
    "compile": "forge_mlir.integration.compile",
    "compile_to": "forge_mlir.compiler.driver",
    "emit_python": "forge_mlir.compiler.pass_pipeline",
    "generate": "forge_mlir.execute.generation",
    "import_onnx": "forge_mlir.importer.onnx_import",
    "Lowering": "forge_mlir.lowerings.lowering",
    "load_plugin": "forge_mlir.lowerings.plugins",
    "lowering": "forge_mlir.lowerings.lowering",
    "register": "forge_mlir.dialects.forge",
    "run": "forge_mlir.execute.run",
    "run_first_rewrites": "forge_mlir.compiler.pass_pipeline",
    "run_pipeline": "forge_mlir.compiler.pass_pipeline",
    "verify": "",
    "verify_module": "forge_mlir.compiler.pass_pipeline",
    "write_import": "forge_mlir.compiler.stages.files",
    "write_python": "forge_mlir.compiler.pass_pipeline",
}

__all__ = list(_HOME)
__getattr__, __dir__ = lazy_names(__name__, _HOME)
