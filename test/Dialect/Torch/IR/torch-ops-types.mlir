// Round trip of the importer's five types through text and bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func private @tensors(!torch.vtensor<[],f32>, !torch.vtensor<[2,?,0],si64>, !torch.vtensor<[?],!torch.str>, !torch.vtensor<[1],complex<f32>>, !torch.vtensor<[9223372036854775807],ui4>)
func.func private @tensors(!torch.vtensor<[],f32>, !torch.vtensor<[2, ?,0],si64>, !torch.vtensor<[?],!torch.str>, !torch.vtensor<[1],complex<f32>>, !torch.vtensor<[9223372036854775807],ui4>)

// Types within a container have no dialect prefix.
// CHECK-LABEL: func.func private @containers(!torch.list<vtensor<[2,?],f32>>, !torch.optional<list<vtensor<[],i1>>>, !torch.optional<none>, !torch.none, !torch.str)
func.func private @containers(!torch.list<vtensor<[2,?],f32>>, !torch.optional<list<vtensor<[],i1>>>, !torch.optional<none>, !torch.none, !torch.str)
