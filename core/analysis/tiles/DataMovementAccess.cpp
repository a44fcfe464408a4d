// Ops that move elements: pads, slices, reshapes, concatenations, gathers, packs.
#include "core/analysis/tiles/AccessKinds.h"
#include "core/support/CostArithmetic.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
namespace {

/// Applies a function to each product of a region; what it returns must be disjoint among itself.
template <typename Function> Region mapPieces(const Region &region, TileEvents &events, Function function) {
  Region image;
  for (const Product &piece : region.pieces)
    image.add(function(piece), events);
  return image;
}

class PadAccess : public AccessModel {
public:
  explicit PadAccess(mlir::tensor::PadOp pad) : low_(pad.getStaticLow()) {
    op = pad;
    setResultDomain(*this);
    inputs.push_back({.value = pad.getSource(), .map = {}});
  }
  Region touched(unsigned, const Region &points, TileEvents &events) const override {
    return mapPieces(points, events, [&](Product product) {
      for (auto [axis, low, size] : llvm::zip_equal(product, low_, shapeOf(inputs[0].value)))
        axis = clip(axis, low, size, events);
      return product;
    });
  }

private:
  llvm::SmallVector<int64_t> low_;
};

/// Offsets, sizes and strides of a slice of a tensor, and which of its dimensions the tile lacks.
struct SliceShape {
  llvm::SmallVector<int64_t> offsets, sizes, strides;
  llvm::SmallBitVector dropped;
  bool isStatic = true;
};

template <typename SliceOp> SliceShape sliceShape(SliceOp slice) {
  SliceShape shape{.offsets = llvm::to_vector(slice.getStaticOffsets()),
                   .sizes = llvm::to_vector(slice.getStaticSizes()),
                   .strides = llvm::to_vector(slice.getStaticStrides()),
                   .dropped = slice.getDroppedDims()};
  for (auto list : {shape.offsets, shape.sizes, shape.strides})
    shape.isStatic &= llvm::none_of(list, mlir::ShapedType::isDynamic);
  return shape;
}

class ExtractSliceAccess : public AccessModel {
public:
  explicit ExtractSliceAccess(mlir::tensor::ExtractSliceOp slice) : shape_(sliceShape(slice)) {
    op = slice;
    setResultDomain(*this);
    isView = true;
    inputs.push_back({.value = slice.getSource(), .map = {}});
    if (!shape_.isStatic)
      inputs[0].inexact = "an offset or a stride of the slice is computed at run time";
  }
  Region touched(unsigned, const Region &points, TileEvents &events) const override {
    return mapPieces(points, events, [&](const Product &piece) {
      Product product;
      size_t kept = 0;
      for (auto [dim, size] : llvm::enumerate(shapeOf(inputs[0].value))) {
        Axis axis = shape_.dropped.test(dim) ? Axis::point(0) : piece[kept++];
        int64_t offset = shape_.offsets[dim], stride = shape_.strides[dim];
        if (mlir::ShapedType::isDynamic(offset) || mlir::ShapedType::isDynamic(stride)) {
          unsigned loops = axis.loops;
          axis = Axis::whole(size);
          axis.set = axis.set.approximate();
          axis.loops = loops;
        } else {
          axis = add(scale(axis, stride), Axis::point(offset));
        }
        product.push_back(std::move(axis));
      }
      return product;
    });
  }

private:
  SliceShape shape_;
};

class InsertSliceAccess : public AccessModel {
public:
  explicit InsertSliceAccess(mlir::tensor::InsertSliceOp slice) : shape_(sliceShape(slice)) {
    op = slice;
    setResultDomain(*this);
    std::string inexact = shape_.isStatic ? "" : "an offset or a stride of the slice is computed at run time";
    inputs.push_back({.value = slice.getSource(), .map = {}, .isInit = false, .isRead = true, .inexact = inexact});
    inputs.push_back({.value = slice.getDest(), .map = {}, .isInit = true, .isRead = true, .inexact = inexact});
  }
  Region touched(unsigned input, const Region &points, TileEvents &events) const override {
    return input == 0 ? ofSource(points, events) : ofDest(points, events);
  }

private:
  Region ofSource(const Region &points, TileEvents &events) const {
    if (!shape_.isStatic)
      return points.empty() ? Region() : approximately(Region::whole(shapeOf(inputs[0].value)));
    Region image;
    for (const Product &piece : points.pieces) {
      Product product;
      bool isOutside = false; // of a dropped dimension, too
      for (auto [dim, axis] : llvm::enumerate(piece)) {
        int64_t span = (shape_.sizes[dim] - 1) * shape_.strides[dim] + 1;
        Axis mine = everyNth(clip(axis, shape_.offsets[dim], span, events), shape_.strides[dim], events);
        isOutside |= mine.set.empty();
        if (!shape_.dropped.test(dim))
          product.push_back(std::move(mine));
      }
      if (!isOutside)
        image.add(std::move(product), events);
    }
    return image;
  }
  Region ofDest(const Region &points, TileEvents &events) const {
    if (!shape_.isStatic)
      return approximately(points);
    Region rest = points;
    Product slice;
    for (auto [offset, size, stride] : llvm::zip_equal(shape_.offsets, shape_.sizes, shape_.strides))
      slice.push_back({.set = IntSet::strided(offset, size, stride), .shift = {}});
    rest.subtract(slice, events);
    return rest;
  }
  static Region approximately(Region region) {
    for (Product &piece : region.pieces)
      for (Axis &axis : piece)
        axis.set = axis.set.approximate();
    return region;
  }

