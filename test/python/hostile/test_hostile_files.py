"""Rows F1 and F7 to F10: files that are not models, damaged tensors, huge sizes, and output directories that cannot be
written."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hostile_models import agrees, command, compiled, model, refused, saved, text, value
from onnx import GraphProto, ModelProto, TensorProto, helper

from forge_mlir import ForgeError
from forge_mlir.execute.run import run
from forge_mlir.importer import import_onnx
from forge_mlir.support import sandbox as isolation


def relu() -> ModelProto:
    return text("g (float[2] x) => (float[2] y) { y = Relu(x) }")


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("model.onnx", relu().SerializeToString())
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "empty"),
        (bytes(range(256)), ""),
        (os.urandom(4096), ""),
        (b"ir_version: 8 graph { name: 'g' }", ""),
        (zipped(), "zip"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 10\n", "LFS"),
        (b"<!DOCTYPE html><html><body>404</body></html>", "web page"),
        (b"\x08\x08", "graph"),
        (b"\0" * 1000, ""),
    ],
    ids=["empty", "bytes", "random", "text", "zip", "lfs", "html", "no graph", "zeros"],
)
def test_F1_files_that_are_not_models(content: bytes, word: str, tmp_path: Path) -> None:
    assert word.lower() in refused(content, tmp_path).lower()


def test_F1_truncated_and_trailing(tmp_path: Path) -> None:
    data = relu().SerializeToString()
    for size in range(len(data)):
        path = saved(data[:size], tmp_path)
        with pytest.raises(ForgeError):
            import_onnx(path)
    refused(data + b"garbage", tmp_path)
    refused(data[: len(data) // 2], tmp_path)


def tensor(**fields: object) -> TensorProto:
    return TensorProto(name="w", **fields)  # type: ignore[arg-type]


F, I4 = TensorProto.FLOAT, TensorProto.INT4


@pytest.mark.parametrize(
    "bad",
    [
        tensor(dims=[2], data_type=F, raw_data=bytes(7)),
        tensor(dims=[2], data_type=F, raw_data=bytes(9)),
        tensor(dims=[2], data_type=F),
        tensor(dims=[2], data_type=F, raw_data=bytes(8), float_data=[1, 2]),
        tensor(dims=[2], data_type=F, float_data=[1, 2, 3]),
        tensor(dims=[2], data_type=F, int32_data=[1, 2]),
        tensor(dims=[2], data_type=F, double_data=[1, 2]),
        tensor(dims=[2], data_type=F, float_data=[1, 2], int64_data=[1, 2]),
        tensor(dims=[3], data_type=I4, raw_data=bytes(3)),
        tensor(dims=[2], data_type=0, raw_data=bytes(8)),
        tensor(dims=[2], data_type=999, raw_data=bytes(8)),
        tensor(dims=[-2], data_type=F, raw_data=bytes(8)),
        tensor(dims=[1 << 62, 4], data_type=F, raw_data=b""),
    ],
    ids=str,
)
def test_F7_data_that_does_not_fit(bad: TensorProto, tmp_path: Path) -> None:
    proto = model([helper.make_node("Add", ["x", "w"], ["y"])], [value("x", [2])], [value("y", [2])])
    proto.graph.initializer.append(bad)
    refused(proto, tmp_path, "'w'")


def test_F7_an_odd_count_of_four_bit_integers(tmp_path: Path) -> None:
    proto = model(
        [helper.make_node("DequantizeLinear", ["w", "s"], ["d"]), helper.make_node("Add", ["x", "d"], ["y"])],
        [value("x", [3])], [value("y", [3])], {"s": np.array(0.5, np.float32)}, opset=21)  # fmt: skip
    proto.graph.initializer.append(tensor(dims=[3], data_type=I4, raw_data=b"\x8f\x07"))
    artifact = compiled(saved(proto, tmp_path), tmp_path)
    np.testing.assert_array_equal(run(artifact, {"x": np.zeros(3, np.float32)})["y"], [-0.5, -4.0, 3.5])


def nested(depth: int) -> bytes:
    """Nested If nodes, as bytes, because protobuf refuses to serialise this depth."""

    def wrapped(number: int, data: bytes) -> bytes:
        size, out = len(data), bytearray([number << 3 | 2])
        while size > 0x7F:
            out.append(size & 0x7F | 0x80)
            size >>= 7
        return bytes(out) + bytes([size]) + data

    graph = GraphProto(name="g", output=[value("y", [2])]).SerializeToString()
    for _ in range(depth):
        attributes = b"".join(
            wrapped(5, wrapped(1, name) + b"\xa0\x01\x05" + wrapped(6, graph)) for name in (b"then_branch",)
        )
        node = wrapped(1, b"c") + wrapped(2, b"y") + wrapped(4, b"If") + attributes
        graph = wrapped(1, node) + wrapped(2, b"g") + wrapped(12, value("y", [2]).SerializeToString())
    return b"\x08\x0a" + wrapped(8, b"\x10\x12") + wrapped(7, graph)


@pytest.mark.parametrize("depth", [60, 1000, 10_000])
def test_F8_nested_graphs(depth: int, tmp_path: Path) -> None:
    refused(nested(depth), tmp_path)


def functions(bodies: dict[str, list[str]]) -> ModelProto:
    proto = model([helper.make_node("f0", ["x"], ["y"], domain="local")], [value("x", [2])], [value("y", [2])])
    proto.opset_import.append(helper.make_opsetid("local", 1))
    for name, calls in bodies.items():
        names = ["a", *(f"t{at}" for at in range(1, len(calls))), "b"]
        nodes = [
            helper.make_node(op, [names[at]], [names[at + 1]], domain="local" if op[0] == "f" else "")
            for at, op in enumerate(calls)
        ]
        proto.functions.append(helper.make_function("local", name, ["a"], ["b"], nodes, list(proto.opset_import)))
    return proto


def test_F8_functions(tmp_path: Path) -> None:
    refused(functions({"f0": ["f0"]}), tmp_path / "self")
    refused(functions({"f0": ["f1"], "f1": ["f0"]}), tmp_path / "mutual")
    for levels in (18, 60):
        laughs = {f"f{at}": [f"f{at + 1}"] * 2 for at in range(levels)} | {f"f{levels}": ["Relu"]}
        refused(functions(laughs), tmp_path / str(levels), "200000 nodes" if levels == 18 else "")
    chain = {f"f{at}": [f"f{at + 1}"] for at in range(300)} | {"f300": ["Relu"]}
    refused(functions(chain), tmp_path / "chain", "64 deep")
    agrees(functions({"f0": ["f1", "f1"], "f1": ["Relu", "Relu"]}), tmp_path / "sound")


def chained(count: int) -> ModelProto:
    nodes = [helper.make_node("Relu", [f"v{at}"], [f"v{at + 1}"]) for at in range(count)]
    return model(nodes, [value("v0", [2])], [value(f"v{count}", [2])])


def processor_seconds() -> float:
    """The processor time of this process and its children, so that other processes do not count."""
    return sum(os.times()[:4])


@pytest.mark.parametrize("shorter", [1_000, pytest.param(2_000, marks=pytest.mark.slow)])
def test_F8_long_chains_take_linear_time(shorter: int, tmp_path: Path) -> None:
    seconds = []
    for count in (shorter, 8 * shorter):
        start = processor_seconds()
        compiled(chained(count), tmp_path / str(count))
        seconds.append(processor_seconds() - start)
    assert seconds[1] < 24 * max(seconds[0], 0.2)


@pytest.mark.parametrize("count", [1_000, pytest.param(3_000, marks=pytest.mark.slow)])
def test_F8_many_outputs(count: int, tmp_path: Path) -> None:
    nodes = [helper.make_node("Abs", ["x"], [f"y{at}"]) for at in range(count)]
    agrees(model(nodes, [value("x", [2])], [value(f"y{at}", [2]) for at in range(count)]), tmp_path)


def doubled(times: int) -> ModelProto:
    """A shape that inference would enumerate: a vector that is concatenated with itself repeatedly."""
    nodes = [helper.make_node("Concat", [f"s{at}"] * 2, [f"s{at + 1}"], axis=0) for at in range(times)]
    nodes.append(helper.make_node("ConstantOfShape", [f"s{times}"], ["y"], "the node"))
    return model(nodes, [], [value("y", None)], {"s0": np.ones(2, np.int64)})


def test_F8_memory_and_time_are_limited(tmp_path: Path) -> None:
    refused(doubled(40), tmp_path / "memory", options=["--memory-limit=256"])
    start = time.monotonic()
    refused(doubled(24), tmp_path / "time", options=["--time-limit=1", "--memory-limit=512"])
    assert time.monotonic() - start < 60  # The command does not hang.


def spin() -> None:
    while True:
        pass


@pytest.mark.parametrize(
    ("work", "word"),
    [
        (lambda: os.kill(os.getpid(), signal.SIGSEGV), "SIGSEGV.*more memory than 1024 MiB .--memory-limit"),
        (lambda: os._exit(3), "without a result.*more memory than 1024 MiB .--memory-limit"),
        (spin, "--time-limit"),
        (lambda: len(bytes(1 << 33)), "--memory-limit"),
        (lambda: 1 / 0, "division"),
    ],
)
def test_F8_a_child_that_fails_is_an_error(work: Callable[[], object], word: str) -> None:
    with pytest.raises((ForgeError, ZeroDivisionError), match=word):
        isolation.isolated("it", work, isolation.Limits(1, 1 << 30))
    assert isolation.isolated("it", lambda: "sound", isolation.Limits()) == "sound"


def with_opsets(*versions: tuple[str, int]) -> ModelProto:
    proto = relu()
    del proto.opset_import[:]
    proto.opset_import.extend(helper.make_opsetid(domain, version) for domain, version in versions)
    return proto


@pytest.mark.parametrize(
    "versions",
    [
        (),
        (("", 0),),
        (("", -1),),
        (("", 10**9),),
        (("", 18), ("", 17)),
        (("com.evil", 1),),
        (("", 18), ("ai.onnx", 17)),
    ],
    ids=str,
)
def test_F9_opsets(versions: list[tuple[str, int]], tmp_path: Path) -> None:
    refused(with_opsets(*versions), tmp_path, "opset")


def test_F9_versions_and_training(tmp_path: Path) -> None:
    for version in (0, -1, 10**9):
        proto = relu()
        proto.ir_version = version
        refused(proto, tmp_path / str(version), "IR version")
    trained = relu()
    trained.training_info.add().algorithm.CopyFrom(relu().graph)
    agrees(trained, tmp_path / "training")
    unused = with_opsets(("", 18), ("com.evil", 1))
    agrees(unused, tmp_path / "unused")


def test_F10_a_read_only_model_directory(tmp_path: Path) -> None:
    path = saved(relu(), tmp_path / "m")
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        assert command("compile", path, "-o", tmp_path / "out").code == 0
        assert [entry.name for entry in path.parent.iterdir()] == ["model.onnx"]
    finally:
        path.parent.chmod(0o755)


def process(*arguments: object, cwd: Path | None = None, prepare: str = "") -> subprocess.Popen[str]:
    script = f"import sys, os; {prepare}; sys.argv[0] = 'forge-mlir'; from forge_mlir.cli.main import main; main()"
    return subprocess.Popen([sys.executable, "-c", script, *map(str, arguments)], cwd=cwd, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip


def test_F10_a_disk_that_is_full(tmp_path: Path) -> None:
    """The size of files is limited to less than that of the module, which fails writes like a full disk."""
    path = saved(relu(), tmp_path)
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    ended = process(
        "compile",
        path,
        "-o",
        tmp_path / "out",
        prepare=f"{limit}resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))",
    )
    _, said = ended.communicate()
    assert (ended.returncode, "File too large" in said) == (5, True), said
    assert not (tmp_path / "out/model.py").exists()
    assert not [entry for entry in (tmp_path / "out").iterdir() if entry.is_dir()]


def test_F10_killed_while_it_writes(tmp_path: Path) -> None:
    """The process is killed when all files are written, and none is renamed to its final name."""
    path = saved(relu(), tmp_path)
    kill = "from forge_mlir.artifact import staging; staging.publish = lambda *a: os.kill(os.getpid(), 9)"
    died = process("compile", path, "-o", tmp_path / "out", prepare=kill)
    died.communicate()
    assert died.returncode == -9
    assert not (tmp_path / "out/model.py").exists()
    agrees(relu(), tmp_path)


def test_F10_two_processes_with_a_strict_umask_and_no_working_directory(tmp_path: Path) -> None:
    path = saved(relu(), tmp_path)
    leave = f"os.umask(0o077); d = {str(tmp_path / 'gone')!r} + str(os.getpid()); os.mkdir(d); os.chdir(d); os.rmdir(d)"
    running = [process("compile", path, "-o", tmp_path / "out", prepare=leave) for _ in range(2)]
    for each in running:
        out, err = each.communicate()
        assert each.returncode == 0, err
        assert out.strip() == str(tmp_path / "out/model.py")
    assert sorted(entry.name for entry in (tmp_path / "out").iterdir()) == [
        "model.json",
        "model.py",
        "model.safetensors",
    ]
    assert {entry.stat().st_mode & 0o777 for entry in (tmp_path / "out").iterdir()} == {0o600}
