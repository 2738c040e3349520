"""Recognises the Python of an emitted module: its statements are of a few forms, and only an edit adds others.

What is not a call of `forge.op` can read values, keep state or draw numbers, so that results for some inputs say
nothing about those for others. The text is parsed because the manifest describes the module as it was compiled, and not
what its user made of it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from forge_mlir.artifact.source.parsed_calls import Functions, parsed, targets_of

_METHOD = re.compile(r"(?:.*_)?(?:layer|block)(?:_\d+)?", re.ASCII)
"""The names of methods for equal layers, none of which replaces a method of ForgeModule."""
_READ = {"self", "super", "forge", "torch", "release", "float", "range"}
"""Names that emitted statements read, and that no variable may have."""
_MOST = 60


@dataclass(frozen=True)
class UnexpectedPython:
    """A construct that the emitter does not write: its line, and its source up to the end of the first line."""

    line: int
    text: str

    @staticmethod
    def of(node: ast.AST) -> UnexpectedPython:
        text = ast.unparse(node).partition("\n")[0]
        return UnexpectedPython(getattr(node, "lineno", 1), text if len(text) <= _MOST else f"{text[: _MOST - 3]}...")


def is_same_code(source: str, compiled: str) -> bool:
    """Whether two files differ in comments and line breaks only. Raises ForgeError for a file that is not Python."""
    return ast.dump(parsed(source)) == ast.dump(parsed(compiled))


def unexpected_python(source: str, compiled: str) -> UnexpectedPython | None:
    """The first construct of `source` that is neither of the same file as it is compiled now, nor of a form that
    emitted modules have. Raises ForgeError for a file that is not Python."""
    if source == compiled:
        return None
    tree, own = parsed(source), parsed(compiled)
    known = {ast.dump(each) for each in own.body}
    class_ = next((each for each in own.body if isinstance(each, ast.ClassDef)), None)
    for each in tree.body:
        if _is_text(each) or ast.dump(each) in known:
            continue
        if class_ is None or not isinstance(each, ast.ClassDef) or _head(each) != _head(class_):
            return UnexpectedPython.of(each)
        if (found := _in_class(tree, each, class_)) is not None:
            return UnexpectedPython.of(found)
    return None


def _head(class_: ast.ClassDef) -> list[str]:
    """The name of a class and what its methods may come from."""
    return [class_.name, *(ast.dump(each) for each in (*class_.bases, *class_.keywords, *class_.decorator_list))]


def _in_class(tree: ast.Module, class_: ast.ClassDef, own: ast.ClassDef) -> ast.AST | None:
    known = {ast.dump(each) for each in own.body}
    signatures = {_signature(each) for each in own.body if isinstance(each, ast.FunctionDef)}
    is_device = any(isinstance(each, ast.FunctionDef) and each.name == "fill_weights" for each in own.body)
    called = Functions.of(tree).methods if is_device else {}
    methods = frozenset(name for name in called if _METHOD.fullmatch(name))
    for each in class_.body:
        if _is_text(each) or ast.dump(each) in known:
            continue
        if not isinstance(each, ast.FunctionDef) or not is_device:
            return each
        if each.name == "__init__" and _signature(each) in signatures:
            found = _first(each.body, _Weights(own).unexpected)
        elif each.name == "forward" or each.name in methods:
            found = _Body(each, methods).unexpected()
        else:
            found = each
        if found is not None:
            return found
    return None


def _signature(function: ast.FunctionDef) -> str:
    return " ".join([function.name, *(ast.dump(each) for each in (function.args, *function.decorator_list))])


def _is_text(statement: ast.stmt) -> bool:
    """Whether a statement is a docstring, which has no effect."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _first(nodes: Iterable[ast.AST], find: Callable[[ast.AST], ast.AST | None]) -> ast.AST | None:
    return next((found for each in nodes if (found := find(each)) is not None), None)


