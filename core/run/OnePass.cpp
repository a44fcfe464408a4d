#include "core/run/OnePass.h"
#include "core/codegen/host/Isolate.h"
#include "core/ir/ops/Parameters.h"
#include "core/run/SingleDispatch.h"
#include "core/run/values/HostTensor.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace fuselage {

/// Whether nothing but parameters and constants decides what an op gives.
static bool followsFrom(Operation &op, const llvm::DenseSet<Value> &fixed) {
  llvm::SetVector<Value> used = usedByOp(&op);
  bool mayDiffer = op.getNumResults() == 0 || (!isMemoryEffectFree(&op) && !llvm::isa<func::CallOp>(op));
  return !mayDiffer && llvm::all_of(used, [&](Value value) {
    auto argument = llvm::dyn_cast<BlockArgument>(value);
    return argument ? isParameter(value) : fixed.contains(value);
  });
}

llvm::DenseSet<Value> fixedValues(func::FuncOp function) {
  llvm::DenseSet<Value> fixed;
  if (!function.getBody().hasOneBlock())
    return fixed;
  for (Operation &op : function.getBody().front())
    if (followsFrom(op, fixed))
      fixed.insert(op.result_begin(), op.result_end());
  return fixed;
}

bool canCross(Type type) {
  return hostElementBytes(getElementTypeOrSelf(type)) != 0 &&
         (!llvm::isa<ShapedType>(type) || llvm::isa<RankedTensorType>(type));
}

bool costsNothing(Operation *op) {
  if (op->getNumResults() != 1 || !canCross(op->getResult(0).getType()))
    return false;
  Attribute constant;
  if (matchPattern(op, m_Constant(&constant)) && llvm::isa<TypedAttr>(constant))
    return true;
  auto shaped = llvm::dyn_cast<RankedTensorType>(op->getResult(0).getType());
  bool isStatic = shaped && shaped.hasStaticShape();
  return llvm::isa<tensor::CastOp>(op) ||
         (isStatic &&
          llvm::isa<tensor::EmptyOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp>(op));
}

std::optional<llvm::MapVector<func::FuncOp, unsigned>> callsOfOnePass(const RunProgram &program) {
  auto function = func::FuncOp(program.function);
  if (!function.getBody().hasOneBlock())
    return std::nullopt;
  llvm::DenseSet<Value> fixed = fixedValues(function);
  llvm::MapVector<func::FuncOp, unsigned> calls;
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (costsNothing(&op))
      continue;
    auto call = llvm::dyn_cast<func::CallOp>(op);
    auto callee =
        call ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr()) : func::FuncOp();
    if (!callee || !isDispatch(callee) || !whyNotAlone(callee).empty())
      return std::nullopt;
    if (call.getNumResults() == 0 || !fixed.contains(call.getResult(0)))
      ++calls[callee];
  }
  return calls;
}

} // namespace fuselage
