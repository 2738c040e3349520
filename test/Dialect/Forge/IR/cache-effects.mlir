// RUN: forge-opt %s -split-input-file -cse -canonicalize -forge-merge-equal | FileCheck %s
// RUN: not forge-opt %s -split-input-file -forge-verify-emittable 2>&1 | FileCheck %s --check-prefix=READERS

// Equal writes are two, and one that nothing reads stays.
// CHECK-LABEL: func.func @writes(
// CHECK-COUNT-2: forge.fill_cache
func.func @writes(%cache: tensor<1x2x16x8xf32>, %keys: tensor<1x2x4x8xf32>) -> tensor<1x2x16x8xf32> {
  %0 = forge.fill_cache %cache, %keys : (tensor<1x2x16x8xf32>, tensor<1x2x4x8xf32>) -> tensor<1x2x16x8xf32>
  %1 = forge.fill_cache %cache, %keys : (tensor<1x2x16x8xf32>, tensor<1x2x4x8xf32>) -> tensor<1x2x16x8xf32>
  return %1 : tensor<1x2x16x8xf32>
}

// -----

// A cache that is read beside its write has two values at once, of which the device has one.
// READERS: 'forge.update_cache'{{.*}} writes into a cache that something else reads, too
func.func @reader(%cache: tensor<1x2x16x8xf32>, %key: tensor<1x2x1x8xf32>, %at: tensor<1xi32>) -> (tensor<1x2x16x8xf32>, tensor<1x2x16x8xf32>) {
  %0 = forge.update_cache %cache, %key, %at : (tensor<1x2x16x8xf32>, tensor<1x2x1x8xf32>, tensor<1xi32>) -> tensor<1x2x16x8xf32>
  %1 = forge.relu %cache : tensor<1x2x16x8xf32>
  return %0, %1 : tensor<1x2x16x8xf32>, tensor<1x2x16x8xf32>
}
