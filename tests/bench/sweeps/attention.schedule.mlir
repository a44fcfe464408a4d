// Attention in one dispatch: rows of queries that a workgroup has, keys of one step of its online softmax.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %queries = transform.tune.knob<"queries"> = 32 from options = {lower_bound = 4, upper_bound = 96, divisible_by = 4} -> !transform.param<i64>
    %keys = transform.tune.knob<"keys"> = 30 from options = {lower_bound = 5, upper_bound = 120, divisible_by = 5} -> !transform.param<i64>
    %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %ops = transform.apply_registered_pass "fuselage-decompose-softmax" to %func : (!transform.any_op) -> !transform.any_op
    %generic = transform.apply_registered_pass "fuselage-generalize" to %ops : (!transform.any_op) -> !transform.any_op
    %fused = transform.apply_registered_pass "fuselage-fuse-attention" with options = {"query-tile" = %queries, "key-tile" = %keys} to %generic
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }
}
