// Copies to workgroup memory run ahead of the loop that works on them.
#include "core/ir/ops/NumberBytes.h"
#include "core/transforms/bufferize/BufferPlacement.h"
#include "core/transforms/nvidia/Passes.h"
#include "core/transforms/nvidia/WorkgroupCopy.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace fuselage {
#define GEN_PASS_DEF_PIPELINECOPIESPASS
#include "core/transforms/nvidia/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// A loop whose tiles are copied, and what that takes.
class Pipeliner {
public:
  Pipeliner(gpu::LaunchOp launch, scf::ForOp loop) : launch(launch), loop(loop), rewriter(loop.getContext()) {}

  /// True if something is copied from outside, step by step, that can be ahead.
  bool find() {
    std::optional<int64_t> from = getConstantIntValue(loop.getLowerBound()),
                           to = getConstantIntValue(loop.getUpperBound()), by = getConstantIntValue(loop.getStep());
    if (!from || !to || !by || *by <= 0 || loop.getBody()->getOps<gpu::BarrierOp>().empty())
      return false;
    rounds = llvm::divideCeilSigned(*to - *from, *by);
    llvm::MapVector<Value, SmallVector<WorkgroupCopy>> byMemory;
    for (Operation &op : *loop.getBody())
      if (std::optional<WorkgroupCopy> copy = guardedCopyOf(&op))
        byMemory[rootBuffer(copy->to)].push_back(*copy);
    for (auto &[memory, group] : byMemory)
      if (memory.getDefiningOp<memref::AllocOp>() && isFilledBy(memory, group)) {
        memories.push_back(memory);
        llvm::append_range(copies, group);
      }
    return rounds >= 2 && !copies.empty();
  }

  int64_t bytesOfStage() const {
    int64_t bytes = 0;
    for (Value memory : memories)
      bytes += workgroupBytes(cast<MemRefType>(memory.getType()));
    return bytes;
  }
  int64_t roundsOfLoop() const { return rounds; }

  LogicalResult run(int64_t stages) {
    bool isNested = loop->getParentOfType<scf::ForOp>() != nullptr;
    bool isFollowed = isNested || touchesWorkgroupMemoryBehind();
    if (failed(addSlots(stages)))
      return failure();
    for (Value memory : memories)
      multiply(memory, stages);
    collectCopies(stages);
    dropBarriers();
    scf::PipeliningOption options;
    options.peelEpilogue = false;
    options.supportDynamicLoops = false;
    options.getScheduleFn = [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &schedule) {
      unsigned last = stages - 1;
      llvm::SmallPtrSet<Operation *, 16> placed;
      auto place = [&](Operation *op, unsigned stage) {
        schedule.emplace_back(op, stage);
        placed.insert(op);
      };
      place(wait, last);
      place(barrier, last);
      for (Operation *op : countingAhead)
        place(op, 0);
      place(ahead, 0);
      place(group, 0);
      for (Operation &op : loop.getBody()->without_terminator())
        if (!placed.contains(&op))
          schedule.emplace_back(&op, last);
    };
    options.predicateFn = [](RewriterBase &, Operation *op, Value isThere) -> Operation * {
      if (auto guarded = dyn_cast<scf::IfOp>(op))
        guarded.getConditionMutable().assign(isThere);
      return op;
    };
    Operation *before = loop->getPrevNode();
    Block *block = loop->getBlock();
    bool changed = false;
    rewriter.setInsertionPoint(loop);
    FailureOr<scf::ForOp> pipelined = scf::pipelineForLoop(rewriter, loop, options, &changed);
    if (failed(pipelined))
      return failure();
    if (isNested) {
      rewriter.setInsertionPoint(before ? before->getNextNode() : &block->front());
      gpu::BarrierOp::create(rewriter, pipelined->getLoc());
    }
    if (isFollowed) {
      rewriter.setInsertionPointAfter(*pipelined);
      gpu::BarrierOp::create(rewriter, pipelined->getLoc());
    }
    return success();
  }

private:
  /// True if the copies are all that writes `memory`, the loop is all that reads it, and where they read from stays as
  /// it is.
  bool isFilledBy(Value memory, ArrayRef<WorkgroupCopy> group) {
    std::optional<SmallVector<Operation *>> accesses = accessesTo(memory);
    bool isOnlyHere = llvm::all_of(memory.getUsers(), [&](Operation *user) { return loop->isProperAncestor(user); });
    if (!isOnlyHere || !accesses || !llvm::all_of(*accesses, [&](Operation *access) {
          bool copies = llvm::any_of(group, [&](const WorkgroupCopy &copy) { return copy.store == access; });
          return loop->isProperAncestor(access) && (copies || !writesTo(access, memory));
        }))
      return false;
    return llvm::all_of(group, [&](const WorkgroupCopy &copy) {
      Value source = rootBuffer(copy.from);
      bool isWritten = loop->walk([&](Operation *op) {
                             return writesTo(op, source) ? WalkResult::interrupt() : WalkResult::advance();
                           })
                           .wasInterrupted();
      return !isWritten && isKnownAhead(copy);
    });
  }

