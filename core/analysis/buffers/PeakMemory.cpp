#include "core/analysis/buffers/PeakMemory.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace fuselage {
namespace {

/// The sum of what lives now, kept up to date.
class BranchSums {
public:
  int64_t total() const { return total_; }

  void add(Region *branch, int64_t bytes) {
    while (branch) {
      Operation *op = branch->getParentOp();
      int64_t before = mostOf(op);
      sums_[branch] += bytes;
      bytes = mostOf(op) - before;
      branch = branchAround(op);
    }
    total_ += bytes;
  }

private:
  /// What the op's dearest region holds.
  int64_t mostOf(Operation *op) const {
    int64_t most = 0;
    for (Region &region : op->getRegions())
      most = std::max(most, sums_.lookup(&region));
    return most;
  }

  llvm::DenseMap<Region *, int64_t> sums_;
  int64_t total_ = 0;
};

struct Event {
  int64_t at = 0;
  bool isStart = false;
  const MemorySpan *span = nullptr;
};

} // namespace

Region *branchAround(Operation *op) {
  for (Region *region = op->getParentRegion(); region; region = region->getParentRegion()) {
    Operation *parent = region->getParentOp();
    if (isa<FunctionOpInterface>(parent))
      return nullptr;
    if (isa<scf::IfOp, scf::IndexSwitchOp, affine::AffineIfOp>(parent))
      return region;
  }
  return nullptr;
}

MemoryPeak peakOf(std::vector<MemorySpan> spans) {
  std::vector<Event> events;
  MemoryPeak peak{.at = -1};
  for (const MemorySpan &span : spans) {
    events.push_back({.at = span.first, .isStart = true, .span = &span});
    events.push_back({.at = span.last + 1, .isStart = false, .span = &span});
    peak.size.isLowerBound |= span.size.isLowerBound;
  }
  llvm::stable_sort(events, [](const Event &a, const Event &b) {
    return std::make_pair(a.at, a.isStart) < std::make_pair(b.at, b.isStart);
  });
  BranchSums sums;
  for (const Event &event : events) {
    sums.add(event.span->branch, event.isStart ? event.span->size.bytes : -event.span->size.bytes);
    if (sums.total() > peak.size.bytes) {
      peak.size.bytes = sums.total();
      peak.at = event.at;
    }
  }
  return peak;
}

} // namespace fuselage
