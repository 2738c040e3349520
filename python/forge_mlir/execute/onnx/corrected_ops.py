"""Ops of onnx.reference that are corrected to what ONNX says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt
    from onnx.reference.op_run import OpRun

    Array = npt.NDArray[Any]


def corrected_ops() -> list[type[OpRun]]:
    """Classes for `new_ops` of a ReferenceEvaluator, which finds them by their names."""
    return [_loop(), *_movement(), *_norms(), *_trees(), _quantiser(), _attention(), *_thresholds()]


def _loop() -> type[OpRun]:
    """onnx.reference concatenates scan outputs, which ONNX stacks. It takes an absent condition for false, and obeys
    the condition that the body computes, which ONNX ignores if there is no condition input."""
    from onnx.reference.ops import op_loop

    class Loop(op_loop.Loop):  # type: ignore[misc]
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            run_body: Any = getattr(self, "_run_body")  # noqa: B009 - which OpRun makes for the attribute

            def watched(*args: Any, **kwargs: Any) -> Any:
                results = list(run_body(*args, **kwargs))
                self._rounds.append(results)
                return results if self._obeys else [np.array(True), *results[1:]]

            self._run_body = watched

        def _run(self, count: Any, go: Any, *args: Any, **kwargs: Any) -> Any:
            self._rounds: list[Any] = []
            self._obeys = go is not None
            results = list(super()._run(count, go if self._obeys else np.array(True), *args, **kwargs))
            for at in range(self.K if self._rounds else 0):
                results[self.N + at] = np.stack([outputs[at - self.K] for outputs in self._rounds])
            return tuple(results)

    return Loop


def _movement() -> list[type[OpRun]]:
    """onnx.reference's GatherElements fails if an axis of the indices is shorter than that of the data, and for more
    than 32 elements along its axis. Its Pad fails for negative pads, which remove elements."""
    from onnx.reference.op_run import OpRun

    class GatherElements(OpRun):  # type: ignore[misc]
        op_domain = ""

        def _run(self, x: Array, indices: Array, axis: int) -> tuple[Array]:
            along = axis % x.ndim
            read = tuple(slice(None if at == along else size) for at, size in enumerate(indices.shape))
            return (np.take_along_axis(x[read], indices, along),)

    class Pad(OpRun):  # type: ignore[misc]
        op_domain = ""

        def _run(
            self,
            x: Array,
            pads: Any = None,
            value: Any = None,
            axes: Any = None,
            mode: Any = None,
            paddings: Any = None,
        ) -> tuple[Array]:
            """Before opset 11, pads (before opset 2: paddings) and value are attributes."""
            given = np.asarray(paddings if pads is None else pads).reshape(2, -1)
            widths = np.zeros((x.ndim, 2), np.int64)
            widths[range(x.ndim) if axes is None else axes] = given.T
            kept = tuple(slice(max(-a, 0), n - max(-b, 0)) for (a, b), n in zip(widths.tolist(), x.shape, strict=True))
            how: Any = mode or "constant"
            constant = {"constant_values": 0 if value is None else value} if how == "constant" else {}
            padded = np.pad(x[kept], widths.clip(min=0), how, **constant)
            return (padded.astype(x.dtype, copy=False),)

    return [GatherElements, Pad]


def _norms() -> list[type[OpRun]]:
    """onnx.reference's LRN sums squares for as many channels as the batch has samples. Its LogSoftmax is the logarithm
    of its softmax, which is -inf where the softmax is rounded to 0. The others subtract the square of the mean from the
    mean of the squares, which cancels for rows of similar elements."""
    from onnx.reference.op_run import OpRun

    def widened(x: Array) -> Array:
        return x.astype(np.result_type(x.dtype, np.float32), copy=False)

    class LRN(OpRun):  # type: ignore[misc]
        op_domain = ""

        def _run(self, x: Array, alpha: float, beta: float, bias: float, size: int) -> tuple[Array]:
            """x / (bias + alpha / size * sum of squares of up to `size` channels around each) ** beta."""
            wide = widened(x)
            padded = np.zeros((x.shape[0], x.shape[1] + size - 1, *x.shape[2:]), wide.dtype)
            first = (size - 1) // 2
            padded[:, first : first + x.shape[1]] = wide**2
            sums = sum((padded[:, at : at + x.shape[1]] for at in range(size)), np.zeros(x.shape, wide.dtype))
            return ((wide / (bias + alpha / size * sums) ** beta).astype(x.dtype),)

    class LogSoftmax(OpRun):  # type: ignore[misc]
        op_domain = ""

        def _run(self, x: Array, axis: int) -> tuple[Array]:
            """x - largest - log(sum of exp(x - largest))"""
            if not x.size:
                return (x,)
            wide = widened(x)
            apart = wide - wide.max(axis=axis, keepdims=True)
            return ((apart - np.log(np.exp(apart).sum(axis=axis, keepdims=True))).astype(x.dtype),)

    class MeanVarianceNormalization(OpRun):  # type: ignore[misc]
        op_domain = ""

        def _run(self, x: Array, axes: list[int]) -> tuple[Array]:
            """(x - mean) / (deviation + 1e-9)"""
            wide, along = widened(x), tuple(axes)
            apart = wide - wide.mean(axis=along, keepdims=True)
            return ((apart / (np.sqrt((apart**2).mean(axis=along, keepdims=True)) + 1e-9)).astype(x.dtype),)

    class GroupNormalization(OpRun):  # type: ignore[misc]
        op_domain = ""

        def _run(self, x: Array, scale: Array, bias: Array, epsilon: float, num_groups: int, **_: Any) -> tuple[Array]:
            """(x - mean) / sqrt(variance + epsilon) * scale + bias, with scale and bias by group until opset 20."""
            groups = widened(x).reshape(x.shape[0], num_groups, -1)
            apart = groups - groups.mean(axis=2, keepdims=True)
            normal = apart / np.sqrt((apart**2).mean(axis=2, keepdims=True) + epsilon)
            by = (1, -1, *(1 for _ in x.shape[2:]))
            factor, added = (np.repeat(widened(each), x.shape[1] // each.size).reshape(by) for each in (scale, bias))
            return ((normal.reshape(x.shape) * factor + added).astype(x.dtype),)

    class InstanceNormalization(OpRun):  # type: ignore[misc]
        op_domain = ""

        def _run(self, x: Array, scale: Array, bias: Array, epsilon: float) -> tuple[Array]:
            """As GroupNormalization, with a group for each channel. In float16, onnx.reference's squares overflow."""
            wide, along, by = widened(x), tuple(range(2, x.ndim)), (-1, *(1 for _ in x.shape[2:]))
            apart = wide - wide.mean(axis=along, keepdims=True)
            normal = apart / np.sqrt((apart**2).mean(axis=along, keepdims=True) + epsilon)
            return ((normal * widened(scale).reshape(by) + widened(bias).reshape(by)).astype(x.dtype),)

    return [LRN, LogSoftmax, MeanVarianceNormalization, GroupNormalization, InstanceNormalization]


