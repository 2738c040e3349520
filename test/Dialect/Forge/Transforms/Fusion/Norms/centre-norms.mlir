// RUN: forge-opt %s --forge-centre-norms | FileCheck %s

// A residual stream made of embeddings and matrix products: all of their weights are centred, and the norms subtract no
// mean.
// CHECK-LABEL: func.func @residual_stream(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "table" : tensor<9x8xf32>
// CHECK-DAG: %[[V1:.+]] = forge.parameter "positions" : tensor<1x5x8xf32>
// CHECK-DAG: %[[V2:.+]] = forge.parameter "u" : tensor<8x8xf32>
// CHECK-DAG: %[[V3:.+]] = forge.parameter "b" : tensor<8xf32>
// CHECK-DAG: %[[V4:.+]] = forge.parameter "v" : tensor<8x3xf32>
// CHECK-DAG: %[[V5:.+]] = forge.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[V6:.+]] = forge.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[V7:.+]] = forge.reduce_avg %[[V0]] dim 1 keep_dim : (tensor<9x8xf32>) -> tensor<9x1xf32>
// CHECK-DAG: %[[V8:.+]] = forge.subtract %[[V0]], %[[V7]] : (tensor<9x8xf32>, tensor<9x1xf32>) -> tensor<9x8xf32>
// CHECK-DAG: %[[V9:.+]] = forge.embedding %arg0, %[[V8]] : (tensor<2x5xi32>, tensor<9x8xf32>) -> tensor<2x5x8xf32>
// CHECK-DAG: %[[V10:.+]] = forge.reduce_avg %[[V1]] dim 2 keep_dim : (tensor<1x5x8xf32>) -> tensor<1x5x1xf32>
// CHECK-DAG: %[[V11:.+]] = forge.subtract %[[V1]], %[[V10]] : (tensor<1x5x8xf32>, tensor<1x5x1xf32>) -> tensor<1x5x8xf32>
// CHECK-DAG: %[[V12:.+]] = forge.add %[[V9]], %[[V11]] : (tensor<2x5x8xf32>, tensor<1x5x8xf32>) -> tensor<2x5x8xf32>
// CHECK-DAG: %[[V13:.+]] = forge.multiply %[[V12]], %[[V12]] : tensor<2x5x8xf32>
// CHECK-DAG: %[[V14:.+]] = forge.reduce_avg %[[V13]] dim -1 keep_dim : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
// CHECK-DAG: %[[V15:.+]] = forge.scalar_constant constant 9.99999974E-6 dtype f32 : tensor<1xf32>
// CHECK-DAG: %[[V16:.+]] = forge.add %[[V14]], %[[V15]] : (tensor<2x5x1xf32>, tensor<1xf32>) -> tensor<2x5x1xf32>
// CHECK-DAG: %[[V17:.+]] = forge.sqrt %[[V16]] : tensor<2x5x1xf32>
// CHECK-DAG: %[[V18:.+]] = forge.divide %[[V12]], %[[V17]] : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
// CHECK-DAG: %[[V19:.+]] = forge.reduce_avg %[[V2]] dim 1 keep_dim : (tensor<8x8xf32>) -> tensor<8x1xf32>
// CHECK-DAG: %[[V20:.+]] = forge.subtract %[[V2]], %[[V19]] : (tensor<8x8xf32>, tensor<8x1xf32>) -> tensor<8x8xf32>
// CHECK-DAG: %[[V21:.+]] = forge.reduce_avg %[[V3]] dim 0 keep_dim : (tensor<8xf32>) -> tensor<1xf32>
// CHECK-DAG: %[[V22:.+]] = forge.subtract %[[V3]], %[[V21]] : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
// CHECK-DAG: %[[V23:.+]] = forge.matmul %[[V18]], %[[V20]], %[[V22]] : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
// CHECK-DAG: %[[V24:.+]] = forge.add %[[V12]], %[[V23]] : tensor<2x5x8xf32>
// CHECK-DAG: %[[V25:.+]] = forge.multiply %[[V24]], %[[V24]] : tensor<2x5x8xf32>
// CHECK-DAG: %[[V26:.+]] = forge.reduce_avg %[[V25]] dim -1 keep_dim : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
// CHECK-DAG: %[[V27:.+]] = forge.scalar_constant constant 9.99999974E-6 dtype f32 : tensor<1xf32>
// CHECK-DAG: %[[V28:.+]] = forge.add %[[V26]], %[[V27]] : (tensor<2x5x1xf32>, tensor<1xf32>) -> tensor<2x5x1xf32>
// CHECK-DAG: %[[V29:.+]] = forge.sqrt %[[V28]] : tensor<2x5x1xf32>
// CHECK-DAG: %[[V30:.+]] = forge.divide %[[V24]], %[[V29]] : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
// CHECK-DAG: %[[V31:.+]] = forge.matmul %[[V30]], %[[V4]] : (tensor<2x5x8xf32>, tensor<8x3xf32>) -> tensor<2x5x3xf32>
// CHECK: return %[[V31]] : tensor<2x5x3xf32>
func.func @residual_stream(%i: tensor<2x5xi32>) -> tensor<2x5x3xf32> {
  %table = forge.parameter "table" : tensor<9x8xf32>
  %positions = forge.parameter "positions" : tensor<1x5x8xf32>
  %u = forge.parameter "u" : tensor<8x8xf32>
  %b = forge.parameter "b" : tensor<8xf32>
  %v = forge.parameter "v" : tensor<8x3xf32>
  %one = forge.constant dense<1.0> : tensor<8xf32>
  %zero = forge.constant dense<0.0> : tensor<8xf32>
  %0 = forge.embedding %i, %table : (tensor<2x5xi32>, tensor<9x8xf32>) -> tensor<2x5x8xf32>
  %1 = forge.add %0, %positions : (tensor<2x5x8xf32>, tensor<1x5x8xf32>) -> tensor<2x5x8xf32>
  %2 = forge.layernorm %1, %one, %zero dim -1 epsilon 1.0e-05 : (tensor<2x5x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %3 = forge.matmul %2, %u, %b : (tensor<2x5x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %4 = forge.add %1, %3 : tensor<2x5x8xf32>
  %5 = forge.layernorm %4, %one, %zero dim -1 epsilon 1.0e-05 : (tensor<2x5x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %6 = forge.matmul %5, %v : (tensor<2x5x8xf32>, tensor<8x3xf32>) -> tensor<2x5x3xf32>
  return %6 : tensor<2x5x3xf32>
}

// The channels of a convolution and a constant token, through ops that keep the channels as the last axis. The norm's
// scale and bias stay.
// CHECK-LABEL: func.func @patches(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "w" : tensor<8x3x2x2xf32>
// CHECK-DAG: %[[V1:.+]] = forge.parameter "token" : tensor<1x1x8xf32>
// CHECK-DAG: %[[V2:.+]] = forge.parameter "g" : tensor<8xf32>
// CHECK-DAG: %[[V3:.+]] = forge.parameter "b" : tensor<8xf32>
// CHECK-DAG: %[[V4:.+]] = forge.reduce_avg %[[V0]] dim 0 keep_dim : (tensor<8x3x2x2xf32>) -> tensor<1x3x2x2xf32>
// CHECK-DAG: %[[V5:.+]] = forge.subtract %[[V0]], %[[V4]] : (tensor<8x3x2x2xf32>, tensor<1x3x2x2xf32>) -> tensor<8x3x2x2xf32>
// CHECK-DAG: %[[V6:.+]] = forge.conv2d %arg0, %[[V5]] stride [2, 2] padding [0, 0, 0, 0] channel_last : (tensor<1x4x4x3xf32>, tensor<8x3x2x2xf32>) -> tensor<1x2x2x8xf32>
// CHECK-DAG: %[[V7:.+]] = forge.reshape %[[V6]] shape [1, 4, 8] : (tensor<1x2x2x8xf32>) -> tensor<1x4x8xf32>
// CHECK-DAG: %[[V8:.+]] = forge.reduce_avg %[[V1]] dim 2 keep_dim : (tensor<1x1x8xf32>) -> tensor<1x1x1xf32>
// CHECK-DAG: %[[V9:.+]] = forge.subtract %[[V1]], %[[V8]] : (tensor<1x1x8xf32>, tensor<1x1x1xf32>) -> tensor<1x1x8xf32>
// CHECK-DAG: %[[V10:.+]] = forge.concatenate %[[V9]], %[[V7]] axis -2 : (tensor<1x1x8xf32>, tensor<1x4x8xf32>) -> tensor<1x5x8xf32>
// CHECK-DAG: %[[V11:.+]] = forge.multiply %arg1, %[[V10]] : (tensor<1x5x1xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
// CHECK-DAG: %[[V12:.+]] = forge.index %[[V11]] dim -2 [0:1] : (tensor<1x5x8xf32>) -> tensor<1x1x8xf32>
// CHECK-DAG: %[[V13:.+]] = forge.squeeze %[[V12]] dim 1 : (tensor<1x1x8xf32>) -> tensor<1x8xf32>
// CHECK-DAG: %[[V14:.+]] = forge.multiply %[[V13]], %[[V13]] : tensor<1x8xf32>
// CHECK-DAG: %[[V15:.+]] = forge.reduce_avg %[[V14]] dim -1 keep_dim : (tensor<1x8xf32>) -> tensor<1x1xf32>
// CHECK-DAG: %[[V16:.+]] = forge.scalar_constant constant 9.99999974E-6 dtype f32 : tensor<1xf32>
// CHECK-DAG: %[[V17:.+]] = forge.add %[[V15]], %[[V16]] : (tensor<1x1xf32>, tensor<1xf32>) -> tensor<1x1xf32>
// CHECK-DAG: %[[V18:.+]] = forge.sqrt %[[V17]] : tensor<1x1xf32>
// CHECK-DAG: %[[V19:.+]] = forge.divide %[[V13]], %[[V18]] : (tensor<1x8xf32>, tensor<1x1xf32>) -> tensor<1x8xf32>
// CHECK-DAG: %[[V20:.+]] = forge.multiply %[[V19]], %[[V2]] : (tensor<1x8xf32>, tensor<8xf32>) -> tensor<1x8xf32>
// CHECK-DAG: %[[V21:.+]] = forge.add %[[V20]], %[[V3]] : (tensor<1x8xf32>, tensor<8xf32>) -> tensor<1x8xf32>
// CHECK: return %[[V21]] : tensor<1x8xf32>
func.func @patches(%x: tensor<1x4x4x3xf32>, %mask: tensor<1x5x1xf32>) -> tensor<1x8xf32> {
  %w = forge.parameter "w" : tensor<8x3x2x2xf32>
  %token = forge.parameter "token" : tensor<1x1x8xf32>
  %g = forge.parameter "g" : tensor<8xf32>
  %b = forge.parameter "b" : tensor<8xf32>
  %0 = forge.conv2d %x, %w stride [2, 2] padding [0, 0, 0, 0] channel_last : (tensor<1x4x4x3xf32>, tensor<8x3x2x2xf32>) -> tensor<1x2x2x8xf32>
  %1 = forge.reshape %0 shape [1, 4, 8] : (tensor<1x2x2x8xf32>) -> tensor<1x4x8xf32>
  %2 = forge.concatenate %token, %1 axis -2 : (tensor<1x1x8xf32>, tensor<1x4x8xf32>) -> tensor<1x5x8xf32>
  %3 = forge.multiply %mask, %2 : (tensor<1x5x1xf32>, tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  %4 = forge.index %3 dim -2 [0:1] : (tensor<1x5x8xf32>) -> tensor<1x1x8xf32>
  %5 = forge.squeeze %4 dim 1 : (tensor<1x1x8xf32>) -> tensor<1x8xf32>
  %6 = forge.layernorm %5, %g, %b dim -1 epsilon 1.0e-05 : (tensor<1x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x8xf32>
  return %6 : tensor<1x8xf32>
}

// An input has no weights to centre: its own norm subtracts the mean already, and the residual addition uses that
// centred value.
// CHECK-LABEL: func.func @input_is_centred_once(
// CHECK-DAG: %[[V0:.+]] = forge.reduce_avg %arg0 dim -1 keep_dim : (tensor<2x8xf32>) -> tensor<2x1xf32>
// CHECK-DAG: %[[V1:.+]] = forge.subtract %arg0, %[[V0]] : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
// CHECK-DAG: %[[V2:.+]] = forge.parameter "u" : tensor<8x8xf32>
// CHECK-DAG: %[[V3:.+]] = forge.parameter "v" : tensor<8x3xf32>
// CHECK-DAG: %[[V4:.+]] = forge.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[V5:.+]] = forge.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[V6:.+]] = forge.layernorm %arg0, %[[V4]], %[[V5]] dim -1 epsilon 9.99999974E-6 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
// CHECK-DAG: %[[V7:.+]] = forge.reduce_avg %[[V2]] dim 1 keep_dim : (tensor<8x8xf32>) -> tensor<8x1xf32>
// CHECK-DAG: %[[V8:.+]] = forge.subtract %[[V2]], %[[V7]] : (tensor<8x8xf32>, tensor<8x1xf32>) -> tensor<8x8xf32>
// CHECK-DAG: %[[V9:.+]] = forge.matmul %[[V6]], %[[V8]] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
// CHECK-DAG: %[[V10:.+]] = forge.add %[[V1]], %[[V9]] : tensor<2x8xf32>
// CHECK-DAG: %[[V11:.+]] = forge.multiply %[[V10]], %[[V10]] : tensor<2x8xf32>
// CHECK-DAG: %[[V12:.+]] = forge.reduce_avg %[[V11]] dim -1 keep_dim : (tensor<2x8xf32>) -> tensor<2x1xf32>
// CHECK-DAG: %[[V13:.+]] = forge.scalar_constant constant 9.99999974E-6 dtype f32 : tensor<1xf32>
// CHECK-DAG: %[[V14:.+]] = forge.add %[[V12]], %[[V13]] : (tensor<2x1xf32>, tensor<1xf32>) -> tensor<2x1xf32>
// CHECK-DAG: %[[V15:.+]] = forge.sqrt %[[V14]] : tensor<2x1xf32>
// CHECK-DAG: %[[V16:.+]] = forge.divide %[[V10]], %[[V15]] : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
// CHECK-DAG: %[[V17:.+]] = forge.matmul %[[V16]], %[[V3]] : (tensor<2x8xf32>, tensor<8x3xf32>) -> tensor<2x3xf32>
// CHECK: return %[[V17]] : tensor<2x3xf32>
func.func @input_is_centred_once(%x: tensor<2x8xf32>) -> tensor<2x3xf32> {
  %u = forge.parameter "u" : tensor<8x8xf32>
  %v = forge.parameter "v" : tensor<8x3xf32>
  %one = forge.constant dense<1.0> : tensor<8xf32>
  %zero = forge.constant dense<0.0> : tensor<8xf32>
  %0 = forge.layernorm %x, %one, %zero dim -1 epsilon 1.0e-05 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %1 = forge.matmul %0, %u : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %2 = forge.add %x, %1 : tensor<2x8xf32>
  %3 = forge.layernorm %2, %one, %zero dim -1 epsilon 1.0e-05 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %4 = forge.matmul %3, %v : (tensor<2x8xf32>, tensor<8x3xf32>) -> tensor<2x3xf32>
  return %4 : tensor<2x3xf32>
}

// Centring the input would cost as much as the single norm saves.
// CHECK-LABEL: func.func @no_gain(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "u" : tensor<8x8xf32>
// CHECK-DAG: %[[V1:.+]] = forge.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[V2:.+]] = forge.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[V3:.+]] = forge.matmul %arg1, %[[V0]] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
// CHECK-DAG: %[[V4:.+]] = forge.add %arg0, %[[V3]] : tensor<2x8xf32>
// CHECK-DAG: %[[V5:.+]] = forge.layernorm %[[V4]], %[[V1]], %[[V2]] dim -1 epsilon 9.99999974E-6 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
// CHECK: return %[[V5]] : tensor<2x8xf32>
func.func @no_gain(%x: tensor<2x8xf32>, %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %u = forge.parameter "u" : tensor<8x8xf32>
  %one = forge.constant dense<1.0> : tensor<8xf32>
  %zero = forge.constant dense<0.0> : tensor<8xf32>
  %0 = forge.matmul %y, %u : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %1 = forge.add %x, %0 : tensor<2x8xf32>
  %2 = forge.layernorm %1, %one, %zero dim -1 epsilon 1.0e-05 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}

// A value that is also returned, or multiplied by other weights, keeps its mean; so do the values that it is computed
// from.
// CHECK-LABEL: func.func @other_users(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "u" : tensor<8x8xf32>
// CHECK-DAG: %[[V1:.+]] = forge.parameter "v" : tensor<8x3xf32>
// CHECK-DAG: %[[V2:.+]] = forge.parameter "w" : tensor<8x8xf32>
// CHECK-DAG: %[[V3:.+]] = forge.parameter "b" : tensor<8xf32>
// CHECK-DAG: %[[V4:.+]] = forge.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[V5:.+]] = forge.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[V6:.+]] = forge.matmul %arg0, %[[V0]] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
// CHECK-DAG: %[[V7:.+]] = forge.add %[[V6]], %[[V3]] : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
// CHECK-DAG: %[[V8:.+]] = forge.layernorm %[[V6]], %[[V4]], %[[V5]] dim -1 epsilon 9.99999974E-6 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
// CHECK-DAG: %[[V9:.+]] = forge.matmul %arg0, %[[V2]] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
// CHECK-DAG: %[[V10:.+]] = forge.matmul %[[V9]], %[[V1]] : (tensor<2x8xf32>, tensor<8x3xf32>) -> tensor<2x3xf32>
// CHECK-DAG: %[[V11:.+]] = forge.layernorm %[[V9]], %[[V4]], %[[V5]] dim -1 epsilon 9.99999974E-6 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
// CHECK: return %[[V7]], %[[V8]], %[[V10]], %[[V11]] : tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x3xf32>, tensor<2x8xf32>
func.func @other_users(%y: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x3xf32>, tensor<2x8xf32>) {
  %u = forge.parameter "u" : tensor<8x8xf32>
  %v = forge.parameter "v" : tensor<8x3xf32>
  %w = forge.parameter "w" : tensor<8x8xf32>
  %b = forge.parameter "b" : tensor<8xf32>
  %one = forge.constant dense<1.0> : tensor<8xf32>
  %zero = forge.constant dense<0.0> : tensor<8xf32>
  %0 = forge.matmul %y, %u : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %1 = forge.add %0, %b : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %2 = forge.layernorm %0, %one, %zero dim -1 epsilon 1.0e-05 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %3 = forge.matmul %y, %w : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %4 = forge.matmul %3, %v : (tensor<2x8xf32>, tensor<8x3xf32>) -> tensor<2x3xf32>
  %5 = forge.layernorm %3, %one, %zero dim -1 epsilon 1.0e-05 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %1, %2, %4, %5 : tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x3xf32>, tensor<2x8xf32>
}

// Not centred: in a grouped convolution each output channel reads inputs of its own; a bias with one value per row has
// no mean to subtract; and the mean of a concatenation along the last axis is not the mean of its operands.
// CHECK-LABEL: func.func @not_centred(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "w" : tensor<8x1x1x1xf32>
// CHECK-DAG: %[[V1:.+]] = forge.parameter "u" : tensor<8x8xf32>
// CHECK-DAG: %[[V2:.+]] = forge.parameter "t" : tensor<2x1xf32>
// CHECK-DAG: %[[V3:.+]] = forge.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[V4:.+]] = forge.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[V5:.+]] = forge.constant dense<1.000000e+00> : tensor<16xf32>
// CHECK-DAG: %[[V6:.+]] = forge.constant dense<0.000000e+00> : tensor<16xf32>
// CHECK-DAG: %[[V7:.+]] = forge.conv2d %arg0, %[[V0]] stride [1, 1] padding [0, 0, 0, 0] groups 8 channel_last : (tensor<1x4x4x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x4x4x8xf32>
// CHECK-DAG: %[[V8:.+]] = forge.layernorm %[[V7]], %[[V3]], %[[V4]] dim -1 epsilon 9.99999974E-6 : (tensor<1x4x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
// CHECK-DAG: %[[V9:.+]] = forge.matmul %arg1, %[[V1]] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
// CHECK-DAG: %[[V10:.+]] = forge.add %[[V9]], %[[V2]] : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
// CHECK-DAG: %[[V11:.+]] = forge.layernorm %[[V10]], %[[V3]], %[[V4]] dim -1 epsilon 9.99999974E-6 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
// CHECK-DAG: %[[V12:.+]] = forge.concatenate %[[V9]], %[[V9]] axis -1 : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x16xf32>
// CHECK-DAG: %[[V13:.+]] = forge.layernorm %[[V12]], %[[V5]], %[[V6]] dim -1 epsilon 9.99999974E-6 : (tensor<2x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x16xf32>
// CHECK: return %[[V8]], %[[V11]], %[[V13]] : tensor<1x4x4x8xf32>, tensor<2x8xf32>, tensor<2x16xf32>
func.func @not_centred(%x: tensor<1x4x4x8xf32>, %y: tensor<2x8xf32>) -> (tensor<1x4x4x8xf32>, tensor<2x8xf32>, tensor<2x16xf32>) {
  %w = forge.parameter "w" : tensor<8x1x1x1xf32>
  %u = forge.parameter "u" : tensor<8x8xf32>
  %t = forge.parameter "t" : tensor<2x1xf32>
  %one = forge.constant dense<1.0> : tensor<8xf32>
  %zero = forge.constant dense<0.0> : tensor<8xf32>
  %ones = forge.constant dense<1.0> : tensor<16xf32>
  %zeros = forge.constant dense<0.0> : tensor<16xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] groups 8 channel_last : (tensor<1x4x4x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x4x4x8xf32>
  %1 = forge.layernorm %0, %one, %zero dim -1 epsilon 1.0e-05 : (tensor<1x4x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<1x4x4x8xf32>
  %2 = forge.matmul %y, %u : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %3 = forge.add %2, %t : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %4 = forge.layernorm %3, %one, %zero dim -1 epsilon 1.0e-05 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %5 = forge.concatenate %2, %2 axis -1 : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x16xf32>
  %6 = forge.layernorm %5, %ones, %zeros dim -1 epsilon 1.0e-05 : (tensor<2x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x16xf32>
  return %1, %4, %6 : tensor<1x4x4x8xf32>, tensor<2x8xf32>, tensor<2x16xf32>
}

// The result of a norm has mean zero up to rounding only: of a row of equal elements it has only rounding errors, of one
// sign. So in a post-norm block, the norm of a sum with it subtracts the mean.
// CHECK-LABEL: func.func @post_norm(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "table" : tensor<9x8xf32>
// CHECK-DAG: %[[V1:.+]] = forge.parameter "u" : tensor<8x8xf32>
// CHECK-DAG: %[[V2:.+]] = forge.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[V3:.+]] = forge.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[V4:.+]] = forge.reduce_avg %[[V0]] dim 1 keep_dim : (tensor<9x8xf32>) -> tensor<9x1xf32>
// CHECK-DAG: %[[V5:.+]] = forge.subtract %[[V0]], %[[V4]] : (tensor<9x8xf32>, tensor<9x1xf32>) -> tensor<9x8xf32>
// CHECK-DAG: %[[V6:.+]] = forge.embedding %arg0, %[[V5]] : (tensor<2x5xi32>, tensor<9x8xf32>) -> tensor<2x5x8xf32>
// CHECK-DAG: %[[V7:.+]] = forge.multiply %[[V6]], %[[V6]] : tensor<2x5x8xf32>
// CHECK-DAG: %[[V8:.+]] = forge.reduce_avg %[[V7]] dim -1 keep_dim : (tensor<2x5x8xf32>) -> tensor<2x5x1xf32>
// CHECK-DAG: %[[V9:.+]] = forge.scalar_constant constant 9.99999974E-6 dtype f32 : tensor<1xf32>
// CHECK-DAG: %[[V10:.+]] = forge.add %[[V8]], %[[V9]] : (tensor<2x5x1xf32>, tensor<1xf32>) -> tensor<2x5x1xf32>
// CHECK-DAG: %[[V11:.+]] = forge.sqrt %[[V10]] : tensor<2x5x1xf32>
// CHECK-DAG: %[[V12:.+]] = forge.divide %[[V6]], %[[V11]] : (tensor<2x5x8xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
// CHECK-DAG: %[[V13:.+]] = forge.transpose %[[V12]] dims 0, 1 : (tensor<2x5x8xf32>) -> tensor<5x2x8xf32>
// CHECK-DAG: %[[V16:.+]] = forge.matmul %[[V13]], %[[V1]] : (tensor<5x2x8xf32>, tensor<8x8xf32>) -> tensor<5x2x8xf32>
// CHECK-DAG: %[[V17:.+]] = forge.add %[[V13]], %[[V16]] : tensor<5x2x8xf32>
//     CHECK: %[[V18:.+]] = forge.layernorm %[[V17]], %[[V2]], %[[V3]]
//     CHECK: return %[[V18]] : tensor<5x2x8xf32>
func.func @post_norm(%i: tensor<2x5xi32>) -> tensor<5x2x8xf32> {
  %table = forge.parameter "table" : tensor<9x8xf32>
  %u = forge.parameter "u" : tensor<8x8xf32>
  %one = forge.constant dense<1.0> : tensor<8xf32>
  %zero = forge.constant dense<0.0> : tensor<8xf32>
  %0 = forge.embedding %i, %table : (tensor<2x5xi32>, tensor<9x8xf32>) -> tensor<2x5x8xf32>
  %1 = forge.layernorm %0, %one, %zero dim -1 epsilon 1.0e-05 : (tensor<2x5x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x5x8xf32>
  %2 = forge.transpose %1 dims 0, 1 : (tensor<2x5x8xf32>) -> tensor<5x2x8xf32>
  %3 = forge.matmul %2, %u : (tensor<5x2x8xf32>, tensor<8x8xf32>) -> tensor<5x2x8xf32>
  %4 = forge.add %2, %3 : tensor<5x2x8xf32>
  %5 = forge.layernorm %4, %one, %zero dim -1 epsilon 1.0e-05 : (tensor<5x2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<5x2x8xf32>
  return %5 : tensor<5x2x8xf32>
}

// The result of a norm with a scale or a bias has a mean.
// CHECK-LABEL: func.func @scaled_norm(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "u" : tensor<8x8xf32>
// CHECK-DAG: %[[V1:.+]] = forge.parameter "g" : tensor<8xf32>
// CHECK-DAG: %[[V2:.+]] = forge.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[V3:.+]] = forge.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[V4:.+]] = forge.layernorm %arg0, %[[V1]], %[[V3]] dim -1 epsilon 9.99999974E-6 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
// CHECK-DAG: %[[V5:.+]] = forge.matmul %[[V4]], %[[V0]] : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
// CHECK-DAG: %[[V6:.+]] = forge.add %[[V4]], %[[V5]] : tensor<2x8xf32>
// CHECK-DAG: %[[V7:.+]] = forge.layernorm %[[V6]], %[[V2]], %[[V3]] dim -1 epsilon 9.99999974E-6 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
// CHECK: return %[[V7]] : tensor<2x8xf32>
func.func @scaled_norm(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %u = forge.parameter "u" : tensor<8x8xf32>
  %g = forge.parameter "g" : tensor<8xf32>
  %one = forge.constant dense<1.0> : tensor<8xf32>
  %zero = forge.constant dense<0.0> : tensor<8xf32>
  %0 = forge.layernorm %x, %g, %zero dim -1 epsilon 1.0e-05 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %1 = forge.matmul %0, %u : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %2 = forge.add %0, %1 : tensor<2x8xf32>
  %3 = forge.layernorm %2, %one, %zero dim -1 epsilon 1.0e-05 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}

// The result of a norm has mean zero, but for rows of equal elements only rounding errors, so that the norm of it
// subtracts their mean.
// CHECK-LABEL: func.func @norm_of_norm(
//       CHECK: %[[N:.+]] = forge.layernorm %arg0
//  CHECK-NEXT: forge.layernorm %[[N]]
func.func @norm_of_norm(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %one = forge.constant dense<1.0> : tensor<8xf32>
  %zero = forge.constant dense<0.0> : tensor<8xf32>
  %0 = forge.layernorm %x, %one, %zero dim -1 epsilon 1.0e-05 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %1 = forge.layernorm %0, %one, %zero dim -1 epsilon 1.0e-05 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// A scale gives the first norm's result a mean.
// CHECK-LABEL: func.func @norm_of_scaled_norm(
//       CHECK: forge.layernorm
//       CHECK: forge.layernorm
func.func @norm_of_scaled_norm(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %g = forge.parameter "g" : tensor<8xf32>
  %one = forge.constant dense<1.0> : tensor<8xf32>
  %zero = forge.constant dense<0.0> : tensor<8xf32>
  %0 = forge.layernorm %x, %g, %zero dim -1 epsilon 1.0e-05 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %1 = forge.layernorm %0, %one, %zero dim -1 epsilon 1.0e-05 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// The centred matrix of float16 would be rounded to it.
// CHECK-LABEL: func.func @weights_of_float16(
//   CHECK-NOT: xf16>) -> tensor<8x8xf16>
//       CHECK: forge.layernorm
func.func @weights_of_float16(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %w = forge.parameter "w" : tensor<8x8xf16>
  %ones = forge.constant dense<1.0> : tensor<8xf32>
  %zeros = forge.constant dense<0.0> : tensor<8xf32>
  %0 = forge.matmul %x, %w : (tensor<2x8xf32>, tensor<8x8xf16>) -> tensor<2x8xf32>
  %1 = forge.layernorm %0, %ones, %zeros dim -1 epsilon 1.0e-5 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// The same for an addend of bfloat16, whose mean would be subtracted in bfloat16.
// CHECK-LABEL: func.func @addend_of_bfloat16(
//   CHECK-NOT: bf16>) -> tensor<2x8xbf16>
//       CHECK: forge.layernorm
//       CHECK: forge.layernorm
func.func @addend_of_bfloat16(%x: tensor<2x8xf32>, %y: tensor<2x8xbf16>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %ones = forge.constant dense<1.0> : tensor<8xf32>
  %zeros = forge.constant dense<0.0> : tensor<8xf32>
  %0 = forge.matmul %x, %w : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %1 = forge.add %0, %y : (tensor<2x8xf32>, tensor<2x8xbf16>) -> tensor<2x8xf32>
  %2 = forge.layernorm %1, %ones, %zeros dim -1 epsilon 1.0e-5 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %3 = forge.layernorm %1, %ones, %zeros dim -1 epsilon 1.0e-6 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %2, %3 : tensor<2x8xf32>, tensor<2x8xf32>
}

// A large weight that is added and subtracted again may round on purpose. One that is only added does not.
// CHECK-LABEL: func.func @rounded(
//       CHECK: forge.layernorm
//   CHECK-NOT: forge.layernorm
func.func @rounded(%y: tensor<65x256xf32>) -> (tensor<65x256xf32>, tensor<65x256xf32>) {
  %w = forge.parameter "w" : tensor<256x256xf32>
  %c = forge.parameter "c" : tensor<65x256xf32>
  %positions = forge.parameter "positions" : tensor<65x256xf32>
  %ones = forge.constant dense<1.0> : tensor<256xf32>
  %zeros = forge.constant dense<0.0> : tensor<256xf32>
  %0 = forge.matmul %y, %w : (tensor<65x256xf32>, tensor<256x256xf32>) -> tensor<65x256xf32>
  %1 = forge.add %0, %c : tensor<65x256xf32>
  %2 = forge.subtract %1, %c : tensor<65x256xf32>
  %3 = forge.layernorm %2, %ones, %zeros dim -1 epsilon 1.0e-5 : (tensor<65x256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<65x256xf32>
  %4 = forge.matmul %y, %w : (tensor<65x256xf32>, tensor<256x256xf32>) -> tensor<65x256xf32>
  %5 = forge.add %4, %positions : tensor<65x256xf32>
  %6 = forge.layernorm %5, %ones, %zeros dim -1 epsilon 1.0e-5 : (tensor<65x256xf32>, tensor<256xf32>, tensor<256xf32>) -> tensor<65x256xf32>
  return %3, %6 : tensor<65x256xf32>, tensor<65x256xf32>
}

// A scale of 0 makes -0 of negative elements. A bias of +0 makes +0 of it, and remains if a quotient shows the sign. A
// bias of -0 adds nothing.
// CHECK-LABEL: func.func @divided_by(
//  CHECK-DAG: %[[ZEROS:.+]] = forge.constant dense<0.000000e+00>
//      CHECK: %[[N:.+]] = forge.multiply %{{.+}} : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: %[[B:.+]] = forge.add %[[N]], %[[ZEROS]]
//      CHECK: %[[M:.+]] = forge.multiply %{{.+}} : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: forge.reciprocal %[[B]]
// CHECK-NEXT: forge.reciprocal %[[M]]
func.func @divided_by(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %g = forge.parameter "g" : tensor<8xf32>
  %zeros = forge.constant dense<0.0> : tensor<8xf32>
  %negative = forge.constant dense<-0.0> : tensor<8xf32>
  %0 = forge.matmul %x, %w : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %1 = forge.layernorm %0, %g, %zeros dim -1 epsilon 1.0e-5 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %2 = forge.layernorm %0, %g, %negative dim -1 epsilon 1.0e-5 : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %3 = forge.reciprocal %1 : tensor<2x8xf32>
  %4 = forge.reciprocal %2 : tensor<2x8xf32>
  return %3, %4 : tensor<2x8xf32>, tensor<2x8xf32>
}
