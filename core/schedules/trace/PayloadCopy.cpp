#include "core/schedules/trace/PayloadCopy.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

namespace fuselage {

/// Puts a copy of `op` where the symbol of its name is in `module`.
static void substitute(mlir::ModuleOp module, mlir::Operation *op, mlir::IRMapping &mapping) {
  auto name = op->getAttrOfType<mlir::StringAttr>(mlir::SymbolTable::getSymbolAttrName());
  mlir::Operation *original = name ? mlir::SymbolTable::lookupSymbolIn(module, name) : nullptr;
  if (!original || original->getParentOp() != module)
    return;
  mlir::OpBuilder builder(original);
  builder.insert(op->clone(mapping));
  original->erase();
}

llvm::DenseMap<mlir::Operation *, OpId> numberOps(mlir::ModuleOp module) {
  llvm::DenseMap<mlir::Operation *, OpId> numbers;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) { numbers.try_emplace(op, numbers.size()); });
  return numbers;
}

PayloadCopy copyPayload(mlir::ModuleOp working, llvm::ArrayRef<mlir::Operation *> detached) {
  for (mlir::Operation *op : detached)
    if (auto module = mlir::dyn_cast<mlir::ModuleOp>(op))
      return copyPayload(module, {});
  PayloadCopy copy;
  if (detached.empty()) { // pre-order numbers are those of the copy
    copy.module = std::make_shared<const mlir::OwningOpRef<mlir::ModuleOp>>(working.clone());
    copy.ids = numberOps(working);
    return copy;
  }
  mlir::IRMapping mapping;
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::cast<mlir::ModuleOp>(working->clone(mapping));
  for (mlir::Operation *op : detached)
    substitute(*module, op, mapping);
  llvm::DenseMap<mlir::Operation *, OpId> numbers = numberOps(*module);
  auto add = [&](mlir::Operation *op) {
    mlir::Operation *twin = mapping.lookupOrNull(op);
    if (auto found = numbers.find(twin); twin && found != numbers.end())
      copy.ids[op] = found->second;
  };
  working->walk(add);
  for (mlir::Operation *op : detached)
    op->walk(add);
  copy.module = std::make_shared<const mlir::OwningOpRef<mlir::ModuleOp>>(std::move(module));
  return copy;
}

} // namespace fuselage
