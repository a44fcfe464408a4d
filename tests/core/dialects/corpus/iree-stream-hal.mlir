#layout = #hal.pipeline.layout<constants = 1, bindings = [
  #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">,
  #hal.pipeline.binding<storage_buffer>
]>
module {
  hal.executable private @ex {
    hal.executable.variant public @elf target(<"llvm-cpu", "elf", {x = 1}>) {
      hal.executable.export public @entry ordinal(0) layout(#layout) count(%arg0: !hal.device, %arg1: index) -> (index, index, index) {
        %c1 = arith.constant 1 : index
        hal.return %arg1, %c1, %c1 : index, index, index
      } attributes {workgroup_size = [64 : index, 1 : index, 1 : index]}
      builtin.module {
        func.func @entry() {
          %c0 = arith.constant 0 : index
          %0 = hal.interface.constant.load layout(#layout) ordinal(0) : i32
          %1 = hal.interface.binding.subspan layout(#layout) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : memref<4xf32, #hal.descriptor_type<storage_buffer>>
          memref.assume_alignment %1, 64 : memref<4xf32, #hal.descriptor_type<storage_buffer>>
          %2 = hal.interface.workgroup.id[0] upper_bound 4 : index
          %3 = memref.load %1[%2] : memref<4xf32, #hal.descriptor_type<storage_buffer>>
          return
        }
      }
    }
  }
  util.func public @run(%arg0: !stream.resource<external>, %size: index, %wait: !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c0_i32 = arith.constant 0 : i32
    %tp0 = stream.timepoint.immediate => !stream.timepoint
    %res, %tp = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev>) await(%wait) => !stream.resource<transient>{%size} => !stream.timepoint
    %results, %result_timepoint = stream.async.execute await(%tp) => with(%arg0 as %arg1: !stream.resource<external>{%size}) -> !stream.resource<external>{%size} {
      %10 = stream.async.dispatch @ex::@elf::@entry[%c4](%arg1[%c0 to %size for %size]) : (!stream.resource<external>{%size}) -> !stream.resource<external>{%size}
      %11 = stream.async.fill %c0_i32, %10[%c0 to %c4 for %c4] : i32 -> %10 as !stream.resource<external>{%size}
      stream.yield %11 : !stream.resource<external>{%size}
    } => !stream.timepoint
    %0 = stream.cmd.execute once on(#hal.device.affinity<@dev>) await(%result_timepoint) => with(%arg0 as %arg1: !stream.resource<external>{%size}, %res as %arg2: !stream.resource<transient>{%size}) {
      stream.cmd.concurrent {
        stream.cmd.dispatch @ex::@elf::@entry[%c4](%c0_i32 : i32) {
          ro %arg1[%c0 for %c4] : !stream.resource<external>{%size},
          wo %arg2[%c0 for %c4] : !stream.resource<transient>{%size}
        }
        stream.cmd.copy %arg1[%c0], %arg2[%c0], %c4 : !stream.resource<external>{%size} -> !stream.resource<transient>{%size}
      }
    } => !stream.timepoint
    %1 = stream.timepoint.join max(%0, %tp) => !stream.timepoint
    %2 = stream.timepoint.await %1 => %results : !stream.resource<external>{%size}
    %3 = stream.resource.size %2 : !stream.resource<external>
    %4 = arith.addi %3, %c4 : index
    util.return %2, %1 : !stream.resource<external>, !stream.timepoint
  }
  util.func private @cmd(%device: !hal.device, %cmd: !hal.command_buffer, %exe: !hal.executable, %buffer: !hal.buffer) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c-1_i64 = arith.constant -1 : i64
    hal.command_buffer.dispatch<%cmd : !hal.command_buffer>
        target(%exe : !hal.executable)[%c0]
        workgroups([%c1, %c1, %c1])
        bindings([
          (%buffer : !hal.buffer)[%c0, %c1],
          (%buffer : !hal.buffer)[%c1, %c1]
        ])
        flags("None")
    hal.command_buffer.execution_barrier<%cmd : !hal.command_buffer> source("Dispatch|CommandRetire") target("CommandIssue|Dispatch") flags("None")
    %fence = hal.fence.create device(%device : !hal.device) flags("None") : !hal.fence
    hal.device.queue.execute<%device : !hal.device> affinity(%c-1_i64) wait(%fence) signal(%fence) commands(%cmd) flags("None")
    %status = hal.fence.await until([%fence]) timeout_millis(%c-1_i64) flags("None") : i32
    util.status.check_ok %status, "failed"
    %ok, %value = hal.device.query<%device : !hal.device> key("hal.executable.format" :: "embedded") : i1, i1 = false
    scf.if %ok {
      hal.command_buffer.finalize<%cmd : !hal.command_buffer>
    }
    util.return
  }
}
