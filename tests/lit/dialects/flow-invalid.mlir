// RUN: fuselage-opt %s --split-input-file --verify-diagnostics

func.func @types(%a: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @below {{successor operand type #0 'tensor<4xf32>' should match successor input type #0 'tensor<8xf32>'}}
  %r = flow.dispatch.region -> (tensor<8xf32>) {
    // expected-note @below {{region branch point}}
    flow.return %a : tensor<4xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @count_of_values(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{region branch point has 2 operands, but region successor needs 1 inputs}}
  %r = flow.dispatch.region -> (tensor<4xf32>) {
    // expected-note @below {{region branch point}}
    flow.return %a, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @dims(%a: tensor<?xf32>, %d: index) {
  // expected-error @below {{has 1 dynamic result dimensions, but names the sizes of 2}}
  %r = "flow.dispatch.region"(%d, %d) <{operandSegmentSizes = array<i32: 2, 0>}> ({
    "flow.return"(%a) : (tensor<?xf32>) -> ()
  }, {
  }) : (index, index) -> tensor<?xf32>
  return
}

// -----

func.func @missing_dims(%a: tensor<?x?xf32>, %d: index) {
  // expected-error @below {{expected 2 operands}}
  %r = flow.dispatch.region -> (tensor<?x?xf32>{%d}) {
    flow.return %a : tensor<?x?xf32>
  }
  return
}

// -----

func.func @no_terminator(%a: tensor<4xf32>) {
  // expected-error @below {{expects a body that ends with flow.return}}
  %r = flow.dispatch.region -> (tensor<4xf32>) {
    %x = math.exp %a : tensor<4xf32>
    llvm.unreachable
  }
  return
}

// -----

func.func @workload(%a: tensor<4xf32>, %d: index) {
  // expected-error @below {{expects one index argument of the count region for each workload value}}
  %r = flow.dispatch.region[%d] -> (tensor<4xf32>) {
    flow.return %a : tensor<4xf32>
  } count() -> (index) {
    %c1 = arith.constant 1 : index
    flow.return %c1 : index
  }
  return
}

// -----

func.func @misplaced(%a: tensor<4xf32>) {
  // expected-error @below {{expects parent op 'flow.dispatch.region'}}
  flow.return %a : tensor<4xf32>
}
