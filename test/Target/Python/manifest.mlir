// The manifest of a module: inputs, outputs, and the source of each weight.
// RUN: forge-translate %s --forge-to-manifest | %python %S/Inputs/facts.py | FileCheck %s --match-full-lines
// RUN: forge-translate %s --forge-to-manifest --forge-module-name "My model/7" | %python %S/Inputs/facts.py \
// RUN:   | FileCheck %s --check-prefix=NAMED

// NAMED-DAG: class: "MyModel7"
// NAMED-DAG: module: "my_model_7"

// The calls of `forward`, each with its line in the module.
// CHECK-DAG: calls: {"forward": [{"line": 40, "nodes": ["out"], "op": "forge.op.Relu", "operands": ["in_put"], "variables": ["out"]}], "methods": {}}
// CHECK-DAG: calls_of_sha256: "{{[0-9a-f]+}}"
// CHECK-DAG: class: "Weights"
// CHECK-DAG: module: "weights"
// CHECK-DAG: format: 2
// CHECK-DAG: versions: {"mlir": "{{[0-9.]+}}"}

// The Python name of an input differs from its ONNX name.
// CHECK-DAG: inputs: {"dtype": "float32", "name": "in_put", "onnx_name": "in \"put", "shape": [2]}
// CHECK-DAG: outputs: {"dtype": "float32", "onnx_name": "out", "shape": [2]}
// CHECK-DAG: onnx: {"graph": "weights", "inputs": [{"dtype": "float32", "name": "in \"put", "shape": [2]}], "ir_version": 0, "opset": {}, "outputs": [{"dtype": "float32", "name": "out", "shape": [2]}], "producer": ""}

// A parameter has a float type, a constant another one. Without a resource key, a weight is a splat or its bytes.
// CHECK:      weights: {"dtype": "float32", "kind": "parameter", "name": "w", "onnx_name": "w", "shape": [2], "source": {"key": "key/0"}}
// CHECK-NEXT: weights: {"dtype": "int32", "kind": "constant", "name": "key/1", "onnx_name": "", "shape": [2], "source": {"key": "key/1"}}
// CHECK-NEXT: weights: {"dtype": "int32", "kind": "constant", "name": "c", "onnx_name": "c", "shape": [2], "source": {"hex": "01000000feffffff"}}
// CHECK-NEXT: weights: {"dtype": "float32", "kind": "parameter", "name": "inf", "onnx_name": "inf", "shape": [2], "source": {"splat": "inf"}}
// CHECK-NEXT: weights: {"dtype": "int32", "kind": "constant", "name": "splat", "onnx_name": "splat", "shape": [2], "source": {"splat": "-7"}}
// CHECK-NEXT: weights: {"dtype": "float16", "kind": "parameter", "name": "half", "onnx_name": "half", "shape": [2], "source": {"hex": "003c0080"}}
// CHECK-NOT:  weights:
func.func @weights(%arg0: tensor<2xf32> {forge.onnx_name = "in \22put"}) -> (tensor<2xf32> {forge.onnx_name = "out"}) {
  %0 = forge.parameter "key/0" : tensor<2xf32> loc("w")
  %1 = forge.parameter "key/1" : tensor<2xi32>
  %2 = forge.constant dense<[1, -2]> : tensor<2xi32> loc("c")
  %3 = forge.constant dense<0x7F800000> : tensor<2xf32> loc("inf")
  %4 = forge.constant dense<-7> : tensor<2xi32> loc("splat")
  %5 = forge.constant dense<[1.0, -0.0]> : tensor<2xf16> loc("half")
  %6 = forge.relu %arg0 : tensor<2xf32> loc("out")
  return %6 : tensor<2xf32>
}
