// A violation of every numbered constraint.
// RUN: forge-opt %s -split-input-file -verify-diagnostics

// index (C1).
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.index' op (C1) expected 'dim' inside rank 3, but got 3}}
  // expected-error @+1 {{'forge.index' op failed to infer returned types}}
  %0 = forge.index %arg0 dim 3 [0:1] : tensor<2x3x4xf32>
  return
}

// -----

// index (C2): a start beyond the axis.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.index' op (C2) expected 'start' in [0, 4), but got 4}}
  // expected-error @+1 {{'forge.index' op failed to infer returned types}}
  %0 = forge.index %arg0 dim -1 [4:5] : tensor<2x3x4xf32>
  return
}

// -----

// index (C2): a negative start.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.index' op (C2) expected 'start' in [0, 4), but got -1}}
  // expected-error @+1 {{'forge.index' op failed to infer returned types}}
  %0 = forge.index %arg0 dim -1 [-1:4] : tensor<2x3x4xf32>
  return
}

// -----

// index (C2): a start in an empty axis.
func.func @invalid(%arg0: tensor<2x0xf32>) {
  // expected-error @+2 {{'forge.index' op (C2) expected 'start' in [0, 0), but got 0}}
  // expected-error @+1 {{'forge.index' op failed to infer returned types}}
  %0 = forge.index %arg0 dim -1 [0:0] : tensor<2x0xf32>
  return
}

// -----

// index (C3): an empty slice.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.index' op (C3) expected 'stop' in (1, 4], but got 1}}
  // expected-error @+1 {{'forge.index' op failed to infer returned types}}
  %0 = forge.index %arg0 dim -1 [1:1] : tensor<2x3x4xf32>
  return
}

// -----

// index (C3): a stop beyond the axis.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.index' op (C3) expected 'stop' in (1, 4], but got 5}}
  // expected-error @+1 {{'forge.index' op failed to infer returned types}}
  %0 = forge.index %arg0 dim -1 [1:5] : tensor<2x3x4xf32>
  return
}

// -----

// index: INT64_MAX as the stop.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+1 {{'forge.index' op attribute 'stop' does not fit 32 bits: 9223372036854775807}}
  %0 = forge.index %arg0 dim -1 [1:9223372036854775807] : tensor<2x3x4xf32>
  return
}

// -----

// index (C4): a stride of zero.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.index' op (C4) expected 'stride' in [1, 4], but got 0}}
  // expected-error @+1 {{'forge.index' op failed to infer returned types}}
  %0 = forge.index %arg0 dim -1 [0:4:0] : tensor<2x3x4xf32>
  return
}

// -----

// index (C4): longer than the axis.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.index' op (C4) expected 'stride' in [1, 4], but got 5}}
  // expected-error @+1 {{'forge.index' op failed to infer returned types}}
  %0 = forge.index %arg0 dim -1 [0:4:5] : tensor<2x3x4xf32>
  return
}

// -----

// index (C4): a negative stride.
func.func @invalid(%arg0: tensor<2x3x4xf32>) {
  // expected-error @+2 {{'forge.index' op (C4) expected 'stride' in [1, 4], but got -1}}
  // expected-error @+1 {{'forge.index' op failed to infer returned types}}
  %0 = forge.index %arg0 dim -1 [0:4:-1] : tensor<2x3x4xf32>
  return
}

// -----

// adv_index (C1).
func.func @invalid(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2xi64>) {
  // expected-error @+2 {{'forge.adv_index' op (C1) expected 'dim' inside rank 3, but got -4}}
  // expected-error @+1 {{'forge.adv_index' op failed to infer returned types}}
  %0 = forge.adv_index %arg0, %arg1 dim -4 : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2x3x4xf32>
  return
}

// -----

// adv_index (C2): a rank-2 index.
func.func @invalid(%arg0: tensor<2x3x4xf32>, %arg1: tensor<1x2xi64>) {
  // expected-error @+2 {{'forge.adv_index' op (C2) expected integer indices of rank 1, but got 'tensor<1x2xi64>'}}
  // expected-error @+1 {{'forge.adv_index' op failed to infer returned types}}
  %0 = forge.adv_index %arg0, %arg1 dim 0 : (tensor<2x3x4xf32>, tensor<1x2xi64>) -> tensor<2x3x4xf32>
  return
}

// -----

