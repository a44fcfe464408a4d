#include "core/codegen/host/safety/HostSafety.h"
#include "core/codegen/host/kernels/ParallelCalls.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/executable/HostSymbols.h"
#include "core/ir/Session.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace fuselage {

/// "the host does not run 'llvm.call': why", at the op's place.
static llvm::Error refusal(Operation *op, const std::string &why) {
  SourcePosition position = positionOf(op);
  std::string place = formatPosition(position);
  return fail("the host does not run " + why + (place.empty() ? "" : " (" + place + ")"),
              {{.message = "a module that is run may do nothing but compute",
                .file = position.file,
                .line = position.line,
                .column = position.column,
                .notes = {}}});
}

/// True if a value of the type is, or holds, an address.
static bool holdsPointer(Type type) {
  return type
      .walk([](Type part) {
        return llvm::isa<LLVM::LLVMPointerType>(part) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Ops that no computation on tensors needs and that reach, or could reach, anything.
static bool isUnsafe(Operation *op) {
  if (llvm::any_of(op->getOperandTypes(), holdsPointer) || llvm::any_of(op->getResultTypes(), holdsPointer))
    return true;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (llvm::any_of(block.getArgumentTypes(), holdsPointer))
        return true;
  StringRef name = op->getName().getStringRef();
  if (name == "vector.print")
    return true;
  if (!llvm::isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
    return false;
  return llvm::isa<LLVM::InlineAsmOp, LLVM::CallIntrinsicOp, CallOpInterface, SymbolOpInterface>(op) ||
         !isMemoryEffectFree(op);
}

/// Attributes that the lowering would carry over to LLVM, and with them what they mean there.
static void dropForeignAttributes(ModuleOp module) {
  auto isForeign = [](NamedAttribute attribute) {
    StringRef name = attribute.getName();
    return name == kTasksAttr || (!name.starts_with("fuselage.") && !name.starts_with("bufferization."));
  };
  module->setDiscardableAttrs(ArrayRef<NamedAttribute>());
  for (auto function : module.getOps<func::FuncOp>()) {
    for (NamedAttribute attribute : llvm::to_vector(function->getDiscardableAttrs()))
      if (isForeign(attribute))
        function->removeDiscardableAttr(attribute.getName());
    function_interface_impl::setAllArgAttrDicts(
        function, SmallVector<DictionaryAttr>(function.getNumArguments(), DictionaryAttr()));
    function_interface_impl::setAllResultAttrDicts(
        function, SmallVector<DictionaryAttr>(function.getNumResults(), DictionaryAttr()));
  }
}

/// True for a symbol that the module names and does not define: a linker would look for it
/// elsewhere.
static bool isDeclared(Operation *op) {
  if (auto global = llvm::dyn_cast<memref::GlobalOp>(op))
    return global.isExternal();
  auto symbol = llvm::dyn_cast<SymbolOpInterface>(op);
  return symbol && symbol.isDeclaration();
}

/// Symbols without a definition that nobody refers to do no harm.
static void dropUnusedDeclarations(ModuleOp module) {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if ((isDeclared(&op) || llvm::isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op)) &&
        SymbolTable::symbolKnownUseEmpty(&op, module))
      op.erase();
}

/// A function that calls itself, directly or through others; null if none does. Iterative, since chains of
/// calls may be long.
static func::FuncOp findRecursion(ModuleOp module) {
  enum class State { Open, Done };
  llvm::DenseMap<Operation *, State> states;
  SymbolTable symbols(module);
  auto callees = [&](func::FuncOp function) {
    SmallVector<func::FuncOp> found;
    function.walk([&](Operation *op) {
      if (auto uses = llvm::isa<func::CallOp, func::ConstantOp>(op)
                          ? op->getAttrOfType<FlatSymbolRefAttr>(llvm::isa<func::CallOp>(op) ? "callee" : "value")
                          : FlatSymbolRefAttr())
        if (auto callee = symbols.lookup<func::FuncOp>(uses.getAttr()))
          found.push_back(callee);
    });
    return found;
  };
  for (auto start : module.getOps<func::FuncOp>()) {
    if (states.contains(start))
      continue;
    SmallVector<std::pair<func::FuncOp, SmallVector<func::FuncOp>>> stack;
    states[start] = State::Open;
    stack.emplace_back(start, callees(start));
    while (!stack.empty()) {
      if (stack.back().second.empty()) {
        states[stack.back().first] = State::Done;
        stack.pop_back();
        continue;
      }
      func::FuncOp next = stack.back().second.pop_back_val();
      auto [state, fresh] = states.try_emplace(next, State::Open);
      if (!fresh && state->second == State::Open)
        return next;
      if (fresh)
        stack.emplace_back(next, callees(next));
    }
  }
  return {};
}

/// Refuses the first op under `root` that refers to what the module only declares.
static llvm::Error refuseDeclared(Operation *root, SymbolTable &symbols) {
  auto uses = SymbolTable::getSymbolUses(root);
  if (!uses)
    return llvm::Error::success(); // there are ops that no dialect defines, and they are refused
                                   // for that
  for (const SymbolTable::SymbolUse &use : *uses) {
    Operation *symbol = symbols.lookup(use.getSymbolRef().getRootReference());
    if (!symbol || !isDeclared(symbol) || use.getSymbolRef().getRootReference() == host::kPoison)
      continue;
    std::string name = "@" + use.getSymbolRef().getRootReference().str();
    return refusal(use.getUser(), llvm::isa<FunctionOpInterface>(symbol)
                                      ? "a call of " + name + ", which has no body in the module"
                                      : "a use of " + name + ", which has no value in the module");
  }
  return llvm::Error::success();
}

/// Refuses the first op under `root` that reaches out.
static llvm::Error refuseOps(Operation *root) {
  llvm::Error error = llvm::Error::success();
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isUnsafe(op))
      error = refusal(op, "'" + displayName(op) + "': it reaches beyond the values of the module");
    return error ? WalkResult::interrupt() : WalkResult::advance();
  });
  return error;
}

