#include "core/transforms/nvidia/WarpAccesses.h"
#include "core/ir/ops/NumberBytes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include <algorithm>
#include <set>

using namespace mlir;

namespace fuselage {
namespace {

constexpr unsigned warpSize = 32, banks = 32, bankBytes = 4, sectorBytes = 32, tripBytes = banks * bankBytes;

/// One place that an op reads or writes.
struct Touch {
  Operation *op;
  Value buffer;
  ValueRange indices;
  unsigned bytes;
  bool isRead;
};

unsigned bytesOf(Type type) { return numberBytes(type); }

void addTouches(Operation *op, std::vector<Touch> &touches) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    touches.push_back({op, load.getMemRef(), load.getIndices(), bytesOf(load.getType()), true});
  else if (auto store = dyn_cast<memref::StoreOp>(op))
    touches.push_back({op, store.getMemRef(), store.getIndices(), bytesOf(store.getValueToStore().getType()), false});
  else if (auto load = dyn_cast<vector::LoadOp>(op))
    touches.push_back({op, load.getBase(), load.getIndices(), bytesOf(load.getVectorType()), true});
  else if (auto store = dyn_cast<vector::StoreOp>(op))
    touches.push_back({op, store.getBase(), store.getIndices(), bytesOf(store.getVectorType()), false});
  else if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
    unsigned bytes =
        copy.getDstElements().getZExtValue() * bytesOf(cast<MemRefType>(copy.getDst().getType()).getElementType());
    touches.push_back({op, copy.getSrc(), copy.getSrcIndices(), bytes, true});
    touches.push_back({op, copy.getDst(), copy.getDstIndices(), bytes, false});
  }
}

bool isWorkgroup(Value buffer) {
  Attribute space = cast<MemRefType>(buffer.getType()).getMemorySpace();
  auto number = dyn_cast_or_null<IntegerAttr>(space);
  return gpu::GPUDialect::isWorkgroupMemoryAddressSpace(space) || (number && number.getInt() == 3);
}

/// What a warp's addresses cost; worse than what `access` has: kept.
void weigh(WarpAccess &access, ArrayRef<std::optional<int64_t>> addresses) {
  unsigned active = llvm::count_if(addresses, [](auto &address) { return address.has_value(); });
  if (active == 0)
    return;
  if (access.isWorkgroup) {
    unsigned atOnce = std::max(1u, tripBytes / std::max(access.bytes, bankBytes)), least = 0;
    for (size_t first = 0; first < addresses.size(); first += atOnce)
      least += llvm::any_of(addresses.slice(first, std::min<size_t>(atOnce, addresses.size() - first)),
                            [](auto &address) { return address.has_value(); });
    unsigned trips = tripsThroughBanks(addresses, access.bytes);
    if (trips - least >= access.trips - access.leastTrips) {
      access.trips = trips;
      access.leastTrips = least;
    }
    return;
  }
  std::set<int64_t> sectors, starts;
  for (const std::optional<int64_t> &address : addresses)
    if (address) {
      starts.insert(*address);
      for (int64_t byte = *address; byte < *address + access.bytes; byte += std::min(access.bytes, sectorBytes))
        sectors.insert(byte / sectorBytes);
      sectors.insert((*address + access.bytes - 1) / sectorBytes);
    }
  unsigned least = llvm::divideCeil(uint64_t(starts.size()) * access.bytes, sectorBytes);
  if (int(sectors.size()) - int(least) >= int(access.sectors) - int(access.leastSectors)) {
    access.sectors = sectors.size();
    access.leastSectors = least;
  }
}

} // namespace