  /// Where a copy reads and writes, and whether it does.
  static SmallVector<Value> operandsOf(const WorkgroupCopy &copy) {
    SmallVector<Value> operands{copy.from, copy.to};
    llvm::append_range(operands, copy.fromIndices);
    llvm::append_range(operands, copy.toIndices);
    if (copy.condition)
      operands.push_back(copy.condition);
    if (scf::IfOp guard = copy.guard)
      operands.push_back(guard.getCondition());
    return operands;
  }
  bool isKnownAhead(const WorkgroupCopy &copy) {
    return llvm::all_of(operandsOf(copy), [&](Value operand) { return isKnownAhead(operand); });
  }

  /// Whether `value` follows from the loop's counter: from nothing that the loop reads or carries.
  bool isKnownAhead(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return argument == loop.getInductionVar() || argument.getOwner() != loop.getBody();
    Operation *def = value.getDefiningOp();
    return !loop->isProperAncestor(def) ||
           (isMemoryEffectFree(def) && def->getNumRegions() == 0 &&
            llvm::all_of(def->getOperands(), [&](Value operand) { return isKnownAhead(operand); }));
  }

  /// As many buffers as stages, and a view of the one that this round has.
  void multiply(Value memory, int64_t stages) {
    auto alloc = memory.getDefiningOp<memref::AllocOp>();
    MemRefType type = alloc.getType();
    SmallVector<int64_t> shape{stages};
    llvm::append_range(shape, type.getShape());
    rewriter.setInsertionPoint(alloc);
    Value all = memref::AllocOp::create(
        rewriter, alloc.getLoc(), MemRefType::get(shape, type.getElementType(), AffineMap(), type.getMemorySpace()));
    rewriter.setInsertionPointAfterValue(slot);
    SmallVector<OpFoldResult> offsets(shape.size(), rewriter.getIndexAttr(0)), sizes{rewriter.getIndexAttr(1)},
        strides(shape.size(), rewriter.getIndexAttr(1));
    offsets.front() = slot;
    for (int64_t size : type.getShape())
      sizes.push_back(rewriter.getIndexAttr(size));
    MemRefType view = memref::SubViewOp::inferRankReducedResultType(type.getShape(), cast<MemRefType>(all.getType()),
                                                                    offsets, sizes, strides);
    Value mine = memref::SubViewOp::create(rewriter, alloc.getLoc(), view, all, offsets, sizes, strides);
    replaceBuffer(rewriter, memory, mine);
    rewriter.eraseOp(alloc);
  }

