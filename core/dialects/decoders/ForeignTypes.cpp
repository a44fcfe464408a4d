#include "core/dialects/decoders/ForeignTypes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace fuselage {

/// The type at the start of `text`; null if there is none. Says nothing about errors.
static Type parseSilently(StringRef text, MLIRContext *context) {
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) { return success(); });
  size_t length = 0;
  return parseType(text, context, &length);
}

/// A tensor of the shape of a builtin shaped type.
static RankedTensorType asTensor(Type type) {
  auto shaped = dyn_cast_or_null<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return {};
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor;
  Type element = shaped.getElementType();
  return TensorType::isValidElementType(element) ? RankedTensorType::get(shaped.getShape(), element)
                                                 : RankedTensorType();
}

/// "86x128xi4", or "f32" for a single element.
static RankedTensorType parseBareShape(StringRef text, MLIRContext *context) {
  if (text.empty() || (!llvm::isAlnum(text.front()) && text.front() != '?'))
    return {};
  return asTensor(parseSilently(("tensor<" + text + ">").str(), context));
}

/// "f" of "dispatch.tensor<f>": the text between the outermost angle brackets, if it starts so.
static std::optional<StringRef> parameters(StringRef text, StringRef mnemonic) {
  if (!text.consume_front(mnemonic) || !text.consume_front("<") || !text.consume_back(">"))
    return std::nullopt;
  return text.trim();
}

static std::optional<TensorAccess> accessNamed(StringRef word) {
  if (word == "readonly")
    return TensorAccess::ReadOnly;
  if (word == "writeonly")
    return TensorAccess::WriteOnly;
  if (word == "readwrite")
    return TensorAccess::ReadWrite;
  return std::nullopt;
}

std::optional<DispatchTensor> decodeDispatchTensor(Type type) {
  auto opaque = dyn_cast_or_null<OpaqueType>(type);
  if (!opaque)
    return std::nullopt;
  StringRef dialect = opaque.getDialectNamespace();
  if (dialect != "flow" && dialect != "iree_tensor_ext")
    return std::nullopt;
  StringRef text = opaque.getTypeData();
  MLIRContext *context = type.getContext();
  auto finish = [&](TensorAccess access, StringRef shape) -> std::optional<DispatchTensor> {
    RankedTensorType tensor =
        shape.starts_with("tensor<") ? asTensor(parseSilently(shape, context)) : parseBareShape(shape, context);
    return tensor ? std::optional<DispatchTensor>({access, tensor}) : std::nullopt;
  };
  if (auto shape = parameters(text, "dispatch.input"))
    return finish(TensorAccess::ReadOnly, *shape);
  if (auto shape = parameters(text, "dispatch.output"))
    return finish(TensorAccess::WriteOnly, *shape);
  if (auto rest = parameters(text, "dispatch.tensor")) {
    auto [word, shape] = rest->split(':');
    if (auto access = accessNamed(word.trim()))
      return finish(*access, shape.trim());
  }
  return std::nullopt;
}

/// `vtensor<[2,?],f32>` and `tensor<...>` of Torch; no type without sizes.
static RankedTensorType decodeTorchTensor(StringRef text, MLIRContext *context) {
  if (!text.consume_front("vtensor<[") && !text.consume_front("tensor<["))
    return {};
  auto [sizes, rest] = text.split(']');
  if (!rest.consume_front(",") || !rest.consume_back(">"))
    return {};
  std::string shape;
  for (StringRef size : llvm::split(sizes, ','))
    if (!size.trim().empty())
      shape += (size.trim() + "x").str();
  // An element type may be followed by a sparsity encoding.
  return parseBareShape(shape + rest.split(',').first.trim().str(), context);
}

RankedTensorType underlyingTensor(Type type) {
  auto opaque = dyn_cast_or_null<OpaqueType>(type);
  if (!opaque)
    return {};
  if (auto dispatch = decodeDispatchTensor(type))
    return dispatch->tensor;
  StringRef text = opaque.getTypeData();
  MLIRContext *context = type.getContext();
  if (opaque.getDialectNamespace() == "torch")
    return decodeTorchTensor(text, context);
  auto [mnemonic, inside] = text.split('<');
  if (inside.empty() || mnemonic.ends_with("ptr"))
    return {};
  size_t found = StringRef::npos;
  for (StringRef builtin : {"tensor<", "memref<", "vector<"})
    found = std::min(found, inside.find(builtin));
  if (found != StringRef::npos)
    return asTensor(parseSilently(inside.substr(found), context));
  StringRef shape = inside.take_until([](char c) { return c == ',' || c == '>'; }).trim();
  return shape.contains('x') ? parseBareShape(shape, context) : RankedTensorType();
}

} // namespace fuselage
