#include "core/interfaces/FusableReason.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

namespace fuselage {

static constexpr FusableReasonInfo reasons[] = {
    {FusableReason::NotFusable, "NOT_FUSABLE", "the op has no FusableOpInterface"},
    {FusableReason::TileRefused, "TILE_REFUSED", "the op cannot compute this tile alone"},
    {FusableReason::MapNotPermutation, "MAP_NOT_PERMUTATION",
     "the value is accessed through a map that is no projected permutation"},
    {FusableReason::StridedTile, "STRIDED_TILE", "the tile leaves elements out, which would be computed as well"},
    {FusableReason::GroupSplitUnevenly, "GROUP_SPLIT_UNEVENLY",
     "the tile takes part of a row of the dimensions that the reshape collapses"},
    {FusableReason::OffsetNotMultiple, "OFFSET_NOT_MULTIPLE",
     "the tile is not known to begin where a row of the collapsed dimensions begins"},
    {FusableReason::InnerDimensionCut, "INNER_DIMENSION_CUT",
     "the tile cuts an inner dimension of a group, so that it is not contiguous behind the "
     "reshape"},
    {FusableReason::DynamicGroup, "DYNAMIC_GROUP", "inner sizes of the reshaped dimensions are not known"},
    {FusableReason::EmptyTile, "EMPTY_TILE", "there are no elements to compute"},
    {FusableReason::Unranked, "UNRANKED", "the tensor has no rank to cut tiles by"},
    {FusableReason::PaddingNotConstant, "PADDING_NOT_CONSTANT",
     "the padding depends on where it stands, so that a tile of it is not a padded tile"},
    {FusableReason::ConcatStraddled, "CONCAT_STRADDLED", "the tile may lie in several operands of the concatenation"},
    {FusableReason::ConcatNeedsOthers, "CONCAT_NEEDS_OTHERS",
     "the loop computes one operand of the concatenation only"},
    {FusableReason::SliceCut, "SLICE_CUT",
     "the loop cuts a dimension that the slice takes a part of, so that some tiles are outside of "
     "it"},
    {FusableReason::AccumulatorReset, "ACCUMULATOR_RESET", "each step of a reduction would set its accumulator again"},
    {FusableReason::ReductionCut, "REDUCTION_CUT", "a tile has a part of what the op reduces"},
    {FusableReason::PartialResult, "PARTIAL_RESULT", "the loop runs over a reduction, so that its tiles are not final"},
    {FusableReason::LoopInvariant, "LOOP_INVARIANT",
     "each iteration reads the same tile, which is computed once, in front of the loop"},
    {FusableReason::SharedValue, "SHARED_VALUE", "the value is used outside of the loop as well"},
    {FusableReason::TilesOverlap, "TILES_OVERLAP",
     "the tiles do not partition the value, so that the loop cannot return it"},
    {FusableReason::OtherBlock, "OTHER_BLOCK", "the op is in another block than the loop"},
    {FusableReason::CapturedInBody, "CAPTURED_IN_BODY", "the op reads the value in its body, as a whole"},
    {FusableReason::OperandBehindLoop, "OPERAND_BEHIND_LOOP",
     "another operand is computed behind the loop, and cannot move in front of it"},
    {FusableReason::OperandTilesDiffer, "OPERAND_TILES_DIFFER", "the op needs other tiles than the loop computes"},
    {FusableReason::ControlDeclined, "CONTROL_DECLINED", "the control function declined"},
};

llvm::ArrayRef<FusableReasonInfo> allFusableReasons() { return reasons; }

const FusableReasonInfo &infoOf(FusableReason reason) {
  const auto *row = llvm::find_if(reasons, [&](const FusableReasonInfo &info) { return info.reason == reason; });
  if (row == std::end(reasons))
    llvm_unreachable("every reason has a row");
  return *row;
}

std::string describe(const FusableRefusal &refusal) {
  const FusableReasonInfo &info = infoOf(refusal.reason);
  std::string text = (llvm::Twine(info.code) + ": " + info.sentence).str();
  return refusal.evidence.empty() ? text : (llvm::Twine(text) + " (" + refusal.evidence + ")").str();
}

} // namespace fuselage
