"""The compile cache: each part of its key, complete entries, and its size limit."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch
from onnx import ModelProto, TensorProto, helper, numpy_helper

from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.compiler import cache as module
from forge_mlir.compiler import driver
from forge_mlir.compiler.cache import CompileCache, cache_key
from forge_mlir.compiler.compile_arguments import CompileArguments
from forge_mlir.compiler.generation import Generation
from forge_mlir.compiler.options import Options, option_table
from forge_mlir.errors import ForgeError
from sample_models.tiny_language_model import tiny_language_model


def model(op: str = "Relu", value: float = 1.0) -> ModelProto:
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 1024]) for name in "xy")
    nodes = [helper.make_node("Add", ["x", "w"], ["a"]), helper.make_node(op, ["a"], ["y"])]
    weight = numpy_helper.from_array(np.full((2, 1024), value, np.float32), "w")
    graph = helper.make_graph(nodes, "net", [x], [y], [weight])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


class Counted:
    """Compiles with a cache, and reports whether a compilation was needed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, directory: Path) -> None:
        self.cache = CompileCache(directory / "cache")
        self.lowered = 0
        lower = driver.lower

        def counted(*arguments: Any, **options: Any) -> Any:
            self.lowered += 1
            return lower(*arguments, **options)

        monkeypatch.setattr(driver, "lower", counted)

    def misses(self, source: Path, output: Path, **options: Any) -> bool:
        before = self.lowered
        driver.compile(source, output, cache=self.cache, **options)
        return self.lowered != before


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Counted:
    return Counted(monkeypatch, tmp_path)


def save(proto: ModelProto, path: Path, external: bool = False) -> Path:
    onnx.save(proto, path, save_as_external_data=external, location=f"{path.stem}.data", size_threshold=0)
    return path


def entries(kept: CompileCache) -> list[Path]:
    return [path for path in kept.directory.iterdir() if (path / "cache-entry.json").is_file()]


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_a_hit_gives_the_same_files(counted: Counted, tmp_path: Path) -> None:
    file = save(model(), tmp_path / "net.onnx")
    assert counted.misses(file, tmp_path / "one")
    assert not counted.misses(file, tmp_path / "two")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    artifact = driver.compile(file, tmp_path / "three", cache=counted.cache)
    assert artifact.module_path.is_file()


