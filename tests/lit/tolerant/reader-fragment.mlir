// Ops without a function around them, with a map that nobody defines.
// RUN: not fuselage-opt --tolerant %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERR < %t.err
// RUN: not fuselage graph %s --format json 2>/dev/null | FileCheck %s --check-prefix=GRAPH

// CHECK: func.func @fragment() -> tensor<4x8xf32>
// CHECK: "fuselage.undefined"() {name = "%lhs"} : () -> tensor<4x8xf32>
// CHECK: linalg.generic {indexing_maps = [#undefined.alias<"map9">
// GRAPH: fragment
#map = affine_map<(d0, d1) -> (d0, d1)>
    %2 = tensor.empty() : tensor<4x8xf32>
    // ERR: fragment.mlir:[[#@LINE+1]]:43: error: undefined symbol alias '#map9'
    %3 = linalg.generic {indexing_maps = [#map9, #map], iterator_types = ["parallel", "parallel"]} ins(%lhs : tensor<4x8xf32>) outs(%2 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8xf32>
    return %3 : tensor<4x8xf32>
