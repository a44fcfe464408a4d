// Transposes 64 x 64 elements: each thread moves one.
func.func @direct(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %side = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %two, %gy = %two, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %side, %sy = %side, %sz = %one) {
    %left = arith.muli %bx, %side : index
    %top = arith.muli %by, %side : index
    %column = arith.addi %left, %tx : index
    %row = arith.addi %top, %ty : index
    %moved = memref.load %x[%column, %row] : memref<64x64xf32>
    memref.store %moved, %y[%row, %column] : memref<64x64xf32>
    gpu.terminator
  }
  return
}

// The same through a tile of workgroup memory.
func.func @staged(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %side = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %two, %gy = %two, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %side, %sy = %side, %sz = %one)
             workgroup(%tile: memref<32x32xf32, #gpu.address_space<workgroup>>) {
    %left = arith.muli %bx, %side : index
    %top = arith.muli %by, %side : index
    %column = arith.addi %left, %tx : index
    %row = arith.addi %top, %ty : index
    %value = memref.load %x[%row, %column] : memref<64x64xf32>
    memref.store %value, %tile[%ty, %tx] : memref<32x32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %turned = memref.load %tile[%tx, %ty] : memref<32x32xf32, #gpu.address_space<workgroup>>
    %row2 = arith.addi %left, %ty : index
    %column2 = arith.addi %top, %tx : index
    memref.store %turned, %y[%row2, %column2] : memref<64x64xf32>
    gpu.terminator
  }
  return
}

// The same, and one line is missing.
func.func @careless(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %side = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %two, %gy = %two, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %side, %sy = %side, %sz = %one)
             workgroup(%tile: memref<32x32xf32, #gpu.address_space<workgroup>>) {
    %left = arith.muli %bx, %side : index
    %top = arith.muli %by, %side : index
    %column = arith.addi %left, %tx : index
    %row = arith.addi %top, %ty : index
    %value = memref.load %x[%row, %column] : memref<64x64xf32>
    memref.store %value, %tile[%ty, %tx] : memref<32x32xf32, #gpu.address_space<workgroup>>
    %early = memref.load %tile[%tx, %ty] : memref<32x32xf32, #gpu.address_space<workgroup>>
    %row2 = arith.addi %left, %ty : index
    %column2 = arith.addi %top, %tx : index
    memref.store %early, %y[%row2, %column2] : memref<64x64xf32>
    gpu.terminator
  }
  return
}

// Each of 32 threads adds up a row of 8 elements, four at a time.
func.func @rows(%x: memref<32x8xf32>, %y: memref<32xf32>) {
  %none = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %eight = arith.constant 8 : index
  %side = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
             threads(%tx, %ty, %tz) in (%sx = %side, %sy = %one, %sz = %one) {
    %tile = memref.alloc() : memref<32x8xf32, #gpu.address_space<workgroup>>
    scf.for %part = %none to %eight step %one {
      %first = arith.muli %part, %side : index
      %number = arith.addi %first, %tx : index
      %row = arith.divui %number, %eight : index
      %column = arith.remui %number, %eight : index
      %value = memref.load %x[%row, %column] : memref<32x8xf32>
      memref.store %value, %tile[%row, %column] : memref<32x8xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %sums = scf.for %k = %none to %eight step %four iter_args(%sum = %zero) -> (vector<4xf32>) {
      %quarter = vector.load %tile[%tx, %k] {alignment = 16 : i64} : memref<32x8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      %more = arith.addf %sum, %quarter : vector<4xf32>
      scf.yield %more : vector<4xf32>
    }
    %total = vector.reduction <add>, %sums : vector<4xf32> into f32
    memref.store %total, %y[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}

// The product of two matrices, which the default pipeline makes a kernel of.
func.func @product(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %space = tensor.empty() : tensor<256x256xf32>
  %none = linalg.fill ins(%zero : f32) outs(%space : tensor<256x256xf32>) -> tensor<256x256xf32>
  %sum = linalg.matmul ins(%a, %b : tensor<256x256xf32>, tensor<256x256xf32>)
      outs(%none : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %sum : tensor<256x256xf32>
}
