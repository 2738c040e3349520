"""Tiles: the published examples of the traffic model, and programs that are rewritten for tiles with equal results."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from layout_models import PROGRAMS
from onnx import ModelProto, save
from split_models import SplitModel

from forge_mlir import _native
from forge_mlir.artifact import recipe
from forge_mlir.cli.app import app
from forge_mlir.compiler.driver import compile
from forge_mlir.errors import ForgeError
from forge_mlir.execute.run import run
from forge_mlir.execute.tile_emulator import TileEmulator
from forge_mlir.report.check import check
from forge_mlir.verify import golden_outputs, random_inputs, verify_model
from sample_models.goldens import assert_matches, assert_same
from sample_models.repository import data_of, stored

REWRITTEN = [
    "forge-lower-split",
    "forge-slice-canonicalize",
    "forge-divisibility-rewrite",
    "forge-merge-equal",
    "forge-lower-strided-slice",
]

# (shape, axis, sizes, classes, traffic on three backends, traffic on the first one after the rewrites).
EXAMPLES = {
    "GPT-2 fused QKV": ((1, 128, 2304), 2, [768] * 3, "3xTILE_VIEW", (576, 576, 0), 576),
    "ViT fused QKV": ((1, 197, 2304), 2, [768] * 3, "3xTILE_VIEW", (1008, 1008, 0), 1008),
    "Phi-2 fused QKV": ((1, 128, 7680), 2, [2560] * 3, "3xTILE_VIEW", (1920, 1920, 0), 1920),
    "heads of 80": ((1, 128, 2560), 2, [80] * 32, "16xRETILE_NOC 16xTILE_VIEW_DIRTY", (11392, 1920, 1536), 1920),
    "heads of 96": ((1, 128, 3072), 2, [96] * 32, "32xTILE_VIEW", (768, 768, 0), 768),
    "pairs of heads": ((1, 128, 2560), 2, [160] * 16, "16xTILE_VIEW", (640, 640, 0), 640),
    "heads of 40": ((1, 4096, 320), 2, [40] * 8, "6xRETILE_NOC 2xTILE_VIEW_DIRTY", (22528, 13312, 12288), 13312),
    "GLU of 2816": ((1, 77, 5632), 2, [2816] * 2, "2xTILE_VIEW", (1056, 1056, 0), 1056),
    "GLU of 1365": ((1, 128, 2730), 2, [1365] * 2, "1xRETILE 1xTILE_VIEW_DIRTY", (1720, 1720, 1376), 1720),
    "C2f": ((1, 32, 160, 160), 1, [16] * 2, "2xTILE_VIEW", (1600, 1600, 0), 1600),
    "C2f channels last": ((1, 28, 28, 116), 3, [58] * 2, "1xRETILE 1xTILE_VIEW_DIRTY", (560, 560, 448), 560),
    "channels last": ((1, 784, 116), 2, [58] * 2, "1xRETILE 1xTILE_VIEW_DIRTY", (500, 500, 400), 500),
    "detector head": ((1, 8400, 85), 2, [4, 1, 80], "2xRETILE 1xTILE_VIEW_DIRTY", (7890, 7364, 6838), 7364),
    "thirds of 1000": ((1, 1000), 1, [334, 334, 332], "2xRETILE 1xTILE_VIEW_DIRTY", (238, 202, 180), 202),
}


def split_program(shape: tuple[int, ...], axis: int, sizes: list[int]) -> bytes:
    """A function that splits its argument."""

    def tensor(dims: tuple[int, ...]) -> str:
        return f"tensor<{'x'.join(map(str, dims))}xbf16>"

    types = ", ".join(tensor((*shape[:axis], size, *shape[axis + 1 :])) for size in sizes)
    results = ", ".join(f"%0#{i}" for i in range(len(sizes)))
    return f"""func.func @f(%x: {tensor(shape)}) -> ({types}) {{
  %0:{len(sizes)} = forge.split %x dim {axis} sizes [{", ".join(map(str, sizes))}] : ({tensor(shape)}) -> ({types})
  return {results} : {types}
}}""".encode()


def totals(source: bytes, passes: list[str]) -> dict[str, object]:
    report, found = _native.layout_report(source, f"builtin.module(func.func({','.join(passes)}))", "")
    assert report is not None, found
    result: dict[str, object] = json.loads(report)["totals"]
    return result


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_published_example(example: tuple[tuple[int, ...], int, list[int], str, tuple[int, int, int], int]) -> None:
    shape, axis, sizes, classes, traffic, rewritten = example
    source = split_program(shape, axis, sizes)
    before = totals(source, ["forge-lower-split"])
    found = before["slice_classes"]
    assert isinstance(found, dict)
    assert sorted(f"{count}x{name}" for name, count in found.items()) == sorted(classes.split())
    assert tuple(before[f"traffic_{kind}"] for kind in ("ttnn", "windowed", "view")) == traffic
    assert totals(source, REWRITTEN)["traffic_ttnn"] == rewritten <= traffic[1]


def test_separate_heads_of_one_weight() -> None:
    """32 heads of 80, each used by a separate product: padded to 96 in the weights, as in the published example."""
    heads = range(32)
    pieces = "tensor<1x128x80xf32>"
    lines = [
        f"%h{i} = forge.strided_slice %p dim 2 [{80 * i}:{80 * i + 80}] : (tensor<1x128x2560xf32>) -> {pieces}\n"
        f'%w{i} = forge.parameter "w{i}" : tensor<80x32xf32>\n'
        f"%y{i} = forge.matmul %h{i}, %w{i} : ({pieces}, tensor<80x32xf32>) -> tensor<1x128x32xf32>"
        for i in heads
    ]
    types = ", ".join(["tensor<1x128x32xf32>"] * 32)
    source = "\n".join(
        [
            f"func.func @f(%x: tensor<1x128x128xf32>) -> ({types}) {{",
            '%w = forge.parameter "w" : tensor<128x2560xf32>',
            "%p = forge.matmul %x, %w : (tensor<1x128x128xf32>, tensor<128x2560xf32>) -> tensor<1x128x2560xf32>",
            *lines,
            f"return {', '.join(f'%y{i}' for i in heads)} : {types}",
            "}",
        ]
    ).encode()
    before, after = totals(source, ["cse"]), totals(source, REWRITTEN)
    assert (before["traffic_ttnn"], before["traffic_windowed"]) == (11392, 1920)
    assert (after["traffic_ttnn"], after["slice_classes"]) == (768, {"TILE_VIEW": 32})


def rules_of(model: Path) -> list[str]:
    layout = check(model, layout_summary=True).layout
    assert layout is not None
    found = []
    for line in layout.rewrites:
        match = re.fullmatch(r"([\w-]+)(?: at '.*')?: .*, tile traffic (\d+) -> (\d+)", line)
        assert match is not None, line
        assert int(match[3]) < int(match[2])
        found.append(match[1])
    # Padded heads make slices larger by up to 1.25, and the movement after them, which the rule counts too, cheaper.
    assert "pad-weights" in found or layout.after.traffic["ttnn"] <= layout.before.traffic["windowed"]
    return found


def assert_matches_whatever_the_padding_holds(
    model: Path, directory: Path, inputs: dict[str, np.ndarray], goldens: dict[str, np.ndarray]
) -> None:
    """Compiles the model for tiles with planned fills, and runs it on tiles whose padding is poisoned."""
    artifact = compile(model, directory / "planned", layout="tiles", fill_tile_padding="ttnn-conservative")
    for poison in (math.nan, math.inf, -math.inf, 1e30, None):
        results = run(artifact, inputs, TileEmulator(poison))
        assert_same(results, goldens)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(program, marks=[pytest.mark.slow] if "12 heads" in name else [], id=name)
        for name, program in PROGRAMS.items()
    ],
)
def test_rewritten_program_computes_the_same(program: tuple[ModelProto, list[str]], tmp_path: Path) -> None:
    model, rules = program
    path = tmp_path / "model.onnx"
    save(model, path)
    assert sorted(set(rules_of(path))) == rules
    artifacts = {layout: compile(path, tmp_path / layout, layout=layout) for layout in ("none", "tiles")}
    inputs = random_inputs(artifacts["none"].manifest())
    goldens = golden_outputs(str(path), inputs)
    for artifact in artifacts.values():
        assert artifact.warnings == ()
        assert_matches(artifact, inputs, goldens)
    assert verify_model(path, inputs, layout="tiles").divergence is None
    assert_matches_whatever_the_padding_holds(path, tmp_path, inputs, goldens)


@pytest.mark.alike(keep=3)
@pytest.mark.parametrize("seed", [*range(20), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(20, 40))])
def test_random_splits_compute_the_same(seed: int, tmp_path: Path) -> None:
    made = SplitModel(seed)
    path = tmp_path / "model.onnx"
    save(made.build(), path)
    inputs = {"x": np.random.default_rng(seed).normal(size=made.input_shape).astype(np.float32)}
    goldens = golden_outputs(str(path), inputs)
    rules_of(path)
    assert_matches(compile(path, tmp_path, layout="tiles"), inputs, goldens)
    assert_matches_whatever_the_padding_holds(path, tmp_path, inputs, goldens)
    assert verify_model(path, inputs, layout="tiles").divergence is None


def test_padding_is_bounded(tmp_path: Path) -> None:
    model, _ = PROGRAMS["heads of 80"]
    for growth, columns in ((1.25, 3 * 192), (1.1, 3 * 160)):
        weights = compile(model, tmp_path, layout="tiles", max_weight_growth=growth).manifest()["weights"]
        assert sum(weight["shape"][-1] for weight in weights if weight["onnx_name"] == "wqkv") == columns


@pytest.mark.parametrize("folder", stored("gpt2_block", "vit", "swin", "yolov8"), ids=lambda path: path.name)
def test_rewritten_model_with_goldens(folder: Path, tmp_path: Path) -> None:
    path, (inputs, goldens) = folder / "model.onnx", data_of(folder)
    rules_of(path)
    assert_matches(compile(path, tmp_path, layout="tiles"), inputs, goldens)
    assert_matches_whatever_the_padding_holds(path, tmp_path, inputs, goldens)


def test_wrong_padding_is_found(tmp_path: Path) -> None:
    """A planted error: the zeros of the padding are replaced by other values."""
    model, _ = PROGRAMS["heads of 80"]
    inputs = random_inputs(compile(model, tmp_path).manifest())
    goldens = golden_outputs(model.SerializeToString(), inputs)
    with pytest.MonkeyPatch.context() as patch:
        concatenate = recipe._MOVEMENT["concatenate"]
        patch.setitem(recipe._MOVEMENT, "concatenate", lambda *operands: np.roll(concatenate(*operands), 1, -1))
        with pytest.raises((ForgeError, AssertionError)):
            assert_matches(compile(model, tmp_path, layout="tiles"), inputs, goldens)


def test_check_shows_the_layout(tmp_path: Path) -> None:
    from click.testing import CliRunner

    model, _ = PROGRAMS["heads of 24"]
    save(model, tmp_path / "model.onnx")
    shown = CliRunner().invoke(app, ["check", str(tmp_path / "model.onnx"), "--layout"])
    assert shown.exit_code == 0, shown.output
    assert "split-weights" in shown.output
    result = CliRunner().invoke(app, ["check", str(tmp_path / "model.onnx"), "--layout", "--json"])
    layout = json.loads(result.output)["layout"]
    assert layout["before"]["slice_classes"] != layout["after"]["slice_classes"] == {}
    assert layout["after"]["traffic"] == {"ttnn": 0, "windowed": 0, "view": 0}
    assert {value["format"] for value in layout["values"]} == {"f32"}
    bf16 = check(tmp_path / "model.onnx", layout_summary=True, device_format="bf16").layout
    assert bf16 is not None
    assert bf16.before.bytes * 2 == layout["before"]["bytes"]


def test_unknown_layout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ForgeError) as caught:
        compile(PROGRAMS["heads of 24"][0], tmp_path, layout="rows")  # type: ignore[typeddict-item]
    assert "rows" in str(caught.value.diagnostics[0])


def test_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ForgeError) as caught:
        compile(PROGRAMS["heads of 24"][0], tmp_path, layout="tiles", device_format="f9 x}")
    assert "f32, f16, bf16, bfp8, bfp4, bfp2" in str(caught.value)
