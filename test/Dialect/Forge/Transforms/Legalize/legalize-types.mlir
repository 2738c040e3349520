// RUN: forge-opt %s --mlir-print-debuginfo=false --forge-legalize-types | FileCheck %s

// Integers of all widths, booleans and f64 become types that the device has.
// CHECK-LABEL: func.func @inputs(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>, %arg2: tensor<2xi32>, %arg3: tensor<2xf16>, %arg4: tensor<2xbf16>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xf16>, tensor<2xbf16>)
// CHECK: return %arg0, %arg1, %arg2, %arg3, %arg4 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xf16>, tensor<2xbf16>
func.func @inputs(%a: tensor<2xi64>, %b: tensor<2xui8>, %c: tensor<2xi1>, %d: tensor<2xf16>, %e: tensor<2xbf16>) -> (tensor<2xi64>, tensor<2xui8>, tensor<2xi1>, tensor<2xf16>, tensor<2xbf16>) {

  return %a, %b, %c, %d, %e : tensor<2xi64>, tensor<2xui8>, tensor<2xi1>, tensor<2xf16>, tensor<2xbf16>
}

// Rank 0 becomes [1].
// CHECK-LABEL: func.func @rank_0(%arg0: tensor<1xf32>, %arg1: tensor<2xf32>) -> (tensor<2xf32>, tensor<1xf32> {forge.scalar})
// CHECK: %[[V0:.+]] = forge.add %arg0, %arg1 : (tensor<1xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.relu %arg0 : tensor<1xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<2xf32>, tensor<1xf32>
func.func @rank_0(%a: tensor<f32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>) {
  %0 = forge.add %a, %b : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = forge.relu %a : tensor<f32>
  return %0, %1 : tensor<2xf32>, tensor<f32>
}

// A constant of rank 0 becomes a scalar constant; a splat stays a splat; elements keep their order.
// CHECK-LABEL: func.func @constants() -> (tensor<1xf32> {forge.scalar}, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<0xi32>)
// CHECK-DAG: %[[V0:.+]] = forge.scalar_constant constant 2.500000e+00 dtype f32 : tensor<1xf32>
// CHECK-DAG: %[[V1:.+]] = forge.constant dense<7> : tensor<3xi32>
// CHECK-DAG: %[[V2:.+]] = forge.constant dense<[-1, 2147483647]> : tensor<2xi32>
// CHECK-DAG: %[[V3:.+]] = forge.constant dense<[1, 0]> : tensor<2xi32>
// CHECK-DAG: %[[V4:.+]] = forge.constant dense<[0, 255]> : tensor<2xi32>
// CHECK-DAG: %[[V5:.+]] = forge.constant dense<> : tensor<0xi32>
// CHECK: return %[[V0]], %[[V1]], %[[V2]], %[[V3]], %[[V4]], %[[V5]] : tensor<1xf32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<0xi32>
func.func @constants() -> (tensor<f32>, tensor<3xi64>, tensor<2xi64>, tensor<2xi1>, tensor<2xui8>, tensor<0xi64>) {
  %0 = forge.constant dense<2.5> : tensor<f32>
  %1 = forge.constant dense<7> : tensor<3xi64>
  %2 = forge.constant dense<[-1, 2147483647]> : tensor<2xi64>
  %3 = forge.constant dense<[true, false]> : tensor<2xi1>
  %4 = forge.constant dense<[0, 255]> : tensor<2xui8>
  %5 = forge.constant dense<> : tensor<0xi64>
  return %0, %1, %2, %3, %4, %5 : tensor<f32>, tensor<3xi64>, tensor<2xi64>, tensor<2xi1>, tensor<2xui8>, tensor<0xi64>
}

// The float attribute of a scalar constant represents integers up to 2^24; larger ones stay tensors.
// CHECK-LABEL: func.func @exact() -> (tensor<1xi32> {forge.scalar}, tensor<1xi32> {forge.scalar}, tensor<1xi32>)
// CHECK: %[[V0:.+]] = forge.scalar_constant constant 0x4B800000 dtype i32 : tensor<1xi32>
// CHECK-NEXT: %[[V1:.+]] = forge.constant dense<16777217> : tensor<1xi32>
// CHECK-NEXT: %[[V2:.+]] = forge.constant dense<-2147483648> : tensor<1xi32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<1xi32>, tensor<1xi32>, tensor<1xi32>
func.func @exact() -> (tensor<i64>, tensor<i64>, tensor<1xi64>) {
  %0 = forge.constant dense<16777216> : tensor<i64>
  %1 = forge.constant dense<16777217> : tensor<i64>
  %2 = forge.constant dense<-2147483648> : tensor<1xi64>
  return %0, %1, %2 : tensor<i64>, tensor<i64>, tensor<1xi64>
}

