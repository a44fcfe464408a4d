// Attention in one dispatch: rows of queries that a workgroup has, keys of one step of its online softmax. A step's scores, queries, keys and
// values share 31 KiB of workgroup memory.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %queries = transform.tune.knob<"queries"> = 30 from options = {divides = 720} -> !transform.param<i64>
    %keys = transform.tune.knob<"keys"> = 30 from options = {divides = 720} -> !transform.param<i64>
    transform.smt.constrain_params(%queries, %keys) : (!transform.param<i64>, !transform.param<i64>) -> () {
    ^bb0(%q: !smt.int, %k: !smt.int):
      %most = smt.int.constant 7936
      %head = smt.int.constant 32
      %scores = smt.int.mul %q, %k
      %rows = smt.int.mul %q, %head
      %columns = smt.int.mul %k, %head
      %numbers = smt.int.add %scores, %rows, %columns
      %fits = smt.int.cmp le %numbers, %most
      smt.assert %fits
      smt.yield
    }
    %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %ops = transform.apply_registered_pass "fuselage-decompose-softmax" to %func : (!transform.any_op) -> !transform.any_op
    %generic = transform.apply_registered_pass "fuselage-generalize" to %ops : (!transform.any_op) -> !transform.any_op
    %fused = transform.apply_registered_pass "fuselage-fuse-attention" with options = {"query-tile" = %queries, "key-tile" = %keys} to %generic
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }
}
