// Kernel parameters become one-dimensional buffers of the types that devices can address. Upstream's
// expand-strided-metadata reads the views; its flatten-memref crashes on buffers of `index` and leaves the
// parameters as they are, and its emulation of narrow types packs i1, stores atomically to single bytes, which
// SPIR-V has not, and divides signed numbers for each place.
#include "core/transforms/gpu/Passes.h"
#include "core/transforms/gpu/StorageType.h"
#include "core/transforms/gpu/WorkgroupAttributions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/DenseMap.h"

namespace fuselage {
#define GEN_PASS_DEF_FLATTENKERNELBUFFERSPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// A buffer of the kernel: its flat value and how its elements lie in it.
struct FlatBuffer {
  Value flat;
  StorageType storage;
  bool atomicStores = false; ///< several elements share a unit that different threads write
};

bool isWorkgroup(MemRefType type) {
  auto number = dyn_cast_or_null<IntegerAttr>(type.getMemorySpace());
  return gpu::GPUDialect::isWorkgroupMemoryAddressSpace(type.getMemorySpace()) || (number && number.getInt() == 3);
}

class KernelFlattener {
public:
  KernelFlattener(gpu::GPUFuncOp kernel, unsigned indexBits, bool vectors)
      : kernel(kernel), rewriter(kernel.getContext()), indexBits(indexBits), vectors(vectors) {}

  LogicalResult run() {
    if (failed(expandViews()))
      return failure();
    // Attributions are counted from the arguments' end, which is about to move.
    memories.assign(kernel.getWorkgroupAttributions().begin(), kernel.getWorkgroupAttributions().end());
    llvm::append_range(memories, kernel.getPrivateAttributions());
    SmallVector<Operation *> accesses, views;
    kernel.walk([&](Operation *op) {
      if (isa<memref::LoadOp, memref::StoreOp, vector::LoadOp, vector::StoreOp, nvgpu::LdMatrixOp,
              nvgpu::DeviceAsyncCopyOp, gpu::SubgroupMmaLoadMatrixOp, gpu::SubgroupMmaStoreMatrixOp>(op))
        accesses.push_back(op);
      else if (isa<ViewLikeOpInterface>(op))
        views.push_back(op);
    });
    rewriter.setInsertionPointToStart(&kernel.getBody().front());
    if (failed(flattenArguments()) || failed(flattenWorkgroupMemory()))
      return failure();
    for (Operation *op : accesses)
      if (failed(rewrite(op)))
        return failure();
    for (Operation *op : llvm::reverse(views))
      if (op->use_empty())
        rewriter.eraseOp(op);
    for (auto &[original, buffer] : buffers)
      if (failed(retire(original)))
        return failure();
    return success();
  }

private:
  /// Slices and reshapes become casts with an offset and strides.
  LogicalResult expandViews() {
    RewritePatternSet patterns(kernel.getContext());
    memref::populateExpandStridedMetadataPatterns(patterns);
    memref::populateResolveExtractStridedMetadataPatterns(patterns);
    return applyPatternsGreedily(kernel, std::move(patterns));
  }

