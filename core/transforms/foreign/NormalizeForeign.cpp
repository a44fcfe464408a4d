// fuselage-normalize-foreign: functions and boundaries of other dialects in upstream's words.
#include "core/transforms/foreign/NormalizeForeign.h"
#include "core/dialects/decoders/DecoderSupport.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/transforms/foreign/ModernizeOps.h"
#include "core/transforms/foreign/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

namespace fuselage {
#define GEN_PASS_DEF_NORMALIZEFOREIGNPASS
#include "core/transforms/foreign/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

static bool isForeign(Operation *op, StringRef name) {
  return !op->isRegistered() && displayName(op) == name;
}

/// An import or export that does nothing but look at its operand in another type.
static bool isPureView(Operation *op) {
  if (op->isRegistered() || op->getNumOperands() != 1)
    return false;
  OpRole role = decode(op).role;
  return (role == OpRole::ModuleInput || role == OpRole::ModuleOutput) &&
         (isa<ShapedType>(op->getOperand(0).getType()) ||
          isa<ShapedType>(op->getResultTypes().front()));
}

bool fuselage::needsNormalization(ModuleOp module) {
  if (hasLegacyOps(module))
    return true;
  return module
      ->walk([](Operation *op) {
        return isForeign(op, "util.func") || isPureView(op) ? WalkResult::interrupt()
                                                            : WalkResult::advance();
      })
      .wasInterrupted();
}

//===-- Functions ---------------------------------------------------------===//

/// The terminators of the function's blocks that return from it.
static SmallVector<Operation *> returnsOf(Region &body) {
  SmallVector<Operation *> returns;
  for (Block &block : body)
    if (!block.empty() && (isForeign(&block.back(), "util.return") || isa<func::ReturnOp>(block.back())))
      returns.push_back(&block.back());
  return returns;
}

/// The type that the function would have in the func dialect: by what it takes and returns, by its
/// own type if it has no body. Null if its returns disagree.
static FunctionType typeOf(Operation *op) {
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
    if (attribute.getName().getValue().contains('.') &&
        !attribute.getName().getValue().starts_with("fuselage."))
      to->setAttr(attribute.getName(), attribute.getValue());
  auto visibility = from->getAttrOfType<StringAttr>(SymbolTable::getVisibilityAttrName());
  if (visibility && llvm::is_contained({"private", "nested"}, visibility.getValue()))
    to.setSymVisibilityAttr(visibility);
}

static void convertFunction(Operation *op) {
  std::string name = symbolOf(op);
  FunctionType type = op->getNumRegions() == 1 ? typeOf(op) : FunctionType();
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

/// A call becomes func.call where its callee has just the types that it passes and expects.
static void convertCall(Operation *op, SymbolTableCollection &symbols) {
  SymbolRefAttr callee = firstSymbolRef(op);
  auto function = callee ? symbols.lookupNearestSymbolFrom<func::FuncOp>(op, callee) : func::FuncOp();
  if (!function || TypeRange(function.getArgumentTypes()) != TypeRange(op->getOperandTypes()) ||
      TypeRange(function.getResultTypes()) != TypeRange(op->getResultTypes()))
    return;
  OpBuilder builder(op);
  auto call = func::CallOp::create(builder, op->getLoc(), callee, op->getResultTypes(),
                                   op->getOperands());
  op->replaceAllUsesWith(call);
  op->erase();
}

//===-- Boundaries --------------------------------------------------------===//

/// Every symbol that an op of the module refers to, by its last name.
static llvm::StringSet<> collectReferences(ModuleOp module) {
  llvm::StringSet<> names;
  module->walk([&](Operation *op) {
    op->getAttrDictionary().walk([&](SymbolRefAttr symbol) {
      names.insert(symbol.getLeafReference().getValue());
    });
  });
  return names;
}

/// The one op that uses a value, or null.
static Operation *onlyUser(Value value) {
  return value.hasOneUse() ? *value.getUsers().begin() : nullptr;
}

/// Arguments that are only imported become the tensors that they are imported as.
static void importAtBoundary(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    Operation *import = onlyUser(argument);
    if (!import || !isPureView(import) || decode(import).role != OpRole::ModuleInput)
      continue;
    argument.setType(import->getResult(0).getType());
    import->getResult(0).replaceAllUsesWith(argument);
    import->erase();
  }
}

/// Results that every return exports from the same tensor type become tensors.
static void exportAtBoundary(func::FuncOp function) {
  SmallVector<Operation *> returns = returnsOf(function.getBody());
  if (returns.empty())
    return;
  for (unsigned index = 0; index < returns.front()->getNumOperands(); ++index) {
    SmallVector<Operation *> exports;
    for (Operation *end : returns)
      if (Operation *producer = end->getOperand(index).getDefiningOp();
          producer && isPureView(producer) && onlyUser(producer->getResult(0)) &&
          decode(producer).role == OpRole::ModuleOutput)
        exports.push_back(producer);
    auto typeOf = [](Operation *op) { return op->getOperand(0).getType(); };
    if (exports.size() != returns.size() || !llvm::all_equal(llvm::map_range(exports, typeOf)))
      continue;
    for (auto [end, op] : llvm::zip_equal(returns, exports)) {
      end->setOperand(index, op->getOperand(0));
      op->erase();
    }
  }
}

/// Moves tensors into the function's signature; nobody may call it.
static void normalizeBoundary(func::FuncOp function) {
  importAtBoundary(function);
  exportAtBoundary(function);
  function.setFunctionType(typeOf(function));
}

static void castView(Operation *op) {
  OpBuilder builder(op);
  auto cast = UnrealizedConversionCastOp::create(builder, op->getLoc(), op->getResultTypes(),
                                                 op->getOperands());
  op->replaceAllUsesWith(cast);
  op->erase();
}

namespace {

struct NormalizeForeignPass : fuselage::impl::NormalizeForeignPassBase<NormalizeForeignPass> {
  void runOnOperation() override {
    modernizeOps(getOperation());
    for (Operation *op : collect([](Operation *op) { return isForeign(op, "util.func"); }))
      convertFunction(op);
    llvm::StringSet<> referenced = collectReferences(getOperation());
    getOperation()->walk([&](func::FuncOp function) {
      if (!function.isExternal() && !referenced.contains(function.getName()) &&
          !function.isPrivate())
        normalizeBoundary(function);
    });
    SymbolTableCollection symbols;
    for (Operation *op : collect([](Operation *op) { return isForeign(op, "util.call"); }))
      convertCall(op, symbols);
    for (Operation *op : collect(isPureView))
      castView(op);
  }

private:
  SmallVector<Operation *> collect(llvm::function_ref<bool(Operation *)> wanted) {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (wanted(op))
        ops.push_back(op);
    });
    return ops;
  }
};

} // namespace