// Infinity, NaN and -0 are kept.
// CHECK-LABEL: func.func @special() -> (tensor<1xf32>, tensor<1xf32> {forge.scalar}, tensor<1xf32> {forge.scalar})
// CHECK: %[[V0:.+]] = forge.scalar_constant constant 0x7F800000 dtype f32 : tensor<1xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.scalar_constant constant 0x7FC00000 dtype f32 : tensor<1xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.scalar_constant constant -0.000000e+00 dtype f32 : tensor<1xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
func.func @special() -> (tensor<1xf32>, tensor<f32>, tensor<f32>) {
  %0 = forge.constant dense<0x7F800000> : tensor<1xf32>
  %1 = forge.constant dense<0x7FC00000> : tensor<f32>
  %2 = forge.constant dense<-0.0> : tensor<f32>
  return %0, %1, %2 : tensor<1xf32>, tensor<f32>, tensor<f32>
}

// Weights keep their resource key.
// CHECK-LABEL: func.func @weights() -> (tensor<4xi32>, tensor<1xf32> {forge.scalar})
// CHECK: %[[V0:.+]] = forge.parameter "w" {forge.file_type = i64} : tensor<4xi32>
// CHECK-NEXT: %[[V1:.+]] = forge.parameter "s" : tensor<1xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<4xi32>, tensor<1xf32>
func.func @weights() -> (tensor<4xi64>, tensor<f32>) {
  %0 = forge.parameter "w" : tensor<4xi64>
  %1 = forge.parameter "s" : tensor<f32>
  return %0, %1 : tensor<4xi64>, tensor<f32>
}

