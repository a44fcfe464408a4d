// Programs of other compilers. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_FOREIGN_PASSES
#define FUSELAGE_TRANSFORMS_FOREIGN_PASSES

include "mlir/Pass/PassBase.td"

def NormalizeForeignPass : Pass<"fuselage-normalize-foreign", "mlir::ModuleOp"> {
  let summary = "Write functions of other compilers' dialects as functions that every pass knows";
  let description = [{
    `util.func` becomes `func.func`, with its `util.return`, and `util.call` of such a function becomes
    `func.call`. Where a function that nothing in the module calls imports an argument as a tensor
    (`hal.tensor.import`) or exports a result (`hal.tensor.export`), the tensor itself becomes the
    argument or result; other imports and exports that are mere views become
    `builtin.unrealized_conversion_cast`. Those that wait for a fence or have dynamic dimensions stay.
    Ops on tensors of 2020 whose types alone fail today (`subtensor_insert` with its sizes as values,
    `linalg.generic` without `outs`) become today's. Dispatches, executables and kernels stay as they are.
  }];
  let dependentDialects = ["mlir::func::FuncDialect", "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_FOREIGN_PASSES
