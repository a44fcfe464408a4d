// Functions, globals and nested modules.
#include "core/reduce/cuts/Cuts.h"
#include "core/reduce/cuts/Functions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace fuselage {
namespace {

/// Symbols, and modules that have no name, in the order of the program.
std::vector<Operation *> symbolsOf(ModuleOp module) {
  std::vector<Operation *> symbols;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module && (isa<SymbolOpInterface>(op) || isa<ModuleOp>(op)))
      symbols.push_back(op);
  });
  return symbols;
}

StringRef nameOf(Operation *symbol) {
  auto name = symbol->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  return name ? name.getValue() : StringRef();
}

bool isUsed(Operation *symbol, ModuleOp module) {
  return !nameOf(symbol).empty() && !SymbolTable::symbolKnownUseEmpty(symbol, module);
}

/// A declaration of the same name.
bool dropBody(Operation *symbol) {
  auto function = dyn_cast<func::FuncOp>(symbol);
  if (!function || function.isDeclaration())
    return false;
  function.eraseBody();
  function.setPrivate();
  return true;
}

bool cutSymbols(ModuleOp module, const llvm::BitVector &places, const CutLimits &limits) {
  std::vector<Operation *> all = symbolsOf(module), chosen;
  for (unsigned place : places.set_bits())
    if (!limits.isRun(nameOf(all[place])))
      chosen.push_back(all[place]);
  // What is in another that is chosen goes with it.
  llvm::erase_if(chosen, [&](Operation *symbol) {
    return llvm::any_of(chosen, [&](Operation *other) { return other->isProperAncestor(symbol); });
  });
  bool changed = false;
  // Callers stand before or after what they call.
  for (bool again = true; again;) {
    again = false;
    for (Operation *&symbol : chosen)
      if (symbol && !isUsed(symbol, module)) {
        symbol->erase();
        symbol = nullptr;
        again = changed = true;
      }
    llvm::erase(chosen, nullptr);
  }
  for (Operation *symbol : chosen)
    changed |= dropBody(symbol);
  return changed;
}

bool liftNestedModule(ModuleOp module) {
  Block &body = *module.getBody();
  auto inner = llvm::hasSingleElement(body) ? dyn_cast<ModuleOp>(body.front()) : ModuleOp();
  if (!inner)
    return false;
  module->setAttrs(inner->getAttrDictionary());
  body.getOperations().splice(body.end(), inner.getBody()->getOperations());
  inner.erase();
  return true;
}

} // namespace

WholeCut nestedModuleCut() { return {"a nested module is lifted", liftNestedModule}; }

PlacedCut symbolCut(const CutLimits &limits) {
  return {"functions are dropped", [](ModuleOp module) { return unsigned(symbolsOf(module).size()); },
          [limits](ModuleOp module, const llvm::BitVector &places) { return cutSymbols(module, places, limits); }};
}

} // namespace fuselage
