#include "core/transforms/gpu/ThreadDistribution.h"
#include "core/transforms/bufferize/BufferPlacement.h"
#include "core/transforms/gpu/ScalarLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {
namespace {

SmallVector<int64_t> staticParallelExtents(linalg::LinalgOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), extents;
  SmallVector<unsigned> dims;
  op.getParallelDims(dims);
  for (unsigned dim : dims)
    extents.push_back(ranges[dim]);
  return extents;
}

/// Buffers that an op reads and writes, by their roots.
struct Accesses {
  llvm::SmallPtrSet<Value, 8> reads, writes;

  void add(const Accesses &other) {
    reads.insert(other.reads.begin(), other.reads.end());
    writes.insert(other.writes.begin(), other.writes.end());
  }
  void clear() {
    reads.clear();
    writes.clear();
  }
  /// Whether `later` must wait for this.
  bool conflictsWith(const Accesses &later) const {
    auto any = [](const auto &a, const auto &b) {
      return llvm::any_of(a, [&](Value value) { return b.contains(value); });
    };
    return any(later.reads, writes) || any(later.writes, writes) || any(later.writes, reads);
  }
};

void addAccesses(Operation *op, Accesses &accesses) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<MemRefType>(operand.get().getType()))
        continue;
      Value root = rootBuffer(operand.get());
      if (structured.isDpsInit(&operand))
        accesses.writes.insert(root);
      if (structured.isDpsInput(&operand) || structured.payloadUsesValueFromOperand(&operand))
        accesses.reads.insert(root);
    }
  } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
    accesses.reads.insert(rootBuffer(load.getMemRef()));
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    accesses.writes.insert(rootBuffer(store.getMemRef()));
  } else if (op->getNumRegions() == 0 && !isMemoryEffectFree(op) && !isa<memref::AllocOp>(op)) {
    for (Value operand : op->getOperands())
      if (isa<MemRefType>(operand.getType())) {
        accesses.reads.insert(rootBuffer(operand));
        accesses.writes.insert(rootBuffer(operand));
      }
  }
}

Accesses accessesOf(Operation *root) {
  Accesses accesses;
  root->walk([&](Operation *op) { addAccesses(op, accesses); });
  return accesses;
}

class Distributor {
public:
  Distributor(RewriterBase &rewriter, gpu::LaunchOp launch, int64_t threads)
      : rewriter(rewriter), launch(launch), threads(threads), thread(launch.getThreadIds().x) {}

