// linalg's structured ops, and what else computes element by element.
#include "core/analysis/tiles/AccessKinds.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
namespace {

/// Whether divisions, remainders and products in a map are by constants that make sense.
bool isUsable(mlir::AffineMap map) {
  if (map.getNumSymbols() > 0)
    return false;
  bool ok = true;
  for (mlir::AffineExpr expr : map.getResults())
    expr.walk([&](mlir::AffineExpr part) {
      auto binary = mlir::dyn_cast<mlir::AffineBinaryOpExpr>(part);
      if (!binary || part.getKind() == mlir::AffineExprKind::Add)
        return;
      auto by = mlir::dyn_cast<mlir::AffineConstantExpr>(binary.getRHS());
      ok &= by && (part.getKind() == mlir::AffineExprKind::Mul || by.getValue() > 0);
    });
  return ok;
}

class StructuredAccess : public AccessModel {
public:
  explicit StructuredAccess(mlir::linalg::LinalgOp linalgOp) {
    op = linalgOp;
    domain = linalgOp.getStaticLoopRanges();
    iterators = linalgOp.getIteratorTypesArray();
    for (mlir::OpOperand &operand : op->getOpOperands()) {
      maps_.push_back(linalgOp.getMatchingIndexingMap(&operand));
      bool isShaped = mlir::isa<mlir::ShapedType>(operand.get().getType());
      inputs.push_back({.value = operand.get(),
                        .map = maps_.back(),
                        .isInit = linalgOp.isDpsInit(&operand),
                        .isRead = isShaped && linalgOp.payloadUsesValueFromOperand(&operand)});
    }
    addCaptured(linalgOp);
    for (unsigned result = 0; result < op->getNumResults(); ++result)
      resultMaps_.push_back(linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(result)));
  }

  Region pointsFor(unsigned result, const Region &needed, TileEvents &) const override {
    Region points;
    for (const Product &piece : needed.pieces) {
      Product product;
      for (int64_t size : domain)
        product.push_back(Axis::whole(size));
      for (auto [axis, expr] : llvm::zip_equal(piece, resultMaps_[result].getResults()))
        product[mlir::cast<mlir::AffineDimExpr>(expr).getPosition()] = axis;
      points.pieces.push_back(std::move(product));
    }
    return points;
  }
  Region written(unsigned result, const Region &points, TileEvents &events) const override {
    return imageOf(resultMaps_[result], points, events);
  }
  Region touched(unsigned input, const Region &points, TileEvents &events) const override {
    if (input < maps_.size())
      return imageOf(maps_[input], points, events);
    return points.empty() ? Region() : approximatelyWhole(inputs[input].value);
  }
  mlir::AffineMap resultMap(unsigned result) const override { return resultMaps_[result]; }

private:
  static Region approximatelyWhole(mlir::Value value) {
    Region region = Region::whole(shapeOf(value));
    for (Product &piece : region.pieces)
      for (Axis &axis : piece)
        axis.set = axis.set.approximate();
    return region;
  }

  /// Tensors that the payload reads by itself, at places that it computes.
  void addCaptured(mlir::linalg::LinalgOp linalgOp) {
    linalgOp->walk([&](mlir::Operation *inner) {
      for (mlir::Value value : inner->getOperands()) {
        auto shaped = mlir::dyn_cast<mlir::ShapedType>(value.getType());
        bool isInside = value.getParentRegion() && op->isAncestor(value.getParentRegion()->getParentOp());
        if (inner == op || !shaped || !shaped.hasStaticShape() || isInside ||
            llvm::any_of(inputs, [&](const TileInput &input) { return input.value == value && !input.inexact.empty(); }))
          continue;
        inputs.push_back({.value = value,
                          .map = {},
                          .isInit = false,
                          .isRead = true,
                          .inexact = "the payload reads it where " + inner->getName().getStringRef().str() + " says"});
      }
    });
  }

  llvm::SmallVector<mlir::AffineMap> maps_, resultMaps_;
};

/// Every element from the same element of the operands; shapeless operands are not looked at.
class ElementwiseAccess : public AccessModel {
public:
  explicit ElementwiseAccess(mlir::Operation *elementwise) {
    op = elementwise;
    setResultDomain(*this);
    auto identity = mlir::AffineMap::getMultiDimIdentityMap(domain.size(), op->getContext());
    for (mlir::Value operand : op->getOperands())
      if (mlir::isa<mlir::ShapedType>(operand.getType()))
        inputs.push_back({.value = operand, .map = identity});
    isView = mlir::isa<mlir::tensor::CastOp, mlir::tensor::BitcastOp>(op);
  }
  Region touched(unsigned, const Region &points, TileEvents &) const override { return points; }
};

/// Elements of a row need the row. The domain is upstream's: the input's dimensions.
class SoftmaxAccess : public AccessModel {
public:
  explicit SoftmaxAccess(mlir::linalg::SoftmaxOp softmax) : dimension_(softmax.getDimension()) {
    op = softmax;
    llvm::append_range(domain, shapeOf(softmax.getInput()));
    iterators.assign(domain.size(), mlir::utils::IteratorType::parallel);
    iterators[dimension_] = mlir::utils::IteratorType::reduction;
    auto identity = mlir::AffineMap::getMultiDimIdentityMap(domain.size(), op->getContext());
    inputs.push_back({.value = softmax.getInput(), .map = identity});
    inputs.push_back({.value = softmax.getOutput(), .map = identity, .isInit = true, .isRead = false});
  }
  Region pointsFor(unsigned, const Region &needed, TileEvents &events) const override { return rowsOf(needed, events); }
  Region touched(unsigned input, const Region &points, TileEvents &events) const override {
    return input == 0 ? rowsOf(points, events) : points;
  }

private:
  Region rowsOf(const Region &points, TileEvents &events) const {
    Region rows;
    for (Product piece : points.pieces) {
      piece[dimension_] = Axis::whole(domain[dimension_]);
      rows.add(std::move(piece), events);
    }
    return rows;
  }

  uint64_t dimension_;
};

} // namespace

AccessPtr structuredAccess(mlir::Operation *op, std::string &why) {
  auto linalgOp = mlir::dyn_cast<mlir::linalg::LinalgOp>(op);
  if (!linalgOp)
    return nullptr;
  if (!llvm::all_of(linalgOp.getIndexingMapsArray(), isUsable)) {
    why = "an indexing map has symbols, or divides by something that is not a positive constant";
    return nullptr;
  }
  if (llvm::any_of(linalgOp.getStaticLoopRanges(), mlir::ShapedType::isDynamic)) {
    why = "the range of a loop is dynamic";
    return nullptr;
  }
  return std::make_unique<StructuredAccess>(linalgOp);
}

AccessPtr softmaxAccess(mlir::Operation *op) {
  auto softmax = mlir::dyn_cast<mlir::linalg::SoftmaxOp>(op);
  return softmax && op->getNumResults() == 1 ? std::make_unique<SoftmaxAccess>(softmax) : nullptr;
}

AccessPtr elementwiseAccess(mlir::Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return nullptr;
  auto result = mlir::dyn_cast<mlir::RankedTensorType>(op->getResult(0).getType());
  bool isKnown = op->hasTrait<mlir::OpTrait::Elementwise>() || mlir::isa<mlir::tensor::CastOp, mlir::tensor::BitcastOp>(op);
  if (!isKnown || !result)
    return nullptr;
  for (mlir::Type type : op->getOperandTypes())
    if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(type); shaped && shaped.getShape() != result.getShape())
      return nullptr;
  return std::make_unique<ElementwiseAccess>(op);
}

} // namespace fuselage