def test_every_part_of_the_key(counted: Counted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = save(model(), tmp_path / "net.onnx")
    out = tmp_path / "out"
    assert counted.misses(file, out)
    assert counted.misses(save(model("Abs"), file), out), "the graph"
    assert counted.misses(save(model(value=2), file), out), "a weight in the model"
    assert counted.misses(save(model(), file, external=True), out), "the file, whose hash the manifest has"
    assert counted.misses(save(model(value=3), file, external=True), out), "a weight beside the model"
    assert counted.misses(file, out, name="other"), "the name"
    assert counted.misses(file, out, layout="tiles"), "an option"
    assert counted.misses(file, out, input_shapes={"x": (2, 1024)}), "a shape"
    assert counted.misses(file, out, bind={"x": np.zeros((2, 1024), np.float32)}), "a value"
    assert counted.misses(file, out, bind={"x": np.ones((2, 1024), np.float32)}), "another value"
    assert counted.misses(file, out, shapes={"a": {"x": [2, 1024]}}), "the sets of shapes"
    assert counted.misses(file, out, weights="reference"), "where weights go"
    assert counted.misses(file, tmp_path / "else", weights="reference"), "the path that references are relative to"
    two = {"a": {"x": [2, 1024]}, "b": {"x": [2, 1024]}}
    assert counted.misses(file, out, shapes=two), "another set of shapes"
    assert counted.misses(file, out, shapes=dict(reversed(two.items()))), "their order: the first is the default"
    assert not counted.misses(file, out)
    monkeypatch.setattr(module, "all_versions", lambda: {"forge-mlir": "another"})
    assert counted.misses(file, out), "the version"


def test_arrays_are_in_the_key_by_their_elements() -> None:
    """Not by their text, which leaves elements out, by the addresses of objects, or by bytes of any order."""
    source = model()

    def key(value: object) -> str:
        return cache_key([("", source, {"bind": {"x": value}})], {})  # type: ignore[typeddict-item]

    long = torch.arange(5000.0)
    other = long.clone()
    other[2500] = 7
    assert key(long) != key(other)
    assert key(long) == key(long.numpy())
    little = np.arange(4, dtype="<f4")
    assert key(little) != key(little.view(">f4"))
    assert key(little) == key(little.astype(">f4"))
    words = np.array(["one", "two"], object)
    before = key(words)
    assert before == key(np.array(["".join(("o", "ne")), "two"], object))
    assert before != key(words[::-1]) != key(np.array(["one", "".join(("t", "wo"))], object))


OPTIONS: dict[str, list[Options]] = {
    "input_shapes": [{"input_shapes": {"x": (2, 1024)}}],
    "dims": [{"dims": {"unused": 2}}],
    "sample_inputs": [{"sample_inputs": {"x": np.zeros((2, 1024), np.float32)}}],
    "bind": [{"bind": {"x": np.full((2, 1024), value, np.float32)}} for value in (0, 1)],
    "overridable": [{"overridable": ["w"]}],
    "ranges": [{"ranges": {"i": (0, 5)}}, {"ranges": {"i": (0, 6)}}],
    "extract_inputs": [{"extract_inputs": ["a"]}],
    "extract_outputs": [{"extract_outputs": ["a"]}],
    "max_expansion": [{"max_expansion": 7}],
    "fold_limit": [{"fold_limit": 9000}],
    "allow_rounding": [{"allow_rounding": True}],
    "quantization": [{"quantization": "float"}],
    "fast_math": [{"fast_math": ["no-nans"]}, {"fast_math": ["no-infs"]}],
    "float_format": [{"float_format": "float32"}, {"float_format": "bfloat16"}],
    "keep_float32": [{"float_format": "bfloat16", "keep_float32": [op]} for op in ("Relu", "Add")],
    "error_budget": [{"float_format": "mixed", "error_budget": budget} for budget in (0.1, 0.2)],
    "float_format_outputs": [{"float_format": "bfloat16", "float_format_outputs": "native"}],
    "optimize": [{"optimize": "none"}, {"optimize": "exact"}],
    "integers": [{"integers": "proven"}],
    "fill_tile_padding": [{"fill_tile_padding": "ttnn-conservative"}],
    "flat": [{"flat": True}],
    "fallback": [{"fallback": "cpu"}],
    "cpu_ops": [{"fallback": "cpu", "cpu_ops": ["Relu"]}],
    "device_ops": [{"fallback": "cpu", "device_ops": ["Relu"]}],
    "max_partitions": [{"fallback": "cpu", "max_partitions": 5}],
    "cpu_exact": [{"fallback": "cpu", "cpu_exact": True}],
    "time_limit": [{"time_limit": 100.0}],
    "memory_limit": [{"memory_limit": 4 << 30}],
    "layout": [{"layout": "tiles"}],
    "max_weight_growth": [{"layout": "tiles", "max_weight_growth": 3.0}],
    "device_format": [{"device_format": "bf16"}],
}
"""Values of each option other than the default. Lowerings and patterns are functions and files, and such compilations
are never cached."""


def test_each_option_is_in_the_key() -> None:
    """A new option has to be in this table, and different values must give different keys."""
    assert OPTIONS.keys() | {"lowerings", "patterns"} == option_table().keys()
    source = model()
    keys = [
        cache_key([("", source, options)], {}) for options in [{}, *(one for each in OPTIONS.values() for one in each)]
    ]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("name", ["bind", "layout", "flat", "fallback", "device_format", "extract_outputs"])
def test_cached_files_equal_compiled_files(name: str, tmp_path: Path) -> None:
    """With entries of other options in the cache, and a second time."""
    file, kept = save(model(), tmp_path / "net.onnx"), CompileCache(tmp_path / "cache")
    driver.compile(file, tmp_path / "default", cache=kept)
    for at, options in enumerate(OPTIONS[name]):
        driver.compile(file, tmp_path / f"without_{at}", **options)
        assert not driver.compile(file, tmp_path / f"first_{at}", cache=kept, **options).from_cache
        assert driver.compile(file, tmp_path / f"second_{at}", cache=kept, **options).from_cache
        assert contents(tmp_path / f"without_{at}") == contents(tmp_path / f"second_{at}")
        assert contents(tmp_path / f"without_{at}") != contents(tmp_path / "default")


def test_each_parameter_is_in_the_key_or_never_cached(counted: Counted, tmp_path: Path) -> None:
    """`CompileArguments` has all parameters of a compilation besides the options."""
    assert CompileArguments.__annotations__.keys() == {
        *("name", "shapes", "weights"),  # in the key: test_every_part_of_the_key
        "generate",  # in the key: test_each_part_of_generation_is_in_the_key
        *("dump_dir", "on_pass"),  # never cached
        "examine",  # never taken from the cache
        *("force", "cache"),  # no effect on the result
    }
    file = save(model(), tmp_path / "net.onnx")
    for at in range(2):
        assert counted.misses(file, tmp_path / "out", on_pass=lambda _: None), at


def test_each_part_of_generation_is_in_the_key(tmp_path: Path) -> None:
    file = save(tiny_language_model(), tmp_path / "net.onnx")
    kept = CompileCache(tmp_path / "cache")
    ways = [
        Generation(24, [8]), Generation(16, [8]), Generation(24, [4]), Generation(24, [8], all_logits=True),
    ]  # fmt: skip
    for taken in (False, True):
        for at, way in enumerate(ways):
            made = driver.compile(file, tmp_path / f"{taken}_{at}", cache=kept, generate=way)
            assert made.from_cache == taken, way


def test_the_size_has_a_limit(tmp_path: Path) -> None:
    driver.compile(save(model(value=9), tmp_path / "net.onnx"), tmp_path / "out")
    size = sum(path.stat().st_size for path in (tmp_path / "out").iterdir())
    sizes = CompileCache(tmp_path / "cache", limit=int(2.5 * size))
    for at in range(3):
        driver.compile(save(model(value=at), tmp_path / "net.onnx"), tmp_path / "out", cache=sizes)
        assert len(entries(sizes)) == min(at + 1, 2)
    driver.compile(tmp_path / "net.onnx", tmp_path / "out", cache=CompileCache(tmp_path / "none", limit=0))
    assert {path.name for path in (tmp_path / "none").iterdir()} == {"CACHEDIR.TAG", ".lock"}


def test_a_compilation_with_callbacks_is_not_cached(counted: Counted, tmp_path: Path) -> None:
    file = save(model(), tmp_path / "net.onnx")
    for at in range(2):
        assert counted.misses(file, tmp_path / "out", dump_dir=tmp_path / f"stages_{at}")
    assert counted.misses(file, tmp_path / "out"), "nothing was kept"


DAMAGES: dict[str, Callable[[Path], object]] = {
    "facts": lambda entry: (entry / "cache-entry.json").write_text("[]"),
    "facts nested deeply": lambda entry: (entry / "cache-entry.json").write_text("[" * 100_000),
    "facts cut": lambda entry: (entry / "cache-entry.json").write_text('{"name": "net", "files"'),
    "facts that lead elsewhere": lambda entry: (entry / "cache-entry.json").write_text(
        (entry / "cache-entry.json").read_text().replace('"net.py"', '"../net.py"')
    ),
    "weights": lambda entry: (entry / "net.safetensors").write_bytes(b"0" * 64),
    "no weights": lambda entry: (entry / "net.safetensors").unlink(),
    "module": lambda entry: (entry / "net.py").write_text("edited"),
    "no module": lambda entry: (entry / "net.py").unlink(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_discarded_with_a_warning(damage: str, counted: Counted, tmp_path: Path) -> None:
    file = save(model(), tmp_path / "net.onnx")
    counted.misses(file, tmp_path / "out")
    whole = contents(tmp_path / "out")
    DAMAGES[damage](entries(counted.cache)[0])
    artifact = driver.compile(file, tmp_path / "out", cache=counted.cache)
    assert [found.code for found in artifact.warnings] == [Code.CacheUnusable]
    assert contents(tmp_path / "out") == whole
    assert not counted.misses(file, tmp_path / "out"), "the damaged entry was replaced"
    assert Artifact.open(tmp_path / "out").manifest()


def test_a_removed_entry_is_compiled_again(counted: Counted, tmp_path: Path) -> None:
    file = save(model(), tmp_path / "net.onnx")
    counted.misses(file, tmp_path / "out")
    (entries(counted.cache)[0] / "cache-entry.json").unlink()
    assert counted.misses(file, tmp_path / "out")


def test_a_folder_with_other_files_is_not_used(tmp_path: Path) -> None:
    file, data = save(model(), tmp_path / "net.onnx"), tmp_path / "data"
    (data / "experiment1").mkdir(parents=True)
    (data / "experiment1" / "results.csv").write_text("1")
    for place in (data, file):
        with pytest.raises(ForgeError, match="no cache of forge-mlir"):
            driver.compile(file, tmp_path / "out", cache=CompileCache(place, limit=0))
    assert (data / "experiment1" / "results.csv").read_text() == "1"
    assert not (tmp_path / "out").exists()


def test_files_of_the_user_in_a_cache_are_kept(counted: Counted, tmp_path: Path) -> None:
    file = save(model(), tmp_path / "net.onnx")
    counted.misses(file, tmp_path / "out")
    (counted.cache.directory / "mine").mkdir()
    (counted.cache.directory / "mine" / "a").write_text("1")
    (counted.cache.directory / ("0" * 64)).mkdir()
    (counted.cache.directory / "notes.txt").write_text("2")
    small = CompileCache(counted.cache.directory, limit=0)
    artifact = driver.compile(save(model("Abs"), file), tmp_path / "out", cache=small)
    assert artifact.warnings == ()
    assert entries(small) == []
    assert {path.name for path in small.directory.iterdir() if not path.name.startswith(".")} == {
        "CACHEDIR.TAG",
        "mine",
        "notes.txt",
        "0" * 64,
    }


def test_a_cache_that_cannot_be_written_is_a_warning(
    counted: Counted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = save(model(), tmp_path / "net.onnx")

    def full(*_: Any) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "_copy", full)
    artifact = driver.compile(file, tmp_path / "out", cache=counted.cache)
    assert [found.code for found in artifact.warnings] == [Code.CacheUnusable]
    assert "No space left" in artifact.warnings[0].message
    assert entries(counted.cache) == []
    assert not list(counted.cache.directory.glob(".new.*"))


def test_the_rest_of_a_killed_process_is_removed(counted: Counted, tmp_path: Path) -> None:
    file = save(model(), tmp_path / "net.onnx")
    counted.misses(file, tmp_path / "out")
    program = (
        "import os, signal, sys\nfrom pathlib import Path\nfrom forge_mlir.compiler.cache import CompileCache\n"
        "with CompileCache(Path(sys.argv[1]))._scratch() as scratch:\n"
        "    (scratch / 'half').write_bytes(bytes(1000))\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(counted.cache.directory)], check=False)
    assert len(list(counted.cache.directory.glob(".new.*"))) == 1
    counted.misses(save(model("Abs"), file), tmp_path / "out")
    assert not list(counted.cache.directory.glob(".new.*"))


def test_processes_share_a_small_cache(tmp_path: Path) -> None:
    """Each process stores entries and evicts those of the others; none fails, and each artifact is complete."""
    for at in range(4):
        save(model(value=at), tmp_path / f"net{at}.onnx")
    program = (
        "import sys\nfrom pathlib import Path\nimport forge_mlir\n"
        "from forge_mlir.compiler.cache import CompileCache\n"
        "folder, own = Path(sys.argv[1]), sys.argv[2]\n"
        "for at in range(24):\n"
        "    file = folder / f'net{at % 4}.onnx'\n"
        "    artifact = forge_mlir.compile(file, folder / own, name='n', cache=CompileCache(folder / 'cache', 20000))\n"
        "    assert not artifact.warnings, artifact.warnings\n"
    )
    runs = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path), f"out{i}"]) for i in range(2)]
    assert [run.wait() for run in runs] == [0, 0]


