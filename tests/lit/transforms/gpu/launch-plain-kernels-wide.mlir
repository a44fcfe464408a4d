// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-launch-plain-kernels{index-bitwidth=64}))' | FileCheck %s
// RUN: not fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-launch-plain-kernels{index-bitwidth=16}))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BITS

// BITS: index-bitwidth is 16; give 32 or 64

// 2^32 iterations, 128 a workgroup, in rows of 65535 workgroups.
// CHECK-LABEL: func.func @many
// CHECK-DAG:     %[[X:.+]] = arith.constant 65535 : index
// CHECK-DAG:     %[[Y:.+]] = arith.constant 513 : index
// CHECK:         gpu.launch blocks({{.+}}) in (%{{.+}} = %[[X]], %{{.+}} = %[[Y]], %{{.+}} = %{{.+}})
func.func @many(%a: memref<65536x65536xi8>, %x: i8) attributes {fuselage.dispatch = 0 : i64} {
  linalg.fill ins(%x : i8) outs(%a : memref<65536x65536xi8>)
  return
}
