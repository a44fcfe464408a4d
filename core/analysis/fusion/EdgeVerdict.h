// What is said of an edge and of a dispatch: fused, or why not.
#pragma once
#include "core/protocol/Fusion.h"
#include "core/transforms/dispatch/DispatchClauses.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "mlir/IR/BuiltinOps.h"
#include <optional>
#include <vector>

namespace fuselage {

using Verdict = message::FusionVerdict;
/// "FUSED_INTO_OP", "SAME_DISPATCH", "CLONED", "SEPARATE".
llvm::StringRef verdictName(Verdict verdict);

/// One use of a shaped value. `edge` is what was judged: where dispatches are formed already, it leads
/// from an op inside one to an op inside another. `from` and `to` are the ops that hold the use in the
/// IR, as the dispatch graph shows them, `operand` its number there: captures count after operands.
struct EdgeVerdict {
  FusionEdge edge;
  mlir::Operation *from = nullptr, *to = nullptr;
  unsigned operand = 0;
  /// What `to` reads: `edge.value`, or the result of the dispatch that hands it on.
  mlir::Value passed{};
  Verdict verdict = Verdict::Separate;
  Refusals
      refusals{};    ///< for Separate: every clause that fails, the one that decides first; empty for JudgedFor::Counts
  int64_t bytes = 0; ///< through memory that fusing would save; -1: unknown (dynamic)
  /// Names of transforms, each of which alone fuses the edge; found by proveUnlocks.
  llvm::SmallVector<llvm::StringRef, 2> proven{};
  /// Names of transforms that were tried by themselves and do not fuse the edge; found there, too.
  llvm::SmallVector<llvm::StringRef, 2> tried{};

  /// For Separate, where not only the policy is in the way: their payloads can be merged, or tile-and-fuse was
  /// tried on the two ops, and can or cannot do it; see tryToShareLoops.
  std::optional<bool> sharesLoops{};

  /// Fused, or could be as the ops stand: only the policy is in the way, or tile-and-fuse can do it. Not
  /// known where that was not tried.
  std::optional<bool> isLegal() const;
  /// Names of the transforms that its reasons name, those of the deciding reason first: what may unlock it.
  llvm::SmallVector<llvm::StringRef> unlocks() const;
};

/// What edges are judged for. Counts: whether they are fused is enough: separate ones have no reasons, and nobody looks
/// which ops of one dispatch become one (SameDispatch stands for FusedIntoOp), which takes as long as planning.
enum class JudgedFor { Reasons, Counts };

/// A dispatch, planned or formed.
struct JudgedDispatch {
  std::string name;
  DispatchKind kind = DispatchKind::Other;
  mlir::Operation *root = nullptr; ///< null: not known (a call of a binary)
  llvm::SmallVector<mlir::Operation *> ops{};
  int64_t bytes = 0;        ///< read and written through memory, each tensor once; -1: unknown
  bool bytesAtMost = false; ///< data decides what is read; it may be less
};

struct BodyVerdicts {
  mlir::Operation *function = nullptr; ///< or the op that holds a fragment
  std::vector<EdgeVerdict> edges;      ///< in program order of consumers
  std::vector<JudgedDispatch> dispatches;
  std::optional<std::vector<DispatchGroup>> plan{}; ///< planDispatches of the body, where none are formed
  mlir::Region *body = nullptr;
  bool isProven = false; ///< EdgeVerdict::proven holds all that there is
};

} // namespace fuselage
