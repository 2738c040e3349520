// RUN: forge-opt %s --forge-head-rows --split-input-file | FileCheck %s

// Queries, keys and values are slices of one product. Its columns are transposed once, and heads become slices of rows.
// The transpose of the keys cancels, that of the queries is fused into the product of scores, and the result of the
// attention becomes columns in the same way.

// CHECK-LABEL: func @attention
// CHECK:         %[[P:.+]] = forge.matmul
// CHECK:         %[[T:.+]] = forge.transpose %[[P]] dims -2, -1 : (tensor<64x49x288xf32>) -> tensor<64x288x49xf32>
// CHECK:         %[[R:.+]] = forge.reshape %[[T]] shape [64, 9, 32, 49]
// CHECK:         %[[Q:.+]] = forge.index %[[R]] dim -3 [0:3]
// CHECK:         %[[QT:.+]] = forge.transpose %[[Q]] dims -2, -1
// CHECK:         %[[K:.+]] = forge.index %[[R]] dim -3 [3:6]
// CHECK:         %[[V:.+]] = forge.index %[[R]] dim -3 [6:9]
// CHECK:         %[[S:.+]] = forge.matmul %[[QT]], %[[K]]
// CHECK:         %[[W:.+]] = forge.softmax %[[S]]
// CHECK:         %[[WT:.+]] = forge.transpose %[[W]] dims -2, -1
// CHECK:         %[[O:.+]] = forge.matmul %[[V]], %[[WT]]
// CHECK:         %[[C:.+]] = forge.reshape %[[O]] shape [64, 96, 49]
// CHECK:         %[[CT:.+]] = forge.transpose %[[C]] dims -2, -1
// CHECK:         forge.matmul %[[CT]], %{{.+}}
func.func @attention(%x: tensor<64x49x96xf32>, %w: tensor<96x288xf32>, %w2: tensor<96x96xf32>) -> tensor<64x49x96xf32> {
  %p = forge.matmul %x, %w : (tensor<64x49x96xf32>, tensor<96x288xf32>) -> tensor<64x49x288xf32>
  %q0 = forge.index %p dim -1 [0:96] : (tensor<64x49x288xf32>) -> tensor<64x49x96xf32>
  %q1 = forge.reshape %q0 shape [64, 49, 3, 32] : (tensor<64x49x96xf32>) -> tensor<64x49x3x32xf32>
  %q = forge.transpose %q1 dims -3, -2 : (tensor<64x49x3x32xf32>) -> tensor<64x3x49x32xf32>
  %k0 = forge.index %p dim -1 [96:192] : (tensor<64x49x288xf32>) -> tensor<64x49x96xf32>
  %k1 = forge.reshape %k0 shape [64, 49, 3, 32] : (tensor<64x49x96xf32>) -> tensor<64x49x3x32xf32>
  %k2 = forge.transpose %k1 dims -3, -2 : (tensor<64x49x3x32xf32>) -> tensor<64x3x49x32xf32>
  %k = forge.transpose %k2 dims -2, -1 : (tensor<64x3x49x32xf32>) -> tensor<64x3x32x49xf32>
  %v0 = forge.index %p dim -1 [192:288] : (tensor<64x49x288xf32>) -> tensor<64x49x96xf32>
  %v1 = forge.reshape %v0 shape [64, 49, 3, 32] : (tensor<64x49x96xf32>) -> tensor<64x49x3x32xf32>
  %v = forge.transpose %v1 dims -3, -2 : (tensor<64x49x3x32xf32>) -> tensor<64x3x49x32xf32>
  %s = forge.matmul %q, %k : (tensor<64x3x49x32xf32>, tensor<64x3x32x49xf32>) -> tensor<64x3x49x49xf32>
  %a = forge.softmax %s dim -1 : tensor<64x3x49x49xf32>
  %o = forge.matmul %a, %v : (tensor<64x3x49x49xf32>, tensor<64x3x49x32xf32>) -> tensor<64x3x49x32xf32>
  %t = forge.transpose %o dims -3, -2 : (tensor<64x3x49x32xf32>) -> tensor<64x49x3x32xf32>
  %r = forge.reshape %t shape [64, 49, 96] : (tensor<64x49x3x32xf32>) -> tensor<64x49x96xf32>
  %y = forge.matmul %r, %w2 : (tensor<64x49x96xf32>, tensor<96x96xf32>) -> tensor<64x49x96xf32>
  return %y : tensor<64x49x96xf32>
}