class _Names:
    """Expressions of a function whose variables are `known`."""

    def __init__(self, known: Iterable[str]) -> None:
        self.known = set(known)

    def is_number(self, node: ast.AST) -> bool:
        match node:
            case ast.Constant(value=value):
                return isinstance(value, int)
            case ast.Name(id=name):
                return name in self.known
            case ast.BinOp(left=left, op=ast.Mult() | ast.Add() | ast.Sub(), right=right):
                return self.is_number(left) and self.is_number(right)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.is_number(operand)
        return False

    def is_name(self, node: ast.AST) -> bool:
        """Whether `node` is the name of a node or of a weight: text with the number of a layer, or a choice by it."""
        match node:
            case ast.Constant(value=value):
                return isinstance(value, str)
            case ast.Name(id=name):
                return name in self.known
            case ast.Subscript(value=value, slice=index):
                return self.is_names(value) and self.is_number(index)
            case ast.JoinedStr(values=parts):
                return all(map(self.is_name, parts))
            case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                return self.is_number(value)
            case ast.IfExp(test=ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]), body=a, orelse=b):
                return self.is_number(left) and self.is_number(right) and self.is_name(a) and self.is_name(b)
            case ast.IfExp(test=test, body=a, orelse=b):
                return self.is_number(test) and self.is_name(a) and self.is_name(b)
        return False

    def is_names(self, node: ast.AST) -> bool:
        match node:
            case ast.Name(id=name):
                return name in self.known
            case ast.Tuple(elts=elements) if elements:
                return all(map(self.is_name, elements))
        return False

    def is_loop(self, node: ast.For, over: Callable[[ast.AST], bool] | None = None) -> bool:
        """Whether a loop is over the numbers of layers, or over what is `over`."""
        if node.orelse or node.type_comment or not _is_variable(node.target):
            return False
        match node.iter:
            case ast.Call(func=ast.Name(id="range"), args=arguments, keywords=[]):
                return all(map(_is_integer, arguments))
            case ast.Tuple(elts=elements):
                return all(map(_is_integer, elements)) or (over is not None and over(node.iter))
        return False


def _is_integer(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=int()) | ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int())):
            return True
    return False


