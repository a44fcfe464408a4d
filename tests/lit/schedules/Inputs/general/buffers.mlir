// Buffers, loops, and what can be moved out of them; else nothing.
!op = !transform.any_op
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !op {transform.consumed}) {
    transform.bufferization.eliminate_empty_tensors %root : !op
    %b = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true, allow_unknown_ops = true} : (!op) -> !op
    %loops = transform.apply_registered_pass "convert-linalg-to-loops" to %b : (!op) -> !op
    %f = transform.structured.match ops{["func.func"]} in %loops : (!op) -> !op
    %for = transform.structured.match ops{["scf.for"]} in %loops : (!op) -> !op
    transform.apply_licm to %for : !op
    transform.apply_cse to %f : !op
    transform.yield
  }
}
