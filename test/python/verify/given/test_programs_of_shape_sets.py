"""verify of artifacts with several sets of shapes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from click.testing import CliRunner

import forge_mlir
from forge_mlir.artifact.reader import Artifact
from forge_mlir.cli.app import app
from forge_mlir.errors import ForgeError
from forge_mlir.verify import Verification, verify_model
from resealing import edited_copy
from sample_models.probe import FLOAT, build, node, partitioned, weights

SHAPES = {"prefill": {"x": (1, 16, 8)}, "decode": {"x": (1, 1, 8)}}


def net() -> onnx.ModelProto:
    nodes = [
        node("MatMul", ["x", "w"], ["p"], "product"),
        node("Relu", ["p"], ["r"], "relu"),
        node("Mul", ["r", "s"], ["y"], "scaled"),
    ]
    inputs = {"x": (FLOAT, ["batch", "seq", 8]), "s": (FLOAT, [])}
    return build(nodes, inputs, {"y": FLOAT}, w=weights(8, 8))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Artifact:
    """The artifact; its model is in the parent folder."""
    folder = tmp_path_factory.mktemp("made")
    onnx.save(net(), folder / "net.onnx")
    return forge_mlir.compile(folder / "net.onnx", folder / "out", shapes=SHAPES)


def model_of(made: Artifact) -> Path:
    return made.directory.parent / "net.onnx"


def edited(made: Artifact, folder: Path, file: str, edit: Callable[[str], str]) -> Verification:
    out = edited_copy(made, folder / "edited", file, edit)
    return verify_model(model_of(made), artifact=out)


@pytest.mark.parametrize("shapes", [None, SHAPES])
def test_an_artifact_as_it_was_compiled(shapes: dict[str, dict[str, tuple[int, ...]]] | None, made: Artifact) -> None:
    found = verify_model(model_of(made), artifact=made.directory, shapes=shapes)
    assert (found.verdict, found.exact and found.exact.state) == ("right", "equal")
    assert found.shape_sets == (("prefill", "right"), ("decode", "right"))


def test_a_model_that_is_compiled_for_several(made: Artifact) -> None:
    found = verify_model(model_of(made), shapes=SHAPES)
    assert (found.verdict, found.shape_sets) == ("right", (("prefill", "right"), ("decode", "right")))


@pytest.mark.parametrize(("program", "at"), [("prefill", 0), ("decode", 1)])
def test_an_error_in_one_program(program: str, at: int, made: Artifact, tmp_path: Path) -> None:
    found = edited(made, tmp_path, f"net_{program}.py", lambda text: text.replace("forge.op.Relu(", "forge.op.Abs("))
    assert (found.verdict, found.shape_set, found.exact and found.exact.state) == ("wrong", program, "different")
    assert [verdict for _, verdict in found.shape_sets] == ["right" if other != at else "wrong" for other in range(2)]


def test_an_edit_that_is_undecided(made: Artifact, tmp_path: Path) -> None:
    found = edited(
        made,
        tmp_path,
        "net_decode.py",
        lambda text: text.replace("        return ", "        pass\n        return ", 1),
    )
    assert (found.verdict, found.shape_set) == ("undecided", "decode")
    assert found.reasons[0].startswith("module net_decode.py has Python that is not a call of forge.op (line ")


def test_an_output_of_another_shape(made: Artifact, tmp_path: Path) -> None:
    last = '        z = forge.op.Reshape("", y, shape=(1, 8))\n        return z'

    def other(text: str) -> str:
        (name,) = [line.split()[1] for line in text.splitlines() if line.startswith("        return ")][:1]
        return text.replace(f"        return {name}", last.replace("y, shape", f"{name}, shape"), 1)

    found = edited(made, tmp_path, "net_decode.py", other)
    assert (found.verdict, found.shape_set) == ("wrong", "decode")
    assert "expected shape [1, 1, 8], but got [1, 8]" in found.reasons[0]


def test_inputs_belong_to_the_set_of_their_shapes(made: Artifact) -> None:
    """So do goldens; the other programs run with random inputs."""
    x = {"x": -np.ones((1, 1, 8), np.float32), "s": np.float32(2)}
    y = forge_mlir.run(made, x)
    found = verify_model(model_of(made), x, y, artifact=made.directory)
    assert found.verdict == "right"
    found = verify_model(model_of(made), x, {"y": y["y"] + 1}, artifact=made.directory)
    assert (found.verdict, found.shape_set, found.against) == ("wrong", "decode", "outputs")
    with pytest.raises(ForgeError, match="no shape set takes inputs of the shapes"):
        verify_model(model_of(made), {"x": np.ones((1, 2, 8), np.float32)}, artifact=made.directory)


def test_other_shapes_than_it_was_compiled_for(made: Artifact) -> None:
    with pytest.raises(
        ForgeError, match="was compiled for the shape sets 'prefill', 'decode'; verify was given others"
    ):
        verify_model(model_of(made), artifact=made.directory, shapes={**SHAPES, "decode": {"x": (1, 2, 8)}})


def test_programs_with_cpu_partitions(tmp_path: Path) -> None:
    onnx.save(partitioned(), tmp_path / "net.onnx")
    shape = onnx.load(tmp_path / "net.onnx").graph.input[0].type.tensor_type.shape.dim
    shapes = {"one": {"x": [each.dim_value for each in shape]}}
    made = forge_mlir.compile(tmp_path / "net.onnx", tmp_path / "out", shapes=shapes, fallback="cpu")
    found = verify_model(tmp_path / "net.onnx", artifact=made.directory, fallback="cpu")
    assert (found.verdict, found.shape_sets, found.reasons) == ("right", (("one", "right"),), ())
    assert found.exact is not None
    assert found.exact.state == "equal"


def test_the_command_prints_the_verdict_of_each_shape_set(made: Artifact, tmp_path: Path) -> None:
    words = ["verify", str(model_of(made)), "--shapes", "prefill: x=1x16x8", "--shapes", "decode: x=1x1x8"]
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 0
    assert told.stdout.splitlines()[-1].endswith("; shapes: prefill right, decode right")
    edited(made, tmp_path, "net_decode.py", lambda text: text.replace("forge.op.Relu(", "forge.op.Abs("))
    told = CliRunner().invoke(app, ["verify", str(model_of(made)), "--artifact", str(tmp_path / "edited"), "--json"])
    facts = json.loads(told.stdout)
    assert (facts["verdict"], facts["shape_set"]) == ("wrong", "decode")
    assert facts["shape_sets"] == [{"name": "prefill", "verdict": "right"}, {"name": "decode", "verdict": "wrong"}]
    assert facts["errors"][0]["message"].endswith("the module's results differ from ONNX for the shapes 'decode'")
