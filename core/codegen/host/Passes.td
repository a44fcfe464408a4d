// From functions on tensors to machine code of the host. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_CODEGEN_HOST_PASSES
#define FUSELAGE_CODEGEN_HOST_PASSES

include "mlir/Pass/PassBase.td"

class HostPass<string flag> : Pass<flag, "mlir::ModuleOp">;

def HostRefuseUnsafePass : HostPass<"fuselage-host-refuse-unsafe"> {
  let summary = "Reject ops that could do more than compute";
  let description = [{
    Modules are not trusted. This pass reports an error at the first op that may access anything outside the module: a call of
    a recursive function or one without a body, an op on pointers, inline assembly, addresses as numbers. Harmless code
    that looks dangerous is removed: unused declarations, and attributes that would be passed to LLVM.
  }];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

def HostInsertChecksPass : HostPass<"fuselage-host-insert-checks"> {
  let summary = "Insert runtime checks for undefined behavior that a CPU does not detect";
  let description = [{
    Inserts a `cf.assert` before ops that may fail at run time, with the op and its location in the message: an
    index out of bounds, a division by zero, a negative size, a step of zero, shapes that do not match. References run with
    these checks; code for a device is covered by the checks of its reference.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect",
                           "mlir::index::IndexDialect", "mlir::linalg::LinalgDialect", "mlir::memref::MemRefDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect", "mlir::vector::VectorDialect"];
}

def HostInsertPoisonChecksPass : HostPass<"fuselage-host-insert-poison-checks"> {
  let summary = "Detect where a module computes poison";
  let description = [{
    If the result of an op is poison (a shift by the width or more, a violated `nsw`, `nuw`, `exact`, `nnan` or `ninf`, a
    float that does not fit its integer, `ub.poison`), it is replaced by the return value of `@fuselage_host_poison`.
    Running the program with two different values shows whether a result depends on it.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::func::FuncDialect", "mlir::scf::SCFDialect",
                           "mlir::vector::VectorDialect"];
}

def HostInlineDispatchesPass : HostPass<"fuselage-host-inline-dispatches"> {
  let summary = "Inline dispatch regions";
  let description = [{
    The host has no launches: the ops of a dispatch run in place.
  }];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

def HostLegalizeTensorsPass : HostPass<"fuselage-host-legalize-tensors"> {
  let summary = "Decompose composite ops, and choose the accumulator types of reductions";
  let description = [{
    Composite ops (softmax, pack, unpack, winograd) are decomposed into structured ops, concatenations become
    insertions, and an expansion with several dynamic sizes becomes `tensor.reshape`. Reductions
    of floats of 16 bits and fewer accumulate in f32. An unregistered op, or a composite op that cannot be
    decomposed, is an error.
  }];
  let options = [
    Option<"wideAccumulators", "wide-accumulators", "bool", /*default=*/"false",
           "Long reductions of f32 accumulate in f64, and terms of narrower floats are rounded as written, as a reference "
           "requires">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::math::MathDialect", "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def HostFuseOperandsPass : HostPass<"fuselage-host-fuse-operands"> {
  let summary = "Fuse broadcasts and unpacked weights into the ops that read them";
  let description = [{
    Broadcasts are folded into the ops that read them. If packed weights are unpacked for a product with one row, the product
    unpacks them itself, each element once.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def HostSplitReductionsPass : HostPass<"fuselage-host-split-reductions"> {
  let summary = "Separate reductions, and split long ones among threads";
  let description = [{
    An op with several independent results that all read their inputs many times becomes one op per result, so that each can use
    all registers. A long reduction with too few results for all threads is split: each thread reduces contiguous runs to
    partial results, which another op combines.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
}

def HostBlockRowsPass : HostPass<"fuselage-host-block-rows"> {
  let summary = "Fuse ops that read the same rows into one loop over row blocks that fit in a cache";
  let description = [{
    Ops that read the same rows, such as the maximum, the sum and the division of a softmax, are moved into one
    `scf.forall` over blocks of rows. Rows are the parallel loops that all of the ops share, so that
    nothing is computed twice. Products and windows are not changed.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def HostOrderLoopsPass : HostPass<"fuselage-host-order-loops"> {
  let summary = "Lay out windows along channels, and order loops so that the innermost one can be vectorized";
  let description = [{
    Moves the best loop of every reduction innermost, and copies operands that are not contiguous along it. The order of the
    reduction loops stays, and with it the order in which each result accumulates. Kernels choose their own order: for them
    only windows of narrow element types are laid out.
  }];
  let options = [
    Option<"forKernels", "for-kernels", "bool", /*default=*/"false", "Structured ops become kernels afterwards">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
}

def HostProtectArgumentsPass : HostPass<"fuselage-host-protect-arguments"> {
  let summary = "Mark the arguments of public functions as read-only";
  let description = [{
    Sets `bufferization.writable = false`, so that a function can be called again on the same inputs.
  }];
  let dependentDialects = ["mlir::bufferization::BufferizationDialect"];
}

def HostFreeBuffersPass : HostPass<"fuselage-host-free-buffers"> {
  let summary = "Free buffers after their last use";
  let description = [{
    Runs upstream's ownership-based buffer deallocation, which lowers peak memory. If it does not support an op,
    nothing changes: the runtime frees the allocations of a call after the call.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::bufferization::BufferizationDialect",
                           "mlir::func::FuncDialect", "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect"];
}

def HostLegalizeBuffersPass : HostPass<"fuselage-host-legalize-buffers"> {
  let summary = "Drop memory spaces, turn copies into structured ops, and reject ops without a lowering";
  let description = [{
    The host has one memory space. Copies of buffers become structured ops, since LLVM's lowering calls a library for strided
    copies. Scalable vectors on a CPU without them, functions of floats wider than 64 bits
    and constants whose data is not in the file are errors.
  }];
  let dependentDialects = ["mlir::linalg::LinalgDialect"];
}

def HostMakeKernelsPass : HostPass<"fuselage-host-make-kernels"> {
  let summary = "Turn structured ops into vector kernels, and parallel loops into tasks of threads";
  let description = [{
    In functions on memrefs, the outermost `scf.forall` and `scf.parallel` become task functions that the threads
    share. Each structured op becomes a call of a function that computes register tiles on vectors of the CPU's width,
    from operands that are packed or padded if that is profitable. The results are those of the ops, except for the order of
    reductions, and for exp, log, tanh and erf of f32, which use upstream's polynomials. Ops with dynamic
    sizes, or with more than arithmetic in their bodies, are not changed. A call for all tasks has a
    declaration with `fuselage.tasks`, the number of tasks and the number that a thread takes at once.
  }];
  let options = [
    Option<"onlyLoops", "only-loops", "bool", /*default=*/"false", "Parallel loops become tasks; structured ops stay">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::func::FuncDialect",
                           "mlir::math::MathDialect", "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect",
                           "mlir::vector::VectorDialect"];
}

def HostInsertPollsPass : HostPass<"fuselage-host-insert-polls"> {
  let summary = "Make loops poll for cancellation";
  let description = [{
    Loops that contain loops call `@fuselage_host_poll`, from the outermost down to the first that is likely to run often.
    Innermost loops and kernels are not changed, so that they can be vectorized.
  }];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

def HostMathPass : HostPass<"fuselage-host-math"> {
  let summary = "Call the math library where upstream's lowering is too inaccurate";
  let description = [{
    On scalars: expm1 and log1p of f32 and f64 call the library (upstream lowers them to exp(x) - 1 and log(1 + x), which
    lose all digits near zero); isinf, isnormal and clampf become arith ops.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::func::FuncDialect", "mlir::math::MathDialect"];
}

def StrictRoundingPass : Pass<"fuselage-strict-rounding"> {
  let summary = "Round floats of 16 bits and fewer after each op";
  let description = [{
    Upstream's emulation of narrow floats computes in f32 and converts between ops, with fast-math flags that allow
    removing a truncation followed by an extension. This pair rounds, so the pass drops the flags.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def EmulateNarrowFloatsPass : HostPass<"fuselage-emulate-narrow-floats"> {
  let summary = "Compute on bf16 and on floats of 8 bits and fewer in f32";
  let description = [{
    Arithmetic on these types is done in f32, whose result is truncated, by the patterns of upstream's
    `arith-emulate-unsupported-floats`, whose pass does not know the name of f8E4M3B11FNUZ.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def ConvertNarrowFloatsPass : HostPass<"fuselage-convert-narrow-floats"> {
  let summary = "Convert floats of 8 bits and fewer by runtime calls";
  let description = [{
    On scalars: extensions and truncations of these types become calls of `@fuselage_widen_float` and
    `@fuselage_narrow_float`. Arithmetic on them is left to `fuselage-emulate-narrow-floats`.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::func::FuncDialect"];
}

def HostExpandTasksPass : HostPass<"fuselage-host-expand-tasks"> {
  let summary = "Pass the tasks of kernels to the runtime's threads";
  let description = [{
    In the LLVM dialect: a declaration with `fuselage.tasks` gets a body that packs its arguments and calls
    `@fuselage_host_run_tasks` with a function that unpacks them.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def HostCheckLoweredPass : HostPass<"fuselage-host-check-lowered"> {
  let summary = "Reject ops outside the LLVM dialect";
  let description = [{
    Reports an error at the first op that was not lowered.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

#endif // FUSELAGE_CODEGEN_HOST_PASSES
