// A buffer is marked where every launch of the kernel passes memory of its own for it.
// RUN: fuselage-opt %s --fuselage-mark-noalias | FileCheck %s

module attributes {gpu.container_module} {
  // CHECK: gpu.func @own(%{{.*}}: memref<64xf32> {llvm.noalias}, %{{.*}}: memref<64xf32> {llvm.noalias}, %{{.*}}: index)
  // CHECK: gpu.func @views(%{{.*}}: memref<32xf32, strided<[1]>>, %{{.*}}: memref<32xf32, strided<[1], offset: 32>>, %{{.*}}: memref<64xf32> {llvm.noalias})
  // CHECK: gpu.func @twice(%{{.*}}: memref<64xf32>, %{{.*}}: memref<64xf32>)
  // CHECK: gpu.func @unknown(%{{.*}}: memref<64xf32>, %{{.*}}: memref<64xf32>)
  // Results in registers leave none for loads that move.
  // CHECK: gpu.func @full(%{{.*}}: memref<64xf32>, %{{.*}}: memref<64xf32>, %{{.*}}: vector<64xf32>, %{{.*}}: index)
  gpu.module @kernels {
    gpu.func @own(%a: memref<64xf32>, %b: memref<64xf32>, %n: index) kernel {
      gpu.return
    }
    gpu.func @views(%a: memref<32xf32, strided<[1]>>, %b: memref<32xf32, strided<[1], offset: 32>>, %c: memref<64xf32>) kernel {
      gpu.return
    }
    gpu.func @twice(%a: memref<64xf32>, %b: memref<64xf32>) kernel {
      gpu.return
    }
    gpu.func @unknown(%a: memref<64xf32>, %b: memref<64xf32>) kernel {
      gpu.return
    }
    gpu.func @full(%a: memref<64xf32>, %b: memref<64xf32>, %v: vector<64xf32>, %n: index) kernel {
      %zero = arith.constant 0 : index
      %r = scf.for %i = %zero to %n step %n iter_args(%sum = %v) -> vector<64xf32> {
        %w = vector.load %a[%i] : memref<64xf32>, vector<64xf32>
        %s = arith.addf %sum, %w : vector<64xf32>
        scf.yield %s : vector<64xf32>
      }
      vector.store %r, %b[%zero] : memref<64xf32>, vector<64xf32>
      gpu.return
    }
  }
  func.func private @get() -> memref<64xf32>
  func.func @launches(%x: memref<64xf32>, %y: memref<64xf32>, %n: index) {
    %one = arith.constant 1 : index
    %z = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@own blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%x : memref<64xf32>, %y : memref<64xf32>, %n : index)
    gpu.launch_func @kernels::@own blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%x : memref<64xf32>, %z : memref<64xf32>, %n : index)
    %front = memref.subview %x[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
    %back = memref.subview %x[32] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 32>>
    gpu.launch_func @kernels::@views blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%front : memref<32xf32, strided<[1]>>, %back : memref<32xf32, strided<[1], offset: 32>>, %y : memref<64xf32>)
    %v = arith.constant dense<0.0> : vector<64xf32>
    gpu.launch_func @kernels::@full blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%x : memref<64xf32>, %y : memref<64xf32>, %v : vector<64xf32>, %n : index)
    // Once with buffers of their own, once not.
    gpu.launch_func @kernels::@twice blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%x : memref<64xf32>, %y : memref<64xf32>)
    gpu.launch_func @kernels::@twice blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%x : memref<64xf32>, %x : memref<64xf32>)
    // What a call returns may be any of the others.
    %w = func.call @get() : () -> memref<64xf32>
    gpu.launch_func @kernels::@unknown blocks in (%one, %one, %one) threads in (%one, %one, %one)
        args(%w : memref<64xf32>, %z : memref<64xf32>)
    return
  }
}
