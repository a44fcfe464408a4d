#include "core/run/inspect/NonFinite.h"
#include "core/codegen/host/HostLowering.h"
#include "core/dialects/flow/Flow.h"
#include "core/run/Specialize.h"
#include "core/run/inspect/RunArguments.h"
#include "core/run/reference/Reference.h"
#include "core/transforms/bufferize/BuffersAsTensors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace fuselage {
namespace {

bool isFloatTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && !type.getEncoding() && isa<FloatType>(type.getElementType());
}

/// Values of a function to look at, in program order. What is meant to be infinite, such as where a maximum begins, is
/// a constant or a fill.
SmallVector<Value> valuesOf(func::FuncOp function) {
  SmallVector<Value> values;
  for (BlockArgument argument : function.getArguments())
    if (isFloatTensor(argument) && !argument.use_empty())
      values.push_back(argument);
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function.getOperation() || isa<flow::DispatchRegionOp>(op))
      return WalkResult::advance();
    if (!op->hasTrait<OpTrait::ConstantLike>() && !isa<linalg::FillOp, tensor::EmptyOp>(op))
      for (Value result : op->getResults())
        if (isFloatTensor(result))
          values.push_back(result);
    return WalkResult::skip();
  });
  return values;
}

/// Adds 1 to a count where a condition holds.
Value countIf(OpBuilder &builder, Location loc, Value condition, Value count) {
  Value one = arith::ExtUIOp::create(builder, loc, count.getType(), condition);
  return arith::AddIOp::create(builder, loc, count, one);
}

/// Tensors without dimensions, right after the value: how many elements are NaN, and how many infinite.
ValueRange countsOf(Value value) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  auto count = RankedTensorType::get({}, builder.getI64Type());
  Value zero = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(count, int64_t(0)));
  AffineMap whole = builder.getMultiDimIdentityMap(type.getRank());
  AffineMap one = AffineMap::get(type.getRank(), 0, builder.getContext());
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::reduction);
  auto body = [&](OpBuilder &inner, Location at, ValueRange elements) {
    Value element = elements[0];
    if (type.getElementTypeBitWidth() < 32)
      element = arith::ExtFOp::create(inner, at, inner.getF32Type(), element);
    auto kind = cast<FloatType>(element.getType());
    Value isNan = arith::CmpFOp::create(inner, at, arith::CmpFPredicate::UNO, element, element);
    Value magnitude = math::AbsFOp::create(inner, at, element);
    Value infinity =
        arith::ConstantOp::create(inner, at, inner.getFloatAttr(kind, APFloat::getInf(kind.getFloatSemantics())));
    Value isInfinite = arith::CmpFOp::create(inner, at, arith::CmpFPredicate::OEQ, magnitude, infinity);
    linalg::YieldOp::create(
        inner, at, ValueRange{countIf(inner, at, isNan, elements[1]), countIf(inner, at, isInfinite, elements[2])});
  };
  return linalg::GenericOp::create(builder, loc, TypeRange{count, count}, ValueRange{value}, ValueRange{zero, zero},
                                   ArrayRef<AffineMap>{whole, one, one}, loops, body)
      ->getResults();
}

/// Makes the function return the counts of the values, and nothing else; which values have some.
SmallVector<Value> returnCounts(func::FuncOp function, ArrayRef<Value> values, const IRMapping &map) {
  SmallVector<Value> counted, counts;
  Block &body = function.getBody().front();
  for (Value value : values)
    if (Value copy = map.lookupOrNull(value); copy && copy.getParentBlock() == &body) {
      counted.push_back(value);
      llvm::append_range(counts, countsOf(copy));
    }
  body.getTerminator()->setOperands(counts);
  function.setType(
      FunctionType::get(function.getContext(), function.getArgumentTypes(), ValueRange(counts).getTypes()));
  function.removeResAttrsAttr();
  return counted;
}

llvm::Expected<std::vector<HostTensor>> runCounts(func::FuncOp counting, const RunArguments &arguments,
                                                  const ValueOptions &options) {
  auto sized = arguments.specialized(counting);
  if (!sized)
    return sized.takeError();
  auto function = (*sized)->lookupSymbol<func::FuncOp>(counting.getName());
  llvm::BitVector all(function.getNumArguments(), true);
  auto inputs = arguments.make(all);
  if (!inputs)
    return inputs.takeError();
  std::vector<HostTensor> tensors;
  for (InputValue &input : *inputs)
    tensors.push_back(std::move(input.tensor));
  auto results = callOnHost(function, tensors, options);
  if (!results)
    return results.takeError();
  if (!results->meaningless.empty())
    return fail(results->meaningless);
  return std::move(results->outputs);
}

} // namespace

llvm::Expected<NonFiniteFinding> findNonFinite(ModuleOp module, const ValueOptions &options) {
  auto entry = pickFunction(module, options.function);
  if (!entry)
    return entry.takeError();
  std::string name = entry->getName().str();
  if (isOnBuffers(*entry))
    return fail("@" + name + " is on buffers, which change while it runs: choose a step before bufferization");
  if (!entry->getBody().hasOneBlock())
    return fail("@" + name + " has branches: which of its blocks run is not known before");
  auto arguments = RunArguments::prepare(*entry, options);
  if (!arguments)
    return arguments.takeError();
  IRMapping map;
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(entry->getOperation()->getParentOfType<ModuleOp>()->clone(map)));
  inlineDispatchRegions(*copy);
  auto function = copy->lookupSymbol<func::FuncOp>(name);
  SmallVector<Value> counted = returnCounts(function, valuesOf(*entry), map);
  NonFiniteFinding finding{.checked = unsigned(counted.size()), .function = name};
  if (counted.empty())
    return finding;
  auto counts = runCounts(function, *arguments, options);
  if (!counts)
    return counts.takeError();
  for (auto [index, value] : llvm::enumerate(counted)) {
    int64_t nan = (*counts)[2 * index].integerAt(0), infinite = (*counts)[2 * index + 1].integerAt(0);
    if (nan == 0 && (infinite == 0 || finding.value))
      continue;
    finding.value = value;
    finding.nan = nan;
    finding.infinite = infinite;
    if (nan > 0)
      break;
  }
  return finding;
}

} // namespace fuselage
