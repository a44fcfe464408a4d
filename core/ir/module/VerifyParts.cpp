#include "core/ir/module/VerifyParts.h"
#include "core/ir/module/SharedContext.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Verifier.h"
#include <atomic>

using namespace mlir;

namespace fuselage {
namespace {

/// A module taken apart.
struct Parts {
  SmallVector<Operation *> frames; ///< functions and modules, outer before inner
  SmallVector<Operation *> inner;  ///< the ops in them, each with all that it holds
};

} // namespace

/// Ops that are isolated from above can be verified apart from what they hold, as MLIR itself does.
static void collectParts(Operation *op, Parts &parts) {
  if (op->getNumRegions() == 0 || !op->hasTrait<OpTrait::IsIsolatedFromAbove>()) {
    parts.inner.push_back(op);
    return;
  }
  parts.frames.push_back(op);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &nested : block)
        collectParts(&nested, parts);
}

/// What the verifier asks of the blocks of an op when it looks at all that the op holds. In doubt false.
static bool areSound(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      bool needsNoEnd = region.hasOneBlock() && op->mightHaveTrait<OpTrait::NoTerminator>();
      if (block.empty() && !needsNoEnd)
        return false;
      if (!block.empty() && !needsNoEnd && !block.back().mightHaveTrait<OpTrait::IsTerminator>())
        return false;
      if (llvm::any_of(block.getArguments(), [&](BlockArgument argument) { return argument.getOwner() != &block; }))
        return false;
      for (Operation &nested : block)
        if (nested.getNumSuccessors() != 0 && &nested != &block.back())
          return false;
      if (llvm::any_of(block.getSuccessors(), [&](Block *next) { return next->getParent() != &region; }))
        return false;
    }
  return true;
}

/// Ops look at the function around them, such as a return at its type.
static bool areFramesReadable(const Parts &parts, bool (*isSafe)(Operation *op)) {
  return llvm::all_of(parts.frames, [&](Operation *op) {
    auto registered = op->getName().getRegisteredInfo();
    return isSafe(op) && (!registered || succeeded(registered->verifyInvariants(op)));
  });
}

/// Two threads take a few ops at a time. They only read; each verifier of dominance has its own tree, and the numbers
/// of ops in the blocks that both look at are there.
static bool verifyInner(MLIRContext &context, const Parts &parts, bool (*isSafe)(Operation *op)) {
  constexpr size_t taken = 64;
  for (Operation *op : parts.frames)
    for (Region &region : op->getRegions())
      for (Block &block : region)
        block.recomputeOpOrder();
  std::atomic<size_t> next = 0;
  std::atomic<bool> isFine = true;
  auto isRefused = [&](Operation *op) {
    return op->walk([&](Operation *nested) {
               return isSafe(nested) ? WalkResult::advance() : WalkResult::interrupt();
             }).wasInterrupted() ||
           failed(verify(op));
  };
  auto work = [&] {
    for (size_t begin = next.fetch_add(taken); begin < parts.inner.size() && isFine; begin = next.fetch_add(taken)) {
      auto some = ArrayRef(parts.inner).slice(begin, std::min(taken, parts.inner.size() - begin));
      if (llvm::any_of(some, isRefused))
        isFine = false;
    }
  };
  runBoth(context, work, work);
  return isFine;
}

bool verifyParts(Operation *op, bool (*isSafe)(Operation *op)) {
  constexpr size_t fewest = 500; // of fewer ops two threads gain little
  Parts parts;
  collectParts(op, parts);
  if (parts.inner.size() < fewest || !hasTwoProcessors())
    return false;
  MLIRContext &context = *op->getContext();
  std::atomic<bool> isSilent = true;
  ScopedDiagnosticHandler listens(&context, [&](mlir::Diagnostic &) {
    isSilent = false;
    return success();
  });
  auto isFrameFine = [](Operation *frame) {
    return areSound(frame) && succeeded(verify(frame, /*verifyRecursively=*/false));
  };
  return areFramesReadable(parts, isSafe) && verifyInner(context, parts, isSafe) &&
         llvm::all_of(llvm::reverse(parts.frames), isFrameFine) && isSilent;
}

} // namespace fuselage
