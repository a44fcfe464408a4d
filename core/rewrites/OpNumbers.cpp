#include "core/rewrites/OpNumbers.h"
#include "mlir/IR/SymbolTable.h"

namespace fuselage {

mlir::StringAttr symbolOf(mlir::Operation *op) {
  if (op->getNumRegions() == 0)
    return {};
  return op->getAttrOfType<mlir::StringAttr>(mlir::SymbolTable::getSymbolAttrName());
}

OpNumbers::OpNumbers(RewriteLog &log, mlir::Operation *root, llvm::ArrayRef<mlir::StringAttr> functions)
    : log_(log), symbolName_(mlir::StringAttr::get(root->getContext(), mlir::SymbolTable::getSymbolAttrName())),
      noAttributes_(mlir::DictionaryAttr::get(root->getContext())) {
  log_.functions.push_back("");
  names_.emplace_back();
  reserveFor(root);
  if (functions.empty())
    addTree(root, 0);
  else
    addTree(root, functions);
}

/// Both grow by copies otherwise, which takes longer than counting.
void OpNumbers::reserveFor(mlir::Operation *root) {
  size_t count = 0;
  root->walk([&](mlir::Operation *) { ++count; });
  constexpr size_t share = 8; // of ops that the step may make
  log_.ops.reserve(count + count / share);
  numbers_.reserve(unsigned(count + count / share));
}

mlir::StringAttr OpNumbers::nameOf(mlir::Operation *op) {
  if (op->getNumRegions() == 0)
    return {};
  auto [canBeNamed, isNew] = canBeNamed_.try_emplace(op->getName(), true);
  if (isNew && op->isRegistered())
    canBeNamed->second = llvm::is_contained(op->getName().getAttributeNames(), symbolName_);
  if (canBeNamed->second)
    return symbolOf(op);
  if (op->getRawDictionaryAttrs() == noAttributes_)
    return {};
  return llvm::dyn_cast_if_present<mlir::StringAttr>(op->getDiscardableAttr(symbolName_));
}

void OpNumbers::addTree(mlir::Operation *op, unsigned function) {
  if (mlir::StringAttr name = nameOf(op))
    function = numberOfFunction(name);
  add(op, log_.ops.size(), function);
  for (mlir::Region &region : op->getRegions())
    for (mlir::Operation &nested : region.getOps())
      addTree(&nested, function);
}

void OpNumbers::addTree(mlir::Operation *root, llvm::ArrayRef<mlir::StringAttr> functions) {
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    const size_t number = log_.ops.size();
    add(op, int64_t(number), number < functions.size() ? numberOfFunction(functions[number]) : 0);
  });
}

std::vector<mlir::StringAttr> OpNumbers::functionsIn(mlir::Operation *root) {
  std::vector<mlir::StringAttr> functions;
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    std::optional<unsigned> number = known(op);
    functions.push_back(names_[number ? log_.ops[*number].function : functionOf(op)]);
  });
  return functions;
}

unsigned OpNumbers::add(mlir::Operation *op, int64_t before, unsigned function) {
  unsigned number = log_.ops.size();
  log_.ops.push_back({.name = op->getName(), .location = op->getLoc(), .function = function, .before = before});
  numbers_[op] = number;
  return number;
}

unsigned OpNumbers::numberOfFunction(mlir::StringAttr name) {
  if (!name || name.empty())
    return 0;
  auto [known, isNew] = functions_.try_emplace(name, log_.functions.size());
  if (isNew) {
    log_.functions.push_back(name.getValue().str());
    names_.push_back(name);
  }
  return known->second;
}

unsigned OpNumbers::functionOf(mlir::Operation *op) {
  for (; op && op != lastFunctionOp_; op = op->getParentOp())
    if (mlir::StringAttr name = nameOf(op)) {
      lastFunctionOp_ = op;
      lastFunction_ = numberOfFunction(name);
      break;
    }
  return op ? lastFunction_ : 0;
}

std::optional<unsigned> OpNumbers::known(mlir::Operation *op) const {
  auto found = numbers_.find(op);
  // Of another name it is a new op where one lay that is gone.
  if (found == numbers_.end() || log_.ops[found->second].name != op->getName())
    return std::nullopt;
  return found->second;
}

std::pair<unsigned, bool> OpNumbers::met(mlir::Operation *op) {
  auto [known, isNew] = numbers_.try_emplace(op, unsigned(log_.ops.size()));
  if (!isNew && log_.ops[known->second].name == op->getName())
    return {known->second, false};
  const unsigned number = known->second = unsigned(log_.ops.size());
  log_.ops.push_back({.name = op->getName(), .location = op->getLoc(), .function = functionOf(op)});
  return {number, true};
}

void OpNumbers::finish(mlir::Operation *root) {
  int64_t id = 0;
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (std::optional<unsigned> number = known(op))
      log_.ops[*number].after = id;
    ++id;
  });
}

} // namespace fuselage
