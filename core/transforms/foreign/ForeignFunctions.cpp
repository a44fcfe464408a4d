#include "core/transforms/foreign/ForeignFunctions.h"
#include "core/dialects/decoders/DecoderSupport.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/foreign/ForeignOps.h"
#include "core/transforms/stablehlo/HloOp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace fuselage {

//===-- util.func ---------------------------------------------------------===//

SmallVector<Operation *> returnsOf(Region &body) {
  SmallVector<Operation *> returns;
  for (Block &block : body)
    if (!block.empty() && (isForeign(&block.back(), "util.return") || isa<func::ReturnOp>(block.back())))
      returns.push_back(&block.back());
  return returns;
}

FunctionType typeByBody(Operation *op) {
  auto attribute = op->getAttrOfType<TypeAttr>("function_type");
  auto declared = attribute ? dyn_cast<FunctionType>(attribute.getValue()) : FunctionType();
  Region &body = op->getRegion(0);
  if (body.empty())
    return declared;
  SmallVector<Operation *> returns = returnsOf(body);
  TypeRange results = !returns.empty() ? TypeRange(returns.front()->getOperandTypes())
                      : declared       ? TypeRange(declared.getResults())
                                       : TypeRange();
  for (Operation *end : returns)
    if (TypeRange(end->getOperandTypes()) != results)
      return {};
  return FunctionType::get(op->getContext(), body.getArgumentTypes(), results);
}

/// Attributes that mean something to somebody else: those of a dialect.
static void copyAttributes(Operation *from, func::FuncOp to) {
  for (NamedAttribute attribute : from->getDiscardableAttrs())
    if (attribute.getName().getValue().contains('.') && !attribute.getName().getValue().starts_with("fuselage."))
      to->setAttr(attribute.getName(), attribute.getValue());
  auto visibility = from->getAttrOfType<StringAttr>(SymbolTable::getVisibilityAttrName());
  if (visibility && llvm::is_contained({"private", "nested"}, visibility.getValue()))
    to.setSymVisibilityAttr(visibility);
}

static void convertFunction(Operation *op) {
  std::string name = symbolOf(op);
  FunctionType type = op->getNumRegions() == 1 ? typeByBody(op) : FunctionType();
  if (name.empty() || !type) {
    op->emitRemark("stays as it is: its name or its type cannot be told");
    return;
  }
  OpBuilder builder(op);
  auto function = func::FuncOp::create(builder, op->getLoc(), name, type);
  copyAttributes(op, function);
  function.getBody().takeBody(op->getRegion(0));
  if (function.getBody().empty())
    function.setPrivate();
  for (Operation *end : returnsOf(function.getBody())) {
    if (isa<func::ReturnOp>(end))
      continue;
    builder.setInsertionPoint(end);
    func::ReturnOp::create(builder, end->getLoc(), end->getOperands());
    end->erase();
  }
  op->erase();
}

void convertFunctions(ModuleOp module) {
  for (Operation *op : collectOps(module, [](Operation *op) { return isForeign(op, "util.func"); }))
    convertFunction(op);
}

//===-- Calls -------------------------------------------------------------===//

static bool isComposite(Operation *op) { return HloOp::isHlo(op) && HloOp(op).name() == "composite"; }

/// What a call names, or the function that a composite op of StableHLO stands for.
static SymbolRefAttr calleeOf(Operation *op) {
  return isComposite(op) ? dyn_cast_or_null<FlatSymbolRefAttr>(HloOp(op).attribute({"decomposition"}))
                         : firstSymbolRef(op);
}

void convertCalls(ModuleOp module) {
  SymbolTableCollection symbols;
  auto isCall = [](Operation *op) { return isForeign(op, "util.call") || isComposite(op); };
  for (Operation *op : collectOps(module, isCall)) {
    SymbolRefAttr callee = calleeOf(op);
    auto function = callee ? symbols.lookupNearestSymbolFrom<func::FuncOp>(op, callee) : func::FuncOp();
    if (!function || TypeRange(function.getArgumentTypes()) != TypeRange(op->getOperandTypes()) ||
        TypeRange(function.getResultTypes()) != TypeRange(op->getResultTypes()))
      continue;
    OpBuilder builder(op);
    auto call = func::CallOp::create(builder, op->getLoc(), callee, op->getResultTypes(), op->getOperands());
    op->replaceAllUsesWith(call);
    op->erase();
  }
}

/// The attributes of an op that may have symbols. Those that are properties become attributes when they are asked for,
/// which takes its time; arithmetic and structured ops have no symbols there.
static DictionaryAttr attributesWithSymbols(Operation *op) {
  bool hasNone = op->getPropertiesStorageSize() > 0 &&
                 isa_and_nonnull<arith::ArithDialect, linalg::LinalgDialect, math::MathDialect, tensor::TensorDialect>(
                     op->getDialect());
  return hasNone ? op->getDiscardableAttrDictionary() : op->getAttrDictionary();
}

void visitSymbolReferences(Operation *op, llvm::function_ref<void(SymbolRefAttr)> visit) {
  if (DictionaryAttr attributes = attributesWithSymbols(op); !attributes.empty())
    attributes.walk([&](SymbolRefAttr symbol) { visit(symbol); });
}

