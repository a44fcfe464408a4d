// Why a destructive update stays as it is: the codes, and what each means.
#pragma once
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace fuselage {

/// What keeps a loop nest from writing its tiles in place. Each has a row in core/text/Reasons.def.
enum class UpdateReason {
#define UPDATE_REASON(Name, code, sentence) Name,
#include "core/text/Reasons.def"
};

/// What is true of a reason wherever it comes up.
struct UpdateReasonInfo {
  UpdateReason reason;
  llvm::StringLiteral code;     ///< "PING_PONG"
  llvm::StringLiteral sentence; ///< without a full stop
};
const UpdateReasonInfo &infoOf(UpdateReason reason);
llvm::ArrayRef<UpdateReasonInfo> allUpdateReasons();

/// A reason and the op that is at fault, if one is.
struct UpdateRefusal {
  UpdateReason reason;
  mlir::Operation *culprit = nullptr;
};

/// The remark on `op`, "the update is not done in place: PING_PONG: ...", with a note at the culprit.
void emitRefusal(mlir::Operation *op, const UpdateRefusal &refusal);

} // namespace fuselage
