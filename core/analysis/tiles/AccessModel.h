// Which elements an op reads for a part of its result: by indexing maps, or by what the op means.
#pragma once
#include "core/analysis/sets/AffineImage.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Operation.h"
#include <memory>
#include <string>
#include <vector>

namespace fuselage {

/// A shaped value that an op reads, or writes into.
struct TileInput {
  mlir::Value value;
  mlir::AffineMap map;   ///< from the iteration domain; null where the op has none
  bool isInit = false;   ///< a destination
  bool isRead = true;    ///< false: a destination whose elements do not matter
  std::string inexact{}; ///< why its footprint is more than what is touched; empty: it is exact
};

/// What an op touches. Domains, regions and shapes are in elements; all sizes are static.
///
/// Structured ops go by their indexing maps (linalg's `getIndexingMapsArray`); the others by the
/// definition of the op: pads clip, slices move, reshapes keep row-major positions.
class AccessModel {
public:
  virtual ~AccessModel() = default;

  mlir::Operation *op = nullptr;
  llvm::SmallVector<int64_t> domain; ///< sizes of the loops
  llvm::SmallVector<mlir::utils::IteratorType> iterators;
  std::vector<TileInput> inputs;
  bool isView = false; ///< computes nothing: reshapes, slices, casts

  /// Points of the domain that compute these elements of a result. By default they are the same.
  virtual Region pointsFor(unsigned result, const Region &needed, TileEvents &events) const;
  /// Elements of a result that these points write.
  virtual Region written(unsigned result, const Region &points, TileEvents &events) const;
  /// Elements of an input that these points read, or, of a destination, write.
  virtual Region touched(unsigned input, const Region &points, TileEvents &events) const = 0;
  /// From the domain to result 0 (upstream's getResultTilePosition); null where there is none.
  virtual mlir::AffineMap resultMap(unsigned) const { return {}; }
};

/// The model of an op; null with the reason in `why` where it has none, or a dynamic size.
std::unique_ptr<AccessModel> accessOf(mlir::Operation *op, std::string &why);

/// Whether a producer that has a model can be fused into a consumer of that result, tile by tile; if
/// not, `why` says why.
bool isFusable(const AccessModel &producer, unsigned result, std::string &why);

} // namespace fuselage
