#include "core/transforms/gpu/StrictRounding.h"
#include "core/codegen/host/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace fuselage {
#define GEN_PASS_DEF_STRICTROUNDINGPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

namespace fuselage {
namespace {
struct StrictRounding : impl::StrictRoundingPassBase<StrictRounding> {
  void runOnOperation() override { roundStrictly(getOperation()); }
};
} // namespace
} // namespace fuselage
