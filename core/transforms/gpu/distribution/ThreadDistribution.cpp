#include "core/transforms/gpu/distribution/ThreadDistribution.h"
#include "core/transforms/bufferize/BufferPlacement.h"
#include "core/transforms/gpu/distribution/BufferAccesses.h"
#include "core/transforms/gpu/distribution/CyclicDistribution.h"
#include "core/transforms/gpu/distribution/EpilogueBatches.h"
#include "core/transforms/gpu/distribution/GatheredCopies.h"
#include "core/transforms/gpu/distribution/HeldResults.h"
#include "core/transforms/gpu/distribution/LaneTile.h"
#include "core/transforms/gpu/distribution/PiecePoints.h"
#include "core/transforms/gpu/distribution/RegisterEpilogue.h"
#include "core/transforms/gpu/distribution/ResultStores.h"
#include "core/transforms/gpu/distribution/RowEmitter.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "core/transforms/gpu/distribution/VectorCopies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace fuselage {
namespace {

class Distributor {
public:
  Distributor(RewriterBase &rewriter, gpu::LaunchOp launch, const Distribution &how)
      : rewriter(rewriter), launch(launch), how(how), threads(how.threads), lanes(how.lanes),
        matrixShapes(how.matrixShapes), thread(launch.getThreadIds().x), held(rewriter, how, thread) {}

  LogicalResult run() {
    if (std::optional<RowPlan> plan = planRows(launch, matrixShapes, threads, how.holdsLargeTiles);
        plan && plan->threads() == threads)
      rows.emplace(rewriter, std::move(*plan), thread);
    if (failed(distribute(launch.getBody().front())))
      return failure();
    for (Operation *op : done)
      rewriter.eraseOp(op);
    return success();
  }

private:
  LogicalResult distribute(Block &block) {
    // What is emitted on the way is none of these.
    SmallVector<Operation *> ops;
    for (Operation &op : block)
      ops.push_back(&op);
    for (Operation *op : ops)
      if (failed(distribute(op)))
        return failure();
    return success();
  }

  LogicalResult distribute(Operation *op) {
    if (rows && rows->computes(op)) {
      waitFor(op, rows->plan().inMemory(accessesOf(op)));
      rows->emit(cast<linalg::LinalgOp>(op));
      done.insert(op);
      return success();
    }
    if (op->hasTrait<OpTrait::IsTerminator>() || isa<memref::AllocOp>(op) || done.contains(op) || startsInRegisters(op))
      return success();
    if (inRegisters && op == inRegisters.getOperation())
      return success();
    if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      SmallVector<linalg::LinalgOp> epilogue = epilogueOf(structured, op);
      // What they hand on stays with its thread.
      Accesses accesses = accessesOf(op);
      accesses.add(accessesOfEpilogue(structured, epilogue));
      waitFor(op, accesses);
      distributeOp(structured, epilogue);
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

  static bool writesMemory(Operation *op) { return !accessesOf(op).writes.empty(); }

  /// Inserts a barrier before `op` if it conflicts with accesses since the last one.
  void waitFor(Operation *op) { waitFor(op, accessesOf(op)); }
  void waitFor(Operation *op, const Accesses &accesses) {
    if (pending.conflictsWith(accesses))
      barrier(op);
    pending.add(accesses);
  }
  void barrier(Operation *before) {
    rewriter.setInsertionPoint(before);
    gpu::BarrierOp::create(rewriter, before->getLoc());
    pending.clear();
  }

  Value constant(Location loc, int64_t value) { return arith::ConstantIndexOp::create(rewriter, loc, value); }

  /// True if `op` fills what the next op to touch it accumulates in registers: those start with the value, and nothing
  /// is written before.
  bool startsInRegisters(Operation *op) {
    auto fill = dyn_cast<linalg::FillOp>(op);
    if (!fill || fill.getDpsInputs().front().getType() != cast<MemRefType>(fill.output().getType()).getElementType())
      return false;
    Value buffer = fill.output(), root = rootBuffer(buffer);
    for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
      Accesses accesses = accessesOf(next);
      if (!accesses.reads.contains(root) && !accesses.writes.contains(root))
        continue;
      auto loop = dyn_cast<scf::ForOp>(next);
      linalg::LinalgOp user = loop ? findCarried(loop) : dyn_cast<linalg::LinalgOp>(next);
      bool accumulates = user && user.getNumReductionLoops() != 0 && held.holdersOf(user) != 0 &&
                         llvm::is_contained(user.getDpsInits(), buffer) &&
                         llvm::none_of(user.getDpsInputs(), [&](Value input) { return rootBuffer(input) == root; }) &&
                         llvm::count_if(user.getDpsInits(), [&](Value init) { return rootBuffer(init) == root; }) == 1;
      if (!accumulates)
        return false;
      startsWith[{user, buffer}] = fill.getDpsInputs().front();
      done.insert(op);
      return true;
    }
    return false;
  }