unsigned tripsThroughBanks(ArrayRef<std::optional<int64_t>> addresses, unsigned bytes) {
  unsigned atOnce = std::max(1u, tripBytes / std::max(bytes, bankBytes)), trips = 0;
  for (size_t first = 0; first < addresses.size(); first += atOnce) {
    std::set<int64_t> words;
    for (const std::optional<int64_t> &address :
         addresses.slice(first, std::min<size_t>(atOnce, addresses.size() - first)))
      if (address)
        for (int64_t byte = *address; byte < *address + bytes; byte += bankBytes)
          words.insert(byte / bankBytes);
    unsigned byBank[banks] = {};
    for (int64_t word : words)
      ++byBank[word % banks];
    trips += *std::max_element(std::begin(byBank), std::end(byBank));
  }
  return trips;
}

ThreadEvaluator::ThreadEvaluator(gpu::LaunchOp launch, int64_t thread, int64_t round)
    : launch(launch), thread(thread), round(round) {
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues(), grid = launch.getGridSizeOperandValues();
  int64_t rest = thread;
  auto set = [&](Value id, Value size, Value extent) {
    std::optional<int64_t> count = getConstantIntValue(extent);
    known[size] = count;
    known[id] = count && *count > 0 ? std::optional(rest % *count) : std::nullopt;
    rest = count && *count > 0 ? rest / *count : 0;
  };
  gpu::KernelDim3 ids = launch.getThreadIds(), sizes = launch.getBlockSize();
  set(ids.x, sizes.x, block.x);
  set(ids.y, sizes.y, block.y);
  set(ids.z, sizes.z, block.z);
  gpu::KernelDim3 blocks = launch.getBlockIds(), counts = launch.getGridSize();
  for (auto [id, size, extent] : {std::tuple(blocks.x, counts.x, grid.x), std::tuple(blocks.y, counts.y, grid.y),
                                  std::tuple(blocks.z, counts.z, grid.z)}) {
    known[id] = 0;
    known[size] = getConstantIntValue(extent);
  }
}

std::optional<int64_t> ThreadEvaluator::valueOf(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  std::optional<int64_t> result = compute(value);
  known[value] = result;
  return result;
}

/// An affine expression for given dimensions and symbols.
static std::optional<int64_t> evaluate(AffineExpr expr, ArrayRef<int64_t> operands, unsigned dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[dims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<int64_t> a = evaluate(binary.getLHS(), operands, dims), b = evaluate(binary.getRHS(), operands, dims);
  if (!a || !b)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return *a + *b;
  case AffineExprKind::Mul:
    return *a * *b;
  case AffineExprKind::Mod:
    return *b > 0 ? std::optional(llvm::mod(*a, *b)) : std::nullopt;
  case AffineExprKind::FloorDiv:
    return *b > 0 ? std::optional(llvm::divideFloorSigned(*a, *b)) : std::nullopt;
  case AffineExprKind::CeilDiv:
    return *b > 0 ? std::optional(llvm::divideCeilSigned(*a, *b)) : std::nullopt;
  default:
    return std::nullopt;
  }
}

static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  uint64_t x = uint64_t(a), y = uint64_t(b);
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a < b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::ult:
    return x < y;
  case arith::CmpIPredicate::ule:
    return x <= y;
  case arith::CmpIPredicate::ugt:
    return x > y;
  case arith::CmpIPredicate::uge:
    return x >= y;
  }
  return false;
}

/// Arithmetic on two numbers; index values of kernels are not negative, so that signed and unsigned agree.
static std::optional<int64_t> combine(Operation *op, int64_t a, int64_t b) {
  if (isa<arith::AddIOp>(op))
    return a + b;
  if (isa<arith::SubIOp>(op))
    return a - b;
  if (isa<arith::MulIOp>(op))
    return a * b;
  if (isa<arith::DivUIOp, arith::DivSIOp>(op))
    return b != 0 ? std::optional(a / b) : std::nullopt;
  if (isa<arith::RemUIOp, arith::RemSIOp>(op))
    return b != 0 ? std::optional(a % b) : std::nullopt;
  if (isa<arith::MinUIOp, arith::MinSIOp>(op))
    return std::min(a, b);
  if (isa<arith::MaxUIOp, arith::MaxSIOp>(op))
    return std::max(a, b);
  if (isa<arith::AndIOp>(op))
    return a & b;
  if (isa<arith::OrIOp>(op))
    return a | b;
  if (isa<arith::XOrIOp>(op))
    return a ^ b;
  if (isa<arith::ShLIOp>(op))
    return b >= 0 && b < 63 ? std::optional(a << b) : std::nullopt;
  if (isa<arith::ShRUIOp, arith::ShRSIOp>(op))
    return b >= 0 && b < 63 ? std::optional(a >> b) : std::nullopt;
  return std::nullopt;
}

