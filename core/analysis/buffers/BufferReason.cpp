#include "core/analysis/buffers/BufferReason.h"

namespace fuselage {

/// A row each, in the order of the enum. Whoever adds one writes resources/docs/buffers/CODE.md, too.
static constexpr BufferReasonInfo table[] = {
    {BufferReason::None, "", ""},
    {BufferReason::ReadAfterWrite, "READ_AFTER_WRITE", "writing in place would overwrite what is still read"},
    {BufferReason::ReadOnlyConstant, "READ_ONLY_CONSTANT", "it would be written into a constant"},
    {BufferReason::ReadOnlyArgument, "READ_ONLY_ARGUMENT",
     "it would be written into an argument that the function must leave as it is"},
    {BufferReason::ReadOnlyValue, "READ_ONLY_VALUE", "it would be written into a buffer that must stay as it is"},
    {BufferReason::ParallelRegion, "PARALLEL_REGION",
     "iterations that run at once would write the same buffer, which comes from outside of the loop"},
    {BufferReason::UnknownOp, "UNKNOWN_OP", "nobody knows what the op does with buffers, so the worst is assumed"},
    {BufferReason::LoopYield, "LOOP_YIELD", "the loop hands on a value that does not lie in the buffer it got"},
    {BufferReason::EmptyTensor, "EMPTY_TENSOR", "an empty tensor is a place to write to, and needs a buffer"},
    {BufferReason::NoDestination, "NO_DESTINATION", "the op has no operand whose buffer could hold its result"},
    {BufferReason::LayoutChange, "LAYOUT_CHANGE",
     "the buffer is not laid out as its user, such as a function's signature, asks for"},
    {BufferReason::DataMovement, "DATA_MOVEMENT", "the op moves data, and its source lies elsewhere"},
    {BufferReason::Explicit, "EXPLICIT", "the program asks for this buffer"},
    {BufferReason::UnneededCopy, "UNNEEDED_COPY",
     "nothing is written to the copy or its source afterwards: readers could read the source"},
    {BufferReason::UnreadCopy, "UNREAD_COPY", "nothing reads the copy"},
    {BufferReason::ResultCopy, "RESULT_COPY",
     "what was computed into a buffer of its own could be computed where it is copied to"},
};

const BufferReasonInfo &infoOf(BufferReason reason) { return table[static_cast<unsigned>(reason)]; }

llvm::ArrayRef<BufferReasonInfo> bufferReasons() { return llvm::ArrayRef(table).drop_front(); }

} // namespace fuselage
