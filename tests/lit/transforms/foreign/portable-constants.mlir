// RUN: fuselage-opt %s --fuselage-portable-dispatches | FileCheck %s

// A dispatch of several results of which one depends on constants alone is left to the compiler that reads the module, with
// an op for each result.

// CHECK-LABEL: func.func @tables
//   CHECK-NOT:   flow.dispatch.region
//       CHECK:   linalg.generic {{.*}} outs(%{{[a-z0-9_]+}} : tensor<10xi64>)
//       CHECK:   linalg.generic {{.*}} outs(%{{[a-z0-9_]+}} : tensor<10xi64>)
#v = affine_map<(d0) -> (d0)>
func.func @tables() -> (tensor<10xi64>, tensor<10xi64>) {
  %h = arith.constant 3 : i64
  %r:2 = flow.dispatch.region -> (tensor<10xi64>, tensor<10xi64>) {
    %e = tensor.empty() : tensor<10xi64>
    %f = tensor.empty() : tensor<10xi64>
    %b:2 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} outs(%e, %f : tensor<10xi64>, tensor<10xi64>) {
    ^bb0(%x: i64, %y: i64):
      %i = linalg.index 0 : index
      %0 = arith.index_cast %i : index to i64
      %1 = arith.muli %0, %h : i64
      linalg.yield %0, %1 : i64, i64
    } -> (tensor<10xi64>, tensor<10xi64>)
    flow.return %b#0, %b#1 : tensor<10xi64>, tensor<10xi64>
  }
  return %r#0, %r#1 : tensor<10xi64>, tensor<10xi64>
}

// One result, or results that all depend on what is passed in, stay a dispatch.

// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: flow.dispatch.region
func.func @others(%x: tensor<10xi64>) -> (tensor<10xi64>, tensor<10xi64>, tensor<10xi64>) {
  %r = flow.dispatch.region -> (tensor<10xi64>) {
    %e = tensor.empty() : tensor<10xi64>
    %b = linalg.generic {indexing_maps = [#v], iterator_types = ["parallel"]} outs(%e : tensor<10xi64>) {
    ^bb0(%y: i64):
      %i = linalg.index 0 : index
      %0 = arith.index_cast %i : index to i64
      linalg.yield %0 : i64
    } -> tensor<10xi64>
    flow.return %b : tensor<10xi64>
  }
  %s:2 = flow.dispatch.region -> (tensor<10xi64>, tensor<10xi64>) {
    %e = tensor.empty() : tensor<10xi64>
    %f = tensor.empty() : tensor<10xi64>
    %b:2 = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%x : tensor<10xi64>) outs(%e, %f : tensor<10xi64>, tensor<10xi64>) {
    ^bb0(%in: i64, %y: i64, %z: i64):
      %0 = arith.addi %in, %in : i64
      linalg.yield %in, %0 : i64, i64
    } -> (tensor<10xi64>, tensor<10xi64>)
    flow.return %b#0, %b#1 : tensor<10xi64>, tensor<10xi64>
  }
  return %r, %s#0, %s#1 : tensor<10xi64>, tensor<10xi64>, tensor<10xi64>
}