  /// The buffers of this round and of the one that is copied for, counted along by the loop: each by its own value,
  /// since they belong to different stages. A remainder of the loop's counter would do, at the cost of registers for
  /// what compilers make of it.
  LogicalResult addSlots(int64_t stages) {
    Location loc = loop.getLoc();
    Type narrow = rewriter.getI32Type();
    rewriter.setInsertionPoint(loop);
    Value zero = arith::ConstantIntOp::create(rewriter, loc, narrow, 0),
          one = arith::ConstantIntOp::create(rewriter, loc, narrow, 1),
          last = arith::ConstantIntOp::create(rewriter, loc, narrow, stages - 1);
    FailureOr<LoopLikeOpInterface> widened = loop.replaceWithAdditionalYields(
        rewriter, ValueRange{zero, zero}, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> slots) {
          SmallVector<Value> next;
          for (BlockArgument each : slots) {
            Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, each, last);
            Value sum = arith::AddIOp::create(builder, loc, each, one);
            next.push_back(arith::SelectOp::create(builder, loc, isLast, zero, sum));
            for (Operation *op : {isLast.getDefiningOp(), sum.getDefiningOp(), next.back().getDefiningOp()})
              if (next.size() == 2)
                countingAhead.push_back(op);
          }
          return next;
        });
    if (failed(widened))
      return failure();
    loop = cast<scf::ForOp>(*widened);
    rewriter.setInsertionPointToStart(loop.getBody());
    ArrayRef<BlockArgument> slots = loop.getRegionIterArgs().take_back(2);
    slotAhead = slots.back();
    slotNow = slots.front();
    slot = arith::IndexCastUIOp::create(rewriter, loc, rewriter.getIndexType(), slotNow);
    return success();
  }

  /// Moves all copies into one branch, with copies of what their indices need; then the group, the wait for it, and a
  /// barrier.
  void collectCopies(int64_t stages) {
    Location loc = loop.getLoc();
    rewriter.setInsertionPoint(loop);
    Value always = arith::ConstantIntOp::create(rewriter, loc, 1, 1);
    rewriter.setInsertionPoint(loop.getBody()->getTerminator());
    auto branch = scf::IfOp::create(rewriter, loc, always);
    ahead = branch;
    rewriter.setInsertionPoint(branch.thenBlock()->getTerminator());
    IRMapping mapping;
    mapping.map(slotNow, slotAhead);
    for (const WorkgroupCopy &copy : copies) {
      std::optional<WorkgroupCopy> now = copyOf(copy.store); // its buffer may be another one by now
      now->guard = copy.guard;
      for (Value operand : operandsOf(*now))
        repeat(operand, mapping);
      SmallVector<Value> to, from;
      for (Value index : now->toIndices)
        to.push_back(mapping.lookupOrDefault(index));
      for (Value index : now->fromIndices)
        from.push_back(mapping.lookupOrDefault(index));
      int64_t bytes = now->elements * cast<MemRefType>(now->to.getType()).getElementTypeBitWidth() / 8;
      OpBuilder::InsertionGuard inBranch(rewriter);
      if (scf::IfOp guard = copy.guard)
        rewriter.setInsertionPoint(
            scf::IfOp::create(rewriter, guard.getLoc(), mapping.lookupOrDefault(guard.getCondition()))
                .thenBlock()
                ->getTerminator());
      nvgpu::DeviceAsyncCopyOp::create(rewriter, copy.store->getLoc(),
                                       nvgpu::DeviceAsyncTokenType::get(rewriter.getContext()),
                                       mapping.lookupOrDefault(now->to), to, mapping.lookupOrDefault(now->from), from,
                                       rewriter.getIndexAttr(now->elements), elementsToRead(*now, mapping),
                                       bytes == 16 ? rewriter.getUnitAttr() : UnitAttr());
    }
    for (const WorkgroupCopy &copy : copies) {
      Operation *value = copy.condition ? copy.load->use_begin()->getOwner() : nullptr;
      rewriter.eraseOp(copy.store);
      if (value)
        rewriter.eraseOp(value);
      rewriter.eraseOp(copy.load);
      if (copy.guard)
        rewriter.eraseOp(copy.guard);
    }
    rewriter.setInsertionPointAfter(branch);
    Type token = nvgpu::DeviceAsyncTokenType::get(rewriter.getContext());
    group = nvgpu::DeviceAsyncCreateGroupOp::create(rewriter, loc, token, ValueRange());
    // Without operands its text would take the next line's result for one, but for an attribute in between.
    group->setAttr("fuselage.ahead", rewriter.getUnitAttr());
    wait = nvgpu::DeviceAsyncWaitOp::create(rewriter, loc, group->getResult(0), rewriter.getI32IntegerAttr(stages - 2));
    barrier = gpu::BarrierOp::create(rewriter, loc);
    // Before what uses the tiles.
    Operation *first = &loop.getBody()->front();
    for (Operation *op : {ahead, group, wait, barrier})
      rewriter.moveOpBefore(op, first);
  }

  /// What a copy reads of its elements, the others being zero; null for all.
  Value elementsToRead(const WorkgroupCopy &copy, IRMapping &mapping) {
    if (!copy.condition)
      return Value();
    Location loc = copy.store->getLoc();
    Value all = arith::ConstantIndexOp::create(rewriter, loc, copy.elements),
          none = arith::ConstantIndexOp::create(rewriter, loc, 0);
    return arith::SelectOp::create(rewriter, loc, mapping.lookupOrDefault(copy.condition), all, none);
  }

  /// Clones into the branch what `value` is made of inside of the loop.
  void repeat(Value value, IRMapping &mapping) {
    Operation *def = value.getDefiningOp();
    if (!def || !loop->isProperAncestor(def) || mapping.contains(value))
      return;
    for (Value operand : def->getOperands())
      repeat(operand, mapping);
    rewriter.clone(*def, mapping);
  }

  /// Removes the first barrier after ops that compute nothing, and the last one: the added barrier replaces both.
  void dropBarriers() {
    for (Operation *op = barrier->getNextNode(); op; op = op->getNextNode()) {
      if (isMemoryEffectFree(op))
        continue;
      if (isa<gpu::BarrierOp>(op))
        rewriter.eraseOp(op);
      break;
    }
    for (Operation *op = loop.getBody()->getTerminator()->getPrevNode(); op && op != barrier; op = op->getPrevNode()) {
      if (isMemoryEffectFree(op))
        continue;
      if (isa<gpu::BarrierOp>(op))
        rewriter.eraseOp(op);
      break;
    }
  }

  /// Returns true if the launch accesses workgroup memory after the loop.
  bool touchesWorkgroupMemoryBehind() {
    for (Operation *at = loop; at != launch; at = at->getParentOp())
      for (Operation *next = at->getNextNode(); next; next = next->getNextNode())
        if (next->walk([](Operation *op) {
                  bool touches = !isMemoryEffectFree(op) && llvm::any_of(op->getOperands(), isInWorkgroupMemory);
                  return touches ? WalkResult::interrupt() : WalkResult::advance();
                })
                .wasInterrupted())
          return true;
    return false;
  }

  gpu::LaunchOp launch;
  scf::ForOp loop;
  IRRewriter rewriter;
  int64_t rounds = 0;
  SmallVector<Value> memories;
  SmallVector<WorkgroupCopy> copies;
  Value slot, slotNow, slotAhead;
  SmallVector<Operation *> countingAhead; ///< what makes the next slot ahead
  Operation *ahead = nullptr, *group = nullptr, *wait = nullptr, *barrier = nullptr;
};

