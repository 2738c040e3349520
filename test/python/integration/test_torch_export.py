"""PyTorch modules that are exported and compiled: state that they write, training mode, arguments and results."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

import forge_mlir
from forge_mlir import Artifact, ForgeError
from forge_mlir.codes import Code
from sample_models.goldens import assert_same

# Importing it takes seconds in each worker of the tests.
pytestmark = pytest.mark.skipif(find_spec("onnxscript") is None, reason="what torch exports with is not there")
X = torch.linspace(-1, 1, 8).reshape(2, 4)


@pytest.fixture(autouse=True)
def _in_scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    torch._dynamo.reset()
    torch.manual_seed(0)
    with torch.no_grad():
        yield


def names(artifact: Artifact) -> tuple[list[str], list[str]]:
    """The names of inputs and outputs."""
    facts = artifact.manifest()["onnx"]
    return [info["name"] for info in facts["inputs"]], [info["name"] for info in facts["outputs"]]


class Sums(torch.nn.Module):
    """Keeps a running sum in one buffer and a counter in another, which it assigns, and doubles its input."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.zeros(4))
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.total.add_(x)
        self.count = self.count + 1
        x.mul_(2)
        return self.total * self.count + x


def test_in_place_writes_are_outputs_of_the_compiled_model() -> None:
    artifact = forge_mlir.compile(Sums().eval(), (torch.ones(4),), "out")
    assert names(artifact)[0] == ["x", "total", "count"]
    assert names(artifact)[1][1:] == ["total.updated", "count.updated", "x.updated"]
    assert sorted(warning.message.partition(" in place")[0] for warning in artifact.warnings) == [
        "the module writes to its buffer 'count'",
        "the module writes to its buffer 'total'",
        "the module writes to its input 'x'",
    ]
    assert {warning.code for warning in artifact.warnings} == {Code.WritesReturned}
    with pytest.raises(ForgeError, match="expected inputs 'x', 'total', 'count'"):
        forge_mlir.run(artifact, {"x": np.ones(4, np.float32)})
    eager = Sums()
    state = {name: value.numpy().copy() for name, value in eager.named_buffers()}
    for _ in range(3):
        x = torch.ones(4)
        found = forge_mlir.run(artifact, {"x": x.numpy().copy(), **state})
        assert_same(next(iter(found.values())), eager(x).numpy())
        assert_same(found["x.updated"], x.numpy())
        state = {name: found[f"{name}.updated"] for name in state}
    np.testing.assert_array_equal(state["total"], [3, 3, 3, 3])


class Norm(torch.nn.Module):
    def __init__(self, drop: float) -> None:
        super().__init__()
        self.norm, self.drop = torch.nn.BatchNorm1d(4), torch.nn.Dropout(drop)

    def forward(self, x: torch.Tensor) -> Any:
        return self.drop(self.norm(x)), 2 * x.shape[0]


def test_training_mode_is_refused_where_results_depend_on_it() -> None:
    module = Norm(0.5)
    module.norm.eval()
    with pytest.raises(ForgeError, match=r"in training mode.*\(module 'drop'\); call eval") as refused:
        forge_mlir.compile(module, (X,), "out")
    assert refused.value.code is Code.ModuleInTraining
    assert module.training
    assert not module.norm.training
    with pytest.raises(ForgeError, match=r"in training mode.*\(module 'norm'\); call eval"):
        forge_mlir.compile(Norm(0), (X,), "out")
    for program in (
        exported := torch.export.export(torch.nn.BatchNorm1d(4), (X,)),
        torch.onnx.export(exported, verbose=False),
    ):
        with pytest.raises(ForgeError, match="statistics of its batch"):
            forge_mlir.compile(program, "out")
    with pytest.raises(Exception, match="draws random numbers in training mode"):
        torch.compile(Norm(0.5), backend="forge_mlir")(X)
    found = forge_mlir.run(forge_mlir.compile(Norm(0.5).eval(), (X,), "out"), {"x": X.numpy()})
    assert list(found.values())[1] == 4


class Layer:
    """An object with tensors, like a cache of transformers: neither a tuple nor a dict, nor registered with torch."""

    def __init__(self, keys: torch.Tensor) -> None:
        self.keys, self.size = keys, keys.shape[0]


class Cache:
    def __init__(self, keys: torch.Tensor) -> None:
        self.layers = [Layer(keys), Layer(keys + 1)]


@dataclasses.dataclass
class Result:
    logits: torch.Tensor
    loss: torch.Tensor | None = None
    past: Cache | None = None


class Head(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, ids: torch.Tensor, masks: Any = None, others: Any = (), scale: float = 1.0) -> Result:
        x = self.linear(ids) * scale
        if masks is not None:
            x = x * masks["m"]
        for other in others:
            x = x + other
        return Result(x, past=Cache(x))


OUTPUTS = ["logits", "past.layers.0.keys", "past.layers.1.keys"]


