#include "core/transforms/bufferize/UpdateReason.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace fuselage {

static constexpr UpdateReasonInfo table[] = {
#define UPDATE_REASON(Name, code, sentence) {UpdateReason::Name, code, sentence},
#include "core/text/Reasons.def"
};

const UpdateReasonInfo &infoOf(UpdateReason reason) { return table[static_cast<size_t>(reason)]; }

llvm::ArrayRef<UpdateReasonInfo> allUpdateReasons() { return table; }

void emitRefusal(Operation *op, const UpdateRefusal &refusal) {
  const UpdateReasonInfo &info = infoOf(refusal.reason);
  auto remark = op->emitRemark("the update is not done in place: ") << info.code << ": " << info.sentence;
  if (refusal.culprit && refusal.culprit != op)
    remark.attachNote(refusal.culprit->getLoc()) << "because of this op";
}

} // namespace fuselage