llvm::Error refuseUnsafe(ModuleOp module) {
  dropForeignAttributes(module);
  dropUnusedDeclarations(module);
  if (func::FuncOp function = findRecursion(module))
    return refusal(function, "@" + function.getName().str() +
                                 ", which calls itself, directly or through others: it might never end");
  // What the functions do, before what lies beside them: the op that does it is what matters.
  SymbolTable symbols(module);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (llvm::Error error = refuseDeclared(function, symbols))
      return error;
    if (llvm::Error error = refuseOps(function))
      return error;
  }
  return refuseOps(module);
}

llvm::Error refuseUnsafeLowered(ModuleOp module) {
  dropForeignAttributes(module);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    function.removePassthroughAttr();
    function.removeSectionAttr();
    function.removePersonalityAttr();
  }
  for (auto global : module.getOps<LLVM::GlobalOp>())
    global.removeSectionAttr();
  llvm::Error error = llvm::Error::success();
  module.walk([&](Operation *op) {
    if (!llvm::isa<LLVM::InlineAsmOp, LLVM::CallIntrinsicOp, LLVM::GlobalCtorsOp, LLVM::GlobalDtorsOp, LLVM::IFuncOp,
                   LLVM::AliasOp>(op))
      return WalkResult::advance();
    error = refusal(op, "'" + displayName(op) + "': it may do more than compute");
    return WalkResult::interrupt();
  });
  return error;
}

llvm::Error refuseAddresses(ModuleOp module) {
  llvm::Error error = llvm::Error::success();
  module.walk([&](memref::ExtractAlignedPointerAsIndexOp op) {
    error = refusal(op, "'" + op->getName().getStringRef().str() + "': addresses are the process's own");
    return WalkResult::interrupt();
  });
  return error;
}

llvm::Error refuseForeignSymbols(ModuleOp module) {
  for (Operation &op : *module.getBody()) {
    auto global = llvm::dyn_cast<LLVM::GlobalOp>(op);
    if (global && !global.getValueAttr() && global.getInitializerRegion().empty())
      return refusal(&op, "a use of '" + global.getName().str() + "': it has no value in the module");
    auto function = llvm::dyn_cast<LLVM::LLVMFuncOp>(op);
    if (!function || !function.isExternal())
      continue;
    StringRef name = function.getName();
    if (!isHostRuntimeFunction(name) && !isMathFunction(name) && !name.starts_with("llvm."))
      return refusal(&op, "a call of '" + name.str() + "': it is neither in the module nor a function of mathematics");
  }
  return llvm::Error::success();
}

} // namespace fuselage
