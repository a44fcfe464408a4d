// Why two ops are not fused: the codes, what each means, and the evidence for one edge.
#pragma once
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace fuselage {

/// A clause that an edge fails. Each has a row in core/text/Reasons.def, a predicate in ElementwiseClauses.cpp or
/// DispatchClauses.cpp (or the planner, where it depends on what was planned before), and a page in
/// resources/docs/reasons.
enum class FusionReason {
#define FUSION_REASON(Name, code, title, sentence, legal, unlocks, parent) Name,
#include "core/text/Reasons.def"
};

/// What is true of a reason wherever it comes up.
struct FusionReasonInfo {
  FusionReason reason;
  llvm::StringLiteral code;     ///< "MULTI_USE"
  llvm::StringLiteral title;    ///< "Several users"
  llvm::StringLiteral sentence; ///< without a full stop
  /// The fusion would keep what the program computes: only the policy, or what was fused before,
  /// forbids it. False: that depends on the two ops, and is tried (see tryToShareLoops).
  bool legal;
  llvm::StringLiteral unlocks; ///< names of transforms, separated by commas; may be empty
  /// The code that it is a kind of; the reason itself for all others.
  FusionReason parent;
};

const FusionReasonInfo &infoOf(FusionReason reason);
llvm::ArrayRef<FusionReasonInfo> allFusionReasons();

/// The names of the transforms that may unlock a reason.
llvm::SmallVector<llvm::StringRef> unlocksOf(FusionReason reason);

/// What the reader needs to see to believe it. Unused fields are null, empty or -1.
struct FusionEvidence {
  mlir::AffineMap producerMap{};                   ///< of the producer's loops to its result
  mlir::AffineMap consumerMap{};                   ///< of the consumer's loops to the value
  int clash = -1;                                  ///< the result of consumerMap (else of producerMap) that is at fault
  mlir::Operation *culprit = nullptr;              ///< the reshape, the root, the op in the way
  llvm::SmallVector<mlir::Operation *, 2> users{}; ///< the value's other users; the first few
  int64_t count = -1, limit = -1;
};

/// One failed clause of one edge. `detail` is the second half of what a reader is told: what of this
/// edge fails.
struct Refusal {
  FusionReason reason;
  std::optional<FusionReason> kind{}; ///< for NonFusableOp
  FusionEvidence evidence{};
};
using Refusals = llvm::SmallVector<Refusal, 2>;

/// "linalg.generic reads the value through (d0, d1) -> (0, d1)": what the evidence shows, in words;
/// empty where there is nothing to add to the reason's sentence.
std::string describeEvidence(const Refusal &refusal);

} // namespace fuselage
