// Why ops do not share a dispatch. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_ANALYSIS_FUSION_PASSES
#define FUSELAGE_ANALYSIS_FUSION_PASSES

include "mlir/Pass/PassBase.td"

def ExplainFusionPass : Pass<"fuselage-explain-fusion", "mlir::ModuleOp"> {
  let summary = "Say of every value between two ops whether they are fused, and why not";
  let description = [{
    Plans dispatches as `fuselage-form-dispatches` would, changes nothing, and emits a remark on every
    op that reads a value: the verdict (FUSED_INTO_OP, SAME_DISPATCH, CLONED or SEPARATE), and for
    SEPARATE the reason, its evidence, the transforms that may unlock the fusion, and the bytes through
    memory that it would save. Where dispatches are formed already, these are judged. With remarks
    enabled (`--remarks-filter`, `--remark-format=yaml`), they go there, under the category `fusion`.
  }];
  let options = [
    Option<"policy", "policy", "std::string", /*default=*/"\"aggressive\"",
           "What is to be fused: conservative, aggressive or none; changes to one follow in braces">,
    Option<"missedOnly", "missed-only", "bool", /*default=*/"false",
           "Say nothing of what is fused">,
    Option<"gbps", "gbps", "double", /*default=*/"500.0",
           "Bandwidth of the memory in GB/s, for the estimate of time">,
  ];
  let dependentDialects = ["mlir::linalg::LinalgDialect"];
}

#endif // FUSELAGE_ANALYSIS_FUSION_PASSES
