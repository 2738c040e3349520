// RUN: forge-opt %s --forge-tile-layout-report -o /dev/null 2>&1 | FileCheck %s
// RUN: forge-opt %s --forge-tile-layout-report=format=bfp8 -o /dev/null 2>&1 | FileCheck %s --check-prefix=BFP8
// RUN: forge-opt %s --forge-tile-layout-report="json=- remarks=false" -o /dev/null 2>%t | FileCheck %s --check-prefix=JSON
// RUN: FileCheck %s --check-prefix=QUIET --allow-empty < %t
// RUN: forge-opt %s --forge-tile-layout-report="json=- remarks=false" -o /dev/null | %python -c "import json, sys; json.load(sys.stdin)"
// RUN: not forge-opt %s --forge-tile-layout-report=json=%t.missing/report.json 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not forge-opt %s --forge-tile-layout-report=format=f64 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not forge-opt %s --forge-tile-layout-report=target=gpu 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: forge-opt %s --forge-tile-layout-report="json=- remarks=false target=ttnn-self-masking" -o /dev/null | FileCheck %s --check-prefix=MASKING

// QUIET-NOT: remark
// ERROR: error: [FM2009] cannot write the layout report:
// FORMAT: error: [FM2006] expected a format out of f32 f16 bf16 bfp8 bfp4 bfp2, but got 'f64'
// TARGET: error: [FM2006] expected a target of ttnn-conservative, ttnn-self-masking, none, but got 'gpu'
// An input is tilized on the device, which fills its tile padding with zeros; a slice inside tiles has other padding.
// MASKING: "slice_class":"RETILE",{{.*}}"padding_rows":"0","padding_cols":"0","padding_corner":"0"}

// JSON: {"values":[{"function":"f","op":"argument","node":"x","number":0,"format":"bf16","shape":[1,197,768],"padded":[1,224,768],"tiles":168,"bytes":344064,"bytes_logical":302592,"padding":20736,"padding_pct":12.05
// JSON-SAME: "predicates":"I1 < 197","predicates_minimal":1,"predicates_naive":2,"padding_rows":"0","padding_cols":"none","padding_corner":"none"}
// JSON-SAME: "op":"forge.strided_slice",{{.*}}"slice_class":"TILE_VIEW_DIRTY","traffic_ttnn":84,"traffic_windowed":84,"traffic_view":0,"padding_rows":"undef","padding_cols":"undef","padding_corner":"undef"}
// A scalar counts as one element; an empty tensor has no ratio of padding.
// JSON-SAME: "shape":[],"padded":[32,32]
// JSON-SAME: "shape":[0,4],{{.*}}"padding_pct":null,"ratio":null
// JSON-SAME: "totals":{"values":8,"values_too_large":1,
// JSON-SAME: "slice_classes":{"RETILE":1,"TILE_VIEW_DIRTY":1}}
// A function that runs on the CPU is not in the report.
// JSON-NOT: "host"

// CHECK-DAG: remark: {{.*}}argument 'x' 'tensor<1x197x768xbf16>': padded 1x224x768, 168 tiles, 344064 bytes, padding 12.05%, predicates I1 < 197
// CHECK-DAG: remark: argument 'tensor<1x128x768xf32>': padded 1x128x768, 96 tiles, 393216 bytes, padding 0.00%, predicates none
// CHECK-DAG: remark: argument 'tensor<2305843009213693952x2xf32>': too large for tiles
// CHECK-DAG: remark: forge.strided_slice 'tensor<1x197x180xbf16>': padded 1x224x192, 42 tiles, 86016 bytes, padding {{.*}}%, predicates I1 < 197, I2 < 180, TILE_VIEW_DIRTY
// CHECK: remark: 8 values, {{.*}}, slices: 1xRETILE 1xTILE_VIEW_DIRTY, tile traffic: 504 ttnn, 280 windowed, 196 view

// A tile of bfp8 takes 1088 bytes, whatever the element type in the IR is.
// BFP8-DAG: remark: {{.*}}argument 'x' 'tensor<1x197x768xbf16>': padded 1x224x768, 168 tiles, 182784 bytes
// BFP8-DAG: remark: argument 'tensor<1x128x768xf32>': padded 1x128x768, 96 tiles, 104448 bytes
func.func @f(%x: tensor<1x197x768xbf16> loc("x"), %y: tensor<1x128x768xf32>, %z: tensor<2305843009213693952x2xf32>) -> (tensor<1x197x180xbf16>, tensor<1x197x80xbf16>) {
  %a = forge.strided_slice %x dim 2 [0:180] : (tensor<1x197x768xbf16>) -> tensor<1x197x180xbf16>
  %b = forge.strided_slice %x dim 2 [85:165] : (tensor<1x197x768xbf16>) -> tensor<1x197x80xbf16>
  %s = forge.constant dense<1.0> : tensor<f32>
  %e = forge.constant dense<> : tensor<0x4xf32>
  %i = forge.constant dense<1> : tensor<3xi32>
  return %a, %b : tensor<1x197x180xbf16>, tensor<1x197x80xbf16>
}

func.func @host(%x: tensor<4xf32>) -> tensor<4xf32> attributes {forge.partition = "cpu"} {
  return %x : tensor<4xf32>
}
