"""`run_pipeline`, `emit_python` and `verify` on modules of torch_mlir."""

from __future__ import annotations

import ast
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from torch_mlir import ir

import forge_mlir
from forge_mlir import Diagnostic, ForgeError, _native, import_onnx
from forge_mlir.codes import Code
from forge_mlir.compiler.pass_pipeline import single_passes
from forge_mlir.dialects import forge
from forge_mlir.dialects.crossing import bytecode
from sample_models.forge_builders import function

WHOLE = "builtin.module(onnx-to-forge-pipeline)"


def _model(
    nodes: list[onnx.NodeProto], x: list[int], y: list[list[int]], weights: dict[str, np.ndarray]
) -> onnx.ModelProto:
    outputs = [helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, shape) for i, shape in enumerate(y)]
    graph = helper.make_graph(
        nodes,
        "main_graph",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, x)],
        outputs,
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def _split() -> onnx.ModelProto:
    node = helper.make_node("Split", ["x", "sizes"], ["y0", "y1", "y2"], name="cut", axis=0)
    sizes = np.array([2, 3, 5], dtype=np.int64)
    return _model([node], [10, 4, 4], [[2, 4, 4], [3, 4, 4], [5, 4, 4]], {"sizes": sizes})


def _two_matmuls() -> onnx.ModelProto:
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["h"], name="first"),
        helper.make_node("MatMul", ["h", "odd key 1"], ["y0"], name="second"),
    ]
    weights = {"w": np.eye(64, dtype=np.float32), "odd key 1": np.eye(64, dtype=np.float32)}
    return _model(nodes, [2, 64], [[2, 64]], weights)


def _index_calls(python: str) -> list[dict[str, object]]:
    calls = [node for node in ast.walk(ast.parse(python)) if isinstance(node, ast.Call)]
    return [
        {keyword.arg or "": ast.literal_eval(keyword.value) for keyword in call.keywords}
        for call in calls
        if ast.unparse(call.func) == "forge.op.Index"
    ]


EXPECTED_SPLIT = [
    {"dim": -3, "start": 0, "stop": 2, "stride": 1},
    {"dim": -3, "start": 2, "stop": 5, "stride": 1},
    {"dim": -3, "start": 5, "stop": 10, "stride": 1},
]


@pytest.mark.parametrize("source", ["onnx", "builders"])
def test_split_becomes_index(source: str) -> None:
    if source == "onnx":
        module = import_onnx(_split()).module
    else:
        module = function(lambda t: forge.split(t(10, 4, 4), dim=0, sizes=[2, 3, 5]))
    assert forge_mlir.run_pipeline(module, WHOLE) == []
    assert _index_calls(forge_mlir.emit_python(module).python) == EXPECTED_SPLIT


def test_split_pass_by_pass() -> None:
    module = import_onnx(_split()).module
    names: list[list[str]] = []
    for passes in ("convert-onnx-to-forge", "func.func(forge-lower-split)", "func.func(forge-lower-strided-slice)"):
        forge_mlir.run_pipeline(module, f"builtin.module({passes})")
        block = module.body.operations[0].regions[0].blocks[0]
        names.append([op.operation.name.removeprefix("forge.") for op in block.operations][:-1])
    assert names == [["split"], ["strided_slice"] * 3, ["index"] * 3]
    assert str(block.operations[0].location) == 'loc("cut")'


def test_emitted_module() -> None:
    module = import_onnx(_split()).module
    forge_mlir.run_pipeline(module, WHOLE)
    emitted = forge_mlir.emit_python(module)
    assert emitted.name == "main_graph"
    assert emitted.manifest["inputs"][0]["shape"] == [10, 4, 4]
    assert forge_mlir.emit_python(module, "Other Name").name.isidentifier()


def test_module_is_the_same_object_in_the_same_context() -> None:
    module = import_onnx(_split()).module
    context, operation = module.context, module.operation
    operation.attributes["user.note"] = ir.StringAttr.get("kept", context=context)
    forge_mlir.run_pipeline(module, WHOLE)
    assert module.context == context
    assert operation == module.operation
    assert str(operation.attributes["user.note"]) == '"kept"'
    assert "forge.index" in str(operation)
    assert module.operation.verify()


