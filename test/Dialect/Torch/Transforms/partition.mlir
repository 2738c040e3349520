// RUN: forge-opt %s -split-input-file "--pass-pipeline=builtin.module(func.func(forge-assign-devices),forge-partition)" | FileCheck %s

// A function that runs on the device as a whole is unchanged.
// CHECK-LABEL: func.func @all_on_device(
// CHECK-NEXT: torch.operator "onnx.Relu"
func.func @all_on_device(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %0 = torch.operator "onnx.Relu"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

// Device, CPU, device: the weight is an argument of both device partitions, and %x is no argument of the partitions
// that do not use it.
// CHECK-LABEL: func.func @middle(
// CHECK-SAME: forge.partition = "driver"
// CHECK-NEXT: %[[A:.+]] = forge.run @middle_device0(%arg0, %arg1)
// CHECK-NEXT: %[[B:.+]] = forge.run @middle_cpu1(%[[A]])
// CHECK-NEXT: %[[C:.+]] = forge.run @middle_device2(%[[B]], %arg1)
// CHECK-NEXT: return %[[C]], %arg0
// CHECK: func.func @middle_device2(%arg0: {{.*}}, %arg1: {{.*}}) {{.*}} attributes {forge.multiply_adds = 256 : i64, forge.partition = "device"
// CHECK-NEXT: %[[SHAPE:.+]] = torch.operator "onnx.Constant"
// CHECK-NEXT: torch.operator "onnx.Reshape"(%arg0, %[[SHAPE]])
// CHECK-NEXT: torch.operator "onnx.MatMul"
// CHECK: func.func @middle_cpu1({{.*}}forge.partition = "cpu"
// CHECK-NEXT: torch.operator "onnx.Foo"(%arg0)
// CHECK: func.func @middle_device0(
func.func @middle(%x: !torch.vtensor<[4,8],f32>, %w: !torch.vtensor<[8,8],f32>) -> (!torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>)
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %shape = torch.operator "onnx.Shape"(%x) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[2],si64>
  %0 = torch.operator "onnx.MatMul"(%x, %w) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[4,8],f32>
  %1 = torch.operator "onnx.Foo"(%0) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
  %2 = torch.operator "onnx.Reshape"(%1, %shape) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[4,8],f32>
  %3 = torch.operator "onnx.MatMul"(%2, %w) : (!torch.vtensor<[4,8],f32>, !torch.vtensor<[8,8],f32>) -> !torch.vtensor<[4,8],f32>
  return %3, %x : !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>
}

// -----

// Two independent CPU nodes are one partition, and the unused node is in none.
// CHECK-LABEL: func.func @independent_cpu_nodes(
// CHECK-NEXT: %[[R:.+]]:2 = forge.run @independent_cpu_nodes_cpu0(%arg0)
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
// CHECK-NOT: onnx.Unused
func.func @independent_cpu_nodes(%x: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %0 = torch.operator "onnx.Foo"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  %1 = torch.operator "onnx.Bar"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  %2 = torch.operator "onnx.Unused"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0, %1 : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>
}

// -----

// A small device node between two CPU nodes is computed on the CPU with them, and so is a transpose that only CPU nodes
// use.
// CHECK-LABEL: func.func @small_node_between(
// CHECK-NEXT: %[[R:.+]] = forge.run @small_node_between_cpu0(%arg0)
// CHECK-NEXT: return %[[R]]
func.func @small_node_between(%x: !torch.vtensor<[4,2],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %0 = torch.operator "onnx.Transpose"(%x) {torch.onnx.perm = [1 : si64, 0 : si64]} : (!torch.vtensor<[4,2],f32>) -> !torch.vtensor<[2,4],f32>
  %1 = torch.operator "onnx.Foo"(%0) : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  %2 = torch.operator "onnx.Relu"(%1) : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  %3 = torch.operator "onnx.Bar"(%2) : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %3 : !torch.vtensor<[2,4],f32>
}

// -----

// The same with an op of another domain, which the CPU may not know: alone, and in a subgraph.
// CHECK-LABEL: func.func @node_of_another_domain(
// CHECK-NEXT: %[[A:.+]] = forge.run @node_of_another_domain_cpu0(%arg0)
// CHECK-NEXT: %[[B:.+]] = forge.run @node_of_another_domain_device1(%[[A]])
// CHECK-NEXT: %[[C:.+]] = forge.run @node_of_another_domain_cpu2(%[[B]])
// CHECK-NEXT: %[[D:.+]] = forge.run @node_of_another_domain_device3(%arg1, %[[C]])
// CHECK-NEXT: %[[E:.+]] = forge.run @node_of_another_domain_cpu4(%[[D]])
// CHECK-NEXT: return %[[E]]
func.func @node_of_another_domain(%x: !torch.vtensor<[4,2],f32>, %c: !torch.vtensor<[],i1>) -> !torch.vtensor<[4,2],f32> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %1 = torch.operator "onnx.Foo"(%x) : (!torch.vtensor<[4,2],f32>) -> !torch.vtensor<[4,2],f32>
  %2 = torch.operator "onnx.QuickGelu"(%1) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[4,2],f32>) -> !torch.vtensor<[4,2],f32>
  %3 = torch.operator "onnx.Bar"(%2) : (!torch.vtensor<[4,2],f32>) -> !torch.vtensor<[4,2],f32>
  %4 = torch.operator "onnx.If"(%c) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[4,2],f32> {
    torch.operator_terminator %3 : !torch.vtensor<[4,2],f32>
  }, {
    %6 = torch.operator "onnx.QuickGelu"(%3) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[4,2],f32>) -> !torch.vtensor<[4,2],f32>
    torch.operator_terminator %6 : !torch.vtensor<[4,2],f32>
  }
  %5 = torch.operator "onnx.Bar"(%4) : (!torch.vtensor<[4,2],f32>) -> !torch.vtensor<[4,2],f32>
  return %5 : !torch.vtensor<[4,2],f32>
}

// -----

// Values that a subgraph uses from its enclosing graph are arguments of its partition.
// CHECK-LABEL: func.func @captures(
// CHECK-NEXT: %[[E:.+]] = forge.run @captures_device0(%arg0)
// CHECK-NEXT: %[[R:.+]] = forge.run @captures_cpu1(%arg1, %[[E]])
// CHECK: func.func @captures_cpu1(%arg0: !torch.vtensor<[],i1>
// CHECK: torch.operator_terminator %arg1
func.func @captures(%x: !torch.vtensor<[4],f32>, %c: !torch.vtensor<[],i1>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %0 = torch.operator "onnx.Exp"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  %1 = torch.operator "onnx.Mystery"(%c) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[4],f32> {
    torch.operator_terminator %0 : !torch.vtensor<[4],f32>
  }
  return %1 : !torch.vtensor<[4],f32>
}

// -----

// A driver takes an input that no device function can take, even if nothing runs on the CPU.
// CHECK-LABEL: func.func @unused_text(
// CHECK-SAME: forge.partition = "driver"
// CHECK-NEXT: %[[R:.+]] = forge.run @unused_text_device0(%arg0)
// CHECK-NEXT: return %[[R]], %arg1
func.func @unused_text(%x: !torch.vtensor<[4],f32>, %text: !torch.vtensor<[2],!torch.str>) -> (!torch.vtensor<[4],f32>, !torch.vtensor<[2],!torch.str>)
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %0 = torch.operator "onnx.Relu"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0, %text : !torch.vtensor<[4],f32>, !torch.vtensor<[2],!torch.str>
}
