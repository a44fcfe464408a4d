#include "core/reduce/cuts/Functions.h"

using namespace mlir;

namespace fuselage {

std::vector<FunctionOpInterface> functionsOf(ModuleOp module) {
  std::vector<FunctionOpInterface> functions;
  module.walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    if (!function.isExternal())
      functions.push_back(function);
  });
  return functions;
}

std::vector<FunctionOpInterface> uncalledFunctionsOf(ModuleOp module) {
  std::vector<FunctionOpInterface> functions = functionsOf(module);
  std::erase_if(functions, [&](FunctionOpInterface function) {
    return !SymbolTable::symbolKnownUseEmpty(function.getOperation(), module);
  });
  return functions;
}

std::vector<Operation *> returnsOf(FunctionOpInterface function) {
  std::vector<Operation *> returns;
  for (Block &block : function.getFunctionBody())
    if (Operation *last = block.empty() ? nullptr : &block.back(); last && last->hasTrait<OpTrait::ReturnLike>())
      returns.push_back(last);
  return returns;
}

} // namespace fuselage
