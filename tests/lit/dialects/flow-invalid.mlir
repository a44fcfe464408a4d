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
  // expected-error @below {{expects parent op 'flow.dispatch.region' or 'flow.attention'}}
  flow.return %a : tensor<4xf32>
}

// -----

func.func @map_missing(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x16xf32>, %e: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{has 4 operands, but 3 indexing maps}}
  %r = flow.attention {indexing_maps = [affine_map<(i, j, d, n) -> (i, d)>, affine_map<(i, j, d, n) -> (j, d)>, affine_map<(i, j, d, n) -> (j, n)>], key_dims = array<i64: 1>}
      queries(%q : tensor<4x8xf32>) keys(%k : tensor<6x8xf32>) values(%v : tensor<6x16xf32>) outs(%e : tensor<4x16xf32>) scores {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } context {
  ^bb0(%p: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

func.func @map_of_other_rank(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x16xf32>, %e: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{expects indexing map 1 to be a projected permutation of 4 dimensions to 2}}
  %r = flow.attention {indexing_maps = [affine_map<(i, j, d, n) -> (i, d)>, affine_map<(i, j, d, n) -> (j)>, affine_map<(i, j, d, n) -> (j, n)>, affine_map<(i, j, d, n) -> (i, n)>], key_dims = array<i64: 1>}
      queries(%q : tensor<4x8xf32>) keys(%k : tensor<6x8xf32>) values(%v : tensor<6x16xf32>) outs(%e : tensor<4x16xf32>) scores {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } context {
  ^bb0(%p: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

func.func @sizes_differ(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<7x16xf32>, %e: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{operand 2 has 7 elements along dimension 1, where others have 6}}
  %r = flow.attention {indexing_maps = [affine_map<(i, j, d, n) -> (i, d)>, affine_map<(i, j, d, n) -> (j, d)>, affine_map<(i, j, d, n) -> (j, n)>, affine_map<(i, j, d, n) -> (i, n)>], key_dims = array<i64: 1>}
      queries(%q : tensor<4x8xf32>) keys(%k : tensor<6x8xf32>) values(%v : tensor<7x16xf32>) outs(%e : tensor<4x16xf32>) scores {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } context {
  ^bb0(%p: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

func.func @key_of_result(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x16xf32>, %e: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{expects key dimension 0 to be a dimension, and none of the result}}
  %r = flow.attention {indexing_maps = [affine_map<(i, j, d, n) -> (i, d)>, affine_map<(i, j, d, n) -> (j, d)>, affine_map<(i, j, d, n) -> (j, n)>, affine_map<(i, j, d, n) -> (i, n)>], key_dims = array<i64: 0>}
      queries(%q : tensor<4x8xf32>) keys(%k : tensor<6x8xf32>) values(%v : tensor<6x16xf32>) outs(%e : tensor<4x16xf32>) scores {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } context {
  ^bb0(%p: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

func.func @key_of_values_only(%q: tensor<4x8xf32>, %k: tensor<8xf32>, %v: tensor<6x16xf32>, %e: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{expects key dimension 1 to be one of queries or keys}}
  %r = flow.attention {indexing_maps = [affine_map<(i, j, d, n) -> (i, d)>, affine_map<(i, j, d, n) -> (d)>, affine_map<(i, j, d, n) -> (j, n)>, affine_map<(i, j, d, n) -> (i, n)>], key_dims = array<i64: 1>}
      queries(%q : tensor<4x8xf32>) keys(%k : tensor<8xf32>) values(%v : tensor<6x16xf32>) outs(%e : tensor<4x16xf32>) scores {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } context {
  ^bb0(%p: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

func.func @order_of_dimensions(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x16xf32>, %e: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{expects the dimensions of the scores before all others}}
  %r = flow.attention {indexing_maps = [affine_map<(d, i, j, n) -> (i, d)>, affine_map<(d, i, j, n) -> (j, d)>, affine_map<(d, i, j, n) -> (j, n)>, affine_map<(d, i, j, n) -> (i, n)>], key_dims = array<i64: 2>}
      queries(%q : tensor<4x8xf32>) keys(%k : tensor<6x8xf32>) values(%v : tensor<6x16xf32>) outs(%e : tensor<4x16xf32>) scores {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } context {
  ^bb0(%p: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

func.func @query_type(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x16xf32>, %e: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{expects region 'queries', or one operand that region 'scores' takes as it is}}
  %r = flow.attention {indexing_maps = [affine_map<(i, j, d, n) -> (i, d)>, affine_map<(i, j, d, n) -> (j, d)>, affine_map<(i, j, d, n) -> (j, n)>, affine_map<(i, j, d, n) -> (i, n)>], key_dims = array<i64: 1>}
      queries(%q : tensor<4x8xf32>) keys(%k : tensor<6x8xf32>) values(%v : tensor<6x16xf32>) outs(%e : tensor<4x16xf32>) scores {
  ^bb0(%a: f16, %b: f32, %sum: f32):
    flow.return %sum : f32
  } context {
  ^bb0(%p: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

func.func @logits_take(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x16xf32>, %e: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{expects region 'logits' to take ('f32', 'index', 'index')}}
  %r = flow.attention {indexing_maps = [affine_map<(i, j, d, n) -> (i, d)>, affine_map<(i, j, d, n) -> (j, d)>, affine_map<(i, j, d, n) -> (j, n)>, affine_map<(i, j, d, n) -> (i, n)>], key_dims = array<i64: 1>}
      queries(%q : tensor<4x8xf32>) keys(%k : tensor<6x8xf32>) values(%v : tensor<6x16xf32>) outs(%e : tensor<4x16xf32>) scores {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } logits {
  ^bb0(%s: f32, %i: index):
    flow.return %s : f32
  } context {
  ^bb0(%p: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

func.func @probability_type(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x16xf32>, %e: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{expects probabilities, their products with values, and results to be floats}}
  %r = flow.attention {indexing_maps = [affine_map<(i, j, d, n) -> (i, d)>, affine_map<(i, j, d, n) -> (j, d)>, affine_map<(i, j, d, n) -> (j, n)>, affine_map<(i, j, d, n) -> (i, n)>], key_dims = array<i64: 1>}
      queries(%q : tensor<4x8xf32>) keys(%k : tensor<6x8xf32>) values(%v : tensor<6x16xf32>) outs(%e : tensor<4x16xf32>) scores {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } context {
  ^bb0(%p: i32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// -----

func.func @other_result(%q: tensor<4x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x16xf32>, %e: tensor<4x16xf32>) -> tensor<4x16xf16> {
  // expected-error @below {{expects a result of the destination's type}}
  %r = flow.attention {indexing_maps = [affine_map<(i, j, d, n) -> (i, d)>, affine_map<(i, j, d, n) -> (j, d)>, affine_map<(i, j, d, n) -> (j, n)>, affine_map<(i, j, d, n) -> (i, n)>], key_dims = array<i64: 1>}
      queries(%q : tensor<4x8xf32>) keys(%k : tensor<6x8xf32>) values(%v : tensor<6x16xf32>) outs(%e : tensor<4x16xf32>) scores {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } context {
  ^bb0(%p: f32, %b: f32, %sum: f32):
    flow.return %sum : f32
  } -> tensor<4x16xf16>
  return %r : tensor<4x16xf16>
}
