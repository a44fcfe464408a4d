#include "core/transforms/composites/CompositeOp.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace fuselage {

std::string CompositeOp::name() const {
  if (op_->isRegistered())
    return {};
  std::string name = displayName(op_);
  StringRef rest(name);
  return rest.consume_front("iree_linalg_ext.") || rest.consume_front("tm_tensor.") ? rest.str() : std::string();
}

/// The generic form has no keywords; there each result has its output, and outputs come last.
static unsigned inputsOfGeneric(Operation *op) {
  return op->getNumOperands() < op->getNumResults() ? 0 : op->getNumOperands() - op->getNumResults();
}

ValueRange CompositeOp::inputs() const {
  TolerantOp tolerant(op_);
  return tolerant ? tolerant.group("ins") : op_->getOperands().take_front(inputsOfGeneric(op_));
}

ValueRange CompositeOp::outputs() const {
  TolerantOp tolerant(op_);
  return tolerant ? tolerant.group("outs") : op_->getOperands().drop_front(inputsOfGeneric(op_));
}

bool CompositeOp::isOnTensors(unsigned inputs, unsigned outputs) const {
  ValueRange ins = this->inputs(), outs = this->outputs();
  auto isTensor = [](Value value) { return isa<RankedTensorType>(value.getType()); };
  return ins.size() == inputs && outs.size() == outputs && llvm::all_of(ins, isTensor) &&
         llvm::all_of(outs, isTensor) && TypeRange(op_->getResultTypes()) == TypeRange(outs.getTypes());
}

SmallVector<AffineMap> CompositeOp::indexingMaps() const {
  SmallVector<AffineMap> maps;
  auto list = op_->getAttrOfType<ArrayAttr>("indexing_maps");
  for (Attribute element : list ? list.getValue() : ArrayRef<Attribute>()) {
    auto map = dyn_cast<AffineMapAttr>(element);
    if (!map)
      return {};
    maps.push_back(map.getValue());
  }
  return maps;
}

std::optional<int64_t> CompositeOp::integer(StringRef attribute) const {
  if (auto number = op_->getAttrOfType<IntegerAttr>(attribute))
    return number.getInt();
  SmallVector<int64_t> list = integers(attribute);
  return list.size() == 1 ? std::optional(list.front()) : std::nullopt;
}

std::optional<bool> CompositeOp::boolean(StringRef attribute) const {
  auto flag = op_->getAttrOfType<BoolAttr>(attribute);
  return flag ? std::optional(flag.getValue()) : std::nullopt;
}

SmallVector<int64_t> CompositeOp::integers(StringRef attribute) const {
  SmallVector<int64_t> numbers;
  if (auto list = op_->getAttrOfType<DenseI64ArrayAttr>(attribute))
    numbers.append(list.asArrayRef().begin(), list.asArrayRef().end());
  else if (auto elements = op_->getAttrOfType<ArrayAttr>(attribute))
    for (Attribute element : elements)
      if (auto number = dyn_cast<IntegerAttr>(element))
        numbers.push_back(number.getInt());
  return numbers;
}

Block *CompositeOp::body() const {
  bool hasOne = op_->getNumRegions() == 1 && op_->getRegion(0).hasOneBlock() && !op_->getRegion(0).front().empty();
  return hasOne ? &op_->getRegion(0).front() : nullptr;
}

bool CompositeOp::hasKnownBody() const {
  Block *block = body();
  if (!block)
    return false;
  for (Operation &op : llvm::drop_end(*block)) {
    bool isKnown =
        op.isRegistered() && !op.walk([](Operation *inner) {
                                  return inner->isRegistered() ? WalkResult::advance() : WalkResult::interrupt();
                                }).wasInterrupted();
    if (!isKnown)
      return false;
  }
  return StringRef(displayName(&block->back())).ends_with(".yield");
}

SmallVector<Value> CompositeOp::inlineBody(OpBuilder &builder, ValueRange arguments) const {
  Block *block = body();
  IRMapping mapping;
  mapping.map(block->getArguments(), arguments);
  for (Operation &op : llvm::drop_end(*block))
    builder.clone(op, mapping);
  SmallVector<Value> yielded;
  for (Value value : block->back().getOperands())
    yielded.push_back(mapping.lookupOrDefault(value));
  return yielded;
}

} // namespace fuselage
