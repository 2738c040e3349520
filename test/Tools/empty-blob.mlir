// The constant of shape [0] that exporters write: MLIR cannot read its own bytecode of a blob without an alignment.
// RUN: forge-opt %s --emit-bytecode -o %t.mlirbc
// RUN: forge-opt %t.mlirbc | FileCheck %s
// RUN: forge-opt %t.mlirbc --forge-normalize-import | FileCheck %s --check-prefix=FOLDED

// CHECK: torch.onnx.value = dense_resource<none> : tensor<0xsi64>
// CHECK: none: "0x01000000"
// FOLDED: torch.onnx.value = dense<> : tensor<0xsi64>
func.func @main() -> !torch.vtensor<[0],si64> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<none> : tensor<0xsi64>} : () -> !torch.vtensor<[0],si64>
  return %0 : !torch.vtensor<[0],si64>
}

{-#
  dialect_resources: { builtin: { none: "0x08000000" } }
#-}
