// IREE: vm and util: all of it is read, and prints as it was written.
// RUN: fuselage-opt --tolerant %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --implicit-check-not=fuselage. < %t.mlir
// RUN: fuselage-opt --tolerant %t.mlir 2>/dev/null | diff %t.mlir -
// RUN: fuselage-opt --tolerant %t.mlir --emit-bytecode -o %t.mlirbc 2>/dev/null
// RUN: fuselage-opt --tolerant %t.mlirbc 2>/dev/null | diff %t.mlir -

// CHECK: vm.import private @hal.buffer_view.create(
// CHECK: util.assume.int %{{.*}}<umin = 0, umax = 4096, udiv = 16> : index

vm.module public @module attributes {version = 3 : i32} {
  vm.global.i32 private mutable @counter = 7 : i32
  vm.global.ref private mutable @buffer : !vm.ref<!hal.buffer>
  vm.rodata private @utf8 {alignment = 1 : i64, mime_type = "text/plain"} "hello"
  vm.rodata private @table dense<[1, 2, 3]> : vector<3xi32>
  vm.rodata.table private @entries {alignment = 16 : i64} dense<[1,2]> : vector<2xi8>, dense<3> : vector<4xi8> : !vm.buffer, !vm.buffer
  vm.import private optional @hal.ex.shared_device() -> !vm.ref<!hal.device> attributes {minimum_version = 1 : i32, nosideeffects}
  vm.import private @hal.buffer_view.create(%buffer : !vm.ref<!hal.buffer>, %offset : i64, %shape : i64 ...) -> !vm.ref<!hal.buffer_view> attributes {nosideeffects}
  vm.import private @tuple.args(%args : tuple<i32, !vm.ref<!hal.buffer>>...)
  vm.export @main as("entry") attributes {iree.reflection = {iree.abi = "v1"}}
  vm.export @helper
  vm.func private @main(%arg0: i32, %arg1: !vm.ref<!hal.buffer>) -> (i32, !vm.ref<!hal.buffer>) attributes {inlining_policy = #util.inline.never} {
    %zero = vm.const.i32.zero
    %c1 = vm.const.i32 1
    %c2 = vm.const.i64 -2
    %cf = vm.const.f32 1.5
    %null = vm.const.ref.zero : !vm.ref<!hal.buffer>
    %ro = vm.const.ref.rodata @utf8 : !vm.buffer
    %inl = vm.rodata.inline "name" {alignment = 1 : i64} : !vm.buffer = "some text"
    %sum = vm.add.i32 %arg0, %c1 : i32
    %fma = vm.fma.f32 %cf, %cf, %cf : f32
    %cmp = vm.cmp.lt.i32.s %sum, %c1 : i32
    %nz = vm.cmp.nz.ref %arg1 : !vm.ref<!hal.buffer>
    %sel = vm.select.i32 %cmp, %sum, %c1 : i32
    %ext = vm.ext.i32.i64.s %sel : i32 -> i64
    %trunc = vm.trunc.i64.i32 %ext : i64 -> i32
    %g = vm.global.load.i32 @counter : i32
    vm.global.store.i32 %sum, @counter : i32
    %ref = vm.global.load.ref @buffer : !vm.ref<!hal.buffer>
    vm.global.store.ref %arg1, @buffer : !vm.ref<!hal.buffer>
    %list = vm.list.alloc %c1 : (i32) -> !vm.list<?>
    vm.list.resize %list, %c1 : (!vm.list<?>, i32)
    vm.list.set.ref %list, %zero, %arg1 : (!vm.list<?>, i32, !vm.ref<!hal.buffer>)
    %elem = vm.list.get.ref %list, %zero : (!vm.list<?>, i32) -> !vm.ref<!hal.buffer>
    %buf = vm.buffer.alloc %c2, %c1 : !vm.buffer
    %l = vm.buffer.load.i8.u %buf[%c2] : !vm.buffer -> i32
    vm.buffer.store.i32 %l, %buf[%c2] : i32 -> !vm.buffer
    %called = vm.call @helper(%sum) : (i32) -> i32
    %v = vm.call.variadic @hal.buffer_view.create(%ref, %c2, [%c2, %c2]) : (!vm.ref<!hal.buffer>, i64, i64 ...) -> !vm.ref<!hal.buffer_view>
    vm.call.variadic @tuple.args([(%sum, %ref), (%sum, %ref)]) : (tuple<i32, !vm.ref<!hal.buffer>>...)
    %sw = vm.switch.ref %sum[%arg1, %ref] else %null : !vm.ref<!hal.buffer>
    vm.cond_br %nz, ^bb1(%sum : i32), ^bb2(%c1, %ref : i32, !vm.ref<!hal.buffer>)
  ^bb1(%a: i32):
    vm.br ^bb2(%a, %arg1 : i32, !vm.ref<!hal.buffer>)
  ^bb2(%b: i32, %c: !vm.ref<!hal.buffer>):
    vm.cond_fail %cmp, %b, "lower than"
    vm.br_table %b {
      default: ^bb3(%b : i32),
      0: ^bb3(%c1 : i32),
      1: ^bb4
    }
  ^bb3(%d: i32):
    vm.return %d, %c : i32, !vm.ref<!hal.buffer>
  ^bb4:
    vm.fail %c1, "unreachable"
  }
  vm.func private @helper(%arg0: i32) -> i32 {
    vm.return %arg0 : i32
  }
  vm.initializer {
    %c = vm.const.i32 3
    vm.global.store.i32 %c, @counter : i32
    vm.return
  }
}

