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
