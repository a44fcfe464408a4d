// Toward buffers without copies. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_BUFFERIZE_PASSES
#define FUSELAGE_TRANSFORMS_BUFFERIZE_PASSES

include "mlir/Pass/PassBase.td"

def RewriteDestructiveUpdatesPass : Pass<"fuselage-rewrite-destructive-updates"> {
  let summary = "Write tiles that loops insert into a tensor to memory one by one";
  let description = [{
    Tiling on tensors leaves `scf.for` nests that carry the whole result from iteration to iteration and
    insert one tile each time. Where the result is stored by a `dispatch.tensor.store` (of `flow` or
    `iree_tensor_ext`, or `hal.interface.store.tensor` of 2020) or by
    `bufferization.materialize_in_destination` to a buffer, each tile is stored by itself instead, the
    loops carry nothing any more, and what they read of the tensor or of whole loads is loaded tile by
    tile. What the tiles leave out is stored before the loops. Loops that start at a workgroup's
    index count as distributed: other workgroups write the other tiles.

    Nests whose result stays a tensor keep it, but each tile is materialized in its place by
    `bufferization.materialize_in_destination`, so that bufferization makes no copy of the whole.

    An update that cannot be done in place stays, and a remark says why: PING_PONG, READ_BEHIND_UPDATE,
    INTERLEAVED_ALIAS and so on.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::bufferization::BufferizationDialect",
                           "mlir::linalg::LinalgDialect", "mlir::memref::MemRefDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def PrepareBufferizationPass : Pass<"fuselage-prepare-bufferization", "mlir::func::FuncOp"> {
  let summary = "Spare bufferization what it is slow at, or crashes on";
  let description = [{
    One-Shot Bufferize compares every read with every write of what may share a buffer. Where thousands
    of ops have one `tensor.empty` as their destination, each `max-shared` of them get one of their own,
    before the first of them. What is in an empty tensor is undefined, so nothing else changes.

    In slices, strides are dropped of dimensions of which there is one element only: a view that keeps
    such a dimension and drops another one could not tell the two apart.
  }];
  let options = [
    Option<"maxShared", "max-shared", "int64_t", /*default=*/"64",
           "How many ops one tensor.empty may serve">,
  ];
  let dependentDialects = ["mlir::tensor::TensorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_BUFFERIZE_PASSES
