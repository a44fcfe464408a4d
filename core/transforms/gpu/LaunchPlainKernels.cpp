// Every op of a dispatch that is in no kernel yet gets a kernel of its own.
#include "core/transforms/bufferize/BufferPlacement.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/gpu/LaunchBuilder.h"
#include "core/transforms/gpu/Passes.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace fuselage {
#define GEN_PASS_DEF_LAUNCHPLAINKERNELSPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// Constants larger than this are no code any more.
constexpr int64_t maxConstantElements = 1 << 14;

class DispatchLauncher {
public:
  DispatchLauncher(func::FuncOp function, int64_t threads, unsigned indexBits)
      : function(function), rewriter(function.getContext()), threads(threads), indexBits(indexBits) {}

  LogicalResult run() {
    if (!function.getBody().hasOneBlock())
      return function.emitOpError("branches between blocks; a dispatch must be one block");
    copiesToLinalg(rewriter, function);
    hoistAllocations();
    if (failed(materializeGlobals()))
      return failure();
    findReadOnlyLoads();
    if (failed(launchAll()))
      return failure();
    eraseDeadOps();
    return success();
  }

private:
  /// Contents of a fresh allocation are undefined, so its place does not matter.
  void hoistAllocations() {
    Block &entry = function.getBody().front();
    SmallVector<Operation *> allocations;
    function.walk([&](Operation *op) {
      if (op->getParentOfType<gpu::LaunchOp>())
        return;
      bool isStatic = isa<memref::AllocOp, memref::AllocaOp>(op) && op->getNumOperands() == 0;
      if (isStatic && !op->getParentOfType<scf::ForallOp>() && !op->getParentOfType<scf::ParallelOp>())
        allocations.push_back(op);
    });
    for (Operation *op : llvm::reverse(allocations)) {
      rewriter.moveOpBefore(op, &entry, entry.begin());
      if (auto onStack = dyn_cast<memref::AllocaOp>(op)) {
        rewriter.setInsertionPoint(op);
        rewriter.replaceOpWithNewOp<memref::AllocOp>(op, onStack.getType());
      }
    }
    SmallVector<memref::DeallocOp> deallocations;
    function.walk([&](memref::DeallocOp op) { deallocations.push_back(op); });
    for (memref::DeallocOp op : deallocations)
      rewriter.eraseOp(op);
  }

  /// A constant tensor becomes a scratch buffer and the stores that fill it.
  LogicalResult materializeGlobals() {
    SmallVector<memref::GetGlobalOp> uses;
    function.walk([&](memref::GetGlobalOp op) { uses.push_back(op); });
    llvm::MapVector<StringAttr, Value> buffers;
    for (memref::GetGlobalOp use : uses) {
      Value &buffer = buffers[use.getNameAttr().getAttr()];
      if (!buffer && failed(materializeGlobal(use, buffer)))
        return failure();
      rewriter.replaceOp(use, buffer);
    }
    return success();
  }

