#include "core/analysis/meshes/CollectiveMoves.h"
#include "core/analysis/costs/ValueBytes.h"
#include "core/analysis/meshes/ElementwiseBody.h"
#include "core/dialects/sharding/ReadCollective.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace fuselage {

namespace {

bool adds(const Collective &collective) {
  return collective.kind == CollectiveKind::AllReduce || collective.kind == CollectiveKind::ReduceScatter;
}

/// One question: may `collective` be moved past `past`, whose `inputs` it then has to be applied to?
class MoveCheck {
public:
  MoveCheck(const Collective &collective, const CollectiveGroups &groups, const SameOnDevices &same,
            linalg::LinalgOp past, OpOperand &value, bool isDown)
      : collective_(collective), groups_(groups), same_(same), past_(past), value_(value), isDown_(isDown) {
    moved_.push_back(value.getOperandNumber());
  }

  /// Empty: it may.
  std::string run() {
    if (std::string why = whyNotElementwise(past_); !why.empty())
      return why;
    if (!past_.isDpsInput(&value_) || !past_.getMatchingIndexingMap(&value_).isPermutation())
      return "it does not read each element once";
    findOtherMoved();
    if (std::string why = whyBodyForbids(); !why.empty())
      return why;
    for (OpOperand *operand : past_.getDpsInputOperands())
      if (!llvm::is_contained(moved_, operand->getOperandNumber()) && past_.payloadUsesValueFromOperand(operand))
        if (std::string why = whyInputForbids(*operand); !why.empty())
          return why;
    return {};
  }
  bool isExact() const { return isExact_; }

private:
  /// Inputs beside the value that a like collective gives: both are moved, and become one. Going up, only the same
  /// value.
  void findOtherMoved() {
    for (OpOperand *operand : past_.getDpsInputOperands()) {
      bool isSame = operand != &value_ && operand->get() == value_.get() &&
                    past_.getMatchingIndexingMap(operand) == past_.getMatchingIndexingMap(&value_);
      if (isSame || (operand != &value_ && isDown_ && isLike(*operand)))
        moved_.push_back(operand->getOperandNumber());
    }
  }

  /// Whether the operand comes from a collective of the same kind, dimension and devices, for this op alone.
  bool isLike(OpOperand &operand) {
    Operation *defined = operand.get().getDefiningOp();
    if (!defined || !operand.get().hasOneUse() ||
        past_.getMatchingIndexingMap(&operand) != past_.getMatchingIndexingMap(&value_))
      return false;
    std::optional<Collective> other = readCollective(defined);
    auto areMovesEqual = [&] {
      return llvm::equal(other->moves, collective_.moves, [](const SdyMove &a, const SdyMove &b) {
        return a.axes == b.axes && a.from == b.from && a.to == b.to;
      });
    };
    return other && other->problem.empty() && other->kind == collective_.kind && other->dim == collective_.dim &&
           other->splitDim == collective_.splitDim && other->reduction == collective_.reduction &&
           other->groups == collective_.groups && other->isAllDevices == collective_.isAllDevices &&
           other->pairs == collective_.pairs && other->meshName == collective_.meshName &&
           other->axes == collective_.axes && other->dimAxes == collective_.dimAxes && areMovesEqual() &&
           defined->getNumOperands() == 1 &&
           other->op->getOperand(0).getType() == collective_.op->getOperand(0).getType();
  }

  std::string whyBodyForbids() {
    bool isPartial = collective_.kind == CollectiveKind::Permute && !collective_.isGlobal && !groups_.isComplete;
    if (!adds(collective_) && !isPartial)
      return {};
    bool isSum = collective_.reduction == "add" || isPartial; // devices that get nothing have zeros
    bool isExtreme = collective_.reduction == "max" || collective_.reduction == "min";
    if (!isSum && !isExtreme)
      return "only sums, maxima and minima are looked at";
    BodyClass body = isSum ? linearIn(past_, moved_) : risingIn(past_, moved_);
    isExact_ = body.isExact || isPartial;
    if (body.holds)
      return {};
    return (isPartial ? "devices that receive nothing have zeros, and it is not linear: "
            : isSum   ? "it is not linear in the sum: "
                      : "it may fall when the value rises: ") +
           body.why;
  }

  /// The loops of the op along which the collective changes the value.
  std::vector<unsigned> changedLoops() {
    // Its dimensions are those of what it sends: of the op's result, if it is moved up.
    AffineMap map = past_.getMatchingIndexingMap(isDown_ ? &value_ : past_.getDpsInitOperand(0));
    std::vector<int64_t> dims;
    if (collective_.isGlobal && collective_.kind == CollectiveKind::Permute)
      for (unsigned dim = 0; dim < map.getNumResults(); ++dim)
        dims.push_back(dim);
    for (const auto &[dim, axes] : llvm::enumerate(collective_.dimAxes))
      if (!axes.empty())
        dims.push_back(dim);
    for (const SdyMove &move : collective_.moves)
      dims.insert(dims.end(), {move.from, move.to});
    dims.insert(dims.end(), {collective_.dim, collective_.splitDim});
    std::vector<unsigned> loops;
    for (int64_t dim : dims)
      if (dim >= 0 && dim < map.getNumResults())
        loops.push_back(map.getDimPosition(dim));
    return loops;
  }

