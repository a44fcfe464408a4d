#include "core/codegen/host/HostLowering.h"
#include "core/codegen/host/Passes.h"
#include "core/codegen/host/kernels/ParallelCalls.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTMAKEKERNELSPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct HostMakeKernels : impl::HostMakeKernelsPassBase<HostMakeKernels> {
  using HostMakeKernelsPassBase::HostMakeKernelsPassBase;
  HostMakeKernels() = default;
  HostMakeKernels(const HostMakeKernelsPassOptions &options, HostKernels *told)
      : HostMakeKernelsPassBase(options), told_(told) {}

  void runOnOperation() override {
    HostTarget target = HostTarget::of(getOperation());
    HostKernels made =
        onlyLoops ? runLoopsOnThreads(getOperation(), target.threads) : makeHostKernels(getOperation(), target);
    for (const ParallelCall &call : made.calls)
      describeTasks(getOperation(), call);
    if (told_)
      *told_ = std::move(made);
  }

private:
  HostKernels *told_ = nullptr; ///< takes what was made; null: nobody asks
};

} // namespace

std::unique_ptr<Pass> createHostMakeKernelsPass(const HostMakeKernelsPassOptions &options, HostKernels &made) {
  return std::make_unique<HostMakeKernels>(options, &made);
}

} // namespace fuselage
