// Programs of other compilers. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_FOREIGN_PASSES
#define FUSELAGE_TRANSFORMS_FOREIGN_PASSES

include "mlir/Pass/PassBase.td"

def NormalizeForeignPass : Pass<"fuselage-normalize-foreign", "mlir::ModuleOp"> {
  let summary = "Convert functions, boundaries and weights of external compilers' dialects to MLIR's";
  let description = [{
    Exporters wrap a program in functions of their own dialect, imported and exported buffers, fences, and
    variables for weights. This pass removes the wrapping and keeps the computation:

    - `util.func` becomes `func.func`, with its `util.return`, and its `util.call`s become `func.call`; private
      functions are inlined. A function that only sets up fences and calls another one is removed, and the callee gets its name.
    - If a function without callers in the module imports an argument as a tensor (`hal.tensor.import`) or
      exports a result (`hal.tensor.export`), the tensor itself becomes the argument or result; other imports
      and exports become `builtin.unrealized_conversion_cast`.
    - Loads of `util.global` and `ml_program.global` become constants if the module contains the value. Otherwise they are
      weights: arguments after the function's own, with the attribute `fuselage.parameter` and the weight's name.
      Variables with stores stay.
    - `util.optimization_barrier`, `flow.tensor.*` and `iree_tensor_ext.bitcast` become equivalent ops of tensor, linalg and
      arith.
    - `cf.assert` in the payload of a structured op is removed. Its condition on an argument's elements becomes the
      argument's attribute `fuselage.bounds`, which is checked when inputs are filled in.
    - Ops of StableHLO, CHLO and MHLO become ops of linalg, tensor, arith, math, complex and scf, by the specification of
      StableHLO; unsigned integers become signless. An op without a lowering stays, with a remark that says why.
    - TOSA ops become ops of linalg, tensor, arith and scf, by upstream's patterns. Ops without a pattern stay.
    - Arithmetic of arith and math on whole tensors becomes linalg.generic, and `quant.dcast` and `quant.qcast` become
      arithmetic, by upstream's passes; tensors of a quantized type become tensors of its storage type.
    - `tensor.gather`, `tensor.scatter` and the `linalg.winograd_*` transforms are decomposed into structured ops.
    - Loops with the attribute `fuselage.forall` (`fuselage-portable-dispatches`) become scf.forall again.
    - Ops on tensors of 2020 that today's verifiers reject only for their types (`subtensor_insert` with its sizes as
      values, `linalg.generic` without `outs`) become today's ops.
    - A loop of a `linalg.generic` that is declared parallel but does not index one of its outputs becomes a reduction: all
      of its iterations write the same element.

    If a module contains only executables, their kernels that load and store whole tensors become functions on tensors.
    Other dispatches, executables and kernels are not changed.
  }];
  let options = [
    Option<"portable", "portable", "bool", /*default=*/"false",
           "Keep ops that external compilers lower in their own way: scan, scatter, sort, topk, bitcasts between widths">,
  ];
  let dependentDialects = ["fuselage::flow::FlowDialect", "mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::complex::ComplexDialect",
                           "mlir::func::FuncDialect", "mlir::gpu::GPUDialect", "mlir::linalg::LinalgDialect",
                           "mlir::math::MathDialect", "mlir::quant::QuantDialect", "mlir::scf::SCFDialect",
                           "mlir::shape::ShapeDialect", "mlir::tensor::TensorDialect"];
}

def PortableDispatchesPass : Pass<"fuselage-portable-dispatches", "mlir::ModuleOp"> {
  let summary = "Rewrite dispatches in a form that external compilers accept";
  let description = [{
    IREE accepts `flow.dispatch.region` with structured ops in it. It rejects an `scf.forall` there, its MLIR lacks some
    named ops, and some dispatches (a pad alone, a gather before a reduction) it forms only in its own way. These
    dispatches are dissolved into the ops around them, and so are dispatches of several results of which one depends only on
    constants: IREE evaluates that one at compile time, and uses the first for all. Elementwise named ops become
    linalg.generic, and an scf.forall on tensors becomes a nest of scf.for with the attribute `fuselage.forall`, which
    `fuselage-normalize-foreign` turns into parallel loops again.
  }];
  let dependentDialects = ["mlir::linalg::LinalgDialect", "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_FOREIGN_PASSES
