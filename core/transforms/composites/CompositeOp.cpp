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

/// The operands of a group with a keyword, or the segment of that number in the generic form.
static OperandRange groupOf(Operation *op, StringRef keyword, unsigned segment) {
  if (TolerantOp tolerant(op); tolerant)
    return tolerant.group(keyword);
  OperandRange none = op->getOperands().take_front(0);
  auto sizes = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  if (!sizes || sizes.size() != 2)
    return none;
  ArrayRef<int32_t> counts = sizes.asArrayRef();
  if (counts[0] < 0 || counts[1] < 0 || int64_t(counts[0]) + counts[1] != op->getNumOperands())
    return none;
  return segment == 0 ? op->getOperands().take_front(counts[0]) : op->getOperands().drop_front(counts[0]);
}

ValueRange CompositeOp::inputs() const { return groupOf(op_, "ins", 0); }
ValueRange CompositeOp::outputs() const { return groupOf(op_, "outs", 1); }

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
    bool isKnown = op.isRegistered() && op.getNumRegions() == 0;
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