  std::string whyInputForbids(OpOperand &input) {
    std::string name = "input " + std::to_string(input.getOperandNumber());
    bool slicesUp = collective_.kind == CollectiveKind::AllSlice && !isDown_;
    for (unsigned loop : changedLoops())
      if (!slicesUp && !isConstantAlong(past_, input, loop))
        return name + " changes along a dimension that the collective changes";
    if (collective_.kind == CollectiveKind::AllSlice)
      return {}; // each device reads what it has itself
    if (isOneNumber(input.get()))
      return {};
    if (!collective_.isGlobal)
      return same_.isEqualAcross(input.get(), groups_.groups)
                 ? std::string()
                 : name + " is not known to be the same on all devices that take part";
    if (adds(collective_) && !same_.isWholeAlong(input.get(), collective_.axes))
      return name + " is not known to lie whole along the axes that are reduced";
    return {};
  }

  const Collective &collective_;
  const CollectiveGroups &groups_;
  const SameOnDevices &same_;
  linalg::LinalgOp past_;
  OpOperand &value_;
  bool isDown_;
  bool isExact_ = true;
  SmallVector<unsigned> moved_; ///< operands that the collective is applied to
};

/// Why no move of it is looked at.
std::string whyNone(const Collective &collective, bool isMixed) {
  if (!collective.problem.empty())
    return collective.problem;
  if (isMixed && !collective.isGlobal && collective.axes.empty())
    return "the module has replicas and partitions, and which of both its groups number is not looked at";
  if (collective.kind == CollectiveKind::Reshard)
    return "an annotation: the partitioner decides which collective stands here";
  if (collective.op->getNumOperands() != 1 || collective.op->getNumResults() != 1)
    return "it moves several values";
  switch (collective.kind) {
  case CollectiveKind::AllReduce:
  case CollectiveKind::AllGather:
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::AllToAll:
  case CollectiveKind::AllSlice:
    return {};
  case CollectiveKind::Broadcast:
    // StableHLO gives zeros to devices that are in no group.
    return "only where all devices take part could it be moved, which is not looked at";
  case CollectiveKind::Permute:
    return collective.isGlobal || !collective.pairs.empty() ? std::string()
                                                            : "what devices at the ends have is not defined";
  default:
    return "devices do different things";
  }
}

int64_t bytesOf(Value value) { return byteSize(value.getType()).value_or(-1); }

/// The bytes of a value of `shaped`'s shape with the elements of `elements`.
int64_t bytesAs(Value shaped, Value elements) {
  int64_t count = elementCount(shaped.getType());
  return count < 0 ? -1 : bytesOfElements(getElementTypeOrSelf(elements.getType()), count);
}

/// What fusing the neighbors saves: what is stored and loaded at both sides of the collective, before and then.
int64_t savedBytes(int64_t sent, int64_t given, int64_t then) {
  return sent < 0 || given < 0 || then < 0 ? -1 : std::max<int64_t>(0, 2 * (sent + given - then));
}

/// An op that a dispatch could be made of.
linalg::LinalgOp computingOp(Operation *op) { return dyn_cast_or_null<linalg::LinalgOp>(op); }

} // namespace

SmallVector<CollectiveMove, 2> CollectiveMoves::find(const Collective &collective) const {
  SmallVector<CollectiveMove, 2> moves;
  Operation *op = collective.op;
  if (op->getNumOperands() == 0 || op->getNumResults() == 0)
    return moves;
  std::string none = whyNone(collective, isMixed_);
  Value sent = op->getOperand(0), given = op->getResult(0);
  linalg::LinalgOp producer = computingOp(sent.getDefiningOp());
  CollectiveGroups groups = groupsOf(collective, shardings_, devices_);
  auto check = [&](linalg::LinalgOp past, OpOperand &value, Value single, CollectiveMove move) {
    move.collective = op;
    move.past = past;
    move.sent = bytesOf(sent);
    move.why = !none.empty() ? none
               : !llvm::all_of(single.getUsers(), [&](Operation *user) { return user == (move.isDown ? past : op); })
                   ? std::string("the value has other users")
                   : std::string();
    if (move.why.empty()) {
      MoveCheck question(collective, groups, same_, past, value, move.isDown);
      move.why = question.run();
      move.isExact = question.isExact();
    }
    move.isAllowed = move.why.empty();
    moves.push_back(std::move(move));
  };
  for (OpOperand &use : given.getUses())
    if (linalg::LinalgOp consumer = computingOp(use.getOwner()); consumer && producer) {
      int64_t then = bytesAs(sent, consumer->getResult(0));
      check(consumer, use, given,
            {.isDown = true,
             .producer = producer,
             .consumer = consumer,
             .bytes = savedBytes(bytesOf(sent), bytesOf(given), then),
             .sentThen = then});
      break;
    }
  linalg::LinalgOp after;
  for (Operation *user : given.getUsers())
    if (!after)
      after = computingOp(user);
  if (!producer || !after || producer.getNumDpsInputs() == 0)
    return moves;
  // The input to move to: the only one that is not one number and has the shape that is sent.
  for (OpOperand *input : producer.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    auto shape = dyn_cast<RankedTensorType>(sent.getType());
    if (!type || !shape || type.getShape() != shape.getShape() || isOneNumber(input->get()))
      continue;
    int64_t then = bytesOf(input->get());
    check(producer, *input, sent,
          {.isDown = false,
           .producer = producer,
           .consumer = after,
           .bytes = savedBytes(bytesOf(sent), bytesOf(given), bytesAs(given, input->get())),
           .sentThen = then});
    break;
  }
  return moves;
}

std::string describeMove(const CollectiveMove &move, llvm::function_ref<std::string(Operation *)> nameOf) {
  std::string where = (move.isDown ? "be moved after " : "be moved before ") + nameOf(move.past);
  if (!move.isAllowed)
    return "it cannot " + where + ": " + move.why;
  return "it may " + where + (move.isExact ? ", with the same result" : ", which reorders rounding") +
         "; then nothing stands between " + nameOf(move.producer) + " and " + nameOf(move.consumer);
}

} // namespace fuselage
