"""Exports torch modules, and programs exported from them, to ONNX files."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import io
import logging
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import torch
from torch.onnx import ONNXProgram
from torch.utils import _pytree as pytree

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, escaped, quote
from forge_mlir.integration.torch_state import Written, name_outputs, return_writes

_LONGEST_REASON = 500

Exportable: TypeAlias = torch.nn.Module | torch.export.ExportedProgram | ONNXProgram


def export(
    source: Exportable,
    args: tuple[Any, ...],
    file: Path,
    kwargs: Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
) -> tuple[Written, ...]:
    """Writes `source` to `file` with its weights next to it, and returns the buffers and inputs that it writes in
    place.

    Outputs that the module names (keys of a dict, fields of a dataclass or named tuple) have these names, joined by
    dots. A buffer that is written in place becomes an input and an output; the new value of an input that is written
    becomes an additional output (see `torch_state`). Raises ForgeError, with torch's reason, for a module that torch
    cannot export, and for one whose results depend on training mode.
    """
    with _quiet():
        if isinstance(source, ONNXProgram):
            program = ONNXProgram(source.model.clone(), source.exported_program)
            if program.exported_program is not None:
                _require_inference_ops(program.exported_program.graph)
        elif isinstance(source, torch.export.ExportedProgram):
            _require_inference_ops(source.graph)
            program = _converted(source, (), {}, dynamic_shapes)
        else:
            args, named = _without_last_dict(source, args, dict(kwargs or {}))
            with _results_of_known_classes(source):
                _require_inference(source, args, named)
                program = _converted(source, args, named, dynamic_shapes)
        written = return_writes(program)
        if not isinstance(source, ONNXProgram):
            name_outputs(program)
            program.optimize()
        program.save(str(file), external_data=True)
    return written


def _converted(source: Any, args: tuple[Any, ...], kwargs: dict[str, Any], dynamic_shapes: Any) -> ONNXProgram:
    """The program before optimisation, which would remove unused values."""
    try:
        program = torch.onnx.export(
            source,
            args,
            kwargs=kwargs,
            dynamic_shapes=dynamic_shapes,
            dynamo=True,
            verbose=False,
            optimize=False,
        )
    except ModuleNotFoundError:
        raise
    except Exception as error:  # torch and onnxscript raise many exception types
        reason = escaped(_reason_of(error))
        raise ForgeError(Code.ExportFailed, f"torch.onnx.export cannot export the module: {reason}") from error
    assert program is not None
    return program


def _reason_of(error: BaseException) -> str:
    """The reason in one line: that of the innermost cause, because outer ones describe the steps of the exporter."""
    while error.__cause__ is not None:
        error = error.__cause__
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).strip()
    return f"{type(error).__name__}: {text.partition(chr(10))[0][:_LONGEST_REASON]}"


def _without_last_dict(
    module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The same call with a dict at the end of `args` passed by name: torch.onnx.export would interpret it as
    `kwargs`."""
    if kwargs or not args or not isinstance(args[-1], dict):
        return args, kwargs
    parameters = list(inspect.signature(module.forward).parameters.values())
    if len(args) > len(parameters) or parameters[len(args) - 1].kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD:
        return (*args, {}), kwargs  # this empty one is interpreted as kwargs
    return args[:-1], {parameters[len(args) - 1].name: args[-1]}


@contextlib.contextmanager
def _results_of_known_classes(module: torch.nn.Module) -> Iterator[None]:
    """Within the block `module` returns only tensors, tuples and dicts, because torch.export supports no other
    classes."""
    forward: Callable[..., Any] = module.forward
    own = module.__dict__.get("forward")

    def converted_forward(*args: Any, **kwargs: Any) -> Any:
        return _without_objects(forward(*args, **kwargs))

    converted_forward.__signature__ = inspect.signature(forward)  # type: ignore[attr-defined]
    module.__dict__["forward"] = converted_forward
    try:
        yield
    finally:
        del module.__dict__["forward"]
        if own is not None:
            module.__dict__["forward"] = own


