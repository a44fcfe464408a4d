// Keeps the loops of a thread below the rounds that a device makes.
#include "core/dialects/device/DeviceAttr.h"
#include "core/transforms/gpu/Passes.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "llvm/Support/MathExtras.h"

namespace fuselage {
#define GEN_PASS_DEF_LIMITLOOPROUNDSPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// How many rounds the loops of one thread make at most, as far as ranges of integers tell.
class RoundCounter {
public:
  explicit RoundCounter(gpu::GPUFuncOp kernel) : kernel(kernel) {
    dataflow::loadBaselineAnalyses(solver);
    solver.load<dataflow::IntegerRangeAnalysis>();
    known = succeeded(solver.initializeAndRun(kernel));
  }

  uint64_t total() { return known ? roundsOf(kernel.getBody()) : 0; }

  /// Trips of one loop; 0 where nothing bounds them.
  uint64_t tripsOf(scf::ForOp loop) {
    auto lower = rangeOf(loop.getLowerBound()), upper = rangeOf(loop.getUpperBound()), step = rangeOf(loop.getStep());
    if (!lower || !upper || !step)
      return 0;
    int64_t by = std::max<int64_t>(1, step->first), range = 0;
    if (llvm::SubOverflow(upper->second, lower->first, range) || range <= 0)
      return 0;
    return llvm::divideCeil(range, by);
  }

  /// Rounds of an op and of what is inside of it.
  uint64_t roundsOf(Operation *op) {
    // Threads in step make the rounds of both branches.
    uint64_t inside = 0;
    for (Region &region : op->getRegions())
      inside = llvm::SaturatingAdd(inside, roundsOf(region));
    auto loop = dyn_cast<scf::ForOp>(op);
    if (!loop)
      return inside;
    // The look at the condition that ends the loop counts too.
    uint64_t rounds = llvm::SaturatingMultiply(tripsOf(loop), llvm::SaturatingAdd(inside, uint64_t(1)));
    return llvm::SaturatingAdd(rounds, uint64_t(1));
  }

private:
  uint64_t roundsOf(Region &region) {
    uint64_t rounds = 0;
    for (Block &block : region)
      for (Operation &op : block)
        rounds = llvm::SaturatingAdd(rounds, roundsOf(&op));
    return rounds;
  }

  /// Least and largest value; nullopt where a bound says no more than the type.
  std::optional<std::pair<int64_t, int64_t>> rangeOf(Value value) {
    if (std::optional<int64_t> constant = getConstantIntValue(value))
      return std::pair{*constant, *constant};
    auto *state = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
    if (!state || state->getValue().isUninitialized())
      return std::nullopt;
    const ConstantIntRanges &range = state->getValue().getValue();
    if (range.smin().getSignificantBits() > 62 || range.smax().getSignificantBits() > 62)
      return std::nullopt;
    return std::pair{range.smin().getSExtValue(), range.smax().getSExtValue()};
  }

  gpu::GPUFuncOp kernel;
  DataFlowSolver solver;
  bool known = false;
};

/// Loops that hold no other.
SmallVector<scf::ForOp> innermostLoops(gpu::GPUFuncOp kernel) {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) {
    bool holdsLoop = loop.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); }).wasInterrupted();
    if (!holdsLoop)
      loops.push_back(loop);
  });
  return loops;
}

int64_t opsIn(scf::ForOp loop) {
  int64_t count = 0;
  loop.getBody()->walk([&](Operation *) { ++count; });
  return count;
}

/// Puts four rounds into one where that keeps code small. False if no loop was left to change.
bool unroll(gpu::GPUFuncOp kernel, RoundCounter &counter) {
  constexpr uint64_t factor = 4;
  constexpr int64_t mostOps = 8192;
  SmallVector<std::pair<scf::ForOp, uint64_t>> loops;
  for (scf::ForOp loop : innermostLoops(kernel))
    if (uint64_t trips = counter.tripsOf(loop); trips > 1 && opsIn(loop) <= mostOps / int64_t(factor))
      loops.push_back({loop, trips});
  bool changed = false;
  for (auto [loop, trips] : loops)
    changed |= succeeded(trips <= factor ? loopUnrollFull(loop) : LogicalResult(loopUnrollByFactor(loop, factor)));
  return changed;
}

struct LimitLoopRounds : fuselage::impl::LimitLoopRoundsPassBase<LimitLoopRounds> {
  using LimitLoopRoundsPassBase::LimitLoopRoundsPassBase;

  void runOnOperation() override {
    const int64_t limit = deviceOf(getOperation()).maxLoopRounds.value;
    maxRounds = limit > 0 ? uint64_t(limit) : leastOfDevices;
    WalkResult result = getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      return failed(keepBelow(kernel)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  static constexpr uint64_t leastOfDevices = 65535; ///< Mesa's llvmpipe
  uint64_t maxRounds = leastOfDevices;

  LogicalResult keepBelow(gpu::GPUFuncOp kernel) {
    uint64_t asWritten = 0;
    while (true) {
      RoundCounter counter(kernel);
      uint64_t rounds = counter.total();
      if (rounds <= maxRounds)
        return success();
      asWritten = std::max(asWritten, rounds);
      if (!unroll(kernel, counter))
        return emitError(longestLoop(kernel, counter).getLoc())
               << "the loops of a thread make up to " << asWritten << " rounds here, and the device leaves loops after "
               << maxRounds << " with a wrong result";
    }
  }

  /// The loop that is to blame; there is one where there are rounds.
  static scf::ForOp longestLoop(gpu::GPUFuncOp kernel, RoundCounter &counter) {
    scf::ForOp longest;
    uint64_t most = 0;
    kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (uint64_t rounds = counter.roundsOf(loop); rounds > most) {
        longest = loop;
        most = rounds;
      }
    });
    return longest;
  }
};

} // namespace
