// What cannot be read is a node of its own, with an edge to its users; the exit code says that something is
// missing.
// RUN: not fuselage graph %s --format json 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERR < %t.err

// CHECK: "edges": [
// CHECK: "from": [[#GAP:]],
// CHECK: "to": [[#USER:]],
// CHECK: "id": [[#GAP]],
// CHECK-NEXT: "iterators": "",
// CHECK-NEXT: "kind": "gap",
// CHECK-NEXT: "label": "not read: %0 = foo.op
// CHECK: "op": "fuselage.gap",
// CHECK: "id": [[#USER]],
// CHECK: "op": "linalg.generic",
func.func @gap(%a: tensor<4xf32>) -> tensor<4xf32> {
  // ERR: graph-gap.mlir:[[#@LINE+1]]:3: error: 'foo.op' cannot be read and is kept as text
  %0 = foo.op %% nobody ]][ reads : tensor<4xf32>
  %1 = math.exp %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
