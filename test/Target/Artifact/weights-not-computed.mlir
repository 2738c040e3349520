// Not computed with the weights: arithmetic on an input, an output, a result much larger than its operands, and a
// second form of a large weight.
// RUN: forge-translate %s --forge-to-python | FileCheck %s

// CHECK: def forward(self, x):
// CHECK: forge.op.Add("", x, self.get_parameter("small"))
// CHECK: forge.op.Repeat("", self.get_parameter("small"), repeats=[1024, 1])
// CHECK: forge.op.Transpose("", self.get_parameter("large"), dim0=0, dim1=1)
// CHECK: forge.op.Exp("", self.get_parameter("small"))
// CHECK: forge.op.Sqrt("", self.get_parameter("small"))
func.func @f(%x: tensor<1x512xf32> loc("x")) -> (tensor<1x512xf32>, tensor<1024x512xf32>, tensor<1x512xf32>, tensor<1x1024xf32>, tensor<1x512xf32>, tensor<1x512xf32>) {
  %small = forge.parameter "small" : tensor<1x512xf32>
  %large = forge.parameter "large" : tensor<1024x512xf32>
  %0 = forge.add %x, %small : tensor<1x512xf32>
  %repeated = forge.repeat %small repeats [1024, 1] : (tensor<1x512xf32>) -> tensor<1024x512xf32>
  %1 = forge.add %repeated, %x : (tensor<1024x512xf32>, tensor<1x512xf32>) -> tensor<1024x512xf32>
  %row = forge.index %large dim 0 [3:4] : (tensor<1024x512xf32>) -> tensor<1x512xf32>
  %2 = forge.multiply %row, %x : tensor<1x512xf32>
  %transposed = forge.transpose %large dims 0, 1 : (tensor<1024x512xf32>) -> tensor<512x1024xf32>
  %3 = forge.matmul %x, %transposed : (tensor<1x512xf32>, tensor<512x1024xf32>) -> tensor<1x1024xf32>
  %wide = forge.add %large, %x : (tensor<1024x512xf32>, tensor<1x512xf32>) -> tensor<1024x512xf32>
  %4 = forge.reduce_sum %wide dim 0 keep_dim : (tensor<1024x512xf32>) -> tensor<1x512xf32>
  %exp = forge.exp %small : tensor<1x512xf32>
  %5 = forge.add %4, %exp : tensor<1x512xf32>
  %6 = forge.sqrt %small : tensor<1x512xf32>
  return %0, %1, %2, %3, %5, %6 : tensor<1x512xf32>, tensor<1024x512xf32>, tensor<1x512xf32>, tensor<1x1024xf32>, tensor<1x512xf32>, tensor<1x512xf32>
}