  LogicalResult run() { return distribute(launch.getBody().front()); }

private:
  LogicalResult distribute(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block))
      if (failed(distribute(&op)))
        return failure();
    return success();
  }

  LogicalResult distribute(Operation *op) {
    if (op->hasTrait<OpTrait::IsTerminator>() || isa<memref::AllocOp>(op))
      return success();
    if (inRegisters && op == inRegisters.getOperation())
      return success();
    if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      waitFor(op);
      distributeOp(structured);
      return success();
    }
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && hasStructuredOps(op))
      return distributeLoop(loop);
    if (auto branch = dyn_cast<scf::IfOp>(op); branch && hasStructuredOps(op))
      return distributeBranch(branch);
    if (isMemoryEffectFree(op))
      return success();
    waitFor(op);
    if (isa<memref::LoadOp>(op) || !writesMemory(op))
      return success();
    return runOnOneThread(op);
  }

  static bool hasStructuredOps(Operation *op) {
    return op->walk([](linalg::LinalgOp) { return WalkResult::interrupt(); }).wasInterrupted();
  }
  static bool writesMemory(Operation *op) { return !accessesOf(op).writes.empty(); }

  /// A barrier in front of `op` if it touches what others have touched since the last one.
  void waitFor(Operation *op) {
    Accesses accesses = accessesOf(op);
    if (pending.conflictsWith(accesses))
      barrier(op);
    pending.add(accesses);
  }
  void barrier(Operation *before) {
    rewriter.setInsertionPoint(before);
    gpu::BarrierOp::create(rewriter, before->getLoc());
    pending.clear();
  }

  Value constant(Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }

  void distributeOp(linalg::LinalgOp op) {
    rewriter.setInsertionPoint(op);
    std::optional<RegisterTile> tile = pickRegisterTile(op, threads, threads);
    if (tile) {
      SmallVector<SmallVector<Value>> points = pointsOfThread(op.getLoc(), *tile);
      SmallVector<Value> initial = loadOutputs(rewriter, op, points);
      storeTile(op, *tile, points, emitPoints(rewriter, op, points, initial));
    } else {
      distributeCyclically(op);
    }
    rewriter.eraseOp(op);
  }

  /// Elements in line, `threads` at a time, so that neighbours in memory go to neighbours.
  void distributeCyclically(linalg::LinalgOp op) {
    Location loc = op.getLoc();
    SmallVector<Value> extents = parallelExtents(rewriter, op);
    Value total = constant(loc, 1);
    for (Value extent : extents)
      total = rewriter.createOrFold<arith::MulIOp>(loc, total, extent);
    if (std::optional<int64_t> count = getConstantIntValue(total); count && *count == threads)
      return emitPoint(rewriter, op, delinearize(rewriter, loc, thread, extents));
    auto loop = scf::ForOp::create(rewriter, loc, thread, total, constant(loc, threads));
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(loop.getBody());
    emitPoint(rewriter, op, delinearize(rewriter, loc, loop.getInductionVar(), extents));
  }

  /// The indices of this thread's piece. Threads without one repeat the last piece, and do not
  /// store it: all threads stay together for the barriers.
  SmallVector<SmallVector<Value>> pointsOfThread(Location loc, const RegisterTile &tile) {
    Value piece = thread;
    if (tile.threads < threads)
      piece = arith::MinUIOp::create(rewriter, loc, thread, constant(loc, tile.threads - 1));
    SmallVector<Value> counts;
    for (int64_t count : tile.counts)
      counts.push_back(constant(loc, count));
    SmallVector<Value> bases = delinearize(rewriter, loc, piece, counts);
    for (auto [base, size] : llvm::zip_equal(bases, tile.sizes))
      base = rewriter.createOrFold<arith::MulIOp>(loc, base, constant(loc, size));
    SmallVector<SmallVector<Value>> points;
    for (int64_t point = 0; point < tile.points; ++point) {
      SmallVector<Value> indices(bases);
      int64_t rest = point;
      for (size_t dim = indices.size(); dim-- > 0;) {
        if (int64_t offset = rest % tile.sizes[dim])
          indices[dim] = arith::AddIOp::create(rewriter, loc, indices[dim], constant(loc, offset));
        rest /= tile.sizes[dim];
      }
      points.push_back(std::move(indices));
    }
    return points;
  }

  void storeTile(linalg::LinalgOp op, const RegisterTile &tile,
                 ArrayRef<SmallVector<Value>> points, ValueRange values) {
    Location loc = op.getLoc();
    if (tile.threads == threads)
      return storeOutputs(rewriter, op, points, values);
    Value owns = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, thread,
                                       constant(loc, tile.threads));
    auto guarded = scf::IfOp::create(rewriter, loc, owns);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(guarded.thenBlock()->getTerminator());
    storeOutputs(rewriter, op, points, values);
  }

  /// An accumulation in the innermost of some loops, each the only one in the next outer one's body,
  /// whose result nobody else touches before `loop` ends.
  linalg::LinalgOp findCarried(scf::ForOp loop) {
    linalg::LinalgOp found;
    loop.getBody()->walk([&](linalg::LinalgOp op) {
      if (!pickRegisterTile(op, threads, threads) || !isInNestOnly(op, loop))
        return WalkResult::advance();
      bool carried = llvm::all_of(op.getDpsInits(), [&](Value init) {
        Operation *def = init.getDefiningOp();
        if (def && loop->isAncestor(def))
          return false;
        Value root = rootBuffer(init);
        if (llvm::any_of(op.getDpsInputs(), [&](Value input) { return rootBuffer(input) == root; }))
          return false;
        Accesses others = accessesInside(loop, op);
        return !others.reads.contains(root) && !others.writes.contains(root);
      });
      found = carried ? op : found;
      return carried ? WalkResult::interrupt() : WalkResult::advance();
    });
    return found;
  }

  /// True if between `loop` and `op` there is nothing but loops.
  static bool isInNestOnly(Operation *op, scf::ForOp loop) {
    Operation *parent = op->getParentOp();
    while (parent != loop && isa<scf::ForOp>(parent))
      parent = parent->getParentOp();
    return parent == loop;
  }

  /// What the ops inside of `loop` touch, without `except`.
  static Accesses accessesInside(scf::ForOp loop, Operation *except) {
    Accesses accesses;
    loop.getBody()->walk([&](Operation *op) {
      if (op != except)
        addAccesses(op, accesses);
    });
    return accesses;
  }

  /// Everything that an iteration touches in memory: the next one starts where it ends.
  static Accesses accessesOfIteration(scf::ForOp loop, linalg::LinalgOp carried) {
    Accesses iteration = accessesInside(loop, carried);
    if (carried)
      for (OpOperand *input : carried.getDpsInputOperands())
        if (isa<MemRefType>(input->get().getType()))
          iteration.reads.insert(rootBuffer(input->get()));
    return iteration;
  }

  /// Hands `initial` on from `loop` to the loop inside that `carried` stands in, and its results back.
  FailureOr<scf::ForOp> carryThrough(scf::ForOp loop, linalg::LinalgOp carried, ValueRange initial,
                                     ArrayRef<SmallVector<Value>> points) {
    bool isInner = true;
    FailureOr<LoopLikeOpInterface> widened = loop.replaceWithAdditionalYields(
        rewriter, initial, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) -> SmallVector<Value> {
          SmallVector<Value> registers(arguments.begin(), arguments.end());
          Operation *inner = loop.getBody()->findAncestorOpInBlock(*carried); // the body moves afterwards
          if (inner == carried) {
            rewriter.setInsertionPoint(carried);
            return emitPoints(rewriter, carried, points, registers);
          }
          FailureOr<scf::ForOp> widenedInner = carryThrough(cast<scf::ForOp>(inner), carried, registers, points);
          isInner = succeeded(widenedInner);
          return isInner ? SmallVector<Value>(widenedInner->getResults().take_back(registers.size())) : registers;
        });
    if (failed(widened) || !isInner)
      return failure();
    return cast<scf::ForOp>(*widened);
  }

  LogicalResult distributeLoop(scf::ForOp loop) {
    if (inRegisters && loop->isAncestor(inRegisters))
      return distributeIterations(loop, accessesOfIteration(loop, inRegisters));
    linalg::LinalgOp carried = findCarried(loop);
    Accesses iteration = accessesOfIteration(loop, carried);
    if (!carried)
      return distributeIterations(loop, iteration);

    Accesses output;
    for (Value init : carried.getDpsInits())
      output.reads.insert(rootBuffer(init));
    if (pending.conflictsWith(output))
      barrier(loop);
    rewriter.setInsertionPoint(loop);
    RegisterTile tile = *pickRegisterTile(carried, threads, threads);
    SmallVector<SmallVector<Value>> points = pointsOfThread(loop.getLoc(), tile);
    SmallVector<Value> initial = loadOutputs(rewriter, carried, points);
    FailureOr<scf::ForOp> widened = carryThrough(loop, carried, initial, points);
    if (failed(widened))
      return carried.emitOpError("cannot be carried in registers through its loop");
    loop = *widened;
    // The op itself stays to the end, so that barriers find what its inputs are.
    SmallVector<Value> results(loop.getResults().take_back(initial.size()));
    inRegisters = carried;
    LogicalResult body = distributeIterations(loop, iteration);
    inRegisters = {};
    rewriter.setInsertionPointAfter(loop);
    storeTile(carried, tile, points, results);
    for (Value init : carried.getDpsInits())
      pending.writes.insert(rootBuffer(init));
    rewriter.eraseOp(carried);
    return body;
  }

  LogicalResult distributeIterations(scf::ForOp loop, const Accesses &iteration) {
    Accesses before = pending;
    if (failed(distribute(*loop.getBody())))
      return failure();
    if (pending.conflictsWith(iteration))
      barrier(loop.getBody()->getTerminator());
    pending.add(before);
    return success();
  }

  /// The condition is the same for all threads, since it is computed from the workgroup's indices.
  LogicalResult distributeBranch(scf::IfOp branch) {
    Accesses before = pending, after;
    for (Region *region : branch.getRegions()) {
      pending = before;
      if (!region->empty() && failed(distribute(region->front())))
        return failure();
      after.add(pending);
    }
    pending = after;
    return success();
  }

  LogicalResult runOnOneThread(Operation *op) {
    if (op->getNumResults() != 0)
      return op->emitOpError("writes memory and yields a value; no thread of a workgroup can run it alone");
    rewriter.setInsertionPoint(op);
    Value first = arith::CmpIOp::create(rewriter, op->getLoc(), arith::CmpIPredicate::eq, thread,
                                        constant(op->getLoc(), 0));
    auto guarded = scf::IfOp::create(rewriter, op->getLoc(), first);
    rewriter.moveOpBefore(op, guarded.thenBlock()->getTerminator());
    return lowerNestToSerialLoops(rewriter, guarded);
  }

  RewriterBase &rewriter;
  gpu::LaunchOp launch;
  int64_t threads;
  Value thread;
  Accesses pending;             ///< since the last barrier
  linalg::LinalgOp inRegisters; ///< emitted already; only its reads still count
};

