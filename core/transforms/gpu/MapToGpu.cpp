// Loops over workgroups become kernels whose threads share the work on a tile.
#include "core/transforms/bufferize/BufferPlacement.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "core/transforms/gpu/LaunchBuilder.h"
#include "core/transforms/gpu/Passes.h"
#include "core/transforms/gpu/StorageType.h"
#include "core/transforms/gpu/distribution/ScalarLoops.h"
#include "core/transforms/gpu/distribution/ThreadDistribution.h"
#include "core/transforms/gpu/distribution/VectorReads.h"
#include "core/transforms/workgroups/reductions/PartialResults.h"
#include "core/transforms/workgroups/strategy/TargetStrategy.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/CSE.h"

namespace fuselage {
#define GEN_PASS_DEF_MAPTOGPUPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

bool isMappedToBlocks(scf::ForallOp loop) {
  std::optional<ArrayAttr> mapping = loop.getMapping();
  return mapping && !mapping->empty() &&
         llvm::all_of(*mapping, [](Attribute a) { return isa<gpu::GPUBlockMappingAttr>(a); });
}

class WorkgroupMapper {
public:
  WorkgroupMapper(func::FuncOp function, const ThreadOptions &options, int64_t padBytes,
                  ArrayRef<MatrixShape> matrixShapes)
      : function(function), rewriter(function.getContext()), options(options), padBytes(padBytes),
        matrixShapes(matrixShapes) {}

  LogicalResult run() {
    forwardResults(rewriter, function.getBody().front());
    SmallVector<scf::ForallOp> loops;
    for (auto loop : function.getBody().front().getOps<scf::ForallOp>())
      if (isMappedToBlocks(loop))
        loops.push_back(loop);
    for (scf::ForallOp loop : loops)
      if (failed(map(loop)))
        return failure();
    return success();
  }

private:
  LogicalResult map(scf::ForallOp loop) {
    if (loop.getNumResults() != 0)
      return loop.emitOpError("still works on tensors; bufferize it before mapping it to a GPU");
    SmallVector<int64_t> lower, step, counts;
    int64_t total = 1;
    for (auto [lo, hi, by] :
         llvm::zip_equal(loop.getMixedLowerBound(), loop.getMixedUpperBound(), loop.getMixedStep())) {
      auto from = getConstantIntValue(lo), to = getConstantIntValue(hi), stride = getConstantIntValue(by);
      if (!from || !to || !stride || *stride <= 0)
        return loop.emitOpError("has a number of workgroups that is not known when it is compiled");
      lower.push_back(*from);
      step.push_back(*stride);
      counts.push_back(std::max<int64_t>(0, llvm::divideCeilSigned(*to - *from, *stride)));
      if (llvm::MulOverflow(total, counts.back(), total) || total > INT32_MAX)
        return loop.emitOpError("needs more than 2^31 workgroups; use larger tiles");
    }
    if (total == 0) {
      rewriter.eraseOp(loop);
      return success();
    }
    // A buffer has one name in all ops, so that who fills it and who accumulates in it find each other.
    loop.walk([](linalg::LinalgOp op) { (void)memref::foldMemRefCast(op); });
    removeSelfCopies(loop);
    copiesToLinalg(rewriter, loop);
    return emitLaunch(loop, lower, step, counts, total);
  }

  /// What is left of writing a tile back to where it is already.
  void removeSelfCopies(scf::ForallOp loop) {
    SmallVector<memref::CopyOp> copies;
    loop.walk([&](memref::CopyOp copy) {
      if (copy.getSource() == copy.getTarget())
        copies.push_back(copy);
    });
    for (memref::CopyOp copy : copies)
      rewriter.eraseOp(copy);
  }

