// RUN: fuselage explain %s --policy conservative | FileCheck %s
// RUN: fuselage explain %s --policy conservative --all | FileCheck %s --check-prefix=ALL
// RUN: fuselage explain %s --policy conservative --format json --gbps 1000 | FileCheck %s --check-prefix=JSON
// RUN: fuselage explain %s --remarks %t.yaml --policy conservative -o %t.txt && FileCheck %s --check-prefix=YAML --input-file=%t.yaml
// RUN: fuselage explain - --policy none < %s | FileCheck %s --check-prefix=NONE

// CHECK: policy conservative: 2 dispatches; 4 edges: 0 fused into an op, 0 in the same dispatch, 3 cloned, 1 separate
// CHECK: the dispatches move {{.*}}; by prediction, fusing all that is separate would save at most 512 B
// CHECK: saves {{.*}} reason
// CHECK: 512 B {{.*}} linalg.matmul (line {{[0-9]+}}) {{.*}} linalg.generic {{.*}} 0 {{.*}} ROOT_LOOP_MISMATCH absorb-transpose
// CHECK: ROOT_LOOP_MISMATCH: The consumer's outer loops

// UNTRIED: unlocks were not tried in 1 function

// RUN: fuselage explain %s --policy conservative --no-unlocks | FileCheck %s --check-prefix=UNTRIED
// RUN: fuselage explain %s --policy conservative --bandwidth 20 | FileCheck %s --check-prefix=GIVEN
// RUN: fuselage explain %s --policy conservative | FileCheck %s --check-prefix=ASSUMED
// RUN: rm -rf %t.cache && env XDG_CACHE_HOME=%t.cache fuselage explain %s --policy conservative --device host | FileCheck %s --check-prefix=MEASURED
// GIVEN: at 20.0 GB/s (given)
// ASSUMED: at 500.0 GB/s (assumed)
// MEASURED: GB/s (measured on host)

// ALL: CLONED

// JSON: "bytes": 512
// JSON: "est_us": 0.001
// JSON: "reason": "ROOT_LOOP_MISMATCH"
// JSON: "unlocks": [
// JSON-NEXT: "absorb-transpose"
// JSON: "verdict": "SEPARATE"
// JSON: "version": 1

// YAML: --- !Passed
// YAML: --- !Missed
// YAML-NEXT: Pass: fusion
// YAML-NEXT: Name: ROOT_LOOP_MISMATCH
// YAML: Function: main
// YAML: Bytes: {{.*}}512

// NONE: 0 cloned, 4 separate
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<8x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%fill : tensor<8x8xf32>) -> tensor<8x8xf32>
  %more = tensor.empty() : tensor<8x8xf32>
  %turned = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x8xf32>) outs(%more : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<8x8xf32>
  return %turned : tensor<8x8xf32>
}
