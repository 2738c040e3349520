// What has no Python form is refused, with the name of the node and the pass to run.
// RUN: forge-translate %s --forge-to-python -split-input-file -verify-diagnostics -o /dev/null

// A split that was not lowered.
// expected-error @unknown {{'forge.split' of node 'head/Split' has no Forge call; run --forge-lower-split first}}
func.func @split(%arg0: tensor<4xf32>) -> tensor<1xf32> {
  %0:2 = forge.split %arg0 dim 0 sizes [1, 3] : (tensor<4xf32>) -> (tensor<1xf32>, tensor<3xf32>) loc("head/Split")
  %1 = forge.relu %0#0 : tensor<1xf32>
  return %1 : tensor<1xf32>
}

// -----

// A node that was not converted.
// expected-error @unknown {{'torch.operator' of node 'r' has no Forge call; run --convert-onnx-to-forge first}}
func.func @node(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = torch.operator "onnx.Relu"(%arg0) : (tensor<4xf32>) -> tensor<4xf32> loc("r")
  return %0 : tensor<4xf32>
}

// -----

// Types that were not legalized.
// expected-error @unknown {{input 'ids' has type 'tensor<4xi64>', which Forge cannot hold; run --forge-legalize-types first}}
func.func @types(%arg0: tensor<4xi64> loc("ids")) {
  return
}

// -----

// An output without a call of its own.
// expected-error @+1 {{an output has no call of its own; run --forge-isolate-outputs first}}
func.func @output(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}

// -----

// A module must contain one function or one driver.
// expected-error @+1 {{expected one function or one driver, but got 2}}
module {
  // expected-note @+1 {{@a; write a module for each model}}
  func.func @a() {
    return
  }
  // expected-note @+1 {{@b; write a module for each model}}
  func.func @b() {
    return
  }
}

// -----

// A module without functions.
// expected-error @+1 {{expected one function or one driver, but got 0}}
module {
}

// -----

// Other ops of the module are refused, not ignored.
module {
  func.func @a() {
    return
  }
  // expected-error @+1 {{cannot be written as Python; expected a function only}}
  module {
  }
}

// -----

// A driver without a body.
// expected-error @+1 {{expected a function with one block}}
func.func private @driver(!torch.vtensor<[4],f32>) attributes {forge.partition = "driver"}

// -----

// A partition without a body.
func.func @driver(%x: !torch.vtensor<[4],f32>) attributes {forge.partition = "driver"} {
  forge.run @partition(%x) : (!torch.vtensor<[4],f32>) -> ()
  return
}
// expected-error @+1 {{expected a function with one block}}
func.func private @partition(!torch.vtensor<[4],f32>) attributes {forge.partition = "cpu"}

// -----

// A function without a body.
// expected-error @+1 {{expected a function of one block for --forge-verify-emittable}}
func.func private @declared(tensor<4xf32>)
