"""What emitted Python may contain: known node kinds, imports from a fixed list, calls of forge.op.*, of self.* and of a
few others.

Every module that a test emits is checked by `assert_safe` (see test/python/conftest.py and conformance/check.py).
"""

from __future__ import annotations

import ast
from functools import lru_cache

from forge_mlir.artifact.source.parsed_calls import Functions

_COMMON = {
    ast.Module, ast.Expr, ast.Constant, ast.ImportFrom, ast.Import, ast.alias, ast.ClassDef, ast.FunctionDef,
    ast.arguments, ast.arg, ast.Return, ast.Call, ast.Attribute, ast.Name, ast.Load, ast.Store, ast.Assign, ast.keyword,
    ast.Tuple,
}  # fmt: skip
# The text of the weight loader is the same in all device modules.
_DEVICE = _COMMON | {
    ast.Try, ast.ExceptHandler, ast.If, ast.Compare, ast.NotEq, ast.In, ast.BoolOp, ast.Or, ast.Eq, ast.Raise, ast.For,
    ast.With, ast.withitem, ast.Subscript, ast.JoinedStr, ast.FormattedValue, ast.IfExp, ast.List, ast.UnaryOp,
    ast.USub, ast.And, ast.Not, ast.NotIn, ast.BinOp, ast.Mult, ast.Add, ast.Sub,
}  # fmt: skip
# Calls of the functions that unpack weights, next to the class.
_LOADER = {
    ast.DictComp, ast.ListComp, ast.comprehension, ast.Starred, ast.Slice, ast.BitAnd, ast.BitXor, ast.RShift, ast.LtE,
    ast.Invert, ast.Dict, ast.GeneratorExp, ast.Lt, ast.Pow, ast.FloorDiv,
}  # fmt: skip

_DEVICE_IMPORTS = {
    "import hashlib", "import json", "import torch", "import forge", "import forge.op", "from pathlib import Path",
    "from safetensors import safe_open", "from forge import ForgeModule",
    "from forge_mlir.emitted import ForgeModule, forge",
}  # fmt: skip
_DEVICE_CALLS = {
    "super", "super().__init__", "self.add_parameter", "self.add_constant", "self.get_parameter", "self.get_constant",
    "self.set_parameter", "self.set_constant", "self.fill_weights", "forge.Parameter", "float", "RuntimeError",
    "json.loads", "Path", "here.with_name", "here.with_suffix", "here.with_suffix('.json').read_text", "checked.open",
    "safe_open", "hashlib.file_digest", "hashlib.file_digest(file, 'sha256').hexdigest", "weights.get_tensor",
    "torch.full", "read_weight", "Path(__file__).parent.joinpath",
    "Path(__file__).parent.joinpath(weight['file']).open", "file.seek", "bytearray", "file.read", "torch.frombuffer",
    "hashlib.sha256", "hashlib.sha256(data).hexdigest",
    "torch.frombuffer(data, dtype=getattr(torch, weight['dtype'])).reshape",
    "weights.get_tensor(weight['tensor']).expand",
    "weights.get_tensor(weight['tensor']).expand(weight['shape']).contiguous",
    "getattr", "weight['dtype'].startswith", "module.process_framework_parameters", "range",
    "set_weight", "release",
    "len", "finished", "torch.empty", "result[:1].numel", "max", "slice", "rows_of", "by_row", "whole", "exact", "all",
    "computed_weight", "computed_weight(weight, weights).expand",
    "computed_weight(weight, weights).expand(weight['shape']).contiguous", "computed_step", "rounded", "source_of",
    "source_of(step, weight['name'], weights).reshape", "step.get", "enumerate", "values.append",
    "torch.full((), float(step['splat']), dtype=dtype).expand", "bytearray.fromhex",
    "torch.frombuffer(bytearray.fromhex(step['hex']), dtype=dtype).reshape", "value.to",
    "getattr(torch, op)", "first.transpose", "first.index_select", "torch.arange", "torch.cat", "torch.tile",
    "first.repeat_interleave", "first.reshape", "torch.finfo", "value.abs", "torch.where", "result.clamp",
    "result.isinf", "result.isfinite", "result.isfinite().all", "first.narrow",
    "(result.isinf() & ~value.isinf()).any", "value.isinf", "torch.stack", "torch.Size",
    "torch.stack((value & 15, value >> 4), -1).flatten", "torch.Size(step['shape']).numel",
}  # fmt: skip
# A literal; in methods also an f-string, a conditional expression for the first layer, a parameter, or an element of
# one.
_NODE_NAMES = (ast.Constant, ast.JoinedStr, ast.IfExp, ast.Name, ast.Subscript)
_CPU_IMPORTS = {"from pathlib import Path", "import torch", "from forge_mlir.emitted import OnnxSubgraph"}
_CPU_CALLS = {
    "super", "super().__init__", "OnnxSubgraph", "Path", "Path(__file__).with_suffix", "self.graph",
}  # fmt: skip
_PARTITIONED_IMPORTS = {"from pathlib import Path", "from forge_mlir.emitted import PartitionedModel"}
_PARTITIONED_CALLS = {"PartitionedModel.open", "Path", "Path(__file__).with_suffix"}


