// RUN: forge-opt %s --forge-lower-split --forge-slice-canonicalize --forge-divisibility-rewrite=rules=split-weights | FileCheck %s
// RUN: forge-opt %s --forge-lower-split --forge-slice-canonicalize --forge-divisibility-rewrite="rules=split-weights remarks=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// WHY: remark: split-weights: 3 matmuls with parts of the weight, and no slice, tile traffic 96 -> 72

// Three products, each with its slice of the weight and of the bias.
// CHECK-LABEL: func.func @split(
// CHECK-DAG: %[[ALL:.+]] = forge.parameter "w" : tensor<96x288xf32>
// CHECK-DAG: %[[W:.+]] = forge.index %[[ALL]] dim 1 [0:96]
// CHECK-DAG: %[[P:.+]] = forge.matmul %arg0, %[[W]]
// CHECK-DAG: %[[BIAS:.+]] = forge.constant dense<1.000000e+00> : tensor<288xf32>
// CHECK-DAG: %[[B:.+]] = forge.index %[[BIAS]] dim 0 [0:96]
// CHECK-DAG: %[[M:.+]] = forge.add %[[P]], %[[B]]
// CHECK-DAG: %[[R:.+]] = forge.reshape %[[M]] shape [1, 64, 96]
// CHECK-DAG: forge.index %[[ALL]] dim 1 [96:192]
// CHECK-DAG: forge.index %[[ALL]] dim 1 [192:288]
// CHECK-NOT: forge.strided_slice
// CHECK: return %[[R]],
func.func @split(%x: tensor<64x96xf32>) -> (tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>) {
  %w = forge.parameter "w" : tensor<96x288xf32>
  %bias = forge.constant dense<1.000000e+00> : tensor<288xf32>
  %p = forge.matmul %x, %w : (tensor<64x96xf32>, tensor<96x288xf32>) -> tensor<64x288xf32>
  %m = forge.add %bias, %p : (tensor<288xf32>, tensor<64x288xf32>) -> tensor<64x288xf32>
  %r = forge.reshape %m shape [1, 64, 288] : (tensor<64x288xf32>) -> tensor<1x64x288xf32>
  %a, %b, %c = forge.split %r dim -1 sizes [96, 96, 96] : (tensor<1x64x288xf32>) -> (tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>)
  return %a, %b, %c : tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>
}

// Unchanged: the weight is an input, or the product has another user.
// CHECK-LABEL: func.func @argument(
// CHECK-COUNT-3: forge.strided_slice
func.func @argument(%x: tensor<64x96xf32>, %w: tensor<96x288xf32>) -> (tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>) {
  %bias = forge.constant dense<1.000000e+00> : tensor<288xf32>
  %p = forge.matmul %x, %w : (tensor<64x96xf32>, tensor<96x288xf32>) -> tensor<64x288xf32>
  %m = forge.add %bias, %p : (tensor<288xf32>, tensor<64x288xf32>) -> tensor<64x288xf32>
  %r = forge.reshape %m shape [1, 64, 288] : (tensor<64x288xf32>) -> tensor<1x64x288xf32>
  %a, %b, %c = forge.split %r dim -1 sizes [96, 96, 96] : (tensor<1x64x288xf32>) -> (tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>)
  return %a, %b, %c : tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>
}

// CHECK-LABEL: func.func @other_use(
// CHECK-COUNT-3: forge.strided_slice
func.func @other_use(%x: tensor<64x96xf32>) -> (tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<64x288xf32>) {
  %w = forge.parameter "w" : tensor<96x288xf32>
  %bias = forge.constant dense<1.000000e+00> : tensor<288xf32>
  %p = forge.matmul %x, %w : (tensor<64x96xf32>, tensor<96x288xf32>) -> tensor<64x288xf32>
  %m = forge.add %bias, %p : (tensor<288xf32>, tensor<64x288xf32>) -> tensor<64x288xf32>
  %r = forge.reshape %m shape [1, 64, 288] : (tensor<64x288xf32>) -> tensor<1x64x288xf32>
  %a, %b, %c = forge.split %r dim -1 sizes [96, 96, 96] : (tensor<1x64x288xf32>) -> (tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>)
  return %a, %b, %c, %m : tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<64x288xf32>
}

