// CIRCT: hw, comb, seq, sv, calyx, firrtl, handshake, fsm, moore: all of it is read, and prints as it was written.
// RUN: fuselage-opt --tolerant %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --implicit-check-not=fuselage. < %t.mlir
// RUN: fuselage-opt --tolerant %t.mlir 2>/dev/null | diff %t.mlir -
// RUN: fuselage-opt --tolerant %t.mlir --emit-bytecode -o %t.mlirbc 2>/dev/null
// RUN: fuselage-opt --tolerant %t.mlirbc 2>/dev/null | diff %t.mlir -

// CHECK: hw.module private @adder(in %
// CHECK: calyx.component @main(
// CHECK: handshake.func @loop(

hw.module.extern @ext<WIDTH: i32 = 8>(in %a : i8, out b : i8) attributes {verilogName = "Ext"}
hw.module private @adder(in %a : i8, in %b : i8, in %clk : !seq.clock, in %rst : i1, out sum : i8, out carry : i1) {
  %c0_i8 = hw.constant 0 : i8
  %c-1_i8 = hw.constant -1 : i8
  %true = hw.constant true
  %0 = comb.add %a, %b : i8
  %1 = comb.add bin %a, %b, %0 : i8
  %2 = comb.icmp ult %0, %a : i8
  %3 = comb.icmp bin eq %0, %b : i8
  %4 = comb.extract %0 from 4 : (i8) -> i4
  %5 = comb.concat %4, %4 : i4, i4
  %6 = comb.mux bin %2, %0, %5 : i8
  %7 = comb.replicate %2 : (i1) -> i8
  %8 = comb.parity %7 : i8
  %9 = hw.struct_create (%a, %b) : !hw.struct<lhs: i8, rhs: i8>
  %10 = hw.struct_extract %9["lhs"] : !hw.struct<lhs: i8, rhs: i8>
  %lhs, %rhs = hw.struct_explode %9 : !hw.struct<lhs: i8, rhs: i8>
  %11 = hw.array_create %a, %b, %0, %1 : i8
  %idx = hw.constant 1 : i2
  %12 = hw.array_get %11[%idx] : !hw.array<4xi8>, i2
  %reg = seq.compreg sym @state %6, %clk reset %rst, %c0_i8 : i8
  %freg = seq.firreg %reg clock %clk reset sync %rst, %c0_i8 {firrtl.random_init_start = 0 : ui64} : i8
  %ext.b = hw.instance "ext0" @ext<WIDTH: i32 = 8>(a: %freg: i8) -> (b: i8)
  %wire = sv.wire sym @w : !hw.inout<i8>
  %r = sv.read_inout %wire : !hw.inout<i8>
  sv.assign %wire, %ext.b : i8
  %fd = hw.constant 0x80000002 : i32
  sv.always posedge %rst {
    sv.if %2 {
      sv.fwrite %fd, "x=%d"(%a) : i8
    } else {
      sv.fatal 1
    }
  }
  sv.ifdef @SYNTHESIS {
  } else {
    sv.initial {
      sv.verbatim "$display(\"hi\");"
    }
  }
  hw.output %6, %2 : i8, i1
}
calyx.component @main(%go: i1 {go}, %reset: i1 {reset}, %clk: i1 {clk}) -> (%out: i32, %done: i1 {done}) {
  %r.in, %r.write_en, %r.clk, %r.reset, %r.out, %r.done = calyx.register @r : i32, i1, i1, i1, i32, i1
  %add.left, %add.right, %add.out = calyx.std_add @add : i32, i32, i32
  %c1_i1 = hw.constant 1 : i1
  calyx.wires {
    calyx.group @incr {
      calyx.assign %r.in = %add.out : i32
      calyx.assign %r.write_en = %c1_i1 ? %r.done : i1
      calyx.group_done %r.done : i1
    }
    calyx.assign %out = %r.out : i32
  }
  calyx.control {
    calyx.seq {
      calyx.while %r.done with @incr {
        calyx.enable @incr
      }
      calyx.par {
        calyx.enable @incr
      }
    }
  }
} {toplevel}
firrtl.circuit "Top" {
  firrtl.module @Top(in %clock: !firrtl.clock, in %in: !firrtl.bundle<valid: uint<1>, ready flip: uint<1>>, out %out: !firrtl.uint<8>) attributes {convention = #firrtl<convention scalarized>} {
    %0 = firrtl.subfield %in[valid] : !firrtl.bundle<valid: uint<1>, ready flip: uint<1>>
    %reg = firrtl.reg interesting_name %clock : !firrtl.clock, !firrtl.uint<8>
    %c1 = firrtl.constant 1 : !firrtl.uint<8>
    %sum = firrtl.add %reg, %c1 : (!firrtl.uint<8>, !firrtl.uint<8>) -> !firrtl.uint<9>
    firrtl.when %0 : !firrtl.uint<1> {
      firrtl.matchingconnect %reg, %c1 : !firrtl.uint<8>
    }
    firrtl.connect %out, %reg : !firrtl.uint<8>
    firrtl.skip
  }
}
handshake.func @loop(%arg0: index, %ctrl: none, ...) -> (index, none) attributes {argNames = ["a", "ctrl"], resNames = ["o", "c"]} {
  %0:2 = fork [2] %arg0 : index
  %1 = buffer [2] seq %0#0 : index
  %2 = merge %1, %0#1 : index
  %3 = mux %sel [%1, %2] : index, index
  %sel = constant %ctrl {value = 0 : index} : index
  %res, %idx = control_merge %ctrl : none, index
  %t, %f = cond_br %cond, %3 : index
  %cond = handshake.constant %ctrl {value = true} : i1
  sink %idx : index
  return %t, %res : index, none
}
fsm.machine @m(%a: i1) -> (i1) attributes {initialState = "A"} {
  %cnt = fsm.variable "cnt" {initValue = 0 : i8} : i8
  fsm.state @A output {
    fsm.output %a : i1
  } transitions {
    fsm.transition @B guard {
      fsm.return %a
    } action {
      fsm.update %cnt, %cnt : i8
    }
  }
  fsm.state @B output {
    fsm.output %a : i1
  }
}
moore.module @sig(in %x : !moore.l8, out y : !moore.l8) {
  %0 = moore.constant 3 : l8
  %1 = moore.add %x, %0 : l8
  %v = moore.variable %1 : <l8>
  moore.procedure always_comb {
    moore.blocking_assign %v, %1 : l8
    moore.return
  }
  moore.output %1 : !moore.l8
}
arc.define @f(%arg0: i8) -> i8 {
  arc.output %arg0 : i8
}