/// Whether several elements of the result read the same element of an input.
bool reusesInputs(linalg::LinalgOp op) {
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return map.getNumResults() > 0 &&
           llvm::any_of(parallel, [&](unsigned dim) { return !map.isFunctionOfDim(dim); });
  });
}

} // namespace

std::optional<RegisterTile> pickRegisterTile(linalg::LinalgOp op, int64_t maxThreads, int64_t present) {
  if (op.getNumReductionLoops() == 0 || !carriesOutputs(op))
    return std::nullopt;
  SmallVector<int64_t> extents = staticParallelExtents(op);
  int64_t total = 1;
  for (int64_t extent : extents) {
    if (ShapedType::isDynamic(extent) || extent == 0)
      return std::nullopt;
    total *= extent;
  }
  // Columns: the innermost loop that is more than one iteration; rows: the next one outwards.
  std::optional<size_t> column, row;
  for (size_t dim = extents.size(); dim-- > 0 && !row;)
    if (extents[dim] > 1)
      (column ? row : column) = dim;
  using Shape = std::pair<int64_t, int64_t>;
  static constexpr Shape reuse[] = {{4, 4}, {4, 2}, {2, 4}, {2, 2}, {1, 4}, {4, 1}, {2, 1}, {1, 2}};
  static constexpr Shape large[] = {{8, 4}, {4, 8}, {8, 8}};
  SmallVector<Shape> shapes;
  if (reusesInputs(op))
    llvm::append_range(shapes, reuse);
  shapes.push_back({1, 1});
  auto build = [&](Shape shape, int64_t leastThreads) -> std::optional<RegisterTile> {
    RegisterTile tile;
    tile.sizes.assign(extents.size(), 1);
    if (column)
      tile.sizes[*column] = shape.second;
    if (row)
      tile.sizes[*row] = shape.first;
    if ((shape.second > 1 && !column) || (shape.first > 1 && !row))
      return std::nullopt;
    for (auto [extent, size] : llvm::zip_equal(extents, tile.sizes)) {
      if (extent % size != 0)
        return std::nullopt;
      tile.counts.push_back(extent / size);
    }
    tile.points = shape.first * shape.second;
    tile.threads = total / tile.points;
    if (tile.threads > maxThreads || tile.threads < leastThreads)
      return std::nullopt;
    return tile;
  };
  // Threads that are there anyhow would only repeat what others do.
  for (int64_t leastThreads : {present, int64_t(64), int64_t(32)})
    for (Shape shape : shapes)
      if (auto tile = build(shape, leastThreads))
        return tile;
  if (reusesInputs(op))
    for (Shape shape : large)
      if (auto tile = build(shape, 32))
        return tile;
  return build({1, 1}, 1);
}

int64_t pickThreadCount(Operation *root, int64_t maxThreads) {
  int64_t busy = 32;
  root->walk([&](linalg::LinalgOp op) {
    if (std::optional<RegisterTile> tile = pickRegisterTile(op, maxThreads)) {
      busy = std::max(busy, tile->threads);
      return;
    }
    int64_t total = 1;
    for (int64_t extent : staticParallelExtents(op))
      total *= ShapedType::isDynamic(extent) ? 128 : std::max<int64_t>(extent, 1);
    busy = std::max(busy, std::min<int64_t>(total, 128));
  });
  return std::min<int64_t>(llvm::alignTo(busy, 32), maxThreads);
}

LogicalResult distributeToThreads(RewriterBase &rewriter, gpu::LaunchOp launch, int64_t threads) {
  return Distributor(rewriter, launch, threads).run();
}

} // namespace fuselage