  LogicalResult emitLaunch(scf::ForallOp loop, ArrayRef<int64_t> lower, ArrayRef<int64_t> step,
                           ArrayRef<int64_t> counts, int64_t total) {
    Location loc = loop.getLoc();
    int64_t threads = options.isOneSubgroup() ? options.lanes : pickThreadCount(loop, options, matrixShapes);
    rewriter.setInsertionPoint(loop);
    std::array<int64_t, 3> grid = gridOf(counts, total);
    gpu::LaunchOp launch = createLaunch(rewriter, loc, grid, {threads, 1, 1});
    if (Attribute parts = loop->getAttr(kSplitsAttr))
      launch->setAttr(kSplitsAttr, parts);
    rewriter.setInsertionPoint(launch.getBody().front().getTerminator());
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
    Value linear;
    SmallVector<Value> ids;
    bool folded = counts.size() > 3 || grid != axesOf(counts);
    if (folded) {
      linear = linearWorkgroup(rewriter, launch);
      if (grid[0] * grid[1] != total) {
        Value inside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, linear, constant(total));
        auto guarded = scf::IfOp::create(rewriter, loc, inside);
        rewriter.setInsertionPoint(guarded.thenBlock()->getTerminator());
      }
      SmallVector<Value> extents;
      for (int64_t count : counts)
        extents.push_back(constant(count));
      ids = delinearize(rewriter, loc, linear, extents);
    } else {
      gpu::KernelDim3 block = launch.getBlockIds();
      Value axes[] = {block.x, block.y, block.z};
      for (size_t i = 0; i < counts.size(); ++i)
        ids.push_back(axes[counts.size() - 1 - i]);
      linear = constant(0);
      for (auto [id, count] : llvm::zip_equal(ids, counts))
        linear = rewriter.createOrFold<arith::AddIOp>(
            loc, rewriter.createOrFold<arith::MulIOp>(loc, linear, constant(count)), id);
    }
    for (auto [id, from, by] : llvm::zip_equal(ids, lower, step))
      id = rewriter.createOrFold<arith::AddIOp>(loc, rewriter.createOrFold<arith::MulIOp>(loc, id, constant(by)),
                                                constant(from));

    Operation *end = rewriter.getInsertionBlock()->getTerminator();
    rewriter.eraseOp(loop.getTerminator());
    rewriter.inlineBlockBefore(loop.getBody(), end, ids);
    rewriter.eraseOp(loop);
    // What stays in registers takes no memory, so memory is assigned after that is known.
    bool placesLast = options.holdsLargeTiles || !matrixShapes.empty();
    if (placesLast)
      hoistAllocations(launch);
    else if (failed(placeAllocations(launch, linear, total)))
      return failure();
    if (failed(distributeToThreads(rewriter, launch, {options, threads, matrixShapes})))
      return failure();
    if (placesLast) {
      eraseUnread(launch);
      if (failed(placeAllocations(launch, linear, total)))
        return failure();
      sinkViews(launch);
    }
    if (options.isOneSubgroup() || placesLast) {
      // What several points read is one load, and the same index one value.
      DominanceInfo dominance(launch);
      eliminateCommonSubExpressions(rewriter, dominance, launch);
    }
    readInVectors(rewriter, launch, /*narrow=*/options.isOneSubgroup(), /*inPairs=*/options.movesVectors);
    writeInVectors(rewriter, launch, /*narrow=*/options.isOneSubgroup(), /*inPairs=*/options.movesVectors);
    sinkIntoLaunch(rewriter, launch, [](Operation *) { return false; });
    return success();
  }

  /// Allocations of known size go to the front: they stand in nobody's way there.
  void hoistAllocations(gpu::LaunchOp launch) {
    SmallVector<memref::AllocOp> allocations;
    launch.walk([&](memref::AllocOp op) { allocations.push_back(op); });
    for (memref::AllocOp op : llvm::reverse(allocations))
      if (op.getType().hasStaticShape())
        rewriter.moveOpBefore(op, &launch.getBody().front(), launch.getBody().front().begin());
  }

  /// Views of padded memory go into the loops that they are used in: a round's memory may become another one then.
  void sinkViews(gpu::LaunchOp launch) {
    for (auto view : llvm::make_early_inc_range(launch.getBody().front().getOps<memref::SubViewOp>())) {
      if (!view.getSource().getDefiningOp<memref::AllocOp>() || view->getNumOperands() != 1 || view->use_empty())
        continue;
      auto loop = (*view->getUsers().begin())->getParentOfType<scf::ForOp>();
      while (loop && !llvm::all_of(view->getUsers(), [&](Operation *user) { return loop->isProperAncestor(user); }))
        loop = loop->getParentOfType<scf::ForOp>();
      if (loop)
        rewriter.moveOpBefore(view, loop.getBody(), loop.getBody()->begin());
    }
  }