def test_weights_keep_their_keys() -> None:
    imported = import_onnx(_two_matmuls())
    module, keys = imported.module, set(imported.weights)
    assert len(keys) == 2
    before = str(module)
    # Parsing into the same context again would rename the resources.
    for _ in range(3):
        forge_mlir.run_pipeline(module, "builtin.module()")
        assert str(module) == before
    forge_mlir.run_pipeline(module, WHOLE)
    block = module.body.operations[0].regions[0].blocks[0]
    parameters = [op for op in block.operations if isinstance(op, forge.ParameterOp)]
    assert {op.key.value for op in parameters} == keys
    weights = forge_mlir.emit_python(module).manifest["weights"]
    assert {entry["source"]["key"] for entry in weights} == keys


def test_two_models_in_one_context() -> None:
    first = import_onnx(_two_matmuls())
    second = import_onnx(_two_matmuls(), context=first.module.context)
    assert not set(first.weights) & set(second.weights)
    for imported in (second, first):
        text = str(imported.module)
        forge_mlir.run_pipeline(imported.module, "builtin.module()")
        assert str(imported.module) == text


def test_refused_node() -> None:
    model = _model(
        [helper.make_node("RandomUniformLike", ["x"], ["y0"], name="/a\x1b[31m/RandomUniformLike")],
        [2, 3, 3],
        [[2]],
        {},
    )
    imported = import_onnx(model)
    before = str(imported.module)
    with pytest.raises(ForgeError) as caught:
        forge_mlir.run_pipeline(imported.module, WHOLE)
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.severity == "error"
    assert diagnostic.onnx_node == "/a\x1b[31m/RandomUniformLike"
    assert diagnostic.code == Code.NoConverter
    assert (diagnostic.op, diagnostic.domain, diagnostic.operands) == ("RandomUniformLike", "", ("tensor<2x3x3xf32>",))
    assert diagnostic.opset > 0
    assert diagnostic.reason == "there is no converter for this op"
    assert diagnostic.message.startswith("node '/a\\x1b[31m/RandomUniformLike' (RandomUniformLike, opset ")
    text = str(caught.value)
    assert text.startswith("[FM2001] the pipeline failed\nerror: [FM1001] node ")
    assert "\x1b" not in text
    assert "RandomUniformLike" in text
    assert str(imported.module) == before


@pytest.mark.parametrize(
    "pipeline", ["", "nonsense", "builtin.module(nonsense)", "func.func(cse)", "builtin.module(cse"]
)
def test_bad_pipeline(pipeline: str) -> None:
    module = import_onnx(_split()).module
    with pytest.raises(ForgeError, match="invalid pipeline") as caught:
        forge_mlir.run_pipeline(module, pipeline)
    assert caught.value.diagnostics[-1].code == Code.PipelineInvalid


def test_arguments_of_a_wrong_type() -> None:
    """They ended with errors of the native module."""
    module: Any = import_onnx(_split()).module
    wrong: Any = "module"
    expected = "expected a module or an op of torch_mlir.ir, but got <class 'str'>"
    for call in (lambda: forge_mlir.run_pipeline(wrong, WHOLE), lambda: forge_mlir.verify_module(wrong)):
        with pytest.raises(TypeError, match=expected):
            call()
    for emit in (forge_mlir.emit_python, lambda *words: forge_mlir.write_python(words[0], "out", *words[1:])):
        with pytest.raises(TypeError, match=expected):
            emit(wrong)
        with pytest.raises(TypeError, match="expected a text for the name, but got <class 'int'>"):
            emit(module, 5)
    with pytest.raises(TypeError, match="expected the text of a pipeline, but got <class 'list'>"):
        forge_mlir.run_pipeline(module, [WHOLE])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"expected lowerings, .* but got <class 'str'>"):
        forge_mlir.run_pipeline(module, WHOLE, lowerings=["Relu"])  # type: ignore[list-item]


def test_not_emittable() -> None:
    module = import_onnx(_split()).module
    with pytest.raises(ForgeError, match="cannot be written as Python") as caught:
        forge_mlir.emit_python(module)
    assert "cut" in {diagnostic.onnx_node for diagnostic in caught.value.diagnostics}


