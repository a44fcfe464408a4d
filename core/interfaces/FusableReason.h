// Why an op cannot be computed for one tile only: codes, what each means, and the evidence.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace fuselage {

/// Each has a row in core/text/Reasons.def. FusionReason says why two ops do not share a dispatch; this
/// says why a loop cannot take an op in, tile by tile.
enum class FusableReason {
#define FUSABLE_REASON(Name, code, sentence) Name,
#include "core/text/Reasons.def"
};

/// What is true of a reason wherever it comes up.
struct FusableReasonInfo {
  FusableReason reason;
  llvm::StringLiteral code;     ///< "GROUP_SPLIT_UNEVENLY"
  llvm::StringLiteral sentence; ///< without a full stop
};

const FusableReasonInfo &infoOf(FusableReason reason);
llvm::ArrayRef<FusableReasonInfo> allFusableReasons();

/// One refusal. `evidence` is what of this op and tile is at fault; may be empty.
struct FusableRefusal {
  FusableReason reason;
  std::string evidence{};
};

/// "GROUP_SPLIT_UNEVENLY: the tile covers part of a row ... (6 of rows of 8 in dimension 0)"
std::string describe(const FusableRefusal &refusal);

} // namespace fuselage
