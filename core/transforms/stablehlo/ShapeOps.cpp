// Ops that place elements anew: constants, iota, broadcasts, reshapes, transposes.
#include "core/transforms/stablehlo/HloLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace fuselage {
namespace {

HloResults lowerConstant(HloCall &call) {
  auto elements = dyn_cast_or_null<ElementsAttr>(call.op.attribute({"value"}));
  RankedTensorType type = call.op->getNumResults() == 1 ? call.resultType() : RankedTensorType();
  ElementsAttr value = elements && type ? retyped(elements, type) : ElementsAttr();
  if (!value)
    return call.refuse("its value is not a tensor of numbers");
  return SmallVector<Value>{arith::ConstantOp::create(call.builder, call.loc, type, value)};
}

/// An element of an iota: how far along the dimension it is.
Value iotaElement(OpBuilder &builder, Location loc, int64_t dim, Type type) {
  Value index = linalg::IndexOp::create(builder, loc, dim);
  Type integer = builder.getIntegerType(isa<IntegerType>(type) ? type.getIntOrFloatBitWidth() : 64);
  Value number = arith::IndexCastOp::create(builder, loc, integer, index);
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Value re = arith::SIToFPOp::create(builder, loc, complex.getElementType(), number);
    return complex::CreateOp::create(builder, loc, type, re, zeroOf(builder, loc, complex.getElementType()));
  }
  return isa<FloatType>(type) ? arith::SIToFPOp::create(builder, loc, type, number) : number;
}

/// `dynamic_iota` and others have the sizes of their results in a tensor.
SmallVector<Value> dynamicSizes(HloCall &call, RankedTensorType type, Value shape) {
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(indexAt(call.builder, call.loc, shape, dim));
  return sizes;
}

HloResults lowerIota(HloCall &call) {
  RankedTensorType type = call.resultType();
  auto dim = call.op.integer({"iota_dimension", "dim"});
  bool isDynamic = call.op.name() == "dynamic_iota";
  if (!type || !dim || *dim < 0 || *dim >= type.getRank() || (!isDynamic && !type.hasStaticShape()))
    return call.refuse("its dimension is not one of its result");
  SmallVector<Value> sizes = isDynamic ? dynamicSizes(call, type, call.operands[0]) : SmallVector<Value>();
  return SmallVector<Value>{iota(call.builder, call.loc, type, *dim, sizes)};
}

HloResults lowerReshape(HloCall &call) {
  if (!call.isOnTensors())
    return call.refuse("it is not on tensors of known rank");
  RankedTensorType type = call.resultType();
  if (call.operandType(0).hasStaticShape() && type.hasStaticShape() &&
      call.operandType(0).getNumElements() != type.getNumElements())
    return call.refuse("its result has another number of elements");
  if (Value result = reshaped(call.builder, call.loc, call.operands[0], type))
    return SmallVector<Value>{result};
  if (call.op.name() != "dynamic_reshape")
    return call.refuse("its sizes are not known");
  Value result = tensor::ReshapeOp::create(call.builder, call.loc, type, call.operands[0], call.operands[1]);
  return SmallVector<Value>{result};
}

HloResults lowerTranspose(HloCall &call) {
  auto permutation = call.op.integers({"permutation", "dims"});
  if (!call.isOnTensors() || !permutation || int64_t(permutation->size()) != call.operandType(0).getRank() ||
      !isPermutationVector(*permutation))
    return call.refuse("its dimensions are no permutation");
  Value result = transposed(call.builder, call.loc, call.operands[0], *permutation);
  return SmallVector<Value>{reshaped(call.builder, call.loc, result, call.resultType())};
}

//===-- Broadcasts --------------------------------------------------------===//

/// A constant of one element stays a constant.
Value broadcastConstant(HloCall &call, RankedTensorType type) {
  auto constant = dyn_cast_or_null<DenseElementsAttr>(constantOf(call.operands[0]));
  if (!constant || !constant.isSplat() || !type.hasStaticShape())
    return {};
  if (isa<ComplexType>(type.getElementType()))
    return arith::ConstantOp::create(call.builder, call.loc, type,
                                     DenseElementsAttr::get(type, constant.getSplatValue<std::complex<APFloat>>()));
  return arith::ConstantOp::create(call.builder, call.loc, type, constant.resizeSplat(type));
}

/// The operand without the dimensions of size 1 that are repeated, and where the others go.
Value withoutRepeated(HloCall &call, RankedTensorType type, SmallVectorImpl<int64_t> &dims) {
  RankedTensorType from = call.operandType(0);
  SmallVector<int64_t> shape, kept;
  for (auto [at, dim] : llvm::enumerate(dims)) {
    if (from.getDimSize(at) == 1 && type.getDimSize(dim) != 1)
      continue;
    shape.push_back(from.getDimSize(at));
    kept.push_back(dim);
  }
  Value result = call.operands[0];
  if (kept.size() != dims.size())
    result = reshaped(call.builder, call.loc, result, RankedTensorType::get(shape, from.getElementType()));
  dims.assign(kept.begin(), kept.end());
  return result;
}

/// linalg.broadcast puts new dimensions between those of its input, which keep their order.
Value broadcast(HloCall &call, Value input, ArrayRef<int64_t> dims, RankedTensorType type, ValueRange sizes) {
  if (cast<RankedTensorType>(input.getType()).getRank() == 0)
    return filledTensor(call.builder, call.loc, type, scalarOf(call.builder, call.loc, input), sizes);
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(dims.size()));
  llvm::sort(order, [&](int64_t a, int64_t b) { return dims[a] < dims[b]; });
  Value sorted = transposed(call.builder, call.loc, input, order);
  if (int64_t(dims.size()) == type.getRank())
    return sorted;
  SmallVector<int64_t> added;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim))
      added.push_back(dim);
  if (llvm::all_of(added, [&](int64_t dim) { return type.getDimSize(dim) == 1; }))
    if (Value expanded = reshaped(call.builder, call.loc, sorted, type))
      return expanded;
  Value empty = emptyTensor(call.builder, call.loc, type, sizes);
  return linalg::BroadcastOp::create(call.builder, call.loc, sorted, empty, added)->getResult(0);
}

