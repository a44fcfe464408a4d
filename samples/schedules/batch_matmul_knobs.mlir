// The schedule of a batch matmul for a GPU with its sizes left open: tiles of a block, steps of the reduction. What a thread gets follows from
// these, and may not be more than it has registers for.
//
//   fuselage tune samples/schedules/batch_matmul_payload.mlir --schedule samples/schedules/batch_matmul_knobs.mlir --device vulkan:0
module attributes {transform.with_named_sequence} {
  transform.named_sequence @clean(%func: !transform.any_op {transform.readonly}) {
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.scf.for_loop_canonicalization
      transform.apply_patterns.canonicalization
    } {apply_cse} : !transform.any_op
    transform.yield
  }

  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %rows = transform.tune.knob<"rows"> = 64 from options = {divisible_by = 16, upper_bound = 128} -> !transform.param<i64>
    %columns = transform.tune.knob<"columns"> = 64 from options = {divisible_by = 16, upper_bound = 128} -> !transform.param<i64>
    %depth = transform.tune.knob<"depth"> = 16 from options = {divides = "linalg.batch_matmul.3"} -> !transform.param<i64>

    // 16 by 16 threads share a tile. A thread computes with all of its part at once, and 1024 products are enough for it.
    %thread_rows, %thread_columns = transform.smt.constrain_params(%rows, %columns, %depth)
        : (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>) -> (!transform.param<i64>, !transform.param<i64>) {
    ^bb0(%r: !smt.int, %c: !smt.int, %d: !smt.int):
      %threads = smt.int.constant 16
      %most = smt.int.constant 1024
      %part_r = smt.int.div %r, %threads
      %part_c = smt.int.div %c, %threads
      %products = smt.int.mul %part_r, %part_c, %d
      %fits = smt.int.cmp le %products, %most
      smt.assert %fits
      smt.yield %part_r, %part_c : !smt.int, !smt.int
    }

    %matmul = transform.structured.match ops{["linalg.batch_matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op

    // Blocks, of one batch each; the fill is computed where it is used.
    %tiled, %blocks = transform.structured.tile_using_forall %matmul tile_sizes [1, %rows, %columns]
        (mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %tiled_fill, %fused_blocks = transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.include @clean failures(propagate) (%func) : (!transform.any_op) -> ()

    %sliced, %reduction = transform.structured.tile_using_for %tiled tile_sizes [0, 0, 0, %depth]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)

    %thread_matmul, %thread_loop = transform.structured.tile_using_forall %sliced num_threads [0, 16, 16]
        (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thread_fill, %fill_loop = transform.structured.tile_using_forall %tiled_fill num_threads [0, 16, 16]
        (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.include @clean failures(propagate) (%func) : (!transform.any_op) -> ()

    transform.structured.vectorize %thread_matmul vector_sizes [1, %thread_rows, %thread_columns, %depth]
        : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
    transform.structured.vectorize %thread_fill vector_sizes [1, %thread_rows, %thread_columns]
        : !transform.any_op, !transform.param<i64>, !transform.param<i64>
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.canonicalization
    } {apply_cse} : !transform.any_op

    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %module {bufferize_function_boundaries = true}
        : (!transform.any_op) -> !transform.any_op
    %kernel_func = transform.structured.match ops{["func.func"]} in %buffers : (!transform.any_op) -> !transform.any_op
    transform.include @clean failures(propagate) (%kernel_func) : (!transform.any_op) -> () // copies of a thing to itself
    %launch = transform.gpu.map_forall_to_blocks %kernel_func generate_gpu_launch : (!transform.any_op) -> !transform.any_op
    %mapped = transform.gpu.map_nested_forall_to_threads %launch block_dims = [16, 16, 1]
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