_UNUSED = 1e37
"""A score of at least this is where onnx.reference starts from in the search of a minimum or maximum."""


def _trees() -> list[type[OpRun]]:
    """onnx.reference leaves `post_transform` out, or stops, and gives the largest number of its type, or its negative,
    as the minimum or maximum of no votes."""
    from onnx.reference.ops.aionnxml import _common_classifier as classifier
    from onnx.reference.ops.aionnxml import op_tree_ensemble, op_tree_ensemble_regressor

    transforms = {
        "SOFTMAX": classifier.softmax,
        "LOGISTIC": classifier.logistic,
        "SOFTMAX_ZERO": classifier.softmax_zero,
        "PROBIT": classifier.probit,
    }
    names = ("NONE", *transforms)

    def finished(scores: Array, base: Any, transform: str) -> tuple[Array]:
        votes = np.where(np.abs(scores) < _UNUSED, scores, 0).astype(scores.dtype)
        total = votes if base is None else votes + np.asarray(base, scores.dtype)
        return (transforms[transform](total).astype(scores.dtype) if transform in transforms else total,)

    class TreeEnsemble(op_tree_ensemble.TreeEnsemble):  # type: ignore[misc]
        def _run(self, *args: Any, post_transform: int = 0, **kwargs: Any) -> tuple[Array]:
            return finished(super()._run(*args, **kwargs)[0], None, names[post_transform])

    class TreeEnsembleRegressor(op_tree_ensemble_regressor.TreeEnsembleRegressor):  # type: ignore[misc]
        def _run(
            self,
            x: Array,
            base_values: Any = None,
            base_values_as_tensor: Any = None,
            post_transform: str = "NONE",
            **kwargs: Any,
        ) -> tuple[Array]:
            base = base_values if base_values_as_tensor is None else base_values_as_tensor
            return finished(super()._run(x, **kwargs)[0], base, post_transform)

    return [TreeEnsemble, TreeEnsembleRegressor]


