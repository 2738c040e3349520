"""The backend of torch.compile."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._functorch._aot_autograd.utils import make_boxed_func

from forge_mlir.codes import Code
from forge_mlir.compiler import driver
from forge_mlir.errors import ForgeError
from forge_mlir.execute.loaded_model import LoadedModel
from forge_mlir.execute.values.torch_values import to_numpy, to_torch
from forge_mlir.integration.torch_decompositions import decompositions
from forge_mlir.integration.torch_export import export, require_no_dropout

MOST_SHAPES = 8
"""The default recompilation limit of torch.compile."""


def backend(
    graph: torch.fx.GraphModule, example_inputs: Sequence[Any], options: Mapping[str, Any] | None = None
) -> Callable[..., Any]:
    """`torch.compile(model, backend="forge_mlir")`: each graph that torch finds is compiled and runs on the CPU
    reference, or on the device if Tenstorrent's package is installed; nodes that the device lacks run on the CPU.

    A graph is compiled for each set of input shapes on first use, for up to `max_shapes` (8) sets; `max_shapes` and
    keyword arguments of `forge_mlir.compile` can be given as torch.compile's `options`. In-place writes of buffers and
    inputs are supported. Inference only: results have no gradients. Raises ForgeError for a graph that draws random
    numbers because a module is in training mode, and, at run time, if there are too many sets of shapes.
    """
    given = dict(options or {})
    most = given.pop("max_shapes", MOST_SHAPES)
    if not isinstance(most, int) or most < 1:
        raise ValueError(f"max_shapes: expected an integer of at least 1, but got {most!r}")
    if stray := sorted(given.keys() & {"shapes", "generate"}):
        raise TypeError(f"a graph is compiled for the shapes of its inputs, and takes no {' and no '.join(stray)}")

    def compiler(functional: torch.fx.GraphModule, _inputs: Sequence[Any]) -> Callable[..., Any]:
        require_no_dropout(functional.graph)
        compiled: Callable[..., Any] = make_boxed_func(_ForEachShape(_without_values(functional), most, given))
        return compiled

    # AOTAutograd converts writes to results, writes these back, and tracks which results are views of inputs.
    with torch.no_grad():
        made: Callable[..., Any] = aot_autograd(fw_compiler=compiler, decompositions=decompositions())(
            graph, example_inputs
        )
    return made


class _ForEachShape:
    """A graph without in-place writes, compiled for each set of input shapes."""

    def __init__(self, graph: torch.fx.GraphModule, most: int, options: Mapping[str, Any]) -> None:
        self._graph = graph
        self._most = most
        self._options = options
        self._models: dict[tuple[Any, ...], _Compiled] = {}

    def __call__(self, *values: Any) -> list[Any]:
        key = tuple((tuple(v.shape), v.dtype) if isinstance(v, torch.Tensor) else v for v in values)
        if key not in self._models:
            if len(self._models) >= self._most:
                shapes = ", ".join(str(list(value.shape)) for value in values if isinstance(value, torch.Tensor))
                raise ForgeError(
                    Code.TooManyShapes,
                    f"inputs of shapes {shapes}: the graph was compiled for {self._most} others, which is the limit; "
                    'pad the inputs, or give torch.compile options={"max_shapes": N}',
                )
            # The dispatcher's state is thread-local, and export does not work with that of a compiled function.
            with ThreadPoolExecutor(1) as fresh:
                self._models[key] = fresh.submit(_Compiled, self._graph, values, self._options).result()
        return self._models[key](values)


class _Compiled:
    """A graph compiled for certain input shapes, and for the values of inputs that are not tensors."""

    def __init__(self, graph: torch.fx.GraphModule, values: Sequence[Any], options: Mapping[str, Any]) -> None:
        self._files = tempfile.TemporaryDirectory()  # CPU partitions read their graphs from here
        file = Path(self._files.name, "graph.onnx")
        self._results: list[Any] = []
        tensors = _Tensors(graph, values, self._tell).eval()
        # New tensors, without the strides of views.
        examples = (torch.zeros(tuple(v.shape), dtype=v.dtype) for v in values if isinstance(v, torch.Tensor))
        export(tensors, tuple(examples), file)
        chosen: Any = {"fallback": "cpu", **options}
        self._model = LoadedModel.open(driver.compile(file, Path(self._files.name, "out"), **chosen))

    def _tell(self, results: list[Any]) -> None:
        self._results = results

    def __call__(self, values: Sequence[Any]) -> list[Any]:
        arrays = [to_numpy(value) for value in values if isinstance(value, torch.Tensor)]
        made = map(to_torch, self._model.run(dict(zip(self._model.input_names, arrays, strict=True))).values())
        return [next(made) if value is _TENSOR else value for value in self._results]


_TENSOR = object()


class _Tensors(torch.nn.Module):
    """A graph with only tensor inputs and outputs, for given values of its other inputs. When it is traced it records
    its other outputs, with `_TENSOR` in place of each tensor."""

    def __init__(self, graph: torch.fx.GraphModule, values: Sequence[Any], tell: Callable[[list[Any]], None]) -> None:
        super().__init__()
        self.graph = graph.eval()
        self._values = tuple(values)
        self._tell = tell

    def forward(self, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        given = iter(tensors)
        results = self.graph(*(next(given) if isinstance(value, torch.Tensor) else value for value in self._values))
        self._tell([_TENSOR if isinstance(result, torch.Tensor) else result for result in results])
        return tuple(result for result in results if isinstance(result, torch.Tensor))


def _without_values(graph: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """A copy of `graph` without the fake tensors of its trace, which another trace would reuse."""
    copied = torch.fx.GraphModule(graph, torch.fx.Graph())
    copied.graph.output(copied.graph.graph_copy(graph.graph, {}))
    for node in copied.graph.nodes:
        node.meta = {}
    copied.recompile()
    return copied
