"""No pass changes what the stored models compute: both layers compare the IR before and after every pass."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest

from forge_mlir.bisect import bisect_exact
from sample_models.repository import STORED, data_of

# Models that take a few seconds each.
QUICK = {"gpt2_block", "lstm", "unet"}


@pytest.mark.parametrize(
    "folder",
    [folder if folder.name in QUICK else pytest.param(folder, marks=pytest.mark.slow) for folder in STORED],
    ids=lambda folder: folder.name,
)
def test_every_pass(folder: Path) -> None:
    inputs, _ = data_of(folder)
    found = bisect_exact(folder / "model.onnx", sample_inputs=inputs)
    assert len(found.passes) > 20
    for each in found.passes:
        assert all(verdict.equal for verdict in each.verdicts), f"{each.name}: {each.verdicts}"


# Models that were once taken for different ones. The first three have 16-bit quantisers: a mask that is divided by its
# scale, a softmax of masks, and a product whose scales are folded, which moves numbers across an integer. A LogSoftmax
# becomes steps, of which the logarithm adds 1e-10.
MODELS = {
    "mask": """net (float[1,4,1,1] x) => (float[1,4,1,1] y)
        <uint16 z = {65535}, float s = {5.192376e+33}> {
            q = QuantizeLinear (x, s, z)
            y = DequantizeLinear (q, s, z)
        }""",
    "softmax": """net (uint16[1,1,16,16] x) => (float[1,1,16,16] y)
        <uint16 z = {65535}, float s = {5.192376e+33}, uint16 zero = {0}, float t = {1.5259022e-05}> {
            d = DequantizeLinear (x, s, z)
            p = Softmax (d)
            q = QuantizeLinear (p, t, zero)
            y = DequantizeLinear (q, t, zero)
        }""",
    "product": """net (uint16[1,4,16,16] a, float[1,4,16,16] b) => (uint16[1,4,16,16] y)
        <uint16 za = {30282}, float sa = {9.847824e-05}, uint16 zb = {32021}, float sb = {9.572706e-05},
         uint16 zy = {35692}, float sy = {0.00040557075}> {
            da = DequantizeLinear (a, sa, za)
            qb = QuantizeLinear (b, sb, zb)
            db = DequantizeLinear (qb, sb, zb)
            m = MatMul (da, db)
            y = QuantizeLinear (m, sy, zy)
        }""",
    "log softmax": """net (float[2,3,5,1,1,1,2] x) => (float[2,3,5,1,1,1,2] y) { y = LogSoftmax <axis = 1> (x) }""",
}


@pytest.mark.parametrize("name", MODELS)
def test_every_pass_on_small_models(name: str, tmp_path: Path) -> None:
    model = onnx.parser.parse_model('<ir_version: 10, opset_import: ["": 22]> ' + MODELS[name])
    onnx.save(model, tmp_path / "m.onnx")
    for seed in range(4):
        found = bisect_exact(tmp_path / "m.onnx", seed=seed)
        exact = [verdict for each in found.passes for verdict in each.verdicts if verdict.layer == "exact"]
        assert exact
        assert not [verdict.differences for verdict in exact if verdict.differences], f"seed {seed}"