  /// Whether nothing of what an op accumulates into is read.
  bool startsAnew(linalg::LinalgOp op) const {
    return llvm::all_of(op.getDpsInits(), [&](Value init) { return startsWith.contains({op, init}); });
  }

  /// What registers start with, by point and output.
  SmallVector<Value> initialOf(linalg::LinalgOp op, ArrayRef<SmallVector<Value>> points) {
    SmallVector<Value> initial;
    if (!startsAnew(op))
      initial = loadOutputs(rewriter, op, points);
    initial.resize(points.size() * op.getNumDpsInits());
    for (auto [number, init] : llvm::enumerate(op.getDpsInits()))
      if (Value value = startsWith.lookup({op, init}))
        for (size_t point = 0; point < points.size(); ++point)
          initial[point * op.getNumDpsInits() + number] = value;
    return initial;
  }

  /// The registers that an accumulation starts with.
  SmallVector<Value> startOf(linalg::LinalgOp op, const Holding &holding) {
    if (holding.cooperative)
      return holding.cooperative->start([&](Value result) { return startsWith.lookup({op, result}); });
    return held.registersOf(holding, initialOf(op, holding.points));
  }

  /// Elementwise ops after a reduction that read its result, or that of the op before, element by element: they are
  /// computed where it is in registers.
  /// `at`: the op itself or the loops that it is carried through; what the epilogue needs moves before that.
  SmallVector<linalg::LinalgOp> epilogueOf(linalg::LinalgOp op, Operation *at) {
    SmallVector<linalg::LinalgOp> epilogue;
    if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 || !held.canContinue(op))
      return epilogue;
    linalg::LinalgOp last = op;
    SmallVector<Operation *> between;
    for (Operation *next = at->getNextNode(); next; next = next->getNextNode()) {
      auto user = dyn_cast<linalg::LinalgOp>(next);
      if (!user && isMemoryEffectFree(next)) {
        between.push_back(next);
        continue;
      }
      if (!user || !takesResults(user, last, op))
        break;
      for (Operation *pure : between)
        rewriter.moveOpBefore(pure, at);
      between.clear();
      epilogue.push_back(user);
      last = user;
    }
    std::optional<PartialStore> store = takePartialStore(rewriter, last, at, [&](Operation *user) {
      return done.contains(user) || user == op.getOperation() || llvm::is_contained(epilogue, user);
    });
    if (store)
      partial[op] = *store;
    return epilogue;
  }

  /// What an epilogue touches, and the copy that hands on a part of what it makes of the results of `op`.
  Accesses accessesOfEpilogue(linalg::LinalgOp op, ArrayRef<linalg::LinalgOp> epilogue) {
    Accesses accesses;
    for (linalg::LinalgOp each : epilogue)
      accesses.add(accessesOf(each));
    if (auto store = partial.find(op); store != partial.end())
      accesses.writes.insert(rootBuffer(store->second.to));
    return accesses;
  }

