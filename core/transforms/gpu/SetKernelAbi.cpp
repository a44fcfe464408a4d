// The interface of SPIR-V kernels: workgroup size, and a storage buffer a parameter.
#include "core/transforms/gpu/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Dialect/SPIRV/IR/TargetAndABI.h"

namespace fuselage {
#define GEN_PASS_DEF_SETKERNELABIPASS
#include "core/transforms/gpu/Passes.h.inc"
} // namespace fuselage

using namespace mlir;
using namespace fuselage;

namespace {

struct SetKernelAbi : fuselage::impl::SetKernelAbiPassBase<SetKernelAbi> {
  void runOnOperation() override {
    getOperation().walk(setTarget);
    WalkResult flat = getOperation()->walk([](gpu::GPUFuncOp kernel) {
      if (llvm::all_of(kernel.getArgumentTypes(), llvm::IsaPred<MemRefType>))
        return WalkResult::advance();
      kernel.emitOpError("has parameters that are no buffers; run fuselage-flatten-kernel-buffers first");
      return WalkResult::interrupt();
    });
    if (flat.wasInterrupted())
      return signalPassFailure();
    strengthenBarriers();
    shuffleAmongLanes();
    keepResultsOfEmptyLoops();
    setStorageClasses();
    WalkResult result = getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      if (!kernel.isKernel())
        return WalkResult::advance();
      std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize();
      if (!block) {
        kernel.emitOpError("has no known workgroup size; launch it with constant sizes");
        return WalkResult::interrupt();
      }
      kernel->setAttr(spirv::getEntryPointABIAttrName(), spirv::getEntryPointABIAttr(&getContext(), *block));
      // Parameter i becomes binding i of set 0, a storage buffer.
      for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
        kernel.setArgAttr(i, spirv::getInterfaceVarABIAttrName(),
                          spirv::getInterfaceVarABIAttr(0, i, std::nullopt, &getContext()));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  /// The conversion of math ops looks for the target's capabilities under another name. What is newer than SPIR-V 1.3
  /// is for cooperative matrices: other modules are for drivers that have no more than that.
  static void setTarget(gpu::GPUModuleOp module) {
    if (!module.getTargetsAttr())
      return;
    bool hasMatrices = module->walk([](gpu::SubgroupMmaComputeOp) { return WalkResult::interrupt(); }).wasInterrupted();
    SmallVector<Attribute> targets;
    for (Attribute target : module.getTargetsAttr()) {
      auto env = dyn_cast<spirv::TargetEnvAttr>(target);
      if (env && !hasMatrices && env.getVersion() > spirv::Version::V_1_3) {
        spirv::VerCapExtAttr had = env.getTripleAttr();
        auto triple = spirv::VerCapExtAttr::get(spirv::Version::V_1_3, llvm::to_vector(had.getCapabilities()),
                                                llvm::to_vector(had.getExtensions()), module.getContext());
        env = spirv::TargetEnvAttr::get(triple, env.getResourceLimits(), env.getClientAPI(), env.getVendorID(),
                                        env.getDeviceType(), env.getDeviceID());
      }
      targets.push_back(env ? Attribute(env) : target);
      if (env)
        module->setAttr(spirv::getTargetEnvAttrName(), env);
    }
    module.setTargetsAttr(ArrayAttr::get(module.getContext(), targets));
  }

  static Type inStorageClass(Type type, spirv::StorageClass storageClass) {
    auto buffer = cast<MemRefType>(type);
    return MemRefType::get(buffer.getShape(), buffer.getElementType(), buffer.getLayout(),
                           spirv::StorageClassAttr::get(type.getContext(), storageClass));
  }

  /// Parameters are storage buffers, allocations workgroup memory. The stock pass for this converts
  /// host functions as well, and fails on those that keep workgroup memory.
  void setStorageClasses() {
    getOperation()->walk([](gpu::GPUFuncOp kernel) {
      if (!kernel.isKernel())
        return;
      SmallVector<Type> types;
      for (BlockArgument argument : kernel.getArguments()) {
        bool isParameter = argument.getArgNumber() < kernel.getFunctionType().getNumInputs(); // else of the workgroup
        argument.setType(inStorageClass(argument.getType(), isParameter ? spirv::StorageClass::StorageBuffer
                                                                        : spirv::StorageClass::Workgroup));
        if (isParameter)
          types.push_back(argument.getType());
      }
      kernel.setFunctionType(FunctionType::get(kernel.getContext(), types, {}));
      kernel.walk([](memref::AllocOp op) {
        op.getResult().setType(cast<MemRefType>(inStorageClass(op.getType(), spirv::StorageClass::Workgroup)));
      });
    });
    getOperation()->walk([](gpu::LaunchFuncOp launch) {
      OpBuilder builder(launch);
      for (OpOperand &operand : launch.getKernelOperandsMutable()) {
        Type type = inStorageClass(operand.get().getType(), spirv::StorageClass::StorageBuffer);
        operand.set(UnrealizedConversionCastOp::create(builder, launch.getLoc(), type, operand.get()).getResult(0));
      }
    });
  }

  /// The stock lowering of scf.for reads results that no round has written, where there is none: those
  /// are the initial values.
  void keepResultsOfEmptyLoops() {
    getOperation()->walk([](gpu::GPUFuncOp kernel) {
      kernel.walk([](scf::ForOp loop) {
        auto lower = getConstantIntValue(loop.getLowerBound()), upper = getConstantIntValue(loop.getUpperBound());
        if (loop.getNumResults() == 0 || (lower && upper && *lower < *upper))
          return;
        OpBuilder builder(loop->getBlock(), std::next(loop->getIterator()));
        Location loc = loop.getLoc();
        Value runs =
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, loop.getLowerBound(), loop.getUpperBound());
        for (auto [result, initial] : llvm::zip_equal(loop.getResults(), loop.getInitArgs())) {
          auto kept = arith::SelectOp::create(builder, loc, runs, result, initial);
          result.replaceAllUsesExcept(kept, kept);
        }
      });
    });
  }

  /// The stock lowering of gpu.shuffle wants subgroups of 32; what code generation knows of the device, it has counted
  /// on.
  void shuffleAmongLanes() {
    SmallVector<gpu::ShuffleOp> shuffles;
    getOperation()->walk([&](gpu::ShuffleOp op) {
      if (op.getMode() == gpu::ShuffleMode::IDX && op.getValid().use_empty())
        shuffles.push_back(op);
    });
    for (gpu::ShuffleOp op : shuffles) {
      OpBuilder builder(op);
      op.getShuffleResult().replaceAllUsesWith(spirv::GroupNonUniformShuffleOp::create(
          builder, op.getLoc(), op.getValue().getType(), spirv::Scope::Subgroup, op.getValue(), op.getOffset()));
      op.erase();
    }
  }

  /// The stock lowering of gpu.barrier orders workgroup memory only; ours orders buffers as well.
  void strengthenBarriers() {
    SmallVector<gpu::BarrierOp> barriers;
    getOperation()->walk([&](gpu::BarrierOp op) { barriers.push_back(op); });
    for (gpu::BarrierOp op : barriers) {
      OpBuilder builder(op);
      auto semantics = spirv::MemorySemantics::AcquireRelease | spirv::MemorySemantics::WorkgroupMemory |
                       spirv::MemorySemantics::UniformMemory;
      spirv::ControlBarrierOp::create(builder, op.getLoc(), spirv::Scope::Workgroup, spirv::Scope::Workgroup,
                                      semantics);
      op.erase();
    }
  }
};

} // namespace
