// Tile and fuse through interfaces. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_TILE_AND_FUSE_PASSES
#define FUSELAGE_TRANSFORMS_TILE_AND_FUSE_PASSES

include "mlir/Pass/PassBase.td"

def TileAndFusePass
    : InterfacePass<"fuselage-tile-and-fuse", "mlir::FunctionOpInterface"> {
  let summary = "Tile one op, and compute what feeds and reads it in the same loops";
  let description = [{
    Tiles the anchor, then moves into its loops, tile by tile, the ops that read its result and those
    that compute its operands. Unlike MLIR's own, this fusion does not stop at ops that cannot be tiled
    themselves: it goes on through `tensor.extract_slice` (a slice of a slice is one slice),
    `expand_shape` and `collapse_shape`, `cast`, `pad` and `concat`, and through every op that has
    Fuselage's `FusableOpInterface`. A transpose, a slice of it and a transpose of that end in one loop.

    What a reshape maps onto a range of rows can be fused: tiles that are multiples of the collapsed
    inner dimensions, or that lie within one row. What stays outside gets a remark with a code and the
    evidence: `GROUP_SPLIT_UNEVENLY` (part of a row), `OFFSET_NOT_MULTIPLE`, `INNER_DIMENSION_CUT`,
    `DYNAMIC_GROUP`, `STRIDED_TILE` (a strided slice of something that must be computed; see
    `cover-strided`), `CONCAT_STRADDLED`, `PADDING_NOT_CONSTANT`, `ACCUMULATOR_RESET` (what initialises a
    reduction never moves into its loop), `PARTIAL_RESULT`, `REDUCTION_CUT`, `LOOP_INVARIANT` (each
    iteration would compute the same), and others. A tile that may lie in the padding altogether is
    guarded by `scf.if`; so is one that lies in one of several operands of a concatenation.
  }];
  let options = [
    Option<"anchor", "anchor", "std::string", /*default=*/"\"\"",
           "The op to tile: a name (the last such op of a function), or an attribute that marks it "
           "(all such ops); by default the last op that can be tiled">,
    ListOption<"tileSizes", "tile-sizes", "int64_t", "Tile by loop of the anchor, 0 for a whole loop">,
    ListOption<"interchange", "interchange", "int64_t", "Order of the loops, outermost first">,
    Option<"loopType", "loop-type", "std::string", /*default=*/"\"for\"",
           "for: scf.for, which can cut reductions; forall: one scf.forall">,
    Option<"fuseProducers", "fuse-producers", "bool", /*default=*/"true",
           "Take in what computes the operands">,
    Option<"fuseConsumers", "fuse-consumers", "bool", /*default=*/"true", "Take in what reads the result">,
    Option<"shared", "shared", "std::string", /*default=*/"\"recompute\"",
           "A producer that is used elsewhere as well: recompute it in the loops, yield it from them if "
           "its tiles partition it, or keep it outside">,
    Option<"coverStrided", "cover-strided", "bool", /*default=*/"false",
           "Fuse along slices with strides, which computes the elements between as well">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_TILE_AND_FUSE_PASSES
