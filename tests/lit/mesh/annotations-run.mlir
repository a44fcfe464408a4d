// A run has one device, which has all of each tensor: annotations return what they are given.
// RUN: fuselage run %s --device host 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: fuselage step %s --format json 2>/dev/null | FileCheck %s --check-prefix=STEPS
// RUN: fuselage-opt %s --pass-pipeline='builtin.module(func.func(fuselage-prepare-bufferization))' | FileCheck %s --check-prefix=IR
// RUN: fuselage explain %s 2>/dev/null | FileCheck %s --check-prefix=EXPLAIN

// RESULT: result 0 tensor<8x16xf32> {{.*}} ok
// STEPS: "name": "Bufferize"
// They stand between dispatches all the same, where a partitioner may let devices exchange data.
// EXPLAIN: cannot be fused {{ *}}SHARDING_BETWEEN

shard.grid @grid(shape = 4)

// IR-LABEL: func.func @main
// IR-NEXT: %[[EMPTY:.*]] = tensor.empty
// IR-NEXT: %[[SUM:.*]] = linalg.add
// IR-NEXT: %[[EXP:.*]] = linalg.exp ins(%[[SUM]]
// IR-NEXT: return %[[EXP]]
func.func @main(%a: tensor<8x16xf32>, %b: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %sharding = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %empty = tensor.empty() : tensor<8x16xf32>
  %sum = linalg.add ins(%a, %b : tensor<8x16xf32>, tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %laid = shard.shard %sum to %sharding : tensor<8x16xf32>
  %exp = linalg.exp ins(%laid : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %exp : tensor<8x16xf32>
}