struct PipelineCopies : fuselage::impl::PipelineCopiesPassBase<PipelineCopies> {
  using PipelineCopiesPassBase::PipelineCopiesPassBase;

  void runOnOperation() override {
    if (stages < 2 || stages > 8) {
      getOperation()->emitError("stages is ") << stages.getValue() << "; give a number from 2 to 8";
      return signalPassFailure();
    }
    memory = strategyOf(getOperation())->asyncCopies().value_or(AsyncCopyOptions());
    SmallVector<gpu::LaunchOp> launches;
    getOperation()->walk([&](gpu::LaunchOp launch) { launches.push_back(launch); });
    for (gpu::LaunchOp launch : launches)
      if (failed(pipeline(launch)))
        return signalPassFailure();
  }

private:
  AsyncCopyOptions memory;

  /// Bytes of workgroup memory that the launch takes so far.
  static int64_t bytesInUse(gpu::LaunchOp launch) {
    int64_t bytes = 0;
    launch.walk([&](memref::AllocOp op) { bytes += op.getType().hasStaticShape() ? workgroupBytes(op.getType()) : 0; });
    return bytes;
  }

  LogicalResult pipeline(gpu::LaunchOp launch) {
    SmallVector<scf::ForOp> loops;
    launch.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops) {
      Pipeliner pipeliner(launch, loop);
      if (!pipeliner.find())
        continue;
      int64_t used = bytesInUse(launch), others = used - pipeliner.bytesOfStage();
      // A workgroup that takes more than its share leaves no room for another one anyhow.
      int64_t most = used > memory.workgroupBytes ? std::max(memory.workgroupBytes, memory.mostWorkgroupBytes)
                                                  : memory.workgroupBytes;
      int64_t fitting = (most - others) / pipeliner.bytesOfStage();
      int64_t depth = std::min({stages.getValue(), fitting, pipeliner.roundsOfLoop()});
      if (depth < 2)
        continue;
      if (failed(pipeliner.run(depth)))
        return launch.emitOpError("has a loop whose copies cannot run ahead of it");
    }
    return success();
  }
};

} // namespace
