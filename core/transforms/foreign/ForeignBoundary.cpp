#include "core/transforms/foreign/ForeignBoundary.h"
#include "core/dialects/decoders/DecoderSupport.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/transforms/foreign/ForeignFunctions.h"
#include "core/transforms/foreign/ForeignOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace fuselage {

static bool isFence(Value value) { return isTypeNamed(value.getType(), "!hal.fence"); }

/// The operand that an import or export looks at: the first that is neither a fence nor a size.
static Value viewed(Operation *op) {
  for (Value operand : op->getOperands())
    if (!isFence(operand) && !operand.getType().isIndex())
      return operand;
  return {};
}

bool isBoundary(Operation *op) {
  if (op->isRegistered() || op->getNumResults() != 1)
    return false;
  OpRole role = decode(op).role;
  Value from = viewed(op);
  return (role == OpRole::ModuleInput || role == OpRole::ModuleOutput) && from &&
         isa<ShapedType>(from.getType()) != isa<ShapedType>(op->getResult(0).getType());
}

void dropBarriers(ModuleOp module) {
  for (Operation *op : collectOps(module, [](Operation *op) {
         return isForeign(op, "hal.tensor.barrier") || isForeign(op, "hal.tensor.alias");
       })) {
    SmallVector<Value> tensors;
    for (Value operand : op->getOperands())
      if (isa<TensorType>(operand.getType()))
        tensors.push_back(operand);
    if (tensors.size() != op->getNumResults())
      continue;
    // The reader cannot always tell a barrier's types; whoever uses a result was given its own by its text.
    op->replaceAllUsesWith(tensors);
    op->erase();
  }
}

//===-- Arguments ---------------------------------------------------------===//

/// The type that all imports of an argument agree upon; null if something else reads the buffer.
static RankedTensorType importedAs(BlockArgument argument) {
  RankedTensorType type;
  for (Operation *user : argument.getUsers()) {
    if (isForeign(user, "hal.buffer_view.dim"))
      continue;
    auto imported = isBoundary(user) && decode(user).role == OpRole::ModuleInput && viewed(user) == argument
                        ? dyn_cast<RankedTensorType>(user->getResult(0).getType())
                        : RankedTensorType();
    if (!imported || (type && type != imported))
      return {};
    type = imported;
  }
  return type;
}

/// Which dimension `hal.buffer_view.dim<%view>[1]` asks for; -1 where that cannot be told.
static int64_t dimensionOf(Operation *op) {
  for (StringRef name : {"value", "index"}) {
    if (auto list = op->getAttrOfType<DenseI64ArrayAttr>(name); list && list.size() == 1)
      return list[0];
    if (auto number = op->getAttrOfType<IntegerAttr>(name))
      return number.getInt();
  }
  return -1;
}

static void importArgument(BlockArgument argument, RankedTensorType type) {
  SmallVector<Operation *> users(argument.getUsers().begin(), argument.getUsers().end());
  for (Operation *user : users) {
    int64_t dimension = isBoundary(user) ? 0 : dimensionOf(user);
    if (dimension < 0 || dimension > type.getRank() || (!isBoundary(user) && dimension == type.getRank()))
      return;
  }
  argument.setType(type);
  for (Operation *user : llvm::make_early_inc_range(users)) {
    OpBuilder builder(user);
    Value with = argument;
    if (isForeign(user, "hal.buffer_view.dim"))
      with = tensor::DimOp::create(builder, user->getLoc(), argument, dimensionOf(user));
    user->getResult(0).replaceAllUsesWith(with);
    user->erase();
  }
}

//===-- Results -----------------------------------------------------------===//

/// Results that every return exports from the same tensor type become tensors.
static void exportResult(ArrayRef<Operation *> returns, unsigned index) {
  SmallVector<Value> tensors;
  for (Operation *end : returns) {
    Operation *producer = end->getOperand(index).getDefiningOp();
    if (!producer || !isBoundary(producer) || decode(producer).role != OpRole::ModuleOutput)
      return;
    tensors.push_back(viewed(producer));
  }
  if (!llvm::all_equal(llvm::map_range(tensors, [](Value tensor) { return tensor.getType(); })))
    return;
  for (auto [end, tensor] : llvm::zip_equal(returns, tensors)) {
    Operation *producer = end->getOperand(index).getDefiningOp();
    end->setOperand(index, tensor);
    if (producer->use_empty())
      producer->erase();
  }
}

/// A fence that was signalled and that nothing else knows is of no use: "%done = hal.fence.await", signals and the like
/// went with their wrappers.
static void eraseFences(func::FuncOp function) {
  llvm::BitVector unused(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    if (argument.use_empty() && isFence(argument))
      unused.set(argument.getArgNumber());
  if (unused.any())
    (void)function.eraseArguments(unused);
}

void normalizeBoundary(func::FuncOp function) {
  FunctionType before = function.getFunctionType();
  for (BlockArgument argument : function.getArguments())
    if (RankedTensorType type = importedAs(argument))
      importArgument(argument, type);
  SmallVector<Operation *> returns = returnsOf(function.getBody());
  if (!returns.empty())
    for (unsigned index = 0; index < returns.front()->getNumOperands(); ++index)
      exportResult(returns, index);
  if (FunctionType type = typeByBody(function))
    function.setFunctionType(type);
  if (function.getFunctionType() == before)
    return;
  eraseFences(function);
  for (StringRef name : {"iree.abi.stub", "iree.abi.model", "iree.abi.declaration", "inlining_policy"})
    function->removeAttr(name);
}

void castBoundaries(ModuleOp module) {
  for (Operation *op : collectOps(module, isBoundary)) {
    if (op->getNumOperands() != 1)
      continue;
    OpBuilder builder(op);
    auto cast = UnrealizedConversionCastOp::create(builder, op->getLoc(), op->getResultTypes(), op->getOperands());
    op->replaceAllUsesWith(cast);
    op->erase();
  }
}

} // namespace fuselage