// adv_index (C2): a float index.
func.func @invalid(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2xf32>) {
  // expected-error @+2 {{'forge.adv_index' op (C2) expected integer indices of rank 1, but got 'tensor<2xf32>'}}
  // expected-error @+1 {{'forge.adv_index' op failed to infer returned types}}
  %0 = forge.adv_index %arg0, %arg1 dim 0 : (tensor<2x3x4xf32>, tensor<2xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

// adv_index (C3): too large.
func.func @invalid(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2xi64>) {
  %c = forge.constant dense<[0, 2]> : tensor<2xi64>
  // expected-error @+2 {{'forge.adv_index' op (C3) expected indices in [0, 2), but got 2}}
  // expected-error @+1 {{'forge.adv_index' op failed to infer returned types}}
  %0 = forge.adv_index %arg0, %c dim 0 : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2x3x4xf32>
  return
}

// -----

// adv_index (C3): negative.
func.func @invalid(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2xi64>) {
  %c = forge.constant dense<-1> : tensor<2xi64>
  // expected-error @+2 {{'forge.adv_index' op (C3) expected indices in [0, 2), but got -1}}
  // expected-error @+1 {{'forge.adv_index' op failed to infer returned types}}
  %0 = forge.adv_index %arg0, %c dim 0 : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2x3x4xf32>
  return
}

// -----

// select (C1): an axis outside the rank.
func.func @invalid(%arg0: tensor<2x12xf32>) {
  // expected-error @+2 {{'forge.select' op (C1) expected 'dim' inside rank 2, but got 2}}
  // expected-error @+1 {{'forge.select' op failed to infer returned types}}
  %0 = forge.select %arg0 dim 2 index [0, 1] stride 0 : (tensor<2x12xf32>) -> tensor<2x1xf32>
  return
}

// -----

// select (C1): the fifth axis.
func.func @invalid(%arg0: tensor<1x1x1x1x4xf32>) {
  // expected-error @+2 {{'forge.select' op (C1) expected one of the first four axes, but got 4}}
  // expected-error @+1 {{'forge.select' op failed to infer returned types}}
  %0 = forge.select %arg0 dim 4 index [0, 1] stride 0 : (tensor<1x1x1x1x4xf32>) -> tensor<1x1x1x1x1xf32>
  return
}

// -----

// select (C2): an index that is not a pair.
func.func @invalid(%arg0: tensor<2x12xf32>) {
  // expected-error @+2 {{'forge.select' op (C2) expected 'index' (begin, length), but got [0]}}
  // expected-error @+1 {{'forge.select' op failed to infer returned types}}
  %0 = forge.select %arg0 dim 1 index [0] stride 0 : (tensor<2x12xf32>) -> tensor<2x1xf32>
  return
}

// -----

// select (C2): begins beyond the axis.
func.func @invalid(%arg0: tensor<2x12xf32>) {
  // expected-error @+2 {{'forge.select' op (C2) expected begin in [0, 12), but got 12}}
  // expected-error @+1 {{'forge.select' op failed to infer returned types}}
  %0 = forge.select %arg0 dim 1 index [12, 1] stride 0 : (tensor<2x12xf32>) -> tensor<2x1xf32>
  return
}

// -----

// select (C3): too long.
func.func @invalid(%arg0: tensor<2x12xf32>) {
  // expected-error @+2 {{'forge.select' op (C3) expected begin + length in [1, 12], but got 6 + 7}}
  // expected-error @+1 {{'forge.select' op failed to infer returned types}}
  %0 = forge.select %arg0 dim 1 index [6, 7] stride 0 : (tensor<2x12xf32>) -> tensor<2x1xf32>
  return
}

// -----

// select (C3): empty.
func.func @invalid(%arg0: tensor<2x12xf32>) {
  // expected-error @+2 {{'forge.select' op (C3) expected begin + length in [1, 12], but got 6 + 0}}
  // expected-error @+1 {{'forge.select' op failed to infer returned types}}
  %0 = forge.select %arg0 dim 1 index [6, 0] stride 0 : (tensor<2x12xf32>) -> tensor<2x1xf32>
  return
}

// -----

// select (C4): begin and length exceed the stride.
func.func @invalid(%arg0: tensor<2x12xf32>) {
  // expected-error @+2 {{'forge.select' op (C4) expected begin + length <= stride <= 12, but got stride 4}}
  // expected-error @+1 {{'forge.select' op failed to infer returned types}}
  %0 = forge.select %arg0 dim 1 index [2, 3] stride 4 : (tensor<2x12xf32>) -> tensor<2x1xf32>
  return
}

// -----

// select (C4): a stride beyond the axis.
func.func @invalid(%arg0: tensor<2x12xf32>) {
  // expected-error @+2 {{'forge.select' op (C4) expected begin + length <= stride <= 12, but got stride 13}}
  // expected-error @+1 {{'forge.select' op failed to infer returned types}}
  %0 = forge.select %arg0 dim 1 index [0, 1] stride 13 : (tensor<2x12xf32>) -> tensor<2x1xf32>
  return
}

// -----

// select (C4): a negative stride.
func.func @invalid(%arg0: tensor<2x12xf32>) {
  // expected-error @+2 {{'forge.select' op (C4) expected begin + length <= stride <= 12, but got stride -1}}
  // expected-error @+1 {{'forge.select' op failed to infer returned types}}
  %0 = forge.select %arg0 dim 1 index [0, 1] stride -1 : (tensor<2x12xf32>) -> tensor<2x1xf32>
  return
}

// -----

// select (C5): a stride that does not divide the axis.
func.func @invalid(%arg0: tensor<2x12xf32>) {
  // expected-error @+2 {{'forge.select' op (C5) expected a stride that divides 12, but got 5}}
  // expected-error @+1 {{'forge.select' op failed to infer returned types}}
  %0 = forge.select %arg0 dim 1 index [0, 1] stride 5 : (tensor<2x12xf32>) -> tensor<2x1xf32>
  return
}

// -----

// index_copy (C1).
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<1xi64>, %arg2: tensor<2x1xf32>) {
  // expected-error @+2 {{'forge.index_copy' op (C1) expected 'dim' inside rank 2, but got 2}}
  // expected-error @+1 {{'forge.index_copy' op failed to infer returned types}}
  %0 = forge.index_copy %arg0, %arg1, %arg2 dim 2 : (tensor<2x3xf32>, tensor<1xi64>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return
}

// -----

// index_copy (C2): rank.
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<i64>, %arg2: tensor<2x1xf32>) {
  // expected-error @+2 {{'forge.index_copy' op (C2) expected an integer index of rank 1, but got 'tensor<i64>'}}
  // expected-error @+1 {{'forge.index_copy' op failed to infer returned types}}
  %0 = forge.index_copy %arg0, %arg1, %arg2 dim 1 : (tensor<2x3xf32>, tensor<i64>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return
}

// -----

// index_copy (C3).
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<2xi64>, %arg2: tensor<2x1xf32>) {
  // expected-error @+2 {{'forge.index_copy' op (C3) expected a value that replaces 2 slices of 'tensor<2x3xf32>', but got 'tensor<2x1xf32>'}}
  // expected-error @+1 {{'forge.index_copy' op failed to infer returned types}}
  %0 = forge.index_copy %arg0, %arg1, %arg2 dim 1 : (tensor<2x3xf32>, tensor<2xi64>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return
}

// -----

// embedding (C1).
func.func @invalid(%arg0: tensor<2xi64>, %arg1: tensor<3x4x5xf32>) {
  // expected-error @+2 {{'forge.embedding' op (C1) expected 'embedding_table' of rank 2, but got 'tensor<3x4x5xf32>'}}
  // expected-error @+1 {{'forge.embedding' op failed to infer returned types}}
  %0 = forge.embedding %arg0, %arg1 : (tensor<2xi64>, tensor<3x4x5xf32>) -> tensor<2x4xf32>
  return
}

// -----

// embedding (C2).
func.func @invalid(%arg0: tensor<2xf32>, %arg1: tensor<3x4xf32>) {
  // expected-error @+2 {{'forge.embedding' op (C2) expected integer indices, but got 'tensor<2xf32>'}}
  // expected-error @+1 {{'forge.embedding' op failed to infer returned types}}
  %0 = forge.embedding %arg0, %arg1 : (tensor<2xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

// embedding (C3).
func.func @invalid(%arg0: tensor<1xi64>, %arg1: tensor<3x4xf32>) {
  %c = forge.constant dense<3> : tensor<1xi64>
  // expected-error @+2 {{'forge.embedding' op (C3) expected indices in [0, 3), but got 3}}
  // expected-error @+1 {{'forge.embedding' op failed to infer returned types}}
  %0 = forge.embedding %c, %arg1 : (tensor<1xi64>, tensor<3x4xf32>) -> tensor<1x4xf32>
  return
}
