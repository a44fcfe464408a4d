// Building blocks of the lowerings, and the table of all of them.
#include "core/transforms/composites/ScalarNest.h"
#include "core/transforms/stablehlo/HloLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace fuselage {

const HloLowerings &hloLowerings() {
  static const HloLowerings lowerings = [] {
    HloLowerings all;
    addElementwiseLowerings(all);
    addShapeLowerings(all);
    addSliceLowerings(all);
    addDotLowerings(all);
    addConvolutionLowerings(all);
    addReduceLowerings(all);
    addWindowLowerings(all);
    addGatherLowerings(all);
    addScatterLowerings(all);
    addSortLowerings(all);
    addControlFlowLowerings(all);
    addNormalizationLowerings(all);
    addFftLowerings(all);
    addMatrixLowerings(all);
    addBitcastLowerings(all);
    addDeviceLowerings(all);
    addEinsumLowerings(all);
    addQuantizedLowerings(all);
    addRaggedDotLowerings(all);
    addRandomLowerings(all);
    addSpecialLowerings(all);
    return all;
  }();
  return lowerings;
}

bool HloCall::isOnTensors() const {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  return llvm::all_of(op->getOperandTypes(), isTensor) && llvm::all_of(op->getResultTypes(), isTensor) &&
         operands.size() == op->getNumOperands();
}

Value HloCall::converted(Value outer) const { return builder.getRemappedValue(outer); }

LogicalResult HloCall::refuse(const Twine &reason) {
  reasons_[op.operation()] = reason.str();
  return failure();
}

bool isWithoutElements(RankedTensorType type) { return type.hasStaticShape() && type.getNumElements() == 0; }

Value emptyTensor(OpBuilder &builder, Location loc, RankedTensorType type, ValueRange dynamicSizes) {
  return tensor::EmptyOp::create(builder, loc, type, dynamicSizes);
}

Value emptyLike(OpBuilder &builder, Location loc, RankedTensorType type, Value like) {
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(builder, loc, like, dim));
  return emptyTensor(builder, loc, type, sizes);
}

Value filledTensor(OpBuilder &builder, Location loc, RankedTensorType type, Value scalar, ValueRange dynamicSizes) {
  Value empty = emptyTensor(builder, loc, type, dynamicSizes);
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

ElementsAttr constantOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return dyn_cast<ElementsAttr>(constant.getValue());
  bool isHlo = HloOp::isHlo(op) && HloOp(op).name() == "constant";
  return isHlo ? dyn_cast_or_null<ElementsAttr>(HloOp(op).attribute({"value"})) : ElementsAttr();
}

std::optional<SmallVector<int64_t>> integersOf(Value value) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(constantOf(value));
  if (!elements || !isa<IntegerType>(elements.getElementType()))
    return std::nullopt;
  SmallVector<int64_t> numbers;
  for (const APInt &number : elements.getValues<APInt>())
    numbers.push_back(number.sextOrTrunc(64).getSExtValue());
  return numbers;
}

Value indexAt(OpBuilder &builder, Location loc, Value list, int64_t position) {
  Value at = indexConstant(builder, loc, position);
  return asIndex(builder, loc, tensor::ExtractOp::create(builder, loc, list, at));
}

Value scalarOf(OpBuilder &builder, Location loc, Value tensor) {
  if (auto made = tensor.getDefiningOp<tensor::FromElementsOp>(); made && made.getElements().size() == 1)
    return made.getElements().front();
  auto constant = dyn_cast_or_null<DenseElementsAttr>(constantOf(tensor));
  if (constant && constant.isSplat() && constant.getElementType().isIntOrFloat()) {
    Attribute element = constant.getSplatValue<Attribute>();
    if (auto number = dyn_cast<IntegerAttr>(element))
      element = IntegerAttr::get(signlessElement(number.getType()), number.getValue());
    return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(element));
  }
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> first;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    first.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  return tensor::ExtractOp::create(builder, loc, tensor, first);
}

Value tensorOf(OpBuilder &builder, Location loc, Value scalar) {
  return tensor::FromElementsOp::create(builder, loc, RankedTensorType::get({}, scalar.getType()), scalar);
}

Value reshaped(OpBuilder &builder, Location loc, Value tensor, RankedTensorType type) {
  auto from = cast<RankedTensorType>(tensor.getType());
  if (from == type)
    return tensor;
  // A reshape of a reshape, back to where it came from.
  Operation *maker = tensor.getDefiningOp();
  if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(maker) &&
      maker->getOperand(0).getType() == type && type.hasStaticShape())
    return maker->getOperand(0);
  if (from.getRank() == type.getRank() && !(from.hasStaticShape() && type.hasStaticShape()))
    return tensor::CastOp::create(builder, loc, type, tensor);
  if (auto groups = getReassociationIndicesForReshape(from, type)) {
    if (from.getRank() > type.getRank())
      return tensor::CollapseShapeOp::create(builder, loc, type, tensor, *groups);
    if (type.hasStaticShape())
      return tensor::ExpandShapeOp::create(builder, loc, type, tensor, *groups);
  }
  if (!from.hasStaticShape() || !type.hasStaticShape())
    return {};
  // Through one dimension: 2x6 as 3x4.
  auto flat = RankedTensorType::get({from.getNumElements()}, from.getElementType());
  return reshaped(builder, loc, reshaped(builder, loc, tensor, flat), type);
}

Value transposed(OpBuilder &builder, Location loc, Value tensor, ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return tensor;
  auto from = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  for (int64_t dim : permutation) {
    shape.push_back(from.getDimSize(dim));
    if (from.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(builder, loc, tensor, dim));
  }
  Value empty = emptyTensor(builder, loc, RankedTensorType::get(shape, from.getElementType()), sizes);
  return linalg::TransposeOp::create(builder, loc, tensor, empty, permutation)->getResult(0);
}

Value zeroOf(OpBuilder &builder, Location loc, Type type) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Attribute zero = builder.getZeroAttr(complex.getElementType());
    return complex::ConstantOp::create(builder, loc, type, builder.getArrayAttr({zero, zero}));
  }
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

} // namespace fuselage
