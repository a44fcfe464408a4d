// Reading one module on two threads.
#pragma once
#include "core/support/TwoThreads.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Visitors.h"

namespace fuselage {

/// A session's context makes types and attributes without locks (see makeContext). While this lives it has them, so
/// that two threads may read ops, print them and make attributes.
///
/// What they must not do: change ops or what uses a value; ask which of two ops comes first in a block, unless one of
/// the threads alone does or numberOps() was called before; load dialects. Verifying, printing, planning and copying a
/// whole module change nothing and load nothing.
class SharedContext {
public:
  explicit SharedContext(mlir::MLIRContext &context)
      : context_(context), wasShared_(context.isMultithreadingEnabled()) {
    if (!wasShared_) // the other thread may look at what this sets
      context_.enableMultithreading();
  }
  ~SharedContext() {
    if (!wasShared_)
      context_.disableMultithreading();
  }
  SharedContext(const SharedContext &) = delete;
  SharedContext &operator=(const SharedContext &) = delete;

private:
  mlir::MLIRContext &context_;
  bool wasShared_;
};

/// runBoth() for work on the IR of one context.
inline void runBoth(mlir::MLIRContext &context, const std::function<void()> &first,
                    const std::function<void()> &second) {
  SharedContext shared(context);
  runBoth(first, second);
}

/// Whether `op` holds so much that reading it on two threads gains more than it costs, and there are two processors.
inline bool isWorthTwoThreads(mlir::Operation *op) {
  constexpr size_t many = 1500;
  size_t ops = 0;
  auto count = [&](mlir::Operation *) {
    return ++ops < many ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
  };
  return hasTwoProcessors() && op->walk(count).wasInterrupted();
}

/// Numbers the ops of all blocks in `op`. Otherwise MLIR does so when it is first asked which op of a block comes
/// first.
inline void numberOps(mlir::Operation *op) {
  op->walk([](mlir::Block *block) { block->recomputeOpOrder(); });
}

} // namespace fuselage
