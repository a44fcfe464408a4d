// Tile and fuse through interfaces. A description is what a user reads in Help and in `fuselage-opt --help`.
#ifndef FUSELAGE_TRANSFORMS_TILE_AND_FUSE_PASSES
#define FUSELAGE_TRANSFORMS_TILE_AND_FUSE_PASSES

include "mlir/Pass/PassBase.td"

def TileAndFusePass
    : InterfacePass<"fuselage-tile-and-fuse", "mlir::FunctionOpInterface"> {
  let summary = "Tile one op, and fuse its producers and consumers into the loops";
  let description = [{
    Tiles the anchor, then moves the users of its result and the producers of its operands into its loops,
    tile by tile. Unlike MLIR's own, this fusion does not stop at ops that cannot be tiled
    themselves: it continues through `tensor.extract_slice` (a slice of a slice is one slice),
    `expand_shape` and `collapse_shape`, `cast`, `pad` and `concat`, and through every op with
    Fuselage's `FusableOpInterface`. A transpose, a slice of it and a transpose of the slice end up in one loop.

    A reshape can be fused if it maps the tile onto a range of rows: the tile is a multiple of the collapsed
    inner dimensions, or lies within one row. Ops that stay outside get a remark with a code and the
    evidence: `GROUP_SPLIT_UNEVENLY` (part of a row), `OFFSET_NOT_MULTIPLE`, `INNER_DIMENSION_CUT`,
    `DYNAMIC_GROUP`, `STRIDED_TILE` (a strided slice of a computed value; see
    `cover-strided`), `CONCAT_STRADDLED`, `PADDING_NOT_CONSTANT`, `ACCUMULATOR_RESET` (the init of a
    reduction never moves into its loop), `PARTIAL_RESULT`, `REDUCTION_CUT`, `LOOP_INVARIANT` (each
    iteration would compute the same), and others. A tile that may lie entirely in the padding is
    guarded by `scf.if`; so is one that lies in one of several operands of a concatenation.
  }];
  let options = [
    Option<"anchor", "anchor", "std::string", /*default=*/"\"\"",
           "The op to tile: a name (the last op of a function with it), or an attribute "
           "(all ops with it); by default the last op that can be tiled">,
    ListOption<"tileSizes", "tile-sizes", "int64_t", "Tile size per loop of the anchor, 0 for a whole loop">,
    ListOption<"interchange", "interchange", "int64_t", "Order of the loops, outermost first">,
    Option<"loopType", "loop-type", "std::string", /*default=*/"\"for\"",
           "for: scf.for, which can tile reductions; forall: one scf.forall">,
    Option<"fuseProducers", "fuse-producers", "bool", /*default=*/"true",
           "Fuse producers of the operands">,
    Option<"fuseConsumers", "fuse-consumers", "bool", /*default=*/"true", "Fuse consumers of the result">,
    Option<"shared", "shared", "std::string", /*default=*/"\"recompute\"",
           "A producer that is also used elsewhere: recompute it in the loops, yield it from them if "
           "its tiles partition it, or keep it outside">,
    Option<"coverStrided", "cover-strided", "bool", /*default=*/"false",
           "Fuse along slices with strides, which also computes the elements in between">,
  ];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect"];
}

#endif // FUSELAGE_TRANSFORMS_TILE_AND_FUSE_PASSES
