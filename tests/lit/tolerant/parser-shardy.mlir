// Axes that are open, in attributes and lists; loops and types that leave out what only can be one thing.
// RUN: fuselage-opt --tolerant %s 2>%t.err | FileCheck %s
// RUN: not grep error: %t.err

// CHECK: sdy.mesh @m
sdy.mesh @m = <["a"=2, "b"=4]>
// CHECK-LABEL: func.func @sharded
func.func @sharded(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"a", ?}, {?}]>}) -> tensor<8x8xf32> {
  // CHECK: sdy.sharding_constraint %{{.*}} <@m, [{"a", ?}, {}]> : tensor<8x8xf32>
  %0 = sdy.sharding_constraint %x <@m, [{"a", ?}, {}]> : tensor<8x8xf32>
  // CHECK: sdy.manual_computation
  %1 = sdy.manual_computation(%0) in_shardings=[<@m, [{"a"}, {}]>] out_shardings=[<@m, [{"a", ?}, {}]>] manual_axes={"a"} (%arg2: tensor<4x8xf32>) {
    %2 = stablehlo.add %arg2, %arg2 : tensor<4x8xf32>
    sdy.return %2 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// The type of a pointer to a block goes without its name where only a pointer can stand.
// CHECK-LABEL: tt.func @blocks
tt.func @blocks(%p: !tt.ptr<f32>, %n: i64, %s: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // CHECK: tt.make_tensor_ptr
  %b = tt.make_tensor_ptr %p, [%n, %n], [%s, %s], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf32>>
  // CHECK: scf.for {{.*}} -> (!tt.ptr<tensor<16x16xf32>>)
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%q = %b) -> (!tt.ptr<tensor<16x16xf32>>) : i32 {
    %v = tt.load %q : !tt.ptr<tensor<16x16xf32>>
    tt.store %q, %v : !tt.ptr<tensor<16x16xf32>>
    %w = tt.advance %q, [%c0, %c1] : <tensor<16x16xf32>>
    scf.yield %w : !tt.ptr<tensor<16x16xf32>>
  }
  tt.return
}

// CHECK-LABEL: func.func @loop
func.func @loop(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  // CHECK: pcf.loop
  %0 = pcf.loop scope(#pcf.sequential) count(%n)
    execute(%ref = %x)[%id: index]
         : (!pcf.sref<4xf32, #pcf.sequential>)
        -> (tensor<4xf32>) {
    // CHECK: arith.addi
    %c = arith.addi %id, %id : index
    pcf.return
  }
  return %0 : tensor<4xf32>
}

// Arguments that start with nothing, and those of a region before.
// CHECK-LABEL: func.func @unbound
func.func @unbound(%x: tensor<4xf32>, %d: index) {
  // CHECK: pcf.generic
  %0:2 = pcf.generic scope(#pcf.sequential) initialize {
      pcf.yield %d : index
    } -> (%i: index)
    execute(%ref = %x, %other)[%id: index, %n: index]
         : (!pcf.sref<4xf32>, !pcf.sref<?xf32>)
        -> (tensor<4xf32>, tensor<?xf32>{%d}) {
    // CHECK: arith.addi
    %c = arith.addi %i, %n : index
    // CHECK: cf.br ^bb1(%{{.*}} : !pcf.sref<?xf32>)
    cf.br ^bb1(%other : !pcf.sref<?xf32>)
  ^bb1(%y: !pcf.sref<?xf32>):
    pcf.return
  }
  return
}

// What stands before a function's name need not define it.
// CHECK: iree_codegen.dispatch_config @entry
iree_codegen.dispatch_config @entry {
^bb0(%arg0: index):
  iree_codegen.yield %arg0 : index
}
// CHECK-LABEL: func.func @entry
func.func @entry() {
  return
}