// -----

// Heads that are sliced after their transpose become slices of rows, too. The columns and the heads have other users
// and are outputs: these keep their values.

// CHECK-LABEL: func @other_readers
// CHECK:         %[[P:.+]] = forge.sigmoid
// CHECK:         %[[R:.+]] = forge.reshape %{{.+}} shape [64, 6, 32, 49]
// CHECK:         %[[Q:.+]] = forge.index %[[R]] dim -3 [0:3]
// CHECK:         %[[QT:.+]] = forge.transpose %[[Q]] dims -2, -1
// CHECK:         %[[K:.+]] = forge.index %[[R]] dim -3 [3:6]
// CHECK:         %[[KT:.+]] = forge.transpose %[[K]] dims -2, -1
// CHECK:         forge.add %[[QT]], %[[KT]]
// CHECK:         %[[S:.+]] = forge.matmul %[[QT]], %[[K]]
// CHECK:         return %[[P]], %[[KT]], %[[S]]
func.func @other_readers(%x: tensor<64x49x192xf32>)
    -> (tensor<64x49x192xf32>, tensor<64x3x49x32xf32>, tensor<64x3x49x49xf32>, tensor<64x3x49x32xf32>) {
  %p = forge.sigmoid %x : tensor<64x49x192xf32>
  %r = forge.reshape %p shape [64, 49, 6, 32] : (tensor<64x49x192xf32>) -> tensor<64x49x6x32xf32>
  %t = forge.transpose %r dims -3, -2 : (tensor<64x49x6x32xf32>) -> tensor<64x6x49x32xf32>
  %q = forge.index %t dim -3 [0:3] : (tensor<64x6x49x32xf32>) -> tensor<64x3x49x32xf32>
  %k = forge.index %t dim -3 [3:6] : (tensor<64x6x49x32xf32>) -> tensor<64x3x49x32xf32>
  %kt = forge.transpose %k dims -2, -1 : (tensor<64x3x49x32xf32>) -> tensor<64x3x32x49xf32>
  %sum = forge.add %q, %k : (tensor<64x3x49x32xf32>, tensor<64x3x49x32xf32>) -> tensor<64x3x49x32xf32>
  %s = forge.matmul %q, %kt : (tensor<64x3x49x32xf32>, tensor<64x3x32x49xf32>) -> tensor<64x3x49x49xf32>
  return %p, %k, %s, %sum : tensor<64x49x192xf32>, tensor<64x3x49x32xf32>, tensor<64x3x49x49xf32>, tensor<64x3x49x32xf32>
}

// -----

// A slice that does not begin at a head is no slice of the transposed heads: its own columns are transposed.

// CHECK-LABEL: func @misaligned_slice
// CHECK:         %[[S:.+]] = forge.index %{{.+}} dim -1 [16:112]
// CHECK:         %[[T:.+]] = forge.transpose %[[S]] dims -2, -1
// CHECK:         forge.reshape %[[T]] shape [64, 3, 32, 49]
func.func @misaligned_slice(%x: tensor<64x49x128xf32>, %m: tensor<64x3x49x49xf32>) -> tensor<64x3x49x32xf32> {
  %p = forge.sigmoid %x : tensor<64x49x128xf32>
  %s = forge.index %p dim -1 [16:112] : (tensor<64x49x128xf32>) -> tensor<64x49x96xf32>
  %r = forge.reshape %s shape [64, 49, 3, 32] : (tensor<64x49x96xf32>) -> tensor<64x49x3x32xf32>
  %t = forge.transpose %r dims -3, -2 : (tensor<64x49x3x32xf32>) -> tensor<64x3x49x32xf32>
  %y = forge.matmul %m, %t : (tensor<64x3x49x49xf32>, tensor<64x3x49x32xf32>) -> tensor<64x3x49x32xf32>
  return %y : tensor<64x3x49x32xf32>
}

// -----

// The result of the product has another user: the result is transposed, and not the operands of the product.

