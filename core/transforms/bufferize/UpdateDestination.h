// Where a destructive update ends up: memory that its tiles can be written to one by one.
#pragma once
#include "core/transforms/bufferize/DestructiveUpdate.h"
#include <memory>

namespace fuselage {

/// The destination of an op that stores a whole tensor. Slices are those of the tensor.
class UpdateDestination {
public:
  virtual ~UpdateDestination() = default;

  /// The destination of a tile store or of a bufferization.materialize_in_destination to a buffer;
  /// null for other ops. `reason` says why, where one of these has none that tiles could be written to.
  static std::unique_ptr<UpdateDestination> of(mlir::Operation *sink, std::optional<UpdateReason> &reason);

  /// What has to be known before the loops.
  virtual llvm::SmallVector<mlir::Value> values() const = 0;
  virtual bool isReadable() const = 0;
  /// Whether `init` was read from just there, so that the memory holds it already.
  virtual bool holds(mlir::Value init) const = 0;
  /// Whether `op` itself, without the ops in its regions, may read or write the memory. Errs on the
  /// safe side with ops that nobody knows.
  virtual bool mayBeTouchedBy(mlir::Operation *op) const = 0;

  virtual mlir::Value load(mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
                           const TileSlice &slice) const = 0;
  virtual void store(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tile, const TileSlice &slice) const = 0;

  /// The tensor that the sink stores.
  mlir::Value stored() const { return stored_; }

protected:
  explicit UpdateDestination(mlir::Value stored) : stored_(stored) {}

private:
  mlir::Value stored_;
};

/// The value after casts between static and dynamic sizes.
mlir::Value behindCasts(mlir::Value value);

/// The slice of all of a tensor.
TileSlice wholeSlice(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value tensor);

} // namespace fuselage
