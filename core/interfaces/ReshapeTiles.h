// A tile before and after a reshape.
#pragma once
#include "core/interfaces/FusableReason.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace fuselage {

/// A box in the index space of a tensor, in elements by dimension.
struct Tile {
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes;
  llvm::SmallVector<int64_t> strides; ///< empty: all 1
};

/// The two sides of tensor.expand_shape or tensor.collapse_shape: dimensions `groups[i]` of
/// `expanded` are dimension `i` of the other side. A tile of one side is a tile of the other if it
/// is a range of rows: dimensions of size 1, then one that is cut anywhere, then whole ones. After
/// those there may be dimensions of size 1 again, which make a strided tile of the collapsed side.
class ReshapeTiles {
public:
  ReshapeTiles(mlir::Value expanded, mlir::Value collapsed, llvm::ArrayRef<mlir::ReassociationIndices> groups)
      : expanded_(expanded), collapsed_(collapsed), groups_(groups) {}

  /// Why a tile of the expanded side is none of the collapsed side.
  std::optional<FusableRefusal> explainCollapse(llvm::ArrayRef<mlir::OpFoldResult> offsets,
                                                llvm::ArrayRef<mlir::OpFoldResult> sizes,
                                                bool allowStrides = true) const;
  /// The tile of the collapsed side, where explainCollapse finds nothing. `extents` are the sizes
  /// of the expanded side.
  Tile collapse(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<mlir::OpFoldResult> extents,
                llvm::ArrayRef<mlir::OpFoldResult> offsets, llvm::ArrayRef<mlir::OpFoldResult> sizes) const;

  /// Why a tile of the collapsed side is none of the expanded side.
  std::optional<FusableRefusal> explainExpand(llvm::ArrayRef<mlir::OpFoldResult> offsets,
                                              llvm::ArrayRef<mlir::OpFoldResult> sizes) const;
  Tile expand(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<mlir::OpFoldResult> extents,
              llvm::ArrayRef<mlir::OpFoldResult> offsets, llvm::ArrayRef<mlir::OpFoldResult> sizes) const;

private:
  struct Rows;
  std::optional<FusableRefusal> findCollapse(size_t group, llvm::ArrayRef<mlir::OpFoldResult> offsets,
                                             llvm::ArrayRef<mlir::OpFoldResult> sizes, Rows &rows) const;
  std::optional<FusableRefusal> findExpand(size_t group, mlir::OpFoldResult offset, mlir::OpFoldResult size,
                                           Rows &rows) const;
  int64_t extent(int64_t dim) const;

  mlir::Value expanded_, collapsed_;
  llvm::SmallVector<mlir::ReassociationIndices> groups_;
};

} // namespace fuselage
