"""Equal groups of calls become one method, a block; every tool that reads a module still finds each occurrence."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto
from onnx.reference import ReferenceEvaluator

import forge_mlir
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.reseal import reseal
from forge_mlir.artifact.source.parsed_calls import parsed_calls
from forge_mlir.bisect import bisect_model
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.compiler.options import Options
from forge_mlir.execute.loaded_model import LoadedModel
from forge_mlir.execute.tile_emulator import TileEmulator
from forge_mlir.report.graph.export import to_model_explorer, to_onnx
from forge_mlir.report.model_report import model_report
from forge_mlir.verify import verify_artifact, verify_model
from sample_models.goldens import assert_same
from sample_models.layers import WIDTHS, norms
from sample_models.repository import stored
from sample_models.transformer import TOKENS, WORDS, transformer

SPELT = ("mean", "centred", "square", "moved", "root", "divided")  # The mean of squares is a part of the product.


@dataclass(frozen=True)
class Case:
    """A model of norms. `places` is the number of calls of the block in each device module, `nodes` are the nodes of a
    norm, and `block` is the name of the method."""

    model: ModelProto
    places: tuple[int, ...]
    nodes: tuple[str, ...]
    options: Options = field(default_factory=Options)
    block: str = "norm_block"

    def save(self, folder: Path) -> Path:
        onnx.save(self.model, folder / "model.onnx")
        return folder / "model.onnx"

    @property
    def expected(self) -> list[str]:
        """The nodes that have a value in the module, in order."""
        count = sum(self.places)
        each = [
            [*(name.format(at) for name in self.nodes), f"tanh_{at}", f"product_{at}", f"size_{at}"]
            for at in range(count)
        ]
        if len(self.places) == 2:
            each.insert(self.places[0], ["matrix", "det", "scaled"])
        return [name for names in each for name in names]


LONG = (16, 24, 40, 12, 20)
ONE, EACH = ("norm_{}",), tuple(f"/norm.{{}}/{name}" for name in SPELT)
CASES = {
    "one node": Case(norms(), (3,), ONE),
    "nodes of a scope": Case(norms(spelled=True), (3,), EACH),
    "partitions": Case(norms(LONG, hosted_at=2), (2, 2), ONE, {"fallback": "cpu"}),
    "partitions, nodes of a scope": Case(
        norms(LONG, hosted_at=2, spelled=True), (2, 2), EACH, {"fallback": "cpu"}, "block"
    ),
}


def inputs_of(rows: int = 4) -> dict[str, np.ndarray]:
    return {"x": np.random.default_rng(rows).standard_normal((rows, WIDTHS[0])).astype(np.float32)}


def modules_of(artifact: Artifact) -> list[Artifact]:
    regions = artifact.manifest().get("partitions", [{"module": artifact.name, "kind": "device"}])
    return [Artifact(artifact.directory, region["module"]) for region in regions if region["kind"] == "device"]


def texts_of(artifact: Artifact) -> list[str]:
    return [module.module_path.read_text() for module in modules_of(artifact)]


def told(text: str) -> list[tuple[str, str]]:
    return sorted((call.callee, call.node) for call in parsed_calls(text))


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


def test_a_module_with_blocks_gives_the_same_results(case: Case, tmp_path: Path) -> None:
    short, flat = (
        forge_mlir.compile(case.model, tmp_path / str(flat), name="m", flat=flat, **case.options)
        for flat in (False, True)
    )
    for text, line, places in zip(texts_of(short), texts_of(flat), case.places, strict=True):
        assert len(re.findall(rf"    def {case.block}\(self, x, \w+, constant_1e_05, ", text)) == 1
        assert text.count(f" = self.{case.block}(") == places
        assert (text.count("forge.op.Sqrt("), line.count("forge.op.Sqrt(")) == (1, places)
        assert told(text) == told(line)
    assert short.calls() == flat.calls() == sum(line.count(" = forge.op.") for line in texts_of(flat))
    np.testing.assert_array_equal(*(next(iter(forge_mlir.run(each, inputs_of()).values())) for each in (short, flat)))


@pytest.mark.alike(keep=3)
@pytest.mark.parametrize("flat", [False, True])
def test_each_value_of_each_call_is_verified(case: Case, flat: bool, tmp_path: Path) -> None:
    result = verify_model(case.save(tmp_path), inputs_of(), flat=flat, **case.options)
    assert result.passed
    assert [report.node.name for report in result.nodes] == case.expected


def test_the_trace_finds_values_in_blocks(case: Case, tmp_path: Path) -> None:
    artifact, _ = compile_traced(case.save(tmp_path), tmp_path / "out", **case.options)
    for module in modules_of(artifact):
        nodes = {call.path: call.node for call in parsed_calls(module.module_path.read_text())}
        inside = {
            entry["onnx_name"]: entry["variable"] for entry in module.manifest()["trace"] if "." in entry["variable"]
        }
        if case.block == "block":  # The block contains the nodes between norms, too.
            inside = {name: place for name, place in inside.items() if nodes[place].startswith("/norm")}
        # `/norm.1.root` is called `root` in the call of the block that computes norm 1.
        norms_here = {nodes[place].rsplit("/", 1)[0] for place in inside.values()}
        assert len(inside) == len(norms_here) * len(case.nodes)
        for name, place in inside.items():
            scope, _, last = name.rpartition(".")
            node = nodes[place]
            assert node == f"{scope}/{last}" if node.startswith("/") and last in SPELT else name.startswith("normal.")


@pytest.mark.parametrize("callee", ["Sqrt", "Divide"])
def test_an_error_in_a_block_is_found_in_its_first_call(case: Case, callee: str, tmp_path: Path) -> None:
    path = case.save(tmp_path)
    artifact, imported = compile_traced(path, tmp_path / "out", **case.options)
    last = modules_of(artifact)[-1]
    text = last.module_path.read_text()
    line = next(at for at, each in enumerate(text.splitlines(), 1) if f" = forge.op.{callee}(" in each)
    wrong = {"Sqrt": "forge.op.Abs(", "Divide": "forge.op.Multiply("}[callee]
    last.module_path.write_text(text.replace(f"forge.op.{callee}(", wrong))
    reseal(artifact.directory)
    found = verify_artifact(path, artifact, imported, inputs_of(), **case.options).divergence
    assert found is not None
    node = SPELT.index({"Sqrt": "root", "Divide": "divided"}[callee]) if len(case.nodes) > 1 else 0
    assert found.node.name == case.nodes[node].format(sum(case.places[:-1]))
    assert (last.module_path.name, line) in {(step.file, step.line) for step in found.steps}


def test_passes_of_a_model_with_blocks_are_bisected(case: Case, tmp_path: Path) -> None:
    assert bisect_model(case.save(tmp_path), inputs_of(), **case.options).culprit is None


@pytest.mark.alike(keep=2)
def test_reports_have_each_call(case: Case) -> None:
    short, flat = (model_report(case.model, flat=flat, **case.options) for flat in (False, True))
    assert short.calls == flat.calls
    calls, others = (
        {row.name: [text.split(" = ")[1].split("(")[0] for text in row.emitted] for row in each.nodes}
        for each in (short, flat)
    )
    assert calls == others
    root = case.nodes[-2 if len(case.nodes) > 1 else 0]
    assert all("forge.op.Sqrt" in calls[root.format(at)] for at in range(sum(case.places)))
    assert to_model_explorer(case.model, **case.options) == to_model_explorer(case.model, flat=True, **case.options)
    assert to_onnx(case.model, **case.options).graph == to_onnx(case.model, flat=True, **case.options).graph


@pytest.mark.parametrize("hosted_at", [-1, 2])
def test_each_shape_set_has_blocks_and_a_session_runs_them(hosted_at: int, tmp_path: Path) -> None:
    model = norms(LONG, "rows", hosted_at=hosted_at)
    onnx.save(model, tmp_path / "model.onnx")
    result = model.graph.output[0].name
    # The CPU node needs a square matrix.
    sizes = [4] if hosted_at >= 0 else [8, 1]
    sets = {f"of{count}": {"x": (count, LONG[0])} for count in sizes}
    artifact = forge_mlir.compile(tmp_path / "model.onnx", tmp_path / "out", shapes=sets, fallback="cpu")
    for name in sets:
        counts = [text.count(" = self.norm_block(") for text in texts_of(artifact.shape_set(name))]
        assert counts == ([4] if hosted_at < 0 else [2, 2])
    sessions = [forge_mlir.InferenceSession(source) for source in (artifact.directory, tmp_path / "model.onnx")]
    for count in sizes:
        (expected,) = ReferenceEvaluator(model).run(None, inputs_of(count))
        for session in sessions:
            assert_same(session.run([result], inputs_of(count))[0], expected)


def test_tiles_are_emulated_in_blocks(tmp_path: Path) -> None:
    model, results, seen = norms(spelled=True), [], []
    for flat in (False, True):
        artifact = forge_mlir.compile(model, tmp_path / str(flat), name="m", flat=flat)
        calls: list[str] = []
        emulator = TileEmulator(0.0, on_call=lambda op, _, calls=calls: calls.append(op))
        results += LoadedModel.open(artifact).run(inputs_of(), emulator).values()
        seen.append(calls)
    assert len(seen[0]) > 25
    assert seen[0] == seen[1]
    np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("brace", "{}")
def test_a_scope_with_braces_is_printed_unchanged(brace: str, tmp_path: Path) -> None:
    model = norms(spelled=True)
    for node in model.graph.node:
        node.name = node.name.replace("/norm", f"/{brace}/norm")
    artifact = forge_mlir.compile(model, tmp_path, name="m")
    (text,) = texts_of(artifact)
    assert text.count(" = self.norm_block(") == 3
    told_of = {node.name for node in model.graph.node if not node.name.endswith("/variance")}
    assert {call.node for call in parsed_calls(text) if call.node} == told_of
    forge_mlir.run(artifact, inputs_of())


def words() -> dict[str, np.ndarray]:
    return {"ids": np.random.default_rng(0).integers(0, WORDS, (1, TOKENS))}


@pytest.mark.alike(keep=1)
@pytest.mark.parametrize("counted", [False, True], ids=["paths", "counters"])
def test_a_model_of_48_layers_has_a_short_module(counted: bool, tmp_path: Path) -> None:
    model = transformer(48, counted)
    short, flat = (forge_mlir.compile(model, tmp_path / str(flat), name="m", flat=flat) for flat in (False, True))
    text, line = short.module_path.read_text(), flat.module_path.read_text()
    assert text.count("\n") <= 150
    assert text.count("    for n in range(48):\n") == 2
    assert text.count(" = self.h_layer(n, x, constant_1e_05)") == 1
    # The two norms of a layer and the final one, each with the product after it.
    assert text.count("forge.op.Sqrt(") == 1
    assert text.count(" = self.block(") == 3
    assert line.count("forge.op.Sqrt(") == 2 * 48 + 1
    assert told(text) == told(line)
    assert short.calls() == flat.calls() == line.count(" = forge.op.")
    np.testing.assert_array_equal(*(forge_mlir.run(each, words())["logits"] for each in (short, flat)))


@pytest.mark.alike(keep=2)
@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("counted", [False, True], ids=["paths", "counters"])
def test_each_node_of_a_transformer_is_verified(counted: bool, flat: bool, tmp_path: Path) -> None:
    model = transformer(3, counted)
    onnx.save(model, tmp_path / "model.onnx")
    result = verify_model(tmp_path / "model.onnx", words(), flat=flat, fast_math=["all"])
    assert result.passed
    # The scale and the bias of a norm are folded into the products after it, and are verified with these. The operand
    # of the norms is centred, unlike the values of the model.
    verified = Counter(report.node.op_type for report in result.nodes)
    assert verified["LayerNormalization"] == 0
    assert {op: verified[op] for op in ("Softmax", "Gelu", "MatMul")} == {"Softmax": 3, "Gelu": 3, "MatMul": 4}
    # The parts of a layer's Split become heads before they are sliced, so that no call computes a part.
    assert verified["Split"] == 0
    assert len(result.nodes) == 25


@pytest.mark.parametrize("name", ["gpt2_block", "bert", pytest.param("mixtral", marks=pytest.mark.slow)])
def test_a_method_hides_no_value_of_a_stored_model(name: str) -> None:
    folder = stored(name)[0]
    inputs = dict(np.load(folder / "inputs.npz"))
    short, flat = (verify_model(folder / "model.onnx", inputs, flat=flat) for flat in (False, True))
    assert short.passed
    assert len(short.nodes) > 16
    assert short.nodes == flat.nodes