def test_arguments_of_all_kinds() -> None:
    head = Head().eval()
    given = {"masks": {"m": X}, "others": [X, X + 1], "scale": 2.0}
    artifact = forge_mlir.compile(head, (X,), "out", kwargs=given)
    assert artifact.directory == Path("out")
    assert names(artifact) == (["ids", "masks_m", "others_0", "others_1"], OUTPUTS)
    arrays = {"ids": X, "masks_m": X, "others_0": X, "others_1": X + 1}
    found = forge_mlir.run(artifact, {name: value.numpy() for name, value in arrays.items()})
    assert_same(found["logits"], head(X, **given).logits.numpy())
    assert_same(found["past.layers.1.keys"], found["logits"] + 1)
    assert names(forge_mlir.compile(head, [X, {"m": X}], force=True))[0] == ["ids", "masks_m"]
    assert names(forge_mlir.compile(head, "named", kwargs={"ids": X}))[0] == ["ids"]
    assert "forward" not in vars(head)


class Pair(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


class Same(torch.nn.Module):
    """Returns one value several times, its input, and values with names that others have."""

    def forward(self, x: torch.Tensor) -> Any:
        y = x + 1
        return Pair(y, y), {"x": y * 2, "add": y * 3, "none": None}, x


def test_each_result_is_an_output() -> None:
    found = forge_mlir.run(forge_mlir.compile(Same(), (X,), "out"), {"x": X.numpy()})
    assert list(found)[:4] == ["0.left", "0.right", "1.x", "1.add"]
    for value, factor in zip(found.values(), (1, 1, 2, 3), strict=False):
        assert_same(value, (X.numpy() + 1) * factor)
    np.testing.assert_array_equal(list(found.values())[4], X.numpy())


def test_open_dims() -> None:
    for dim in (torch.export.Dim("batch"), "batch"):
        with pytest.raises(ForgeError, match=r"Head: input 'ids' has open dim 'batch'"):
            forge_mlir.compile(Head().eval(), (X,), "out", dynamic_shapes={"ids": {0: dim}})
    artifact = forge_mlir.compile(Head().eval(), (X,), "out", dynamic_shapes={"ids": {0: "batch"}}, dims={"batch": 3})
    assert artifact.manifest()["onnx"]["inputs"][0]["shape"] == [3, 4]


def test_exported_programs() -> None:
    exported = torch.export.export(Sums(), (torch.ones(4),))
    program = torch.onnx.export(exported, verbose=False, optimize=False)
    assert program is not None
    for source in (exported, program, program):
        artifact = forge_mlir.compile(source, "out")
        assert names(artifact)[0] == ["x", "total", "count"]
    lost = torch.onnx.export(torch.export.export(Unread(), (X,)), verbose=False)
    with pytest.raises(ForgeError, match=r"writes to 'total' in place, and its ONNX form has no such result") as caught:
        forge_mlir.compile(lost, "lost")
    assert caught.value.code == Code.WritesLost


class Unread(torch.nn.Module):
    """Writes a buffer that it does not read, which torch's optimiser removes."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.zeros(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.total += x.sum(0)
        return x * 2


class Branch(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x if x.sum() > 0 else -x


class NonZero(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nonzero(x)


def test_errors_name_the_cause_and_the_module() -> None:
    with pytest.raises(ForgeError, match="data-dependent") as refused:
        forge_mlir.compile(Branch(), (X,), "out")
    assert refused.value.code is Code.ExportFailed
    assert "\\x1b" not in str(refused.value)
    with pytest.raises(ForgeError, match=r"NonZero: cannot be compiled(.|\n)*NonZero: node") as refused:
        forge_mlir.compile(NonZero(), (X,), "out")
    assert ".onnx" not in str(refused.value)


def test_arguments_that_make_no_sense() -> None:
    with pytest.raises(TypeError, match="expected a path for output"):
        forge_mlir.compile(Head(), (X,), (X,))
    with pytest.raises(TypeError, match="values by name are given in kwargs"):
        forge_mlir.compile(Head(), "out", {"ids": X})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="an exported program has its own"):
        forge_mlir.compile(torch.export.export(Same(), (X,)), (X,))
    with pytest.raises(TypeError, match="are for torch modules"):
        forge_mlir.compile("model.onnx", kwargs={})


class Exchanged(torch.nn.Module):
    """Its results have the names that the exporter gives to the nodes of the other one."""

    def forward(self, x: torch.Tensor) -> dict[str, torch.Tensor]:
        return {"add": x * 2, "mul": x + 1}


class KeysOfOneText(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> dict[Any, torch.Tensor]:
        return {1: x + 1, "1": x * 2, None: x * 3}


def test_no_result_is_lost_if_keys_have_one_text() -> None:
    results = forge_mlir.run(forge_mlir.compile(KeysOfOneText().eval(), (X,), "out"), {"x": X.numpy()})
    assert [*results] == ["1", "1_", "None"]
    for result, expected in zip(results.values(), (X + 1, X * 2, X * 3), strict=True):
        assert_same(result, expected.numpy())


def test_results_named_as_nodes_of_others() -> None:
    artifact = forge_mlir.compile(Exchanged().eval(), (X,), "out")
    assert names(artifact)[1] == ["add", "mul"]
    assert_same(forge_mlir.run(artifact, {"x": X.numpy()})["add"], (2 * X).numpy())
