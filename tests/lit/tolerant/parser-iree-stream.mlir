// IREE: the stream dialect, asynchronous and as commands: all of it is read, and prints as it was written.
// RUN: fuselage-opt --tolerant %s -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --implicit-check-not=fuselage. < %t.mlir
// RUN: fuselage-opt --tolerant %t.mlir 2>/dev/null | diff %t.mlir -
// RUN: fuselage-opt --tolerant %t.mlir --emit-bytecode -o %t.mlirbc 2>/dev/null
// RUN: fuselage-opt --tolerant %t.mlirbc 2>/dev/null | diff %t.mlir -

// CHECK: stream.cmd.execute on(#hal.device.affinity<@device_0>) await(
// CHECK: ro %{{.*}}[%c0 for %c128] : !stream.resource<external>{%{{.*}}},

#executable_target_vulkan = #hal.executable.target<"vulkan-spirv", "vulkan-spirv-fb", {ukernels = "none"}>
#composite_of_96b = #util.composite<96xi8, [dense<0> : tensor<32xi8>, dense<1> : tensor<32xi8>, dense<2> : tensor<32xi8>]>

stream.executable private @scale_dispatch {
  stream.executable.export public @scale workgroups(%arg0: index, %arg1: index) -> (index, index, index) {
    %x, %y, %z = flow.dispatch.workgroup_count_from_slice %arg0, %arg1
    stream.return %x, %y, %z : index, index, index
  }
  builtin.module {
    func.func @scale(%arg0: !stream.binding, %arg1: index, %arg2: !stream.binding) {
      %c0 = arith.constant 0 : index
      %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !flow.dispatch.tensor<readonly:tensor<?xf32>>{%arg1}
      %1 = stream.binding.subspan %arg2[%c0] : !stream.binding -> !flow.dispatch.tensor<writeonly:tensor<?xf32>>{%arg1}
      %id = stream.dispatch.workgroup.id[0] : index
      %count = stream.dispatch.workgroup.count[0] : index
      %size = stream.dispatch.workgroup.size[0] : index
      return
    }
  }
}

util.global private mutable @weights : !stream.resource<constant>
util.global private mutable @weights__timepoint = #stream.timepoint<immediate> : !stream.timepoint
util.global private @weights__size : index

