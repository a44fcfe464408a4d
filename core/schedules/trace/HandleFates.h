// Which handles of a running schedule may still be used, and what became of the others.
#pragma once
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace fuselage {

/// What became of a handle.
struct HandleFate {
  enum class State {
    Live,
    Consumed,    ///< an op took it as an operand that it consumes
    Invalidated, ///< an op consumed a handle to an op around, or the same as, what this one is mapped to
  };
  State state = State::Live;
  unsigned by = 0; ///< the step that ended it; 0 while it is live
};

/// Follows the handles by the rules of the interpreter with expensive checks on (TransformState's
/// checkAndRecordHandleInvalidation): consuming a handle ends it and every handle, visible from there, to the same
/// payload op or value or to one that is inside of it.
class HandleFates {
public:
  /// A value came into being, or again, as those in a loop's body do.
  void define(mlir::Value handle) { fates_[handle] = HandleFate(); }
  /// A region is left: what was defined in it is gone.
  void leave(mlir::Region &region);
  /// Null: it has not been defined yet.
  const HandleFate *fate(mlir::Value handle) const {
    auto found = fates_.find(handle);
    return found == fates_.end() ? nullptr : &found->second;
  }
  /// Calls back with every handle to ops that may be used.
  void forEachLive(llvm::function_ref<void(mlir::Value handle)> callback) const;
  /// What `op` ends, as seen right before it runs; it is step `step`.
  void consume(mlir::transform::TransformOpInterface op, unsigned step, const mlir::transform::TransformState &state);

private:
  void endInside(llvm::ArrayRef<mlir::Operation *> ancestors, mlir::Region *from, unsigned step,
                 const mlir::transform::TransformState &state);
  void endAliases(llvm::ArrayRef<mlir::Value> payload, mlir::Region *from, unsigned step,
                  const mlir::transform::TransformState &state);

  llvm::MapVector<mlir::Value, HandleFate> fates_;
};

} // namespace fuselage