@pytest.mark.parametrize("made", [[".lock"], [".lock", ".new.tag"]])
def test_a_cache_directory_that_another_process_is_creating_is_accepted(tmp_path: Path, made: list[str]) -> None:
    """The contents of a cache directory after the first lock and before the tag."""
    kept = CompileCache(tmp_path / "cache")
    kept.directory.mkdir()
    for name in made:
        (kept.directory / name).touch()
    assert not driver.compile(save(model(), tmp_path / "net.onnx"), tmp_path / "out", cache=kept).warnings
    assert driver.compile(tmp_path / "net.onnx", tmp_path / "out", cache=kept).from_cache


def test_a_path_is_accepted_and_hits_are_reported(tmp_path: Path) -> None:
    file = save(model(), tmp_path / "net.onnx")
    assert not driver.compile(file, tmp_path / "out", cache=str(tmp_path / "cache")).from_cache
    assert driver.compile(file, tmp_path / "out", cache=tmp_path / "cache").from_cache


def test_outputs_of_another_process_are_not_stored(tmp_path: Path) -> None:
    """Two compilations into one directory: for each key the cache has what was compiled for it, or nothing."""
    file, kept = save(model(), tmp_path / "net.onnx"), CompileCache(tmp_path / "cache")
    mine = driver.compile(file, tmp_path / "out")
    driver.compile(save(model("Abs"), file), tmp_path / "out")
    (warning,) = kept.store("0" * 64, mine)
    assert "net.json has changed" in warning.message
    assert entries(kept) == []
    assert kept.store("0" * 64, driver.compile(file, tmp_path / "out")) == ()


def test_files_of_a_folder_are_identified_by_their_names(tmp_path: Path) -> None:
    file = save(model(), tmp_path / "net.onnx")
    kept = CompileCache(tmp_path / "cache")
    first = driver.compile_files({"decoder": (file, {}), "encoder": (file, {})}, tmp_path / "one", cache=kept)
    second = driver.compile_files({"prefill": (file, {}), "vision": (file, {})}, tmp_path / "two", cache=kept)
    alone = driver.compile(file, tmp_path / "three", name="model", cache=kept)
    names = [
        [entry["name"] for entry in artifact.manifest().get("shape_sets", ())] for artifact in (first, second, alone)
    ]
    assert names == [["decoder", "encoder"], ["prefill", "vision"], []]