/// How often each symbol is referred to, by its last name.
static llvm::StringMap<unsigned> countReferences(ModuleOp module) {
  llvm::StringMap<unsigned> counts;
  module->walk([&](Operation *op) {
    visitSymbolReferences(op, [&](SymbolRefAttr symbol) { ++counts[symbol.getLeafReference().getValue()]; });
  });
  return counts;
}

SmallVector<func::FuncOp> entriesOf(ModuleOp module) {
  llvm::StringMap<unsigned> references = countReferences(module);
  SmallVector<func::FuncOp> entries;
  module->walk([&](func::FuncOp function) {
    if (!function.isExternal() && !function.isPrivate() && !references.contains(function.getName()))
      entries.push_back(function);
  });
  return entries;
}

/// The call that is all that a wrapper is there for; null where the function does more.
static Operation *wrappedCall(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return nullptr;
  Operation *call = nullptr;
  Block &body = function.getBody().front();
  for (Operation &op : body.without_terminator()) {
    if (isa<func::CallOp>(op) || isForeign(&op, "util.call")) {
      if (call)
        return nullptr;
      call = &op;
    } else if (!isa<arith::ConstantOp>(op) && !isForeignOf(&op, "hal.fence.") && !isForeignOf(&op, "hal.device") &&
               !isForeign(&op, "util.null")) {
      return nullptr;
    }
  }
  bool isForwarding = call && llvm::equal(body.getTerminator()->getOperands(), call->getResults());
  bool hasFence =
      call && llvm::any_of(call->getOperandTypes(), [](Type type) { return isTypeNamed(type, "!hal.fence"); });
  return isForwarding && hasFence ? call : nullptr;
}

void dropWrappers(ModuleOp module) {
  bool hasWrappers = module
                         ->walk([](func::FuncOp function) {
                           return wrappedCall(function) ? WalkResult::interrupt() : WalkResult::advance();
                         })
                         .wasInterrupted();
  if (!hasWrappers)
    return;
  llvm::StringMap<unsigned> references = countReferences(module);
  SymbolTableCollection symbols;
  for (func::FuncOp wrapper : entriesOf(module)) {
    Operation *call = wrappedCall(wrapper);
    SymbolRefAttr callee = call ? firstSymbolRef(call) : SymbolRefAttr();
    auto entry = callee ? symbols.lookupNearestSymbolFrom<func::FuncOp>(wrapper, callee) : func::FuncOp();
    if (!entry || entry.isExternal() || references.lookup(entry.getName()) != 1 ||
        entry->getParentOp() != wrapper->getParentOp())
      continue;
    std::string name = wrapper.getName().str();
    wrapper.erase();
    entry.setName(name);
    entry.setPublic();
    symbols.invalidateSymbolTable(entry->getParentOp());
  }
}

/// The private function of one block that a call runs, if it computes on tensors and is no dispatch; else null.
static func::FuncOp inlinableCallee(func::CallOp call, SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  bool isOne = callee && callee.isPrivate() && !isDispatch(callee) && callee.getBody().hasOneBlock() &&
               !callee->isAncestor(call) && isa<func::ReturnOp>(callee.getBody().front().getTerminator());
  if (!isOne)
    return {};
  auto isTensor = llvm::IsaPred<TensorType>;
  return llvm::any_of(callee.getArgumentTypes(), isTensor) || llvm::any_of(callee.getResultTypes(), isTensor)
             ? callee
             : func::FuncOp();
}

bool isPrivateCall(Operation *op, SymbolTableCollection &symbols) {
  auto call = dyn_cast<func::CallOp>(op);
  return call && inlinableCallee(call, symbols);
}

static void inlineCall(func::CallOp call, func::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping mapping;
  Block &body = callee.getBody().front();
  mapping.map(body.getArguments(), call.getOperands());
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  for (auto [result, returned] : llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(returned));
  call.erase();
}

void inlinePrivateCalls(ModuleOp module) {
  // A cycle of calls, or calls that double at every level, would go on for ever: ops are counted.
  constexpr unsigned mostOps = 1 << 20;
  unsigned added = 0;
  SymbolTableCollection symbols;
  llvm::SmallPtrSet<Operation *, 8> inlined;
  SmallVector<Operation *> calls = collectOps(module, [](Operation *op) { return isa<func::CallOp>(op); });
  for (unsigned round = 0; round < 64 && !calls.empty() && added < mostOps; ++round) {
    bool changed = false;
    for (Operation *op : calls) {
      func::FuncOp callee = inlinableCallee(cast<func::CallOp>(op), symbols);
      // Innermost first: what is put in place has no calls of its own left to inline.
      if (!callee || added > mostOps)
        continue;
      bool isLeaf = !callee
                         ->walk([&](func::CallOp inner) {
                           return inlinableCallee(inner, symbols) ? WalkResult::interrupt() : WalkResult::advance();
                         })
                         .wasInterrupted();
      if (!isLeaf)
        continue;
      callee->walk([&](Operation *) { ++added; });
      inlined.insert(callee);
      inlineCall(cast<func::CallOp>(op), callee);
      changed = true;
    }
    if (!changed)
      break;
    calls = collectOps(module, [](Operation *op) { return isa<func::CallOp>(op); });
  }
  if (inlined.empty())
    return;
  llvm::StringMap<unsigned> references = countReferences(module);
  for (Operation *op : inlined)
    if (!references.contains(cast<func::FuncOp>(op).getName()))
      op->erase();
}

} // namespace fuselage
