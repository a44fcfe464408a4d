// The schedule of a batch matmul for a GPU: blocks of 64x64 and one batch, the fill fused into them, threads, vectors
// with masks at the border, buffers, and a kernel.
//
//   fuselage schedule samples/schedules/batch_matmul_payload.mlir --schedule samples/schedules/batch_matmul.mlir --trace
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
    %matmul = transform.structured.match ops{["linalg.batch_matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %module : (!transform.any_op) -> !transform.any_op

    // Blocks: one batch, 64 rows, 64 columns each; the fill is computed where it is used.
    %tiled, %blocks = transform.structured.tile_using_forall %matmul tile_sizes [1, 64, 64]
        (mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiled_fill, %fused_blocks = transform.structured.fuse_into_containing_op %fill into %blocks
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.include @clean failures(propagate) (%func) : (!transform.any_op) -> ()

    // The reduction, 16 at a time.
    %sliced, %reduction = transform.structured.tile_using_for %tiled tile_sizes [0, 0, 0, 16]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

    // Threads: 16 by 16, up to 4 by 4 elements each.
    %thread_matmul, %threads = transform.structured.tile_using_forall %sliced num_threads [0, 16, 16]
        (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %thread_fill, %fill_threads = transform.structured.tile_using_forall %tiled_fill num_threads [0, 16, 16]
        (mapping = [#gpu.thread<y>, #gpu.thread<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.include @clean failures(propagate) (%func) : (!transform.any_op) -> ()

    // Vectors; tiles at the border, 80 is no multiple of 64, are masked.
    transform.structured.vectorize %thread_matmul vector_sizes [1, 4, 4, 16] : !transform.any_op
    transform.structured.vectorize %thread_fill vector_sizes [1, 4, 4] : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.canonicalization
    } {apply_cse} : !transform.any_op

    // Buffers, and a kernel.
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
