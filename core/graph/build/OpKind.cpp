#include "core/graph/build/OpKind.h"
#include "core/dialects/decoders/ForeignTypes.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/ops/Payload.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"

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

/// Only looks at data in another shape.
static bool isReshapeName(StringRef name) {
  return hasAnyWord(name, {"expand_shape", "collapse_shape", "reshape", "cast", "to_tensor", "to_buffer",
                           "to_builtin_tensor", "from_builtin_tensor", "shape_cast", "bitcast", "view", "squeeze",
                           "unsqueeze", "flatten", "unflatten", "bitcast_convert", "tensor_reshape", "expand_dims"});
}

/// Moves a part of data.
static bool isSliceName(StringRef name) {
  return name.contains("slice") || name.starts_with("subtensor") ||
         hasAnyWord(name, {"subview", "concat", "concatenate", "cat", "extract", "insert", "gather", "scatter", "split",
                           "pad", "tensor.update", "index_select", "narrow"});
}

/// The kind that a role says, if it says one.
static std::optional<NodeKind> kindOfRole(OpRole role) {
  switch (role) {
  case OpRole::DispatchRegion:
  case OpRole::DispatchCall:
    return NodeKind::Dispatch;
  case OpRole::Submission:
    return NodeKind::Control;
  case OpRole::Return:
  case OpRole::ModuleOutput:
    return NodeKind::Return;
  case OpRole::Binding:
  case OpRole::ModuleInput:
    return NodeKind::Argument;
  case OpRole::GlobalLoad:
    return NodeKind::Constant;
  case OpRole::TileLoad:
  case OpRole::TileStore:
    return NodeKind::Slice;
  case OpRole::Gap:
    return NodeKind::Gap;
  case OpRole::Executable:
  case OpRole::EntryPoint:
  case OpRole::Function:
  case OpRole::Declaration:
  case OpRole::WorkgroupInfo:
  case OpRole::GlobalStore:
    return NodeKind::Other;
  case OpRole::None:
    return std::nullopt;
  }
  return std::nullopt;
}

/// Whether values of the type are tensors of numbers, not of pointers.
static bool isNumbers(Type type) {
  if (RankedTensorType tensor = underlyingTensor(type))
    return isNumbers(tensor);
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && !isa<BaseMemRefType>(type) &&
         (shaped.getElementType().isIntOrIndexOrFloat() || isa<ComplexType>(shaped.getElementType()));
}

/// What the name and the regions say of ops of any dialect.
static std::optional<NodeKind> kindOfNameOrRegions(Operation *op, StringRef name) {
  if (isReshapeName(name))
    return NodeKind::Reshape;
  if (isSliceName(name))
    return NodeKind::Slice;
  if (op->getNumRegions() > 0)
    return NodeKind::Control;
  return std::nullopt;
}

/// The kind of an op that is not registered: see OpKind.h for the guesses.
static NodeKind kindOfForeign(Operation *op) {
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
  if (auto kind = kindOfNameOrRegions(op, name))
    return *kind;
  // Address arithmetic of Triton works on tensors, too.
  bool isAddressing = dialect == "tt" || dialect == "ttg";
  if (!isAddressing && llvm::any_of(op->getResultTypes(), isNumbers) && llvm::any_of(op->getOperandTypes(), isNumbers))
    return NodeKind::Compute;
  return NodeKind::Other;
}

/// The kind of an op that MLIR or we define.
static NodeKind kindOfRegistered(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace(), name = op->getName().stripDialect();
  if (op->getName().getStringRef() == "gpu.launch_func")
    return NodeKind::Dispatch;
  if (op->hasTrait<OpTrait::ConstantLike>() || name == "global_load" || name == "global_load_const")
    return NodeKind::Constant;
  if (isa<tensor::EmptyOp>(op))
    return NodeKind::Empty;
  if (op->hasTrait<OpTrait::IsTerminator>())
    return op->getNumSuccessors() ? NodeKind::Control : NodeKind::Return;
  if (isa<CallOpInterface>(op))
    return NodeKind::Call;
  if (hasPayloadRegion(op))
    return name == "pad" ? NodeKind::Slice : NodeKind::Compute;
  if (auto kind = kindOfNameOrRegions(op, name))
    return *kind;
  auto onData = [](Type type) { return isa<ShapedType>(type); };
  bool touchesData = llvm::any_of(op->getResultTypes(), onData);
  if (touchesData &&
      (dialect == "arith" || dialect == "math" || dialect == "vector" || dialect == "tosa" || dialect == "linalg"))
    return NodeKind::Compute;
  return NodeKind::Other;
}

NodeKind nodeKindOf(Operation *op, const DecodedOp &decoded) {
  if (auto kind = kindOfRole(decoded.role))
    return *kind;
  return op->isRegistered() ? kindOfRegistered(op) : kindOfForeign(op);
}

} // namespace fuselage
