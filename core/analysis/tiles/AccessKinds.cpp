#include "core/analysis/tiles/AccessKinds.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fuselage {

llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) { return mlir::cast<mlir::ShapedType>(value.getType()).getShape(); }

void setResultDomain(AccessModel &access) {
  llvm::append_range(access.domain, shapeOf(access.op->getResult(0)));
  access.iterators.assign(access.domain.size(), mlir::utils::IteratorType::parallel);
}

/// A shaped value without a rank, or with a dynamic size; empty if there is none.
static std::string unknownShape(mlir::Operation *op) {
  auto problem = [](mlir::Type type) -> std::string {
    auto shaped = mlir::dyn_cast<mlir::ShapedType>(type);
    if (!shaped)
      return "";
    if (!shaped.hasRank())
      return "a value has no rank";
    return shaped.hasStaticShape() ? "" : "a size is dynamic";
  };
  for (mlir::Type type : op->getOperandTypes())
    if (std::string text = problem(type); !text.empty())
      return text;
  for (mlir::Type type : op->getResultTypes())
    if (std::string text = problem(type); !text.empty())
      return text;
  return "";
}

std::unique_ptr<AccessModel> accessOf(mlir::Operation *op, std::string &why) {
  why.clear();
  bool isShaped = llvm::any_of(op->getResultTypes(), llvm::IsaPred<mlir::ShapedType>) ||
                  (mlir::isa<mlir::linalg::LinalgOp>(op) && op->getNumOperands() > 0);
  if (!isShaped) {
    why = "it computes no tensor";
    return nullptr;
  }
  if (why = unknownShape(op); !why.empty())
    return nullptr;
  AccessPtr access = structuredAccess(op, why);
  if (!why.empty())
    return nullptr;
  for (AccessPtr (*model)(mlir::Operation *) :
       {softmaxAccess, attentionAccess, padAccess, extractSliceAccess, insertSliceAccess, reshapeAccess, concatAccess,
        gatherAccess, packAccess, unpackAccess, elementwiseAccess})
    if (!access)
      access = model(op);
  if (!access)
    why = "what " + op->getName().getStringRef().str() + " reads for a part of its result is not known";
  return access;
}

} // namespace fuselage
