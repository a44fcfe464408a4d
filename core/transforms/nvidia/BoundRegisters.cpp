// How many workgroups a multiprocessor holds, said to the assembler.
#include "core/device/NvidiaChips.h"
#include "core/dialects/device/DeviceAttr.h"
#include "core/transforms/nvidia/CarriedRegisters.h"
#include "core/transforms/nvidia/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include <algorithm>

namespace fuselage {
#define GEN_PASS_DEF_BOUNDREGISTERSPASS
#include "core/transforms/nvidia/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

/// Threads of a workgroup; 0 where only the launch knows them.
int64_t threadsOf(gpu::GPUFuncOp kernel) {
  std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize();
  if (!block)
    return 0;
  int64_t threads = 1;
  for (int32_t size : *block)
    threads *= size;
  return threads;
}

/// Flattened buffers have the number that NVVM gives the memory of workgroups.
bool isGlobal(Value buffer) {
  Attribute space = cast<MemRefType>(buffer.getType()).getMemorySpace();
  auto number = dyn_cast_or_null<IntegerAttr>(space);
  return !gpu::GPUDialect::isWorkgroupMemoryAddressSpace(space) &&
         !(number && number.getInt() == int64_t(NVVM::NVVMMemorySpace::Shared));
}

/// Accumulators of matrix instructions.
bool carriesMatrices(scf::ForOp loop) {
  return llvm::any_of(loop.getRegionIterArgs(), [](Value each) { return isa<VectorType>(each.getType()); });
}

/// A copy of a gathered element, or of zero, whose index computation takes registers.
bool isPicked(Operation *op) {
  auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op);
  return copy && copy.getSrcElements();
}

/// Whether threads tell each other what they found.
bool exchanges(scf::ForOp loop) {
  return loop.getBody()->walk([](gpu::ShuffleOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Whether a thread has its hands full of results in a loop that also computes what it puts into workgroup memory:
/// values on their way, and addresses of more buffers than copies have. Or in a loop that has whole rows in registers
/// beside its results.
bool computesBesideResults(gpu::GPUFuncOp kernel) {
  constexpr int64_t fullBesideRows = 40;
  return kernel
      ->walk([&](scf::ForOp loop) {
        if (registersHeldIn(loop) >= fullBesideRows && exchanges(loop))
          return WalkResult::interrupt();
        if (registersCarriedBy(loop) < kFullOfResults)
          return WalkResult::advance();
        bool reads = loop.getBody()
                         ->walk([&](Operation *op) {
                           auto load = dyn_cast<memref::LoadOp>(op);
                           auto wide = dyn_cast<vector::LoadOp>(op);
                           bool isFromGlobal = (load && isGlobal(load.getMemRef())) ||
                                               (wide && isGlobal(wide.getBase())) ||
                                               (!carriesMatrices(loop) && isPicked(op));
                           return isFromGlobal ? WalkResult::interrupt() : WalkResult::advance();
                         })
                         .wasInterrupted();
        return reads ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the kernel reads a few elements at once that LLVM may split: it puts them together again with its
/// vectorizers.
bool readsPairs(gpu::GPUFuncOp kernel) {
  constexpr int64_t whole = 128; // bits
  return kernel
      ->walk([](vector::LoadOp load) {
        VectorType type = load.getVectorType();
        bool isPair = isGlobal(load.getBase()) && type.getNumElements() * type.getElementTypeBitWidth() < whole;
        return isPair ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// LLVM's vectorizers leave functions with this attribute alone.
void forbidPairs(gpu::GPUFuncOp kernel) {
  bool isFull = kernel
                    ->walk([](scf::ForOp loop) {
                      bool carries =
                          carriesMatrices(loop) && registersCarriedBy(loop) >= kFullOfResults && !exchanges(loop);
                      return carries ? WalkResult::interrupt() : WalkResult::advance();
                    })
                    .wasInterrupted();
  if (isFull && !readsPairs(kernel))
    kernel->setAttr("passthrough",
                    ArrayAttr::get(kernel.getContext(), StringAttr::get(kernel.getContext(), "noimplicitfloat")));
}

/// Workgroup memory of a kernel.
int64_t sharedBytesOf(gpu::GPUFuncOp kernel) {
  int64_t bytes = 0;
  kernel->walk([&](memref::AllocOp op) {
    MemRefType type = op.getType();
    if (!isGlobal(op) && type.hasStaticShape() && type.getElementType().isIntOrFloat())
      bytes += type.getNumElements() * std::max(type.getElementTypeBitWidth(), 8u) / 8;
  });
  return bytes;
}

struct BoundRegisters : fuselage::impl::BoundRegistersPassBase<BoundRegisters> {
  using BoundRegistersPassBase::BoundRegistersPassBase;

  void runOnOperation() override {
    if (registersPerThread < 1) {
      getOperation()->emitError("registers-per-thread is ")
          << registersPerThread.getValue() << "; give a number of registers, at least 1";
      return signalPassFailure();
    }
    const DeviceModel device = deviceOf(getOperation());
    const int64_t registersOfMultiprocessor =
        device.registersPerUnit.isKnown() ? device.registersPerUnit.value : kMultiprocessorRegisters;
    // Chips with instructions on pairs of f32.
    const bool avoidsPairs = capabilityOf(chipOf(device)) >= 100;
    StringRef name = NVVM::NVVMDialect::getMinctasmAttrName();
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      int64_t threads = threadsOf(kernel);
      if (avoidsPairs && kernel.isKernel())
        forbidPairs(kernel);
      if (!kernel.isKernel() || threads <= 0 || kernel->hasAttr(name))
        return;
      int64_t registers = registersPerThread + (computesBesideResults(kernel) ? registersPerThread / 4 : 0);
      int64_t workgroups = registersOfMultiprocessor / (threads * registers);
      if (device.threadsPerUnit.isKnown())
        workgroups = std::min(workgroups, device.threadsPerUnit.value / threads);
      // More of them would find no memory, and their registers no use.
      if (int64_t bytes = sharedBytesOf(kernel), all = device.unitWorkgroupBytes.value; bytes != 0 && all > 0)
        workgroups = std::min<int64_t>(workgroups, all / (bytes + kDriverWorkgroupBytes));
      workgroups = std::max<int64_t>(workgroups, 1);
      kernel->setAttr(name, IntegerAttr::get(IntegerType::get(&getContext(), 32), workgroups));
    });
  }
};

} // namespace
