// A whole module: weights, a release, an output. This test alone checks the format of the file line by line, because
// users and `reseal` read it.
// RUN: forge-translate %s --forge-to-python | FileCheck %s --match-full-lines --strict-whitespace
// RUN: forge-translate %s --forge-to-python | %compile

//      CHECK:"""Forge module Mlp, compiled from ONNX by forge-mlir.
// CHECK-EMPTY:
// CHECK-NEXT:After an edit of this file: `forge-mlir reseal DIRECTORY`, or load(trust_edits=True).
// CHECK-EMPTY:
// CHECK-NEXT:Inputs:
// CHECK-NEXT:    x: float32 [2, 3], ONNX 'X'
// CHECK-EMPTY:
// CHECK-NEXT:Outputs:
// CHECK-NEXT:    0: float32 [2, 4], ONNX 'Y'
// CHECK-NEXT:"""
// CHECK-EMPTY:
// CHECK-NEXT:import hashlib
// CHECK-NEXT:import json
// CHECK-NEXT:from pathlib import Path
// CHECK-EMPTY:
// CHECK-NEXT:import torch
// CHECK-NEXT:from safetensors import safe_open
//      CHECK:    import forge
//      CHECK:class Mlp(ForgeModule):
// CHECK-NEXT:    def __init__(self, name="mlp"):
// CHECK-NEXT:        super().__init__(name)
// CHECK-NEXT:        self.add_parameter("fc/weight", forge.Parameter(3, 4, requires_grad=False, dev_data_format=forge.DataFormat.Float32))
// CHECK-NEXT:        self.add_constant("ids", shape=(4,), dtype=torch.int32)
// CHECK-EMPTY:
// CHECK-NEXT:    def forward(self, x):
// CHECK-NEXT:        fc = forge.op.Matmul("", x, self.get_parameter("fc/weight")).set_src_layer("/fc")
// CHECK-NEXT:        relu = forge.op.Relu("", fc)
// CHECK-NEXT:        max_op = forge.op.Max("", self.get_constant("ids"), self.get_constant("ids"))
// CHECK-NEXT:        cast = forge.op.Cast("", max_op, dtype=forge.DataFormat.Float32)
// CHECK-NEXT:        y = forge.op.Add("", relu, cast).set_src_layer("y")
// CHECK-NEXT:        release(fc, max_op, relu, cast)
// CHECK-NEXT:        return y
// CHECK-EMPTY:
// CHECK-NEXT:    def process_framework_parameters(self, model=None, trust_edits=False):
//      CHECK:def load(trust_edits=False):
// CHECK-NEXT:    """Return the module with its weights, for forge.compile or a call. trust_edits accepts files that were edited."""
// CHECK-NEXT:    module = Mlp()
// CHECK-NEXT:    module.process_framework_parameters(trust_edits=trust_edits)
// CHECK-NEXT:    return module
// CHECK-EMPTY:
// CHECK-EMPTY:
// CHECK-NEXT:def release(*tensors):
// CHECK-NEXT:    """Free the values of tensors that are not read any more. The graph that computes them is kept."""
// CHECK-NEXT:    for tensor in tensors:
// CHECK-NEXT:        tensor._value = None
func.func @mlp(%arg0: tensor<2x3xf32> {forge.onnx_name = "X"}) -> (tensor<2x4xf32> {forge.onnx_name = "Y"}) {
  %0 = forge.parameter "k0" : tensor<3x4xf32> loc("fc/weight")
  %1 = forge.constant dense<[1, 2, 3, 4]> : tensor<4xi32> loc("ids")
  %2 = forge.matmul %arg0, %0 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32> loc("/fc")
  %3 = forge.relu %2 : tensor<2x4xf32>
  %m = forge.max %1, %1 : tensor<4xi32>
  %4 = forge.cast %m dtype f32 : (tensor<4xi32>) -> tensor<4xf32>
  %5 = forge.add %3, %4 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32> loc("y")
  return %5 : tensor<2x4xf32>
}
