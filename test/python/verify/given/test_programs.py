"""verify of edited artifacts: edits that comparisons of outputs cannot find, and modules that do not run."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import forge_mlir
from forge_mlir.artifact.manifest import sealed_json
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.reseal import reseal
from forge_mlir.errors import ForgeError
from forge_mlir.verify import Verification, verify_model
from sample_models.probe import FLOAT, build, node, partitioned, weights

RETURN = "        return y"


def scores() -> onnx.ModelProto:
    nodes = [
        node("MatMul", ["x", "w"], ["p"], "product"),
        node("Relu", ["p"], ["r"], "relu"),
        node("Mul", ["r", "half"], ["h"], "half"),
        node("MatMul", ["h", "v"], ["y"], "y"),
    ]
    return build(nodes, {"x": (FLOAT, [1, 8])}, {"y": FLOAT}, w=weights(8, 8), v=weights(8, 5), half=np.float32(0.3))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Artifact:
    """The artifact; its model is in the parent folder."""
    folder = tmp_path_factory.mktemp("made")
    onnx.save(scores(), folder / "m.onnx")
    return forge_mlir.compile(folder / "m.onnx", folder / "out")


def edited(made: Artifact, folder: Path, edits: dict[str, str], is_sealed: bool = True, **options: Any) -> Verification:
    """The verification of a copy with `edits` of its module, with or without `reseal`."""
    out = folder / "edited"
    shutil.copytree(made.directory, out)
    source = made.module_path.read_text()
    for old, new in edits.items():
        assert old in source
        source = source.replace(old, new, 1)
    (out / made.module_path.name).write_text(source, encoding="utf-8")
    if is_sealed:
        reseal(out)
    return verify_model(made.directory.parent / "m.onnx", artifact=out, **options)


def test_factors_whose_product_is_one(tmp_path: Path) -> None:
    """The program is equal, and rounds at a node that does not: that was wrong by two units."""
    model = build([node("Transpose", ["x"], ["y"], "y", perm=[1, 0])], {"x": (FLOAT, [8, 16])}, {"y": FLOAT})
    onnx.save(model, tmp_path / "m.onnx")
    made = forge_mlir.compile(tmp_path / "m.onnx", tmp_path / "out")
    for number, verdict in ((0.27027028799057007, "right"), (0.27028, "wrong")):
        call = "y"
        for factor in (3.7, number):
            call = f'forge.op.Multiply("", {call}, forge.op.Constant("", constant={factor}))'
        found = edited(made, tmp_path / verdict, {RETURN: f"        y = {call}\n{RETURN}"})
        assert (found.verdict, found.exact and found.exact.state) == (
            verdict,
            "equal" if verdict == "right" else "different",
        )


def test_an_artifact_of_another_version(made: Artifact, tmp_path: Path) -> None:
    """Another version may compile other calls for the same model, which is no error of the artifact."""
    facts = made.manifest()
    ours = facts["versions"]
    shutil.copytree(made.directory, tmp_path / "old")
    facts["versions"] = {**ours, "forge-mlir": "0.0.9\x1b"}
    (tmp_path / "old" / made.manifest_path.name).write_bytes(sealed_json(facts))
    told = (
        f"was compiled by forge-mlir 0.0.9\\x1b (this is {ours['forge-mlir']}); compile the model again, or verify with"
    )
    with pytest.raises(ForgeError, match=re.escape(told)) as raised:
        verify_model(made.directory.parent / "m.onnx", artifact=tmp_path / "old")
    assert str(raised.value.code) == "FM6010"


COUNTER = "        self.count = getattr(self, 'count', 0) + 1\n"
SAME = {
    "a counter": (COUNTER, "self.count = getattr(self, 'count', 0) + 1"),
    "a condition": ("        if x.value().sum() > 1e9:\n            y = x\n", "if x.value().sum() > 1000000000.0:"),
    "a global": ("        global STATE\n        STATE = y\n", "global STATE"),
    "torch": ("        torch.manual_seed(3)\n", "torch.manual_seed(3)"),
    "a try": ("        try:\n            pass\n        except ValueError:\n            y = x\n", "try:"),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_python_that_has_no_effect_yet(name: str, made: Artifact, tmp_path: Path) -> None:
    text, shown = SAME[name]
    found = edited(made, tmp_path, {RETURN: text + RETURN})
    line = made.module_path.read_text()[: made.module_path.read_text().index(RETURN)].count("\n") + 1
    assert {verdict for _, verdict in found.runs} == {"right"}
    assert found.verdict == "undecided"
    reason = f"module m.py has Python that is not a call of forge.op (line {line}: {shown})"
    assert found.reasons[0] == f"{reason}, which comparisons of outputs cannot cover"


def test_other_files_in_the_folder(made: Artifact, tmp_path: Path) -> None:
    """Such as the lock of an editor, which is a link to nothing."""
    out = tmp_path / "out"
    shutil.copytree(made.directory, out)
    (out / ".#m.py").symlink_to("nothing")
    os.mkfifo(out / "pipe")
    assert verify_model(made.directory.parent / "m.onnx", artifact=out).verdict == "right"


def test_an_output_that_depends_on_the_number_of_the_run(made: Artifact, tmp_path: Path) -> None:
    """Each run of a verification loads the module again, and compares its first outputs."""
    late = (
        '        if self.count > 1:\n            y = forge.op.Multiply("", y, forge.op.Constant("", constant=1.0001))\n'
    )
    found = edited(made, tmp_path, {RETURN: COUNTER + late + RETURN})
    assert {verdict for _, verdict in found.runs} == {"right"}
    assert found.verdict == "wrong"
    assert found.reasons[0] == "output 'y' differs between two runs with equal inputs: the module keeps state"


def test_a_random_number(made: Artifact, tmp_path: Path) -> None:
    noise = '        y = forge.op.Multiply("", y, forge.op.Constant("", constant=1 + 1e-5 * float(torch.rand(()))))\n'
    assert edited(made, tmp_path, {RETURN: noise + RETURN}).verdict == "wrong"


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        ('        z = forge.op.Reshape("", y, shape=(5,))\n        return z', "expected shape [1, 5], but got [5]"),
        (
            '        z = forge.op.Cast("", y, dtype=forge.DataFormat.Float16)\n        return z',
            "expected dtype float32, but got float16",
        ),
        ("        release(y)\n        return y", "was released and is read again"),
        ("        return y, y", "expected 1 outputs, but the module returns 2"),
        ("        return None", "'NoneType' object has no attribute 'detach'"),
        ("        del y\n        return y", "cannot access local variable 'y'"),
    ],
)
def test_a_module_with_wrong_outputs(edit: str, reason: str, made: Artifact, tmp_path: Path) -> None:
    """The values of an output are not compared if its shape is wrong."""
    found = edited(made, tmp_path, {RETURN: edit})
    assert found.verdict == "wrong"
    assert found.divergence is not None
    assert reason in found.divergence.reason


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("        return y", "        return y)", r"m.py: line \d+: not Python: unmatched '\)'"),
        ("class M(", "class N(", r"m.py: it has no class 'M', which the manifest names"),
        ("def forward(", "def backward(", r"m.py: expected a module with one forward, but got 0"),
        ("        relu = ", "        f(a=1, a=2)\n        relu = ", r"m.py: line \d+: not Python: keyword argument"),
    ],
)
def test_a_file_that_is_not_a_module(old: str, new: str, reason: str, made: Artifact, tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match=rf"\[FM4001\] {reason}"):
        edited(made, tmp_path, {old: new})


def test_missing_parameters(made: Artifact, tmp_path: Path) -> None:
    found = edited(made, tmp_path, {"def forward(self, x)": "def forward(self, x, z)"})
    assert (found.verdict, found.divergence is not None) == ("wrong", True)
    assert "missing 1 required positional argument: 'z'" in found.reasons[0]


@pytest.mark.parametrize("is_sealed", [True, False])
def test_an_edit_without_influence(is_sealed: bool, made: Artifact, tmp_path: Path) -> None:
    text = '        # größer als vorher\n        y = forge.op.Multiply("", y, forge.op.Constant("", constant=1.0))\n'
    found = edited(made, tmp_path, {RETURN: text + RETURN}, is_sealed)
    assert (found.verdict, found.exact and found.exact.state) == ("right", "equal")


def test_a_format_of_a_weight_that_the_reference_does_not_emulate(made: Artifact, tmp_path: Path) -> None:
    found = edited(made, tmp_path, {"DataFormat.Float32))": "DataFormat.Float16_b))"})
    assert found.verdict == "undecided"
    assert "self.add_parameter('w'" in found.reasons[0]


def _of_manifest(made: Artifact, folder: Path, edit: Callable[[dict[str, Any]], object]) -> Verification:
    out = folder / "edited"
    shutil.copytree(made.directory, out)
    facts = json.loads((out / "m.json").read_text())
    edit(facts)
    (out / "m.json").write_bytes(sealed_json(facts))
    return verify_model(made.directory.parent / "m.onnx", artifact=out)


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (
            lambda facts: facts["outputs"][0].update(shape=[5]),
            "the manifest has outputs[0].shape [1, 5], and that of the model",
        ),
        (
            lambda facts: facts["onnx"]["inputs"][0].update(range=[0, 1]),
            "the manifest has onnx.inputs[0].range [0, 1], and that of the model has nothing",
        ),
    ],
)
def test_facts_that_a_run_reads(
    edit: Callable[[dict[str, Any]], object], reason: str, made: Artifact, tmp_path: Path
) -> None:
    found = _of_manifest(made, tmp_path, edit)
    assert found.verdict == "wrong"
    assert found.reasons[0].startswith(reason.partition(" [")[0])


def test_hashes_that_were_changed_by_hand(made: Artifact, tmp_path: Path) -> None:
    """The table of calls does not fit a module with fewer lines, whatever the manifest says."""
    shutil.copytree(made.directory, tmp_path / "edited")
    (tmp_path / "edited" / "m.json").unlink()
    _, code, text = made.module_path.read_text().partition("import hashlib\n")
    lines = [line for line in text.splitlines() if "forge.op.Relu(" not in line and "        release(" not in line]
    source = "\n".join([code, *(line.replace("relu", "product") for line in lines)])
    (tmp_path / "edited" / "m.py").write_text(source)
    digest = hashlib.sha256(source.encode()).hexdigest()
    facts = {**json.loads(made.manifest_path.read_text()), "python_sha256": digest, "calls_of_sha256": digest}
    (tmp_path / "edited" / "m.json").write_text(json.dumps(facts))
    found = verify_model(made.directory.parent / "m.onnx", artifact=tmp_path / "edited")
    assert found.verdict == "wrong"
    assert found.exact is not None
    assert found.exact.state == "different", found.exact


def test_a_weight_that_the_manifest_reads_from_elsewhere(made: Artifact, tmp_path: Path) -> None:
    """The weights file is unchanged."""

    def first_row(facts: dict[str, Any]) -> None:
        entry = next(each for each in facts["weights"] if each["name"] == "w")
        entry["splat"] = 0.5

    found = _of_manifest(made, tmp_path, first_row)
    assert found.exact is not None
    assert found.verdict == "wrong"
    assert found.exact.reason.startswith("weight 'w' has 64 elements that are not the model's")


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        ("m.py", "def load(", "print()\n\n\ndef load(", "module m.py has Python"),
        ("m_cpu1.py", "self.graph(", "0 * self.graph(", "module m_cpu1.py has Python"),
        ("m_cpu1.onnx", "", "\n", "m_cpu1.onnx is not the graph that the model is compiled to"),
        ("m_device0.py", "        return ", "        self.n = 1\n        return ", "module m_device0.py has Python"),
    ],
)
def test_files_of_partitions(file: str, old: str, new: str, reason: str, tmp_path: Path) -> None:
    onnx.save(partitioned(), tmp_path / "m.onnx")
    made = forge_mlir.compile(tmp_path / "m.onnx", tmp_path / "out", fallback="cpu")
    assert verify_model(tmp_path / "m.onnx", artifact=made.directory, fallback="cpu").verdict == "right"
    data = (made.directory / file).read_bytes()
    assert old.encode() in data
    # An unknown field of protobuf, which readers skip.
    changed = data + b"\xa2\x06\x00" if not old else data.replace(old.encode(), new.encode(), 1)
    (made.directory / file).write_bytes(changed)
    reseal(made.directory)
    found = verify_model(tmp_path / "m.onnx", artifact=made.directory, fallback="cpu")
    assert found.verdict == "undecided"
    assert found.reasons[0].startswith(reason)


def test_a_random_op_of_the_model_is_not_state(tmp_path: Path) -> None:
    nodes = [node("RandomUniformLike", ["x"], ["r"], "random"), node("Add", ["x", "r"], ["y"], "sum")]
    onnx.save(build(nodes, {"x": (FLOAT, [2, 8])}, {"y": FLOAT}), tmp_path / "m.onnx")
    made = forge_mlir.compile(tmp_path / "m.onnx", tmp_path / "out", fallback="cpu")
    (device,) = [path for path in made.directory.glob("*.py") if "forge.op" in path.read_text()][:1]
    device.write_text(f"{device.read_text()}\n# a remark\n")
    found = verify_model(tmp_path / "m.onnx", artifact=made.directory, fallback="cpu")
    assert found.verdict == "right", found.reasons


def test_an_output_of_zeros_does_not_hide_the_others(tmp_path: Path) -> None:
    """Values that only affect an output that is always 0 are not compared; an edit of them is undecided."""
    nodes = [
        node("MatMul", ["x", "w"], ["y"], "y"),
        node("Greater", ["y", "large"], ["g"], "greater"),
        node("Cast", ["g"], ["z"], "z", to=FLOAT),
    ]
    model = build(nodes, {"x": (FLOAT, [2, 8])}, {"y": FLOAT, "z": FLOAT}, w=weights(8, 8), large=np.float32(3e38))
    onnx.save(model, tmp_path / "m.onnx")
    made = forge_mlir.compile(tmp_path / "m.onnx", tmp_path / "out")
    found = verify_model(tmp_path / "m.onnx", artifact=made.directory)
    assert found.exact is not None
    assert (found.verdict, found.exact.state) == ("right", "equal")
    assert found.exact.reason == "output 'z', which is 0 whatever is drawn"
    one = 'forge.op.Multiply("", y, forge.op.Constant("", constant=1.0))'
    found = edited(made, tmp_path, {"        return y, ": f"        same = {one}\n        return same, "})
    assert (found.verdict, found.exact and found.exact.state) == ("right", "equal")
    # The last output, which is 0, so that a factor changes nothing.
    shutil.rmtree(tmp_path / "edited")
    two = 'forge.op.Multiply("", z, forge.op.Constant("", constant=2.0))'
    found = edited(made, tmp_path, {"        return y, z": f"        z = {two}\n        return y, z"})
    assert found.exact is not None
    assert (found.passed, found.exact.state, found.exact.edited) == (False, "not covered", True)


@pytest.mark.parametrize("is_edited", [True, False])
def test_weights_that_stay_in_the_file_of_the_model(is_edited: bool, tmp_path: Path) -> None:
    """The module reads these weights, and also finds them from the folder of the verification."""
    (tmp_path / "models").mkdir()
    external: dict[str, Any] = {"save_as_external_data": True, "location": "m.data", "size_threshold": 0}
    nodes = [node("MatMul", ["x", "w"], ["p"], "product"), node("Relu", ["p"], ["y"], "relu")]
    model = build(nodes, {"x": (FLOAT, [2, 64])}, {"y": FLOAT}, w=weights(64, 64))
    onnx.save(model, tmp_path / "models" / "m.onnx", **external)
    made = forge_mlir.compile(tmp_path / "models" / "m.onnx", tmp_path / "models" / "out", weights="reference")
    assert '"file": "../m.data"' in made.manifest_path.read_text()
    if is_edited:
        source = made.module_path.read_text()
        made.module_path.write_text(source.replace("forge.op.Relu(", "forge.op.Abs("))
        reseal(made.directory)
    found = verify_model(tmp_path / "models" / "m.onnx", artifact=made.directory)
    expected = ("wrong", "different") if is_edited else ("right", "equal")
    assert (found.verdict, found.exact and found.exact.state) == expected
