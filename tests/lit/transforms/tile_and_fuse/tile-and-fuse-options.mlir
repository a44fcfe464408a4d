// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{anchor=linalg.negf tile-sizes=8,16}))' 2>/dev/null | FileCheck %s --check-prefix=RECOMPUTE
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{anchor=linalg.negf tile-sizes=8,16 shared=yield}))' 2>/dev/null | FileCheck %s --check-prefix=YIELD
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{anchor=linalg.negf tile-sizes=8,16 shared=yield loop-type=forall}))' 2>/dev/null | FileCheck %s --check-prefix=YIELD-FORALL
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{anchor=linalg.negf tile-sizes=8,16 shared=keep}))' 2>&1 | FileCheck %s --check-prefix=KEEP
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{anchor=linalg.negf tile-sizes=8,16 fuse-producers=false}))' | FileCheck %s --check-prefix=ALONE
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{anchor=linalg.negf tile-sizes=8,16 interchange=1,0}))' 2>/dev/null | FileCheck %s --check-prefix=ORDER
// RUN: not fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{tile-sizes=8,-1}))' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse))' 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{tile-sizes=8 loop-type=while}))' 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: not fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{tile-sizes=8 shared=no}))' 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{anchor=linalg.matmul tile-sizes=8}))' 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{tile-sizes=8,8,8}))' 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{tile-sizes=64,32}))' 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-tile-and-fuse{tile-sizes=8 interchange=0,0}))' 2>&1 | FileCheck %s --check-prefix=INTERCHANGE

// NEGATIVE: error: tile-sizes lists -1; sizes are positive, or 0 for a loop that stays whole
// EMPTY: error: tile-sizes is empty; give a size by loop of the op to tile, 0 for a whole loop
// LOOP: error: loop-type is 'while'; it is 'for' or 'forall'
// SHARED: error: shared is 'no'; it is 'recompute', 'yield' or 'keep'
// ABSENT: remark: nothing to tile: no op here is named 'linalg.matmul' or has such an attribute, and can be tiled
// MANY: remark: linalg.abs is left as it is: 3 tile sizes are given, but it has 2 loops
// WHOLE: remark: linalg.abs is left as it is: no loop is cut: give a tile size that is smaller than the loop
// INTERCHANGE: remark: linalg.abs is left as it is: the interchange is no order of its 2 loops

// RECOMPUTE: linalg.exp
// RECOMPUTE: scf.for
// RECOMPUTE:   linalg.exp
// RECOMPUTE:   linalg.negf
// RECOMPUTE: linalg.abs

// YIELD-NOT: linalg.exp
// YIELD:     scf.for {{.*}} -> (tensor<64x32xf32>, tensor<64x32xf32>)
// YIELD:       %[[E:.+]] = linalg.exp
// YIELD:       linalg.negf ins(%[[E]] :
// YIELD-NOT: linalg.exp
// YIELD:     linalg.abs

// YIELD-FORALL-NOT: linalg.exp
// YIELD-FORALL:     %[[R:.+]]:2 = scf.forall
// YIELD-FORALL:       linalg.exp
// YIELD-FORALL:       linalg.negf
// YIELD-FORALL:     linalg.abs ins(%[[R]]#1 :

// KEEP: remark: linalg.exp is not fused into the loops of linalg.negf: SHARED_VALUE: the value is used outside of the loop as well
// KEEP: linalg.exp
// KEEP: scf.for
// KEEP-NOT: linalg.exp
// KEEP: linalg.abs

// ALONE: linalg.exp
// ALONE: scf.for
// ALONE-NOT: linalg.exp
// ALONE: linalg.negf

// ORDER-DAG: %[[C32:.+]] = arith.constant 32 : index
// ORDER-DAG: %[[C64:.+]] = arith.constant 64 : index
// ORDER: scf.for %{{.+}} = %{{.+}} to %[[C32]]
// ORDER:   scf.for %{{.+}} = %{{.+}} to %[[C64]]
func.func @shared(%x: tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %e = tensor.empty() : tensor<64x32xf32>
  %0 = linalg.exp ins(%x : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %1 = linalg.negf ins(%0 : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %2 = linalg.abs ins(%0 : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %1, %2 : tensor<64x32xf32>, tensor<64x32xf32>
}
