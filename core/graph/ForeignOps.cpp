#include "core/graph/ForeignOps.h"
#include "core/analysis/Payload.h"
#include "core/dialects/decoders/ForeignTypes.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/transforms/DispatchFormation.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace fuselage {

/// Whether a word stands in a name, between dots and underscores: "dot" in "tt.dot_scaled".
static bool hasWord(StringRef name, StringRef word) {
  for (size_t at = name.find(word); at != StringRef::npos; at = name.find(word, at + 1)) {
    size_t end = at + word.size();
    bool begins = at == 0 || !llvm::isAlnum(name[at - 1]);
    bool ends = end == name.size() || !llvm::isAlnum(name[end]);
    if (begins && ends)
      return true;
  }
  return false;
}

static bool hasAnyWord(StringRef name, ArrayRef<StringRef> words) {
  return llvm::any_of(words, [&](StringRef word) { return hasWord(name, word); });
}

bool isReshapeName(StringRef name) {
  return hasAnyWord(name, {"expand_shape", "collapse_shape", "reshape", "cast", "to_tensor",
                           "to_buffer", "to_builtin_tensor", "from_builtin_tensor", "shape_cast",
                           "bitcast", "view", "squeeze", "unsqueeze", "flatten", "unflatten",
                           "bitcast_convert", "tensor_reshape", "expand_dims"});
}

bool isSliceName(StringRef name) {
  return name.contains("slice") || name.starts_with("subtensor") ||
         hasAnyWord(name, {"subview", "concat", "concatenate", "cat", "extract", "insert", "gather",
                           "scatter", "split", "pad", "tensor.update", "index_select", "narrow"});
}

/// Whether values of the type are tensors of numbers, not of pointers.
static bool isNumbers(Type type) {
  if (RankedTensorType tensor = tensorBehind(type))
    return isNumbers(tensor);
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && !isa<BaseMemRefType>(type) &&
         (shaped.getElementType().isIntOrIndexOrFloat() ||
          isa<ComplexType>(shaped.getElementType()));
}

NodeKind foreignKind(Operation *op) {
  std::string spelled = displayName(op);
  auto [dialect, name] = StringRef(spelled).split('.');
  if (name.empty())
    name = dialect;
  if (op->getNumSuccessors() > 0)
    return NodeKind::Control;
  if (op->getNumOperands() == 0 && op->getNumResults() > 0) {
    if (hasAnyWord(name, {"constant", "const", "literal"}))
      return NodeKind::Constant;
    if (hasAnyWord(name, {"empty", "init_tensor"}))
      return NodeKind::Empty;
  }
  if (hasAnyWord(name, {"call", "custom_call", "call_indirect"}))
    return NodeKind::Call;
  if (kindByName(name) != DispatchKind::Other || hasPayloadRegion(op))
    return isSliceName(name) ? NodeKind::Slice : NodeKind::Compute;
  if (isReshapeName(name))
    return NodeKind::Reshape;
  if (isSliceName(name))
    return NodeKind::Slice;
  if (op->getNumRegions() > 0)
    return NodeKind::Control;
  // Address arithmetic of Triton works on tensors, too.
  bool isAddressing = dialect == "tt" || dialect == "ttg";
  if (!isAddressing && llvm::any_of(op->getResultTypes(), isNumbers) &&
      llvm::any_of(op->getOperandTypes(), isNumbers))
    return NodeKind::Compute;
  return NodeKind::Other;
}

} // namespace fuselage
