#include "core/transforms/foreign/ForeignGlobals.h"
#include "core/dialects/decoders/DecoderSupport.h"
#include "core/ir/ops/Parameters.h"
#include "core/transforms/foreign/ForeignFunctions.h"
#include "core/transforms/foreign/ForeignOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

bool isGlobalLoad(Operation *op) {
  return isa<ml_program::GlobalLoadOp, ml_program::GlobalLoadConstOp>(op) ||
         (!op->isRegistered() && decode(op).role == OpRole::GlobalLoad);
}

namespace {

bool isGlobal(Operation *op) {
  return isa<ml_program::GlobalOp>(op) || isForeign(op, "util.global") || isForeign(op, "flow.variable");
}

/// "private mutable @state" is read with its name after the keyword.
std::string nameOf(Operation *global) {
  if (std::string name = symbolOf(global); !name.empty())
    return name;
  SymbolRefAttr symbol = firstSymbolRef(global);
  return symbol ? symbol.getLeafReference().str() : std::string();
}

std::string loadedName(Operation *load) {
  SymbolRefAttr symbol = firstSymbolRef(load);
  return symbol ? symbol.getLeafReference().str() : std::string();
}

/// A value that the module says itself; null if it comes from elsewhere.
Attribute valueOf(Operation *global) {
  for (StringRef name : {"value", "initial_value"})
    if (Attribute value = global->getAttr(name))
      return value;
  return {};
}

/// "model::encoder.weight" of `#flow.parameter.named<"model"::"encoder.weight">`, the symbol of what has no such name.
std::string addressOf(Operation *global) {
  std::string text;
  if (Attribute value = valueOf(global))
    llvm::raw_string_ostream(text) << value;
  SmallVector<StringRef> quoted;
  if (StringRef(text).contains("parameter"))
    StringRef(text).split(quoted, '"');
  if (quoted.size() >= 5)
    return (quoted[1] + "::" + quoted[3]).str();
  if (quoted.size() >= 3)
    return quoted[1].str();
  std::string name = nameOf(global);
  StringRef symbol(name);
  symbol.consume_front("__auto.");
  return symbol.str();
}

/// Constant for a load whose type fits the value; null if there is none.
Value constantFor(OpBuilder &builder, Operation *global, Type type, Location loc) {
  auto typed = dyn_cast_or_null<TypedAttr>(valueOf(global));
  if (!typed || typed.getType() != type || !arith::ConstantOp::isBuildableWith(typed, type))
    return {};
  return arith::ConstantOp::create(builder, loc, typed);
}

/// The globals of a module that nothing stores into, by name, in order.
llvm::MapVector<StringRef, Operation *> readOnlyGlobals(ModuleOp module, llvm::StringMap<Operation *> &owned) {
  llvm::StringSet<> stored;
  module->walk([&](Operation *op) {
    bool isStore =
        isa<ml_program::GlobalStoreOp>(op) || (!op->isRegistered() && decode(op).role == OpRole::GlobalStore);
    if (isStore)
      stored.insert(loadedName(op));
  });
  llvm::MapVector<StringRef, Operation *> globals;
  module->walk([&](Operation *op) {
    if (!isGlobal(op))
      return;
    auto [it, isNew] = owned.try_emplace(nameOf(op), op);
    if (isNew && !it->getKey().empty() && !stored.contains(it->getKey()))
      globals[it->getKey()] = op;
  });
  return globals;
}

class Lifter {
public:
  explicit Lifter(func::FuncOp function) : function_(function) {}

  void lift(Operation *global, ArrayRef<Operation *> loads) {
    Type type = loads.front()->getResult(0).getType();
    for (Operation *load : loads) {
      if (load->getResult(0).getType() != type)
        continue;
      OpBuilder builder(load);
      Value value = constantFor(builder, global, type, load->getLoc());
      if (!value && isa<RankedTensorType>(type))
        value = argumentFor(global, type);
      if (!value)
        continue;
      load->getResult(0).replaceAllUsesWith(value);
      load->erase();
    }
  }

private:
  Value argumentFor(Operation *global, Type type) {
    Value &argument = arguments_[global];
    if (argument)
      return argument;
    std::string address = addressOf(global);
    StringRef key = StringRef(address).contains("::") ? StringRef(address).split("::").second : StringRef(address);
    MLIRContext *context = function_.getContext();
    NamedAttribute name(kParameterAttr, StringAttr::get(context, address));
    Location loc = NameLoc::get(StringAttr::get(context, key), global->getLoc());
    if (failed(function_.insertArgument(function_.getNumArguments(), type, DictionaryAttr::get(context, name), loc)))
      return {};
    return argument = function_.getArguments().back();
  }

  func::FuncOp function_;
  llvm::DenseMap<Operation *, Value> arguments_;
};

} // namespace

void liftGlobals(ModuleOp module, ArrayRef<func::FuncOp> entries) {
  llvm::StringMap<Operation *> owned;
  llvm::MapVector<StringRef, Operation *> globals = readOnlyGlobals(module, owned);
  if (globals.empty())
    return;
  for (func::FuncOp function : entries) {
    llvm::StringMap<SmallVector<Operation *>> loads;
    function->walk([&](Operation *op) {
      if (isGlobalLoad(op) && op->getNumResults() == 1)
        loads[loadedName(op)].push_back(op);
    });
    Lifter lifter(function);
    for (auto &[name, global] : globals)
      if (auto found = loads.find(name); found != loads.end())
        lifter.lift(global, found->second);
  }
  llvm::StringSet<> needed;
  module->walk([&](Operation *op) {
    if (!isGlobal(op))
      visitSymbolReferences(op, [&](SymbolRefAttr symbol) { needed.insert(symbol.getLeafReference().getValue()); });
  });
  for (auto &[name, global] : globals)
    if (!needed.contains(name))
      global->erase();
}

} // namespace fuselage
