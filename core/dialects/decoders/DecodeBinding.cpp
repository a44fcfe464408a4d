// A kernel's view of the buffers that a dispatch binds.
#include "core/dialects/decoders/DecoderSupport.h"
#include "core/dialects/decoders/ForeignTypes.h"

using namespace mlir;

namespace fuselage {

static constexpr llvm::StringLiteral names[] = {"hal.interface.binding.subspan", "stream.binding.subspan"};

static StringRef accessName(TensorAccess access) {
  switch (access) {
  case TensorAccess::ReadOnly:
    return "read";
  case TensorAccess::WriteOnly:
    return "written";
  case TensorAccess::ReadWrite:
    return "read and written";
  }
  return "";
}

/// "binding 2", "binding ret0": by number, or by the symbol that it has up to 2021.
static std::string bindingLabel(Operation *op) {
  if (auto number = op->getAttrOfType<IntegerAttr>("binding"))
    return "binding " + std::to_string(number.getValue().getLimitedValue());
  if (SymbolRefAttr symbol = firstSymbolRef(op); symbol && !symbol.getNestedReferences().empty())
    return "binding " + symbol.getLeafReference().str();
  return "binding";
}

static bool decodeBinding(Operation *op, DecodedOp &decoded) {
  if (op->getNumResults() != 1)
    return false;
  decoded.role = OpRole::Binding;
  decoded.label = bindingLabel(op);
  Type type = op->getResult(0).getType();
  RankedTensorType tensor = underlyingTensor(type);
  auto shaped = tensor ? ShapedType(tensor) : dyn_cast<ShapedType>(type);
  if (shaped && shaped.hasRank() && shaped.getRank() > 0)
    decoded.label += " " + shapeText(shaped.getShape());
  if (auto view = decodeDispatchTensor(type))
    decoded.detail = ("A buffer that the kernel gets from outside; it is " + accessName(view->access) + ".").str();
  return true;
}

extern const Decoder bindingDecoder = {names, decodeBinding};

} // namespace fuselage