  /// Replaces each argument by a flat buffer; a scalar is read from a buffer of one element.
  LogicalResult flattenArguments() {
    Block &entry = kernel.getBody().front();
    unsigned count = kernel.getNumArguments();
    SmallVector<Type> types;
    for (unsigned i = 0; i < count; ++i) {
      BlockArgument argument = entry.getArgument(i);
      auto memref = dyn_cast<MemRefType>(argument.getType());
      Type element = memref ? memref.getElementType() : argument.getType();
      std::optional<StorageType> storage = storageTypeOf(element, /*packed=*/true, indexBits);
      if (!storage)
        return kernel.emitOpError() << "has a parameter of type " << argument.getType()
                                    << ", which has no form in device memory";
      if (memref && (!memref.hasStaticShape() || !memref.getLayout().isIdentity()))
        return kernel.emitOpError() << "has a parameter of type " << memref
                                    << "; only static shapes in row-major order can be passed";
      bool atomic = memref && storage->elementsPerUnit > 1 && isStored(argument);
      int64_t elements = memref ? memref.getNumElements() : 1;
      if (indexBits == 32 && elements > int64_t(1) << 31)
        return kernel.emitOpError() << "has a buffer of type " << memref
                                    << ": more than 2^31 elements, which 32-bit indices do not reach";
      if (atomic) {
        storage->elementsPerUnit *= 32 / storage->unit.getIntOrFloatBitWidth();
        storage->unit = rewriter.getI32Type();
      }
      auto flatType = MemRefType::get({std::max<int64_t>(1, storage->unitsFor(elements))}, storage->unit);
      types.push_back(flatType);
      Value flat = entry.insertArgument(count + i, flatType, argument.getLoc());
      if (memref)
        buffers.insert({argument, {flat, *storage, atomic}});
      else
        readScalar(argument, flat, *storage);
    }
    newTypes = types;
    return success();
  }

  void readScalar(BlockArgument argument, Value flat, const StorageType &storage) {
    Location loc = kernel.getLoc();
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value unit = memref::LoadOp::create(rewriter, loc, flat, zero);
    argument.replaceAllUsesWith(decodeUnit(rewriter, loc, storage, unit));
  }

