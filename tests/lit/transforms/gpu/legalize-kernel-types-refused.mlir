// RUN: fuselage-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(fuselage-legalize-kernel-types)' -o /dev/null

gpu.module @k {
  gpu.func @reinterpreted(%v: vector<2xi4>) kernel {
    // expected-error @below {{reinterprets an integer of odd width; widen it first}}
    %x = arith.bitcast %v : vector<2xi4> to vector<2xi4>
    gpu.return
  }
}

// -----

// Buffers have to be flat by now, of types that devices can address.
gpu.module @k {
  gpu.func @not_flat(%a: memref<4xbf16>) kernel {
    %i = gpu.thread_id x
    // expected-error @below {{cannot run on a GPU with operands of these types}}
    %y = memref.load %a[%i] : memref<4xbf16>
    gpu.return
  }
}

// -----

gpu.module @k {
  gpu.func @halves(%x: i4) kernel {
    // expected-error @below {{cannot run on a GPU with operands of these types}}
    %low, %high = arith.mulsi_extended %x, %x : i4
    gpu.return
  }
}
