#include "core/ir/ops/Payload.h"
#include "core/dialects/decoders/XlaOps.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {

/// Flops of ops that are not simply one operation on floats or integers; -1 for all others.
static int64_t specialFlops(StringRef name) {
  return llvm::StringSwitch<int64_t>(name)
      .Cases({"math.fma", "vector.fma", "arith.mulsi_extended", "arith.mului_extended"}, 2)
      .Cases({"complex.add", "complex.sub"}, 2)
      .Case("complex.mul", 6)
      .Cases({"arith.select", "arith.constant", "arith.bitcast"}, 0)
      .Default(-1);
}

int64_t scalarFlops(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect != "arith" && dialect != "math" && dialect != "complex" && dialect != "vector")
    return 0;
  if (int64_t special = specialFlops(op->getName().getStringRef()); special >= 0)
    return special;
  if (dialect == "vector" || op->getNumOperands() == 0 || op->getNumResults() == 0 || isa<CastOpInterface>(op))
    return 0;
  Type operand = getElementTypeOrSelf(op->getOperand(0).getType());
  return operand.isIntOrFloat() || isa<ComplexType>(operand) ? 1 : 0;
}

int64_t payloadFlops(Operation *op) {
  int64_t flops = 0;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) { flops += scalarFlops(inner); });
  return flops;
}

bool hasPayloadRegion(Operation *op) {
  if (op->getNumRegions() == 0)
    return false;
  if (isa<linalg::LinalgOp>(op))
    return true;
  std::string spelled = displayName(op);
  auto [dialect, name] = StringRef(spelled).split('.');
  if (dialect == "linalg" || dialect == "iree_linalg_ext" || dialect == "tm_tensor")
    return true;
  if (dialect == "tt")
    return name == "reduce" || name == "scan";
  if (dialect == "stablehlo" || dialect == "mhlo")
    return name != "while" && name != "if" && name != "case" && name != "composite";
  if (dialect == "hlo")
    return xlaWork(op).has_value();
  return (dialect == "flow" && name == "attention") || (dialect == "tensor" && (name == "generate" || name == "pad")) ||
         (dialect == "memref" && name == "generic_atomic_rmw");
}

SmallVector<int64_t> loopExtents(linalg::LinalgOp op) {
  SmallVector<std::optional<int64_t>> found(op.getNumLoops());
  for (auto [operand, map] : llvm::zip(op->getOpOperands(), op.getIndexingMapsArray()))
    for (auto [index, extent] : llvm::zip(map.getResults(), op.getShape(&operand)))
      if (auto loop = dyn_cast<AffineDimExpr>(index); loop && !found[loop.getPosition()])
        found[loop.getPosition()] = extent;
  SmallVector<int64_t> extents;
  for (std::optional<int64_t> extent : found)
    extents.push_back(extent.value_or(ShapedType::kDynamic));
  return extents;
}

std::optional<int64_t> iterationDomainSize(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return std::nullopt;
  int64_t points = 1;
  for (int64_t extent : loopExtents(linalgOp))
    if (ShapedType::isDynamic(extent) || llvm::MulOverflow(points, extent, points))
      return std::nullopt;
  return points;
}

} // namespace fuselage
