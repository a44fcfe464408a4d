// Which ops share a dispatch (policy), and wrapping them into flow.dispatch.region (mechanism).
#pragma once
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/dispatch/FusionPolicy.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace fuselage {

enum class DispatchKind { Contraction, Convolution, Reduction, Elementwise, Other };
llvm::StringRef dispatchKindName(DispatchKind kind);

/// Ops of one block, producers before consumers; the last one is the only one that no other reads.
/// `root` is one of `ops`. `clonedProducers` (producers first) stay where they are and are cloned
/// before their first user among `ops`; they may come from enclosing blocks.
struct DispatchGroup {
  mlir::Operation *root = nullptr;
  DispatchKind kind = DispatchKind::Other;
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<mlir::Operation *> clonedProducers;
};

/// Decides; changes nothing: what fuselage-form-dispatches makes, and fuselage-dispatch-moves after
/// it. Groups come in block order of their roots. `body` is a function's, also one of a dialect
/// that we only read. Kernels (isKernel) have none: each is a dispatch already.
std::vector<DispatchGroup> planDispatches(mlir::Region &body, const FusionPolicy &policy = {});

/// What planDispatches says of some bodies by the policy that it takes by default.
using DispatchPlans = llvm::DenseMap<mlir::Region *, std::vector<DispatchGroup>>;

/// Wraps one group. Fails, with nothing changed, when the ops cannot stand at one place.
mlir::FailureOr<mlir::Operation *> wrapDispatch(mlir::RewriterBase &rewriter, const DispatchGroup &group);

/// The op that gives an existing dispatch its kind: the first contraction in its body, else the
/// first convolution, and so on; null if it holds no compute op. Also for outlined functions and
/// kernels. Where all compute ops are of dialects or versions that we only read, their names decide.
mlir::Operation *findDispatchRoot(mlir::Operation *dispatchRegion);

/// The kind of a dispatch that exists already: by the root among the ops in its body.
DispatchKind classifyDispatch(mlir::Operation *dispatchRegion);

/// The kind that the name of an op of any dialect says, "aten.mm" or "dot_general" say; Other if none.
DispatchKind kindByName(llvm::StringRef name);

/// A readable, deterministic name such as `matmul_128x768x768` (op and iteration domain; D for a
/// dynamic size).
std::string dispatchName(mlir::Operation *root);

/// The name of an existing dispatch. wrapDispatch keeps it in the op's location, so that tiling
/// does not change it; without one it is the dispatchName of the root.
std::string nameOfDispatch(mlir::Operation *dispatchRegion);

} // namespace fuselage
