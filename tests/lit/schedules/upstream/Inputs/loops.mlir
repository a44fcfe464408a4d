// Loops of every kind.
func.func private @use(index)
func.func @nest(%m: memref<8x16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %same = arith.muli %n, %n : index
      %x = memref.load %m[%i, %j] : memref<8x16xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %m[%i, %j] : memref<8x16xf32>
      func.call @use(%same) : (index) -> ()
    }
  }
  return
}
func.func @uneven(%n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c4 {
    func.call @use(%i) : (index) -> ()
  } {uneven}
  return
}
func.func @once() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c4 {
    func.call @use(%i) : (index) -> ()
  } {once}
  return
}
func.func @siblings(%a: memref<16xf32>, %b: memref<16xf32>) {
  scf.forall (%i) in (16) {
    %x = memref.load %a[%i] : memref<16xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %a[%i] : memref<16xf32>
  } {first}
  scf.forall (%i) in (16) {
    %x = memref.load %b[%i] : memref<16xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %b[%i] : memref<16xf32>
  } {second}
  return
}
func.func @parallel(%a: memref<4x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c6) step (%c1, %c1) {
    %x = memref.load %a[%i, %j] : memref<4x6xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%i, %j] : memref<4x6xf32>
    scf.reduce
  }
  return
}
func.func @branch(%n: index, %is: i1) {
  scf.if %is {
    func.call @use(%n) : (index) -> ()
  } else {
    %twice = arith.addi %n, %n : index
    func.call @use(%twice) : (index) -> ()
  }
  return
}
func.func @subsets(%t: tensor<10xf32>, %n: index) -> tensor<10xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<10xf32>) {
    %slice = tensor.extract_slice %a[2][5][1] : tensor<10xf32> to tensor<5xf32>
    %neg = linalg.negf ins(%slice : tensor<5xf32>) outs(%slice : tensor<5xf32>) -> tensor<5xf32>
    %back = tensor.insert_slice %neg into %a[2][5][1] : tensor<5xf32> into tensor<10xf32>
    scf.yield %back : tensor<10xf32>
  }
  return %r : tensor<10xf32>
}
