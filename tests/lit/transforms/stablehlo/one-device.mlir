// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: fuselage run %s --function numbers --repeat 1 --print | FileCheck %s --check-prefix=NUMBERS
// RUN: not fuselage run %s --function collective --repeat 1 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK-LABEL: func.func @numbers
//   CHECK-NOT:   stablehlo
func.func @numbers() -> tensor<2xui32> {
  %0 = stablehlo.replica_id : tensor<ui32>
  %1 = stablehlo.partition_id : tensor<ui32>
  %2 = stablehlo.add %0, %1 : tensor<ui32>
  %3 = stablehlo.iota dim = 0 : tensor<2xui32>
  %4 = chlo.broadcast_add %2, %3 : (tensor<ui32>, tensor<2xui32>) -> tensor<2xui32>
  return %4 : tensor<2xui32>
}
// NUMBERS: [0 1]

// The rest of the program is lowered; a run says which op it cannot compute.
// CHECK-LABEL: func.func @collective
//       CHECK:   linalg.generic
//       CHECK:   stablehlo.all_reduce
//  REMARK-DAG: stays as it is: it exchanges data with other devices, and a run has one
// REFUSED: one-device.mlir:[[#@LINE+3]]:8: error: 'stablehlo.all_reduce' cannot run
func.func @collective(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%0) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// REMARK-DAG: stays as it is: it exchanges data with a host program
func.func @from_host(%t: !stablehlo.token) -> tensor<4xf32> {
  %0:2 = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  return %0#0 : tensor<4xf32>
}
