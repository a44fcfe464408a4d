#include "core/graph/model/GraphNames.h"
#include "core/analysis/costs/Costs.h"
#include "core/ir/Session.h"
#include "core/ir/ops/ValueNames.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

std::string asUtf8(std::string text) { return llvm::json::isUTF8(text) ? std::move(text) : llvm::json::fixUTF8(text); }

std::string symbolName(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  return name ? asUtf8(name.getValue().str()) : std::string();
}

std::string locationName(Location location) { return asUtf8(formatPosition(positionOf(location))); }

static OpPrintingFlags trusting() { return withValueNames(); }

AsmState &GraphNames::allNames() {
  if (known_)
    return *known_;
  if (!all_)
    all_.emplace(module_, trusting());
  return *all_;
}

/// Whether MLIR names the arguments of a block before all other values: those of a function.
static bool isNamedFirst(Block *block) {
  Operation *op = block->getParentOp();
  if (!op || !block->isEntryBlock() || block->getParent()->getRegionNumber() != 0 || op->getNumOperands() != 0 ||
      op->getNumResults() != 0)
    return false;
  for (Block *around = op->getBlock(); around; around = around->getParentOp()->getBlock())
    if (around->getNumArguments() != 0)
      return false;
  return true;
}

GraphNames::Shell &GraphNames::shellOf(Block *body) {
  if (shell_.body == body)
    return shell_;
  shell_.names.reset();
  shell_.body = body;
  shell_.op = body->getParentOp()->cloneWithoutRegions();
  Block &block = shell_.op->getRegion(0).emplaceBlock();
  for (BlockArgument argument : body->getArguments())
    block.addArgument(argument.getType(), argument.getLoc());
  shell_.names.emplace(*shell_.op, trusting());
  return shell_;
}

std::string GraphNames::nameOf(Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto argument = dyn_cast<BlockArgument>(value);
  if (!known_ && !all_ && argument && isNamedFirst(argument.getOwner())) {
    Shell &shell = shellOf(argument.getOwner());
    shell.op->getRegion(0).getArgument(argument.getArgNumber()).printAsOperand(os, *shell.names);
  } else {
    value.printAsOperand(os, allNames());
  }
  return asUtf8(std::move(text));
}

/// As MLIR prints it.
template <typename T> static std::string printed(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

GraphNames::TypeEntry &GraphNames::entryOf(Type type) {
  auto [entry, added] = types_.try_emplace(type);
  if (added) {
    entry->second.name = asUtf8(printed(type));
    entry->second.bytes = byteSize(type).value_or(-1);
  }
  return entry->second;
}

} // namespace fuselage
