// Why bufferization makes a buffer or a copy.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace fuselage {

/// The first group refuses an operand its place; the second makes buffers and copies without a conflict; the third is
/// of copies that the program asks for. Each has a page in resources/docs/buffers.
enum class BufferReason {
  None,
  ReadAfterWrite,
  ReadOnlyConstant,
  ReadOnlyArgument,
  ReadOnlyValue,
  ParallelRegion,
  UnknownOp,

  LoopYield,
  EmptyTensor,
  NoDestination,
  LayoutChange,
  DataMovement,
  Explicit,

  UnneededCopy,
  UnreadCopy,
  ResultCopy,
};

struct BufferReasonInfo {
  BufferReason reason = BufferReason::None;
  llvm::StringRef code, sentence;
};

/// By enum.
const BufferReasonInfo &infoOf(BufferReason reason);
/// All but None.
llvm::ArrayRef<BufferReasonInfo> bufferReasons();

/// The Help page of a reason's code, as Markdown, built into the program: what it means, an example that
/// triggers it, what may help. Empty for a code that there is none of.
llvm::StringRef bufferPage(llvm::StringRef code);

} // namespace fuselage
