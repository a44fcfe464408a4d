// One broken op is a gap, undefined values are named, the rest is read.
// RUN: not fuselage-opt --tolerant %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERR < %t.err

// CHECK-LABEL: func.func @gap
func.func @gap(%a: tensor<4xf32>) -> tensor<4xf32> {
  // ERR-DAG: recovery.mlir:[[#@LINE+2]]:3: error: 'foo.op' cannot be read and is kept as text
  // CHECK: %[[GAP:.*]] = "fuselage.gap"(%{{.*}}) {text = "%0 = foo.op{{.*}}"} : (tensor<4xf32>) -> tensor<4xf32>
  %0 = foo.op %a %% nobody ]][ reads : tensor<4xf32>
  // CHECK: math.exp %[[GAP]]
  %1 = math.exp %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @undefined
func.func @undefined() -> f32 {
  // ERR-DAG: recovery.mlir:[[#@LINE+2]]:19: error: use of undeclared SSA value name '%nobody'
  // CHECK: "fuselage.undefined"() {name = "%nobody"} : () -> f32
  %0 = arith.negf %nobody : f32
  return %0 : f32
}

// CHECK-LABEL: func.func @mismatch
func.func @mismatch(%a: f32, %b: f64) -> f32 {
  // ERR-DAG: recovery.mlir:[[#@LINE+2]]:23: {{.*}}expects different type than prior uses
  // CHECK: arith.addf
  %0 = arith.addf %a, %b : f32
  return %0 : f32
}

// CHECK: "fuselage.gap"() ({
// CHECK: math.exp
// CHECK: }) {text = "func.func @header(%a: f32, %b: tensor<?<) -> f32"}
// ERR-DAG: recovery.mlir:[[#@LINE+1]]:1: error: 'func.func' cannot be read and is kept as text but for its body
func.func @header(%a: f32, %b: tensor<?<) -> f32 {
  %0 = math.exp %a : f32
  return %0 : f32
}
