// Why bufferization makes a buffer or a copy.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace fuselage {

/// Each has a row in core/text/Reasons.def, and a page in resources/docs/buffers.
enum class BufferReason {
  None,
#define BUFFER_REASON(Name, code, title, sentence) Name,
#include "core/text/Reasons.def"
};

struct BufferReasonInfo {
  BufferReason reason = BufferReason::None;
  llvm::StringRef code, title, sentence;
};

/// By enum.
const BufferReasonInfo &infoOf(BufferReason reason);
/// All but None.
llvm::ArrayRef<BufferReasonInfo> bufferReasons();

/// The Help page of a reason's code, as Markdown, built into the program: what it means, an example that
/// triggers it, what may help. Empty for a code that there is none of.
llvm::StringRef bufferPage(llvm::StringRef code);

} // namespace fuselage
