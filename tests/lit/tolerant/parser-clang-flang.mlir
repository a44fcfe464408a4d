// ClangIR, FIR and HLFIR: all of it is read, and prints as it was written.
// RUN: fuselage-opt --tolerant %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --implicit-check-not=fuselage. < %t.mlir
// RUN: fuselage-opt --tolerant %t.mlir 2>/dev/null | diff %t.mlir -
// RUN: fuselage-opt --tolerant %t.mlir --emit-bytecode -o %t.mlirbc 2>/dev/null
// RUN: fuselage-opt --tolerant %t.mlirbc 2>/dev/null | diff %t.mlir -

// CHECK: cir.scope {
// CHECK: fir.do_loop %

!s32i = !cir.int<s, 32>
!u8i = !cir.int<u, 8>
!rec_Point = !cir.record<struct "Point" {!s32i, !s32i}>
#fn_attr = #cir<extra({nothrow = #cir.nothrow, inline = #cir.inline<never>})>
module @"a.cpp" attributes {cir.lang = #cir.lang<cxx>, cir.triple = "x86_64-unknown-linux-gnu", dlti.dl_spec = #dlti.dl_spec<i32 = dense<32> : vector<2xi64>>} {
  cir.global "private" constant cir_private @".str" = #cir.const_array<"hello" : !cir.array<!s32i x 6>> : !cir.array<!s32i x 6> {alignment = 1 : i64}
  cir.global external @counter = #cir.int<0> : !s32i {alignment = 4 : i64}
  cir.func private @printf(!cir.ptr<!s32i>, ...) -> !s32i
  cir.func dso_local @sum(%arg0: !cir.ptr<!s32i>, %arg1: !s32i) -> !s32i extra(#fn_attr) {
    %0 = cir.alloca !s32i, !cir.ptr<!s32i>, ["acc", init] {alignment = 4 : i64}
    %1 = cir.const #cir.int<0> : !s32i
    %c = cir.const #cir.bool<true> : !cir.bool
    %pt = cir.alloca !rec_Point, !cir.ptr<!rec_Point>, ["pt"] {alignment = 4 : i64}
    cir.store align(4) %1, %0 : !s32i, !cir.ptr<!s32i>
    cir.scope {
      %i = cir.alloca !s32i, !cir.ptr<!s32i>, ["i", init] {alignment = 4 : i64}
      cir.for : cond {
        %a = cir.load align(4) %i : !cir.ptr<!s32i>, !s32i
        %b = cir.cmp(lt, %a, %arg1) : !s32i, !cir.bool
        cir.condition(%b)
      } body {
        %a = cir.load %i : !cir.ptr<!s32i>, !s32i
        %p = cir.ptr_stride(%arg0 : !cir.ptr<!s32i>, %a : !s32i), !cir.ptr<!s32i>
        %v = cir.load deref %p : !cir.ptr<!s32i>, !s32i
        %s = cir.binop(add, %a, %v) nsw : !s32i
        cir.if %c {
          cir.break
        } else {
          cir.continue
        }
        cir.yield
      } step {
        %a = cir.unary(inc, %1) nsw : !s32i, !s32i
        cir.yield
      }
    }
    %2 = cir.ternary(%c, true {
      %x = cir.const #cir.int<1> : !s32i
      cir.yield %x : !s32i
    }, false {
      %x = cir.const #cir.int<2> : !s32i
      cir.yield %x : !s32i
    }) : (!cir.bool) -> !s32i
    cir.switch(%2 : !s32i) {
      cir.case(equal, [#cir.int<1> : !s32i]) {
        cir.break
      }
      cir.case(default, []) {
        cir.yield
      }
      cir.yield
    }
    %3 = cir.cast(int_to_bool, %2 : !s32i), !cir.bool
    %4 = cir.get_member %pt[1] {name = "y"} : !cir.ptr<!rec_Point> -> !cir.ptr<!s32i>
    %5 = cir.call @printf(%4, %2) : (!cir.ptr<!s32i>, !s32i) -> !s32i extra(#fn_attr)
    %6 = cir.get_global @counter : !cir.ptr<!s32i>
    cir.return %5 : !s32i
  }
}
module attributes {fir.defaultkind = "a1c4d8i4l4r4", fir.kindmap = ""} {
  func.func @_QPsaxpy(%arg0: !fir.ref<i32> {fir.bindc_name = "n"}, %arg1: !fir.box<!fir.array<?xf32>> {fir.bindc_name = "x"}, %ub: index) {
    %c1 = arith.constant 1 : index
    %true = arith.constant true
    %0 = fir.dummy_scope : !fir.dscope
    %1:2 = hlfir.declare %arg0 dummy_scope %0 {fortran_attrs = #fir.var_attrs<intent_in>, uniq_name = "_QFsaxpyEn"} : (!fir.ref<i32>, !fir.dscope) -> (!fir.ref<i32>, !fir.ref<i32>)
    %2:2 = hlfir.declare %arg1 dummy_scope %0 {uniq_name = "_QFsaxpyEx"} : (!fir.box<!fir.array<?xf32>>, !fir.dscope) -> (!fir.box<!fir.array<?xf32>>, !fir.box<!fir.array<?xf32>>)
    %3 = fir.load %1#0 : !fir.ref<i32>
    %4 = fir.convert %3 : (i32) -> index
    %5 = fir.alloca i32 {bindc_name = "i", uniq_name = "_QFsaxpyEi"}
    %6 = fir.alloca !fir.array<?xf32>, %4 {bindc_name = "tmp"}
    %7 = fir.shape %4 : (index) -> !fir.shape<1>
    %8 = fir.do_loop %i = %c1 to %ub step %c1 iter_args(%acc = %3) -> (i32) {
      %9 = hlfir.designate %2#0 (%i)  : (!fir.box<!fir.array<?xf32>>, index) -> !fir.ref<f32>
      %10 = hlfir.designate %2#0 (%c1:%ub:%c1)  shape %7 : (!fir.box<!fir.array<?xf32>>, index, index, index, !fir.shape<1>) -> !fir.box<!fir.array<?xf32>>
      %11 = fir.load %9 : !fir.ref<f32>
      hlfir.assign %11 to %9 : f32, !fir.ref<f32>
      fir.store %acc to %5 : !fir.ref<i32>
      fir.result %acc : i32
    }
    %12 = hlfir.elemental %7 unordered : (!fir.shape<1>) -> !hlfir.expr<?xf32> {
    ^bb0(%k: index):
      %13 = hlfir.designate %2#0 (%k)  : (!fir.box<!fir.array<?xf32>>, index) -> !fir.ref<f32>
      %14 = fir.load %13 : !fir.ref<f32>
      hlfir.yield_element %14 : f32
    }
    hlfir.destroy %12 : !hlfir.expr<?xf32>
    %15:3 = fir.box_dims %arg1, %c1 : (!fir.box<!fir.array<?xf32>>, index) -> (index, index, index)
    %16 = fir.address_of(@_QFE1) : !fir.ref<i32>
    fir.call @_FortranAStopStatement(%3) fastmath<contract> : (i32) -> ()
    fir.if %true {
      fir.call @_QPx() : () -> ()
    }
    %17 = fir.embox %6(%7) : (!fir.ref<!fir.array<?xf32>>, !fir.shape<1>) -> !fir.box<!fir.array<?xf32>>
    %18 = fir.undefined tuple<i32, f32>
    fir.select_case %3 : i32 [#fir.point, %3, ^bb1, unit, ^bb2]
  ^bb1:
    cf.br ^bb2
  ^bb2:
    return
  }
  fir.global internal @_QFE1 : i32 {
    %c = arith.constant 0 : i32
    fir.has_value %c : i32
  }
  fir.global linkonce @_QQcl constant : !fir.char<1,5> {
    %0 = fir.string_lit "hello"(5) : !fir.char<1,5>
    fir.has_value %0 : !fir.char<1,5>
  }
  fir.type_info @_QMtTt noinit nodestroy nofinal : !fir.type<_QMtTt{a:i32,b:!fir.array<3xf32>}>
  func.func private @_FortranAStopStatement(i32) attributes {fir.runtime}
  func.func private @_QPx()
}