  SliceShape shape_;
};

/// tensor.expand_shape and tensor.collapse_shape: elements keep their row-major position.
class ReshapeAccess : public AccessModel {
public:
  ReshapeAccess(mlir::Operation *reshape, llvm::ArrayRef<mlir::ReassociationIndices> groups, bool isCollapse)
      : isCollapse_(isCollapse) {
    op = reshape;
    for (const mlir::ReassociationIndices &group : groups)
      groups_.push_back(llvm::SmallVector<int64_t>(group.begin(), group.end()));
    setResultDomain(*this);
    isView = true;
    inputs.push_back({.value = op->getOperand(0), .map = {}});
  }
  Region touched(unsigned, const Region &points, TileEvents &events) const override {
    return isCollapse_ ? ofCollapsed(points, events) : ofExpanded(points, events);
  }

private:
  Region ofExpanded(const Region &points, TileEvents &events) const {
    return mapPieces(points, events, [&](const Product &piece) {
      Product product;
      for (llvm::ArrayRef<int64_t> group : groups_) {
        llvm::SmallVector<Axis, 4> axes;
        llvm::SmallVector<int64_t, 4> shape;
        for (int64_t dim : group) {
          axes.push_back(piece[dim]);
          shape.push_back(domain[dim]);
        }
        product.push_back(linearize(axes, shape));
      }
      return product;
    });
  }
  Region ofCollapsed(const Region &points, TileEvents &events) const {
    Region image;
    auto source = shapeOf(inputs[0].value);
    bool isFirst = true;
    for (const Product &piece : points.pieces) {
      std::vector<Product> products{Product()};
      if (groups_.empty()) // to a scalar tensor: all dimensions are units
        products.front().assign(source.size(), Axis::point(0));
      for (auto [axis, group] : llvm::zip(piece, groups_)) {
        llvm::SmallVector<int64_t, 4> shape;
        for (int64_t dim : group)
          shape.push_back(source[dim]);
        std::vector<Product> next;
        for (const Product &part : delinearize(axis, shape, events))
          for (const Product &product : products) {
            next.push_back(product);
            next.back().append(part.begin(), part.end());
          }
        products = std::move(next);
      }
      for (Product &product : products) {
        if (isFirst)
          image.pieces.push_back(std::move(product));
        else
          image.add(std::move(product), events);
      }
      isFirst = false;
    }
    return image;
  }

