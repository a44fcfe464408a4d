// while, if and case of StableHLO; tuples; calls of decompositions.
// RUN: fuselage-opt --tolerant --fuselage-normalize-foreign %s | FileCheck %s
// RUN: fuselage step %s 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: fuselage run %s --function counts --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: fuselage run %s --function waits --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=WAITS
// RUN: fuselage run %s --function branches --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=BRANCHES
// RUN: fuselage run %s --function tuples --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=TUPLES
// RUN: fuselage run %s --function composite --repeat 1 --baselines none --print 2>&1 | FileCheck %s --check-prefix=COMPOSITE

// STEPS: Normalize

// A loop that counts is an scf.for.
// CHECK-LABEL: func.func @counts
//       CHECK:   scf.for
//   CHECK-NOT:   scf.while
// CHECK-LABEL: func.func @waits
//       CHECK:   scf.while
// COUNTS: result 0 tensor<i32>{{$}}
// COUNTS-NEXT: 5
// COUNTS: result 1 tensor<2xi32>{{$}}
// COUNTS-NEXT: [32 64]
// COUNTS: result 2 tensor<i32>{{$}}
// COUNTS-NEXT: 5
func.func @counts() -> (tensor<i32>, tensor<2xi32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<2xi32>
  cond {
    %c = stablehlo.compare LT, %i, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.add %x, %x : tensor<2xi32>
    stablehlo.return %n, %y : tensor<i32>, tensor<2xi32>
  }
  // It may start after its bound.
  %1:2 = "stablehlo.while"(%five, %zero) ({
  ^bb0(%i: tensor<i32>, %x: tensor<i32>):
    %c = stablehlo.compare LT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>, %x: tensor<i32>):
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %i : tensor<i32>, tensor<i32>
  }) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return %0#0, %0#1, %1#0 : tensor<i32>, tensor<2xi32>, tensor<i32>
}

// WAITS: result 0 tensor<2xi32>{{$}}
// WAITS-NEXT: [32 64]
func.func @waits() -> tensor<2xi32> {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %most = stablehlo.constant dense<50> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.while(%x = %a) : tensor<2xi32>
  cond {
    %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
    %c = stablehlo.compare LT, %s, %most : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %y = stablehlo.add %x, %x : tensor<2xi32>
    stablehlo.return %y : tensor<2xi32>
  }
  return %0 : tensor<2xi32>
}

// An index beyond the branches takes the last one.
// BRANCHES: result 0 tensor<2xi32>{{$}}
// BRANCHES-NEXT: [2 4]
// BRANCHES: result 1 tensor<2xi32>{{$}}
// BRANCHES-NEXT: [1 4]
// BRANCHES: result 2 tensor<2xi32>{{$}}
// BRANCHES-NEXT: [-1 -2]
func.func @branches() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %p = stablehlo.constant dense<false> : tensor<i1>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %far = stablehlo.constant dense<-7> : tensor<i32>
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<2xi32>
  }, {
    %b = stablehlo.add %a, %a : tensor<2xi32>
    stablehlo.return %b : tensor<2xi32>
  }) : (tensor<i1>) -> tensor<2xi32>
  %1 = "stablehlo.case"(%one) ({
    stablehlo.return %a : tensor<2xi32>
  }, {
    %b = stablehlo.multiply %a, %a : tensor<2xi32>
    stablehlo.return %b : tensor<2xi32>
  }, {
    %b = stablehlo.negate %a : tensor<2xi32>
    stablehlo.return %b : tensor<2xi32>
  }) : (tensor<i32>) -> tensor<2xi32>
  %2 = "stablehlo.case"(%far) ({
    stablehlo.return %a : tensor<2xi32>
  }, {
    %b = stablehlo.negate %a : tensor<2xi32>
    stablehlo.return %b : tensor<2xi32>
  }) : (tensor<i32>) -> tensor<2xi32>
  return %0, %1, %2 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}

// TUPLES: result 0 tensor<2xi32>{{$}}
// TUPLES-NEXT: [2 4]
// TUPLES: result 1 tensor<i32>{{$}}
// TUPLES-NEXT: 7
func.func @tuples() -> (tensor<2xi32>, tensor<i32>) {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<7> : tensor<i32>
  %t = stablehlo.tuple %a, %b : tuple<tensor<2xi32>, tensor<i32>>
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xi32>, tensor<i32>>) -> tensor<2xi32>
  %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xi32>, tensor<i32>>) -> tensor<i32>
  %2 = stablehlo.add %0, %0 : tensor<2xi32>
  %3:2 = stablehlo.optimization_barrier %2, %1 : tensor<2xi32>, tensor<i32>
  return %3#0, %3#1 : tensor<2xi32>, tensor<i32>
}

// COMPOSITE: result 0 tensor<2xi32>{{$}}
// COMPOSITE-NEXT: [2 4]
func.func @composite() -> tensor<2xi32> {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.composite "my.twice" %a {decomposition = @helper} : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

func.func private @helper(%a: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %a, %a : tensor<2xi32>
  return %0 : tensor<2xi32>
}
