"""The names that the source of a module reads are bound."""

from __future__ import annotations

import pytest

from forge_mlir.artifact.names import check_names, module_stem, unbound_names
from forge_mlir.errors import ForgeError


def test_unbound_names_are_found() -> None:
    source = """
import math
from os import path as where
class M:
    def layer(self, x):
        return [math.sqrt(item) for item in x if n], helper(x), where, len(x), __file__
def helper(x):
    return M, missing
print(later)
"""
    assert unbound_names(source) == ["later", "missing", "n"]
    assert unbound_names(source.replace("missing", "n") + "n = later = 1") == []


def test_module_with_an_unbound_name_is_not_written() -> None:
    with pytest.raises(ForgeError, match="reads names that nothing binds: n; --flat"):
        check_names("m", "def f(x):\n    return x if n else 0\n")


@pytest.mark.parametrize(
    ("name", "stem"), [("random", "random_model"), ("Token", "Token_model"), ("re", "re_model"), ("bert", "bert")]
)
def test_module_does_not_replace_one_of_python(name: str, stem: str) -> None:
    assert module_stem(name) == stem