// A cast to bool is a comparison with 0.
// CHECK-LABEL: func.func @to_bool(%arg0: tensor<2xf32>) -> tensor<2xi32>
// CHECK: %[[V0:.+]] = forge.scalar_constant constant 0.000000e+00 dtype f32 : tensor<1xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.not_equal %arg0, %[[V0]] : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.cast %[[V1]] dtype i32 : (tensor<2xf32>) -> tensor<2xi32>
// CHECK-NEXT: return %[[V2]] : tensor<2xi32>
func.func @to_bool(%a: tensor<2xf32>) -> tensor<2xi1> {
  %0 = forge.cast %a dtype i1 : (tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// No comparison is added after an op whose result is 0 or 1 already.
// CHECK-LABEL: func.func @compared(%arg0: tensor<2xf32>) -> tensor<2xi32>
// CHECK: %[[V0:.+]] = forge.equal %arg0, %arg0 : tensor<2xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.cast %[[V0]] dtype i32 : (tensor<2xf32>) -> tensor<2xi32>
// CHECK-NEXT: return %[[V1]] : tensor<2xi32>
func.func @compared(%a: tensor<2xf32>) -> tensor<2xi1> {
  %0 = forge.equal %a, %a : tensor<2xf32>
  %1 = forge.cast %0 dtype i1 : (tensor<2xf32>) -> tensor<2xi1>
  return %1 : tensor<2xi1>
}

// Nor for a boolean that was cast to another integer type.
// CHECK-LABEL: func.func @bool_through_integers(%arg0: tensor<2xi32>) -> tensor<2xi32>
// CHECK: return %arg0 : tensor<2xi32>
func.func @bool_through_integers(%a: tensor<2xi1>) -> tensor<2xi1> {
  %0 = forge.cast %a dtype i64 : (tensor<2xi1>) -> tensor<2xi64>
  %1 = forge.cast %0 dtype i1 : (tensor<2xi64>) -> tensor<2xi1>
  return %1 : tensor<2xi1>
}

// But for other integers.
// CHECK-LABEL: func.func @int_to_bool(%arg0: tensor<2xi32>) -> tensor<2xi32>
// CHECK: %[[V0:.+]] = forge.scalar_constant constant 0.000000e+00 dtype i32 : tensor<1xi32>
// CHECK-NEXT: %[[V1:.+]] = forge.not_equal %arg0, %[[V0]] : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
// CHECK-NEXT: return %[[V1]] : tensor<2xi32>
func.func @int_to_bool(%a: tensor<2xi64>) -> tensor<2xi1> {
  %0 = forge.cast %a dtype i32 : (tensor<2xi64>) -> tensor<2xi32>
  %1 = forge.cast %0 dtype i1 : (tensor<2xi32>) -> tensor<2xi1>
  return %1 : tensor<2xi1>
}

// A cast between types that are equal on the device is removed.
// CHECK-LABEL: func.func @no_cast(%arg0: tensor<2xi32>) -> tensor<2xi32>
// CHECK: return %arg0 : tensor<2xi32>
func.func @no_cast(%a: tensor<2xi64>) -> tensor<2xi32> {
  %0 = forge.cast %a dtype i32 : (tensor<2xi64>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// A reduction to rank 0 keeps its axis.
// CHECK-LABEL: func.func @reduced(%arg0: tensor<2xf32>) -> (tensor<1xf32> {forge.scalar}, tensor<1xi32> {forge.scalar})
// CHECK: %[[V0:.+]] = forge.reduce_sum %arg0 dim 0 keep_dim : (tensor<2xf32>) -> tensor<1xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.argmax %arg0 dim -1 keep_dim : (tensor<2xf32>) -> tensor<1xi32>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<1xf32>, tensor<1xi32>
func.func @reduced(%a: tensor<2xf32>) -> (tensor<f32>, tensor<i32>) {
  %0 = forge.reduce_sum %a dim 0 : (tensor<2xf32>) -> tensor<f32>
  %1 = forge.argmax %a dim -1 : (tensor<2xf32>) -> tensor<i32>
  return %0, %1 : tensor<f32>, tensor<i32>
}

// Reshapes from and to rank 0 are removed.
// CHECK-LABEL: func.func @reshaped(%arg0: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xf32> {forge.scalar})
// CHECK: return %arg0, %arg0 : tensor<1xf32>, tensor<1xf32>
func.func @reshaped(%a: tensor<f32>) -> (tensor<1xf32>, tensor<f32>) {
  %0 = forge.reshape %a shape [1] : (tensor<f32>) -> tensor<1xf32>
  %1 = forge.reshape %0 shape [] : (tensor<1xf32>) -> tensor<f32>
  return %0, %1 : tensor<1xf32>, tensor<f32>
}

// Squeezes and unsqueezes of rank 0 become reshapes, or are removed.
// CHECK-LABEL: func.func @squeezed(%arg0: tensor<1xf32>) -> (tensor<1x1xf32>, tensor<1xf32> {forge.scalar})
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 1] : (tensor<1xf32>) -> tensor<1x1xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.squeeze %[[V0]] dim 0 : (tensor<1x1xf32>) -> tensor<1xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<1x1xf32>, tensor<1xf32>
func.func @squeezed(%a: tensor<f32>) -> (tensor<1x1xf32>, tensor<f32>) {
  %0 = forge.unsqueeze %a dim 0 : (tensor<f32>) -> tensor<1xf32>
  %1 = forge.unsqueeze %0 dim 0 : (tensor<1xf32>) -> tensor<1x1xf32>
  %2 = forge.squeeze %1 dim 0 : (tensor<1x1xf32>) -> tensor<1xf32>
  %3 = forge.squeeze %2 dim 0 : (tensor<1xf32>) -> tensor<f32>
  return %1, %3 : tensor<1x1xf32>, tensor<f32>
}

// A stack of scalars has one axis more, which a reshape removes.
// CHECK-LABEL: func.func @stacked(%arg0: tensor<1xf32>) -> tensor<2xf32>
// CHECK: %[[V0:.+]] = forge.stack %arg0, %arg0 axis 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %[[V0]] shape [2] : (tensor<2x1xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2xf32>
func.func @stacked(%a: tensor<f32>) -> tensor<2xf32> {
  %0 = forge.stack %a, %a axis 0 : (tensor<f32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// So has an embedding of a scalar index.
// CHECK-LABEL: func.func @embedding_of_scalar(%arg0: tensor<1xi32>, %arg1: tensor<5x4xf32>) -> tensor<4xf32>
// CHECK: %[[V0:.+]] = forge.embedding %arg0, %arg1 : (tensor<1xi32>, tensor<5x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %[[V0]] shape [4] : (tensor<1x4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4xf32>
func.func @embedding_of_scalar(%a: tensor<i64>, %b: tensor<5x4xf32>) -> tensor<4xf32> {
  %0 = forge.embedding %a, %b : (tensor<i64>, tensor<5x4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The new types are propagated through a chain of ops.
// CHECK-LABEL: func.func @chain(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) -> tensor<2xi32>
// CHECK: %[[V0:.+]] = forge.add %arg0, %arg1 : tensor<2xi32>
// CHECK-NEXT: %[[V1:.+]] = forge.less %[[V0]], %arg0 : tensor<2xi32>
// CHECK-NEXT: %[[V2:.+]] = forge.where %[[V1]], %arg0, %arg1 : tensor<2xi32>
// CHECK-NEXT: return %[[V2]] : tensor<2xi32>
func.func @chain(%a: tensor<2xi64>, %b: tensor<2xi64>) -> tensor<2xi64> {
  %0 = forge.add %a, %b : tensor<2xi64>
  %1 = forge.less %0, %a : tensor<2xi64>
  %2 = forge.cast %1 dtype i1 : (tensor<2xi64>) -> tensor<2xi1>
  %3 = forge.where %2, %a, %b : (tensor<2xi1>, tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  return %3 : tensor<2xi64>
}
