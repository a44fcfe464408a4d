#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/dialects/decoders/DecoderSupport.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace fuselage {

bool isFunction(Operation *op) { return isa<FunctionOpInterface>(op) || decode(op).role == OpRole::Function; }

/// The outermost executable around an op, or null. Variants stand in it.
static Operation *executableAround(Operation *op) {
  Operation *found = nullptr;
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (!isa<ModuleOp>(parent) && decode(parent).role == OpRole::Executable)
      found = parent;
  return found;
}

bool isKernel(Operation *op) {
  if (executableAround(op))
    return true;
  auto touchesBinding = [](Operation *inner) {
    OpRole role = decode(inner).role;
    bool touches = role == OpRole::Binding || role == OpRole::TileLoad || role == OpRole::TileStore;
    return touches ? WalkResult::interrupt()
           // What a dispatch inside does is its own business.
           : role == OpRole::DispatchRegion ? WalkResult::skip()
                                            : WalkResult::advance();
  };
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (block.walk<WalkOrder::PreOrder>(touchesBinding).wasInterrupted())
        return true;
  return false;
}

/// The functions of an executable by name; of equal names, the first one with a body.
static llvm::StringMap<Operation *> collectKernels(Operation *executable) {
  llvm::StringMap<Operation *> kernels;
  executable->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == executable || !isFunction(op))
      return WalkResult::advance();
    bool hasBody = llvm::any_of(op->getRegions(), [](Region &region) { return !region.empty(); });
    if (std::string name = symbolOf(op); hasBody && !name.empty())
      kernels.try_emplace(name, op);
    return WalkResult::skip();
  });
  // Entry points may have names of their own and refer to the function.
  executable->walk([&](Operation *op) {
    DecodedOp decoded = decode(op);
    if (decoded.role != OpRole::EntryPoint || kernels.contains(decoded.symbol))
      return;
    SymbolRefAttr function = firstSymbolRef(op);
    if (Operation *kernel = function ? kernels.lookup(function.getLeafReference()) : nullptr)
      kernels[decoded.symbol] = kernel;
  });
  return kernels;
}

Operation *KernelFinder::find(Operation *call, StringRef callee) {
  auto [root, rest] = callee.split("::");
  StringRef entry = callee.substr(callee.rfind(':') + 1);
  if (rest.empty())
    return nullptr;
  for (Operation *scope = call->getParentOp(); scope; scope = scope->getParentOp()) {
    if (!isa<ModuleOp>(scope))
      continue;
    Operation *executable = symbols_.getSymbolTable(scope).lookup(root);
    if (!executable || decode(executable).role != OpRole::Executable)
      continue;
    auto [at, added] = kernels_.try_emplace(executable);
    if (added)
      at->second = collectKernels(executable);
    return at->second.lookup(entry);
  }
  return nullptr;
}

std::string qualifiedName(Operation *function) {
  Operation *executable = executableAround(function);
  std::string name = symbolOf(function);
  return executable ? symbolOf(executable) + "::" + name : name;
}

} // namespace fuselage
