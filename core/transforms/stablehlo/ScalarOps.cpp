#include "core/transforms/stablehlo/ScalarOps.h"
#include "core/transforms/stablehlo/HloLowering.h"
#include "core/transforms/stablehlo/scalars/QuantizedScalar.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace fuselage {

Value ScalarCall::integer(Type type, int64_t number) const {
  return arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(type, APInt(type.getIntOrFloatBitWidth(), number, true, true)));
}

Value ScalarCall::real(Type type, double number) const {
  return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, number));
}

Value ScalarCall::select(Value condition, Value yes, Value no) const {
  return arith::SelectOp::create(builder, loc, condition, yes, no);
}

Value ScalarCall::compare(arith::CmpIPredicate predicate, Value left, Value right) const {
  return arith::CmpIOp::create(builder, loc, predicate, left, right);
}

Value ScalarCall::compare(arith::CmpFPredicate predicate, Value left, Value right) const {
  return arith::CmpFOp::create(builder, loc, predicate, left, right);
}

/// Whether a number is stored as another.
static bool isOnQuantized(const ScalarCall &call) {
  return isa<quant::QuantizedType>(call.to) || llvm::any_of(call.from, llvm::IsaPred<quant::QuantizedType>);
}

/// An op on scalars some of which are of a type with one scale: computed on what they stand for.
static Value callOnQuantized(ScalarLowering lowering, const ScalarCall &call) {
  ScalarCall real(call);
  for (unsigned at = 0; at < call.args.size(); ++at) {
    if (!isa<quant::QuantizedType>(call.from[at]))
      continue;
    auto type = dyn_cast<quant::UniformQuantizedType>(call.from[at]);
    if (!type)
      return {};
    Scalar stored(call.builder, call.loc, call.args[at]);
    real.args[at] = dequantized(stored, type, QuantParameters::of(stored, type));
    real.from[at] = type.getExpressedType();
  }
  if (!isa<quant::QuantizedType>(call.to))
    return lowering(real);
  auto type = dyn_cast<quant::UniformQuantizedType>(call.to);
  if (!type)
    return {};
  real.to = type.getExpressedType();
  Value result = lowering(real);
  if (!result || result.getType() != real.to)
    return {};
  Scalar number(call.builder, call.loc, result);
  return quantized(number, type, QuantParameters::of(number, type));
}

Value ScalarFunction::operator()(const ScalarCall &call) const {
  return !onBits_ && isOnQuantized(call) ? callOnQuantized(lowering_, call) : lowering_(call);
}

ScalarFunction scalarLowering(StringRef name) {
  static const ScalarLowerings lowerings = [] {
    ScalarLowerings all;
    addScalarArithmetic(all);
    addScalarConversions(all);
    addScalarFunctions(all);
    addSpecialFunctions(all);
    return all;
  }();
  name.consume_front("broadcast_"); // CHLO's ops with broadcasting
  return ScalarFunction(lowerings.lookup(name), name == "bitcast_convert" || name == "select");
}

Value convertScalar(OpBuilder &builder, Location loc, HloOp op, Value number, Type from, Type to) {
  return scalarLowering("convert")(
      {.op = op, .builder = builder, .loc = loc, .args = {number}, .from = {from}, .to = to});
}

namespace {

/// Builds the ops of a body one after the other.
class BodyInliner {
public:
  BodyInliner(OpBuilder &builder, llvm::function_ref<Value(Value)> outer, std::string &why)
      : builder_(builder), outer_(outer), why_(why) {}

  std::optional<SmallVector<Value>> run(Block &body, ValueRange args) {
    if (++depth_ > 32 || body.getNumArguments() != args.size())
      return refuse("its body does not fit");
    for (auto [argument, scalar] : llvm::zip_equal(body.getArguments(), args))
      values_.map(argument, scalar);
    // The end is an op that no dialect here defines: MLIR does not know it as a terminator.
    for (Operation &op : llvm::drop_end(body))
      if (!build(&op))
        return std::nullopt;
    SmallVector<Value> results;
    for (Value operand : body.back().getOperands())
      results.push_back(scalar(operand));
    --depth_;
    return llvm::is_contained(results, Value()) ? refuse("its body does not fit") : std::optional(results);
  }

private:
  std::nullopt_t refuse(const Twine &why) {
    if (why_.empty())
      why_ = why.str();
    return std::nullopt;
  }

