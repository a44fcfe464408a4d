// Why ops do not share a dispatch. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_ANALYSIS_FUSION_PASSES
#define FUSELAGE_ANALYSIS_FUSION_PASSES

include "mlir/Pass/PassBase.td"

def ExplainFusionPass : Pass<"fuselage-explain-fusion", "mlir::ModuleOp"> {
  let summary = "Report for every value between two ops whether they are fused, and why not";
  let description = [{
    Plans dispatches as `fuselage-form-dispatches` would, changes nothing, and emits a remark on every
    op that reads a value: the verdict (FUSED_INTO_OP, SAME_DISPATCH, CLONED or SEPARATE), and for
    SEPARATE the reason, its evidence, the transforms that may unlock the fusion, and the memory
    traffic that it would save. If the module already has dispatches, the pass reports on these. If remarks are
    enabled (`--remarks-filter`, `--remark-format=yaml`), the output goes there, under the category `fusion`.
  }];
  let options = [
    Option<"policy", "policy", "std::string", /*default=*/"\"aggressive\"",
           "Fusion policy: conservative, aggressive or none; changes to it follow in braces">,
    Option<"missedOnly", "missed-only", "bool", /*default=*/"false",
           "Do not report fused values">,
    Option<"gbps", "gbps", "double", /*default=*/"500.0",
           "Memory bandwidth in GB/s, to estimate times">,
  ];
  let dependentDialects = ["mlir::linalg::LinalgDialect"];
}

#endif // FUSELAGE_ANALYSIS_FUSION_PASSES
