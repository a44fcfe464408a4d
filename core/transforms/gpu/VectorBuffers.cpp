// Buffers that a kernel moves four elements of at a time become buffers of such vectors: SPIR-V reads a buffer as what it
// is declared to be, and nothing else.
#include "core/transforms/gpu/Passes.h"
#include "core/transforms/gpu/distribution/VectorReads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace fuselage {
#define GEN_PASS_DEF_VECTORBUFFERSPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// Elements of a vector.
constexpr int64_t width = 4;

/// True if `op` moves one vector of `width` elements, from a place that is a multiple of that.
bool movesVector(Operation *op) {
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return load.getVectorType().getNumElements() == width && isMultipleOf(load.getIndices().front(), width);
  auto store = dyn_cast<vector::StoreOp>(op);
  return store && store.getVectorType().getNumElements() == width && isMultipleOf(store.getIndices().front(), width);
}

struct VectorBuffers : fuselage::impl::VectorBuffersPassBase<VectorBuffers> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    llvm::DenseMap<Operation *, SmallVector<Type>> changed;
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      if (kernel.isKernel())
        changed[kernel] = rewrite(kernel);
    });
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto found = changed.find(symbols.lookupNearestSymbolFrom(launch, launch.getKernel()));
      if (found == changed.end())
        return;
      OpBuilder builder(launch);
      for (auto [operand, type] : llvm::zip_equal(launch.getKernelOperandsMutable(), found->second))
        if (operand.get().getType() != type)
          operand.set(UnrealizedConversionCastOp::create(builder, launch.getLoc(), type, operand.get()).getResult(0));
    });
  }

private:
  /// Returns the new types of the parameters.
  static SmallVector<Type> rewrite(gpu::GPUFuncOp kernel) {
    IRRewriter rewriter(kernel.getContext());
    for (BlockArgument argument : kernel.getArguments())
      if (auto type = dyn_cast<MemRefType>(argument.getType()))
        rewrite(rewriter, argument, type);
    kernel.walk([&](memref::AllocOp alloc) { rewrite(rewriter, alloc.getResult(), alloc.getType()); });
    SmallVector<Type> types;
    for (BlockArgument argument : kernel.getArguments())
      types.push_back(argument.getType());
    kernel.setFunctionType(rewriter.getFunctionType(types, {}));
    return types;
  }

  static void rewrite(IRRewriter &rewriter, Value buffer, MemRefType type) {
    SmallVector<Operation *> users(buffer.getUsers());
    bool isFlat = type.getRank() == 1 && type.hasStaticShape() && type.getElementType().isIntOrFloat();
    bool isWhole = isFlat && type.getNumElements() % width == 0 && type.getElementTypeBitWidth() == 32 &&
                   !users.empty() && llvm::all_of(users, movesVector);
    if (isWhole)
      buffer.setType(MemRefType::get({type.getNumElements() / width}, VectorType::get(width, type.getElementType()),
                                     AffineMap(), type.getMemorySpace()));
    for (Operation *user : users)
      isWhole ? moveWhole(rewriter, user, buffer) : moveElements(rewriter, user, buffer);
  }

  static void moveWhole(IRRewriter &rewriter, Operation *op, Value buffer) {
    rewriter.setInsertionPoint(op);
    Location loc = op->getLoc();
    auto number = [&](Value index) -> Value {
      return rewriter.createOrFold<arith::DivUIOp>(loc, index, arith::ConstantIndexOp::create(rewriter, loc, width));
    };
    if (auto load = dyn_cast<vector::LoadOp>(op)) {
      rewriter.replaceOpWithNewOp<memref::LoadOp>(op, buffer, number(load.getIndices().front()));
    } else {
      auto store = cast<vector::StoreOp>(op);
      memref::StoreOp::create(rewriter, loc, store.getValueToStore(), buffer, number(store.getIndices().front()));
      rewriter.eraseOp(op);
    }
  }

  /// Vectors of a buffer that is read or written otherwise, too, element by element.
  static void moveElements(IRRewriter &rewriter, Operation *op, Value buffer) {
    rewriter.setInsertionPoint(op);
    Location loc = op->getLoc();
    auto at = [&](Value first, int64_t lane) -> Value {
      return rewriter.createOrFold<arith::AddIOp>(loc, first, arith::ConstantIndexOp::create(rewriter, loc, lane));
    };
    if (auto load = dyn_cast<vector::LoadOp>(op)) {
      SmallVector<Value> elements;
      for (int64_t lane = 0; lane < load.getVectorType().getNumElements(); ++lane)
        elements.push_back(memref::LoadOp::create(rewriter, loc, buffer, at(load.getIndices().front(), lane)));
      rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, load.getVectorType(), elements);
    } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
      Value vector = store.getValueToStore();
      for (int64_t lane = 0; lane < cast<VectorType>(vector.getType()).getNumElements(); ++lane)
        memref::StoreOp::create(rewriter, loc, vector::ExtractOp::create(rewriter, loc, vector, lane), buffer,
                                at(store.getIndices().front(), lane));
      rewriter.eraseOp(op);
    }
  }
};

} // namespace