// The weight is itself a slice of a weight.
// CHECK-LABEL: func.func @slice_of_a_weight(
// CHECK: %[[ROWS:.+]] = forge.index %{{.+}} dim 0 [0:96]
// CHECK-COUNT-3: forge.index %[[ROWS]] dim 1
// CHECK-NOT: forge.strided_slice
func.func @slice_of_a_weight(%x: tensor<64x96xf32>) -> (tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>) {
  %all = forge.parameter "w" : tensor<192x288xf32>
  %w = forge.index %all dim 0 [0:96] : (tensor<192x288xf32>) -> tensor<96x288xf32>
  %bias = forge.constant dense<1.000000e+00> : tensor<288xf32>
  %p = forge.matmul %x, %w : (tensor<64x96xf32>, tensor<96x288xf32>) -> tensor<64x288xf32>
  %m = forge.add %bias, %p : (tensor<288xf32>, tensor<64x288xf32>) -> tensor<64x288xf32>
  %r = forge.reshape %m shape [1, 64, 288] : (tensor<64x288xf32>) -> tensor<1x64x288xf32>
  %a, %b, %c = forge.split %r dim -1 sizes [96, 96, 96] : (tensor<1x64x288xf32>) -> (tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>)
  return %a, %b, %c : tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>
}

// Five aligned slices: five products would cost more than the slices.
// CHECK-LABEL: func.func @five(
// CHECK-COUNT-5: forge.strided_slice
func.func @five(%x: tensor<64x96xf32>) -> (tensor<1x64x32xf32>, tensor<1x64x64xf32>, tensor<1x64x64xf32>, tensor<1x64x64xf32>, tensor<1x64x64xf32>) {
  %w = forge.parameter "w" : tensor<96x288xf32>
  %bias = forge.constant dense<1.000000e+00> : tensor<288xf32>
  %p = forge.matmul %x, %w : (tensor<64x96xf32>, tensor<96x288xf32>) -> tensor<64x288xf32>
  %m = forge.add %bias, %p : (tensor<288xf32>, tensor<64x288xf32>) -> tensor<64x288xf32>
  %r = forge.reshape %m shape [1, 64, 288] : (tensor<64x288xf32>) -> tensor<1x64x288xf32>
  %a, %b, %c, %d, %e = forge.split %r dim -1 sizes [32, 64, 64, 64, 64] : (tensor<1x64x288xf32>) -> (tensor<1x64x32xf32>, tensor<1x64x64xf32>, tensor<1x64x64xf32>, tensor<1x64x64xf32>, tensor<1x64x64xf32>)
  return %a, %b, %c, %d, %e : tensor<1x64x32xf32>, tensor<1x64x64xf32>, tensor<1x64x64xf32>, tensor<1x64x64xf32>, tensor<1x64x64xf32>
}

// CHECK-LABEL: func.func @host(
// CHECK-COUNT-3: forge.strided_slice
func.func @host(%x: tensor<64x96xf32>) -> (tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>) attributes {forge.partition = "cpu"} {
  %w = forge.parameter "w" : tensor<96x288xf32>
  %bias = forge.constant dense<1.000000e+00> : tensor<288xf32>
  %p = forge.matmul %x, %w : (tensor<64x96xf32>, tensor<96x288xf32>) -> tensor<64x288xf32>
  %m = forge.add %bias, %p : (tensor<288xf32>, tensor<64x288xf32>) -> tensor<64x288xf32>
  %r = forge.reshape %m shape [1, 64, 288] : (tensor<64x288xf32>) -> tensor<1x64x288xf32>
  %a, %b, %c = forge.split %r dim -1 sizes [96, 96, 96] : (tensor<1x64x288xf32>) -> (tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>)
  return %a, %b, %c : tensor<1x64x96xf32>, tensor<1x64x96xf32>, tensor<1x64x96xf32>
}

