#include "core/codegen/host/Passes.h"
#include "core/codegen/host/Refusal.h"
#include "core/ir/ops/NumberBytes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTLEGALIZEBUFFERSPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
/// LLVM ends the process on vectors whose length the processor chooses, where it has none.
static LogicalResult refuseScalableVectors(ModuleOp module) {
  if (llvm::Triple(llvm::sys::getProcessTriple()).isAArch64())
    return success();
  auto isScalable = [](Type type) {
    auto vector = llvm::dyn_cast<VectorType>(type);
    return vector && vector.isScalable();
  };
  return refuseFirst(module, [&](Operation *op) -> std::string {
    bool refused = llvm::is_contained({"vector.vscale", "llvm.intr.vscale"}, op->getName().getStringRef()) ||
                   llvm::any_of(op->getResultTypes(), isScalable) || llvm::any_of(op->getOperandTypes(), isScalable);
    return refused ? "this processor has no vectors of scalable length" : "";
  });
}

/// Mathematics has functions of f32 and f64: what is wider would be cast to f32, which is no cast at all to MLIR.
static LogicalResult refuseWideMath(ModuleOp module) {
  auto isWide = [](Type type) {
    auto element = llvm::dyn_cast<FloatType>(getElementTypeOrSelf(type));
    return element && element.getWidth() > 64;
  };
  return refuseFirst(module, [&](Operation *op) -> std::string {
    if (!llvm::isa_and_nonnull<math::MathDialect>(op->getDialect()) || llvm::isa<math::FmaOp>(op))
      return "";
    auto wide = llvm::find_if(op->getOperandTypes(), isWide);
    return wide == op->operand_type_end() ? ""
                                          : "no function of " + debugString(getElementTypeOrSelf(*wide)) + " is known";
  });
}

/// Constants whose data is not in the file, or not all of it: LLVM's code would read what lies where it should be.
static LogicalResult refuseMissingData(ModuleOp module) {
  return refuseFirst(module, [](Operation *op) -> std::string {
    std::string why;
    op->getAttrDictionary().walk([&](DenseResourceElementsAttr resource) {
      const AsmResourceBlob *blob = resource.getRawHandle().getBlob();
      auto type = llvm::cast<ShapedType>(resource.getType());
      uint64_t bytes = type.getNumElements() * numberBytes(type.getElementType());
      if (!blob || blob->getData().size() < bytes)
        why = "the file has no data for '" + resource.getRawHandle().getKey().str() + "'";
    });
    return why;
  });
}

/// Host memory is one space.
static void dropMemorySpaces(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    if (!type.getMemorySpace())
      return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(), type.getLayout());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  SmallVector<memref::MemorySpaceCastOp> casts;
  module.walk([&](memref::MemorySpaceCastOp op) { casts.push_back(op); });
  for (memref::MemorySpaceCastOp op : casts) {
    op.replaceAllUsesWith(op.getSource());
    op.erase();
  }
}

/// Copies become loops: LLVM's lowering calls a library for those with strides.
static void expandCopies(ModuleOp module) {
  SmallVector<memref::CopyOp> copies;
  module.walk([&](memref::CopyOp op) {
    if (llvm::isa<MemRefType>(op.getSource().getType()) && llvm::isa<MemRefType>(op.getTarget().getType()))
      copies.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (memref::CopyOp op : copies) {
    rewriter.setInsertionPoint(op);
    linalg::makeMemRefCopyOp(rewriter, op.getLoc(), op.getSource(), op.getTarget());
    rewriter.eraseOp(op);
  }
}

namespace {

struct HostLegalizeBuffers : impl::HostLegalizeBuffersPassBase<HostLegalizeBuffers> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(refuseUnregistered(module)) || failed(refuseScalableVectors(module)) || failed(refuseWideMath(module)) ||
        failed(refuseMissingData(module)))
      return signalPassFailure();
    dropMemorySpaces(module);
    expandCopies(module);
  }
};

} // namespace
} // namespace fuselage
