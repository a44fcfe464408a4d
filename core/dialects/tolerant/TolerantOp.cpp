#include "core/dialects/tolerant/TolerantOp.h"

using namespace mlir;

namespace fuselage {

TolerantOp::operator bool() const { return false; }

std::string TolerantOp::name() const { return displayName(op_); }

std::vector<OperandGroup> TolerantOp::groups() const { return {}; }

OperandRange TolerantOp::group(llvm::StringRef) const { return op_->getOperands().take_front(0); }

std::optional<llvm::SmallVector<OpFoldResult>> TolerantOp::mixedList(llvm::StringRef) const {
  return std::nullopt;
}

bool TolerantOp::isGap() const { return op_->getName().getStringRef() == "fuselage.gap"; }

llvm::StringRef TolerantOp::gapText() const {
  auto text = op_->getAttrOfType<StringAttr>("text");
  return text ? text.getValue() : llvm::StringRef();
}

std::string displayName(Operation *op) {
  std::string name = op->getName().getStringRef().str();
  if (!name.empty())
    name.front() = llvm::toLower(name.front());
  return name;
}

} // namespace fuselage
