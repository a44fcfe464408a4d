#include "core/bisect/LoweredModule.h"
#include "core/executable/HostSymbols.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace fuselage {

void useHostAllocator(ModuleOp module) {
  constexpr std::pair<const char *, const char *> names[] = {
      {"malloc", host::kAlloc}, {"aligned_alloc", host::kAlignedAlloc}, {"free", host::kFree}};
  for (auto [name, ours] : names) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
    if (!function || !function.isExternal())
      continue;
    auto symbol = StringAttr::get(module.getContext(), ours);
    (void)SymbolTable::replaceAllSymbolUses(function, symbol, module);
    if (module.lookupSymbol(ours))
      function.erase();
    else
      function.setName(symbol);
  }
}

} // namespace fuselage