// CHECK-LABEL: func @product_with_two_users
// CHECK:         %[[O:.+]] = forge.matmul %arg0, %arg1
// CHECK:         %[[T:.+]] = forge.transpose %[[O]] dims -2, -1
// CHECK:         forge.reshape %[[T]] shape [64, 96, 49]
// CHECK:         return %{{.+}}, %[[O]]
func.func @product_with_two_users(%a: tensor<64x3x49x49xf32>, %v: tensor<64x3x49x32xf32>, %w: tensor<96x96xf32>)
    -> (tensor<64x49x96xf32>, tensor<64x3x49x32xf32>) {
  %o = forge.matmul %a, %v : (tensor<64x3x49x49xf32>, tensor<64x3x49x32xf32>) -> tensor<64x3x49x32xf32>
  %t = forge.transpose %o dims -3, -2 : (tensor<64x3x49x32xf32>) -> tensor<64x49x3x32xf32>
  %r = forge.reshape %t shape [64, 49, 96] : (tensor<64x49x3x32xf32>) -> tensor<64x49x96xf32>
  %y = forge.matmul %r, %w : (tensor<64x49x96xf32>, tensor<96x96xf32>) -> tensor<64x49x96xf32>
  return %y, %o : tensor<64x49x96xf32>, tensor<64x3x49x32xf32>
}

// -----

// One row, as in a decoding step: transposed columns would have more tile padding than heads.

// CHECK-LABEL: func @one_row
// CHECK:         forge.reshape %{{.+}} shape [1, 1, 12, 64]
// CHECK-NEXT:    forge.transpose %{{.+}} dims -3, -2
func.func @one_row(%x: tensor<1x1x768xf32>, %k: tensor<1x12x64x128xf32>) -> tensor<1x12x1x128xf32> {
  %p = forge.sigmoid %x : tensor<1x1x768xf32>
  %r = forge.reshape %p shape [1, 1, 12, 64] : (tensor<1x1x768xf32>) -> tensor<1x1x12x64xf32>
  %t = forge.transpose %r dims -3, -2 : (tensor<1x1x12x64xf32>) -> tensor<1x12x1x64xf32>
  %y = forge.matmul %t, %k : (tensor<1x12x1x64xf32>, tensor<1x12x64x128xf32>) -> tensor<1x12x1x128xf32>
  return %y : tensor<1x12x1x128xf32>
}

// -----

// An input is converted to tiles once, whichever op reads it first.

// CHECK-LABEL: func @input
// CHECK:         %[[T:.+]] = forge.transpose %arg0 dims -2, -1
// CHECK:         %[[R:.+]] = forge.reshape %[[T]] shape [64, 3, 32, 49]
// CHECK:         %[[H:.+]] = forge.transpose %[[R]] dims -2, -1
// CHECK:         forge.matmul %arg1, %[[H]]
func.func @input(%x: tensor<64x49x96xf32>, %m: tensor<64x3x49x49xf32>) -> tensor<64x3x49x32xf32> {
  %r = forge.reshape %x shape [64, 49, 3, 32] : (tensor<64x49x96xf32>) -> tensor<64x49x3x32xf32>
  %t = forge.transpose %r dims -3, -2 : (tensor<64x49x3x32xf32>) -> tensor<64x3x49x32xf32>
  %y = forge.matmul %m, %t : (tensor<64x3x49x49xf32>, tensor<64x3x49x32xf32>) -> tensor<64x3x49x32xf32>
  return %y : tensor<64x3x49x32xf32>
}

// -----

// The device does not multiply one matrix by each matrix of a batch from the left: the operands of the product are not
// exchanged.

// CHECK-LABEL: func @one_matrix
// CHECK:         %[[O:.+]] = forge.matmul %arg0, %arg1
// CHECK:         forge.transpose %[[O]] dims -2, -1
func.func @one_matrix(%a: tensor<64x3x49x49xf32>, %v: tensor<49x32xf32>, %w: tensor<96x96xf32>) -> tensor<64x49x96xf32> {
  %o = forge.matmul %a, %v : (tensor<64x3x49x49xf32>, tensor<49x32xf32>) -> tensor<64x3x49x32xf32>
  %t = forge.transpose %o dims -3, -2 : (tensor<64x3x49x32xf32>) -> tensor<64x49x3x32xf32>
  %r = forge.reshape %t shape [64, 49, 96] : (tensor<64x49x3x32xf32>) -> tensor<64x49x96xf32>
  %y = forge.matmul %r, %w : (tensor<64x49x96xf32>, tensor<96x96xf32>) -> tensor<64x49x96xf32>
  return %y : tensor<64x49x96xf32>
}

// -----

