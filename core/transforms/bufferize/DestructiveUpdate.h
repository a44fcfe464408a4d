// Loop nests that build a tensor tile by tile, each tile over what was there.
#pragma once
#include "core/transforms/bufferize/UpdateReason.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include <variant>

namespace fuselage {

/// A part of a tensor, by dimension.
struct TileSlice {
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes, strides;

  /// The slice of an extract_slice or insert_slice.
  static TileSlice of(mlir::OffsetSizeAndStrideOpInterface op);
  bool operator==(const TileSlice &other) const;
};

/// One loop of the nest, and which of its results is the tensor.
struct CarryingLoop {
  mlir::scf::ForOp loop;
  unsigned position;
  mlir::BlockArgument argument() const { return mlir::scf::ForOp(loop).getRegionIterArg(position); }
  mlir::Value result() const { return mlir::scf::ForOp(loop)->getResult(position); }
};

/// The tensor goes from loop to loop as their iter_args; the innermost inserts one tile an iteration
/// and yields the result, and takes its slices of the old value before. Without loops: one
/// insert_slice.
struct DestructiveUpdate {
  llvm::SmallVector<CarryingLoop> loops; ///< outermost first
  mlir::tensor::InsertSliceOp insert;
  llvm::SmallVector<mlir::tensor::ExtractSliceOp> reads; ///< of the innermost iter_arg
  mlir::Value init;                                      ///< what the outermost loop starts with

  mlir::Operation *outermost() const {
    return loops.empty() ? mlir::tensor::InsertSliceOp(insert).getOperation()
                         : mlir::scf::ForOp(loops.front().loop).getOperation();
  }
  mlir::Value result() const {
    return loops.empty() ? mlir::Value(mlir::tensor::InsertSliceOp(insert).getResult()) : loops.front().result();
  }
  /// What the innermost iteration sees of the tensor.
  mlir::Value current() const { return mlir::tensor::InsertSliceOp(insert).getDest(); }
};

/// Finds the update that computes `value`, or says why it is none. Nothing (monostate) where `value`
/// is not the result of an scf.for or insert_slice at all.
std::variant<std::monostate, DestructiveUpdate, UpdateRefusal> findDestructiveUpdate(mlir::Value value);

/// True if no two iterations of the nest write the same element. Loops that start where the
/// workgroup's index says count as tiled like that: distribution tiles parallel loops only.
bool haveDistinctTiles(const DestructiveUpdate &update);

/// True if the tiles of all iterations, with those of other workgroups, make up the tensor.
bool coverWhole(const DestructiveUpdate &update);

/// Takes the tensor out of what the loops carry; nothing may use their results any more.
void dropCarriedTensor(mlir::RewriterBase &rewriter, DestructiveUpdate &update);

} // namespace fuselage