def test_diagnostic_text() -> None:
    diagnostic = Diagnostic("error", "bad\x07 thing\nmore", onnx_node="n'\n", location="loc(x)", notes=("see \xe9",))
    assert str(diagnostic) == 'error: node "n\'\\n": bad\\x07 thing\n    more\n  note: see \\xe9'
    found = Diagnostic("error", "node 'a' is bad", code="FM1001", onnx_node="a")
    assert str(found) == "error: [FM1001] node 'a' is bad"
    with pytest.raises(AttributeError):
        diagnostic.message = ""  # type: ignore[misc]


def test_names_that_are_not_utf8() -> None:
    module = ir.Module.parse(
        'func.func @f() { %0 = torch.operator "onnx.No"() : () -> !torch.none loc("\\FF\\FE") return }', _context()
    )
    with pytest.raises(ForgeError) as caught:
        forge_mlir.run_pipeline(module, WHOLE)
    assert caught.value.diagnostics[0].onnx_node == "\\xff\\xfe"


def _context() -> ir.Context:
    context = ir.Context()
    forge_mlir.register(context)
    return context


def _long(ops: int) -> ir.Module:
    lines = [f"%{i + 1} = forge.add %{i}, %{i} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>" for i in range(ops)]
    lines = [line.replace("forge.add", '"forge.add"(').replace(" :", ") :") for line in lines]
    body = "\n".join(lines)
    text = f"func.func @f(%arg: tensor<4xf32>) -> tensor<4xf32> {{\n{body}\nreturn %{ops} : tensor<4xf32> }}"
    return ir.Module.parse(text.replace("%0,", "%arg,").replace("%0)", "%arg)"), _context())


def test_other_threads_run_while_passes_do() -> None:
    module = _long(20_000)
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    source = bytecode(module)
    clock = threading.Thread(target=tick)
    clock.start()
    start = time.perf_counter()
    result, _ = _native.run_pipeline(source, f"builtin.module({','.join(['canonicalize,cse'] * 20)})")
    end = time.perf_counter()
    done.set()
    clock.join()
    assert result is not None
    during = sum(start < at < end for at in ticks)
    assert end - start > 0.05
    # If compilation held the GIL, none could; how many do depends on the load of the machine.
    assert during >= 3


def test_passes_of_mlir_recognise_our_constants() -> None:
    # MLIR's driver materialises folded values as constants: if it did not recognise those of the dialect, it would not
    # end.
    source = b"""func.func @f() -> (tensor<1xf32>, tensor<i64>) {
      %0 = forge.constant dense<0x7F800000> : tensor<1xf32>
      %1 = forge.constant dense<7> : tensor<i64>
      return %0, %1 : tensor<1xf32>, tensor<i64>
    }"""
    run = "import sys; from forge_mlir._native import *; print(run_pipeline(sys.stdin.buffer.read(), sys.argv[1])[1])"
    for passes in ("canonicalize", "func.func(canonicalize)", "sccp"):
        command = [sys.executable, "-c", run, f"builtin.module({passes})"]
        done = subprocess.run(command, input=source, capture_output=True, check=False, timeout=60)
        assert (done.returncode, done.stdout) == (0, b"[]\n"), done.stderr


def test_threads_compile_the_same_bytes() -> None:
    def compile_one(index: int) -> tuple[str, object]:
        module = import_onnx(_split() if index % 2 else _two_matmuls()).module
        forge_mlir.run_pipeline(module, WHOLE)
        emitted = forge_mlir.emit_python(module)
        return emitted.python, emitted.manifest

    jobs = list(range(32))
    sequential = [compile_one(job) for job in jobs]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(compile_one, jobs)) == sequential


def test_seed_document_example(tmp_path: Path) -> None:
    path = tmp_path / "split.onnx"
    onnx.save(_split(), path)
    module = import_onnx(path).module
    forge_mlir.run_pipeline(module, WHOLE)
    assert _index_calls(forge_mlir.emit_python(module).python) == EXPECTED_SPLIT


def test_pipelines_are_split_into_passes() -> None:
    assert single_passes("m(a{x=1 y=2,3},f(b,g(c{z})),d)") == [
        ("a", "m(a{x=1 y=2,3})"),
        ("b", "m(f(b))"),
        ("c", "m(f(g(c{z})))"),
        ("d", "m(d)"),
    ]
