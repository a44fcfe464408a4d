// Passes on the ops around one edge alone. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_PLACES_PASSES
#define FUSELAGE_TRANSFORMS_PLACES_PASSES

include "mlir/Pass/PassBase.td"

def FuseAtPass : Pass<"fuselage-fuse-at", "mlir::ModuleOp"> {
  let summary = "Run passes on the ops around one edge, and on no others";
  let description = [{
    Moves the two ops of an edge to a function of its own, with the ops that are computed between them, runs
    passes on that function, and puts what they made of it in the place of the ops. `reach` moves the ops
    that these read and that read them, too, so often. All other ops stay as they are: of many equal layers one
    is fused. Constants, empty tensors and fills are repeated in the function and shared again afterwards.
    Ops with side effects are not moved.

    Ops have the numbers of `fuselage explain`: from 0 on, in the order in which they are printed, an op before
    those in it. `fuselage fuse --edge FROM:TO --only-there` finds `reach` and `passes`.
  }];
  let options = [
    Option<"from", "from", "int64_t", /*default=*/"-1", "Number of the producer">,
    Option<"to", "to", "int64_t", /*default=*/"-1", "Number of the consumer">,
    Option<"reach", "reach", "unsigned", /*default=*/"0", "Steps from op to op around the two, up to 8">,
    ListOption<"passes", "passes", "std::string", "Passes on functions, in order">,
  ];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

#endif // FUSELAGE_TRANSFORMS_PLACES_PASSES
