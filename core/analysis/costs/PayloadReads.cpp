#include "core/analysis/costs/PayloadReads.h"
#include "core/support/CostArithmetic.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace fuselage {
namespace {

/// Finds out about the indices of one payload.
class IndexReader {
public:
  explicit IndexReader(mlir::linalg::LinalgOp op) : op_(op) {}

  PayloadRead read(mlir::OpOperand &use, mlir::ValueRange indices) {
    PayloadRead read{.use = &use};
    for (mlir::Value index : indices) {
      read.indices.push_back(indexOf(index));
      if (read.indices.back().isData())
        read.mayReadAll |= !addLoops(index, read.dataLoops);
    }
    llvm::sort(read.dataLoops);
    read.dataLoops.erase(llvm::unique(read.dataLoops), read.dataLoops.end());
    return read;
  }

private:
  static PayloadRead::Index indexOf(mlir::Value index) {
    llvm::APInt constant;
    if (mlir::matchPattern(index, mlir::m_ConstantInt(&constant)) && constant.getSignificantBits() <= 64)
      return {.constant = constant.getSExtValue()};
    if (auto loop = index.getDefiningOp<mlir::linalg::IndexOp>())
      return {.loop = loop.getDim()};
    return {};
  }

  /// Adds the loops that the value may differ with; false: it also differs with something else.
  bool addLoops(mlir::Value value, llvm::SmallVectorImpl<unsigned> &loops) {
    llvm::SmallPtrSet<mlir::Value, 8> seen;
    llvm::SmallVector<mlir::Value> pending{value};
    while (!pending.empty()) {
      mlir::Value next = pending.pop_back_val();
      if (!seen.insert(next).second || !op_->isAncestor(next.getParentRegion()->getParentOp()))
        continue;
      if (auto argument = mlir::dyn_cast<mlir::BlockArgument>(next)) {
        if (argument.getOwner() != op_.getBlock())
          return false; // of a loop inside
        mlir::AffineMap map = op_.getMatchingIndexingMap(op_.getMatchingOpOperand(argument));
        for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
          if (map.isFunctionOfDim(loop))
            loops.push_back(loop);
        continue;
      }
      mlir::Operation *def = next.getDefiningOp();
      if (auto index = mlir::dyn_cast<mlir::linalg::IndexOp>(def))
        loops.push_back(index.getDim());
      else if (def->getNumRegions() > 0)
        return false;
      pending.append(def->operand_begin(), def->operand_end());
    }
    return true;
  }

  mlir::linalg::LinalgOp op_;
};

} // namespace

bool PayloadRead::isExact() const {
  return !mayReadAll && llvm::none_of(indices, [](const Index &index) { return index.isData(); });
}

Region PayloadRead::touchedBy(const Product &points) const {
  auto shape = mlir::cast<mlir::ShapedType>(source().getType()).getShape();
  unsigned all = 0;
  int64_t reads = 1;
  for (unsigned loop : dataLoops) {
    all |= points[loop].loops;
    reads = times(reads, points[loop].set.size());
  }
  if (mayReadAll)
    for (const Axis &axis : points)
      all |= axis.loops;
  Product touched;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    const Index index = dim < indices.size() ? indices[dim] : Index();
    if (!mayReadAll && index.constant) {
      touched.push_back(Axis::point(*index.constant));
    } else if (!mayReadAll && index.loop) {
      touched.push_back(points[*index.loop]);
    } else {
      // Together the dimensions have no more combinations than there are reads.
      int64_t most = mayReadAll || reads < 0 ? size : std::min(size, reads);
      reads = most > 0 && reads > 0 ? (reads + most - 1) / most : reads;
      touched.push_back(Axis::whole(most));
      touched.back().set = touched.back().set.approximate();
      touched.back().loops = all;
    }
  }
  return isEmpty(touched) ? Region() : Region::of(std::move(touched));
}

llvm::SmallVector<PayloadRead> payloadReads(mlir::linalg::LinalgOp op) {
  llvm::SmallVector<PayloadRead> reads;
  IndexReader reader(op);
  op->walk([&](mlir::Operation *inner) {
    if (inner == op.getOperation())
      return;
    for (mlir::OpOperand &use : inner->getOpOperands()) {
      auto shaped = mlir::dyn_cast<mlir::ShapedType>(use.get().getType());
      bool isInside = op->isAncestor(use.get().getParentRegion()->getParentOp());
      if (!shaped || mlir::isa<mlir::VectorType>(shaped) || isInside ||
          mlir::isa<mlir::tensor::DimOp, mlir::memref::DimOp>(inner))
        continue;
      if (auto extract = mlir::dyn_cast<mlir::tensor::ExtractOp>(inner))
        reads.push_back(reader.read(use, extract.getIndices()));
      else if (auto load = mlir::dyn_cast<mlir::memref::LoadOp>(inner))
        reads.push_back(reader.read(use, load.getIndices()));
      else
        reads.push_back({.use = &use, .mayReadAll = true});
    }
  });
  return reads;
}

} // namespace fuselage
