// linalg's structured ops, and what else computes element by element.
#include "core/analysis/costs/PayloadReads.h"
#include "core/analysis/tiles/AccessKinds.h"
#include "core/dialects/flow/Flow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

namespace fuselage {
namespace {

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
    Region image;
    for (const Product &piece : points.pieces)
      for (const PayloadRead *read : captured_.find(inputs[input].value)->second)
        image.add(read->touchedBy(piece), events);
    return image;
  }
  mlir::AffineMap resultMap(unsigned result) const override { return resultMaps_[result]; }

private:
  /// Tensors that the payload reads by itself, at places that it computes.
  void addCaptured(mlir::linalg::LinalgOp linalgOp) {
    reads_ = payloadReads(linalgOp);
    for (const PayloadRead &read : reads_) {
      mlir::Value source = read.source();
      if (!mlir::cast<mlir::ShapedType>(source.getType()).hasStaticShape())
        continue;
      captured_[source].push_back(&read);
      std::string note =
          read.isExact()
              ? ""
              : ("the payload reads it where " + read.use->getOwner()->getName().getStringRef() + " says").str();
      auto known = llvm::find_if(llvm::drop_begin(inputs, maps_.size()),
                                 [&](const TileInput &input) { return input.value == source; });
      if (known == inputs.end())
        inputs.push_back({.value = source, .map = {}, .isInit = false, .isRead = true, .inexact = note});
      else if (known->inexact.empty())
        known->inexact = note;
    }
  }

  llvm::SmallVector<PayloadRead> reads_;
  llvm::MapVector<mlir::Value, llvm::SmallVector<const PayloadRead *, 1>> captured_;
  llvm::SmallVector<mlir::AffineMap> maps_, resultMaps_;
};

/// Its indexing maps; what is not in the result is read as a whole.
class AttentionAccess : public AccessModel {
public:
  explicit AttentionAccess(flow::AttentionOp attention) : maps_(attention.getIndexingMapsArray()) {
    op = attention;
    domain = attention.getStaticLoopRanges();
    iterators = attention.getLoopIteratorTypes();
    for (auto [number, map] : llvm::enumerate(maps_)) {
      bool isInit = number + 1 == maps_.size();
      inputs.push_back({.value = op->getOperand(number), .map = map, .isInit = isInit, .isRead = !isInit});
    }
  }
  Region pointsFor(unsigned, const Region &needed, TileEvents &) const override {
    Region points;
    for (const Product &piece : needed.pieces) {
      Product product;
      for (int64_t size : domain)
        product.push_back(Axis::whole(size));
      for (auto [axis, expr] : llvm::zip_equal(piece, maps_.back().getResults()))
        product[mlir::cast<mlir::AffineDimExpr>(expr).getPosition()] = axis;
      points.pieces.push_back(std::move(product));
    }
    return points;
  }
  Region written(unsigned, const Region &points, TileEvents &events) const override {
    return imageOf(maps_.back(), points, events);
  }
  Region touched(unsigned input, const Region &points, TileEvents &events) const override {
    return imageOf(maps_[input], points, events);
  }
  mlir::AffineMap resultMap(unsigned) const override { return maps_.back(); }

private:
  llvm::SmallVector<mlir::AffineMap> maps_;
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
  if (!llvm::all_of(linalgOp.getIndexingMapsArray(), hasKnownImage)) {
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

AccessPtr attentionAccess(mlir::Operation *op) {
  auto attention = mlir::dyn_cast<flow::AttentionOp>(op);
  return attention ? std::make_unique<AttentionAccess>(attention) : nullptr;
}

AccessPtr elementwiseAccess(mlir::Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return nullptr;
  auto result = mlir::dyn_cast<mlir::RankedTensorType>(op->getResult(0).getType());
  bool isKnown =
      op->hasTrait<mlir::OpTrait::Elementwise>() || mlir::isa<mlir::tensor::CastOp, mlir::tensor::BitcastOp>(op);
  if (!isKnown || !result)
    return nullptr;
  for (mlir::Type type : op->getOperandTypes())
    if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(type); shaped && shaped.getShape() != result.getShape())
      return nullptr;
  return std::make_unique<ElementwiseAccess>(op);
}

} // namespace fuselage