util.global public mutable @state {noinline} = dense<0.0> : tensor<4xf32>
util.global private @param = #stream.parameter.named<"model"::"w0"> : tensor<4x8xf32>
util.func private @util_ops(%arg0: tensor<?xf32>, %n: index, %buf: !util.buffer) -> (index, !util.list<?>) attributes {util.inline = "never"} {
  %c0 = arith.constant 0 : index
  %0 = util.align %n, %c0 : index
  %1 = util.sizeof f32
  %2 = util.null : !util.buffer
  %3 = util.optimization_barrier %arg0 : tensor<?xf32>
  %4 = util.global.load @state : tensor<4xf32>
  %5 = util.global.load immutable @param : tensor<4x8xf32>
  util.global.store %4, @state : tensor<4xf32>
  %addr = util.global.address @state : !util.ptr<tensor<4xf32>>
  %ind = util.global.load.indirect %addr : !util.ptr<tensor<4xf32>> -> tensor<4xf32>
  %6 = util.buffer.alloc uninitialized {alignment = 16 : index} : !util.buffer{%n}
  %7 = util.buffer.subspan %6[%c0] : !util.buffer{%n} -> !util.buffer{%n}
  %8 = util.buffer.load %7[%c0 for %1] : !util.buffer{%n} -> f32
  util.buffer.store %8, %7[%c0 for %1] : f32 -> !util.buffer{%n}
  util.buffer.copy %7[%c0], %6[%c0], %n : !util.buffer{%n} -> !util.buffer{%n}
  %9 = util.list.create %n : !util.list<?>
  util.list.set %9[%c0], %8 : f32 -> !util.list<?>
  %10 = util.list.get %9[%c0] : !util.list<?> -> f32
  %11 = util.cmp.eq %6, %7 : !util.buffer
  %12 = util.switch index from [%c0, %n] at %0 else %n : index
  %13:2 = util.call @callee(%n, %9) : (index, !util.list<?>) -> (index, !util.list<?>)
  %14 = util.assume.int %n<umin = 0, umax = 4096, udiv = 16> : index
  %15:2 = util.assume.int %n[<umin = 0, umax = 2>, <umin = 1, umax = 3>], %c0<umin = 2> : index, index
  %16 = util.numeric.optional_narrow %arg0 : tensor<?xf32> as ui8 {max_value = 7 : ui8}
  util.unreachable "no"
}
util.func private @callee(index, !util.list<?> {util.attr}) -> (index, !util.list<?>)
util.func private @tied(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (%a as tensor<2x2xf32>, %b) {
  util.return %a, %b : tensor<2x2xf32>, tensor<4xf32>
}
