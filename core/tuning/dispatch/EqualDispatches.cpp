#include "core/tuning/dispatch/EqualDispatches.h"
#include "core/run/reference/HostPieces.h"
#include "llvm/ADT/StringMap.h"

namespace fuselage::tune {

std::vector<EqualDispatches> equalDispatches(const RunProgram &program) {
  std::vector<EqualDispatches> groups;
  llvm::StringMap<size_t> byKey, byName;
  for (mlir::func::FuncOp dispatch : program.dispatches) {
    auto [known, isNew] = byKey.try_emplace(functionKey(dispatch), groups.size());
    if (isNew)
      groups.push_back({.first = dispatch});
    groups[known->second].functions.push_back(dispatch.getName().str());
    byName[dispatch.getName()] = known->second;
  }
  mlir::ModuleOp(program.module.get()).walk([&](mlir::func::CallOp call) {
    if (auto called = byName.find(call.getCallee()); called != byName.end())
      ++groups[called->second].calls;
  });
  return groups;
}

} // namespace fuselage::tune
