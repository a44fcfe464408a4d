// Workgroup memory of NVVM kernels: attributions, aligned for vector accesses, or one dynamic block.
#include "core/ir/ops/NumberBytes.h"
#include "core/transforms/gpu/Passes.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace fuselage {
#define GEN_PASS_DEF_ATTRIBUTEWORKGROUPMEMORYPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

constexpr unsigned sharedSpace = 3;

/// A static `.shared` variable for each allocation.
void attribute(gpu::GPUFuncOp kernel, ArrayRef<memref::AllocOp> allocations) {
  for (memref::AllocOp op : allocations) {
    BlockArgument memory = kernel.addWorkgroupAttribution(op.getType(), op.getLoc());
    kernel.setWorkgroupAttributionAttr(
        kernel.getNumWorkgroupAttributions() - 1, "llvm.align",
        IntegerAttr::get(IntegerType::get(kernel.getContext(), 64), kWorkgroupAlignment));
    op.getResult().replaceAllUsesWith(memory);
    op.erase();
  }
}

/// One `.extern .shared` array, whose size the launch gives, and each allocation a part of it.
/// gpu.dynamic_shared_memory is not used: its lowering makes a static variable of one byte.
void allotDynamically(gpu::GPUFuncOp kernel, ArrayRef<memref::AllocOp> allocations) {
  Location loc = kernel.getLoc();
  auto module = kernel->getParentOfType<gpu::GPUModuleOp>();
  OpBuilder builder(module.getBodyRegion());
  Type byte = builder.getI8Type();
  // Kernels of a module may share the name: it stands for the launch's block of memory.
  StringRef name = "dynamic_shared_memory";
  auto global = module.lookupSymbol<LLVM::GlobalOp>(name);
  if (!global)
    global = LLVM::GlobalOp::create(builder, loc, LLVM::LLVMArrayType::get(byte, 0),
                                    /*isConstant=*/false, LLVM::Linkage::External, name, Attribute(),
                                    kWorkgroupAlignment, sharedSpace);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Value base = LLVM::AddressOfOp::create(builder, loc, global);
  LLVMTypeConverter types(kernel.getContext());
  uint64_t offset = 0;
  for (memref::AllocOp op : allocations) {
    Value place =
        LLVM::GEPOp::create(builder, op.getLoc(), base.getType(), byte, base, ArrayRef<LLVM::GEPArg>{int32_t(offset)});
    Value descriptor = MemRefDescriptor::fromStaticShape(builder, op.getLoc(), types, op.getType(), place);
    auto memory = UnrealizedConversionCastOp::create(builder, op.getLoc(), op.getType(), descriptor);
    offset += workgroupBytes(op.getType());
    op.getResult().replaceAllUsesWith(memory.getResult(0));
    op.erase();
  }
}

struct AttributeWorkgroupMemory : fuselage::impl::AttributeWorkgroupMemoryPassBase<AttributeWorkgroupMemory> {
  using AttributeWorkgroupMemoryPassBase::AttributeWorkgroupMemoryPassBase;

  void runOnOperation() override {
    llvm::DenseMap<Operation *, uint64_t> dynamicBytes;
    StringRef leastWorkgroups = NVVM::NVVMDialect::getMinctasmAttrName();
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      // Unless the kernel says how many workgroups have to fit, the assembler spills registers for more of them.
      if (kernel.isKernel() && !kernel->hasAttr(leastWorkgroups))
        kernel->setAttr(leastWorkgroups, IntegerAttr::get(IntegerType::get(&getContext(), 32), 1));
      SmallVector<memref::AllocOp> allocations;
      uint64_t bytes = 0;
      kernel.walk([&](memref::AllocOp op) {
        allocations.push_back(op);
        bytes += workgroupBytes(op.getType());
      });
      if (bytes <= maxStaticBytes)
        return attribute(kernel, allocations);
      allotDynamically(kernel, allocations);
      dynamicBytes[kernel] = bytes;
    });
    getOperation()->walk([&](gpu::LaunchFuncOp launch) {
      auto kernel = SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernel());
      auto found = dynamicBytes.find(kernel);
      if (found == dynamicBytes.end())
        return;
      OpBuilder builder(launch);
      launch.getDynamicSharedMemorySizeMutable().assign(
          arith::ConstantIntOp::create(builder, launch.getLoc(), found->second, 32).getResult());
    });
  }
};

} // namespace
