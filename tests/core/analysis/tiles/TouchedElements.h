// Which elements ops touch, by executing them element by element: what footprints are compared with.
#pragma once
#include "core/analysis/tiles/TileChain.h"
#include <map>
#include <set>

namespace fuselage {

using Element = std::vector<int64_t>;
using Elements = std::set<Element>;

/// Every index of a shape, in order.
void forEachIndex(llvm::ArrayRef<int64_t> shape, llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

/// By op, the points that are executed; by op and operand number, the elements read.
struct TouchedElements {
  std::map<mlir::Operation *, Elements> points;
  std::map<std::pair<mlir::Operation *, unsigned>, Elements> inputs;
  std::map<std::pair<mlir::Operation *, unsigned>, Elements> results; ///< needed of a result; of the root: written
};

/// Executes the root's points of a tile, then each producer of the chain for the elements that were
/// read of it. `isProducer`: whether an op is in the chain.
TouchedElements touchElements(mlir::Operation *root, const Elements &tile,
                              llvm::function_ref<bool(mlir::Operation *)> isProducer);

} // namespace fuselage