  std::vector<llvm::SmallVector<int64_t>> groups_;
  bool isCollapse_;
};

class ConcatAccess : public AccessModel {
public:
  explicit ConcatAccess(mlir::tensor::ConcatOp concat) : dim_(concat.getDim()) {
    op = concat;
    setResultDomain(*this);
    int64_t offset = 0;
    for (mlir::Value input : concat.getInputs()) {
      inputs.push_back({.value = input, .map = {}});
      offsets_.push_back(offset);
      offset += shapeOf(input)[dim_];
    }
  }
  Region touched(unsigned input, const Region &points, TileEvents &events) const override {
    return mapPieces(points, events, [&](Product product) {
      product[dim_] = clip(product[dim_], offsets_[input], shapeOf(inputs[input].value)[dim_], events);
      return product;
    });
  }

private:
  uint64_t dim_;
  llvm::SmallVector<int64_t> offsets_;
};

/// tensor.gather: which slices are read is in the data, what is read of each is not.
class GatherAccess : public AccessModel {
public:
  explicit GatherAccess(mlir::tensor::GatherOp gather) : gathered_(gather.getGatherDims()) {
    op = gather;
    setResultDomain(*this);
    inputs.push_back({.value = gather.getSource(), .map = {}});
    inputs.back().inexact = "its indices are data";
    inputs.push_back({.value = gather.getIndices(), .map = {}});
  }
  Region touched(unsigned input, const Region &points, TileEvents &events) const override {
    size_t batch = shapeOf(inputs[1].value).size() - 1;
    auto source = shapeOf(inputs[0].value);
    bool keepsUnits = domain.size() == batch + source.size();
    return mapPieces(points, events, [&](const Product &piece) {
      Product product(piece.begin(), piece.begin() + batch);
      if (input == 1) {
        product.push_back(Axis::whole(shapeOf(inputs[1].value).back()));
        return product;
      }
      product.clear();
      size_t next = batch;
      int64_t reads = 1; // the gathered dimensions together have no more combinations than there are indices
      for (size_t axis = 0; axis < batch; ++axis)
        reads = times(reads, piece[axis].set.size());
      for (auto [dim, size] : llvm::enumerate(source)) {
        if (!llvm::is_contained(gathered_, int64_t(dim))) {
          product.push_back(piece[next++]);
          continue;
        }
        next += keepsUnits;
        int64_t most = reads < 0 ? size : std::min(size, reads);
        reads = most > 0 && reads > 0 ? (reads + most - 1) / most : reads;
        product.push_back(Axis::whole(most));
        product.back().set = product.back().set.approximate();
        for (size_t axis = 0; axis < batch; ++axis)
          product.back().loops |= piece[axis].loops;
      }
      return product;
    });
  }

private:
  llvm::SmallVector<int64_t> gathered_;
};

/// The place of each source dimension of a pack or unpack in the packed tensor.
struct PackedDims {
  llvm::SmallVector<int64_t> outer; ///< by source dimension
  llvm::SmallVector<int64_t> inner; ///< by source dimension: axis of its tile, or -1
  llvm::SmallVector<int64_t> tile;  ///< by source dimension; 1 where it has none
};

template <typename Op> PackedDims packedDims(Op packing, size_t rank) {
  PackedDims dims{
      .outer = {}, .inner = llvm::SmallVector<int64_t>(rank, -1), .tile = llvm::SmallVector<int64_t>(rank, 1)};
  llvm::ArrayRef<int64_t> permutation = packing.getOuterDimsPerm();
  for (size_t dim = 0; dim < rank; ++dim)
    dims.outer.push_back(permutation.empty() ? dim : llvm::find(permutation, int64_t(dim)) - permutation.begin());
  for (auto [index, dim] : llvm::enumerate(packing.getInnerDimsPos())) {
    dims.inner[dim] = rank + index;
    dims.tile[dim] = packing.getStaticInnerTiles()[index];
  }
  return dims;
}

class PackAccess : public AccessModel {
public:
  explicit PackAccess(mlir::linalg::PackOp pack) : dims_(packedDims(pack, shapeOf(pack.getSource()).size())) {
    op = pack;
    setResultDomain(*this);
    inputs.push_back({.value = pack.getSource(), .map = {}});
  }
  Region touched(unsigned, const Region &points, TileEvents &events) const override {
    return mapPieces(points, events, [&](const Product &piece) {
      Product product;
      for (auto [dim, size] : llvm::enumerate(shapeOf(inputs[0].value))) {
        Axis axis = piece[dims_.outer[dim]];
        if (dims_.inner[dim] >= 0)
          axis = add(scale(axis, dims_.tile[dim]), piece[dims_.inner[dim]]);
        product.push_back(clip(axis, 0, size, events));
      }
      return product;
    });
  }

private:
  PackedDims dims_;
};

class UnpackAccess : public AccessModel {
public:
  explicit UnpackAccess(mlir::linalg::UnPackOp unpack) : dims_(packedDims(unpack, shapeOf(unpack.getResult()).size())) {
    op = unpack;
    setResultDomain(*this);
    inputs.push_back({.value = unpack.getSource(), .map = {}});
  }
  Region touched(unsigned, const Region &points, TileEvents &events) const override {
    Region image;
    auto packed = shapeOf(inputs[0].value);
    for (const Product &piece : points.pieces) {
      std::vector<Product> products{Product(packed.size())};
      for (auto [dim, axis] : llvm::enumerate(piece)) {
        std::vector<Product> next;
        int64_t outer = dims_.outer[dim], inner = dims_.inner[dim];
        if (inner < 0) {
          for (Product &product : products)
            product[outer] = axis;
          continue;
        }
        for (const Product &part : delinearize(axis, {packed[outer], dims_.tile[dim]}, events))
          for (const Product &product : products) {
            next.push_back(product);
            next.back()[outer] = part[0];
            next.back()[inner] = part[1];
          }
        products = std::move(next);
      }
      for (Product &product : products)
        image.add(std::move(product), events);
    }
    return image;
  }

private:
  PackedDims dims_;
};

} // namespace

