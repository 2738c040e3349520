// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @general(
// CHECK: %[[V0:.+]] = forge.power %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @general(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  %r1 = torch.operator "onnx.Pow"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @identity(
// CHECK: return %arg0 : tensor<2x3xf32>
func.func @identity(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %r2 = torch.operator "onnx.Pow"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// Powers with small integer exponents become multiplications.
// CHECK-LABEL: func.func @square(
// CHECK: %[[V0:.+]] = forge.multiply %arg0, %arg0 : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @square(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %r2 = torch.operator "onnx.Pow"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @cube(
// CHECK: %[[V0:.+]] = forge.multiply %arg0, %arg0 : tensor<2x3xi32>
// CHECK-NEXT: %[[V1:.+]] = forge.multiply %arg0, %[[V0]] : tensor<2x3xi32>
// CHECK-NEXT: return %[[V1]] : tensor<2x3xi32>
func.func @cube(%arg0: !torch.vtensor<[2,3],si32>) -> !torch.vtensor<[2,3],si32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %r2 = torch.operator "onnx.Pow"(%arg0, %c1) : (!torch.vtensor<[2,3],si32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[2,3],si32>
  return %r2 : !torch.vtensor<[2,3],si32>
}

// CHECK-LABEL: func.func @root(
// CHECK: %[[V0:.+]] = forge.sqrt %arg0 : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @root(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 7 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.5> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %r2 = torch.operator "onnx.Pow"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// A float does not represent every 32-bit integer: the exponent is split into a multiple of 4096 and the remainder, and
// the two powers are multiplied.
// CHECK-LABEL: func.func @integer_exponent(
// CHECK: %[[Y:.+]] = forge.cast %arg1 dtype i32
// CHECK-DAG: %[[MASK:.+]] = forge.constant dense<4095> : tensor<i32>
// CHECK-DAG: %[[LOW:.+]] = forge.bitwise_and %[[Y]], %[[MASK]]
// CHECK-DAG: %[[NEGATIVE:.+]] = forge.less %[[Y]],
// CHECK-DAG: %[[BELOW:.+]] = forge.subtract %[[LOW]],
// CHECK: %[[REST:.+]] = forge.where %{{.+}}, %[[BELOW]], %[[LOW]]
// CHECK-DAG: %[[LARGE:.+]] = forge.subtract %[[Y]], %[[REST]]
// CHECK-DAG: %[[LARGE_FLOAT:.+]] = forge.cast %[[LARGE]] dtype f32
// CHECK-DAG: %[[LARGE_POWER:.+]] = forge.power %arg0, %[[LARGE_FLOAT]]
// CHECK-DAG: %[[REST_FLOAT:.+]] = forge.cast %[[REST]] dtype f32
// CHECK-DAG: %[[REST_POWER:.+]] = forge.power %arg0, %[[REST_FLOAT]]
// CHECK: %[[POWER:.+]] = forge.multiply %[[LARGE_POWER]], %[[REST_POWER]]
// CHECK-NEXT: return %[[POWER]] : tensor<2x3xf32>
func.func @integer_exponent(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,3],si64>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  %r1 = torch.operator "onnx.Pow"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],si64>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// 16-bit exponents, and constant ones, are exact in a float.
// CHECK-LABEL: func.func @small_exponent(
// CHECK: %[[V0:.+]] = forge.cast %arg1 dtype f32
// CHECK-NEXT: %[[V1:.+]] = forge.power %arg0, %[[V0]] : tensor<2x3xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x3xf32>
func.func @small_exponent(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,3],si16>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  %r1 = torch.operator "onnx.Pow"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],si16>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @known_exponents(
// CHECK: %[[V0:.+]] = forge.power %arg0, %{{.+}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @known_exponents(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  %c = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, -2, 3]> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64>
  %r1 = torch.operator "onnx.Pow"(%arg0, %c) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// An exponent of a wider type than the base is not rounded to the base's type.
// CHECK-LABEL: func.func @half_base(
// CHECK: %[[V0:.+]] = forge.cast %arg0 dtype f32
// CHECK: %[[V1:.+]] = forge.power %[[V0]], %arg1 : tensor<2x3xf32>
// CHECK: %[[V2:.+]] = forge.cast %[[V1]] dtype f16
// CHECK-NEXT: return %[[V2]] : tensor<2x3xf16>
func.func @half_base(%arg0: !torch.vtensor<[2,3],f16>, %arg1: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f16> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  %r1 = torch.operator "onnx.Pow"(%arg0, %arg1) : (!torch.vtensor<[2,3],f16>, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f16>
  return %r1 : !torch.vtensor<[2,3],f16>
}

// The result has the rank of the exponent, which a multiplication of the base would not give.
// CHECK-LABEL: func.func @larger_exponent(
// CHECK: %[[V0:.+]] = forge.constant dense<2.000000e+00> : tensor<1x1xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.power %arg0, %[[V0]] : (tensor<f32>, tensor<1x1xf32>) -> tensor<1x1xf32>
// CHECK-NEXT: return %[[V1]] : tensor<1x1xf32>
func.func @larger_exponent(%arg0: !torch.vtensor<[],f32>) -> !torch.vtensor<[1,1],f32> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2.0> : tensor<1x1xf32>} : () -> !torch.vtensor<[1,1],f32>
  %r2 = torch.operator "onnx.Pow"(%arg0, %c1) : (!torch.vtensor<[],f32>, !torch.vtensor<[1,1],f32>) -> !torch.vtensor<[1,1],f32>
  return %r2 : !torch.vtensor<[1,1],f32>
}

// The integer exponents are inputs: one conditional multiplication per bit of the exponent.
// CHECK-LABEL: func.func @integers(
// CHECK-COUNT-7: forge.bitwise_and
// CHECK-NOT: forge.power
func.func @integers(%arg0: !torch.vtensor<[2],si32>, %arg1: !torch.vtensor<[2],si32>) -> !torch.vtensor<[2],si32> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  %r1 = torch.operator "onnx.Pow"(%arg0, %arg1) : (!torch.vtensor<[2],si32>, !torch.vtensor<[2],si32>) -> !torch.vtensor<[2],si32>
  return %r1 : !torch.vtensor<[2],si32>
}

// Constants are evaluated in 64 bits.
// CHECK-LABEL: func.func @constants_beyond_32_bits(
// CHECK: %[[V0:.+]] = forge.constant dense<[10000000000, -5559060566555523]> : tensor<2xi64>
// CHECK-NEXT: return %[[V0]] : tensor<2xi64>
func.func @constants_beyond_32_bits() -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[100000, -3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %y = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 33]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r = torch.operator "onnx.Pow"(%x, %y) : (!torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64>
  return %r : !torch.vtensor<[2],si64>
}
