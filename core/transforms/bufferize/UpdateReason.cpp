#include "core/transforms/bufferize/UpdateReason.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace fuselage {

using enum UpdateReason;

/// A row each, in the order of the enum.
static constexpr UpdateReasonInfo table[] = {
    {NoUpdate, "NO_UPDATE",
     "No tensor.insert_slice writes a tile into the value that the loop carries; it yields another value"},
    {SeveralUpdates, "SEVERAL_UPDATES",
     "Several tiles are inserted into the value in one iteration, and a later one may read what an earlier one wrote"},
    {OtherUse, "OTHER_USE", "The value that the loop carries is used as a whole, and not only by its slices"},
    {ReadBehindUpdate, "READ_BEHIND_UPDATE",
     "A slice of the old value is taken behind the update, or beside it, where memory holds the new one"},
    {PingPong, "PING_PONG",
     "The loop does not yield the updated value in the place from which it got it: two values would share one memory"},
    {OtherControlFlow, "OTHER_CONTROL_FLOW",
     "There is other control flow than scf.for around the update, and the tile may be written or not"},
    {OtherBlock, "OTHER_BLOCK", "The loop and what stores its result stand in different blocks"},
    {ValueUsedElsewhere, "VALUE_USED_ELSEWHERE",
     "Others use the loop's result as well, and the destination cannot be read"},
    {DestinationBehindLoop, "DESTINATION_BEHIND_LOOP",
     "The destination, or the place in it, is only known behind the loop"},
    {InterleavedAlias, "INTERLEAVED_ALIAS",
     "Between the first tile and the store, memory is read or written that may be the destination"},
    {OverlappingTiles, "OVERLAPPING_TILES",
     "Iterations read tiles that earlier ones may have written, and the destination cannot be read"},
    {UnknownSpelling, "UNKNOWN_SPELLING", "The store's dialect has no op that writes a tile"},
};

/// A row out of place would give another reason's words.
static constexpr bool isInOrder() {
  for (size_t row = 0; row < std::size(table); ++row)
    if (static_cast<size_t>(table[row].reason) != row)
      return false;
  return std::size(table) == static_cast<size_t>(UnknownSpelling) + 1;
}
static_assert(isInOrder(), "a row for every reason, in the order of the enum");

const UpdateReasonInfo &infoOf(UpdateReason reason) { return table[static_cast<size_t>(reason)]; }

llvm::ArrayRef<UpdateReasonInfo> allUpdateReasons() { return table; }

void emitRefusal(Operation *op, const UpdateRefusal &refusal) {
  const UpdateReasonInfo &info = infoOf(refusal.reason);
  auto remark = op->emitRemark("the update is not done in place: ") << info.code << ": " << info.sentence;
  if (refusal.culprit && refusal.culprit != op)
    remark.attachNote(refusal.culprit->getLoc()) << "because of this op";
}

} // namespace fuselage
