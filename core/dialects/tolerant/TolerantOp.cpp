#include "core/dialects/tolerant/TolerantOp.h"
#include "core/dialects/tolerant/SyntaxAttr.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace fuselage {

TolerantOp::operator bool() const { return SyntaxAttr::of(op_) != nullptr; }

std::string TolerantOp::name() const { return displayName(op_); }

std::vector<OperandGroup> TolerantOp::groups() const {
  SyntaxAttr syntax = SyntaxAttr::of(op_);
  if (!syntax)
    return {};
  std::vector<OperandGroup> groups;
  StringRef rest = syntax.getSyntax().groups;
  unsigned covered = 0;
  while (!rest.empty()) {
    StringRef entry;
    std::tie(entry, rest) = rest.split(';');
    auto [name, numbers] = entry.split(':');
    auto [first, count] = numbers.split(':');
    OperandGroup group{.name = name.str()};
    if (first.getAsInteger(10, group.first) || count.getAsInteger(10, group.count))
      return {};
    covered = std::max(covered, group.first + group.count);
    groups.push_back(std::move(group));
  }
  // An op that has lost or gained operands has other groups, nobody knows which.
  return covered == op_->getNumOperands() ? groups : std::vector<OperandGroup>();
}

OperandRange TolerantOp::group(StringRef name) const {
  for (const OperandGroup &group : groups())
    if (group.name == name)
      return op_->getOperands().slice(group.first, group.count);
  return op_->getOperands().take_front(0);
}

std::optional<SmallVector<OpFoldResult>> TolerantOp::mixedList(StringRef keyword) const {
  if (!*this)
    return std::nullopt;
  OperandRange operands = group(keyword);
  auto numbers = op_->getAttrOfType<DenseI64ArrayAttr>(keyword);
  SmallVector<OpFoldResult> list;
  if (!numbers) {
    llvm::append_range(list, operands);
    return list.empty() ? std::nullopt : std::optional(list);
  }
  Builder builder(op_->getContext());
  for (int64_t number : numbers.asArrayRef()) {
    if (!ShapedType::isDynamic(number)) {
      list.push_back(builder.getIndexAttr(number));
      continue;
    }
    if (operands.empty())
      return std::nullopt;
    list.push_back(operands.front());
    operands = operands.drop_front();
  }
  return list;
}

void TolerantOp::replaceAttribute(StringRef from, StringRef to, Attribute value) const {
  SyntaxAttr written = SyntaxAttr::of(op_);
  if (!written)
    return;
  Syntax syntax = written.getSyntax();
  NamedAttrList attributes(syntax.attributes);
  attributes.erase(from);
  attributes.set(to, value);
  SmallVector<NamedAttribute> sorted(attributes.getAttrs());
  llvm::sort(sorted);
  syntax.attributes = sorted;
  op_->removeAttr(from);
  op_->setAttr(to, value);
  op_->setAttr(SyntaxAttr::key, SyntaxAttr::get(op_->getContext(), syntax));
}

bool TolerantOp::isGap() const { return op_->getName().getStringRef() == kGapOp; }

StringRef TolerantOp::gapText() const {
  auto text = op_->getAttrOfType<StringAttr>("text");
  return isGap() && text ? text.getValue() : StringRef();
}

std::string displayName(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (op->isRegistered())
    return name.str();
  if (SyntaxAttr::of(op))
    name.consume_front("std.");
  std::string displayed = name.str();
  // The twin of an upstream dialect. A dialect may have a name in upper case itself; then the same in
  // lower case is not one of MLIR's.
  if (!displayed.empty() && displayed.front() != llvm::toLower(displayed.front())) {
    std::string original = displayed;
    original.front() = llvm::toLower(original.front());
    StringRef dialectNamespace = StringRef(original).split('.').first;
    if (llvm::is_contained(op->getContext()->getAvailableDialects(), dialectNamespace) ||
        op->getContext()->getLoadedDialect(dialectNamespace))
      return original;
  }
  return displayed;
}

} // namespace fuselage
