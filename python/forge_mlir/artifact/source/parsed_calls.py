"""The calls of an emitted module, parsed from its source.

For modules that were edited by their users; of others the manifest has a table of calls (`artifact/source/calls.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, escaped

Known = Mapping[str, object]
"""The meaning of names: the path of a value, or the int or str that was passed for a parameter."""


@dataclass(frozen=True)
class EmittedCall:
    """A call of `forge.op`: its position in the file, the paths of its result and operands, and its ONNX node.

    A path is a variable of `forward`, or `set.local` for a local of a method, where `set` is the first variable that
    the call of the method sets, or `set[n].local` if that call is in a loop. The trace of a manifest uses the same
    paths.
    """

    line: int
    path: str
    reads: tuple[str, ...]
    callee: str
    text: str
    node: str


@dataclass(frozen=True)
class Functions:
    """`forward`, and the methods that it or they call."""

    forward: ast.FunctionDef
    methods: dict[str, ast.FunctionDef] = field(default_factory=dict)

    @staticmethod
    def of(tree: ast.Module) -> Functions:
        """Raises ForgeError for a module without exactly one `forward`."""
        found = [
            node for each in tree.body if isinstance(each, ast.ClassDef) for node in each.body
            if isinstance(node, ast.FunctionDef)
        ]  # fmt: skip
        forwards = [function for function in found if function.name == "forward"]
        if len(forwards) != 1:
            raise ForgeError(Code.ArtifactUnreadable, f"expected a module with one forward, but got {len(forwards)}")
        functions = Functions(forwards[0], {function.name: function for function in found})
        called: dict[str, ast.FunctionDef] = {}
        waiting = [forwards[0]]
        while waiting:
            for each in statements_of(waiting.pop()):
                function = functions.method_of(each)
                if function is not None and function.name not in called:
                    called[function.name] = function
                    waiting.append(function)
        return Functions(forwards[0], called)

    def without(self, method: ast.FunctionDef) -> Functions:
        """The functions that `method` may call: all but itself, which rules out recursion."""
        return Functions(self.forward, {name: each for name, each in self.methods.items() if each is not method})

    def method_of(self, statement: ast.stmt) -> ast.FunctionDef | None:
        """The method that a statement calls."""
        value = statement.value if isinstance(statement, ast.Assign) else None
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
            return None
        owner = value.func.value
        return self.methods.get(value.func.attr) if isinstance(owner, ast.Name) and owner.id == "self" else None


def parsed(source: str) -> ast.Module:
    """The syntax tree of an emitted file. Raises ForgeError, with the line, for one that is not Python any more."""
    try:
        tree = ast.parse(source)
        compile(source, "", "exec", dont_inherit=True)  # finds what is not of the syntax, such as an argument twice
        return tree
    except SyntaxError as error:
        reason = f"line {error.lineno or 1}: not Python: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:  # what ast raises for nulls and for deep nesting
        reason = f"not Python: {error}"
    raise ForgeError(Code.ArtifactUnreadable, escaped(reason))


def statements_of(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    """The statements of a function, including those in loops."""
    for statement in function.body:
        yield from statement.body if isinstance(statement, ast.For) else (statement,)


def targets_of(statement: ast.stmt) -> list[str]:
    """The variables that a statement sets; none for a call of `release`."""
    if not isinstance(statement, ast.Assign):
        return []
    target = statement.targets[0]
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    return [name.id for name in names if isinstance(name, ast.Name)]


def parsed_calls(source: str) -> list[EmittedCall]:
    """The calls in execution order. Raises ForgeError for a module that does not have exactly one `forward`."""
    return calls_of_tree(parsed(source), source.splitlines())


def calls_of_tree(tree: ast.Module, lines: list[str]) -> list[EmittedCall]:
    """`parsed_calls` for a tree that was parsed from `lines`."""
    functions = Functions.of(tree)
    found: list[EmittedCall] = []
    known: dict[str, object] = {}
    for statement in functions.forward.body:
        if not isinstance(statement, ast.For):
            found += _calls_of_statement(functions, statement, known, ("", ""), lines)
            continue
        for number in _numbers(statement.iter):
            if isinstance(statement.target, ast.Name):
                known[statement.target.id] = number
            for each in statement.body:
                found += _calls_of_statement(functions, each, known, ("", f"[{number}]"), lines)
    return found


def count_parsed_calls(source: str) -> int:
    """The number of calls; straight-line code is counted without parsing it. Raises ForgeError as `parsed_calls`
    does."""
    _, _, rest = source.partition("\n    def forward(")
    forward, _, _ = rest.partition("\n    def ")
    if " = self." not in forward:
        return source.count(" = forge.op.")
    functions = Functions.of(parsed(source))
    return _count(functions, functions.forward.body)


def _count(functions: Functions, statements: Sequence[ast.stmt]) -> int:
    """The number of calls of the statements, counting those of a method once per call of it."""
    count = 0
    for each in statements:
        if isinstance(each, ast.For):
            count += len(_numbers(each.iter)) * _count(functions, each.body)
        elif targets_of(each):
            method = functions.method_of(each)
            count += 1 if method is None else _count(functions.without(method), method.body)
    return count


def _calls_of_statement(
    functions: Functions, statement: ast.stmt, known: dict[str, object], affixes: tuple[str, str], lines: list[str]
) -> Iterator[EmittedCall]:
    """The calls of a statement. `affixes` are the prefix and suffix of its variables in paths of the method."""
    method, targets = functions.method_of(statement), targets_of(statement)
    before, after = affixes
    if method is None or not targets:
        yield from _calls(statement, known, before, lines)
        return
    assert isinstance(statement, ast.Assign)
    assert isinstance(statement.value, ast.Call)
    given = (_given(each, known) for each in statement.value.args)
    inner = dict(zip((each.arg for each in method.args.args[1:]), given, strict=False))
    for each in method.body:
        inner_affixes = (f"{before}{targets[0]}{after}.", "")
        yield from _calls_of_statement(functions.without(method), each, inner, inner_affixes, lines)
        if isinstance(each, ast.Return):
            known.update(zip(targets, (_given(value, inner) for value in _returned(each)), strict=False))


def _numbers(expression: ast.expr) -> list[int]:
    """The values of a loop: a tuple of integers or a `range`. Raises ForgeError for other iterables."""
    try:
        if isinstance(expression, ast.Tuple):
            return [_number(each, {}) for each in expression.elts]
        if isinstance(expression, ast.Call) and ast.unparse(expression.func) == "range":
            return list(range(*(_number(each, {}) for each in expression.args)))
    except (KeyError, ValueError, TypeError) as error:
        where = f"line {expression.lineno}"
        raise ForgeError(Code.ArtifactUnreadable, f"{where}: cannot tell the numbers of a loop: {error}") from error
    raise ForgeError(
        Code.ArtifactUnreadable,
        f"line {expression.lineno}: expected a loop over numbers, but got {escaped(ast.unparse(expression))}",
    )


def node_of_line(line: str, known: Known) -> str:
    """The ONNX node of the call in a line of an emitted file; "" if it names none.

    The table of calls cannot answer that: a line of a method for equal layers has another node for each layer, which
    `known`, the variables at the call, identify.
    """
    try:
        statement = ast.parse(line.strip()).body[0]
    except (SyntaxError, IndexError):  # The line is not a complete statement, because the file was edited.
        return ""
    return _node_of(statement.value, known) if isinstance(statement, ast.Assign) else ""


def _node_of(expression: ast.expr, known: Known) -> str:
    """The ONNX node that a call names; "" if it names none, or if an edit computes the name."""
    if not isinstance(expression, ast.Call) or getattr(expression.func, "attr", "") != "set_src_layer":
        return ""
    try:
        return _text(expression.args[0], known)
    except (IndexError, KeyError, TypeError, ValueError):
        return ""


def _calls(statement: ast.stmt, known: dict[str, object], prefix: str, lines: list[str]) -> Iterator[EmittedCall]:
    """The call of `variable = call`."""
    targets = targets_of(statement)
    if not targets:
        return
    assert isinstance(statement, ast.Assign)
    value = call = statement.value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call):
        call = call.func.value
    operands = [*call.args, *(each.value for each in call.keywords)] if isinstance(call, ast.Call) else [call]
    found = (known.get(name, prefix + name) for each in operands for name in _variables_of(each))
    reads = tuple(path for path in found if path and isinstance(path, str))
    text = " ".join(line.strip() for line in lines[statement.lineno - 1 : statement.end_lineno])
    callee = ast.unparse(call.func) if isinstance(call, ast.Call) else ""
    yield EmittedCall(statement.lineno, prefix + targets[0], reads, callee, text, _node_of(value, known))
    known[targets[0]] = prefix + targets[0]


def _variables_of(expression: ast.expr) -> list[str]:
    """The variables that an expression reads, without callees and owners of attributes."""
    nodes = list(ast.walk(expression))
    others = {node.func for node in nodes if isinstance(node, ast.Call)}
    others |= {node.value for node in nodes if isinstance(node, ast.Attribute)}
    return [node.id for node in nodes if isinstance(node, ast.Name) and node not in others]


def _returned(statement: ast.Return) -> list[ast.expr]:
    if statement.value is None:
        return []
    return statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]


def _given(argument: ast.expr, known: Known) -> object:
    """The value of an argument in the method: a number, node names or a path; "" for a weight."""
    match argument:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return known.get(name, name)
        case ast.Tuple(elts=elements):
            return tuple(_given(each, known) for each in elements)
        case ast.JoinedStr() | ast.IfExp() | ast.Subscript():
            try:
                return _text(argument, known)
            except (IndexError, KeyError, TypeError, ValueError):  # an edit computes it
                return ""
    return ""


def _text(expression: ast.expr, known: Known) -> str:
    match expression:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            return str(known[name])
        case ast.Subscript(value=ast.Name(id=name), slice=index) if isinstance(found := known[name], tuple):
            return str(found[_number(index, known)])
        case ast.JoinedStr(values=parts):
            return "".join(_text(part, known) for part in parts)
        case ast.FormattedValue(value=ast.Name(id=name)):
            return str(known[name])
        case ast.FormattedValue(value=number):
            return str(_number(number, known))
        case ast.IfExp(test=test, body=body, orelse=other):
            return _text(body if _is_true(test, known) else other, known)
    raise ValueError("no name")


def _is_true(test: ast.expr, known: Known) -> bool:
    """`n` or `n != 3`."""
    match test:
        case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]):
            return _number(left, known) != _number(right, known)
    return _number(test, known) != 0


def _number(expression: ast.expr, known: Known) -> int:
    match expression:
        case ast.Constant(value=int(number)):
            return number
        case ast.Name(id=name) if isinstance(found := known[name], int):
            return found
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _number(left, known) * _number(right, known)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _number(left, known) + _number(right, known)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _number(left, known) - _number(right, known)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand, known)
    raise ValueError("no number")
