#include "core/rewrites/OpNumbers.h"
#include "mlir/IR/SymbolTable.h"

namespace fuselage {

mlir::StringAttr symbolOf(mlir::Operation *op) {
  if (op->getNumRegions() == 0)
    return {};
  return op->getAttrOfType<mlir::StringAttr>(mlir::SymbolTable::getSymbolAttrName());
}

OpNumbers::OpNumbers(RewriteLog &log, mlir::Operation *root) : log_(log) {
  log_.functions.push_back("");
  functions_[""] = 0;
  addTree(root, 0);
}

void OpNumbers::addTree(mlir::Operation *op, unsigned function) {
  if (symbolOf(op))
    function = numberOfFunction(op);
  add(op, log_.ops.size(), function);
  for (mlir::Region &region : op->getRegions())
    for (mlir::Operation &nested : region.getOps())
      addTree(&nested, function);
}

unsigned OpNumbers::add(mlir::Operation *op, int64_t before, unsigned function) {
  unsigned number = log_.ops.size();
  log_.ops.push_back({.name = op->getName(), .location = op->getLoc(), .function = function, .before = before});
  numbers_[op] = number;
  return number;
}

unsigned OpNumbers::numberOfFunction(mlir::Operation *symbol) {
  mlir::StringAttr name = symbolOf(symbol);
  auto [known, isNew] = functions_.try_emplace(name.getValue(), log_.functions.size());
  if (isNew)
    log_.functions.push_back(name.getValue().str());
  return known->second;
}

unsigned OpNumbers::functionOf(mlir::Operation *op) {
  while (op && !symbolOf(op))
    op = op->getParentOp();
  return op ? numberOfFunction(op) : 0;
}

bool OpNumbers::isKnown(mlir::Operation *op) const {
  auto known = numbers_.find(op);
  // Of another name it is a new op where one lay that is gone.
  return known != numbers_.end() && log_.ops[known->second].name == op->getName();
}

unsigned OpNumbers::of(mlir::Operation *op) { return isKnown(op) ? numbers_.lookup(op) : add(op, -1, functionOf(op)); }

void OpNumbers::finish(mlir::Operation *root) {
  int64_t id = 0;
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (isKnown(op))
      log_.ops[numbers_.lookup(op)].after = id;
    ++id;
  });
}

} // namespace fuselage
