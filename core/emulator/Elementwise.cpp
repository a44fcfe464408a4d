#include "core/emulator/Elementwise.h"
#include "core/emulator/Machine.h"

namespace fuselage::emulator {

static bool isInOrder(llvm::ArrayRef<ElementId> elements) {
  for (size_t i = 1; i < elements.size(); ++i)
    if (elements[i].index != elements[0].index + i)
      return false;
  return true;
}

Elementwise::Elementwise(const LaneOperation &operation, ElementIds result, llvm::ArrayRef<ElementIds> operands)
    : operation_(operation), result_(std::move(result)) {
  for (size_t i = 0; i < 3; ++i)
    operands_[i] = operands[std::min(i, operands.size() - 1)];
  isContiguous_ = isInOrder(result_) && llvm::all_of(operands_, [](auto &operand) { return isInOrder(operand); });
  weight = unsigned(result_.size());
}

void Elementwise::run(Machine &machine) const {
  const Mask &mask = machine.mask();
  unsigned begin = isUniform ? 0 : mask.begin, count = isUniform ? 1 : mask.end - mask.begin;
  bool atOnce = isContiguous_ && count == machine.lanes();
  for (size_t i = 0; i < (atOnce ? 1 : result_.size()); ++i)
    operation_.run({machine.lanesOf(result_[i], begin), machine.lanesOf(operands_[0][i], begin),
                    machine.lanesOf(operands_[1][i], begin), machine.lanesOf(operands_[2][i], begin),
                    atOnce ? count * result_.size() : count, operation_.parameter});
  if (isUniform && isBroadcast)
    for (ElementId id : result_)
      machine.broadcast(id);
}

} // namespace fuselage::emulator
