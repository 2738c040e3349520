// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

// An op of another domain is not confused with the op of the same name in the default domain.
func.func @other_domain(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 21 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{node '' (com.microsoft.Relu, opset 1): there is no converter for this op}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Relu"(%arg0) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

// A domain that the model does not import.
func.func @undeclared_domain(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 21 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{node '' (my.domain\n.Relu): the model declares no opset for its domain}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Relu"(%arg0) {torch.onnx_meta.domain = "my.domain\0A"} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @no_opset(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
  // expected-error @+2 {{node '' (Relu): the model declares no opset for its domain}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @opset_0(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 0 : si64} {
  // expected-error @+2 {{node '' (Relu): the model declares no opset for its domain}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @negative_opset(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = -1 : si64} {
  // expected-error @+2 {{node '' (Relu): the model declares no opset for its domain}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @newer(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 29 : si64} {
  // expected-error @+2 {{node '' (Relu, opset 29): opset 29 is newer than the newest one known here, 28}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @far_newer(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 1000000000 : si64} {
  // expected-error @+2 {{node '' (Relu, opset 1000000000): opset 1000000000 is newer than the newest one known here, 28}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

// The oldest supported opset of the op is named.
func.func @older(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 6 : si64} {
  // expected-error @+2 {{node '' (Erf, opset 6): the oldest converter is for opset 9}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Erf"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @unknown_op(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (__class__, opset 21): there is no converter for this op}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.__class__"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

// A name without the prefix.
func.func @no_prefix(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Relu, opset 21): expected an operator name that starts with 'onnx.'}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

// The declared type differs from the computed one.
func.func @wrong_shape(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[3,2],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Relu, opset 21): output 0 is computed as tensor<2x3xf32>, but the model declares !torch.vtensor<[3,2],f32>}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[3,2],f32>
  return %r1 : !torch.vtensor<[3,2],f32>
}

// -----

func.func @wrong_rank(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[6],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Relu, opset 21): output 0 is computed as tensor<2x3xf32>, but the model declares !torch.vtensor<[6],f32>}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[6],f32>
  return %r1 : !torch.vtensor<[6],f32>
}

// -----

func.func @wrong_element(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f16> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Relu, opset 21): output 0 is computed as tensor<2x3xf32>, but the model declares !torch.vtensor<[2,3],f16>}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f16>
  return %r1 : !torch.vtensor<[2,3],f16>
}

// -----

// expected-error @+1 {{input '' has dynamic shape '!torch.vtensor<[?,3],f32>'; bind it with --input-shape}}
func.func @dynamic_input(%arg0: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?,3],f32>
  return %r1 : !torch.vtensor<[?,3],f32>
}

// -----

// The device has no strings.
// expected-error @+1 {{input '' has type '!torch.vtensor<[2],!torch.str>', which the device cannot hold}}
func.func @string_input(%arg0: !torch.vtensor<[2],!torch.str>) -> !torch.vtensor<[2],!torch.str> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2],!torch.str>) -> !torch.vtensor<[2],!torch.str>
  return %r1 : !torch.vtensor<[2],!torch.str>
}

// -----

// expected-error @+1 {{input '' has type '!torch.vtensor<[2],complex<f32>>', which the device cannot hold}}
func.func @complex_input(%arg0: !torch.vtensor<[2],complex<f32>>) -> !torch.vtensor<[2],complex<f32>> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2],complex<f32>>) -> !torch.vtensor<[2],complex<f32>>
  return %r1 : !torch.vtensor<[2],complex<f32>>
}

// -----

// expected-error @+1 {{input '' has 2^63 elements or more}}
func.func @huge_input(%arg0: !torch.vtensor<[4294967296,4294967296],f32>) -> !torch.vtensor<[4294967296,4294967296],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[4294967296,4294967296],f32>) -> !torch.vtensor<[4294967296,4294967296],f32>
  return %r1 : !torch.vtensor<[4294967296,4294967296],f32>
}

// -----

// expected-error @+1 {{input '' has type '!torch.list<vtensor<[2],f32>>', which the device cannot hold}}
func.func @list_input(%arg0: !torch.list<vtensor<[2],f32>>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.list<vtensor<[2],f32>>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

// An opset beyond 64 bits.
func.func @wide_opset(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 123456789012345678901234567890 : i128} {
  // expected-error @+2 {{node '' (Relu): the model declares no opset for its domain}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @subgraph(%arg0: !torch.vtensor<[],i1>) -> !torch.vtensor<[],i1> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Identity, opset 21): its subgraphs are not known to this converter}}
  // expected-note @+1 {{operands: ('tensor<i1>')}}
  %r1 = torch.operator "onnx.Identity"(%arg0) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[],i1> {
  torch.operator_terminator %arg0 : !torch.vtensor<[],i1>
}
  return %r1 : !torch.vtensor<[],i1>
}

// -----

// An output without a value.
func.func @none_returned(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.none attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %none = torch.constant.none
  // expected-error @+1 {{a graph output has no value}}
  return %none : !torch.none
}

// -----

// A function without a body.
// expected-error @+1 {{expected a function of one block for --convert-onnx-to-forge}}
func.func private @declared(!torch.vtensor<[2],f32>)

// -----

// Several blocks.
// expected-error @+1 {{expected a function of one block for --convert-onnx-to-forge}}
func.func @blocks(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  return %arg0 : !torch.vtensor<[2],f32>
^bb1:
  return %arg0 : !torch.vtensor<[2],f32>
}

// -----

// An op that the importer does not create.
func.func @call(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+1 {{expected a torch.operator, but got 'func.call'}}
  %0 = call @call(%arg0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

func.func @model_opset(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{(ReduceSum, opset 13): output 0 is computed as tensor<1x1xf32>}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %y = torch.operator "onnx.ReduceSum"(%x) {torch.onnx.axes = [1 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],f32>
  return %y : !torch.vtensor<[2,1],f32>
}

// -----

func.func @too_new(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{opset 99 is newer than the newest one known here}}
  // expected-note @+1 {{operands}}
  %y = torch.operator "onnx.Relu"(%x) {torch.onnx_meta.opset = 99 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}
