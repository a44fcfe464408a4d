#include "core/transforms/stablehlo/Quantized.h"
#include "core/ir/ops/CollectOps.h"
#include "core/transforms/stablehlo/HloLowering.h"
#include "core/transforms/stablehlo/ScalarOps.h"
#include "core/transforms/stablehlo/scalars/QuantizedScalar.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using quant::QuantizedType;
using quant::UniformQuantizedPerAxisType;
using quant::UniformQuantizedType;

namespace fuselage {

namespace {

/// Scales and zero points of a tensor's elements: constants, or operands of the linalg op along one dimension.
class TensorParameters {
public:
  TensorParameters(HloCall &call, QuantizedType type, int64_t rank) : type_(type) {
    auto perAxis = dyn_cast<UniformQuantizedPerAxisType>(type);
    if (!perAxis)
      return;
    auto constant = [&](ArrayRef<double> numbers) -> Value {
      auto list = RankedTensorType::get({int64_t(numbers.size())}, type.getExpressedType());
      SmallVector<Attribute> elements;
      for (double number : numbers)
        elements.push_back(call.builder.getFloatAttr(type.getExpressedType(), number));
      return arith::ConstantOp::create(call.builder, call.loc, DenseElementsAttr::get(list, elements));
    };
    SmallVector<double> zeroPoints(perAxis.getZeroPoints().begin(), perAxis.getZeroPoints().end());
    inputs = {constant(perAxis.getScales()), constant(zeroPoints)};
    map = AffineMap::get(rank, 0, call.builder.getAffineDimExpr(perAxis.getQuantizedDimension()));
  }

  QuantParameters read(const Scalar &at, ValueRange args) const {
    if (inputs.empty())
      return QuantParameters::of(at, cast<UniformQuantizedType>(type_));
    return {at.with(args[0]), at.with(args[1])};
  }

  SmallVector<Value> inputs;
  AffineMap map;

private:
  QuantizedType type_;
};

bool isKnown(QuantizedType type, RankedTensorType tensor) {
  if (!isa<FloatType>(type.getExpressedType()))
    return false;
  if (isa<UniformQuantizedType>(type))
    return true;
  auto perAxis = dyn_cast<UniformQuantizedPerAxisType>(type);
  int64_t axis = perAxis ? perAxis.getQuantizedDimension() : -1;
  return axis >= 0 && axis < tensor.getRank() && tensor.getDimSize(axis) == int64_t(perAxis.getScales().size());
}

/// A float or stored tensor as another: uniform_quantize, also from one quantized type to another, and its reverse.
HloResults lowerRequantize(HloCall &call) {
  if (!call.isOnTensors() || call.operands.size() != 1)
    return call.refuse("it is not on tensors of known rank");
  auto from = dyn_cast<QuantizedType>(call.writtenOperand(0)), to = dyn_cast<QuantizedType>(call.writtenResult());
  RankedTensorType type = call.resultType(), source = call.operandType(0);
  Type real = from ? from.getExpressedType() : source.getElementType();
  Type wanted = to ? to.getExpressedType() : type.getElementType();
  bool fits = (from || to) && real == wanted && source.getShape() == type.getShape();
  if (!fits || (from && !isKnown(from, source)) || (to && !isKnown(to, type)))
    return call.refuse("its types are not uniform quantized ones of one kind of float");
  SmallVector<AffineMap> maps{call.builder.getMultiDimIdentityMap(type.getRank())};
  SmallVector<Value> inputs{call.operands[0]};
  std::optional<TensorParameters> before, after;
  for (auto [quantizedType, parameters] : {std::pair(from, &before), std::pair(to, &after)}) {
    if (!quantizedType)
      continue;
    parameters->emplace(call, quantizedType, type.getRank());
    inputs.append((*parameters)->inputs);
    maps.append((*parameters)->inputs.size(), (*parameters)->map);
  }
  maps.push_back(call.builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  Value empty = emptyLike(call.builder, call.loc, type, call.operands[0]);
  auto body = [&](OpBuilder &inner, Location loc, ValueRange args) {
    Scalar number(inner, loc, args.front());
    args = args.drop_front();
    if (before) {
      number = dequantized(number, from, before->read(number, args));
      args = args.drop_front(before->inputs.size());
    }
    if (after)
      number = quantized(number, to, after->read(number, args));
    linalg::YieldOp::create(inner, loc, Value(number));
  };
  return SmallVector<Value>{
      linalg::GenericOp::create(call.builder, call.loc, type, inputs, empty, maps, loops, body).getResult(0)};
}

QuantizedType quantizedElement(Type type) { return dyn_cast<QuantizedType>(elementOf(type)); }

bool computesOnTensors(StringRef name) {
  return llvm::is_contained({"batch_norm_grad", "batch_norm_inference", "batch_norm_training", "convolution", "dot",
                             "dot_general", "dynamic_conv", "einsum", "ragged_dot"},
                            name);
}

/// Whether an op is to be computed on floats between casts.
bool needsCasts(Operation *op) {
  if (!HloOp::isHlo(op))
    return false;
  StringRef name = HloOp(op).name();
  auto types =
      llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()), SmallVector<Type>(op->getResultTypes()));
  if (computesOnTensors(name))
    return llvm::any_of(types, quantizedElement);
  bool isElementwise = scalarLowering(name) && name != "bitcast_convert" && name != "select";
  return isElementwise &&
         llvm::any_of(types, [](Type type) { return isa<UniformQuantizedPerAxisType>(elementOf(type)); });
}

Value castOp(OpBuilder &builder, Location loc, StringRef name, Value operand, Type type) {
  OperationState state(loc, ("stablehlo." + name).str());
  state.addOperands(operand);
  state.addTypes(type);
  return builder.create(state)->getResult(0);
}

} // namespace

void openQuantizedOps(ModuleOp module) {
  for (Operation *op : collectOps(module, needsCasts)) {
    OpBuilder builder(op);
    for (OpOperand &operand : op->getOpOperands())
      if (QuantizedType type = quantizedElement(operand.get().getType())) {
        auto shape = cast<ShapedType>(operand.get().getType());
        operand.set(
            castOp(builder, op->getLoc(), "uniform_dequantize", operand.get(), shape.clone(type.getExpressedType())));
      }
    builder.setInsertionPointAfter(op);
    for (OpResult result : op->getResults())
      if (QuantizedType type = quantizedElement(result.getType())) {
        auto shape = cast<ShapedType>(result.getType());
        result.setType(shape.clone(type.getExpressedType()));
        Value stored = castOp(builder, op->getLoc(), "uniform_quantize", result, shape);
        result.replaceAllUsesExcept(stored, stored.getDefiningOp());
      }
  }
}

void addQuantizedLowerings(HloLowerings &lowerings) {
  lowerings["uniform_dequantize"] = lowerRequantize;
  lowerings["uniform_quantize"] = lowerRequantize;
}

} // namespace fuselage
