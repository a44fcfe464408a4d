// Bank conflicts and uncoalesced accesses, from the index arithmetic of a launch.
#include "core/ir/module/Diagnostics.h"
#include "core/kernels/KernelForms.h"
#include "core/kernels/LaunchFacts.h"
#include "core/transforms/nvidia/WarpAccesses.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace fuselage {
namespace {

constexpr const char *how = "evaluated from the index arithmetic of the launch for all warps of the first workgroup, "
                            "in the first two rounds of "
                            "each loop; 32 threads a warp, 32 banks of 4 bytes, sectors of 32 bytes";

/// ", at 4:12", or nothing where the op has no place.
std::string placeOf(Operation *op) {
  SourcePosition position = positionOf(op->getLoc());
  return position.line == 0 ? "" : ", at " + std::to_string(position.line) + ":" + std::to_string(position.column);
}

/// "none in 12 accesses", or how many and what the worst one costs.
message::KernelFact<> factOf(ArrayRef<const WarpAccess *> all, const char *key, const char *label, const char *unit,
                             bool (WarpAccess::*isBad)() const, unsigned WarpAccess::*cost,
                             unsigned WarpAccess::*least) {
  size_t bad = 0;
  const WarpAccess *worst = nullptr;
  for (const WarpAccess *access : all) {
    if (!(access->*isBad)())
      continue;
    ++bad;
    // The one that costs the most times what it has to.
    if (!worst || uint64_t(access->*cost) * (worst->*least) > uint64_t(worst->*cost) * (access->*least))
      worst = access;
  }
  std::string accesses = std::to_string(all.size()) + (all.size() == 1 ? " access" : " accesses");
  std::string value =
      bad == 0 ? "none in " + accesses
               : llvm::formatv("{0} of {1}; the worst one, {2} {3} B a thread, takes {4} {5} where {6} would do{7}",
                               bad, accesses, worst->isRead ? "reading" : "writing", worst->bytes, worst->*cost, unit,
                               worst->*least, placeOf(worst->op))
                     .str();
  return {.key = key, .label = label, .value = std::move(value), .number = double(bad), .how = how};
}

} // namespace

void addAccessFacts(message::KernelUnit<> &unit, gpu::LaunchOp launch) {
  unsigned unknown = 0;
  std::vector<WarpAccess> accesses = warpAccessesOf(launch, &unknown);
  SmallVector<const WarpAccess *> workgroup, global;
  for (const WarpAccess &access : accesses)
    (access.isWorkgroup ? workgroup : global).push_back(&access);
  if (!workgroup.empty())
    unit.facts.push_back(factOf(workgroup, "bank_conflicts", "bank conflicts", "trips", &WarpAccess::conflicts,
                                &WarpAccess::trips, &WarpAccess::leastTrips));
  if (!global.empty())
    unit.facts.push_back(factOf(global, "uncoalesced", "uncoalesced accesses", "sectors", &WarpAccess::isUncoalesced,
                                &WarpAccess::sectors, &WarpAccess::leastSectors));
  if (unknown != 0)
    unit.facts.push_back(
        {.key = "unknown_accesses",
         .label = "accesses at places unknown",
         .value = std::to_string(unknown),
         .number = double(unknown),
         .how =
             "their indices come from memory, so that bank conflicts and sectors cannot be told without running them"});
}

void addAccessFacts(KernelCodeParts &parts) {
  if (!parts.forms.mapped || parts.target.device.isSoftware())
    return;
  std::vector<gpu::LaunchOp> launches;
  (*parts.forms.mapped)->walk([&](gpu::LaunchOp launch) { launches.push_back(launch); });
  if (launches.size() != parts.code.kernels.size())
    return;
  for (auto [launch, unit] : llvm::zip_equal(launches, parts.code.kernels))
    addAccessFacts(unit, launch);
}

} // namespace fuselage
