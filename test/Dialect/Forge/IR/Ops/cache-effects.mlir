// RUN: forge-opt %s -split-input-file -cse -canonicalize -forge-merge-equal | FileCheck %s
// RUN: not forge-opt %s -split-input-file -forge-verify-emittable 2>&1 | FileCheck %s --check-prefix=READERS

// Equal writes are not merged, and an unused write is not removed, because a write has an effect on the cache.
// CHECK-LABEL: func.func @writes(
// CHECK-COUNT-2: forge.fill_cache
func.func @writes(%cache: tensor<1x2x16x8xf32>, %keys: tensor<1x2x4x8xf32>) -> tensor<1x2x16x8xf32> {
  %0 = forge.fill_cache %cache, %keys : (tensor<1x2x16x8xf32>, tensor<1x2x4x8xf32>) -> tensor<1x2x16x8xf32>
  %1 = forge.fill_cache %cache, %keys : (tensor<1x2x16x8xf32>, tensor<1x2x4x8xf32>) -> tensor<1x2x16x8xf32>
  return %1 : tensor<1x2x16x8xf32>
}

// -----

// Another user of a cache than its write would need the cache before and after the write, but the device writes in
// place.
// READERS: 'forge.update_cache'{{.*}} writes into a cache that something else reads, too
func.func @cache_with_two_users(%cache: tensor<1x2x16x8xf32>, %key: tensor<1x2x1x8xf32>, %at: tensor<1xi32>) -> (tensor<1x2x16x8xf32>, tensor<1x2x16x8xf32>) {
  %0 = forge.update_cache %cache, %key, %at : (tensor<1x2x16x8xf32>, tensor<1x2x1x8xf32>, tensor<1xi32>) -> tensor<1x2x16x8xf32>
  %1 = forge.relu %cache : tensor<1x2x16x8xf32>
  return %0, %1 : tensor<1x2x16x8xf32>, tensor<1x2x16x8xf32>
}
