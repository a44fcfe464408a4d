#include "core/codegen/host/Passes.h"
#include "core/codegen/host/safety/PoisonChecks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTINSERTPOISONCHECKSPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {
struct HostInsertPoisonChecks : impl::HostInsertPoisonChecksPassBase<HostInsertPoisonChecks> {
  void runOnOperation() override { insertPoisonChecks(getOperation()); }
};
} // namespace
} // namespace fuselage