  /// Whether the kernel writes through `buffer` or a view of it.
  bool isStored(Value buffer) {
    return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
      if (auto store = dyn_cast<memref::StoreOp>(user))
        return store.getMemRef() == buffer;
      auto view = dyn_cast<ViewLikeOpInterface>(user);
      return view && isStored(view.getViewDest());
    });
  }

  /// Attributions and allocations: a unit an element, so that threads never share one.
  LogicalResult flattenWorkgroupMemory() {
    kernel.walk([&](Operation *op) {
      if (isa<memref::AllocOp, memref::AllocaOp>(op))
        memories.push_back(op->getResult(0));
    });
    for (Value memory : memories) {
      auto type = cast<MemRefType>(memory.getType());
      Operation *op = memory.getDefiningOp();
      if (op && !isa<memref::AllocaOp>(op) && !isWorkgroup(type))
        return op->emitOpError("would call the device's allocator; a kernel can only use workgroup "
                               "memory and buffers that the caller passes");
      std::optional<StorageType> storage = storageTypeOf(type.getElementType(), /*packed=*/false, indexBits);
      if (!storage || !type.hasStaticShape() || !type.getLayout().isIdentity())
        return kernel.emitOpError() << "uses workgroup memory of type " << type
                                    << "; it needs a static shape in row-major order";
      // The number 3 is what the conversions to both targets take for workgroup memory.
      Attribute space = isWorkgroup(type) ? Attribute(rewriter.getI64IntegerAttr(3)) : type.getMemorySpace();
      auto flatType = MemRefType::get({type.getNumElements()}, storage->unit, AffineMap(), space);
      if (!op) {
        // An attribution keeps its place; its type changes under it.
        memory.setType(flatType);
        buffers.insert({memory, {memory, *storage}});
        attributions.insert(memory);
        originalTypes[memory] = type;
        continue;
      }
      rewriter.setInsertionPoint(op);
      Value flat = isa<memref::AllocOp>(op) ? Value(memref::AllocOp::create(rewriter, op->getLoc(), flatType))
                                            : Value(memref::AllocaOp::create(rewriter, op->getLoc(), flatType));
      buffers.insert({memory, {flat, *storage}});
    }
    return success();
  }

  MemRefType typeOf(Value buffer) {
    auto known = originalTypes.find(buffer);
    return known != originalTypes.end() ? known->second : cast<MemRefType>(buffer.getType());
  }

  Value add(Location loc, Value a, Value b) { return rewriter.createOrFold<arith::AddIOp>(loc, a, b); }
  Value scale(Location loc, Value a, int64_t by) {
    if (by == 1)
      return a;
    return rewriter.createOrFold<arith::MulIOp>(loc, a, arith::ConstantIndexOp::create(rewriter, loc, by));
  }

  /// Returns the flat buffer that `memref` is a view of, and the offset of its first element.
  FailureOr<const FlatBuffer *> resolve(Operation *access, Value memref, Value &offset) {
    for (Value buffer = memref;;) {
      if (auto known = buffers.find(buffer); known != buffers.end()) {
        if (!offset)
          offset = arith::ConstantIndexOp::create(rewriter, access->getLoc(), 0);
        return &known->second;
      }
      Operation *def = buffer.getDefiningOp();
      if (!isa_and_nonnull<memref::ReinterpretCastOp, memref::ExtractStridedMetadataOp, memref::CastOp,
                           memref::MemorySpaceCastOp, memref::AssumeAlignmentOp>(def))
        return refuse(access, memref);
      // An offset counts from the start of the memory, whatever view of it the cast takes.
      if (auto view = dyn_cast<memref::ReinterpretCastOp>(def); view && !offset)
        offset = getValueOrCreateConstantIndexOp(rewriter, access->getLoc(), view.getMixedOffsets().front());
      buffer = def->getOperand(0);
    }
  }

  LogicalResult refuse(Operation *access, Value memref) {
    return access->emitOpError() << "uses a buffer of type " << memref.getType()
                                 << " whose place in memory is not known when the kernel is compiled";
  }

  FailureOr<const FlatBuffer *> address(Operation *access, Value memref, ValueRange indices, Value &linear) {
    auto buffer = resolve(access, memref, linear);
    SmallVector<int64_t> strides;
    int64_t ignored;
    if (failed(buffer))
      return failure();
    if (failed(typeOf(memref).getStridesAndOffset(strides, ignored)))
      return refuse(access, memref);
    for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
      if (ShapedType::isDynamic(stride))
        return refuse(access, memref);
      linear = add(access->getLoc(), linear, scale(access->getLoc(), index, stride));
    }
    return buffer;
  }

  LogicalResult rewrite(Operation *op) {
    rewriter.setInsertionPoint(op);
    Value linear;
    if (auto load = dyn_cast<memref::LoadOp>(op)) {
      auto buffer = address(op, load.getMemRef(), load.getIndices(), linear);
      if (failed(buffer))
        return failure();
      rewriter.replaceOp(op, emitLoad(op->getLoc(), **buffer, linear));
    } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      auto buffer = address(op, store.getMemRef(), store.getIndices(), linear);
      if (failed(buffer))
        return failure();
      emitStore(op->getLoc(), **buffer, linear, store.getValueToStore());
      rewriter.eraseOp(op);
    } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
      auto buffer = address(op, load.getBase(), load.getIndices(), linear);
      if (failed(buffer) || !isPlainVector(op, **buffer, load.getVectorType()))
        return failure();
      VectorType type = load.getVectorType().clone((*buffer)->storage.unit);
      Value units =
          vectors
              ? Value(vector::LoadOp::create(rewriter, op->getLoc(), type, (*buffer)->flat, linear,
                                             load.getNontemporal(), llvm::MaybeAlign(load.getAlignment().value_or(0))))
              : loadElements(op->getLoc(), (*buffer)->flat, linear, type);
      bool isTakenApart = llvm::all_of(op->getUsers(), llvm::IsaPred<vector::ExtractOp>);
      rewriter.replaceOp(op, isTakenApart ? elementsOf(op->getLoc(), units, load.getVectorType(), (*buffer)->storage)
                                          : inType(op->getLoc(), units, load.getVectorType()));
    } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
      auto buffer = address(op, store.getBase(), store.getIndices(), linear);
      if (failed(buffer) || !isPlainVector(op, **buffer, store.getVectorType()))
        return failure();
      Value units = unitsOf(op->getLoc(), store.getValueToStore(), (*buffer)->storage);
      if (vectors)
        vector::StoreOp::create(rewriter, op->getLoc(), units, (*buffer)->flat, linear, store.getNontemporal(),
                                llvm::MaybeAlign(store.getAlignment().value_or(0)));
      else
        storeElements(op->getLoc(), units, (*buffer)->flat, linear);
      rewriter.eraseOp(op);
    } else if (auto read = dyn_cast<nvgpu::LdMatrixOp>(op)) {
      auto buffer = address(op, read.getSrcMemref(), read.getIndices(), linear);
      if (failed(buffer))
        return failure();
      auto type = cast<VectorType>(read.getRes().getType());
      Value units = nvgpu::LdMatrixOp::create(rewriter, op->getLoc(), type.clone((*buffer)->storage.unit),
                                              (*buffer)->flat, linear, read.getTransposeAttr(), read.getNumTilesAttr());
      rewriter.replaceOp(op, inType(op->getLoc(), units, type));
    } else if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op)) {
      return rewriteCopy(copy);
    } else {
      return rewriteMatrix(op);
    }
    return success();
  }

  /// A cooperative matrix lies in memory as its elements do.
  LogicalResult rewriteMatrix(Operation *op) {
    auto load = dyn_cast<gpu::SubgroupMmaLoadMatrixOp>(op);
    auto store = dyn_cast<gpu::SubgroupMmaStoreMatrixOp>(op);
    Value linear;
    auto buffer = load ? address(op, load.getSrcMemref(), load.getIndices(), linear)
                       : address(op, store.getDstMemref(), store.getIndices(), linear);
    if (failed(buffer))
      return failure();
    if (!hasSameBits((*buffer)->storage))
      return op->emitOpError("moves a matrix whose elements have another form in memory");
    rewriter.modifyOpInPlace(op, [&] {
      (load ? load.getSrcMemrefMutable() : store.getDstMemrefMutable()).assign((*buffer)->flat);
      (load ? load.getIndicesMutable() : store.getIndicesMutable()).assign(linear);
    });
    return success();
  }

  /// An asynchronous copy moves elements as they lie in memory.
  LogicalResult rewriteCopy(nvgpu::DeviceAsyncCopyOp copy) {
    Value from, to;
    auto source = address(copy, copy.getSrc(), copy.getSrcIndices(), from);
    auto target = address(copy, copy.getDst(), copy.getDstIndices(), to);
    if (failed(source) || failed(target))
      return failure();
    for (const FlatBuffer *buffer : {*source, *target})
      if (!hasSameBits(buffer->storage))
        return copy.emitOpError("copies elements that have another form in memory");
    rewriter.replaceOpWithNewOp<nvgpu::DeviceAsyncCopyOp>(copy, copy.getAsyncToken().getType(), (*target)->flat, to,
                                                          (*source)->flat, from, copy.getDstElementsAttr(),
                                                          copy.getSrcElements(), copy.getBypassL1Attr());
    return success();
  }

  /// A vector, element by element.
  Value loadElements(Location loc, Value flat, Value linear, VectorType type) {
    SmallVector<Value> elements;
    for (int64_t lane = 0; lane < type.getNumElements(); ++lane)
      elements.push_back(memref::LoadOp::create(rewriter, loc, flat,
                                                add(loc, linear, arith::ConstantIndexOp::create(rewriter, loc, lane))));
    return vector::FromElementsOp::create(rewriter, loc, type, elements);
  }
  void storeElements(Location loc, Value vector, Value flat, Value linear) {
    for (int64_t lane = 0; lane < cast<VectorType>(vector.getType()).getNumElements(); ++lane)
      memref::StoreOp::create(rewriter, loc, vector::ExtractOp::create(rewriter, loc, vector, lane), flat,
                              add(loc, linear, arith::ConstantIndexOp::create(rewriter, loc, lane)));
  }

  /// Whether an element lies in memory bit for bit.
  static bool hasSameBits(const StorageType &storage) {
    return storage.element.isIntOrFloat() && storage.elementsPerUnit == 1 &&
           storage.element.getIntOrFloatBitWidth() == storage.unit.getIntOrFloatBitWidth();
  }
  /// The elements that units of their size stand for.
  Value inType(Location loc, Value units, VectorType type) {
    return units.getType() == type ? units : Value(vector::BitCastOp::create(rewriter, loc, type, units));
  }
  /// The same, put together of elements, for who takes them apart again.
  Value elementsOf(Location loc, Value units, VectorType type, const StorageType &storage) {
    if (units.getType() == type)
      return units;
    SmallVector<Value> elements;
    for (int64_t lane = 0; lane < type.getNumElements(); ++lane)
      elements.push_back(decodeUnit(rewriter, loc, storage, vector::ExtractOp::create(rewriter, loc, units, lane)));
    return vector::FromElementsOp::create(rewriter, loc, type, elements);
  }
  /// Elements as units of their size. What is put together of elements is put together of units: few ops have to know
  /// of vectors of bf16 then.
  Value unitsOf(Location loc, Value vector, const StorageType &storage) {
    auto type = cast<VectorType>(vector.getType()).clone(storage.unit);
    if (type == vector.getType())
      return vector;
    auto parts = vector.getDefiningOp<vector::FromElementsOp>();
    if (!parts)
      return vector::BitCastOp::create(rewriter, loc, type, vector);
    SmallVector<Value> units;
    for (Value element : parts.getElements())
      units.push_back(encodeUnit(rewriter, loc, storage, element));
    return vector::FromElementsOp::create(rewriter, loc, type, units);
  }

  /// Vectors move as they lie in memory: one dimension, a unit an element.
  bool isPlainVector(Operation *op, const FlatBuffer &buffer, VectorType type) {
    if (type.getRank() == 1 && hasSameBits(buffer.storage))
      return true;
    op->emitOpError("moves a vector whose elements have another form in memory");
    return false;
  }

  /// The unit that holds element `linear`, and how many bits to shift it.
  std::pair<Value, Value> unitAndShift(Location loc, const FlatBuffer &buffer, Value linear) {
    unsigned perUnit = buffer.storage.elementsPerUnit;
    unsigned bits = buffer.storage.element.getIntOrFloatBitWidth();
    auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
    Value unit = rewriter.createOrFold<arith::DivUIOp>(loc, linear, constant(perUnit));
    Value inside = rewriter.createOrFold<arith::RemUIOp>(loc, linear, constant(perUnit));
    Value shift = scale(loc, inside, bits);
    return {unit, arith::IndexCastOp::create(rewriter, loc, buffer.storage.unit, shift)};
  }

  Value emitLoad(Location loc, const FlatBuffer &buffer, Value linear) {
    if (buffer.storage.elementsPerUnit == 1) {
      Value unit = scale(loc, linear, buffer.storage.unitsPerElement); // the low half
      return decodeUnit(rewriter, loc, buffer.storage, memref::LoadOp::create(rewriter, loc, buffer.flat, unit));
    }
    auto [unit, shift] = unitAndShift(loc, buffer, linear);
    Value word = memref::LoadOp::create(rewriter, loc, buffer.flat, unit);
    Value shifted = arith::ShRUIOp::create(rewriter, loc, word, shift);
    return arith::TruncIOp::create(rewriter, loc, buffer.storage.element, shifted);
  }

  void storeSign(Location loc, Value unit, Value flat, Value linear) {
    Type type = unit.getType();
    Value by = arith::ConstantIntOp::create(rewriter, loc, type, type.getIntOrFloatBitWidth() - 1);
    memref::StoreOp::create(rewriter, loc, arith::ShRSIOp::create(rewriter, loc, unit, by), flat, linear);
  }

  void emitStore(Location loc, const FlatBuffer &buffer, Value linear, Value value) {
    if (!buffer.atomicStores) {
      Value unit = encodeUnit(rewriter, loc, buffer.storage, value);
      linear = scale(loc, linear, buffer.storage.unitsPerElement);
      memref::StoreOp::create(rewriter, loc, unit, buffer.flat, linear);
      if (buffer.storage.unitsPerElement == 2) // the upper half is all sign
        storeSign(loc, unit, buffer.flat, add(loc, linear, arith::ConstantIndexOp::create(rewriter, loc, 1)));
      return;
    }
    // Neighbours belong to other threads: clear the element's bits, then set them, atomically each.
    Type unitType = buffer.storage.unit;
    unsigned bits = buffer.storage.element.getIntOrFloatBitWidth();
    auto [unit, shift] = unitAndShift(loc, buffer, linear);
    auto constant = [&](int64_t v) -> Value { return arith::ConstantIntOp::create(rewriter, loc, unitType, v); };
    Value mask = arith::ShLIOp::create(rewriter, loc, constant((1 << bits) - 1), shift);
    Value keep = arith::XOrIOp::create(rewriter, loc, mask, constant(-1));
    memref::AtomicRMWOp::create(rewriter, loc, unitType, arith::AtomicRMWKind::andi, keep, buffer.flat, unit);
    Value wide = arith::ExtUIOp::create(rewriter, loc, unitType, value);
    Value placed = arith::ShLIOp::create(rewriter, loc, wide, shift);
    memref::AtomicRMWOp::create(rewriter, loc, unitType, arith::AtomicRMWKind::ori, placed, buffer.flat, unit);
  }

  /// What still uses the original buffer was not understood.
  LogicalResult retire(Value original) {
    if (attributions.contains(original))
      return success();
    for (Operation *user : llvm::make_early_inc_range(original.getUsers())) {
      if (isa<memref::DeallocOp>(user))
        rewriter.eraseOp(user);
      else
        return user->emitOpError("cannot run in a kernel: it works on a whole buffer");
    }
    if (Operation *def = original.getDefiningOp())
      rewriter.eraseOp(def);
    return success();
  }

