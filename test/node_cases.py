"""The cases of onnx's node tests. onnx's reference takes ten seconds to compute their data, which every process of the
tests, of conformance and of the fuzzer needs, so that the data are cached in the build folder."""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import tempfile
import warnings
from functools import cache

import numpy as np
import onnx
from onnx.backend.test.case.test_case import TestCase

from sample_models.repository import REPOSITORY

KEPT = REPOSITORY / "build" / f"node-cases-onnx-{onnx.__version__}-numpy-{np.__version__}.pickle"


@cache
def node_cases() -> list[TestCase]:
    """All cases, in onnx's order.

    The suite draws some inputs from numpy's global generator, which it seeds for each op. The generator is seeded here,
    so that every run has the same inputs.
    """
    try:
        with KEPT.open("rb") as file:
            return list(pickle.load(file))
    except FileNotFoundError:
        cases = _computed()
    KEPT.parent.mkdir(exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=KEPT.parent, delete=False) as written:
        pickle.dump(cases, written)
    os.replace(written.name, KEPT)  # Other processes see the whole file or none.
    return cases


def _computed() -> list[TestCase]:
    state = np.random.get_state()
    np.random.seed(0)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        from onnx.backend.test.case.node import collect_testcases

        cases = list(collect_testcases(None))
    np.random.set_state(state)
    return cases
