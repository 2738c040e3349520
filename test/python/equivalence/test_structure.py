"""Calls that are structurally equal, and calls that are only similar."""

from __future__ import annotations

import pytest
from torch_mlir import ir

import forge_mlir
from forge_mlir.dialects import forge
from forge_mlir.equivalence.program import Function, functions_of
from forge_mlir.equivalence.structure import same_calls

PROGRAM = """
func.func @f(%x: tensor<2x4xf32>) -> tensor<8xf32> {
  %w = forge.parameter "w" : tensor<2x4xf32>
  %c = forge.scalar_constant constant 2.0 dtype f32 : tensor<1xf32>
  %a = forge.multiply %x, %c : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  %b = forge.subtract %a, %w : tensor<2x4xf32>
  %y = forge.reshape %b shape [8] : (tensor<2x4xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
"""


def read(text: str) -> Function:
    context = ir.Context()
    forge_mlir.register(context)
    (function,) = functions_of(forge.parse(text, context)).values()
    return function


SAME = [
    (
        "%c = forge.scalar_constant constant 2.0 dtype f32 : tensor<1xf32>\n"
        "  %a = forge.multiply %x, %c : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>",
        "%c = forge.constant dense<2.0> : tensor<4xf32>\n"
        "  %a = forge.multiply %x, %c : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>",
    ),
    ("%c = forge.scalar_constant constant 2.0 dtype f32", "%c = forge.constant dense<2.0>"),
    (
        "%b = forge.subtract %a, %w : tensor<2x4xf32>",
        '%v = forge.parameter "w" : tensor<2x4xf32>\n  %b = forge.subtract %a, %v : tensor<2x4xf32>',
    ),
]
OTHER = [
    ("constant 2.0", "constant 2.0001"),
    ("forge.subtract %a, %w", "forge.subtract %w, %a"),
    ("forge.subtract %a, %w", "forge.add %a, %w"),
    ('parameter "w"', 'parameter "v"'),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_the_same(before: str, after: str) -> None:
    assert before in PROGRAM
    assert same_calls(read(PROGRAM), read(PROGRAM.replace(before, after)))


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_not_the_same(before: str, after: str) -> None:
    assert before in PROGRAM
    assert not same_calls(read(PROGRAM), read(PROGRAM.replace(before, after)))
