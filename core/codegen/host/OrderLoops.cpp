#include "core/codegen/host/Passes.h"
#include "core/codegen/host/tensors/LoopOrder.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTORDERLOOPSPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct HostOrderLoops : impl::HostOrderLoopsPassBase<HostOrderLoops> {
  using HostOrderLoopsPassBase::HostOrderLoopsPassBase;
  void runOnOperation() override { layOutLoops(getOperation(), forKernels); }
};

} // namespace
} // namespace fuselage