public:
  /// After run(): drops the old arguments and gives the function its new type.
  void finish() {
    Block &entry = kernel.getBody().front();
    entry.eraseArguments(0, newTypes.size());
    kernel.setFunctionType(rewriter.getFunctionType(newTypes, {}));
  }
  ArrayRef<Type> argumentTypes() const { return newTypes; }

private:
  gpu::GPUFuncOp kernel;
  IRRewriter rewriter;
  unsigned indexBits;
  bool vectors;
  llvm::MapVector<Value, FlatBuffer> buffers;
  llvm::DenseMap<Value, MemRefType> originalTypes;
  llvm::DenseSet<Value> attributions;
  SmallVector<Value> memories; ///< workgroup and private memory
  SmallVector<Type> newTypes;
};

struct FlattenKernelBuffers : fuselage::impl::FlattenKernelBuffersPassBase<FlattenKernelBuffers> {
  using FlattenKernelBuffersPassBase::FlattenKernelBuffersPassBase;

  void runOnOperation() override {
    if (indexBits != 32 && indexBits != 64) {
      getOperation().emitError() << "index-bitwidth is " << unsigned(indexBits) << "; use 32 or 64";
      return signalPassFailure();
    }
    SymbolTableCollection symbols;
    llvm::DenseMap<Operation *, SmallVector<Type>> flattened;
    WalkResult kernels = getOperation().walk([&](gpu::GPUFuncOp kernel) {
      if (!kernel.isKernel())
        return WalkResult::advance();
      allocateWorkgroupAttributions(kernel);
      KernelFlattener flattener(kernel, indexBits, vectors);
      if (failed(flattener.run()))
        return WalkResult::interrupt();
      flattener.finish();
      flattened[kernel] = SmallVector<Type>(flattener.argumentTypes());
      return WalkResult::advance();
    });
    if (kernels.wasInterrupted())
      return signalPassFailure();
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto found = flattened.find(symbols.lookupNearestSymbolFrom(launch, launch.getKernel()));
      if (found == flattened.end())
        return;
      OpBuilder builder(launch);
      for (auto [operand, type] : llvm::zip_equal(launch.getKernelOperandsMutable(), found->second))
        if (operand.get().getType() != type)
          operand.set(UnrealizedConversionCastOp::create(builder, launch.getLoc(), type, operand.get()).getResult(0));
    });
  }
};

} // namespace
