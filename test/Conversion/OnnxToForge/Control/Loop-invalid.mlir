// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @endless(%c: !torch.vtensor<[],i1> loc("c"), %x: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[3],f32>) attributes {torch.onnx_meta.opset_version = 16 : si64} {
  %none = torch.constant.none
  // expected-error @+3 {{the loop condition must be known at compile time when there is no trip count}}
  // expected-note @+2 {{operands: }}
  // expected-note @+1 {{bind input 'c'}}
  %out = torch.operator "onnx.Loop"(%none, %c, %x) : (!torch.none, !torch.vtensor<[],i1>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> {
  ^bb0(%i: !torch.vtensor<[],si64>, %go: !torch.vtensor<[],i1>, %s: !torch.vtensor<[3],f32>):
    %n = torch.operator "onnx.Mul"(%s, %s) : (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
    torch.operator_terminator %go, %n : !torch.vtensor<[],i1>, !torch.vtensor<[3],f32>
  }
  return %out : !torch.vtensor<[3],f32>
}

// -----

func.func @scans(%c: !torch.vtensor<[],i1> loc("c"), %x: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[2,3],f32>) attributes {torch.onnx_meta.opset_version = 16 : si64} {
  %m = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+3 {{the loop condition must be known at compile time when there are scan outputs}}
  // expected-note @+2 {{operands: }}
  // expected-note @+1 {{bind input 'c'}}
  %out:2 = torch.operator "onnx.Loop"(%m, %c, %x) : (!torch.vtensor<[],si64>, !torch.vtensor<[],i1>, !torch.vtensor<[3],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[2,3],f32>) {
  ^bb0(%i: !torch.vtensor<[],si64>, %go: !torch.vtensor<[],i1>, %s: !torch.vtensor<[3],f32>):
    %n = torch.operator "onnx.Mul"(%s, %s) : (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
    torch.operator_terminator %go, %n, %s : !torch.vtensor<[],i1>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
  }
  return %out#0, %out#1 : !torch.vtensor<[3],f32>, !torch.vtensor<[2,3],f32>
}

// -----

func.func @budget(%x: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[3],f32>) attributes {torch.onnx_meta.opset_version = 16 : si64} {
  %none = torch.constant.none
  %m = torch.operator "onnx.Constant"() {torch.onnx.value = dense<100000> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{takes more than 65536 nodes}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.Loop"(%m, %none, %x) : (!torch.vtensor<[],si64>, !torch.none, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> {
  ^bb0(%i: !torch.vtensor<[],si64>, %go: !torch.vtensor<[],i1>, %s: !torch.vtensor<[3],f32>):
    %n = torch.operator "onnx.Mul"(%s, %s) : (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
    torch.operator_terminator %go, %n : !torch.vtensor<[],i1>, !torch.vtensor<[3],f32>
  }
  return %out : !torch.vtensor<[3],f32>
}
