#include "core/codegen/host/Isolate.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace fuselage {

void cloneReferencedSymbols(Operation *root, ModuleOp module) {
  Operation *table = SymbolTable::getNearestSymbolTable(root);
  std::optional<SymbolTable::UseRange> uses = table ? SymbolTable::getSymbolUses(root) : std::nullopt;
  if (!uses)
    return;
  for (SymbolTable::SymbolUse use : *uses) {
    StringAttr name = use.getSymbolRef().getRootReference();
    if (SymbolTable::lookupSymbolIn(module, name))
      continue;
    Operation *symbol = SymbolTable::lookupSymbolIn(table, name);
    if (!symbol)
      continue;
    OpBuilder builder(module.getBodyRegion());
    builder.clone(*symbol);
    cloneReferencedSymbols(symbol, module);
  }
}

llvm::SetVector<Value> usedByOp(Operation *op) {
  llvm::SetVector<Value> used(op->getOperands().begin(), op->getOperands().end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  return used;
}

void bordersOf(ArrayRef<Operation *> group, llvm::SetVector<Value> &inputs, llvm::SetVector<Value> &outputs) {
  llvm::SmallDenseSet<Operation *> members(group.begin(), group.end());
  Block *block = group.front()->getBlock();
  for (Operation *op : group) {
    for (Value value : usedByOp(op))
      if (!value.getDefiningOp() || !members.contains(value.getDefiningOp()))
        inputs.insert(value);
    for (Value result : op->getResults())
      for (Operation *user : result.getUsers()) {
        Operation *inBlock = block->findAncestorOpInBlock(*user);
        if (!inBlock || !members.contains(inBlock))
          outputs.insert(result);
      }
  }
}

OwningOpRef<ModuleOp> isolateFunction(func::FuncOp function) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  OpBuilder builder(module->getBodyRegion());
  llvm::cast<func::FuncOp>(builder.clone(*function)).setPublic();
  cloneReferencedSymbols(function, *module);
  return module;
}

OwningOpRef<ModuleOp> isolateOps(ArrayRef<Operation *> ops, ArrayRef<Value> inputs, ArrayRef<Value> outputs) {
  Location loc = ops.front()->getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder(module->getBodyRegion());
  auto function =
      func::FuncOp::create(builder, loc, "run", builder.getFunctionType(TypeRange(inputs), TypeRange(outputs)));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping mapping;
  mapping.map(inputs, body->getArguments());
  for (Operation *op : ops)
    builder.clone(*op, mapping);
  SmallVector<Value> results;
  for (Value output : outputs)
    results.push_back(mapping.lookup(output));
  func::ReturnOp::create(builder, loc, results);
  for (Operation *op : ops)
    cloneReferencedSymbols(op, *module);
  return module;
}

} // namespace fuselage
