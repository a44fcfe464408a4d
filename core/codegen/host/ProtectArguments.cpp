#include "core/codegen/host/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fuselage {
#define GEN_PASS_DEF_HOSTPROTECTARGUMENTSPASS
#include "core/codegen/host/Passes.h.inc"
} // namespace fuselage

using namespace mlir;

namespace fuselage {
namespace {

struct HostProtectArguments : impl::HostProtectArgumentsPassBase<HostProtectArguments> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (!function.isPrivate() && llvm::isa<TensorType>(function.getArgumentTypes()[i]))
          function.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName,
                              BoolAttr::get(&getContext(), false));
  }
};

} // namespace
} // namespace fuselage
