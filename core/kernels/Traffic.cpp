// Bytes that a thread moves, from the loops that a launch is made of.
#include "core/ir/ops/NumberBytes.h"
#include "core/kernels/KernelForms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace fuselage {
namespace {

/// A count, and whether it is one of the most that there may be.
struct Count {
  uint64_t value = 0;
  bool isBound = false;
};

/// Ids of threads and blocks, and what is made of such by adding, multiplying and dividing.
bool isNonNegative(Value value) {
  IntegerAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return !constant.getValue().isNegative();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return argument == loop.getInductionVar() && isNonNegative(loop.getLowerBound());
    return isa<gpu::LaunchOp>(parent);
  }
  Operation *op = value.getDefiningOp();
  if (isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp, gpu::LaneIdOp, gpu::SubgroupIdOp>(op))
    return true;
  return isa<arith::AddIOp, arith::MulIOp, arith::DivUIOp, arith::RemUIOp, arith::DivSIOp, arith::RemSIOp,
             arith::MinSIOp>(op) &&
         llvm::all_of(op->getOperands(), isNonNegative);
}

/// How often a loop's body runs; nullopt: nobody knows.
std::optional<Count> roundsOf(scf::ForOp loop) {
  IntegerAttr lower, upper, step;
  if (!matchPattern(loop.getUpperBound(), m_Constant(&upper)) || !matchPattern(loop.getStep(), m_Constant(&step)) ||
      step.getInt() <= 0)
    return std::nullopt;
  bool isKnown = matchPattern(loop.getLowerBound(), m_Constant(&lower));
  if (!isKnown && !isNonNegative(loop.getLowerBound()))
    return std::nullopt;
  int64_t range = upper.getInt() - (isKnown ? lower.getInt() : 0);
  return Count{range <= 0 ? 0 : llvm::divideCeil(uint64_t(range), uint64_t(step.getInt())), !isKnown};
}

/// How often an op runs in a thread of the launch.
std::optional<Count> timesOf(Operation *op, gpu::LaunchOp launch) {
  Count times{.value = 1};
  for (Operation *parent = op->getParentOp(); parent != launch; parent = parent->getParentOp()) {
    if (isa<scf::IfOp>(parent)) {
      times.isBound = true;
      continue;
    }
    auto loop = dyn_cast<scf::ForOp>(parent);
    auto rounds = loop ? roundsOf(loop) : std::nullopt;
    if (!rounds)
      return std::nullopt;
    times.value = llvm::SaturatingMultiply(times.value, rounds->value);
    times.isBound |= rounds->isBound;
  }
  return times;
}

bool isGlobal(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return false;
  Attribute space = memref.getMemorySpace();
  if (auto address = dyn_cast_or_null<gpu::AddressSpaceAttr>(space))
    return address.getValue() == gpu::AddressSpace::Global;
  return !space;
}

/// Adds up what moves one way; nullopt from then on where something is not known.
void add(std::optional<Count> &sum, std::optional<Count> times, uint64_t bytes) {
  if (!sum || !times || bytes == 0) {
    sum = std::nullopt;
    return;
  }
  sum->value = llvm::SaturatingMultiplyAdd(times->value, bytes, sum->value);
  sum->isBound |= times->isBound;
}

struct Traffic {
  std::optional<Count> read = Count(), written = Count();
};

Traffic trafficOf(gpu::LaunchOp launch) {
  Traffic traffic;
  launch.getBody().walk([&](Operation *op) {
    bool touches = llvm::any_of(op->getOperandTypes(), isGlobal);
    if (!touches || isMemoryEffectFree(op) || isa<gpu::TerminatorOp>(op))
      return;
    if (isa<memref::LoadOp, vector::LoadOp, vector::TransferReadOp>(op))
      add(traffic.read, timesOf(op, launch), numberBytes(op->getResult(0).getType()));
    else if (isa<memref::StoreOp, vector::StoreOp, vector::TransferWriteOp>(op))
      add(traffic.written, timesOf(op, launch), numberBytes(op->getOperand(0).getType()));
    else if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op); copy && !isGlobal(copy.getDst().getType()))
      add(traffic.read, timesOf(op, launch),
          copy.getDstElements().getZExtValue() *
              numberBytes(cast<MemRefType>(copy.getSrc().getType()).getElementType()));
    else
      traffic = {.read = std::nullopt, .written = std::nullopt};
  });
  return traffic;
}

void addFact(message::KernelUnit<> &unit, std::optional<Count> count, const char *key, const char *label) {
  if (!count)
    return;
  unit.facts.push_back({.key = key,
                        .label = label,
                        .value = (count->isBound ? "at most " : "") + std::to_string(count->value) + " B",
                        .number = double(count->value),
                        .how = "counted from the loops and accesses of the launch, after mapping"});
}

} // namespace

void addTraffic(KernelCodeParts &parts) {
  if (!parts.forms.mapped)
    return;
  std::vector<gpu::LaunchOp> launches;
  (*parts.forms.mapped)->walk([&](gpu::LaunchOp launch) { launches.push_back(launch); });
  if (launches.size() != parts.code.kernels.size())
    return;
  for (auto [launch, unit] : llvm::zip_equal(launches, parts.code.kernels)) {
    Traffic traffic = trafficOf(launch);
    addFact(unit, traffic.read, "global_read", "global memory, read a thread");
    addFact(unit, traffic.written, "global_written", "global memory, written a thread");
  }
}

} // namespace fuselage