util.initializer {
  %c96 = arith.constant 96 : index
  %cst = stream.async.constant on(#hal.device.affinity<@device_0>) : !stream.resource<constant>{%c96} = #composite_of_96b
  %results:2, %result_timepoint = stream.resource.constants :
    !stream.resource<constant>{%c96} = dense<1.0> : tensor<24xf32>,
    !stream.resource<constant>{%c96} = dense_resource<w> : tensor<24xf32>
    => !stream.timepoint
  util.global.store %results#0, @weights : !stream.resource<constant>
  util.global.store %result_timepoint, @weights__timepoint : !stream.timepoint
  util.return
}

util.func public @run(%input: !stream.resource<external>, %n: index, %fence: !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c0_i8 = arith.constant 0 : i8
  %c255 = arith.constant 255 : i32
  %size = stream.resource.size %input : !stream.resource<external>
  %0 = stream.async.splat %c0_i8 : i8 -> !stream.resource<*>{%n}
  %1 = stream.async.fill %c255, %0[%c0 to %c4 for %c4] : i32 -> %0 as !stream.resource<*>{%n}
  %2 = stream.async.slice %1[%c0 to %c4] : !stream.resource<*>{%n} -> !stream.resource<*>{%c4}
  %3 = stream.async.copy %2[%c0 to %c4], %1[%c0 to %c4], %c4 : !stream.resource<*>{%c4} -> %1 as !stream.resource<*>{%n}
  %4 = stream.async.update %2, %3[%c0 to %c4] : !stream.resource<*>{%c4} -> %3 as !stream.resource<*>{%n}
  %5 = stream.async.clone on(#hal.device.affinity<@device_0>) %4 : !stream.resource<*>{%n} -> !stream.resource<transient>{%n}
  %6 = stream.async.transfer %5 : !stream.resource<transient>{%n} from(#hal.device.affinity<@device_0>) -> to(#hal.device.affinity<@device_1>) !stream.resource<transient>{%n}
  %7 = stream.async.dispatch @scale_dispatch::@scale[%c4, %c4](%6[%c0 to %n for %n], %n) : (!stream.resource<transient>{%n}, index) -> !stream.resource<transient>{%n}
  %8 = stream.async.load %7[%c0] : !stream.resource<transient>{%n} -> f32
  %9 = stream.async.store %8, %7[%c0] : f32 -> %7 as !stream.resource<transient>{%n}
  %results, %tp = stream.async.execute on(#hal.device.affinity<@device_0>) await(%fence) => with(%input as %arg0: !stream.resource<external>{%n}, %9 as %arg1: !stream.resource<transient>{%n}) -> !stream.resource<external>{%n} {
    %20:2 = stream.async.concurrent with(%arg0 as %arg2: !stream.resource<external>{%n}, %arg1 as %arg3: !stream.resource<transient>{%n}) -> (!stream.resource<external>{%n}, !stream.resource<transient>{%n}) {
      %21 = stream.async.dispatch @scale_dispatch::@scale[%c4, %c4](%arg2[%c0 to %n for %n], %n) : (!stream.resource<external>{%n}, index) -> %arg2{%n}
      %22 = stream.async.splat %c255 : i32 -> !stream.resource<transient>{%n}
      stream.yield %21, %22 : !stream.resource<external>{%n}, !stream.resource<transient>{%n}
    }
    stream.yield %20#0 : !stream.resource<external>{%n}
  } => !stream.timepoint
  %10 = stream.timepoint.join max(%tp, %fence) => !stream.timepoint
  %11 = stream.timepoint.await %10 => %results : !stream.resource<external>{%n}
  util.return %11, %10 : !stream.resource<external>, !stream.timepoint
}

util.func private @commands(%n: index, %fence: !stream.timepoint, %ext: !stream.resource<external>) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c42_i32 = arith.constant 42 : i32
  %slices:3 = stream.resource.pack on(#hal.device.affinity<@device_0>) offset(%c0) slices({
    [0, 9] = %c128,
    [3, 8] = %c128
  }) : index
  %buf, %alloc_tp = stream.resource.alloca uninitialized on(#hal.device.affinity<@device_0>) await(%fence) => !stream.resource<transient>{%slices#0} => !stream.timepoint
  %tp = stream.cmd.execute on(#hal.device.affinity<@device_0>) await(%alloc_tp) => with(%ext as %arg0: !stream.resource<external>{%n}, %buf as %arg1: !stream.resource<transient>{%slices#0}) {
    stream.cmd.fill %c42_i32, %arg1[%c0 for %c128] : i32 -> !stream.resource<transient>{%slices#0}
    stream.cmd.serial {
      stream.cmd.copy %arg0[%c0], %arg1[%c0], %c128 : !stream.resource<external>{%n} -> !stream.resource<transient>{%slices#0}
      stream.cmd.flush %arg1[%c0 for %c128] : !stream.resource<transient>{%slices#0}
      stream.cmd.discard %arg1[%c0 for %c128] : !stream.resource<transient>{%slices#0}
    }
    stream.cmd.concurrent {
      stream.cmd.dispatch @scale_dispatch::@scale[%c1, %c1, %c1](%c42_i32, %c42_i32 : i32, i32) {
        ro %arg0[%c0 for %c128] : !stream.resource<external>{%n},
        rw %arg1[%c0 for %c128] : !stream.resource<transient>{%slices#0},
        wo %arg1[%c0 for %c128] : !stream.resource<transient>{%slices#0}
      }
      stream.cmd.dispatch {@scale_dispatch::@scale, @scale_dispatch::@other}[%c1] {
        ro %arg0[%c0 for %c128] : !stream.resource<external>{%n}
      }
    }
  } => !stream.timepoint
  %dealloc = stream.resource.dealloca on(#hal.device.affinity<@device_0>) await(%tp) => %buf : !stream.resource<transient>{%slices#0} => !stream.timepoint
  util.return %dealloc : !stream.timepoint
}
