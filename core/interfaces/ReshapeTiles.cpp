#include "core/interfaces/ReshapeTiles.h"
#include "core/interfaces/IndexFacts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/Twine.h"
#include <numeric>

using namespace mlir;

namespace fuselage {

/// How a tile lies in a group of dimensions, by positions in the group.
struct ReshapeTiles::Rows {
  size_t cut = 0;       ///< the dimension that is cut anywhere; those in front have size 1
  size_t end = 0;       ///< after the last whole one
  int64_t stride = 1;   ///< elements of the dimensions from `end` on
  bool isWhole = false; ///< all of the group
};

/// kDynamic if a factor is.
static int64_t productOf(ArrayRef<int64_t> extents) {
  int64_t product = 1;
  for (int64_t extent : extents) {
    if (ShapedType::isDynamic(extent))
      return ShapedType::kDynamic;
    product *= extent;
  }
  return product;
}

int64_t ReshapeTiles::extent(int64_t dim) const { return cast<RankedTensorType>(expanded_.getType()).getDimSize(dim); }

/// a * b + c, folded.
static OpFoldResult multiplyAdd(OpBuilder &b, Location loc, OpFoldResult x, OpFoldResult y, OpFoldResult z) {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1), s0 = b.getAffineSymbolExpr(0);
  return affine::makeComposedFoldedAffineApply(b, loc, AffineMap::get(2, 1, d0 * s0 + d1), {x, z, y});
}

std::optional<FusableRefusal> ReshapeTiles::findCollapse(size_t group, ArrayRef<OpFoldResult> offsets,
                                                         ArrayRef<OpFoldResult> sizes, Rows &rows) const {
  const ReassociationIndices &dims = groups_[group];
  if (llvm::any_of(dims, [&](int64_t dim) { return extent(dim) == 0; }))
    return FusableRefusal{FusableReason::EmptyTile};
  auto isOne = [&](int64_t dim) { return isConstantIntValue(sizes[dim], 1); };
  rows.cut = 0;
  while (rows.cut + 1 < dims.size() && isOne(dims[rows.cut]))
    ++rows.cut;
  rows.end = dims.size();
  while (rows.end > rows.cut + 1 && isOne(dims[rows.end - 1]))
    --rows.end;
  for (size_t i = rows.cut + 1; i < rows.end; ++i)
    if (int64_t dim = dims[i]; !coversDim(offsets[dim], sizes[dim], expanded_, dim))
      return FusableRefusal{
          FusableReason::InnerDimensionCut,
          ("the tile has " + llvm::Twine(describeIndex(sizes[dim])) + " of dimension " + llvm::Twine(dim) +
           ", which has " +
           (ShapedType::isDynamic(extent(dim)) ? llvm::Twine("a dynamic size") : llvm::Twine(extent(dim))))
              .str()};
  for (size_t i = rows.end; i < dims.size(); ++i) {
    if (ShapedType::isDynamic(extent(dims[i])))
      return FusableRefusal{FusableReason::DynamicGroup,
                            ("dimension " + llvm::Twine(dims[i]) + " has a dynamic size").str()};
    rows.stride *= extent(dims[i]);
  }
  return std::nullopt;
}

std::optional<FusableRefusal> ReshapeTiles::explainCollapse(ArrayRef<OpFoldResult> offsets,
                                                            ArrayRef<OpFoldResult> sizes, bool allowStrides) const {
  for (size_t group = 0; group < groups_.size(); ++group) {
    Rows rows;
    if (auto refusal = findCollapse(group, offsets, sizes, rows))
      return refusal;
    if (!allowStrides && rows.stride != 1)
      return FusableRefusal{
          FusableReason::StridedTile,
          ("every " + llvm::Twine(rows.stride) + "th element of dimension " + llvm::Twine(group)).str()};
  }
  return std::nullopt;
}

Tile ReshapeTiles::collapse(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> extents, ArrayRef<OpFoldResult> offsets,
                            ArrayRef<OpFoldResult> sizes) const {
  Tile tile;
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  for (auto [group, dims] : llvm::enumerate(groups_)) {
    Rows rows;
    (void)findCollapse(group, offsets, sizes, rows);
    OpFoldResult offset = zero, size = one;
    for (auto [i, dim] : llvm::enumerate(dims)) {
      offset = multiplyAdd(b, loc, offset, extents[dim], offsets[dim]);
      if (i >= rows.cut && i < rows.end)
        size = multiplyAdd(b, loc, size, sizes[dim], zero);
    }
    tile.offsets.push_back(foldExactDivisions(b, loc, offset));
    tile.sizes.push_back(foldExactDivisions(b, loc, size));
    tile.strides.push_back(rows.stride);
  }
  return tile;
}

