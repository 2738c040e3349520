// Which reductions a target masks itself, and fills in block floats.
// RUN: forge-opt %s --forge-fill-tile-padding="target=ttnn-self-masking explain=true" 2>&1 | FileCheck %s --check-prefix=SELF
// RUN: forge-opt %s --forge-fill-tile-padding="target=none explain=true" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: forge-opt %s --forge-fill-tile-padding="format=bfp8 explain=true" 2>&1 | FileCheck %s --check-prefix=BFP

// SELF: no fill: target 'ttnn-self-masking' masks them
// SELF: "by_profile":1,"by_state":0,"inserted":1,"naive":2
// SELF: %[[E:.*]] = forge.exp
// SELF-NEXT: forge.reduce_max %[[E]]
// SELF-NEXT: forge.pad %[[E]] {{.*}}value 0xFF800000
// NONE: "by_profile":2,"by_state":0,"inserted":0,"naive":2
// NONE-NOT: forge.pad
// In block floats, 16 elements share an exponent, which an infinity would spoil. Copies of the last element never
// change a maximum.
// BFP: filled with copies of elements
// BFP: "inserted":1,"naive":2,"shape_pads":0,"shared":1
// BFP: %[[E:.*]] = forge.exp
// BFP-NEXT: %[[P:.*]] = forge.pad %[[E]] {{.*}}mode replicate
// BFP-NEXT: forge.reduce_max %[[P]]
// BFP-NEXT: forge.argmax %[[P]]
func.func @max(%x: tensor<4x10xf32>) -> (tensor<4x1xf32>, tensor<4x1xi32>) {
  %e = forge.exp %x : tensor<4x10xf32>
  %m = forge.reduce_max %e dim -1 keep_dim : (tensor<4x10xf32>) -> tensor<4x1xf32>
  %a = forge.argmax %e dim -1 keep_dim : (tensor<4x10xf32>) -> tensor<4x1xi32>
  return %m, %a : tensor<4x1xf32>, tensor<4x1xi32>
}
