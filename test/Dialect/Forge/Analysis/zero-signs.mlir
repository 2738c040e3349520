// RUN: forge-opt %s --forge-test-zero-signs --verify-diagnostics -o /dev/null

// 1 / -0 is -infinity. A product keeps the sign of a zero.
func.func @divisor(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @+1 {{the sign of a zero matters}}
  %0 = forge.relu %x : tensor<4xf32>
  // expected-remark @+1 {{the sign of a zero matters}}
  %1 = forge.multiply %0, %y : tensor<4xf32>
  // expected-remark @+1 {{any zero is the same}}
  %2 = forge.divide %y, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Neither a dividend nor a result of the function.
func.func @dividend(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-remark @+1 {{any zero is the same}}
  %0 = forge.relu %x : tensor<4xf32>
  // expected-remark @+1 {{any zero is the same}}
  %1 = forge.divide %0, %y : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// The result of a partition may be a divisor in another partition.
func.func @partition(%x: tensor<4xf32>) -> tensor<4xf32> attributes {forge.partition = "device"} {
  // expected-remark @+1 {{the sign of a zero matters}}
  %0 = forge.relu %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// exp(-0) is exp(0), x * x is 0, and x + 1 is 1 for both zeros. x + 0 is not: -0 + -0 is -0.
func.func @hidden(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // expected-remark @+1 {{any zero is the same}}
  %a = forge.relu %x : tensor<4xf32>
  // expected-remark @+1 {{the sign of a zero matters}}
  %b = forge.sqrt %x : tensor<4xf32>
  // The addition does not hide a zero of this operand. That the constant has none is not considered.
  // expected-remark @+1 {{the sign of a zero matters}}
  %one = forge.constant dense<1.0> : tensor<4xf32>
  // expected-remark @+1 {{the sign of a zero matters}}
  %zero = forge.constant dense<-0.0> : tensor<4xf32>
  // expected-remark @+1 {{the sign of a zero matters}}
  %0 = forge.exp %a : tensor<4xf32>
  // expected-remark @+1 {{the sign of a zero matters}}
  %1 = forge.multiply %a, %a : tensor<4xf32>
  // expected-remark @+1 {{the sign of a zero matters}}
  %2 = forge.add %a, %one : tensor<4xf32>
  // expected-remark @+1 {{the sign of a zero matters}}
  %3 = forge.add %b, %zero : tensor<4xf32>
  // expected-remark @+1 {{any zero is the same}}
  %4 = forge.divide %y, %0 : tensor<4xf32>
  // expected-remark @+1 {{any zero is the same}}
  %5 = forge.divide %y, %1 : tensor<4xf32>
  // expected-remark @+1 {{any zero is the same}}
  %6 = forge.divide %y, %2 : tensor<4xf32>
  // expected-remark @+1 {{any zero is the same}}
  %7 = forge.divide %y, %3 : tensor<4xf32>
  return %4, %5, %6, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