std::optional<FusableRefusal> ReshapeTiles::findExpand(size_t group, OpFoldResult offset, OpFoldResult size,
                                                       Rows &rows) const {
  const ReassociationIndices &dims = groups_[group];
  SmallVector<int64_t> extents = llvm::map_to_vector(dims, [&](int64_t dim) { return extent(dim); });
  if (llvm::is_contained(extents, 0))
    return FusableRefusal{FusableReason::EmptyTile};
  rows.isWhole = coversDim(offset, size, collapsed_, group);
  if (rows.isWhole || dims.size() == 1)
    return std::nullopt;
  int64_t from = knownDivisor(offset), by = knownDivisor(size);
  std::optional<int64_t> most = knownMaximum(size);
  bool isFirst = true; // dimensions in front have one element
  int64_t firstRow = productOf(ArrayRef(extents).drop_front());
  for (rows.cut = 0; rows.cut < dims.size(); ++rows.cut) {
    int64_t row = productOf(ArrayRef(extents).drop_front(rows.cut + 1));
    int64_t block = extents[rows.cut];
    if (!ShapedType::isDynamic(row) && from % row == 0 && by % row == 0) {
      if (isFirst)
        return std::nullopt;
      int64_t length = ShapedType::isDynamic(block) ? 0 : block * row;
      if (length > 0 && most && *most <= std::gcd(from, length))
        return std::nullopt;
    }
    isFirst &= block == 1;
  }
  if (ShapedType::isDynamic(firstRow))
    return FusableRefusal{FusableReason::DynamicGroup,
                          ("rows of dimension " + llvm::Twine(dims.front()) + " have a dynamic size").str()};
  std::string evidence =
      ("the tile begins at " + llvm::Twine(describeIndex(offset)) + " and has " + describeIndex(size) +
       " elements; rows of dimension " + llvm::Twine(dims.front()) + " have " + llvm::Twine(firstRow))
          .str();
  bool isOffset = by % firstRow == 0;
  return FusableRefusal{isOffset ? FusableReason::OffsetNotMultiple : FusableReason::GroupSplitUnevenly, evidence};
}

std::optional<FusableRefusal> ReshapeTiles::explainExpand(ArrayRef<OpFoldResult> offsets,
                                                          ArrayRef<OpFoldResult> sizes) const {
  for (size_t group = 0; group < groups_.size(); ++group) {
    Rows rows;
    if (auto refusal = findExpand(group, offsets[group], sizes[group], rows))
      return refusal;
  }
  return std::nullopt;
}

Tile ReshapeTiles::expand(OpBuilder &b, Location loc, ArrayRef<OpFoldResult> extents, ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) const {
  Tile tile;
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  if (groups_.empty()) { // of a scalar: dimensions of one element only
    tile.offsets.assign(extents.size(), zero);
    tile.sizes.assign(extents.size(), one);
    return tile;
  }
  AffineExpr d0 = b.getAffineDimExpr(0);
  auto apply = [&](AffineExpr expr, OpFoldResult value) {
    AffineMap map = AffineMap::get(1, 0, expr);
    return foldExactDivisions(b, loc, affine::makeComposedFoldedAffineApply(b, loc, map, {value}));
  };
  for (auto [group, dims] : llvm::enumerate(groups_)) {
    Rows rows;
    (void)findExpand(group, offsets[group], sizes[group], rows);
    if (dims.size() == 1) {
      tile.offsets.push_back(offsets[group]);
      tile.sizes.push_back(sizes[group]);
      continue;
    }
    if (rows.isWhole) {
      for (int64_t dim : dims) {
        tile.offsets.push_back(zero);
        tile.sizes.push_back(extents[dim]);
      }
      continue;
    }
    int64_t row = 1;
    for (int64_t dim : ArrayRef(dims).drop_front(rows.cut + 1))
      row *= extent(dim);
    SmallVector<OpFoldResult> groupOffsets(dims.size(), zero), groupSizes(dims.size(), one);
    for (size_t i = rows.cut + 1; i < dims.size(); ++i)
      groupSizes[i] = extents[dims[i]];
    groupSizes[rows.cut] = apply(d0.floorDiv(row), sizes[group]);
    // The index of the row, taken apart from the inside to the outside.
    int64_t below = row;
    for (size_t i = rows.cut + 1; i-- > 0;) {
      int64_t length = extent(dims[i]);
      bool isOutermost = llvm::all_of(ArrayRef(dims).take_front(i), [&](int64_t dim) { return extent(dim) == 1; });
      AffineExpr index = d0.floorDiv(below);
      groupOffsets[i] = apply(isOutermost ? index : index % length, offsets[group]);
      if (isOutermost)
        break;
      below *= length;
    }
    tile.offsets.append(groupOffsets);
    tile.sizes.append(groupSizes);
  }
  return tile;
}

} // namespace fuselage
