#include "core/analysis/buffers/BufferReason.h"

namespace fuselage {

static constexpr BufferReasonInfo table[] = {
    {BufferReason::None, "", "", ""},
#define BUFFER_REASON(Name, code, title, sentence) {BufferReason::Name, code, title, sentence},
#include "core/text/Reasons.def"
};

const BufferReasonInfo &infoOf(BufferReason reason) { return table[static_cast<unsigned>(reason)]; }

llvm::ArrayRef<BufferReasonInfo> bufferReasons() { return llvm::ArrayRef(table).drop_front(); }

} // namespace fuselage
