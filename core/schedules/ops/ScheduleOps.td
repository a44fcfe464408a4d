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
    Does nothing. The interpreter does not visit terminators, so a tracer needs this op before each to
    see the result of a block's last op. Users never see it.
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
    Fails definitely. Inserted before a transform op of another tool, which Fuselage cannot run, also in matchers. Users never see it.
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
  let summary = "Interchanges an scf.for with the one that it contains";
  let description = [{
    The target and the only loop in it have to be a perfect nest (PerfectForNestForm) without loop-carried values, with inner
    bounds that the outer loop does not compute. Otherwise there is a silenceable failure that names the obstacle. As with any
    interchange, the author of the script is responsible for the iterations being independent of their order.

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
  let summary = "Moves ops between two loops of a nest into the inner one";
  let description = [{
    Applies to every scf.for and scf.forall under the target that contains exactly one loop of its kind, or else one of the
    other. Ops without memory effects whose results only the inner loop uses move to the start of its body, where they run more
    often. Other ops stay.
  }];
}

def GiveDestinationsOp : NormalizingOp<"give_destinations"> {
  let summary = "Gives every op on tensors a destination";
  let description = [{
    An op that writes into a tensor that is not a destination, such as a constant, writes into an empty tensor instead, or into a
    copy if it reads the old elements. Elementwise ops on tensors become linalg ops, and tensor.splat a linalg.fill.
  }];
}

def CloneForReadersOp : NormalizingOp<"clone_for_readers"> {
  let summary = "Clones elementwise linalg ops for each user";
  let description = [{
    Each user but the first gets a clone, users first, so that every clone has its own inputs as well. A chain of n ops
    with two users each becomes 2^n ops: after 20,000 clones it stops, and the other ops stay shared.
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
  let summary = "Outlines each dispatch of a function into a separate function";
  let description = [{
    Runs fuselage-form-dispatches and fuselage-outline-dispatches with the default policy. Functions that are one dispatch
    or a kernel are not changed.
  }];
}

def MapForallsOp : NormalizingOp<"map_foralls"> {
  let summary = "Maps outermost parallel loops to the blocks of a GPU";
  let description = [{
    Every outermost scf.forall outside a gpu.launch without a mapping gets one: its last dimension is #gpu.block<x>, those
    before it y and z; a loop of 4 to 10 dimensions gets #gpu.block<linear_dim_0> and so on. Existing mappings stay.
  }];
}

def CheckFormOp : Op<Transform_Dialect, "fuselage.check_form",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, TransformOpInterface, TransformEachOpTrait]> {
  let summary = "Fails silenceably if a function is not in a normal form";
  let description = [{
    The forms are those of `fuselage schedule --check-forms`, and those that the script's module declares. For an op inside a
    function, the function is checked. The failure has a note for each of the first few violations.
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
