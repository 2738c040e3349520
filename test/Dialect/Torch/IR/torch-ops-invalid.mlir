// RUN: forge-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expected a size that is not negative, but got -1}}
func.func private @negative(!torch.vtensor<[-1],f32>)

// -----

// A dim beyond 64 bits.
// expected-error @+1 {{integer value too large}}
func.func private @large(!torch.vtensor<[99999999999999999999],f32>)

// -----

// expected-error @+1 {{expected '['}}
func.func private @no_sizes(!torch.vtensor<f32>)

// -----

// expected-error @+1 {{expected ','}}
func.func private @no_dtype(!torch.vtensor<[2]>)

// -----

// A type of torch-mlir that the importer does not create.
// expected-error @+1 {{unknown  type `tensor` in dialect `torch`}}
func.func private @other_type(!torch.tensor)

// -----

// expected-error @+1 {{unknown torch type 'int'}}
func.func private @other_contained(!torch.list<int>)

// -----

func.func @other_op() {
  // expected-error @+1 {{custom op 'torch.aten.relu' is unknown}}
  %0 = torch.aten.relu
  return
}

// -----

func.func @no_name() {
  // expected-error @+1 {{requires attribute 'name'}}
  "torch.operator"() : () -> ()
  return
}

// -----

func.func @terminator(%arg0: !torch.none) {
  // expected-error @+1 {{expects parent op 'torch.operator'}}
  torch.operator_terminator %arg0 : !torch.none
}

// -----

func.func @none_of_another_type() {
  // expected-error @+1 {{result #0 must be !torch.none}}
  %0 = "torch.constant.none"() : () -> !torch.str
  return
}
