// Blocked summation: sums of many floats as sums of partial sums, which rounds less.
#include "core/transforms/gpu/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

namespace fuselage {
#define GEN_PASS_DEF_BLOCKEDSUMMATIONPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// So many terms of `all` are added one by one. Roundings are random: N terms of one sign are off by up to 4 sqrt(N) /
/// 6 units in the last place, and M such sums of equal size, added up exactly, by 1 / sqrt(M) of that.
int64_t mostTermsOf(int64_t all) { return std::clamp<int64_t>(llvm::bit_floor(uint64_t(all) / 8), 32, 128); }
/// Where nothing tells the rounds of a loop.
constexpr int64_t unknownRounds = 16384;

int64_t roundsOf(scf::ForOp loop) {
  std::optional<APInt> rounds = loop.getStaticTripCount();
  return rounds ? int64_t(std::min<uint64_t>(rounds->getLimitedValue(), 1 << 30)) : unknownRounds;
}

/// Finds sums that a loop carries from round to round, and how many terms a round adds.
class SumChain {
public:
  /// Of the carried value `number`; 0 terms: it is no sum, or of a type that is exact.
  static int64_t termsOfRound(scf::ForOp loop, unsigned number) {
    Type element = getElementTypeOrSelf(loop.getResultTypes()[number]);
    if (!element.isF32() && !element.isF64())
      return 0;
    int64_t terms = 0;
    Value sum = loop.getRegionIterArg(number);
    while (sum.hasOneUse()) {
      OpOperand &use = *sum.use_begin();
      if (use.getOwner() == loop.getBody()->getTerminator())
        return use.getOperandNumber() == number ? terms : 0;
      if (use.getOwner()->getBlock() != loop.getBody())
        return 0;
      int64_t added = 0;
      std::tie(sum, added) = next(use);
      if (!sum)
        return 0;
      terms += added;
    }
    return 0;
  }

private:
  /// What the use adds to the sum, and how many terms that is; null if it does anything else.
  static std::pair<Value, int64_t> next(OpOperand &use) {
    Operation *op = use.getOwner();
    if (isa<arith::AddFOp>(op) || (isa<math::FmaOp, vector::FMAOp>(op) && use.getOperandNumber() == 2))
      return {op->getResult(0), 1};
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop || use.getOperandNumber() < loop.getNumControlOperands())
      return {nullptr, 0};
    unsigned number = use.getOperandNumber() - loop.getNumControlOperands();
    int64_t terms = termsOfRound(loop, number);
    return {terms == 0 ? nullptr : loop.getResult(number), terms * roundsOf(loop)};
  }
};

/// Which carried values are sums, and the most terms that a round adds to one of them.
struct Sums {
  explicit Sums(scf::ForOp loop) {
    for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i)
      if (int64_t added = SumChain::termsOfRound(loop, i)) {
        numbers.push_back(i);
        terms = std::max(terms, added);
      }
  }
  SmallVector<unsigned> numbers;
  int64_t terms = 0;
};

/// Returns how many terms are added to the sums that `loop` carries, by it and by all loops around it that carry them.
int64_t termsOfNest(scf::ForOp loop) {
  Sums sums(loop);
  int64_t terms = sums.terms * roundsOf(loop);
  auto around = dyn_cast<scf::ForOp>(loop->getParentOp());
  if (sums.numbers.empty() || !around)
    return terms;
  Sums all(around);
  bool isCarried = llvm::any_of(all.numbers, [&](unsigned number) {
    return loop.getInits()[sums.numbers.front()] == around.getRegionIterArg(number);
  });
  return isCarried ? termsOfNest(around) : terms;
}

