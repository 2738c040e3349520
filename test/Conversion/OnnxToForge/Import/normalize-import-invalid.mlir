// RUN: forge-opt %s -split-input-file -verify-diagnostics --forge-normalize-import

func.func @short(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> {
  // expected-error @+1 {{node 'w' (onnx.Constant): its data has 8 bytes, but 'tensor<4xf32>' needs 16}}
  %0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<w> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}
{-#
  dialect_resources: {
    builtin: {
      w: "0x080000000000000000000000"
    }
  }
#-}

// -----

func.func private @declared(!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @+1 {{call of @declared cannot be inlined: the function has no body}}
  %0 = call @declared(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

func.func private @loops(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @+1 {{call of @loops cannot be inlined: the function calls itself}}
  %0 = call @loops(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}
func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %0 = call @loops(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

func.func private @blocks(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  return %x : !torch.vtensor<[2],f32>
^bb1:
  return %x : !torch.vtensor<[2],f32>
}
func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  // expected-error @+1 {{call of @blocks cannot be inlined: expected a function with one block}}
  %0 = call @blocks(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}
