// Transform ops that MLIR has no twin of.
#ifndef FUSELAGE_SCHEDULE_OPS
#define FUSELAGE_SCHEDULE_OPS

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

def PositionOp : Op<Transform_Dialect, "fuselage.position",
    [TransformOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "The place after the last op of a block";
  let description = [{
    Does nothing. The interpreter does not visit terminators, so that one of these before each is where a tracer
    sees what a block's last op left. Never seen by users.
  }];
  let assemblyFormat = "attr-dict";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure apply(::mlir::transform::TransformRewriter &, ::mlir::transform::TransformResults &,
                                              ::mlir::transform::TransformState &) {
      return ::mlir::DiagnosedSilenceableFailure::success();
    }
  }];
}

def StopOp : Op<Transform_Dialect, "fuselage.stop",
    [TransformOpInterface, MatchOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "The end of a schedule that cannot go on";
  let description = [{
    Fails for good. Stands before a transform op of another tool, which nobody here can run, in matchers as well. Never seen by users.
  }];
  let arguments = (ins StrAttr:$reason);
  let assemblyFormat = "$reason attr-dict";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure apply(::mlir::transform::TransformRewriter &, ::mlir::transform::TransformResults &,
                                              ::mlir::transform::TransformState &) {
      return emitDefiniteFailure() << getReason();
    }
  }];
}

def InterchangeLoopsOp : Op<Transform_Dialect, "fuselage.interchange_loops",
    [FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface, TransformOpInterface, TransformEachOpTrait,
     ReportTrackingListenerFailuresOpTrait]> {
  let summary = "Exchanges an scf.for with the one that it holds";
  let description = [{
    The target and the only loop in it have to be a perfect nest (PerfectForNestForm) that carries nothing, with inner
    bounds that the outer loop does not compute: else a silenceable failure that says what is in the way. That the
    iterations may run in the other order is what who writes this vouches for, as with any interchange.

    #### Return modes

    Consumes the handle to the outer loop; the results are the new outer loop and the new inner one.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs TransformHandleTypeInterface:$outer, TransformHandleTypeInterface:$inner);
  let assemblyFormat = "$target attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(::mlir::transform::TransformRewriter &rewriter, ::mlir::Operation *target,
                                                   ::mlir::transform::ApplyToEachResultList &results,
                                                   ::mlir::transform::TransformState &state);
  }];
}

// A transform that changes functions, and keeps the handles that it is given.
class NormalizingOp<string name> : Op<Transform_Dialect, "fuselage." # name,
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, TransformOpInterface, TransformEachOpTrait,
     ReportTrackingListenerFailuresOpTrait]> {
  let arguments = (ins TransformHandleTypeInterface:$target);
  let assemblyFormat = "$target attr-dict `:` type($target)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(::mlir::transform::TransformRewriter &rewriter, ::mlir::Operation *target,
                                                   ::mlir::transform::ApplyToEachResultList &results,
                                                   ::mlir::transform::TransformState &state);
  }];
}

def SinkIntoLoopsOp : NormalizingOp<"sink_into_loops"> {
  let summary = "Moves what stands between two loops of a nest into the inner one";
  let description = [{
    In every scf.for and scf.forall under the target that holds exactly one loop of its kind, or else one of the other: ops
    without memory effects whose results only the inner loop uses move to the start of its body, where they are computed more
    often. The rest stays.
  }];
}

def GiveDestinationsOp : NormalizingOp<"give_destinations"> {
  let summary = "Lets every op on tensors write into a destination";
  let description = [{
    What is written into a tensor that is no destination, such as a constant, is written into an empty one; where the op
    reads what was there, into a copy. Elementwise ops on tensors become linalg ops, and tensor.splat a linalg.fill.
  }];
}

def CloneForReadersOp : NormalizingOp<"clone_for_readers"> {
  let summary = "Computes what elementwise linalg ops give once for each op that reads it";
  let description = [{
    Each reader but the first gets a clone, readers first, so that every clone has its own inputs as well. A chain of n ops
    that are read twice takes 2^n of them: at 20,000 it ends, and the rest stays shared.
  }];
}

def InsertCopiesOp : NormalizingOp<"insert_copies"> {
  let summary = "Makes the copies that One-Shot Bufferize would make";
  let description = [{
    Each operand that the analysis does not write in place becomes a bufferization.alloc_tensor, which copies it if it is
    read. The analysis sees the target function alone, with bufferize-function-boundaries.
  }];
}

def OutlineDispatchesOp : NormalizingOp<"outline_dispatches"> {
  let summary = "Moves each dispatch of a function into a function of its own";
  let description = [{
    What fuselage-form-dispatches and fuselage-outline-dispatches do, with the default policy. Functions that are one dispatch
    or a kernel stay as they are.
  }];
}

def MapForallsOp : NormalizingOp<"map_foralls"> {
  let summary = "Maps outermost parallel loops to the blocks of a GPU";
  let description = [{
    Every outermost scf.forall outside of a gpu.launch that has no mapping gets one: its last dimension is #gpu.block<x>, those
    before it y and z; a loop of 4 to 10 dimensions gets #gpu.block<linear_dim_0> and so on. What is mapped stays.
  }];
}

def CheckFormOp : Op<Transform_Dialect, "fuselage.check_form",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, TransformOpInterface, TransformEachOpTrait]> {
  let summary = "Fails, in a way that may be silenced, where a function is not in a normal form";
  let description = [{
    The forms are those of `fuselage schedule --check-forms`, and those that the script's module declares. Of an op inside of a function, the function is checked. The
    failure has a note for every breach, up to a few.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target, StrAttr:$form);
  let assemblyFormat = "$target `:` type($target) `is` $form attr-dict";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(::mlir::transform::TransformRewriter &rewriter, ::mlir::Operation *target,
                                                   ::mlir::transform::ApplyToEachResultList &results,
                                                   ::mlir::transform::TransformState &state);
  }];
}

#endif
