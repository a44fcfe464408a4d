// Programs of other compilers. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_FOREIGN_PASSES
#define FUSELAGE_TRANSFORMS_FOREIGN_PASSES

include "mlir/Pass/PassBase.td"

def NormalizeForeignPass : Pass<"fuselage-normalize-foreign", "mlir::ModuleOp"> {
  let summary = "Write functions, boundaries and weights of other compilers' dialects as every pass knows them";
  let description = [{
    Exporters wrap a program: functions of their own dialect, buffers that are imported and exported, fences,
    weights in variables. This pass removes the wrapping and leaves what the program computes:

    - `util.func` becomes `func.func`, with its `util.return`, and `util.call` of such a function `func.call`;
      private functions are inlined. A function that only sets up fences and calls another goes, the other gets its name.
    - Where a function that nothing in the module calls imports an argument as a tensor (`hal.tensor.import`) or
      exports a result (`hal.tensor.export`), the tensor itself becomes the argument or result; other imports
      and exports become `builtin.unrealized_conversion_cast`.
    - Loads of `util.global` and `ml_program.global` become constants where the module says the value. Else they are
      weights: arguments after the function's own, with the attribute `fuselage.parameter` and the weight's name.
      Variables that something stores into stay.
    - `util.optimization_barrier`, `flow.tensor.*` and `iree_tensor_ext.bitcast` become the ops of tensor, linalg and
      arith that do the same.
    - `cf.assert` in the payload of a structured op goes. What it said of an argument's elements becomes the
      argument's attribute `fuselage.bounds`, which is checked where inputs are filled in.
    - Ops of TOSA become those of linalg, tensor, arith and scf, by upstream's patterns. What these refuse, stays.
    - Arithmetic of arith and math on whole tensors becomes linalg.generic, and `quant.dcast` and `quant.qcast` arithmetic,
      by upstream's passes; tensors of a quantized type are tensors of what it is stored in then.
    - `tensor.gather`, `tensor.scatter` and the `linalg.winograd_*` transforms become the structured ops that they stand for.
    - Loops with the attribute `fuselage.forall` (`fuselage-portable-dispatches`) become scf.forall again.
    - Ops on tensors of 2020 whose types alone fail today (`subtensor_insert` with its sizes as values,
      `linalg.generic` without `outs`) become today's.
    - A loop of a `linalg.generic` that is called parallel and does not index one of its outputs becomes a reduction: all
      of its iterations write the same element.

    Where a module is executables alone, a kernel of them that loads and stores whole tensors becomes a function of these.
    Other dispatches, executables and kernels stay as they are.
  }];
  let options = [
    Option<"portable", "portable", "bool", /*default=*/"false",
           "Leave what other compilers lower in ways of their own as it is: scan, scatter, sort, topk, bitcasts between widths">,
  ];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::complex::ComplexDialect",
                           "mlir::func::FuncDialect", "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect",
                           "mlir::math::MathDialect", "mlir::quant::QuantDialect", "mlir::scf::SCFDialect",
                           "mlir::shape::ShapeDialect", "mlir::tensor::TensorDialect"];
}

def PortableDispatchesPass : Pass<"fuselage-portable-dispatches", "mlir::ModuleOp"> {
  let summary = "Write dispatches in a form that other compilers take";
  let description = [{
    IREE takes `flow.dispatch.region` with structured ops in it. It refuses an `scf.forall` there, and its MLIR lacks
    named ops that others have; some dispatches (a pad alone, a gather before a reduction) it makes only its own way.
    Those are dissolved into the ops around them, and so are dispatches of several results of which one depends on constants alone: IREE computes
    that one when it compiles, and takes the first for all. Elementwise named ops become linalg.generic, an scf.forall on tensors a nest of scf.for
    with the attribute `fuselage.forall`, by which `fuselage-normalize-foreign` finds the parallel loops again.
  }];
  let dependentDialects = ["mlir::linalg::LinalgDialect", "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_FOREIGN_PASSES