std::optional<int64_t> ThreadEvaluator::compute(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return constant;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return std::nullopt;
    if (argument != loop.getInductionVar()) // what loops carry: as it comes in
      return valueOf(loop.getInitArgs()[argument.getArgNumber() - loop.getNumInductionVars()]);
    std::optional<int64_t> from = valueOf(loop.getLowerBound()), to = valueOf(loop.getUpperBound()),
                           by = valueOf(loop.getStep());
    if (!from || !by)
      return std::nullopt;
    return to && *from + round * *by < *to ? *from + round * *by : *from;
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp>(op))
    return valueOf(op->getOperand(0));
  if (isa<gpu::LaneIdOp>(op))
    return thread % warpSize;
  if (isa<gpu::SubgroupIdOp>(op))
    return thread / warpSize;
  SmallVector<int64_t> operands;
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    std::optional<int64_t> condition = valueOf(choice.getCondition());
    return condition ? valueOf(*condition ? choice.getTrueValue() : choice.getFalseValue()) : std::nullopt;
  }
  if (!isa<arith::ArithDialect, affine::AffineDialect>(op->getDialect()))
    return std::nullopt;
  for (Value operand : op->getOperands()) {
    if (!operand.getType().isIntOrIndex())
      return std::nullopt;
    std::optional<int64_t> number = valueOf(operand);
    if (!number)
      return std::nullopt;
    operands.push_back(*number);
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return evaluate(apply.getAffineMap().getResult(0), operands, apply.getAffineMap().getNumDims());
  auto extremeOf = [&](AffineMap map, auto &&pick) -> std::optional<int64_t> {
    std::optional<int64_t> extreme;
    for (AffineExpr expr : map.getResults()) {
      std::optional<int64_t> value = evaluate(expr, operands, map.getNumDims());
      if (!value)
        return std::nullopt;
      extreme = extreme ? pick(*extreme, *value) : *value;
    }
    return extreme;
  };
  if (auto least = dyn_cast<affine::AffineMinOp>(op))
    return extremeOf(least.getMap(), [](int64_t a, int64_t b) { return std::min(a, b); });
  if (auto most = dyn_cast<affine::AffineMaxOp>(op))
    return extremeOf(most.getMap(), [](int64_t a, int64_t b) { return std::max(a, b); });
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    return compare(comparison.getPredicate(), operands[0], operands[1]);
  return operands.size() == 2 ? combine(op, operands[0], operands[1]) : std::nullopt;
}

std::optional<bool> ThreadEvaluator::reaches(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent && parent != launch; op = parent, parent = parent->getParentOp()) {
    if (auto branch = dyn_cast<scf::IfOp>(parent)) {
      std::optional<int64_t> condition = valueOf(branch.getCondition());
      if (!condition)
        return std::nullopt;
      if ((*condition != 0) != branch.getThenRegion().isAncestor(op->getParentRegion()))
        return false;
      continue;
    }
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (!loop)
      return std::nullopt;
    std::optional<int64_t> from = valueOf(loop.getLowerBound()), to = valueOf(loop.getUpperBound());
    if (!from || !to)
      return std::nullopt;
    if (*from >= *to)
      return false;
  }
  return true;
}

