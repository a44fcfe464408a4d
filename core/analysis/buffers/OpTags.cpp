#include "core/analysis/buffers/OpTags.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace fuselage {

/// Tells our locations from fused ones that come with the IR.
static constexpr StringLiteral marker = "fuselage.op";

void tagOp(Operation *op, OpId tag) {
  Builder builder(op->getContext());
  Attribute metadata = builder.getArrayAttr({builder.getStringAttr(marker), builder.getI64IntegerAttr(tag)});
  op->setLoc(FusedLoc::get(op->getContext(), {op->getLoc()}, metadata));
}

void tagOps(Operation *root) {
  OpId next = 0;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { tagOp(op, next++); });
}

OpId tagOf(Location location) {
  OpId tag = -1;
  location->walk([&](Location part) {
    auto fused = dyn_cast<FusedLoc>(part);
    auto metadata = fused ? dyn_cast_or_null<ArrayAttr>(fused.getMetadata()) : ArrayAttr();
    if (!metadata || metadata.size() != 2 || metadata[0] != StringAttr::get(part.getContext(), marker))
      return WalkResult::advance();
    tag = cast<IntegerAttr>(metadata[1]).getInt();
    return WalkResult::interrupt();
  });
  return tag;
}

} // namespace fuselage