// Heads of whole tiles stay slices of one product: the device's compiler recognises slice, reshape and transpose.
// CHECK-LABEL: func.func @heads(
// CHECK-COUNT-2: forge.strided_slice
func.func @heads(%x: tensor<64x96xf32>) -> (tensor<64x2x64xf32>, tensor<64x2x64xf32>) {
  %w = forge.parameter "w" : tensor<96x256xf32>
  %p = forge.matmul %x, %w : (tensor<64x96xf32>, tensor<96x256xf32>) -> tensor<64x256xf32>
  %a, %b = forge.split %p dim 1 sizes [128, 128] : (tensor<64x256xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>)
  %c = forge.reshape %a shape [64, 2, 64] : (tensor<64x128xf32>) -> tensor<64x2x64xf32>
  %d = forge.reshape %b shape [64, 2, 64] : (tensor<64x128xf32>) -> tensor<64x2x64xf32>
  return %c, %d : tensor<64x2x64xf32>, tensor<64x2x64xf32>
}

// The weight is transposed.
// CHECK-LABEL: func.func @transposed(
// CHECK-DAG: %[[ALL:.+]] = forge.parameter "w" : tensor<80x96xf32>
// CHECK-DAG: %[[T:.+]] = forge.transpose %[[ALL]] dims 0, 1 : (tensor<80x96xf32>) -> tensor<96x80xf32>
// CHECK-DAG: %[[W:.+]] = forge.index %[[T]] dim 1 [0:40]
// CHECK-DAG: forge.matmul %arg0, %[[W]]
// CHECK-DAG: forge.index %[[T]] dim 1 [40:80]
// CHECK-NOT: forge.strided_slice
func.func @transposed(%x: tensor<64x96xf32>) -> (tensor<64x40xf32>, tensor<64x40xf32>) {
  %w = forge.parameter "w" : tensor<80x96xf32>
  %t = forge.transpose %w dims 0, 1 : (tensor<80x96xf32>) -> tensor<96x80xf32>
  %p = forge.matmul %x, %t : (tensor<64x96xf32>, tensor<96x80xf32>) -> tensor<64x80xf32>
  %a, %b = forge.split %p dim 1 sizes [40, 40] : (tensor<64x80xf32>) -> (tensor<64x40xf32>, tensor<64x40xf32>)
  return %a, %b : tensor<64x40xf32>, tensor<64x40xf32>
}

// A product of weights computes the bias of another product, which is rewritten once.
// CHECK-LABEL: func.func @computed_bias(
// CHECK-COUNT-2: forge.matmul %arg0,
// CHECK-NOT: forge.matmul %arg0,
// CHECK: return
// WHY: remark: split-weights: 2 matmuls with parts of the weight, and no slice, tile traffic 38 -> 23
// WHY-NOT: tile traffic 38 -> 23
func.func @computed_bias(%x: tensor<64x64xf32>) -> (tensor<64x40xf32>, tensor<64x24xf32>) {
  %w = forge.parameter "w" : tensor<64x64xf32>
  %a = forge.parameter "a" : tensor<1x16xf32>
  %c = forge.parameter "c" : tensor<16x64xf32>
  %bias = forge.matmul %a, %c : (tensor<1x16xf32>, tensor<16x64xf32>) -> tensor<1x64xf32>
  %p = forge.matmul %x, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = forge.add %p, %bias : (tensor<64x64xf32>, tensor<1x64xf32>) -> tensor<64x64xf32>
  %l, %r = forge.split %s dim 1 sizes [40, 24] : (tensor<64x64xf32>) -> (tensor<64x40xf32>, tensor<64x24xf32>)
  return %l, %r : tensor<64x40xf32>, tensor<64x24xf32>
}

// Four products would write more tiles than the slices untilize: each has 16 columns of its own tiles.
// CHECK-LABEL: func.func @narrow(
// CHECK-COUNT-4: forge.strided_slice
func.func @narrow(%x: tensor<256x192xf32>) -> (tensor<256x16xf32>, tensor<256x16xf32>, tensor<256x16xf32>, tensor<256x16xf32>) {
  %w = forge.parameter "w" : tensor<192x64xf32>
  %p = forge.matmul %x, %w : (tensor<256x192xf32>, tensor<192x64xf32>) -> tensor<256x64xf32>
  %a, %b, %c, %d = forge.split %p dim 1 sizes [16, 16, 16, 16] : (tensor<256x64xf32>) -> (tensor<256x16xf32>, tensor<256x16xf32>, tensor<256x16xf32>, tensor<256x16xf32>)
  return %a, %b, %c, %d : tensor<256x16xf32>, tensor<256x16xf32>, tensor<256x16xf32>, tensor<256x16xf32>
}
