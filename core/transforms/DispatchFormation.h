// Which ops share a dispatch (policy), and wrapping them into flow.dispatch.region (mechanism).
#pragma once
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace fuselage {

/// The rules as data. The defaults are the documented ones of `fuselage-form-dispatches`.
struct DispatchPolicy {
  bool fuseElementwiseConsumers = true; ///< into the root's dispatch, when dominated and tileable with it
  bool cloneCheapProducers = true;      ///< fill, empty, broadcast, splat constants
  bool wrapLeftovers = true;            ///< elementwise, transpose, pad, ... get a dispatch of their own
};

enum class DispatchKind { Contraction, Convolution, Reduction, Elementwise, Other };
llvm::StringRef dispatchKindName(DispatchKind kind);

/// Ops of one block, in block order. `root` is one of `ops`. `clonedProducers` stay where they are
/// and are cloned in front of `ops` (they, too, in block order).
struct DispatchGroup {
  mlir::Operation *root = nullptr;
  DispatchKind kind = DispatchKind::Other;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<mlir::Operation *> clonedProducers;
};

/// Decides; changes nothing. Groups come in block order of their roots.
std::vector<DispatchGroup> planDispatches(mlir::FunctionOpInterface function,
                                          const DispatchPolicy &policy = {});

/// Wraps one group. Fails, with nothing changed, when the ops cannot stand at one place.
mlir::FailureOr<mlir::Operation *> wrapDispatch(mlir::RewriterBase &rewriter,
                                                const DispatchGroup &group);

/// The kind of a dispatch that exists already: by the root among the ops in its body.
DispatchKind classifyDispatch(mlir::Operation *dispatchRegion);

/// A readable, deterministic name such as `matmul_128x768x768` (op and iteration domain).
std::string dispatchName(mlir::Operation *root);

} // namespace fuselage
