// Passes on the ops around one edge alone. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_PLACES_PASSES
#define FUSELAGE_TRANSFORMS_PLACES_PASSES

include "mlir/Pass/PassBase.td"

def FuseAtPass : Pass<"fuselage-fuse-at", "mlir::ModuleOp"> {
  let summary = "Run passes only on the ops around one edge";
  let description = [{
    Moves the two ops of an edge to a separate function, with the ops that are computed between them, runs
    passes on that function, and replaces the ops by the result. `reach` also moves the producers and users of
    these ops, up to that distance. All other ops stay as they are: of many equal layers, only one is fused.
    Constants, empty tensors and fills are duplicated in the function and shared again afterwards. Ops with side
    effects are not moved.

    Ops have the numbers of `fuselage explain`: starting at 0, in the order in which they are printed, an op before
    the ops nested in it. `fuselage fuse --edge FROM:TO --only-there` finds `reach` and `passes`.
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