@lru_cache(maxsize=4)
def parsed(source: str) -> ast.Module:
    """Parses a module once for several checks."""
    return ast.parse(source)


def assert_safe(source: str) -> None:
    """Raises AssertionError, with the code that is not allowed, for a module that contains anything else."""
    assert source.isascii(), "not ASCII"
    tree = parsed(source)
    pieces = [(piece, list(ast.walk(piece))) for piece in tree.body]
    nodes = [node for _, found in pieces for node in found]
    imports = {ast.unparse(node) for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))}
    if "from forge_mlir.emitted import PartitionedModel" in imports:
        kinds, known_imports, calls, classes = _COMMON, _PARTITIONED_IMPORTS, _PARTITIONED_CALLS, 0
    elif "from forge_mlir.emitted import OnnxSubgraph" in imports:
        kinds, known_imports, calls, classes = _COMMON, _CPU_IMPORTS, _CPU_CALLS, 1
    else:
        kinds, known_imports, calls, classes = _DEVICE, _DEVICE_IMPORTS, _DEVICE_CALLS, 1
    assert imports <= known_imports, imports - known_imports
    own = [node.name for node in nodes if isinstance(node, ast.ClassDef)]
    if kinds is _DEVICE:
        calls = calls | {f"self.{name}" for name in Functions.of(tree).methods}
    calls = calls | set(own)
    assert len(own) == classes, own
    for piece, found in pieces:
        is_loader = kinds is _DEVICE and isinstance(piece, ast.FunctionDef)
        known_kinds = kinds | _LOADER if is_loader else kinds
        for node in found:
            assert type(node) in known_kinds, f"line {getattr(node, 'lineno', '?')}: {type(node).__name__}"
            if isinstance(node, ast.Call):
                _check_call(node, calls)
            elif isinstance(node, ast.Attribute):
                assert not node.attr.startswith("_") or node.attr in ("__init__", "_value"), node.attr
            elif isinstance(node, ast.FunctionDef):
                assert not node.decorator_list, node.name
    for node in tree.body:  # An import of the module runs only definitions and imports.
        known = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef, ast.Try)
        assert isinstance(node, known) or _is_docstring(node), ast.unparse(node)[:200]


def _text_of(callee: ast.expr) -> str:
    """Does the same as `ast.unparse`, which is slow, for a chain of names."""
    names, inner = [], callee
    while isinstance(inner, ast.Attribute):
        names.append(inner.attr)
        inner = inner.value
    return ".".join([inner.id, *reversed(names)]) if isinstance(inner, ast.Name) else ast.unparse(callee)


def _check_call(node: ast.Call, calls: set[str]) -> None:
    if isinstance(node.func, ast.Attribute) and node.func.attr == "set_src_layer":
        assert isinstance(node.func.value, ast.Call), ast.unparse(node)
        assert _text_of(node.func.value.func).startswith("forge.op."), ast.unparse(node)
        assert [isinstance(argument, _NODE_NAMES) for argument in node.args] == [True], ast.unparse(node)
        assert not node.keywords, ast.unparse(node)
        return
    callee = _text_of(node.func)
    if callee.startswith("forge.op."):
        assert callee.removeprefix("forge.op.").isalnum(), callee
        assert all(keyword.arg for keyword in node.keywords), ast.unparse(node)
    else:
        assert callee in calls, callee


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
