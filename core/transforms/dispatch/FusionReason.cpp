#include "core/transforms/dispatch/FusionReason.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

using enum FusionReason;

static constexpr FusionReasonInfo table[] = {
#define FUSION_REASON(Name, code, title, sentence, legal, unlocks, parent)                                             \
  {Name, code, title, sentence, legal, unlocks, parent},
#include "core/text/Reasons.def"
};

const FusionReasonInfo &infoOf(FusionReason reason) { return table[static_cast<size_t>(reason)]; }

llvm::ArrayRef<FusionReasonInfo> allFusionReasons() { return table; }

llvm::SmallVector<llvm::StringRef> unlocksOf(FusionReason reason) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(infoOf(reason).unlocks).split(names, ',', -1, /*KeepEmpty=*/false);
  return names;
}

/// Adds a clause to a sentence in the making.
static void append(std::string &text, const std::string &clause) { text += (text.empty() ? "" : "; ") + clause; }

static std::string nameOf(Operation *op) { return displayName(op); }

std::string describeEvidence(const Refusal &refusal) {
  const FusionEvidence &evidence = refusal.evidence;
  std::string text;
  if (refusal.kind)
    append(text, infoOf(*refusal.kind).sentence.str());
  else if (evidence.culprit)
    append(text, "it is " + nameOf(evidence.culprit));
  if (evidence.producerMap)
    append(text, "written through " + debugString(evidence.producerMap));
  if (evidence.consumerMap)
    append(text, "read through " + debugString(evidence.consumerMap));
  if (evidence.clash >= 0)
    append(text, "dimension " + std::to_string(evidence.clash) + " is at fault");
  if (!evidence.users.empty())
    append(text, "also read by " + llvm::join(llvm::map_range(evidence.users, nameOf), ", "));
  if (evidence.count >= 0)
    append(text, std::to_string(evidence.count) + (evidence.limit >= 0 ? " of at most " : ""));
  if (evidence.limit >= 0)
    text += (evidence.count >= 0 ? "" : text.empty() ? "at most " : "; at most ") + std::to_string(evidence.limit);
  return text;
}

} // namespace fuselage
