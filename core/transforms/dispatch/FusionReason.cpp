#include "core/transforms/dispatch/FusionReason.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace fuselage {

using enum FusionReason;

/// A row each, in the order of the enum. Whoever adds one writes a page in resources/docs/reasons, too.
static constexpr FusionReasonInfo table[] = {
    {NotGeneric, "NOT_GENERIC",
     "One of the two ops is not a linalg.generic, and elementwise fusion merges payloads of "
     "generics only",
     false, "generalize,fuse-packing", NotGeneric},
    {NotPureTensor, "NOT_PURE_TENSOR",
     "The ops do not work on ranked tensors but on buffers: writes through aliases could be missed", false, "",
     NotPureTensor},
    {ProducerReduction, "PRODUCER_REDUCTION",
     "The producer has reduction loops: its result is only known once they have ended, so it "
     "cannot be computed "
     "inside of the consumer's payload",
     false, "fuse-reduction", ProducerReduction},
    {OperandIsInit, "OPERAND_IS_INIT",
     "The consumer reads the value as its initial value (outs), and elementwise fusion only "
     "follows inputs",
     false, "", OperandIsInit},
    {RankMismatch, "RANK_MISMATCH",
     "The producer has more loops than the value has dimensions, so the consumer cannot tell their "
     "iterations",
     false, "fold-unit-dims", RankMismatch},
    {ProducerMapNotPermutation, "PRODUCER_MAP_NOT_PERMUTATION",
     "The producer does not write its result through a permutation of its loops, so the map cannot "
     "be inverted",
     false, "fold-unit-dims", ProducerMapNotPermutation},
    {LoopBoundLost, "LOOP_BOUND_LOST",
     "Only this value tells how long one of the consumer's reduction loops is; without it the "
     "bound would be lost",
     false, "", LoopBoundLost},
    {OperandLimit, "OPERAND_LIMIT", "The merged op would read more operands than a kernel may have", true, "",
     OperandLimit},
    {UnitDimBroadcast, "UNIT_DIM_BROADCAST",
     "An indexing map holds the constant 0, as in (0, d1, d2): a dimension of size 1 is read as if "
     "it were broadcast, "
     "and the policy does not look through such maps",
     true, "fold-unit-dims,batch-matmul-to-matmul", UnitDimBroadcast},
    {MapNotProjectedPermutation, "MAP_NOT_PROJECTED_PERMUTATION",
     "An indexing map is not a selection of loops, each used once, so tiles of the two ops do not "
     "line up",
     false, "", MapNotProjectedPermutation},
    {MultiUse, "MULTI_USE",
     "The value has other users: it would have to be computed again for each, or be stored all the "
     "same",
     true, "fuse-multi-use", MultiUse},
    {BroadcastConsumer, "BROADCAST_CONSUMER",
     "The value is broadcast on its way: every element is used many times and would be computed or "
     "fetched as often",
     true, "absorb-broadcast,fuse-elementwise", BroadcastConsumer},
    {ReductionOperandNotPermutation, "REDUCTION_OPERAND_NOT_PERMUTATION",
     "The consumer reduces, and does not visit every element of the value exactly once: fusing "
     "would repeat the "
     "producer's work",
     true, "fuse-elementwise", ReductionOperandNotPermutation},
    {ConsumerContraction, "CONSUMER_CONTRACTION",
     "The consumer is a contraction, which reads each element many times; the policy fuses nothing "
     "that computes or "
     "moves elements into its operands",
     true, "absorb-transpose,absorb-broadcast,fuse-elementwise,fuse-attention", ConsumerContraction},
    {NonFusableOp, "NON_FUSABLE_OP", "One of the two ops has no loops to fuse", false, "", NonFusableOp},
    {ElementwiseOnTensors, "ELEMENTWISE_ON_TENSORS",
     "One of the two ops is arithmetic on whole tensors, which has loops once it is written as a "
     "linalg.generic",
     false, "generalize", ElementwiseOnTensors},
    {NotStructured, "NOT_STRUCTURED",
     "One of the two ops computes a tensor in a way that no indexing maps describe, so its loops "
     "cannot be tiled: write "
     "it as a linalg.generic",
     false, "", NotStructured},
    {UnknownOp, "UNKNOWN_OP",
     "Nothing is known of one of the two ops but its name: its dialect is only read here, so lower "
     "it to linalg first, "
     "by the compiler that it comes from",
     false, "", UnknownOp},
    {OtherBlock, "OTHER_BLOCK", "The two ops stand in different blocks: a dispatch is straight-line code of one block",
     false, "", OtherBlock},
    {CapturedInBody, "CAPTURED_IN_BODY",
     "The consumer's payload picks elements of the value itself (tensor.extract), so any of them "
     "may be needed for any "
     "tile",
     false, "", CapturedInBody},
    {NoDominatingUse, "NO_DOMINATING_USE",
     "The value has several users and none of them comes before all others, so no dispatch can "
     "serve them all",
     true, "", NoDominatingUse},
    {ConsumerHasReduction, "CONSUMER_HAS_REDUCTION",
     "The consumer reduces over a dimension that the producer's tiles cut: it needs whole rows of "
     "the value",
     true, "fuse-elementwise,fuse-reduction,fuse-attention,fuse-tiles", ConsumerHasReduction},
    {ProducerNotInit, "PRODUCER_NOT_INIT",
     "The consumer is a root whose windows overlap; only what initialises its result joins it, not "
     "its inputs",
     true, "", ProducerNotInit},
    {ConsumerIsRoot, "CONSUMER_IS_ROOT", "The consumer is the root of a dispatch of its own", true,
     "fuse-reduction,fuse-tiles", ConsumerIsRoot},
    {NoSharedParallelDim, "NO_SHARED_PARALLEL_DIM",
     "The two ops share no outer parallel loop: there is nothing to distribute over workgroups", true, "",
     NoSharedParallelDim},
    {ConflictingMaps, "CONFLICTING_MAPS",
     "The consumer reads the dispatch's results in two ways that ask for different tiles", false, "", ConflictingMaps},
    {ProducerMoreParallel, "PRODUCER_MORE_PARALLEL",
     "The producer is parallel in a loop that the consumer does not have", true, "fold-unit-dims",
     ProducerMoreParallel},
    {ConsumerHigherRank, "CONSUMER_HIGHER_RANK",
     "The consumer has an outer loop that the value does not depend on: it is of higher rank than "
     "the root",
     true, "", ConsumerHigherRank},
    {RootLoopMismatch, "ROOT_LOOP_MISMATCH",
     "The consumer's outer loops are not the root's in the same order, as behind a transposition", true,
     "absorb-transpose", RootLoopMismatch},
    {NotInPlace, "NOT_IN_PLACE",
     "The consumer cannot write its result over the root's: the fused dispatch would need memory "
     "for both",
     true, "", NotInPlace},
    {BindingLimit, "BINDING_LIMIT", "The dispatch would read and write more tensors than a kernel may bind", true, "",
     BindingLimit},
    {UseDefCycle, "USE_DEF_CYCLE",
     "An op that cannot join reads the producer and feeds the consumer: the dispatch would wait "
     "for itself",
     false, "bubble-reshape-up,bubble-reshape-down,fuse-reduction", UseDefCycle},
    {ExternalUserOrder, "EXTERNAL_USER_ORDER",
     "An op with effects has to run between the two, since effects keep their order", false, "", ExternalUserOrder},
    {SearchLimit, "SEARCH_LIMIT", "The planner's search ended before it came to this edge", true, "", SearchLimit},
    {InOtherDispatch, "IN_OTHER_DISPATCH", "The two ops already belong to different dispatches", true,
     "fuse-elementwise,fuse-dispatches", InOtherDispatch},
    {FusionDisabled, "FUSION_DISABLED", "The policy does not fuse such ops", true, "", FusionDisabled},
    {DeadConsumer, "DEAD_CONSUMER", "Nothing reads the consumer's result, so no dispatch computes it", true, "",
     DeadConsumer},
    {ReshapeExpand, "RESHAPE_EXPAND", "tensor.expand_shape stands between the two computations", false,
     "bubble-reshape-up,bubble-reshape-down", NonFusableOp},
    {ReshapeCollapse, "RESHAPE_COLLAPSE", "tensor.collapse_shape stands between the two computations", false,
     "bubble-reshape-up,bubble-reshape-down", NonFusableOp},
    {ReshapeDynamic, "RESHAPE_DYNAMIC",
     "A reshape to a shape that is only known as a tensor stands between the two computations", false, "",
     NonFusableOp},
    {SliceExtract, "SLICE_EXTRACT", "A slice of the value is taken between the two computations", false, "",
     NonFusableOp},
    {SliceInsert, "SLICE_INSERT", "The value is inserted into a larger tensor", false, "", NonFusableOp},
    {ConcatTensors, "CONCAT_TENSORS", "The value is joined with others into one tensor", false, "", NonFusableOp},
    {ConstantData, "CONSTANT_DATA", "The value is constant data, which no op computes", false, "", NonFusableOp},
    {ControlFlow, "CONTROL_FLOW", "A loop or a branch stands between the two computations", false, "fuse-into-loops",
     NonFusableOp},
    {FunctionCall, "FUNCTION_CALL", "A call of a function stands between the two computations: inline it", false, "",
     NonFusableOp},
};

/// A row out of place would give another reason's words.
static constexpr bool isInOrder() {
  for (size_t row = 0; row < std::size(table); ++row)
    if (static_cast<size_t>(table[row].reason) != row)
      return false;
  return std::size(table) == static_cast<size_t>(FunctionCall) + 1;
}
static_assert(isInOrder(), "a row for every reason, in the order of the enum");

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
