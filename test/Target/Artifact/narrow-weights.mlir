// A weight is rounded to the type that the module declares, to nearest even; what is beyond the largest bfloat16 becomes
// that, and infinities stay.
// RUN: rm -rf %t && forge-translate --forge-to-python %s -o %t
// RUN: od -An -v -tx2 -w8 %t/narrow.safetensors | tail -1 | FileCheck %s

// 1 + 1/256 and 1 + 3/256 lie in the middle of two numbers.
// CHECK: 3f80 ff7f 7f80 3f82
func.func @narrow(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = forge.parameter "k" blob(dense_resource<w> : tensor<4xf32>) : tensor<4xbf16> loc("w")
  %1 = forge.add %x, %0 : tensor<4xbf16>
  return %1 : tensor<4xbf16>
}

{-#
  dialect_resources: { builtin: { w: "0x040000000080803F9EC97FFF0000807F0080813F" } }
#-}