  /// The ops of an epilogue at the points that `values` belong to; the last one's results. Those that somebody else
  /// reads are stored on the way.
  SmallVector<Value> continueWith(ArrayRef<linalg::LinalgOp> epilogue, linalg::LinalgOp op,
                                  ArrayRef<SmallVector<Value>> points, SmallVector<Value> values,
                                  KnownInput known = nullptr) {
    linalg::LinalgOp last = op;
    for (linalg::LinalgOp next : epilogue) {
      Value result = last.getDpsInitOperand(0)->get();
      if (isReadElsewhere(result, last, next) && (how.isOneSubgroup() || !replacesResults(next, last)))
        storeOutputs(rewriter, last, points, values);
      values = emitPoints(rewriter, next, points, loadOutputs(rewriter, next, points), {},
                          [&](OpOperand &operand, size_t point) {
                            return operand.get() == result ? values[point] : known ? known(operand, point) : Value();
                          });
      last = next;
    }
    return values;
  }

  /// Whether others than `reader` may read what `writer` writes to `buffer`.
  bool isReadElsewhere(Value buffer, linalg::LinalgOp writer, linalg::LinalgOp reader) const {
    return !buffer.getDefiningOp<memref::AllocOp>() || llvm::any_of(buffer.getUsers(), [&](Operation *user) {
      return user != reader && user != writer && !done.contains(user) && !isa<memref::DeallocOp>(user);
    });
  }