AccessPtr padAccess(mlir::Operation *op) {
  auto pad = mlir::dyn_cast<mlir::tensor::PadOp>(op);
  bool isStatic = pad && llvm::none_of(pad.getStaticLow(), mlir::ShapedType::isDynamic);
  return isStatic ? std::make_unique<PadAccess>(pad) : nullptr;
}

AccessPtr extractSliceAccess(mlir::Operation *op) {
  auto slice = mlir::dyn_cast<mlir::tensor::ExtractSliceOp>(op);
  return slice ? std::make_unique<ExtractSliceAccess>(slice) : nullptr;
}

AccessPtr insertSliceAccess(mlir::Operation *op) {
  auto slice = mlir::dyn_cast<mlir::tensor::InsertSliceOp>(op);
  return slice ? std::make_unique<InsertSliceAccess>(slice) : nullptr;
}

AccessPtr reshapeAccess(mlir::Operation *op) {
  if (auto collapse = mlir::dyn_cast<mlir::tensor::CollapseShapeOp>(op))
    return std::make_unique<ReshapeAccess>(op, collapse.getReassociationIndices(), true);
  if (auto expand = mlir::dyn_cast<mlir::tensor::ExpandShapeOp>(op))
    return std::make_unique<ReshapeAccess>(op, expand.getReassociationIndices(), false);
  return nullptr;
}

AccessPtr concatAccess(mlir::Operation *op) {
  auto concat = mlir::dyn_cast<mlir::tensor::ConcatOp>(op);
  return concat ? std::make_unique<ConcatAccess>(concat) : nullptr;
}

AccessPtr gatherAccess(mlir::Operation *op) {
  auto gather = mlir::dyn_cast<mlir::tensor::GatherOp>(op);
  return gather && !shapeOf(gather.getIndices()).empty() ? std::make_unique<GatherAccess>(gather) : nullptr;
}

template <typename Op> static bool hasStaticTiles(Op packing) {
  return packing->getNumResults() == 1 && llvm::none_of(packing.getStaticInnerTiles(), mlir::ShapedType::isDynamic);
}

AccessPtr packAccess(mlir::Operation *op) {
  auto pack = mlir::dyn_cast<mlir::linalg::PackOp>(op);
  return pack && hasStaticTiles(pack) ? std::make_unique<PackAccess>(pack) : nullptr;
}

AccessPtr unpackAccess(mlir::Operation *op) {
  auto unpack = mlir::dyn_cast<mlir::linalg::UnPackOp>(op);
  return unpack && hasStaticTiles(unpack) ? std::make_unique<UnpackAccess>(unpack) : nullptr;
}

} // namespace fuselage