  /// Views and allocations that only deallocations are left of.
  void eraseUnread(gpu::LaunchOp launch) {
    SmallVector<Operation *> views;
    launch.walk([&](Operation *op) {
      if (isa<ViewLikeOpInterface, memref::AllocOp>(op))
        views.push_back(op);
    });
    for (Operation *op : llvm::reverse(views)) {
      if (!llvm::all_of(op->getUsers(), [](Operation *user) { return isa<memref::DeallocOp>(user); }))
        continue;
      for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
        rewriter.eraseOp(user);
      rewriter.eraseOp(op);
    }
  }

  /// The grid whose axes are the loops, the innermost one x.
  static std::array<int64_t, 3> axesOf(ArrayRef<int64_t> counts) {
    std::array<int64_t, 3> grid{1, 1, 1};
    for (size_t i = 0; i < counts.size() && i < 3; ++i)
      grid[i] = counts[counts.size() - 1 - i];
    return grid;
  }
  static std::array<int64_t, 3> gridOf(ArrayRef<int64_t> counts, int64_t total) {
    std::array<int64_t, 3> axes = axesOf(counts);
    bool fits = counts.size() <= 3 && llvm::all_of(axes, [](int64_t size) { return size <= 65535; });
    return fits ? axes : gridFor(total);
  }

  /// The shape with rows that are longer by padBytes, for more than one row of whole bytes an element; where ldmatrix
  /// reads them, by the 16 bytes that put eight rows into different banks, unless they are odd multiples of that
  /// anyhow.
  SmallVector<int64_t> padded(ArrayRef<int64_t> shape, Type element, Value buffer) const {
    SmallVector<int64_t> longer(shape);
    if (hasMatrices(buffer)) // they know how far their rows lie apart
      return longer;
    int64_t bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
    bool isShared = !shape.empty() && shape.back() * bits % 256 == 0;
    int64_t padBytes = isReadByMatrices(buffer) && isShared ? std::max<int64_t>(this->padBytes, 16) : this->padBytes;
    bool hasRows =
        llvm::any_of(ArrayRef(shape).drop_back(shape.empty() ? 0 : 1), [](int64_t size) { return size > 1; });
    if (hasRows && bits != 0 && (padBytes * 8) % bits == 0)
      longer.back() += padBytes * 8 / bits;
    return longer;
  }

  /// By ldmatrix, or in words of bytes (see MatrixEmitter).
  static bool isReadByMatrices(Value buffer) {
    return llvm::any_of(buffer.getUsers(), [](Operation *user) {
      auto load = dyn_cast<vector::LoadOp>(user);
      bool isWord = load && load.getVectorType().getNumElements() * load.getVectorType().getElementTypeBitWidth() == 32;
      return isWord || isa<nvgpu::LdMatrixOp>(user) ||
             (isa<ViewLikeOpInterface>(user) && isReadByMatrices(user->getResult(0)));
    });
  }

  /// Whether cooperative matrices lie in the buffer.
  static bool hasMatrices(Value buffer) {
    return llvm::any_of(buffer.getUsers(), [](Operation *user) {
      return isa<gpu::SubgroupMmaLoadMatrixOp, gpu::SubgroupMmaStoreMatrixOp>(user) ||
             (isa<ViewLikeOpInterface>(user) && hasMatrices(user->getResult(0)));
    });
  }

  /// The first elements of each row of a padded buffer.
  Value withoutPadding(Value buffer, ArrayRef<int64_t> shape) {
    if (cast<MemRefType>(buffer.getType()).getShape() == shape)
      return buffer;
    SmallVector<OpFoldResult> offsets(shape.size(), rewriter.getIndexAttr(0)), sizes,
        strides(shape.size(), rewriter.getIndexAttr(1));
    for (int64_t size : shape)
      sizes.push_back(rewriter.getIndexAttr(size));
    return memref::SubViewOp::create(rewriter, buffer.getLoc(), buffer, offsets, sizes, strides);
  }

