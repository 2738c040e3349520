// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>, %x6: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<2> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  // expected-error @+3 {{the total sequence length (input 6) must be known at compile time}}
  // expected-note @+2 {{bind input}}
  // expected-note @+1 {{operands: }}
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %none, %none, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<2> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<5> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  // expected-error @+2 {{a total sequence length of 5 does not fit 3 new keys and 0 past ones}}
  // expected-note @+1 {{operands: }}
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %none, %none, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<9> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  // expected-error @+2 {{keys of length 10 do not fit a total sequence length of 3}}
  // expected-note @+1 {{operands: }}
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %none, %none, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<2> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  // expected-error @+2 {{attribute 'local_window_size' must be -1, or positive in causal attention, but is 0}}
  // expected-note @+1 {{operands: }}
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %none, %none, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64, torch.onnx.local_window_size = 0 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<2> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  // expected-error @+2 {{a cache of the size of the window is not supported}}
  // expected-note @+1 {{operands: }}
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %none, %none, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64, torch.onnx.sliding_window_cache = 1 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<2> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  // expected-error @+2 {{a quantised cache is not supported}}
  // expected-note @+1 {{operands: }}
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %none, %none, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64, torch.onnx.k_quant_type = "PER_TENSOR"} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<2> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  // expected-error @+2 {{the output of the scores (attribute 'qk_output') is not supported}}
  // expected-note @+1 {{operands: }}
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %none, %none, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64, torch.onnx.qk_output = 1 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<2> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  // expected-error @+2 {{expected a number of heads that 'kv_num_heads' divides, but got 2 and 4}}
  // expected-note @+1 {{operands: }}
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %none, %none, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 4 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>, %x7: !torch.vtensor<[4,2],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<2> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  // expected-error @+2 {{input 8 is missing}}
  // expected-note @+1 {{operands: }}
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %none, %none, %x5, %x6, %x7) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64, torch.onnx.do_rotary = 1 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>, !torch.vtensor<[4,2],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>, %x7: !torch.vtensor<[2,2],f32>, %x8: !torch.vtensor<[2,2],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<2> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  // expected-error @+2 {{expected caches of 3 or more rows of at most 2 values, but got (2, 2) and (2, 2)}}
  // expected-note @+1 {{operands: }}
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %none, %none, %x5, %x6, %x7, %x8) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64, torch.onnx.do_rotary = 1 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>, !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<2> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  // expected-error @+2 {{keys and values come together}}
  // expected-note @+1 {{operands: }}
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %none, %none, %none, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>, %x11: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<2> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  // expected-error @+2 {{expected one sink per head, 2, but got shape (3)}}
  // expected-note @+1 {{operands: }}
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %none, %none, %x5, %x6, %none, %none, %none, %none, %x11) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.vtensor<[3],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>, %x10: !torch.vtensor<[1,1,3,4],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  %x5 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<2> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  %x6 = torch.operator "onnx.Constant"() {torch.onnx_meta.domain = "", torch.onnx.value = dense<3> : tensor<1xsi32>} : () -> !torch.vtensor<[1],si32>
  // expected-error @+2 {{expected an attention bias of (1 or batch, 1 or heads, 3, 3), but got (1, 1, 3, 4)}}
  // expected-note @+1 {{operands: }}
  %out:3 = torch.operator "onnx.GroupQueryAttention"(%x0, %x1, %x2, %none, %none, %x5, %x6, %none, %none, %none, %x10) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.kv_num_heads = 1 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.vtensor<[1],si32>, !torch.vtensor<[1],si32>, !torch.none, !torch.none, !torch.none, !torch.vtensor<[1,1,3,4],f32>) -> (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,1,3,4],f32>, !torch.vtensor<[1,1,3,4],f32>
}