  /// Pieces for lanes, round after round.
  void distributePieces(linalg::LinalgOp op, const RegisterTile &tile, ArrayRef<linalg::LinalgOp> epilogue) {
    Location loc = op.getLoc();
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    Value piece = thread;
    if (int64_t rounds = llvm::divideCeil(tile.threads, lanes); rounds > 1) {
      auto loop = scf::ForOp::create(rewriter, loc, constant(loc, 0), constant(loc, rounds), constant(loc, 1));
      rewriter.setInsertionPointToStart(loop.getBody());
      piece = arith::AddIOp::create(
          rewriter, loc, arith::MulIOp::create(rewriter, loc, loop.getInductionVar(), constant(loc, lanes)), thread);
    }
    bool isPartial = tile.threads % lanes != 0;
    Value own = piece;
    if (isPartial)
      piece = arith::MinUIOp::create(rewriter, loc, piece, constant(loc, tile.threads - 1));
    SmallVector<SmallVector<Value>> points = pointsOfPiece(rewriter, loc, piece, tile);
    SmallVector<Value> values =
        emitPoints(rewriter, op, points, initialOf(op, points), sharedByLanes(op, tile, thread, lanes));
    if (isPartial) {
      // Lanes that repeat the last piece have read what its owner is about to change.
      if (!startsAnew(op))
        gpu::BarrierOp::create(rewriter, loc);
      Value owns = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, own, constant(loc, tile.threads));
      rewriter.setInsertionPoint(scf::IfOp::create(rewriter, loc, owns).thenBlock()->getTerminator());
    }
    values = continueWith(epilogue, op, points, values);
    linalg::LinalgOp last = epilogue.empty() ? op : epilogue.back();
    auto part = partial.find(op);
    if (part == partial.end())
      return storeOutputs(rewriter, last, points, values);
    done.insert(part->second.copy);
    storePartly(rewriter, part->second, viewUnderTile(rewriter, part->second), last, points, values,
                neighbours(last, tile.sizes));
  }

  /// Points in a row that are neighbours in what `last` writes, of pieces of such sizes by parallel loop.
  static int64_t neighbours(linalg::LinalgOp last, ArrayRef<int64_t> sizes) {
    return !sizes.empty() && sizes.back() % 4 == 0 ? neighboursAlong(last, sizes.size() - 1, 4) : 1;
  }

  void distributeOp(linalg::LinalgOp op, ArrayRef<linalg::LinalgOp> epilogue) {
    rewriter.setInsertionPoint(op);
    std::optional<RegisterTile> tile = held.tileOf(op);
    if (tile && how.isOneSubgroup()) {
      distributePieces(op, *tile, epilogue);
      done.insert(op);
      for (linalg::LinalgOp each : epilogue)
        done.insert(each);
      return;
    }
    if (tile || held.matrixTileOf(op)) {
      Holding holding = held.hold(op);
      storeTile(op, holding, held.accumulate(op, holding, startOf(op, holding)), epilogue);
      done.insert(op);
    } else {
      bool isMoved = ((how.movesVectors || !matrixShapes.empty()) && distributeGather(rewriter, op, thread, threads)) ||
                     (((!matrixShapes.empty() && isNarrow(op)) || (how.movesVectors && isMaskedCopy(op))) &&
                      distributeCopy(rewriter, op, thread, threads));
      if (!isMoved)
        distributeCyclically(rewriter, op, thread, threads, /*inVectors=*/how.movesVectors);
      rewriter.eraseOp(op);
    }
  }

  /// Stores what the last op of the epilogue makes of the results, or these.
  void storeTile(linalg::LinalgOp op, const Holding &holding, ArrayRef<Value> registers,
                 ArrayRef<linalg::LinalgOp> epilogue) {
    Location loc = op.getLoc();
    for (linalg::LinalgOp each : epilogue)
      done.insert(each);
    linalg::LinalgOp last = epilogue.empty() ? op : epilogue.back();
    std::optional<unsigned> pairs = holding.matrix ? holding.matrix->pairedLoop() : std::nullopt;
    auto part = partial.find(op);
    if (part != partial.end())
      done.insert(part->second.copy);
    int64_t width = pairs            ? neighboursAlong(last, *pairs, 2)
                    : holding.matrix ? 1
                                     : neighbours(last, holding.sharing.sizes);
    auto finish = [&] {
      if (holding.cooperative)
        return holding.cooperative->store(registers);
      EpilogueBatches batches(rewriter, op, epilogue, holding.points);
      Value view = part != partial.end() ? viewUnderTile(rewriter, part->second) : Value();
      for (size_t first = 0; first < holding.points.size(); first += batches.size()) {
        ArrayRef<SmallVector<Value>> points = ArrayRef(holding.points).slice(first, batches.size());
        SmallVector<Value> values =
            continueWith(epilogue, op, points, held.elementsOf(holding, op, registers, first, batches.size()),
                         [&](OpOperand &operand, size_t point) { return batches.shared(operand, first + point); });
        if (view)
          storePartly(rewriter, part->second, view, last, points, values, width);
        else
          pairs ? storeInPairs(rewriter, last, points, values, *pairs) : storeOutputs(rewriter, last, points, values);
      }
    };
    Value owns = held.stores(holding, loc);
    if (!owns)
      return finish();
    // Threads that repeat the last piece have read what its owner is about to change.
    if (!startsAnew(op))
      gpu::BarrierOp::create(rewriter, loc);
    auto guarded = scf::IfOp::create(rewriter, loc, owns);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(guarded.thenBlock()->getTerminator());
    finish();
  }

  /// An accumulation in the innermost of some loops, each the only one in the next outer one's body,
  /// whose result nobody else touches before `loop` ends.
  linalg::LinalgOp findCarried(scf::ForOp loop) {
    linalg::LinalgOp found;
    loop.getBody()->walk([&](linalg::LinalgOp op) {
      int64_t holders = op.getNumReductionLoops() ? held.holdersOf(op) : 0;
      if (holders == 0 || holders > threads || !isInNestOnly(op, loop))
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
                                     const Holding &holding) {
    bool isInner = true;
    FailureOr<LoopLikeOpInterface> widened = loop.replaceWithAdditionalYields(
        rewriter, initial, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) -> SmallVector<Value> {
          SmallVector<Value> registers(arguments.begin(), arguments.end());
          Operation *inner = loop.getBody()->findAncestorOpInBlock(*carried); // the body moves afterwards
          if (inner == carried) {
            rewriter.setInsertionPoint(carried);
            return held.accumulate(carried, holding, registers);
          }
          FailureOr<scf::ForOp> widenedInner = carryThrough(cast<scf::ForOp>(inner), carried, registers, holding);
          isInner = succeeded(widenedInner);
          return isInner ? SmallVector<Value>(widenedInner->getResults().take_back(registers.size())) : registers;
        });
    if (failed(widened) || !isInner)
      return failure();
    return cast<scf::ForOp>(*widened);
  }

  LogicalResult distributeLoop(scf::ForOp loop) {
    if (rows && rows->computesIn(loop))
      return rows->emitLoop(loop, [&](scf::ForOp wide) {
        return distributeIterations(wide, rows->plan().inMemory(accessesOfIteration(wide, {})));
      });
    if (inRegisters && loop->isAncestor(inRegisters))
      return distributeIterations(loop, accessesOfIteration(loop, inRegisters));
    linalg::LinalgOp carried = findCarried(loop);
    Accesses iteration = accessesOfIteration(loop, carried);
    if (!carried)
      return distributeIterations(loop, iteration);

    SmallVector<linalg::LinalgOp> epilogue = epilogueOf(carried, loop);
    Accesses output;
    for (Value init : carried.getDpsInits())
      output.reads.insert(rootBuffer(init));
    if (pending.conflictsWith(output))
      barrier(loop);
    rewriter.setInsertionPoint(loop);
    Holding holding = held.hold(carried);
    SmallVector<Value> initial = startOf(carried, holding);
    FailureOr<scf::ForOp> widened = carryThrough(loop, carried, initial, holding);
    if (failed(widened))
      return carried.emitOpError("cannot be carried in registers through its loop");
    loop = *widened;
    // The op itself stays to the end, so that barriers find what its inputs are.
    SmallVector<Value> results(loop.getResults().take_back(initial.size()));
    inRegisters = carried;
    LogicalResult body = distributeIterations(loop, iteration);
    inRegisters = {};
    rewriter.setInsertionPointAfter(loop);
    storeCarried(carried, holding, results, epilogue);
    rewriter.eraseOp(carried);
    return body;
  }

  /// Stores results at the insertion point, after a barrier if the epilogue reads what other threads have written.
  void storeCarried(linalg::LinalgOp carried, const Holding &holding, ArrayRef<Value> results,
                    ArrayRef<linalg::LinalgOp> epilogue) {
    Accesses accesses = accessesOfEpilogue(carried, epilogue);
    for (Value init : carried.getDpsInits()) {
      accesses.reads.erase(rootBuffer(init)); // comes from registers
      accesses.writes.insert(rootBuffer(init));
    }
    if ((!epilogue.empty() || partial.contains(carried)) && pending.conflictsWith(accesses)) {
      gpu::BarrierOp::create(rewriter, carried.getLoc());
      pending.clear();
    }
    storeTile(carried, holding, results, epilogue);
    pending.add(accesses);
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
    Value first =
        arith::CmpIOp::create(rewriter, op->getLoc(), arith::CmpIPredicate::eq, thread, constant(op->getLoc(), 0));
    auto guarded = scf::IfOp::create(rewriter, op->getLoc(), first);
    rewriter.moveOpBefore(op, guarded.thenBlock()->getTerminator());
    return lowerNestToSerialLoops(rewriter, guarded);
  }

  RewriterBase &rewriter;
  gpu::LaunchOp launch;
  const Distribution how;
  int64_t threads, lanes;
  ArrayRef<MatrixShape> matrixShapes;
  Value thread;
  HeldResults held;
  std::optional<RowEmitter> rows;            ///< of tiles that stay in registers
  llvm::SmallSetVector<Operation *, 8> done; ///< emitted elsewhere; erased at the end
  /// Of an accumulation and a buffer that was filled for it: the initial value of registers. What accumulates there
  /// next goes on.
  llvm::DenseMap<std::pair<Operation *, Value>, Value> startsWith;
  llvm::DenseMap<Operation *, PartialStore>
      partial;                  ///< by the op whose results, after its epilogue, are stored in part
  Accesses pending;             ///< since the last barrier
  linalg::LinalgOp inRegisters; ///< emitted already; only its reads still count
};

} // namespace

LogicalResult distributeToThreads(RewriterBase &rewriter, gpu::LaunchOp launch, const Distribution &how) {
  return Distributor(rewriter, launch, how).run();
}

} // namespace fuselage
