// Footprints of a fused chain beside really tiling it.
#include "core/analysis/tiles/TileReport.h"
#include "core/analysis/tiles/TileTrace.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tests/bench/Inputs.h"
#include "tests/bench/Measure.h"
#include "llvm/Support/Format.h"

namespace fuselage::bench {
namespace {

/// exp, transpose, pad, 3x3 window, bias, relu, and a row reduction with what initialises it.
constexpr llvm::StringLiteral chain = R"(
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%x: tensor<1000x2000xf32>, %w: tensor<3x3xf32>, %bias: tensor<1000xf32>) -> tensor<2000xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1000x2000xf32>
  %e1 = tensor.empty() : tensor<2000x1000xf32>
  %e2 = tensor.empty() : tensor<2000xf32>
  %0 = linalg.exp ins(%x : tensor<1000x2000xf32>) outs(%e0 : tensor<1000x2000xf32>) -> tensor<1000x2000xf32>
  %1 = linalg.transpose ins(%0 : tensor<1000x2000xf32>) outs(%e1 : tensor<2000x1000xf32>) permutation = [1, 0]
  %2 = tensor.pad %1 low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2000x1000xf32> to tensor<2002x1002xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2000x1000xf32>) -> tensor<2000x1000xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0 + d2, d1 + d3)>,
                                        affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%2, %w : tensor<2002x1002xf32>, tensor<3x3xf32>) outs(%3 : tensor<2000x1000xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<2000x1000xf32>
  %5 = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%4, %bias : tensor<2000x1000xf32>, tensor<1000xf32>) outs(%e1 : tensor<2000x1000xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2000x1000xf32>
  %6 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<2000xf32>) -> tensor<2000xf32>
  %7 = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%5 : tensor<2000x1000xf32>) outs(%6 : tensor<2000xf32>) {
  ^bb0(%a: f32, %c: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<2000xf32>
  return %7 : tensor<2000xf32>
})";

} // namespace

void benchTiles() {
  Session session(allDialects());
  auto module = session.parse(chain, "chain.mlir");
  if (!module) {
    llvm::errs() << llvm::toString(module.takeError()) << '\n';
    return;
  }
  auto function = *module->get().getOps<mlir::func::FuncOp>().begin();
  mlir::Operation *root = function.getBody().front().getTerminator()->getOperand(0).getDefiningOp();
  auto tiled = TileChain::build(root, {.fuse = true, .kept = {}});
  if (!tiled) {
    llvm::errs() << llvm::toString(tiled.takeError()) << '\n';
    return;
  }
  llvm::outs() << "tiles: a chain of " << tiled->nodes.size() << " ops, 2000x1000, tiles of 48x96\n";
  llvm::SmallVector<int64_t> sizes{48, 96}, tile{3, 4};
  double one = bestOf(20, [&] {
    TileEvents events;
    (void)footprintOf(*tiled, sizes, tile, FootprintKind::Exact, events);
  });
  double all = bestOf(
      20, [&] { llvm::consumeError(reportTile(*tiled, {.sizes = sizes, .tile = tile, .order = {}}).takeError()); });
  double upstream = bestOf(5, [&] {
    auto always = [](mlir::Operation *) { return true; };
    llvm::consumeError(traceTiling(root, sizes, {}, always, [](mlir::Value) { return std::string(); }).takeError());
  });
  llvm::outs() << llvm::format("  %-44s %9.3f ms   %-34s %9.3f ms\n", "exact footprint of a tile", one,
                               "mlir: tile and fuse it, with events", upstream);
  llvm::outs() << llvm::format("  %-44s %9.3f ms   (%lld tiles, %lld footprints)\n", "report, with sums over all tiles",
                               all, (long long)sumTiles(*tiled, sizes).tiles,
                               (long long)sumTiles(*tiled, sizes).evaluated);
}

} // namespace fuselage::bench