  LogicalResult materializeGlobal(memref::GetGlobalOp use, Value &buffer) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(use, use.getNameAttr());
    auto value = global ? dyn_cast_or_null<DenseElementsAttr>(global.getInitialValueAttr()) : DenseElementsAttr();
    if (!value)
      return use.emitOpError("reads a constant whose values are not in the module");
    Location loc = use.getLoc();
    MemRefType type = use.getType();
    Block &entry = function.getBody().front();
    rewriter.setInsertionPointToStart(&entry);
    buffer = memref::AllocOp::create(rewriter, loc, type);
    auto constant = [&](Attribute attribute) -> Value {
      return arith::ConstantOp::create(rewriter, loc, cast<TypedAttr>(attribute));
    };
    if (value.isSplat()) {
      linalg::FillOp::create(rewriter, loc, constant(value.getSplatValue<Attribute>()), buffer);
      return success();
    }
    if (value.getNumElements() > maxConstantElements)
      return use.emitOpError() << "is a constant of " << value.getNumElements()
                               << " elements inside a dispatch; pass it as an argument instead";
    SmallVector<int64_t> position(type.getRank(), 0);
    for (Attribute element : value.getValues<Attribute>()) {
      SmallVector<Value> indices;
      for (int64_t index : position)
        indices.push_back(arith::ConstantIndexOp::create(rewriter, loc, index));
      memref::StoreOp::create(rewriter, loc, constant(element), buffer, indices);
      for (int64_t dim = type.getRank(); dim-- > 0;) {
        if (++position[dim] < type.getDimSize(dim))
          break;
        position[dim] = 0;
      }
    }
    return success();
  }

  /// Loads from buffers that nothing in the function writes can be repeated in any kernel.
  void findReadOnlyLoads() {
    llvm::SmallPtrSet<Value, 8> written;
    auto markWritten = [&](Value value) {
      if (isa<MemRefType>(value.getType()))
        written.insert(rootBuffer(value));
    };
    function.walk([&](Operation *op) {
      if (auto store = dyn_cast<memref::StoreOp>(op))
        markWritten(store.getMemRef());
      else if (auto structured = dyn_cast<linalg::LinalgOp>(op))
        llvm::for_each(structured.getDpsInits(), markWritten);
      else if (!isa<memref::LoadOp, ViewLikeOpInterface>(op) && !isMemoryEffectFree(op))
        llvm::for_each(op->getOperands(), markWritten);
    });
    for (auto load : function.getBody().front().getOps<memref::LoadOp>()) {
      Value root = rootBuffer(load.getMemRef());
      if (isa<BlockArgument>(root) && !written.contains(root))
        movable.insert(load);
    }
  }

  bool mayMove(Operation *op) const { return movable.contains(op); }

  LogicalResult launchAll() {
    SmallVector<Operation *> serial;
    for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
      bool stays = op.hasTrait<OpTrait::IsTerminator>() || isa<memref::AllocOp>(op) ||
                   (op.getNumRegions() == 0 && isMemoryEffectFree(&op)) || mayMove(&op);
      if (stays)
        continue;
      bool isParallel = isa<linalg::LinalgOp, scf::ParallelOp, scf::ForallOp>(op);
      if (!isParallel && !isa<gpu::LaunchOp>(op)) {
        serial.push_back(&op);
        continue;
      }
      if (failed(launchSerial(serial)))
        return failure();
      serial.clear();
      if (isParallel && failed(launchParallel(&op)))
        return failure();
    }
    if (failed(launchSerial(serial)))
      return failure();
    function.walk(
        [&](gpu::LaunchOp launch) { sinkIntoLaunch(rewriter, launch, [&](Operation *op) { return mayMove(op); }); });
    return success();
  }

  /// One thread runs the ops in order: scalar code between the parallel ops.
  LogicalResult launchSerial(ArrayRef<Operation *> ops) {
    if (ops.empty())
      return success();
    rewriter.setInsertionPointAfter(ops.back());
    gpu::LaunchOp launch = createLaunch(rewriter, ops.front()->getLoc(), {1, 1, 1}, {1, 1, 1});
    Operation *end = launch.getBody().front().getTerminator();
    llvm::SmallPtrSet<Operation *, 8> inside(ops.begin(), ops.end());
    for (Operation *op : ops) {
      rewriter.moveOpBefore(op, end);
      for (OpResult result : op->getResults())
        if (failed(spill(result, launch)))
          return failure();
    }
    return lowerNestToSerialLoops(rewriter, launch);
  }

  /// Results that later kernels use go through a scratch buffer of one element.
  LogicalResult spill(OpResult result, gpu::LaunchOp launch) {
    auto isOutside = [&](OpOperand &use) { return !launch->isProperAncestor(use.getOwner()); };
    if (llvm::none_of(result.getUses(), isOutside))
      return success();
    if (!MemRefType::isValidElementType(result.getType()) || isa<MemRefType>(result.getType()))
      return result.getOwner()->emitOpError("yields a buffer that is chosen when the kernel runs; "
                                            "buffers of a dispatch must be known when it is compiled");
    Location loc = result.getLoc();
    Block &entry = function.getBody().front();
    rewriter.setInsertionPointToStart(&entry);
    Value buffer = memref::AllocOp::create(rewriter, loc, MemRefType::get({}, result.getType()));
    rewriter.setInsertionPointAfter(launch);
    auto reload = memref::LoadOp::create(rewriter, loc, buffer);
    movable.insert(reload);
    rewriter.replaceUsesWithIf(result, reload, isOutside);
    rewriter.setInsertionPointAfter(result.getOwner());
    memref::StoreOp::create(rewriter, loc, result, buffer);
    return success();
  }

  /// A thread an iteration: the iteration space in one line over workgroups and threads.
  LogicalResult launchParallel(Operation *op) {
    rewriter.setInsertionPoint(op);
    SmallVector<Value> extents;
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    if (structured && !structured.hasPureBufferSemantics())
      return op->emitOpError("still works on tensors; bufferize it before mapping it to a GPU");
    SmallVector<Value> lower, step;
    if (structured)
      extents = parallelExtents(rewriter, structured);
    else if (failed(loopExtents(cast<LoopLikeOpInterface>(op), lower, step, extents)))
      return failure();

    int64_t total = 1;
    for (Value extent : extents) {
      auto constant = getConstantIntValue(extent);
      if (!constant) // only a walk can tell how far it goes
        return launchSerial(op);
      if (llvm::MulOverflow(total, *constant, total) || total > mostIterations())
        return op->emitOpError("has more than ")
               << (indexBits == 32 ? "2^31" : "2^32 workgroups of") << " parallel iterations; tile it first";
    }
    if (total == 0) {
      rewriter.eraseOp(op);
      return success();
    }
    int64_t block = std::min<int64_t>(threads, llvm::PowerOf2Ceil(total));
    gpu::LaunchOp launch =
        createLaunch(rewriter, op->getLoc(), gridFor(int64_t(llvm::divideCeil(total, block))), {block, 1, 1});
    return emitThread(op, launch, total, block, extents, lower, step);
  }

  /// The body of launchParallel's kernel: the bounds check, the indices, one iteration.
  LogicalResult emitThread(Operation *op, gpu::LaunchOp launch, int64_t total, int64_t block, ArrayRef<Value> extents,
                           ArrayRef<Value> lower, ArrayRef<Value> step) {
    Location loc = op->getLoc();
    rewriter.setInsertionPoint(launch.getBody().front().getTerminator());
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
    Value first = arith::MulIOp::create(rewriter, loc, linearWorkgroup(rewriter, launch), constant(block));
    Value linear = arith::AddIOp::create(rewriter, loc, first, launch.getThreadIds().x);
    if (total % block != 0 || !matchPattern(launch.getGridSizeY(), m_One())) {
      Value inside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, linear, constant(total));
      auto guarded = scf::IfOp::create(rewriter, loc, inside);
      rewriter.setInsertionPoint(guarded.thenBlock()->getTerminator());
    }
    SmallVector<Value> indices = delinearize(rewriter, loc, linear, extents);
    if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      emitPoint(rewriter, structured, indices);
      rewriter.eraseOp(op);
      return success();
    }
    for (auto [index, from, by] : llvm::zip_equal(indices, lower, step))
      index = rewriter.createOrFold<arith::AddIOp>(loc, rewriter.createOrFold<arith::MulIOp>(loc, index, by), from);
    Block *body = &cast<LoopLikeOpInterface>(op).getLoopRegions().front()->front();
    rewriter.eraseOp(body->getTerminator());
    Block *destination = rewriter.getInsertionBlock();
    rewriter.inlineBlockBefore(body, destination, rewriter.getInsertionPoint(), indices);
    rewriter.eraseOp(op);
    if (failed(privatizeAllocations(launch, linear, total)))
      return failure();
    return lowerNestToSerialLoops(rewriter, launch);
  }

  /// With wide indices the grid is the limit (see gridFor).
  int64_t mostIterations() const { return indexBits == 32 ? INT32_MAX : int64_t(65535) * 65535 * threads; }

  LogicalResult launchSerial(Operation *op) { return launchSerial(ArrayRef<Operation *>(op)); }

  /// Trip counts of an scf.parallel or scf.forall.
  LogicalResult loopExtents(LoopLikeOpInterface loop, SmallVector<Value> &lower, SmallVector<Value> &step,
                            SmallVector<Value> &extents) {
    if (loop->getNumResults() != 0)
      return loop.emitOpError("yields values; only loops on buffers can run in a kernel");
    Location loc = loop.getLoc();
    auto value = [&](OpFoldResult size) { return getValueOrCreateConstantIndexOp(rewriter, loc, size); };
    auto from = loop.getLoopLowerBounds(), to = loop.getLoopUpperBounds(), by = loop.getLoopSteps();
    if (!from || !to || !by)
      return loop.emitOpError("has bounds that are not known when the kernel starts");
    for (auto [lo, hi, st] : llvm::zip_equal(*from, *to, *by)) {
      lower.push_back(value(lo));
      step.push_back(value(st));
      Value range = rewriter.createOrFold<arith::SubIOp>(loc, value(hi), value(lo));
      extents.push_back(rewriter.createOrFold<arith::CeilDivSIOp>(loc, range, value(st)));
    }
    return success();
  }

  /// Memory of one iteration becomes a slice of a scratch buffer, one slice a thread.
  LogicalResult privatizeAllocations(gpu::LaunchOp launch, Value thread, int64_t count) {
    SmallVector<memref::AllocOp> allocations;
    launch.walk([&](memref::AllocOp op) { allocations.push_back(op); });
    for (memref::AllocOp op : allocations) {
      std::optional<SmallVector<int64_t>> shape = boundedShape(op);
      if (!shape)
        return op.emitOpError("cannot become a scratch buffer: its size has no constant bound");
      rewriter.setInsertionPoint(op);
      Value slice = scratchSlice(rewriter, op.getLoc(), &function.getBody().front(), *shape,
                                 op.getType().getElementType(), thread, count);
      placeAllocation(rewriter, op, slice);
    }
    return success();
  }

  void eraseDeadOps() {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.getBody().front()))) {
      bool removable = isa<memref::AllocOp>(op) || mayMove(&op) || (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
      if (removable && op.use_empty() && !op.hasTrait<OpTrait::IsTerminator>())
        rewriter.eraseOp(&op);
    }
  }

  func::FuncOp function;
  IRRewriter rewriter;
  int64_t threads;
  unsigned indexBits;
  llvm::SmallPtrSet<Operation *, 8> movable; ///< loads that any kernel may repeat
};

struct LaunchPlainKernels : fuselage::impl::LaunchPlainKernelsPassBase<LaunchPlainKernels> {
  using LaunchPlainKernelsPassBase::LaunchPlainKernelsPassBase;

  void runOnOperation() override {
    if (indexBits != 32 && indexBits != 64) {
      getOperation().emitError("index-bitwidth is ") << indexBits.getValue() << "; give 32 or 64";
      return signalPassFailure();
    }
    if (!isDispatch(getOperation()) || !hasStaticBuffers(getOperation()))
      return;
    if (failed(DispatchLauncher(getOperation(), threads, indexBits).run()))
      signalPassFailure();
  }
};

} // namespace
