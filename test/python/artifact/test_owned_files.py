"""No file of the user is lost: files that forge-mlir did not write are kept, and incomplete output is removed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from onnx import ModelProto, TensorProto, helper

from forge_mlir.artifact.manifest import FORMAT
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.reseal import reseal
from forge_mlir.compiler.driver import compile, compile_to
from forge_mlir.compiler.stages.emit_ir import emit_file
from forge_mlir.errors import ForgeError


def relu(name: str = "net") -> ModelProto:
    infos = [helper.make_tensor_value_info(value, TensorProto.FLOAT, [4]) for value in ("x", "y")]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"], name="n")], name, infos[:1], infos[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


def partitioned() -> ModelProto:
    """A model with one node that only the CPU runs."""
    nodes = [helper.make_node("Relu", ["x"], ["a"], name="r"), helper.make_node("Det", ["a"], ["y"], name="d")]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4, 4])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])
    graph = helper.make_graph(nodes, "g", [x], [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


Write = Callable[[Path, bool], None]


def by_compile(directory: Path, force: bool) -> None:
    compile(relu(), directory, name="net", force=force)


def by_emit(directory: Path, force: bool) -> None:
    """Writes the module from the IR of the MLIR tools."""
    with TemporaryDirectory() as place:
        call = compile_to(relu(), place, "call", name="net")
        emit_file(call.read_bytes(), directory, beside=place, force=force)


WRITERS = pytest.mark.parametrize("write", [by_compile, by_emit])


@WRITERS
@pytest.mark.parametrize("file", ["net.py", "net.safetensors", "net.json"])
def test_a_file_of_the_user_is_not_overwritten(write: Write, file: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text("mine")
    with pytest.raises(ForgeError, match=rf"{file}: is there and was not written by forge-mlir"):
        write(tmp_path, False)
    assert [path.name for path in tmp_path.iterdir()] == [file]
    assert (tmp_path / file).read_text() == "mine"
    write(tmp_path, True)
    assert Artifact.open(tmp_path).manifest()["format"] == FORMAT


@WRITERS
def test_a_folder_in_the_way_changes_nothing(write: Write, tmp_path: Path) -> None:
    """Also with force: a folder cannot be replaced, and then no file of the user is."""
    (tmp_path / "net.json").write_text("mine")
    (tmp_path / "net.safetensors").mkdir()
    with pytest.raises(ForgeError, match=r"net\.safetensors: is a folder; move it away"):
        write(tmp_path, True)
    assert (tmp_path / "net.json").read_text() == "mine"


@WRITERS
@pytest.mark.parametrize("edited", [5, None, [["net.py"]]])
def test_a_manifest_of_another_form_is_kept(write: Write, edited: object, tmp_path: Path) -> None:
    write(tmp_path, False)
    facts = json.loads((tmp_path / "net.json").read_text())
    (tmp_path / "net.json").write_text(json.dumps({**facts, "edited": edited}))
    with pytest.raises(ForgeError, match=r"net\.json: (is there and was not written by forge-mlir|has changed)"):
        write(tmp_path, False)
    with pytest.raises(ForgeError, match="is missing or has another type"):
        reseal(tmp_path)


@WRITERS
def test_a_dangling_link_is_kept(write: Write, tmp_path: Path) -> None:
    (tmp_path / "net.json").symlink_to(tmp_path / "nowhere")
    with pytest.raises(ForgeError, match=r"net\.json: is there"):
        write(tmp_path, False)
    assert (tmp_path / "net.json").is_symlink()


@WRITERS
def test_outputs_of_forge_mlir_are_replaced_unless_they_were_edited(write: Write, tmp_path: Path) -> None:
    by_emit(tmp_path, False)
    by_compile(tmp_path, False)
    write(tmp_path, False)
    module = tmp_path / "net.py"
    edited = module.read_text() + "# a note\n"
    module.write_text(edited)
    with pytest.raises(ForgeError, match=r"net\.py: has changed since forge-mlir wrote it"):
        write(tmp_path, False)
    assert module.read_text() == edited


@WRITERS
def test_a_killed_compilation_is_taken_over(write: Write, tmp_path: Path) -> None:
    write(tmp_path, False)
    (tmp_path / "net.py").unlink()  # The manifest is written last.
    write(tmp_path, False)
    assert Artifact.open(tmp_path).module_path.is_file()


@WRITERS
def test_weights_of_another_name_are_not_overwritten(write: Write, tmp_path: Path) -> None:
    write(tmp_path, False)
    facts = json.loads((tmp_path / "net.json").read_text())
    (tmp_path / "mine.safetensors").write_text("mine")
    (tmp_path / "net.json").write_text(json.dumps({**facts, "weights_file": "mine.safetensors"}))
    with pytest.raises(ForgeError, match=r"net\.py: is a module of another artifact"):
        write(tmp_path, False)
    assert (tmp_path / "mine.safetensors").read_text() == "mine"


@WRITERS
def test_edited_weights_are_not_overwritten(write: Write, tmp_path: Path) -> None:
    write(tmp_path, False)
    tuned = (tmp_path / "net.safetensors").read_bytes()[:-1] + b"\x01"
    (tmp_path / "net.safetensors").write_bytes(tuned)
    with pytest.raises(ForgeError, match=r"net\.safetensors: has changed since forge-mlir wrote it"):
        write(tmp_path, False)
    assert (tmp_path / "net.safetensors").read_bytes() == tuned


@WRITERS
def test_an_edited_manifest_is_not_overwritten(write: Write, tmp_path: Path) -> None:
    write(tmp_path, False)
    write(tmp_path, False)
    noted = (tmp_path / "net.json").read_text().replace('"onnx": {', '"note": "tuned in May",\n  "onnx": {')
    (tmp_path / "net.json").write_text(noted)
    for _ in range(2):
        with pytest.raises(ForgeError, match=r"net\.json: has changed since forge-mlir wrote it"):
            write(tmp_path, False)
        assert '"tuned in May"' in (tmp_path / "net.json").read_text()
        # An artifact that `reseal` accepted is a file of the user as well.
        reseal(tmp_path)
    write(tmp_path, True)
    assert "tuned" not in (tmp_path / "net.json").read_text()


@WRITERS
@pytest.mark.parametrize("text", ["[" * 100_000, "[]", "{}", '{"python_sha256": 1, "weights_file": []}', "\xff"])
def test_an_invalid_manifest_owns_no_files(write: Write, text: str, tmp_path: Path) -> None:
    (tmp_path / "net.json").write_text(text, encoding="latin-1")
    with pytest.raises(ForgeError, match=r"net\.json: is there"):
        write(tmp_path, False)
    assert (tmp_path / "net.json").read_text(encoding="latin-1") == text


@WRITERS
def test_unchanged_files_of_partitions_are_removed(write: Write, tmp_path: Path) -> None:
    compile(partitioned(), tmp_path, name="net", fallback="cpu")
    parts = sorted(path.name for path in tmp_path.iterdir() if "_" in path.name)
    assert parts
    (tmp_path / parts[0]).write_text("mine")
    write(tmp_path, False)
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == sorted(["net.json", "net.py", "net.safetensors", parts[0]])


@WRITERS
def test_a_directory_that_is_a_file(write: Write, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(ForgeError, match=r"FM4003.*cannot write .*out'"):
        write(tmp_path / "out", False)
    assert (tmp_path / "out").read_text() == "mine"


def test_a_shape_set_and_a_model_of_its_name_keep_apart(tmp_path: Path) -> None:
    """decoder_with_past.onnx and the shape set `with_past` of decoder.onnx would have the same file names, in either
    order."""
    sets = {"with_past": {"x": (4,)}, "first": {"x": (4,)}}
    compile(relu(), tmp_path / "one", name="decoder", shapes=sets)
    compile(relu(), tmp_path / "two", name="decoder_with_past")
    for place, name, shapes in (("one", "decoder_with_past", None), ("two", "decoder", sets)):
        before = {path.name: path.read_bytes() for path in (tmp_path / place).iterdir()}
        with pytest.raises(ForgeError, match=r"decoder_with_past\.\w+: is "):
            compile(relu(), tmp_path / place, name=name, shapes=shapes)
        assert {path.name: path.read_bytes() for path in (tmp_path / place).iterdir()} == before
    assert Artifact.open(tmp_path / "one" / "decoder.py").shape_set("with_past").manifest()


def test_a_partition_and_a_model_of_its_name_keep_apart(tmp_path: Path) -> None:
    artifact = compile(partitioned(), tmp_path, name="net", fallback="cpu")
    part = next(path.stem for path in tmp_path.iterdir() if path.stem.startswith("net_") and path.suffix == ".json")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(ForgeError, match=rf"{part}\.\w+: is "):
        compile(relu(), tmp_path, name=part)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert artifact.module_path.is_file()
