#include "core/interfaces/FusableReason.h"
#include "llvm/ADT/Twine.h"

namespace fuselage {

static constexpr FusableReasonInfo reasons[] = {
#define FUSABLE_REASON(Name, code, sentence) {FusableReason::Name, code, sentence},
#include "core/text/Reasons.def"
};

llvm::ArrayRef<FusableReasonInfo> allFusableReasons() { return reasons; }

const FusableReasonInfo &infoOf(FusableReason reason) { return reasons[static_cast<size_t>(reason)]; }

std::string describe(const FusableRefusal &refusal) {
  const FusableReasonInfo &info = infoOf(refusal.reason);
  std::string text = (llvm::Twine(info.code) + ": " + info.sentence).str();
  return refusal.evidence.empty() ? text : (llvm::Twine(text) + " (" + refusal.evidence + ")").str();
}

} // namespace fuselage
