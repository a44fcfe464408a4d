#include "core/dialects/vhlo/PortableDialects.h"
#include "core/dialects/tolerant/TolerantDialect.h"
#include "core/dialects/vhlo/BytecodeItems.h"
#include "core/dialects/vhlo/PortableOps.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpDefinition.h"

using namespace mlir;

namespace fuselage {

namespace {

/// What bytecode has to know of any op of these dialects: where its properties end.
class PortableOp : public Op<PortableOp, OpTrait::VariadicRegions, OpTrait::VariadicResults, OpTrait::VariadicOperands,
                             BytecodeOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PortableOp)
  using Op::Op;
  static StringRef getOperationName() { return "vhlo.op"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  static LogicalResult readProperties(DialectBytecodeReader &reader, OperationState &state);
  void writeProperties(DialectBytecodeWriter &) {}
};

/// PortableOp under the name of one op.
struct NamedModel : RegisteredOperationName::Model<PortableOp> {
  NamedModel(StringRef opName, Dialect *dialect, TypeID id) : Model(dialect) {
    name = StringAttr::get(dialect->getContext(), opName);
    typeID = id;
  }
};

/// Owns the ids of a dialect's ops, which live as long as their context.
class OpIds : public DialectInterface::Base<OpIds> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OpIds)
  explicit OpIds(Dialect *dialect) : Base(dialect) {}
  TypeID next() { return ids_.allocate(); }

private:
  TypeIDAllocator ids_;
};

} // namespace

LogicalResult PortableOp::readProperties(DialectBytecodeReader &reader, OperationState &state) {
  SmallVector<StringRef> names;
  portableAttributes(state.name.getStringRef()).value_or("").split(names, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef name : names) {
    Attribute value;
    bool isOptional = name.consume_back("?");
    if (failed(isOptional ? reader.readOptionalAttribute(value) : reader.readAttribute(value)))
      return failure();
    if (value)
      state.addAttribute(name, value);
  }
  return success();
}

static void registerOps(Dialect &dialect, ArrayRef<PortableOps> groups) {
  auto ids = std::make_unique<OpIds>(&dialect);
  for (const PortableOps &group : groups) {
    SmallVector<StringRef> names;
    group.names.split(names, ' ');
    for (StringRef name : names)
      RegisteredOperationName::insert(
          std::make_unique<NamedModel>((dialect.getNamespace() + "." + name).str(), &dialect, ids->next()), {});
  }
  dialect.addInterface(std::move(ids));
}

void loadPortableDialects(MLIRContext &context) {
  loadTolerantDialects(context, {"vhlo", "stablehlo", "chlo", "sdy"});
  Dialect &vhlo = *context.getLoadedDialect("vhlo"), &stableHlo = *context.getLoadedDialect("stablehlo"),
          &chlo = *context.getLoadedDialect("chlo"), &shardy = *context.getLoadedDialect("sdy");
  vhlo.addInterface(vhloBytecode(&vhlo));
  stableHlo.addInterface(stableHloBytecode(&stableHlo));
  chlo.addInterface(chloBytecode(&chlo));
  shardy.addInterface(unreadBytecode(&shardy));
  registerOps(vhlo, vhloOps());
  registerOps(stableHlo, stableHloOps());
  registerOps(chlo, chloOps());
  registerOps(shardy, shardyOps());
}

} // namespace fuselage
