// The facts beside the module: inputs, outputs, and where each weight comes from.
// RUN: forge-translate %s --forge-to-manifest | FileCheck %s --match-full-lines --strict-whitespace
// RUN: forge-translate %s --forge-to-manifest --forge-module-name "My model/7" | FileCheck %s --check-prefix=NAMED
// RUN: forge-translate %s --forge-to-manifest | %python -c "import json, sys; json.load(sys.stdin)"

// NAMED: "class": "MyModel7",
// NAMED: "module": "my_model_7",

// A parameter is floating point, a constant is not; bytes are written when there is no splat and no key.
//      CHECK:{
// CHECK-NEXT:  "calls": {
// CHECK-NEXT:    "forward": [
// CHECK-NEXT:      {
// CHECK-NEXT:        "line": 40,
// CHECK-NEXT:        "nodes": [
// CHECK-NEXT:          "out"
// CHECK-NEXT:        ],
// CHECK-NEXT:        "op": "forge.op.Relu",
// CHECK-NEXT:        "operands": [
// CHECK-NEXT:          "in_put"
// CHECK-NEXT:        ],
// CHECK-NEXT:        "variables": [
// CHECK-NEXT:          "out"
// CHECK-NEXT:        ]
// CHECK-NEXT:      }
// CHECK-NEXT:    ],
// CHECK-NEXT:    "methods": {}
// CHECK-NEXT:  },
// CHECK-NEXT:  "calls_of_sha256": "{{[0-9a-f]+}}",
// CHECK-NEXT:  "class": "Weights",
// CHECK-NEXT:  "format": 2,
// CHECK-NEXT:  "inputs": [
// CHECK-NEXT:    {
// CHECK-NEXT:      "dtype": "float32",
// CHECK-NEXT:      "name": "in_put",
// CHECK-NEXT:      "onnx_name": "in \"put",
// CHECK-NEXT:      "shape": [
// CHECK-NEXT:        2
// CHECK-NEXT:      ]
// CHECK-NEXT:    }
// CHECK-NEXT:  ],
// CHECK-NEXT:  "module": "weights",
// CHECK-NEXT:  "onnx": {
// CHECK-NEXT:    "graph": "weights",
// CHECK-NEXT:    "inputs": [
// CHECK-NEXT:      {
// CHECK-NEXT:        "dtype": "float32",
// CHECK-NEXT:        "name": "in \"put",
// CHECK-NEXT:        "shape": [
// CHECK-NEXT:          2
// CHECK-NEXT:        ]
// CHECK-NEXT:      }
// CHECK-NEXT:    ],
// CHECK-NEXT:    "ir_version": 0,
// CHECK-NEXT:    "opset": {},
// CHECK-NEXT:    "outputs": [
// CHECK-NEXT:      {
// CHECK-NEXT:        "dtype": "float32",
// CHECK-NEXT:        "name": "out",
// CHECK-NEXT:        "shape": [
// CHECK-NEXT:          2
// CHECK-NEXT:        ]
// CHECK-NEXT:      }
// CHECK-NEXT:    ],
// CHECK-NEXT:    "producer": ""
// CHECK-NEXT:  },
// CHECK-NEXT:  "outputs": [
// CHECK-NEXT:    {
// CHECK-NEXT:      "dtype": "float32",
// CHECK-NEXT:      "onnx_name": "out",
// CHECK-NEXT:      "shape": [
// CHECK-NEXT:        2
// CHECK-NEXT:      ]
// CHECK-NEXT:    }
// CHECK-NEXT:  ],
// CHECK-NEXT:  "versions": {
// CHECK-NEXT:    "mlir": "{{[0-9.]+}}"
// CHECK-NEXT:  },
// CHECK-NEXT:  "weights": [
// CHECK-NEXT:    {
// CHECK-NEXT:      "dtype": "float32",
// CHECK-NEXT:      "kind": "parameter",
// CHECK-NEXT:      "name": "w",
// CHECK-NEXT:      "onnx_name": "w",
// CHECK-NEXT:      "shape": [
// CHECK-NEXT:        2
// CHECK-NEXT:      ],
// CHECK-NEXT:      "source": {
// CHECK-NEXT:        "key": "key/0"
// CHECK-NEXT:      }
// CHECK-NEXT:    },
// CHECK-NEXT:    {
// CHECK-NEXT:      "dtype": "int32",
// CHECK-NEXT:      "kind": "constant",
// CHECK-NEXT:      "name": "key/1",
// CHECK-NEXT:      "onnx_name": "",
// CHECK-NEXT:      "shape": [
// CHECK-NEXT:        2
// CHECK-NEXT:      ],
// CHECK-NEXT:      "source": {
// CHECK-NEXT:        "key": "key/1"
// CHECK-NEXT:      }
// CHECK-NEXT:    },
// CHECK-NEXT:    {
// CHECK-NEXT:      "dtype": "int32",
// CHECK-NEXT:      "kind": "constant",
// CHECK-NEXT:      "name": "c",
// CHECK-NEXT:      "onnx_name": "c",
// CHECK-NEXT:      "shape": [
// CHECK-NEXT:        2
// CHECK-NEXT:      ],
// CHECK-NEXT:      "source": {
// CHECK-NEXT:        "hex": "01000000feffffff"
// CHECK-NEXT:      }
// CHECK-NEXT:    },
// CHECK-NEXT:    {
// CHECK-NEXT:      "dtype": "float32",
// CHECK-NEXT:      "kind": "parameter",
// CHECK-NEXT:      "name": "inf",
// CHECK-NEXT:      "onnx_name": "inf",
// CHECK-NEXT:      "shape": [
// CHECK-NEXT:        2
// CHECK-NEXT:      ],
// CHECK-NEXT:      "source": {
// CHECK-NEXT:        "splat": "inf"
// CHECK-NEXT:      }
// CHECK-NEXT:    },
// CHECK-NEXT:    {
// CHECK-NEXT:      "dtype": "int32",
// CHECK-NEXT:      "kind": "constant",
// CHECK-NEXT:      "name": "splat",
// CHECK-NEXT:      "onnx_name": "splat",
// CHECK-NEXT:      "shape": [
// CHECK-NEXT:        2
// CHECK-NEXT:      ],
// CHECK-NEXT:      "source": {
// CHECK-NEXT:        "splat": "-7"
// CHECK-NEXT:      }
// CHECK-NEXT:    },
// CHECK-NEXT:    {
// CHECK-NEXT:      "dtype": "float16",
// CHECK-NEXT:      "kind": "parameter",
// CHECK-NEXT:      "name": "half",
// CHECK-NEXT:      "onnx_name": "half",
// CHECK-NEXT:      "shape": [
// CHECK-NEXT:        2
// CHECK-NEXT:      ],
// CHECK-NEXT:      "source": {
// CHECK-NEXT:        "hex": "003c0080"
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  ]
// CHECK-NEXT:}
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
