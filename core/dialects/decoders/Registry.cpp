#include "core/dialects/decoders/DecoderSupport.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace fuselage {

extern const Decoder bindingDecoder, declarationDecoder, dispatchCallDecoder, dispatchRegionDecoder, entryPointDecoder,
    executableDecoder, functionDecoder, gapDecoder, globalLoadDecoder, globalStoreDecoder, interfaceLoadDecoder,
    interfaceStoreDecoder, moduleBoundaryDecoder, returnDecoder, streamBoundaryDecoder, submissionDecoder,
    tensorLoadDecoder, tensorStoreDecoder, tritonLoadDecoder, tritonProgramDecoder, tritonStoreDecoder,
    workgroupInfoDecoder, xlaKernelDecoder;

static const Decoder *const decoders[] = {
    &bindingDecoder,        &declarationDecoder,   &dispatchCallDecoder,   &dispatchRegionDecoder,
    &entryPointDecoder,     &executableDecoder,    &functionDecoder,       &gapDecoder,
    &globalLoadDecoder,     &globalStoreDecoder,   &interfaceLoadDecoder,  &interfaceStoreDecoder,
    &moduleBoundaryDecoder, &returnDecoder,        &streamBoundaryDecoder, &submissionDecoder,
    &tensorLoadDecoder,     &tensorStoreDecoder,   &tritonLoadDecoder,     &tritonProgramDecoder,
    &tritonStoreDecoder,    &workgroupInfoDecoder, &xlaKernelDecoder,
};

llvm::ArrayRef<const Decoder *> allDecoders() { return decoders; }

llvm::StringRef opRoleName(OpRole role) {
  switch (role) {
  case OpRole::None:
    return "";
  case OpRole::DispatchRegion:
    return "dispatch";
  case OpRole::DispatchCall:
    return "dispatch of an entry point";
  case OpRole::Submission:
    return "submission";
  case OpRole::Executable:
    return "executable";
  case OpRole::EntryPoint:
    return "entry point";
  case OpRole::Function:
    return "function";
  case OpRole::Return:
    return "return";
  case OpRole::Declaration:
    return "declaration";
  case OpRole::Binding:
    return "binding";
  case OpRole::TileLoad:
    return "tile load";
  case OpRole::TileStore:
    return "tile store";
  case OpRole::WorkgroupInfo:
    return "workgroup info";
  case OpRole::ModuleInput:
    return "module input";
  case OpRole::ModuleOutput:
    return "module output";
  case OpRole::GlobalLoad:
    return "global load";
  case OpRole::GlobalStore:
    return "global store";
  case OpRole::Gap:
    return "gap";
  }
  return "";
}

/// The decoder of an op name, or null.
static const Decoder *decoderFor(StringRef name) {
  static const llvm::StringMap<const Decoder *> byName = [] {
    llvm::StringMap<const Decoder *> map;
    for (const Decoder *decoder : decoders)
      for (llvm::StringLiteral name : decoder->names)
        map[name] = decoder;
    return map;
  }();
  return byName.lookup(name);
}

/// Functions of dialects without a decoder, told by what MLIR's own have: a name, a function type
/// and a body.
static bool isAnyFunction(Operation *op) {
  return op->getNumRegions() > 0 && op->getAttrOfType<StringAttr>("sym_name") &&
         op->getAttrOfType<TypeAttr>("function_type");
}

/// Guesses that an op without results that ends a block and is called return or yield ends a body.
static bool isAnyReturn(Operation *op, StringRef name) {
  return op->getNumResults() == 0 && op->getBlock() && op == &op->getBlock()->back() &&
         (name.ends_with("return") || name.ends_with("yield"));
}

DecodedOp decode(Operation *op) {
  DecodedOp decoded;
  if (op->isRegistered() && op->getName().getDialectNamespace() != "flow")
    return decoded;
  std::string name = displayName(op);
  if (const Decoder *decoder = decoderFor(name)) {
    if (decoder->decode(op, decoded))
      return decoded;
    return {};
  }
  if (isAnyFunction(op)) {
    decoded.role = OpRole::Function;
    decoded.body = &op->getRegion(0);
    decoded.symbol = symbolOf(op);
    decoded.label = "func @" + decoded.symbol;
  } else if (isAnyReturn(op, name)) {
    decoded.role = OpRole::Return;
    decoded.label = StringRef(name).substr(name.rfind('.') + 1).str();
  }
  return decoded;
}

} // namespace fuselage