// CHECK-LABEL: func @two_types
// CHECK:         %[[O:.+]] = forge.matmul %arg0, %arg1
// CHECK:         forge.transpose %[[O]] dims -2, -1
func.func @two_types(%a: tensor<64x3x49x49xf32>, %v: tensor<64x3x49x32xbf16>, %w: tensor<96x96xf32>) -> tensor<64x49x96xf32> {
  %o = forge.matmul %a, %v : (tensor<64x3x49x49xf32>, tensor<64x3x49x32xbf16>) -> tensor<64x3x49x32xf32>
  %t = forge.transpose %o dims -3, -2 : (tensor<64x3x49x32xf32>) -> tensor<64x49x3x32xf32>
  %r = forge.reshape %t shape [64, 49, 96] : (tensor<64x49x3x32xf32>) -> tensor<64x49x96xf32>
  %y = forge.matmul %r, %w : (tensor<64x49x96xf32>, tensor<96x96xf32>) -> tensor<64x49x96xf32>
  return %y : tensor<64x49x96xf32>
}

// -----

// The rows have an additional axis of size 1, which the reshape to heads removes, and that to columns adds.

// CHECK-LABEL: func @additional_axis
// CHECK:         %[[P:.+]] = forge.matmul %arg0, %arg1
// CHECK:         %[[T:.+]] = forge.transpose %[[P]] dims -2, -1
// CHECK:         %[[R:.+]] = forge.reshape %[[T]] shape [64, 6, 32, 49] : (tensor<64x1x192x49xf32>)
// CHECK:         forge.index %[[R]] dim -3 [0:3]
// CHECK:         forge.index %[[R]] dim -3 [3:6]
// CHECK:         %[[O:.+]] = forge.matmul %{{.+}}, %{{.+}} : (tensor<64x3x32x49xf32>, tensor<64x3x49x49xf32>)
// CHECK:         %[[C:.+]] = forge.reshape %[[O]] shape [64, 1, 96, 49]
// CHECK:         forge.transpose %[[C]] dims -2, -1 : {{.*}} -> tensor<64x1x49x96xf32>
func.func @additional_axis(%x: tensor<64x1x49x96xf32>, %w: tensor<96x192xf32>, %m: tensor<64x3x49x49xf32>) -> tensor<64x1x49x96xf32> {
  %p = forge.matmul %x, %w : (tensor<64x1x49x96xf32>, tensor<96x192xf32>) -> tensor<64x1x49x192xf32>
  %r = forge.reshape %p shape [64, 49, 6, 32] : (tensor<64x1x49x192xf32>) -> tensor<64x49x6x32xf32>
  %t = forge.transpose %r dims -3, -2 : (tensor<64x49x6x32xf32>) -> tensor<64x6x49x32xf32>
  %a = forge.index %t dim -3 [0:3] : (tensor<64x6x49x32xf32>) -> tensor<64x3x49x32xf32>
  %b = forge.index %t dim -3 [3:6] : (tensor<64x6x49x32xf32>) -> tensor<64x3x49x32xf32>
  %s = forge.multiply %a, %b : (tensor<64x3x49x32xf32>, tensor<64x3x49x32xf32>) -> tensor<64x3x49x32xf32>
  %o = forge.matmul %m, %s : (tensor<64x3x49x49xf32>, tensor<64x3x49x32xf32>) -> tensor<64x3x49x32xf32>
  %u = forge.transpose %o dims -3, -2 : (tensor<64x3x49x32xf32>) -> tensor<64x49x3x32xf32>
  %y = forge.reshape %u shape [64, 1, 49, 96] : (tensor<64x49x3x32xf32>) -> tensor<64x1x49x96xf32>
  return %y : tensor<64x1x49x96xf32>
}

// -----

// The reshape splits the rows as well: [3136, 192] to windows of 49 rows of 6 heads. The transposed columns do not
// consist of such rows.

// CHECK-LABEL: func @split_rows
// CHECK:         forge.reshape %{{.+}} shape [64, 49, 6, 32]
func.func @split_rows(%x: tensor<3136x192xf32>) -> tensor<64x6x49x32xf32> {
  %p = forge.sigmoid %x : tensor<3136x192xf32>
  %r = forge.reshape %p shape [64, 49, 6, 32] : (tensor<3136x192xf32>) -> tensor<64x49x6x32xf32>
  %t = forge.transpose %r dims -3, -2 : (tensor<64x49x6x32xf32>) -> tensor<64x6x49x32xf32>
  %s = forge.sigmoid %t : tensor<64x6x49x32xf32>
  return %s : tensor<64x6x49x32xf32>
}
