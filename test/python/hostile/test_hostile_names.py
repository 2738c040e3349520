"""Rows N1 to N18: names and other text of a model in Python, in files, in reports and on the terminal."""

from __future__ import annotations

import ast
import io
import json
import keyword
import sys
import tokenize
from pathlib import Path

import numpy as np
import onnx
import pytest
from hostile_models import agrees, clean, command, compiled, model, refused, saved, source_of, text, value
from onnx import ModelProto, helper
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect

from emitted_ast import assert_safe
from forge_mlir.artifact.reader import Artifact
from forge_mlir.importer import import_onnx

INJECTION = 'x"), __import__("os").system("touch pwned"), str("'
SEPARATORS = ["\r", "\n", "\r\n", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"]
BIDI = ["\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\u0430bc"]
TERMINAL = [
    "\x1b[31mred", "\x1b]0;title\x07", "\x9b2J", "%s%n", "{}{0}", "<script>alert(1)</script>", "a|b", "=cmd()",
    "[bold red]x[/]", "[link=http://a]x[/link]", "\b\b\b",
]  # fmt: skip
WORDS = [
    *keyword.kwlist, *keyword.softkwlist, "self", "forge", "torch", "json", "hashlib", "Path", "print", "super", "int",
    "module", "load", "here", "_", "__x", "__class__", "__metadata__", "1st", "9", "forward", "name", "ForgeModule",
]  # fmt: skip
TWINS = ["\ufb01", "fi", "\U0001d431", "x", "\u00aa", "a", "\u017f", "s", "\u212a", "K"]


def named(text: str, node: str = "") -> ModelProto:
    """A model in which every name is `text`, made unique only where ONNX requires it."""
    infos = [value(f"{text}{end}", [2, 2]) for end in "xy"]
    made = helper.make_node("Mul", [f"{text}x", f"{text}w"], [f"{text}y"], name=node or text, doc_string=text)
    proto = model([made], infos[:1], infos[1:], {f"{text}w": np.array([[1, 2], [3, 4]], np.float32)}, name=f"{text}g")
    proto.producer_name = proto.producer_version = proto.doc_string = proto.graph.doc_string = text
    return proto


def harmless(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Artifact:
    """Compiles `named(text)` for the device and again for the CPU, and checks that the names are unchanged."""
    monkeypatch.chdir(folder)
    proto = named(text)
    artifact = agrees(proto, folder / "device")
    facts = artifact.manifest()
    assert [entry["onnx_name"] for entry in facts["inputs"]] == [f"{text}x"]
    assert [entry["onnx_name"] for entry in facts["outputs"]] == [f"{text}y"]
    assert [entry["onnx_name"] for entry in facts["weights"]] == [f"{text}w"]
    tree = ast.parse(source_of(artifact))
    layers = [
        n.args[0].value for n in ast.walk(tree) if isinstance(n, ast.Call) and "set_src_layer" in ast.dump(n.func)
    ]  # type: ignore[attr-defined]
    assert layers == ([text] if text else [])
    on_cpu = agrees(proto, folder / "cpu", "--fallback=cpu", "--cpu-ops=Mul")
    assert [region["kind"] for region in on_cpu.manifest()["partitions"]] == ["cpu"]
    assert [node["name"] for node in on_cpu.manifest()["partitions"][0]["nodes"]] == [text]
    assert {path.name for path in folder.iterdir()} == {"device", "cpu"}
    assert all(path.suffix in (".py", ".json", ".onnx", ".safetensors") for path in (folder / "cpu/out").iterdir())
    return artifact


@pytest.mark.parametrize("name", [INJECTION, '"""+exec("1")+"""', "');import os;('", "\\", '\\"'], ids=ascii)
def test_N1_node_names_are_python(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    harmless(name, tmp_path, monkeypatch)


def test_N1_the_check_finds_planted_calls(tmp_path: Path) -> None:
    source = source_of(compiled(named("n"), tmp_path))
    assert_safe(source)
    for right, wrong in (
        ('set_src_layer("n")', 'set_src_layer(str("n"))'),
        ('set_src_layer("n")', 'set_src_layer("n").__class__'),
        ("import json", "import os"),
        ("return n", "return eval('n')"),
        ("return n", "return [n for _ in (0,)]"),
        ("\nclass M", "\nprint\nclass M"),
        ("forge.op.Multiply(", "forge.op.Multiply(*"),
        ("    def forward", "    @staticmethod\n    def forward"),
        ("self, nx)", "self, nx=lambda: 0)"),
    ):
        assert right in source
        with pytest.raises(AssertionError):
            assert_safe(source.replace(right, wrong, 1))


@pytest.mark.parametrize(
    "name", ['"', "\\", "new\nline", '"""', "# comment", "a'b", "\t", "{x}", "__metadata__"], ids=ascii
)
def test_N2_weight_names_round_trip(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    harmless(name, tmp_path, monkeypatch)


@pytest.mark.parametrize("name", ["b, a=exec('1')", "*args", "**kw", "x: int=1", "x)", "self, x=print(1)"], ids=ascii)
def test_N3_inputs_are_parameters_of_ours(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    artifact = harmless(name, tmp_path, monkeypatch)
    (forward,) = [n for n in ast.walk(ast.parse(source_of(artifact))) if getattr(n, "name", "") == "forward"]
    assert [argument.arg.isidentifier() for argument in forward.args.args] == [True, True]  # type: ignore[attr-defined]
    assert not forward.args.defaults  # type: ignore[attr-defined]
    assert forward.args.vararg is forward.args.kwarg is None  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["y, exec('1')", "__import__('os')", "y\n    return 1 #"], ids=ascii)
def test_N4_outputs_are_expressions(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    harmless(name, tmp_path, monkeypatch)


@pytest.mark.parametrize("separator", SEPARATORS, ids=ascii)
def test_N5_line_separators_in_names(separator: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    artifact = harmless(f"a{separator}raise SystemExit", tmp_path, monkeypatch)
    source = source_of(artifact)
    assert len(source.split("\n")) == len(source_of(compiled(named("a"), tmp_path / "plain")).split("\n"))
    kinds = {token.type for token in tokenize.generate_tokens(io.StringIO(source).readline)}
    assert tokenize.COMMENT not in kinds  # No text of a model may be in a comment.


@pytest.mark.parametrize("name", ["\0", "a\0b", "\0" * 40], ids=ascii)
def test_N6_nul(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    harmless(name, tmp_path, monkeypatch)


IMAGE = "(float[1,4,8,8] x, float[4,4,3,3] w) => (float[1,4,?,?] y)"


@pytest.mark.parametrize("bad", ["nonsense", "", INJECTION, "\x1b[31m", "SAME_UPPER\\0"], ids=ascii)
@pytest.mark.parametrize(
    "body",
    [
        f'g {IMAGE} {{ [the_node] y = Conv <auto_pad = "BAD"> (x, w) }}',
        "g (float[1,4,8,8] x) => (float[1,4,16,16] y) <float[4] s = {1,1,2,2}>"
        ' { [the_node] y = Resize <mode = "BAD"> (x, , s) }',
        'g (float[2,3] x) => (float[4,5] y) <int64[4] p = {1,1,1,1}> { [the_node] y = Pad <mode = "BAD"> (x, p) }',
        'g (float[2,3] x) => (float[2,3] y) { [the_node] y = Einsum <equation = "BAD"> (x) }',
        "g (float[3,1,4] x, float[1,8,4] w, float[1,8,2] r) => (float[3,1,1,2] y)"
        ' { [the_node] y = LSTM <hidden_size = 2, direction = "BAD"> (x, w, r) }',
        'g (float[2] x) => (float[2] y) { [the_node] y = Gelu <approximate = "BAD"> (x) }',
        'g (float[2,8] x) => (float[2,8] y) { [the_node] y = Div <rounding = "BAD"> (x, x) }',
    ],
    ids=["auto_pad", "resize", "pad", "equation", "direction", "approximate", "unknown"],
)
def test_N7_string_attributes(body: str, bad: str, tmp_path: Path) -> None:
    proto = text(body, opset=20)
    for attribute in proto.graph.node[0].attribute:
        if attribute.s == b"BAD":
            attribute.s = bad.encode()
    refused(proto, tmp_path)


@pytest.mark.parametrize("name", ["evil", "self", "dim", "name", INJECTION, "__class__", "\0", ""], ids=ascii)
@pytest.mark.parametrize("op", ["Relu", "Softmax"])
def test_N8_unknown_attributes(op: str, name: str, tmp_path: Path) -> None:
    proto = model([helper.make_node(op, ["x"], ["y"], "the_node")], [value("x", [2])], [value("y", [2])])
    proto.graph.node[0].attribute.append(helper.make_attribute(name, 1))
    refused(proto, tmp_path, "the_node" if name else "")


@pytest.mark.parametrize(
    ("op", "domain"),
    [
        ("__class__", ""), ("../x", ""), ("forge.op.Relu", ""), ("Relu\0", ""), ("relu", ""), ("onnx.Relu", ""),
        ("Relu", "__class__"), ("Relu", "../x"), ("Relu", "forge"), ("Relu", " "), ("Relu", "com.evil"),
        (INJECTION, INJECTION), ("Model", ""), ("operator", "torch"),
    ],
)  # fmt: skip
def test_N9_ops_are_looked_up_and_never_called(op: str, domain: str, tmp_path: Path) -> None:
    proto = model([helper.make_node(op, ["x"], ["y"], "the_node", domain=domain)], [value("x", [2])], [value("y", [2])])
    if domain:
        proto.opset_import.append(helper.make_opsetid(domain, 1))
    refused(proto, tmp_path)


@pytest.mark.parametrize(
    "symbol",
    ['__import__("os").system("touch pwned")', "N+1", "1/0", "[x]", "\x1b[31m", "n" * 10_000, "\0"],
    ids=lambda s: ascii(s)[:20],
)
def test_N10_dims_are_symbols(symbol: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    proto = model([helper.make_node("Relu", ["x"], ["y"])], [value("x", [symbol, 2])], [value("y", [symbol, 2])])
    assert len(refused(proto, tmp_path / "m", "--input-shape")) < 4000
    agrees(proto, tmp_path / "m", "--input-shape", "x:3,2")
    if "\0" not in symbol:  # The argument of a process cannot contain it.
        agrees(proto, tmp_path / "m", "--dim", f"{symbol}=4")
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize(
    "name",
    ["../../etc/x", "", "torch", "json", "CON", "n" * 300, "-rf", " ", ".", "..", "a/b", "\0", "é", "os.py"],
    ids=lambda s: ascii(s)[:20],
)
def test_N11_names_of_modules_and_files(name: str, tmp_path: Path) -> None:
    modules = set(sys.modules)
    proto = named("n")
    proto.graph.name = name or "g"
    folder = tmp_path / "m"
    saved(proto, folder)
    options = [f"--name={name}"] if name else []
    artifact = agrees(proto, folder, *options)
    assert artifact.directory == folder / "out"
    assert artifact.name.isascii()
    assert artifact.name.isidentifier()
    assert not keyword.iskeyword(artifact.name)
    assert len(artifact.name) < 100
    assert artifact.manifest()["class"].isidentifier()
    assert sorted(path.suffix for path in (folder / "out").iterdir()) == [".json", ".py", ".safetensors"]
    assert not {artifact.name, "forge_mlir_artifact"} & (set(sys.modules) - modules)
    if "/" not in name and "\0" not in name and name and len(name) < 200 and name not in (".", ".."):
        other = tmp_path / "files" / f"{name}.onnx"  # The module is named after the file.
        other.parent.mkdir()
        other.write_bytes(proto.SerializeToString())
        assert command("compile", "-o", tmp_path / "files/out", "--", other).code == 0


def test_N12_names_that_collapse_stay_apart(tmp_path: Path) -> None:
    names = ["a.b", "a/b", "a:b", "a_b", "A_B", "a__b", "conv2d_0", "Relu_3", "relu", "matmul_1", "a_b_1"]
    nodes = [helper.make_node("Relu", [name], [f"{name}.out"], name=name) for name in names]
    inputs, outputs = [[value(f"{name}{end}", [1]) for name in names] for end in ("", ".out")]
    artifact = agrees(model(nodes, inputs, outputs), tmp_path)
    (forward,) = [n for n in ast.walk(ast.parse(source_of(artifact))) if getattr(n, "name", "") == "forward"]
    arguments = [argument.arg for argument in forward.args.args]  # type: ignore[attr-defined]
    assert len(arguments) == len(set(arguments)) == len(names) + 1
    shown = {entry["onnx_name"]: entry["name"] for entry in artifact.manifest()["inputs"]}
    assert list(shown) == names
    assert len(set(shown.values())) == len(names)


@pytest.mark.parametrize("word", WORDS)
def test_N13_reserved_words(word: str, tmp_path: Path) -> None:
    proto = model(
        [helper.make_node("Add", [word, "other"], ["y"], word)],
        [value(word, [2]), value("other", [2])],
        [value("y", [2])],
        name=word,
    )
    artifact = agrees(proto, tmp_path, f"--name={word}")
    arguments = [entry["name"] for entry in artifact.manifest()["inputs"]]
    assert not set(arguments) & {*keyword.kwlist, "self", "forge", "torch"}
    assert not any(argument.startswith("__") for argument in arguments)  # Python would mangle it.


def test_N14_names_that_python_takes_for_one(tmp_path: Path) -> None:
    inputs = [value(name, [1]) for name in TWINS]
    nodes = [helper.make_node("Sum", TWINS, ["y"], "sum")]
    artifact = agrees(model(nodes, inputs, [value("y", [1])]), tmp_path)
    names = [entry["name"] for entry in artifact.manifest()["inputs"]]
    assert len(set(names)) == len(TWINS)
    assert all(name.isascii() and name.isidentifier() for name in names)


@pytest.mark.parametrize("name", BIDI, ids=ascii)
def test_N15_names_that_look_like_others(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    harmless(f"{name}admin", tmp_path, monkeypatch)
    proto = named(name)
    proto.graph.node[0].op_type = "Bernoulli"
    del proto.graph.node[0].input[1:]
    refused(proto, tmp_path / "bad")


@pytest.mark.parametrize("name", TERMINAL, ids=ascii)
def test_N16_reports_and_terminals(name: str, tmp_path: Path) -> None:
    nodes = [
        helper.make_node("RandomNormalLike", [f"{name}x"], [f"{name}y"], name=name),
        helper.make_node(f"{name}Op", [f"{name}x"], [f"{name}z"], name=f"{name}2", domain=f"{name}domain"),
    ]
    proto = model(nodes, [value(f"{name}x", [2])], [value(f"{name}y", [2]), value(f"{name}z", [2])], name=name)
    proto.opset_import.append(helper.make_opsetid(f"{name}domain", 1))
    path = saved(proto, tmp_path)
    table = command("check", path)
    assert table.code == 3
    harmless_text(table.out)
    clean(table.err)
    report = command("check", path, "--json")
    assert report.out.isascii()
    assert {row["name"] for row in json.loads(report.out)["refused"]} == {name, f"{name}2"}
    refused(path, tmp_path)
    sound = named(name)
    verified = command("verify", saved(sound, tmp_path / "sound"))
    assert verified.code == 0, verified.err
    harmless_text(verified.out)
    clean(verified.err)
    nodes = [
        helper.make_node("Relu", [f"{name}a"], [f"{name}y"], f"{name}1"),
        helper.make_node("Abs", [f"{name}x"], [f"{name}a"], name),
    ]
    unsorted = model(nodes, [value(f"{name}x", [2])], [value(f"{name}y", [2])], name=name)
    warned = command("check", saved(unsorted, tmp_path / "warned"))
    assert "order" in warned.err
    clean(warned.err)
    asked = model(
        [helper.make_node("Relu", [f"{name}x"], ["y"])], [value(f"{name}x", [f"{name}n"])], [value("y", [None])]
    )
    refused(asked, tmp_path / "open")


def harmless_text(shown: str) -> None:
    """Asserts that a table has only ASCII, box-drawing characters and ellipses."""
    left = "".join(char for char in shown if not ("\u2500" <= char <= "\u257f" or char == "\u2026"))
    assert all(line.isascii() and line.isprintable() for line in left.split("\n")), ascii(left)


def test_N17_bytes_and_very_long_names(tmp_path: Path) -> None:
    proto = text('g (float[2,3] x) => (float[4,5] y) <int64[4] p = {1,1,1,1}> { y = Pad <mode = "BAD"> (x, p) }')
    proto.graph.node[0].attribute[0].s = b"\xff\xfe\x80"
    refused(proto, tmp_path / "bytes")
    long = "n" * 1_000_000
    artifact = agrees(named(long), tmp_path / "long")
    assert artifact.manifest()["inputs"][0]["onnx_name"] == f"{long}x"
    assert len(artifact.name) < 100
    proto = named(long)
    proto.graph.node[0].op_type = "Bernoulli"
    assert len(refused(proto, tmp_path / "refused")) < 3000
    table = command("check", tmp_path / "refused/model.onnx")
    assert len(table.err) + len(table.out) < 100_000


@pytest.mark.parametrize(
    "name",
    [INJECTION, "\0", "a\nb", "\u202e", "x" * 5000, '"\\', "", "@f", "%0", "loc(unknown)"],
    ids=lambda s: ascii(s)[:20],
)
def test_N18_names_in_mlir(name: str, tmp_path: Path) -> None:
    proto = named(name)
    proto.graph.initializer[0].CopyFrom(
        onnx.numpy_helper.from_array(np.arange(4096, dtype=np.float32).reshape(64, 64), f"{name}w")
    )
    for info in (*proto.graph.input, *proto.graph.output):
        info.CopyFrom(value(info.name, [64, 64]))
    imported = import_onnx(saved(proto, tmp_path))
    shown = imported.module.operation.get_asm(enable_debug_info=True)
    with ir.Context() as context:
        torch_dialect.register_dialect(context)
        again = ir.Module.parse(shown)
        assert again.operation.get_asm(enable_debug_info=True) == shown
    assert [ref.name for ref in imported.weights.values()] == [f"{name}w"]


def test_N18_names_through_bytecode(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    harmless("\u202e\0\n\"'\\\x1b", tmp_path, monkeypatch)