def _is_variable(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id not in _READ


def _is_constant(node: ast.AST) -> bool:
    """Whether `node` is a value of an attribute."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return True
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return all(map(_is_constant, elements))
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id="forge"), attr="DataFormat")):
            return True
        case ast.Attribute(value=ast.Name(id="torch")):
            return True
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str())], keywords=[]):
            return True
    return False


class _Weights:
    """The statements of `__init__`, which declare weights. Those of the module as it is compiled keep their formats,
    which the CPU reference does not emulate."""

    def __init__(self, own: ast.ClassDef) -> None:
        self._names = _Names(["name"])
        found = [each.value for each in ast.walk(own) if isinstance(each, ast.Expr)]
        calls = [each for each in found if isinstance(each, ast.Call) and len(each.args) > 0]
        self._declarations = {ast.dump(each) for each in calls}
        self._declared = {ast.dump(each.args[0]) for each in calls}

    def unexpected(self, statement: ast.AST) -> ast.AST | None:
        names = self._names
        match statement:
            case ast.Expr(value=ast.Constant()):
                return None
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=method), args=[name, *rest]) as call):
                is_super = ast.dump(owner) == _SUPER and method == "__init__" and not call.keywords
                is_own = isinstance(owner, ast.Name) and owner.id == "self"
                is_changed = ast.dump(name) in self._declared and ast.dump(call) not in self._declarations
                if not names.is_name(name) or not (is_super or is_own) or is_changed:
                    return statement
                if is_super or (method == "add_constant" and not rest):
                    is_known = all(each.arg and _is_constant(each.value) for each in call.keywords)
                    return None if is_known and not rest else statement
                is_parameter = method == "add_parameter" and len(rest) == 1 and not call.keywords
                return None if is_parameter and _is_parameter(rest[0]) else statement
            case ast.For() if names.is_loop(statement, names.is_names):
                assert isinstance(statement.target, ast.Name)
                names.known.add(statement.target.id)
                return _first(statement.body, self.unexpected)
        return statement


_SUPER = ast.dump(ast.parse("super()", mode="eval").body)


def _is_parameter(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="forge"), attr="Parameter"), args=sizes, keywords=named):
            return all(map(_is_constant, sizes)) and all(each.arg and _is_constant(each.value) for each in named)
    return False


class _Body:
    """The statements of `forward`, or of a method for equal layers."""

    def __init__(self, function: ast.FunctionDef, methods: frozenset[str]) -> None:
        self._function, self._methods = function, methods
        self._names = _Names(each.arg for each in function.args.args)
        for statement in _all_of(function.body):
            self._names.known.update(targets_of(statement))

    def unexpected(self) -> ast.AST | None:
        function = self._function
        given = function.args
        others = (given.posonlyargs, given.kwonlyargs, given.defaults, given.kw_defaults, given.vararg, given.kwarg)
        if function.decorator_list or any(others) or not given.args or given.args[0].arg != "self":
            return function
        if any(each.arg in _READ for each in given.args[1:]):
            return function
        *body, last = function.body
        if not isinstance(last, ast.Return) or last.value is None or not self._is_result(last.value):
            return last
        return _first(body, self._of_statement)

    def _is_result(self, node: ast.AST) -> bool:
        return all(map(self._is_operand, node.elts)) if isinstance(node, ast.Tuple) else self._is_operand(node)

    def _of_statement(self, statement: ast.AST) -> ast.AST | None:
        match statement:
            case ast.Expr(value=ast.Constant()):
                return None
            case ast.Expr(value=ast.Call(func=ast.Name(id="release"), args=released, keywords=[])):
                is_known = all(isinstance(each, ast.Name) and self._is_operand(each) for each in released)
                return None if is_known else statement
            case ast.Assign(targets=[ast.Name() | ast.Tuple() as target], value=value, type_comment=None):
                targets = target.elts if isinstance(target, ast.Tuple) else [target]
                return None if all(map(_is_variable, targets)) and self._is_call(value) else statement
            case ast.For() if self._names.is_loop(statement):
                assert isinstance(statement.target, ast.Name)
                self._names.known.add(statement.target.id)
                return _first(statement.body, self._of_inner)
        return statement

    def _of_inner(self, statement: ast.AST) -> ast.AST | None:
        return statement if isinstance(statement, ast.For) else self._of_statement(statement)

    def _is_call(self, node: ast.AST) -> bool:
        """Whether `node` is a call of `forge.op`, with or without its ONNX node, or of a method for equal layers."""
        match node:
            case ast.Call(func=ast.Attribute(value=inner, attr="set_src_layer"), args=[name], keywords=[]):
                return self._names.is_name(name) and self._is_call(inner)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=method), args=given, keywords=[]):
                return method in self._methods and all(map(self._is_given, given))
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(value=ast.Name(id="forge"), attr="op")),
                args=[ast.Constant(value=str()), *operands],
                keywords=named,
            ):
                are_constants = all(each.arg and self._is_named(each.value) for each in named)
                return are_constants and all(map(self._is_operand, operands))
        return False

    def _is_given(self, node: ast.AST) -> bool:
        """Whether `node` is an argument of a method: an operand, a number, a name or several names."""
        names = self._names
        return self._is_operand(node) or names.is_number(node) or names.is_name(node) or names.is_names(node)

    def _is_named(self, node: ast.AST) -> bool:
        return _is_constant(node) or self._is_operand(node)

    def _is_operand(self, node: ast.AST) -> bool:
        match node:
            case ast.Name(id=name):
                return name in self._names.known and name not in _READ
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                return all(map(self._is_operand, elements))
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="self"), attr="get_parameter" | "get_constant"),
                args=[name],
                keywords=[],
            ):
                return self._names.is_name(name)
            case ast.Call():
                return self._is_call(node)
        return False


def _all_of(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in statements:
        yield from statement.body if isinstance(statement, ast.For) else (statement,)
