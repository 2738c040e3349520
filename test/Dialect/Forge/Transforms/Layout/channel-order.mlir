// RUN: forge-opt %s --forge-test-channel-orders --verify-diagnostics -o /dev/null

// Between convolutions, the channels are the trailing axis, as the device computes convolutions.
// expected-remark @+1 {{another order saves something}}
func.func @between(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  // expected-remark @+1 {{fixed}}
  %w = forge.parameter "w" : tensor<4x4x3x3xf32>
  // expected-remark @+1 {{window, channels last}}
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  // expected-remark @+1 {{any, channels last}}
  %1 = forge.relu %0 : tensor<1x4x8x8xf32>
  // expected-remark @+1 {{window, channels last}}
  %2 = forge.conv2d %1, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  return %2 : tensor<1x4x8x8xf32>
}

// expected-remark @+1 {{the order stays}}
func.func @without_windows(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  // expected-remark @+1 {{channels first}}
  %0 = forge.relu %x : tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}


// A permutation that is not connected with the convolution remains, so that it costs the same in all orders.
// expected-remark @+1 {{the order stays}}
func.func @unconnected(%x: tensor<1x8x16x16xf32>, %y: tensor<1x64x64x64xf32>) -> (tensor<1x8x16x16xf32>, tensor<1x64x64x64xf32>) {
  // expected-remark @+1 {{fixed}}
  %w = forge.parameter "w" : tensor<8x8x3x3xf32>
  // expected-remark @+1 {{window, channels last}}
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x8x16x16xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x16x16xf32>
  // expected-remark @+1 {{fixed}}
  %1 = forge.transpose %y dims -3, -2 : tensor<1x64x64x64xf32>
  // expected-remark @+1 {{fixed}}
  %2 = forge.transpose %1 dims -2, -1 : tensor<1x64x64x64xf32>
  return %0, %2 : tensor<1x8x16x16xf32>, tensor<1x64x64x64xf32>
}
