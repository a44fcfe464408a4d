// From functions on tensors to machine code of the host. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_CODEGEN_HOST_PASSES
#define FUSELAGE_CODEGEN_HOST_PASSES

include "mlir/Pass/PassBase.td"

class HostPass<string flag> : Pass<flag, "mlir::ModuleOp">;

def HostRefuseUnsafePass : HostPass<"fuselage-host-refuse-unsafe"> {
  let summary = "Refuse what could do more than compute";
  let description = [{
    A module that is run is somebody else's. This is an error at the first op that reaches out of the module: a call of a
    function that it only declares or that calls itself, ops on pointers, inline assembly, addresses as numbers. What only
    looks dangerous goes: declarations that nobody uses, and attributes that would reach LLVM.
  }];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

def HostInsertChecksPass : HostPass<"fuselage-host-insert-checks"> {
  let summary = "Stop at what the IR forbids and a processor lets pass";
  let description = [{
    Before ops that may go wrong while they run there is a `cf.assert` whose message names the op and its place: an
    index out of bounds, a division by zero, a negative size, a step of zero, shapes that do not fit. References run with
    these checks; what runs on a device has been checked by its reference.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect",
                           "mlir::index::IndexDialect", "mlir::linalg::LinalgDialect", "mlir::memref::MemRefDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect", "mlir::vector::VectorDialect"];
}

def HostInsertPoisonChecksPass : HostPass<"fuselage-host-insert-poison-checks"> {
  let summary = "Make it known where a module computes poison";
  let description = [{
    An op whose result may be poison (a shift by the width or more, a broken `nsw`, `nuw`, `exact`, `nnan` or `ninf`, a
    float that does not fit its integer, `ub.poison`) gives what `@fuselage_host_poison` says where it is. A program that
    is called with two answers tells whether a result depends on it.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::func::FuncDialect", "mlir::scf::SCFDialect",
                           "mlir::vector::VectorDialect"];
}

def HostInlineDispatchesPass : HostPass<"fuselage-host-inline-dispatches"> {
  let summary = "Move the bodies of dispatch regions to where the regions stand";
  let description = [{
    The host has no launches: a dispatch is the ops that it holds.
  }];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

def HostLegalizeTensorsPass : HostPass<"fuselage-host-legalize-tensors"> {
  let summary = "Write composite ops out, and choose the types that reductions accumulate in";
  let description = [{
    Composite ops (softmax, pack, unpack, winograd) become the structured ops that they stand for, concatenations become
    insertions, and an expansion with several sizes that are known only when it runs becomes `tensor.reshape`. Reductions
    of floats of 16 bits and fewer accumulate in f32. An op that no dialect defines, or a composite op that cannot be
    written out, is an error.
  }];
  let options = [
    Option<"wideAccumulators", "wide-accumulators", "bool", /*default=*/"false",
           "Long reductions of f32 accumulate in f64, and terms of narrower floats are rounded as written, as a reference "
           "wants it">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::math::MathDialect", "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def HostFuseOperandsPass : HostPass<"fuselage-host-fuse-operands"> {
  let summary = "Give kernels operands that need no memory of their own";
  let description = [{
    Broadcasts fold into the ops that read them, and weights that are unpacked for a product with one row are unpacked
    in it, each element once.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def HostSplitReductionsPass : HostPass<"fuselage-host-split-reductions"> {
  let summary = "Give each reduction loops of its own, and split long reductions among threads";
  let description = [{
    An op with several independent results whose inputs are all read often becomes one op per result, so that each has all
    registers. A long reduction with too few results for all threads is split: each thread reduces contiguous runs to
    partial results, which another op combines.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
}

def HostBlockRowsPass : HostPass<"fuselage-host-block-rows"> {
  let summary = "Fuse ops that read the same rows into one loop over row blocks that fit in a cache";
  let description = [{
    What reads the same rows again, such as the maximum, the reduction and the quotient of a softmax, becomes an
    `scf.forall` over blocks of rows with all of it inside. Rows are the parallel loops that all of the ops have, so that
    nothing is computed twice. Products and windows are left alone.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def HostOrderLoopsPass : HostPass<"fuselage-host-order-loops"> {
  let summary = "Lay windows out along channels, and order loops so that the innermost one can be vectorized";
  let description = [{
    Of every reduction the best loop moves innermost, and operands that lie across it are copied. The order of the
    reductions stays, and with it the order in which each result accumulates. Kernels choose their own order: for them
    only windows of narrow numbers are laid out.
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
    `bufferization.writable = false`: a function can be called again on the same inputs.
  }];
  let dependentDialects = ["mlir::bufferization::BufferizationDialect"];
}

def HostFreeBuffersPass : HostPass<"fuselage-host-free-buffers"> {
  let summary = "Free buffers where their last use ends";
  let description = [{
    Upstream's ownership-based buffer deallocation, which lowers the peak of memory. Where it does not know an op,
    nothing changes: the runtime frees what a call allocated after it.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::bufferization::BufferizationDialect",
                           "mlir::func::FuncDialect", "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect"];
}

def HostLegalizeBuffersPass : HostPass<"fuselage-host-legalize-buffers"> {
  let summary = "Drop memory spaces, write copies out as loops, and refuse what has no lowering";
  let description = [{
    Host memory is one space. Copies of buffers become structured ops, since LLVM's lowering calls a library for those
    with strides. Vectors of scalable length on a processor without them, functions of floats that are wider than 64 bits
    and constants whose data is not in the file are errors.
  }];
  let dependentDialects = ["mlir::linalg::LinalgDialect"];
}

def HostMakeKernelsPass : HostPass<"fuselage-host-make-kernels"> {
  let summary = "Make structured ops functions on vectors, and parallel loops tasks of threads";
  let description = [{
    On functions on memrefs: the outermost `scf.forall` and `scf.parallel` become functions of tasks, which threads
    share, and each structured op becomes a call of a function that computes tiles which stay in registers, on vectors of
    the processor's width, from operands that are packed or padded where that pays. What the functions do is what the ops
    say, but for the order of reductions, and for exp, log, tanh and erf of f32 by upstream's polynomials. Ops with sizes
    that are known only when they run, or with more than arithmetic in their bodies, stay as they are. A call that stands
    for all tasks has a declaration with `fuselage.tasks`, which says how many there are and how many a thread takes at
    once.
  }];
  let options = [
    Option<"onlyLoops", "only-loops", "bool", /*default=*/"false", "Parallel loops become tasks; structured ops stay">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::func::FuncDialect",
                           "mlir::math::MathDialect", "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect",
                           "mlir::vector::VectorDialect"];
}

def HostInsertPollsPass : HostPass<"fuselage-host-insert-polls"> {
  let summary = "Let loops look whether the call is cancelled";
  let description = [{
    Loops that hold loops call `@fuselage_host_poll`, from the outermost down to the first that is likely to run often.
    Innermost loops and kernels stay as they are, for the vectorizer's sake.
  }];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

def HostMathPass : HostPass<"fuselage-host-math"> {
  let summary = "Call the mathematical library where the stock lowering is wrong by too much";
  let description = [{
    On scalars: expm1 and log1p of f32 and f64 call the library (upstream makes exp(x) - 1 and log(1 + x) of them, which
    lose all digits near zero); isinf, isnormal and clampf become arith ops.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::func::FuncDialect", "mlir::math::MathDialect"];
}

def StrictRoundingPass : Pass<"fuselage-strict-rounding"> {
  let summary = "Round floats of 16 bits and fewer after each op";
  let description = [{
    Upstream's emulation of narrow floats computes in f32 and converts at the borders of ops, with fast-math flags that
    allow a conversion there and back to be left out. It rounds, and so these flags go.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def ConvertNarrowFloatsPass : HostPass<"fuselage-convert-narrow-floats"> {
  let summary = "Convert floats of 8 bits and fewer by calls of the runtime";
  let description = [{
    On scalars: extensions of such types and truncations to them become calls of `@fuselage_widen_float` and
    `@fuselage_narrow_float`. Arithmetic is left to upstream's `arith-emulate-unsupported-floats`.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::func::FuncDialect"];
}

def HostExpandTasksPass : HostPass<"fuselage-host-expand-tasks"> {
  let summary = "Hand the tasks of kernels to the runtime's threads";
  let description = [{
    On LLVM's dialect: a declaration with `fuselage.tasks` gets a body that packs its arguments and calls
    `@fuselage_host_run_tasks` with a function that unpacks them.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def HostCheckLoweredPass : HostPass<"fuselage-host-check-lowered"> {
  let summary = "Refuse what is not of LLVM's dialect by now";
  let description = [{
    An error at the first op that the lowering left.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

#endif // FUSELAGE_CODEGEN_HOST_PASSES