std::optional<int64_t> ThreadEvaluator::offsetOf(Value buffer) {
  Operation *view = buffer.getDefiningOp();
  if (!isa_and_nonnull<ViewLikeOpInterface>(view))
    return 0;
  if (auto cast = dyn_cast<memref::ReinterpretCastOp>(view)) {
    OpFoldResult offset = cast.getMixedOffsets().front();
    std::optional<int64_t> constant = getConstantIntValue(offset);
    return constant ? constant : valueOf(llvm::cast<Value>(offset));
  }
  std::optional<int64_t> before = offsetOf(view->getOperand(0));
  auto slice = dyn_cast<memref::SubViewOp>(view);
  if (!slice)
    return isa<memref::CastOp, memref::ExpandShapeOp, memref::CollapseShapeOp, memref::MemorySpaceCastOp,
               memref::AssumeAlignmentOp>(view)
               ? before
               : std::nullopt;
  SmallVector<int64_t> strides;
  int64_t ignored = 0;
  if (!before || failed(slice.getSourceType().getStridesAndOffset(strides, ignored)))
    return std::nullopt;
  for (auto [first, stride] : llvm::zip_equal(slice.getMixedOffsets(), strides)) {
    std::optional<int64_t> number = getConstantIntValue(first);
    if (!number)
      number = valueOf(cast<Value>(first));
    if (!number || ShapedType::isDynamic(stride))
      return std::nullopt;
    *before += *number * stride;
  }
  return before;
}

std::optional<int64_t> ThreadEvaluator::elementOf(Value buffer, ValueRange indices) {
  SmallVector<int64_t> strides;
  int64_t ignored = 0;
  std::optional<int64_t> place = offsetOf(buffer);
  if (!place || failed(cast<MemRefType>(buffer.getType()).getStridesAndOffset(strides, ignored)))
    return std::nullopt;
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    std::optional<int64_t> number = valueOf(index);
    if (!number || ShapedType::isDynamic(stride))
      return std::nullopt;
    *place += *number * stride;
  }
  return place;
}

std::vector<WarpAccess> warpAccessesOf(gpu::LaunchOp launch, unsigned *unknown) {
  std::vector<Touch> touches;
  launch.getBody().walk([&](Operation *op) { addTouches(op, touches); });
  std::vector<WarpAccess> accesses;
  std::vector<bool> isKnown(touches.size(), true);
  for (const Touch &touch : touches)
    accesses.push_back(
        {.op = touch.op, .isWorkgroup = isWorkgroup(touch.buffer), .isRead = touch.isRead, .bytes = touch.bytes});
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  int64_t threads = 1;
  for (Value size : {block.x, block.y, block.z})
    threads *= getConstantIntValue(size).value_or(0);
  constexpr int64_t rounds = 2, mostThreads = 1024;
  for (int64_t round = 0; round < rounds; ++round)
    for (int64_t first = 0; first < std::min(threads, mostThreads); first += warpSize) {
      std::vector<ThreadEvaluator> warp;
      for (int64_t thread = first; thread < std::min(first + warpSize, threads); ++thread)
        warp.emplace_back(launch, thread, round);
      for (auto [number, touch] : llvm::enumerate(touches)) {
        SmallVector<std::optional<int64_t>, warpSize> addresses;
        for (ThreadEvaluator &evaluator : warp) {
          std::optional<bool> comes = evaluator.reaches(touch.op);
          std::optional<int64_t> place =
              comes && *comes ? evaluator.elementOf(touch.buffer, touch.indices) : std::nullopt;
          isKnown[number] = isKnown[number] && comes && (!*comes || place);
          unsigned element = bytesOf(cast<MemRefType>(touch.buffer.getType()).getElementType());
          addresses.push_back(place ? std::optional(*place * element) : std::nullopt);
        }
        weigh(accesses[number], addresses);
      }
    }
  std::vector<WarpAccess> all;
  unsigned left = 0;
  for (auto [access, known] : llvm::zip_equal(accesses, isKnown)) {
    bool counts = threads > 0 && known && access.bytes != 0;
    left += !counts;
    if (counts)
      all.push_back(access);
  }
  if (unknown)
    *unknown = left;
  return all;
}

} // namespace fuselage
