"""The bounds of softmax, norms and transforms, whose elements depend on a whole row."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import helper

from forge_mlir.verify.limits.bounds import Case, bounds_of
from sample_models.bounds import EPS, bound
from sample_models.probe import weights


def test_masked_elements_of_a_softmax_are_zero() -> None:
    x = np.float32([[1, 2, -3.4e38], [0, 0, 0]])
    found = bound("Softmax", x, axis=-1)
    assert found[0, 2] == 0
    assert (found < 1e-5).all()
    assert (found[1] > 0).all()


def test_cancellation_in_a_transform_has_the_rounding_of_its_summands() -> None:
    x = np.float32(np.arange(2 * 16 * 2)).reshape(2, 16, 2)
    x[1] /= 1e6
    forward, inverse = bound("DFT", x), bound("DFT", x, inverse=1)
    assert (forward[0].min() > 1e-5) & (forward.max() < 1e-3)
    assert forward[1].max() < 1e-9
    np.testing.assert_allclose(inverse, forward / 16)
    half = bound("DFT", x[:, :9, :], inverse=1, onesided=1)
    assert half.shape == (2, 16, 1)
    assert (half[0] > 1e-6).all()


def test_a_transform_in_16_bits_has_rounded_weights() -> None:
    """So have the sums over the real and over the imaginary parts, of which one element of the wave is the
    difference."""
    turn = 2 * np.pi / 64 * np.outer(np.arange(64), np.arange(64))
    wave = np.stack([np.cos(3 * turn[1]), np.sin(3 * turn[1])], axis=-1)
    x = np.stack([weights(64, 2), wave]).astype(np.float16)
    exact = np.fft.fft(x[..., 0].astype(np.float64) + 1j * x[..., 1])
    cosine, sine = (table.astype(np.float16).astype(np.float64) for table in (np.cos(turn), np.sin(turn)))
    sums = [(x[..., 0] @ cosine).astype(np.float16), (x[..., 1] @ sine).astype(np.float16)]
    apart = np.abs(sums[0] + sums[1] - exact.real)
    allowed = bound("DFT", x, axis=1)[..., 0]
    assert (apart < allowed).all()
    assert (allowed.max(axis=1) < 12 * apart.max(axis=1)).all()


def test_the_error_of_a_row_without_variance_depends_on_epsilon() -> None:
    x, one = np.full((2, 8), 1000, np.float32), np.ones(8, np.float32)
    x[1] += weights(8)
    wide, narrow = bound("LayerNormalization", x, one, epsilon=1e-12), bound("LayerNormalization", x, one, epsilon=1.0)
    assert wide[0].min() > 1 > narrow[0].max()
    assert wide[1].max() < 1e-2


def test_a_norm_of_a_norm_has_the_rounding_of_its_mean() -> None:
    """The mean that rounding leaves in a centred row is within the bound; a larger one is an error."""
    x, one = weights(4, 64), np.ones(64, np.float32)
    x -= x.mean(axis=1, keepdims=True)
    apart = bound("LayerNormalization", x, one, epsilon=1e-5)
    size = np.sqrt(np.square(x).mean(axis=1, keepdims=True))
    assert (apart > EPS).all()
    assert (apart < 16 * EPS * (1 + np.abs(x) / size)).all()


@pytest.mark.parametrize("op", ["LayerNormalization", "RMSNormalization"])
def test_a_norm_of_many_small_elements_has_a_rounding_bias(op: str) -> None:
    """If float32 adds squares in order, each of 300 equal small squares after larger ones loses a part."""
    x = np.concatenate([weights(1, 300), np.full((1, 300), 0.0447, np.float32)], axis=1)
    one = np.ones(600, np.float32)
    centre = np.float32(x.mean(dtype=np.float64)) if op == "LayerNormalization" else np.float32(0)
    added = np.cumsum((x - centre) ** 2, dtype=np.float32)[-1] / np.float32(600)
    found = (x - centre) / np.sqrt(added + np.float32(1e-5))
    wide = x.astype(np.float64) - (x.mean(dtype=np.float64) if op == "LayerNormalization" else 0)
    off = np.abs(found - wide / np.sqrt((wide**2).mean() + 1e-5))
    opset = 23 if op == "RMSNormalization" else 18
    blocks, orders = (bound(op, x, one, orders=each, epsilon=1e-5, opset=opset) for each in (False, True))
    assert (off > blocks).any()
    assert (off < orders).all()
    assert (orders < 4 * off.max() + 8 * blocks).all()


def test_statistics_of_a_norm_have_the_rounding_of_its_elements() -> None:
    """Means that cancel, and deviations of nearly equal elements, have errors of many units in their last place."""
    random = np.random.default_rng(0)
    x = (random.choice([-1, 1], (12, 64)) * 10.0 ** random.uniform(-4, 4, (12, 64))).astype(np.float32)
    x[8:] = 30 + 1e-3 * random.standard_normal((4, 64))
    node = helper.make_node("LayerNormalization", ["x", "w"], ["y", "mean", "inverse"], epsilon=1e-7)
    wide = x.astype(np.float64)
    deviation = np.sqrt(wide.var(-1, keepdims=True) + 1e-7)
    right = {"y": wide, "mean": wide.mean(-1, keepdims=True), "inverse": 1 / deviation}
    results = {name: value.astype(np.float32) for name, value in right.items()}
    values = {"x": x, "w": np.ones(64, np.float32)}
    found = bounds_of(Case(node, 17, values, {}, results, lambda *_: {}, lambda *_: {}))
    for order in (x, x[:, ::-1], np.sort(x)):
        mean = np.add.accumulate(order, -1)[:, -1:] / np.float32(64)
        inverse = 1 / np.sqrt(np.mean((order - mean) ** 2, -1, keepdims=True) + np.float32(1e-7))
        assert (abs(mean - right["mean"]) <= 4 * found["mean"]).all()
        assert (abs(inverse - right["inverse"]) <= 2 * found["inverse"]).all()
    assert (found["mean"] <= 1e-6 * np.sqrt((wide**2).mean(-1, keepdims=True))).all()
    assert (found["inverse"][:8] <= 1e-5 * right["inverse"][:8]).all()


def test_sums_in_order_of_a_norm_by_magnitudes() -> None:
    """Its divisor is a sum of magnitudes, which is rounded as a sum of squares is."""
    x = np.concatenate([weights(1, 300), np.full((1, 300), 0.0447, np.float32)], axis=1)
    for p in (1, 2):
        sums = np.cumsum(np.abs(x) ** np.float32(p), dtype=np.float32)[-1]
        wide = (np.abs(x.astype(np.float64)) ** p).sum()
        apart = np.abs(x / sums ** (1 / p) - x / wide ** (1 / p))
        assert (apart <= bound("LpNormalization", x, p=p, orders=True)).all()


@pytest.mark.parametrize("p", [1, 2])
def test_a_global_norm_may_add_its_elements_in_order(p: int) -> None:
    x = np.full((1, 2, 1000), 0.1, np.float32)
    x[..., 0] = 1e4
    sums = np.cumsum(np.abs(x) ** np.float32(p), axis=-1, dtype=np.float32)[..., -1:]
    exact = (np.abs(x.astype(np.float64)) ** p).sum(axis=-1, keepdims=True)
    apart = np.abs(sums ** (1 / p) - exact ** (1 / p))
    assert (apart <= bound("GlobalLpPool", x, p=p, orders=True)).all()
    assert (bound("GlobalLpPool", x, p=p) <= 4 * EPS * exact ** (1 / p)).all()


def test_the_epsilon_of_a_mean_variance_normalization_is_added_to_the_deviation() -> None:
    """Of a row of equal numbers the result is the rounding error of their mean, divided by 1e-9."""
    x = np.full((1, 1, 4, 8), 0.1, np.float32)
    assert (bound("MeanVarianceNormalization", x, axes=[3]) > 1).all()
    assert (bound("MeanVarianceNormalization", weights(1, 1, 4, 8), axes=[3]) < 1e-4).all()


@pytest.mark.parametrize("op", ["ReduceMin", "ReduceL1", "ReduceL2", "ReduceSumSquare"])
def test_reductions_of_integers_are_exact(op: str) -> None:
    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    assert not bound(op, x, axes=[1], opset=13).any()
    carried = bound("ReduceSumSquare", x, axes=[1], opset=13, errors={0: 1})
    assert carried.ravel().tolist() == [2 * 3 + 3, 2 * 12 + 3]


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
@pytest.mark.parametrize("op", ["Softmax", "LogSoftmax", "ReduceMin", "ReduceL2", "ReduceLogSumExp", "LpNormalization"])
def test_no_elements(op: str, shape: tuple[int, int]) -> None:
    assert not bound(op, np.zeros(shape, np.float32), orders=True, opset=18).any()