/// Lets the sums of a loop start from zero, and adds their initial values to their results.
void isolate(RewriterBase &rewriter, scf::ForOp loop, ArrayRef<unsigned> sums) {
  for (unsigned number : sums) {
    OpOperand &start = loop.getInitsMutable()[number];
    Value before = start.get(), result = loop.getResult(number);
    rewriter.setInsertionPointAfter(loop);
    auto whole = arith::AddFOp::create(rewriter, loop.getLoc(), before, result);
    rewriter.replaceAllUsesExcept(result, whole, whole);
    rewriter.setInsertionPoint(loop);
    // -0.0, which leaves every number as it is.
    TypedAttr none = rewriter.getFloatAttr(getElementTypeOrSelf(before.getType()), -0.0);
    if (auto vector = dyn_cast<VectorType>(before.getType()))
      none = SplatElementsAttr::get(vector, none);
    start.set(arith::ConstantOp::create(rewriter, loop.getLoc(), none));
  }
}

/// Makes a loop over blocks of `block` rounds of the loop, which becomes the one inside of it, and gives the outer one.
scf::ForOp stripMine(RewriterBase &rewriter, scf::ForOp loop, int64_t block) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Type type = loop.getStep().getType();
  Value factor = arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(type, block));
  Value step = rewriter.createOrFold<arith::MulIOp>(loc, loop.getStep(), factor);
  auto blocks = scf::ForOp::create(rewriter, loc, loop.getLowerBound(), loop.getUpperBound(), step, loop.getInits());
  rewriter.replaceAllUsesWith(loop.getResults(), blocks.getResults());
  rewriter.moveOpBefore(loop, blocks.getBody(), blocks.getBody()->end());
  rewriter.setInsertionPoint(loop);
  Value end = arith::AddIOp::create(rewriter, loc, blocks.getInductionVar(), step);
  std::optional<APInt> rounds = loop.getStaticTripCount();
  if (!rounds || rounds->urem(block) != 0)
    end = rewriter.createOrFold<arith::MinSIOp>(loc, end, loop.getUpperBound());
  loop.setLowerBound(blocks.getInductionVar());
  loop.setUpperBound(end);
  loop.getInitArgsMutable().assign(blocks.getRegionIterArgs());
  rewriter.setInsertionPointAfter(loop);
  scf::YieldOp::create(rewriter, loc, loop.getResults());
  return blocks;
}

/// The rounds of one block: at most `most`, and all blocks alike where that costs little.
int64_t blockOf(scf::ForOp loop, int64_t most) {
  std::optional<APInt> rounds = loop.getStaticTripCount();
  if (rounds)
    for (int64_t block = most; block > most / 2; --block)
      if (rounds->urem(block) == 0)
        return block;
  return most;
}

/// Cuts one loop, whose inner loops are cut already, into blocks of at most `mostTerms` terms.
void cut(RewriterBase &rewriter, scf::ForOp loop, int64_t mostTerms) {
  Sums sums(loop);
  if (sums.numbers.empty() || loop.getUnsignedCmp() || sums.terms * roundsOf(loop) <= mostTerms / 2)
    return;
  for (int64_t rounds = roundsOf(loop); sums.terms * rounds > mostTerms && rounds > 1; sums.terms = 1) {
    int64_t block = blockOf(loop, std::max<int64_t>(1, mostTerms / sums.terms));
    scf::ForOp blocks = stripMine(rewriter, loop, block);
    isolate(rewriter, loop, sums.numbers);
    loop = blocks;
    rounds = llvm::divideCeil(rounds, block);
    mostTerms = 32;
  }
  // What it starts from counts only where it is a sum itself.
  auto isConstant = [&](unsigned number) { return matchPattern(loop.getInits()[number], m_Constant()); };
  llvm::erase_if(sums.numbers, isConstant);
  isolate(rewriter, loop, sums.numbers);
}

struct BlockedSummation : fuselage::impl::BlockedSummationPassBase<BlockedSummation> {
  using BlockedSummationPassBase::BlockedSummationPassBase;

  void runOnOperation() override {
    SmallVector<std::pair<scf::ForOp, int64_t>> loops; // from the inside out
    getOperation()->walk([&](scf::ForOp loop) {
      if (loop.getNumRegionIterArgs() <= mostCarried)
        loops.push_back({loop, mostTermsOf(termsOfNest(loop))});
    });
    IRRewriter rewriter(&getContext());
    for (auto [loop, mostTerms] : loops)
      cut(rewriter, loop, mostTerms);
  }
};

} // namespace
