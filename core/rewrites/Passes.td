// Single patterns of other passes. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_REWRITES_PASSES
#define FUSELAGE_REWRITES_PASSES

include "mlir/Pass/PassBase.td"

def ApplyPatternPass : Pass<"fuselage-apply-pattern", "mlir::ModuleOp"> {
  let summary = "Apply one pattern of a pass to one op";
  let description = [{
    Applies one rewrite pattern to one op, once, and changes nothing else: no other pattern, no folding, no dead
    code elimination. `passes` have the pattern; `pattern` is its debug name, or that without namespaces,
    or `fold` for `Operation::fold`. Fails where the pattern does not match.

    Ops have the numbers of `fuselage explain`: starting at 0, in the order in which they are printed, an op before
    the ops nested in it. `fuselage patterns FILE --op OP` lists what applies.
  }];
  let options = [
    Option<"op", "op", "int64_t", /*default=*/"-1", "Number of the op">,
    Option<"pattern", "pattern", "std::string", /*default=*/"", "Name of the pattern">,
    ListOption<"passes", "passes", "std::string", "Passes that have it (default: canonicalize)">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect"]; // constants that folds make
}

def WithoutPatternPass : Pass<"fuselage-without-pattern", "mlir::ModuleOp"> {
  let summary = "Run passes without one of their patterns";
  let description = [{
    Runs passes while their drivers are kept from trying a pattern, either at all or only on one op. `pattern` is its
    debug name, or that without namespaces, or `fold` for `Operation::fold` of that op. Ops have
    the numbers of `fuselage explain` in the module before the passes; those that the passes make count on from there.
  }];
  let options = [
    ListOption<"passes", "passes", "std::string", "Passes to run">,
    Option<"pattern", "pattern", "std::string", /*default=*/"", "Name of the pattern">,
    Option<"op", "op", "int64_t", /*default=*/"-1", "Leave it out on this op only; -1: on all">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

#endif // FUSELAGE_REWRITES_PASSES
