#include "core/transforms/stablehlo/HloReducer.h"
#include "core/transforms/stablehlo/ScalarOps.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"

using namespace mlir;

namespace fuselage {

/// "stablehlo.add" of `applies stablehlo.add across ...`; empty if the op has a body.
static std::string appliedOp(HloOp op) {
  StringRef text = op.text();
  size_t at = text.find(" applies ");
  if (at == StringRef::npos)
    return {};
  StringRef name = text.substr(at + strlen(" applies ")).ltrim();
  return name.take_until([](char c) { return c == ' '; }).str();
}

std::optional<HloReducer> HloReducer::of(HloCall &call) {
  HloReducer reducer(call);
  reducer.applied_ = appliedOp(call.op);
  if (!call.isOnTensors() || call.operands.empty() || call.operands.size() % 2 != 0) {
    (void)call.refuse("it is not on tensors of known rank");
    return std::nullopt;
  }
  unsigned count = call.operands.size() / 2;
  bool isPaired = !call.op.text().empty();
  for (unsigned at = 0; at < count; ++at) {
    reducer.inputs.push_back(call.operands[isPaired ? 2 * at : at]);
    Value initial = call.operands[isPaired ? 2 * at + 1 : count + at];
    if (cast<RankedTensorType>(initial.getType()).getRank() != 0 ||
        cast<RankedTensorType>(reducer.inputs[at].getType()).getShape() !=
            cast<RankedTensorType>(reducer.inputs[0].getType()).getShape()) {
      (void)call.refuse("its inputs and initial values do not fit");
      return std::nullopt;
    }
    reducer.initials.push_back(scalarOf(call.builder, call.loc, initial));
  }
  if (!reducer.applied_.empty())
    return count == 1 ? std::optional(reducer) : std::nullopt;
  if (call.op->getNumRegions() != 1 || !call.op->getRegion(0).hasOneBlock() ||
      call.op->getRegion(0).getNumArguments() != 2 * count) {
    (void)call.refuse("it has no body of one block");
    return std::nullopt;
  }
  reducer.body_ = &call.op->getRegion(0).front();
  reducer.isInterleaved_ = isPaired;
  return reducer;
}

std::string HloReducer::simple() const {
  if (body_)
    return simpleBody(*body_);
  bool isOnStored = isa<quant::QuantizedType>(call_->writtenOperand(0));
  return isOnStored ? std::string() : StringRef(applied_).split('.').second.str();
}

std::optional<SmallVector<Value>> HloReducer::combine(OpBuilder &builder, Location loc, ValueRange accumulated,
                                                      ValueRange added, std::string &why) const {
  if (!body_) {
    ScalarFunction lowering = scalarLowering(StringRef(applied_).split('.').second);
    Type written = call_->writtenOperand(0);
    ScalarCall call{.op = call_->op,
                    .builder = builder,
                    .loc = loc,
                    .args = {accumulated[0], added[0]},
                    .from = {written, written},
                    .to = written};
    Value result = lowering ? lowering(call) : Value();
    if (!result)
      why = "'" + applied_ + "' is not known on these elements";
    return result ? std::optional(SmallVector<Value>{result}) : std::nullopt;
  }
  SmallVector<Value> args(2 * size());
  for (unsigned at = 0; at < size(); ++at) {
    args[isInterleaved_ ? 2 * at : at] = accumulated[at];
    args[isInterleaved_ ? 2 * at + 1 : size() + at] = added[at];
  }
  // The body's types may be wider than an element's.
  for (auto [arg, declared] : llvm::zip_equal(args, body_->getArgumentTypes())) {
    Type type = signlessElement(elementOf(declared));
    if (arg.getType() == type)
      continue;
    arg = convertScalar(builder, loc, call_->op, arg, elementOf(declared), elementOf(declared));
    if (!arg) {
      why = "its body does not fit its elements";
      return std::nullopt;
    }
  }
  return inlineScalarBody(
      builder, *body_, args, [&](Value outer) { return call_->converted(outer); }, why);
}

} // namespace fuselage