DIVIDES_AS_SCALE = 23
"""The opset since which QuantizeLinear divides in the type of the scale."""
_BEYOND_INTEGERS = 2.0**20
"""More than the quotient of a number that is quantised to 16 bits without saturation."""


def _quantiser() -> type[OpRun]:
    """onnx.reference converts quotients to int32 before it saturates, so that large ones wrap. It divides in the wider
    type of operand and scale; ONNX says that of the scale, and onnxruntime divides in float32 before that opset."""
    from onnx.helper import tensor_dtype_to_np_dtype
    from onnx.reference.ops import op_quantize_linear
    from onnx.reference.ops._quant_utils import reshape_input

    class QuantizeLinear(op_quantize_linear._CommonQuantizeLinear):  # type: ignore[misc]
        op_domain = ""

        def _run(
            self,
            x: Array,
            scale: Array,
            zero: Array | None = None,
            axis: int = 1,
            block_size: int = 0,
            precision: int = 0,
            **kwargs: Any,
        ) -> Any:
            divided = np.result_type(x.dtype, np.float32)
            if precision:
                divided = tensor_dtype_to_np_dtype(precision)
            elif self.run_params["opsets"].get("", 0) >= DIVIDES_AS_SCALE and x.dtype != np.float64:
                divided = scale.dtype
            by = reshape_input(scale, x.shape, axis, block_size)
            quotient = x.astype(divided) / by.astype(divided)
            wide = quotient.astype(np.result_type(divided, np.float32))
            wide = np.clip(wide, -_BEYOND_INTEGERS, _BEYOND_INTEGERS)
            return super()._run(wide, np.ones((), wide.dtype), zero, axis, block_size=block_size, **kwargs)

    return QuantizeLinear


def _attention() -> type[OpRun]:
    """onnx.reference gives all queries the causal bias of the first one if a mask is broadcast along the queries."""
    from onnx.reference.ops import op_attention

    class Attention(op_attention.Attention):  # type: ignore[misc]
        op_domain = ""

        def _run(self, q: Array, k: Array, v: Array, mask: Array | None = None, *args: Any, **kwargs: Any) -> Any:
            self._validate_attention25 = self.run_params["opsets"].get("", 0) >= 25
            if mask is not None:
                mask = np.broadcast_to(mask, (*mask.shape[:-2], q.shape[-2], mask.shape[-1]))
            return super()._run(q, k, v, mask, *args, **kwargs)

    return Attention


def _thresholds() -> list[type[OpRun]]:
    """onnx.reference compares 16-bit floats with attributes in float32. ONNX's function bodies cast them."""
    from onnx.reference.op_run import OpRun

    class ThresholdedRelu(OpRun):  # type: ignore[misc]
        op_domain = ""

        def _run(self, x: Array, alpha: float) -> tuple[Array]:
            return (np.where(x > x.dtype.type(alpha), x, x.dtype.type(0)),)

    class Shrink(OpRun):  # type: ignore[misc]
        op_domain = ""

        def _run(self, x: Array, bias: float, lambd: float) -> tuple[Array]:
            by, limit = x.dtype.type(bias), x.dtype.type(lambd)
            return (np.where(x < -limit, x + by, np.where(x > limit, x - by, x.dtype.type(0))),)

    return [ThresholdedRelu, Shrink]
