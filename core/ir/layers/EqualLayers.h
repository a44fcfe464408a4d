// Layers of a function that are equal op for op, as a model of eighty layers has them.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace fuselage {

/// A place in equal layers: op `offset` of layer `layer`.
struct LayerPlace {
  size_t layer = 0, offset = 0;
};

/// A run of layers in the entry block of a function, one after the other. Layers are equal op by op: in name,
/// attributes, types and regions. They are wired alike: an operand comes from the same op of the same layer, from the
/// same op of the layer that is as far back (for the first layers, from anything before them), from the same value for
/// all, or from a value that only this layer reads: an argument of equal type and attributes (but for the name of a
/// parameter), or an equal constant.
class EqualLayers {
public:
  size_t count() const { return count_; }
  size_t period() const { return period_; }
  mlir::Operation *op(LayerPlace place) const { return ops_[place.layer * period_ + place.offset]; }
  /// Where an op of the entry block stands; nullopt: in no layer.
  std::optional<LayerPlace> placeOf(mlir::Operation *op) const;
  /// The value that plays the part of `value` as many layers later; null: there is none. `value` is computed in a layer
  /// or read by one layer alone; any other is returned as it is.
  mlir::Value shifted(mlir::Value value, long layers) const;
  /// How many layers back operands reach.
  size_t reach() const { return reach_; }

private:
  friend class EqualLayersFinder;
  std::vector<mlir::Operation *> ops_; ///< layer after layer
  size_t count_ = 0, period_ = 0, reach_ = 0;
  llvm::DenseMap<mlir::Operation *, size_t> index_;
  /// A value that one layer alone reads, and which one of them: the first that reads it plays part `second`.
  llvm::DenseMap<mlir::Value, std::pair<size_t, size_t>> leaves_;
  std::vector<std::vector<mlir::Value>> leavesByPart_; ///< by part, by layer; null: none
};

/// Finds the runs of at least `leastCount` layers in the entry block of a function, the largest first; they do not
/// overlap. Constants count as operands, not as ops of a layer. Where a run may be cut in several places, the first is
/// taken. O(n log n) in ops (findPeriodicRuns), then linear. Changes nothing.
std::vector<EqualLayers> findEqualLayers(mlir::func::FuncOp function, size_t leastCount);

} // namespace fuselage
