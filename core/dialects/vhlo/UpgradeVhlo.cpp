#include "core/dialects/vhlo/UpgradeVhlo.h"
#include "core/dialects/vhlo/PortableOps.h"
#include "core/dialects/vhlo/UpgradeAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace fuselage {

/// "add" of "vhlo.add_v1"; nullopt if VHLO has no such op.
static std::optional<StringRef> unversioned(Operation *op) {
  if (!portableAttributes(op->getName().getStringRef()))
    return std::nullopt;
  return op->getName().stripDialect().rsplit("_v").first;
}

/// The op that stands for one of VHLO. Functions, calls and returns are those of func.
static std::string upgradedName(Operation *op, StringRef name) {
  if (name == "func" || name == "call")
    return ("func." + name).str();
  if (name == "return" && isa_and_nonnull<func::FuncOp>(op->getParentOp()))
    return "func.return";
  return ("stablehlo." + name).str();
}

/// What func's own ops take for granted of their attributes.
static bool hasWhatFuncNeeds(StringRef name, const NamedAttrList &attributes) {
  if (name == "call")
    return isa_and_nonnull<FlatSymbolRefAttr>(attributes.get("callee"));
  if (name != "func")
    return true;
  auto isDictionaries = [](Attribute list, size_t count) {
    auto array = dyn_cast_or_null<ArrayAttr>(list);
    return !list || (array && array.size() == count && llvm::all_of(array, llvm::IsaPred<DictionaryAttr>));
  };
  auto type = dyn_cast_or_null<TypeAttr>(attributes.get("function_type"));
  auto function = type ? dyn_cast<FunctionType>(type.getValue()) : FunctionType();
  Attribute visibility = attributes.get("sym_visibility");
  return function && isa_and_nonnull<StringAttr>(attributes.get("sym_name")) &&
         (!visibility || isa<StringAttr>(visibility)) &&
         isDictionaries(attributes.get("arg_attrs"), function.getNumInputs()) &&
         isDictionaries(attributes.get("res_attrs"), function.getNumResults());
}

static LogicalResult upgradeOp(Operation *op) {
  std::optional<StringRef> name = unversioned(op);
  if (!name)
    return op->emitError() << "'" << op->getName() << "' is no op of VHLO up to version " << kNewestVhlo;
  FailureOr<NamedAttrList> attributes = upgradeAttributes(op, *name);
  if (failed(attributes))
    return failure();
  if (!hasWhatFuncNeeds(*name, *attributes))
    return op->emitError() << "'" << op->getName() << "' lacks attributes that such an op has";
  OperationState state(op->getLoc(), upgradedName(op, *name), op->getOperands(), op->getResultTypes(),
                       std::move(*attributes));
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *upgraded = OpBuilder(op).create(state);
  op->replaceAllUsesWith(upgraded);
  op->erase();
  return success();
}

LogicalResult upgradeVhlo(ModuleOp module) {
  SmallVector<Operation *> versioned;
  // Functions before what is in them: a return asks for its parent.
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getName().getDialectNamespace() == "vhlo")
      versioned.push_back(op);
  });
  for (Operation *op : versioned)
    if (failed(upgradeOp(op)))
      return failure();
  return success();
}

} // namespace fuselage