def _without_objects(value: Any, in_object: bool = False) -> Any:
    """`value` without parts that are None, with numbers as tensors, and with objects that pytree does not know (caches,
    dataclasses) as dicts of their tensors."""
    if isinstance(value, Mapping):
        return _named(value, in_object)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return _named(value._asdict(), in_object)
    if isinstance(value, (tuple, list)):
        return tuple(_without_objects(each, in_object) for each in value if each is not None)
    if isinstance(value, (bool, int, float)):
        return value if in_object else torch.tensor(value)
    if type(value) in pytree.SUPPORTED_NODES or isinstance(value, (torch.Tensor, torch.SymInt)):
        return value
    if dataclasses.is_dataclass(value):
        return _named({field.name: getattr(value, field.name) for field in dataclasses.fields(value)}, in_object)
    return _named(vars(value), True) if hasattr(value, "__dict__") else value


def _named(items: Mapping[Any, Any], in_object: bool) -> dict[Any, Any]:
    values = {key: _without_objects(value, in_object) for key, value in items.items() if value is not None}
    return {key: value for key, value in values.items() if _has_tensors(value)}


def _has_tensors(value: Any) -> bool:
    return any(isinstance(leaf, torch.Tensor) for leaf in pytree.tree_leaves(value))


def _require_inference(module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raises ForgeError if `module` is in training mode and its results differ from those in inference."""
    modes = {each: each.training for each in module.modules()}
    if not any(modes.values()):
        return
    try:
        trained = torch.export.export(module, args, kwargs)
        module.eval()
        inferred = torch.export.export(module, args, kwargs)
    except Exception:  # torch.onnx.export reports the reason
        return
    finally:
        for each, mode in modes.items():
            each.training = mode
    if str(trained.graph) == str(inferred.graph):
        return
    pairs = zip(_calls(trained), _calls(inferred), strict=False)
    node = next((ours for ours, theirs in pairs if ours.format_node() != theirs.format_node()), None)
    raise _in_training("the module is in training mode, and its results depend on that", node)


def require_no_dropout(graph: torch.fx.Graph) -> None:
    """Raises ForgeError, naming the module, for an op that draws random numbers only in training."""
    for node in graph.nodes:
        kinds = [str(getattr(kind, "__name__", kind)) for _, kind in node.meta.get("source_fn_stack") or ()]
        named = re.search("dropout|rrelu", " ".join((str(node.target), *kinds)), re.IGNORECASE)
        if named and torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ()) and _is_training(node):
            raise _in_training(f"the model draws random numbers in training mode, by {node.target}", node)


def _require_inference_ops(graph: torch.fx.Graph) -> None:
    """The same for a program that was exported before, and for ops that use batch statistics, which the exporter
    converts as if for inference."""
    require_no_dropout(graph)
    for node in graph.nodes:
        if "batch_norm" in str(node.target) and _is_training(node):
            raise _in_training(f"{node.target} takes the statistics of its batch in training mode", node)


def _is_training(node: torch.fx.Node) -> bool:
    """Whether an op is in training mode: by its argument; without one, unless its name says otherwise."""
    schema = getattr(node.target, "_schema", None)
    for at, argument in enumerate(schema.arguments if schema is not None else ()):
        if argument.name in ("train", "training"):
            return bool(node.args[at] if at < len(node.args) else node.kwargs.get(argument.name, True))
    return "no_training" not in str(node.target)


def _in_training(what: str, node: torch.fx.Node | None) -> ForgeError:
    stack = list((node.meta.get("nn_module_stack") or {}).values()) if node is not None else []
    where = f" (module {quote(stack[-1][0])})" if stack and stack[-1][0] else ""
    return ForgeError(Code.ModuleInTraining, f"{what}{where}; call eval() on it first")


def _calls(program: torch.export.ExportedProgram) -> list[torch.fx.Node]:
    return [node for node in program.graph.nodes if node.op == "call_function"]


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Suppresses the exporter's progress output and its log about missing ops of other packages."""
    loggers = [logging.getLogger(name) for name in ("torch.onnx", "onnxscript", "onnx_ir")]
    levels = [logger.level for logger in loggers]
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), torch.no_grad():
        warnings.simplefilter("ignore")
        for logger in loggers:
            logger.setLevel(logging.ERROR)
        try:
            yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)