  Value scalar(Value value) {
    if (Value known = values_.lookupOrNull(value))
      return known;
    Value tensor = outer_(value);
    auto type = tensor ? dyn_cast<RankedTensorType>(tensor.getType()) : RankedTensorType();
    if (!type || type.getRank() != 0)
      return {};
    Value element = scalarOf(builder_, tensor.getLoc(), tensor);
    values_.map(value, element);
    return element;
  }

  bool build(Operation *op) {
    if (ElementsAttr elements = op->getNumResults() == 1 ? constantOf(op->getResult(0)) : ElementsAttr())
      return buildConstant(op, elements);
    if (auto call = dyn_cast<func::CallOp>(op))
      return buildCall(call);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(scalar(operand));
    if (llvm::is_contained(operands, Value()))
      return refuse("its body reads more than elements"), false;
    HloOp hlo(op);
    StringRef name = HloOp::isHlo(op) ? hlo.name() : "";
    if (name == "reshape" || name == "broadcast_in_dim" || name == "optimization_barrier" || name == "tuple") {
      values_.map(op->getResults(), operands);
      return true;
    }
    ScalarFunction lowering = scalarLowering(name);
    if (!lowering || op->getNumResults() != 1)
      return refuse("'" + op->getName().getStringRef() + "' in its body is not known on single elements"), false;
    ScalarCall call{.op = hlo, .builder = builder_, .loc = op->getLoc(), .args = operands};
    for (Value operand : op->getOperands())
      call.from.push_back(elementOf(operand));
    call.to = elementOf(op->getResult(0));
    Value result = lowering(call);
    if (!result)
      return refuse("'" + op->getName().getStringRef() + "' in its body is not known on these types"), false;
    values_.map(op->getResult(0), result);
    return true;
  }

  bool buildConstant(Operation *op, ElementsAttr elements) {
    auto dense = dyn_cast<DenseElementsAttr>(elements);
    if (!dense || dense.getNumElements() != 1)
      return refuse("its body has a constant of several elements"), false;
    Type type = signlessElement(dense.getElementType());
    if (isa<ComplexType>(type)) {
      values_.map(op->getResult(0),
                  complex::ConstantOp::create(builder_, op->getLoc(), type,
                                              cast<ArrayAttr>(*dense.getValues<Attribute>().begin())));
      return true;
    }
    Attribute element = *dense.getValues<Attribute>().begin();
    if (auto number = dyn_cast<IntegerAttr>(element))
      element = IntegerAttr::get(type, number.getValue());
    values_.map(op->getResult(0), arith::ConstantOp::create(builder_, op->getLoc(), cast<TypedAttr>(element)));
    return true;
  }

  bool buildCall(func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    SmallVector<Value> operands;
    for (Value operand : call.getOperands())
      operands.push_back(scalar(operand));
    if (!callee || !callee.getBody().hasOneBlock() || llvm::is_contained(operands, Value()))
      return refuse("its body calls what cannot be put in its place"), false;
    // A function may be called twice: its values are of this call only.
    IRMapping before = values_;
    std::optional<SmallVector<Value>> results = run(callee.getBody().front(), operands);
    values_ = before;
    if (results)
      values_.map(call.getResults(), *results);
    return results.has_value();
  }

  OpBuilder &builder_;
  llvm::function_ref<Value(Value)> outer_;
  std::string &why_;
  IRMapping values_;
  unsigned depth_ = 0;
};

} // namespace

std::optional<SmallVector<Value>> inlineScalarBody(OpBuilder &builder, Block &body, ValueRange args,
                                                   llvm::function_ref<Value(Value)> outer, std::string &why) {
  return BodyInliner(builder, outer, why).run(body, args);
}

std::string simpleBody(Block &body) {
  bool isOnStored =
      llvm::any_of(body.getArgumentTypes(), [](Type type) { return isa<quant::QuantizedType>(elementOf(type)); });
  if (!llvm::hasNItems(body, 2) || body.getNumArguments() != 2 || isOnStored)
    return {};
  Operation &op = body.front();
  bool isOfArguments = op.getNumOperands() == 2 && op.getNumResults() == 1 &&
                       llvm::is_contained(op.getOperands(), body.getArgument(0)) &&
                       llvm::is_contained(op.getOperands(), body.getArgument(1));
  if (!isOfArguments || body.back().getNumOperands() != 1 || body.back().getOperand(0) != op.getResult(0) ||
      !HloOp::isHlo(&op))
    return {};
  StringRef name = HloOp(&op).name();
  bool commutes = llvm::is_contained({"add", "multiply", "maximum", "minimum", "and", "or", "xor"}, name);
  return commutes ? name.str() : std::string();
}

} // namespace fuselage
