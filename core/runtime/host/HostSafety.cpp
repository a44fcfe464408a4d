#include "core/runtime/host/HostSafety.h"
#include "core/ir/Session.h"
#include "core/runtime/host/PoisonChecks.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace fuselage {

/// "the host does not run 'llvm.call': why", at the op's place.
static llvm::Error refusal(Operation *op, const std::string &why) {
  SourcePosition position = positionOf(op->getLoc());
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
    return !name.starts_with("fuselage.") && !name.starts_with("bufferization.");
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

/// Symbols without a body that nobody refers to do no harm.
static void dropUnusedDeclarations(ModuleOp module) {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    auto function = llvm::dyn_cast<func::FuncOp>(op);
    bool declaration = function && function.isExternal();
    bool llvmSymbol = llvm::isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op);
    if ((declaration || llvmSymbol) && SymbolTable::symbolKnownUseEmpty(&op, module))
      op.erase();
  }
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

/// Refuses the first op under `root` that reaches out.
static llvm::Error refuseOps(Operation *root) {
  llvm::Error error = llvm::Error::success();
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto symbol = op->getAttrOfType<FlatSymbolRefAttr>(llvm::isa<func::ConstantOp>(op) ? "value" : "callee");
    auto callee = symbol && llvm::isa<func::CallOp, func::ConstantOp>(op)
                      ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, symbol)
                      : func::FuncOp();
    if (callee && callee.isExternal() && callee.getName() != kPoisonHook)
      error = refusal(op, "a call of @" + callee.getName().str() + ", which has no body in the module");
    else if (isUnsafe(op))
      error = refusal(op, "'" + op->getName().getStringRef().str() + "': it reaches beyond the values of the module");
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
  for (auto function : module.getOps<func::FuncOp>())
    if (llvm::Error error = refuseOps(function))
      return error;
  return refuseOps(module);
}

/// The functions that the lowering of math, complex and arith calls, for doubles.
static bool isMathFunction(StringRef name) {
  static const llvm::StringSet<> doubles = {
      "acos",  "acosh", "asin", "asinh", "atan",  "atan2", "atanh", "cbrt",  "ceil",      "cos",  "cosh",
      "erf",   "erfc",  "exp",  "exp2",  "expm1", "fabs",  "floor", "fma",   "fmax",      "fmin", "fmod",
      "log",   "log10", "log1p", "log2", "nearbyint", "pow", "rint", "round", "roundeven", "sin", "sincos",
      "sinh",  "sqrt",  "tan",  "tanh",  "trunc", "copysign", "cabs", "carg", "ccos",      "cexp", "clog",
      "cpow",  "csin",  "csqrt", "ctan", "ctanh"};
  return doubles.contains(name) || (name.consume_back("f") && doubles.contains(name));
}

llvm::Error refuseForeignSymbols(ModuleOp module, const llvm::StringMap<void *> &ours) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    StringRef name = function.getName();
    if (!function.isExternal() || ours.contains(name) || isMathFunction(name) || name.starts_with("llvm."))
      continue;
    return refusal(function, "a call of '" + name.str() + "': it is neither in the module nor a function of mathematics");
  }
  return llvm::Error::success();
}

} // namespace fuselage