  /// Memory of a workgroup: workgroup memory as far as it reaches, smallest first, and slices of a
  /// scratch buffer for the rest.
  LogicalResult placeAllocations(gpu::LaunchOp launch, Value workgroup, int64_t count) {
    struct Placement {
      memref::AllocOp op;
      SmallVector<int64_t> shape, padded;
      int64_t bytes;
    };
    SmallVector<Placement> placements;
    WalkResult walked = launch.walk([&](memref::AllocOp op) {
      std::optional<SmallVector<int64_t>> shape = boundedShape(op);
      std::optional<StorageType> storage = storageTypeOf(op.getType().getElementType(), /*packed=*/false);
      if (!shape || !storage) {
        op.emitOpError("cannot become workgroup memory: its size has no constant bound, or its "
                       "elements no form in memory");
        return WalkResult::interrupt();
      }
      SmallVector<int64_t> rows = padded(*shape, op.getType().getElementType(), op);
      int64_t elements = 1;
      for (int64_t size : rows)
        elements *= size;
      placements.push_back({op, *shape, rows, int64_t(llvm::alignTo(storage->bytesFor(elements), 16))});
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      return failure();
    SmallVector<size_t> order = llvm::to_vector(llvm::seq<size_t>(0, placements.size()));
    llvm::stable_sort(order, [&](size_t a, size_t b) { return placements[a].bytes < placements[b].bytes; });
    int64_t used = 0;
    auto workgroupSpace = gpu::AddressSpaceAttr::get(rewriter.getContext(), gpu::AddressSpace::Workgroup);
    for (size_t index : order) {
      Placement &placement = placements[index];
      bool fits = used + placement.bytes <= options.workgroupBytes;
      Value buffer;
      if (fits) {
        used += placement.bytes;
        rewriter.setInsertionPointToStart(&launch.getBody().front());
        buffer = memref::AllocOp::create(
            rewriter, placement.op.getLoc(),
            MemRefType::get(placement.padded, placement.op.getType().getElementType(), AffineMap(), workgroupSpace));
        buffer = withoutPadding(buffer, placement.shape);
      } else {
        placement.op.emitRemark() << "takes " << placement.bytes
                                  << " bytes a workgroup, more than what is left "
                                     "of workgroup memory: it is put into global memory";
        rewriter.setInsertionPointAfterValue(workgroup);
        buffer = scratchSlice(rewriter, placement.op.getLoc(), &function.getBody().front(), placement.shape,
                              placement.op.getType().getElementType(), workgroup, count);
      }
      placeAllocation(rewriter, placement.op, buffer);
    }
    return success();
  }

  func::FuncOp function;
  IRRewriter rewriter;
  const ThreadOptions options;
  int64_t padBytes;
  ArrayRef<MatrixShape> matrixShapes;
};

struct MapToGpu : fuselage::impl::MapToGpuPassBase<MapToGpu> {
  using MapToGpuPassBase::MapToGpuPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (padBytes < 0 || padBytes > 1024) {
      function.emitError("pad-bytes is ") << padBytes.getValue() << "; give a number of bytes from 0 to 1024";
      return signalPassFailure();
    }
    std::unique_ptr<TargetStrategy> strategy = strategyOf(function);
    FailureOr<SmallVector<MatrixShape>> shapes = readShapes(*strategy);
    if (failed(shapes))
      return signalPassFailure();
    if (!isDispatch(function) || !function.getBody().hasOneBlock() || !hasStaticBuffers(function))
      return;
    if (failed(WorkgroupMapper(function, strategy->threads(), padBytes, *shapes).run()))
      signalPassFailure();
  }

private:
  /// The device's matrix instructions: NVIDIA's, or cooperative matrices of Vulkan.
  FailureOr<SmallVector<MatrixShape>> readShapes(const TargetStrategy &strategy) {
    const DeviceModel &device = strategy.device();
    const bool isPtx = device.language.value == "ptx";
    SmallVector<MatrixShape> shapes;
    for (const std::string &text : strategy.matrixShapes()) {
      std::optional<MatrixShape> shape = isPtx ? readMatrixShape(&getContext(), text)
                                               : readCooperativeShape(&getContext(), text, device.subgroupSize.value);
      if (!shape)
        return getOperation().emitError("the device's matrix_shapes list '")
               << text << "', which no kernels are made with; "
               << (isPtx ? "give \"m16n8k16 f16\" and its like"
                         : "give \"m16n16k16 f16\" and its like, whose results a subgroup shares evenly");
      shapes.push_back(*shape);
    }
    if (!shapes.empty() && strategy.threads().isOneSubgroup())
      return getOperation().emitError("the device has matrix_shapes, but runs on a processor, whose lanes have tiles "
                                      "of their own; give one of both");
    return shapes;
  }
};

} // namespace
