// What exporters put around a program goes; the weights become arguments by their names.
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage step %s --pipeline 'builtin.module(canonicalize)' | FileCheck %s --check-prefix=STEP

// The first recorded step, also before a pipeline of one's own.
// STEP: 0{{.*}}Normalize
// STEP: 1{{.*}}canonicalize

util.global private @__auto.layer.0.weight = #flow.parameter.named<"model"::"layer.0.weight"> : tensor<8x2xf32>
util.global private @__auto.layer.0.bias : tensor<2xf32>
util.global private @scale = dense<2.0> : tensor<2xf32>
util.global private mutable @state = dense<0.0> : tensor<2xf32>
ml_program.global private @table(dense<[3, 1]> : tensor<2xi64>) : tensor<2xi64>

// The entry has the wrapper's name and no fences. Inputs first, then weights, in the module's order.
//      CHECK: func.func @main(
// CHECK-SAME:   %arg0: tensor<4xi64> {fuselage.bounds = array<i64: 0, 7>}
// CHECK-SAME:   %arg1: tensor<8x2xf32> {fuselage.parameter = "model::layer.0.weight"}
// CHECK-SAME:   %arg2: tensor<2xf32> {fuselage.parameter = "layer.0.bias"}
// CHECK-SAME:   ) -> (tensor<4x2xf32>, tensor<2xi64>) {
// What the module says itself is a constant; what it changes stays.
//  CHECK-DAG:   arith.constant dense<2.000000e+00> : tensor<2xf32>
//  CHECK-DAG:   arith.constant dense<[3, 1]> : tensor<2xi64>
//  CHECK-DAG:   util.global.store
//  CHECK-NOT:   cf.assert
//  CHECK-NOT:   hal.
//      CHECK:   return %{{.*}}, %{{.*}} : tensor<4x2xf32>, tensor<2xi64>
//  CHECK-NOT: func.func
util.func public @main$async(%view: !hal.buffer_view, %wait: !hal.fence, %signal: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
  %c8 = arith.constant 8 : index
  %c0 = arith.constant 0 : i64
  %ids = hal.tensor.import wait(%wait) => %view : !hal.buffer_view -> tensor<4xi64>
  %weight = util.global.load @__auto.layer.0.weight : tensor<8x2xf32>
  %bias = util.global.load immutable @__auto.layer.0.bias : tensor<2xf32>
  %scale = util.global.load @scale : tensor<2xf32>
  %state = util.global.load @state : tensor<2xf32>
  util.global.store %bias, @state : tensor<2xf32>
  %table = ml_program.global_load_const @table : tensor<2xi64>
  %out = tensor.empty() : tensor<4x2xf32>
  %row = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%ids, %bias, %scale : tensor<4xi64>, tensor<2xf32>, tensor<2xf32>) outs(%out : tensor<4x2xf32>) {
  ^bb0(%id: i64, %b: f32, %s: f32, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %j = linalg.index 1 : index
    %low = arith.cmpi sge, %id, %c0 : i64
    cf.assert %low, "index must be larger or equal to 0"
    %high = arith.cmpi slt, %i, %c8 : index
    cf.assert %high, "index must be smaller than dim size"
    %w = tensor.extract %weight[%i, %j] : tensor<8x2xf32>
    %x = arith.mulf %w, %s : f32
    %y = arith.addf %x, %b : f32
    linalg.yield %y : f32
  } -> tensor<4x2xf32>
  %same = util.optimization_barrier %row : tensor<4x2xf32>
  %done:2 = hal.tensor.barrier join(%same, %table : tensor<4x2xf32>, tensor<2xi64>) => %signal : !hal.fence
  %0 = hal.tensor.export %done#0 : tensor<4x2xf32> -> !hal.buffer_view
  %1 = hal.tensor.export %done#1 : tensor<2xi64> -> !hal.buffer_view
  util.return %0, %1 : !hal.buffer_view, !hal.buffer_view
}
util.func public @main(%view: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub} {
  %null = util.null : !hal.fence
  %all = arith.constant -1 : i32
  %c0 = arith.constant 0 : index
  %device = hal.devices.get %c0 : !hal.device
  %fence = hal.fence.create device(%device : !hal.device) flags("None") : !hal.fence
  %r:2 = util.call @main$async(%view, %null, %fence) : (!hal.buffer_view, !hal.fence, !hal.fence) -> (!hal.buffer_view, !hal.buffer_view)
  %status = hal.fence.await until([%fence]) timeout_millis(%all) flags("None") : i32
  util.return %r#0, %r#1 : !hal.buffer_view, !hal.buffer_view
}
