"""Graphs of stages in the formats of Model Explorer and Netron."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import onnx
import pytest
from onnx import ModelProto

from forge_mlir import ForgeError
from forge_mlir.report.graph.export import FORGE_DOMAIN, PARTITION_DOMAIN, to_model_explorer, to_onnx
from sample_models.partition import products
from sample_models.small import one_node
from sample_models.tools import run_command


def graphs(source: Path | ModelProto, **options: Any) -> list[dict[str, Any]]:
    found = json.loads(to_model_explorer(source, **options))
    for graph in found:
        outputs = {node["id"]: len(node["outputsMetadata"]) for node in graph["nodes"]}
        assert len(outputs) == len(graph["nodes"]), "ids are unique"
        for node in graph["nodes"]:
            inputs = [edge["targetNodeInputId"] for edge in node["incomingEdges"]]
            assert inputs == list(map(str, range(len(inputs))))
            for edge in node["incomingEdges"]:
                assert int(edge["sourceNodeOutputId"]) < outputs[edge["sourceNodeId"]]
    assert len({graph["id"] for graph in found}) == len(found)
    return found  # type: ignore[no-any-return]


def test_stages_for_model_explorer(gpt2_block: Path) -> None:
    found = graphs(gpt2_block / "model.onnx")
    assert found[0]["id"] == "00 import: main_graph"
    labels = Counter(node["label"] for node in found[0]["nodes"])
    assert labels["onnx.LayerNormalization"] == 2
    after = {graph["id"].split(" ")[1].rstrip(":"): graph for graph in found}
    assert "forge.split" in {node["label"] for node in after["convert-onnx-to-forge"]["nodes"]}
    last = found[-1]["nodes"]
    assert "forge.split" not in {node["label"] for node in last}
    (root,) = [node for node in last if "/ln_1/" in str(node["attrs"]) and node["label"] == "forge.sqrt"]
    assert root["namespace"] == "ln_1"
    assert {"key": "type", "value": "tensor<1x16x1xf32>"} in root["outputsMetadata"][0]["attrs"]


def test_a_refused_model_has_the_previous_stages() -> None:
    assert [graph["id"] for graph in graphs(products())] == ["00 import: net"]
    model = one_node("Relu", [1, 3])
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
    assert len(graphs(model)) == 1
    for refused in (products(), model):
        with pytest.raises(ForgeError):
            to_onnx(refused)


def test_an_onnx_file_of_the_lowered_graph(gpt2_block: Path) -> None:
    model = to_onnx(gpt2_block / "model.onnx")
    onnx.checker.check_model(model, full_check=True)
    nodes = Counter(node.op_type for node in model.graph.node)
    assert {node.domain for node in model.graph.node} == {FORGE_DOMAIN}
    assert nodes["sqrt"] == 2
    (value,) = model.graph.input
    assert [dim.dim_value for dim in value.type.tensor_type.shape.dim] == [1, 16, 64]
    (reshape, *_) = [node for node in model.graph.node if node.op_type == "reshape"]
    assert "/attn/" in reshape.name


def test_partitions_are_functions() -> None:
    model = to_onnx(products(), fallback="cpu")
    onnx.checker.check_model(model)
    assert {node.domain for node in model.graph.node} == {PARTITION_DOMAIN}
    assert sorted(node.op_type for node in model.graph.node) == sorted(function.name for function in model.functions)
    assert "Det" in {node.op_type for function in model.functions for node in function.node}


def test_the_command(tmp_path: Path) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "net.onnx")

    def report(*words: str) -> subprocess.CompletedProcess[str]:
        return run_command("report", "net.onnx", *words, cwd=tmp_path)

    assert report("--format=onnx").stdout == "net_report.onnx\n"
    onnx.checker.check_model(onnx.load(tmp_path / "net_report.onnx"))
    assert report("-o", "a.explorer.json").stdout == "a.explorer.json\n"
    assert json.loads((tmp_path / "a.explorer.json").read_text())[0]["id"].startswith("00 import")
    assert report("-o", "net.onnx").returncode == 3
    assert onnx.load(tmp_path / "net.onnx").graph.node[0].op_type == "Relu"


@pytest.mark.parametrize(
    "words", [["report", "--format=onnx"], ["bisect"], ["bisect", "--exact"], ["bisect", "--rewrites"]]
)
def test_errors_of_passes_name_the_model(words: list[str], tmp_path: Path) -> None:
    onnx.save(one_node("Det", [4, 4]), tmp_path / "det.onnx")
    errors = [each for each in run_command(*words, "det.onnx", cwd=tmp_path).stderr.split("\n") if "error: " in each]
    assert len(errors) == 2
    assert all("] det.onnx: " in each for each in errors), errors
