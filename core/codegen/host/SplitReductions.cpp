#include "core/codegen/host/Passes.h"
#include "core/codegen/host/kernels/HostTarget.h"
#include "core/codegen/host/tensors/HostReductions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTSPLITREDUCTIONSPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct HostSplitReductions : impl::HostSplitReductionsPassBase<HostSplitReductions> {
  using HostSplitReductionsPassBase::HostSplitReductionsPassBase;

  void runOnOperation() override {
    separateResults(getOperation());
    splitLongReductions(getOperation(), HostTarget::of(getOperation()).threads);
  }
};

} // namespace
} // namespace fuselage
