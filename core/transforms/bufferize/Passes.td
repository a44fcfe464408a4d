// Toward buffers without copies. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_BUFFERIZE_PASSES
#define FUSELAGE_TRANSFORMS_BUFFERIZE_PASSES

include "mlir/Pass/PassBase.td"

def RewriteDestructiveUpdatesPass : Pass<"fuselage-rewrite-destructive-updates"> {
  let summary = "Store tiles that loops insert into a tensor one by one";
  let description = [{
    Tiling on tensors creates `scf.for` nests that carry the whole result from iteration to iteration and
    insert one tile each time. If the result is stored by a `dispatch.tensor.store` (of `flow` or
    `iree_tensor_ext`, or `hal.interface.store.tensor` of 2020) or by
    `bufferization.materialize_in_destination` to a buffer, each tile is stored separately instead. The
    loops then carry no tensor, and load the tensor and their other inputs tile by tile. Elements outside
    the tiles are stored before the loops. Loops that start at a workgroup's index count as distributed:
    other workgroups write the other tiles.

    Nests whose result stays a tensor keep it, but each tile is materialized in its place by
    `bufferization.materialize_in_destination`, so that bufferization does not copy the whole tensor.

    An update that cannot be done in place stays, and a remark says why: PING_PONG, READ_BEHIND_UPDATE,
    INTERLEAVED_ALIAS and so on.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::bufferization::BufferizationDialect",
                           "mlir::linalg::LinalgDialect", "mlir::memref::MemRefDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def PrepareBufferizationPass : Pass<"fuselage-prepare-bufferization", "mlir::func::FuncOp"> {
  let summary = "Rewrite IR that bufferization is slow at, or crashes on";
  let description = [{
    One-Shot Bufferize compares every read with every write of values that may share a buffer. If thousands
    of ops have the same `tensor.empty` as their destination, every `max-shared` of them get a new one,
    before the first of them. The contents of an empty tensor are undefined, so nothing else changes.

    In slices, the strides of dimensions with one element are dropped: a view that keeps a dimension of this
    kind and drops another one could not distinguish the two.

    Sharding annotations (`sdy.sharding_constraint`, `shard.shard`) become the values that they annotate: a run has one
    device, which has all of each tensor.
  }];
  let options = [
    Option<"maxShared", "max-shared", "int64_t", /*default=*/"64",
           "How many ops one tensor.empty may serve">,
  ];
  let dependentDialects = ["mlir::tensor::TensorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_BUFFERIZE_PASSES