HloResults lowerBroadcast(HloCall &call) {
  RankedTensorType type = call.resultType();
  auto dims = call.op.integers({"broadcast_dimensions", "dims"});
  bool isDynamic = call.op.name() == "dynamic_broadcast_in_dim";
  if (!call.isOnTensors() || !dims || int64_t(dims->size()) != call.operandType(0).getRank() ||
      (!isDynamic && !type.hasStaticShape()))
    return call.refuse("its dimensions are not those of its operand");
  llvm::SmallDenseSet<int64_t> unique(dims->begin(), dims->end());
  RankedTensorType from = call.operandType(0);
  for (auto [at, dim] : llvm::enumerate(*dims))
    if (dim < 0 || dim >= type.getRank() || (from.getDimSize(at) != 1 && from.getDimSize(at) != type.getDimSize(dim)))
      return call.refuse("its dimensions are not those of its result");
  if (unique.size() != dims->size())
    return call.refuse("two of its dimensions are the same");
  if (Value constant = broadcastConstant(call, type))
    return SmallVector<Value>{constant};
  SmallVector<Value> sizes = isDynamic ? dynamicSizes(call, type, call.operands[1]) : SmallVector<Value>();
  Value input = withoutRepeated(call, type, *dims);
  return SmallVector<Value>{broadcast(call, input, *dims, type, sizes)};
}

/// mhlo.broadcast adds its sizes as the first dimensions.
HloResults lowerOldBroadcast(HloCall &call) {
  RankedTensorType type = call.resultType();
  if (!call.isOnTensors() || !type.hasStaticShape() || call.operandType(0).getRank() > type.getRank())
    return call.refuse("it is not on tensors of known sizes");
  if (Value constant = broadcastConstant(call, type))
    return SmallVector<Value>{constant};
  int64_t first = type.getRank() - call.operandType(0).getRank();
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(first, type.getRank()));
  return SmallVector<Value>{broadcast(call, call.operands[0], dims, type, {})};
}

HloResults lowerDimensionSize(HloCall &call) {
  auto dim = call.op.integer({"dimension", "dim"});
  if (!call.isOnTensors() || !dim || *dim < 0 || *dim >= call.operandType(0).getRank())
    return call.refuse("its dimension is not one of its operand");
  Value size = tensor::DimOp::create(call.builder, call.loc, call.operands[0], *dim);
  Value number = arith::IndexCastOp::create(call.builder, call.loc, call.resultType().getElementType(), size);
  return SmallVector<Value>{tensorOf(call.builder, call.loc, number)};
}

/// A dynamic size that is declared anew. Only where it says what is known already.
HloResults lowerSetDimensionSize(HloCall &call) {
  if (!call.isOnTensors() || call.operandType(0) != call.resultType())
    return call.refuse("it changes the size of a dimension");
  auto dim = call.op.integer({"dimension", "dim"});
  auto size = dyn_cast_or_null<DenseElementsAttr>(constantOf(call.operands[1]));
  bool isKnown = dim && *dim >= 0 && *dim < call.resultType().getRank() && size && size.isSplat() &&
                 size.getSplatValue<APInt>().getSExtValue() == call.resultType().getDimSize(*dim);
  if (!isKnown)
    return call.refuse("it changes the size of a dimension");
  return SmallVector<Value>{call.operands[0]};
}

/// CHLO: a constant with the shape of the operand.
HloResults lowerConstantLike(HloCall &call) {
  RankedTensorType type = call.resultType();
  auto value = dyn_cast_or_null<TypedAttr>(call.op.attribute({"value"}));
  if (!call.isOnTensors() || !value || value.getType() != call.writtenResult() || !type.hasStaticShape())
    return call.refuse("its shape is not known");
  if (auto number = dyn_cast<IntegerAttr>(value))
    value = IntegerAttr::get(type.getElementType(), number.getValue());
  return SmallVector<Value>{arith::ConstantOp::create(call.builder, call.loc, DenseElementsAttr::get(type, value))};
}

} // namespace

Value iota(OpBuilder &builder, Location loc, RankedTensorType type, int64_t dim, ValueRange sizes) {
  Value empty = emptyTensor(builder, loc, type, sizes);
  SmallVector<AffineMap> maps{builder.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  auto body = [&](OpBuilder &inner, Location at, ValueRange) {
    linalg::YieldOp::create(inner, at, iotaElement(inner, at, dim, type.getElementType()));
  };
  return linalg::GenericOp::create(builder, loc, type, ValueRange(), empty, maps, loops, body).getResult(0);
}

void addShapeLowerings(HloLowerings &lowerings) {
  lowerings["broadcast"] = lowerOldBroadcast;
  lowerings["broadcast_in_dim"] = lowerBroadcast;
  lowerings["constant"] = lowerConstant;
  lowerings["constant_like"] = lowerConstantLike;
  lowerings["dynamic_broadcast_in_dim"] = lowerBroadcast;
  lowerings["dynamic_iota"] = lowerIota;
  lowerings["dynamic_reshape"] = lowerReshape;
  lowerings["get_dimension_size"] = lowerDimensionSize;
  lowerings["iota"] = lowerIota;
  lowerings["reshape"] = lowerReshape;
  lowerings["set_dimension_size"] = lowerSetDimensionSize;
  lowerings["transpose"] = lowerTranspose;
}

} // namespace fuselage
