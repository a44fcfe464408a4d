// Serial reductions with their producers, and updates in place, compute what was computed before.
#include "core/registration/Registration.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "tests/support/Draws.h"
#include "tests/support/PassEquivalence.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>
#include <random>
#include <string>

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

namespace {

template <typename Op> int count(ModuleOp module) {
  int found = 0;
  module.walk([&](Op) { ++found; });
  return found;
}

/// Runs the pipeline and compares; `inspect` looks at what it made.
Equivalence check(const std::string &source, const std::string &pipeline, unsigned seed,
                  llvm::function_ref<std::string(ModuleOp)> inspect = nullptr) {
  Session session(allDialects());
  return checkEquivalence(
      session, source, [&](OpPassManager &passes) { ASSERT_TRUE(succeeded(parsePassPipeline(pipeline, passes))); },
      seed, {}, inspect);
}

//===-- Reductions --------------------------------------------------------===//

/// A sample whose function is called as the comparison wants it.
std::string sample(const std::string &name) {
  auto file = llvm::MemoryBuffer::getFile(FUSELAGE_SOURCE_DIR "/samples/" + name + ".mlir");
  EXPECT_TRUE(bool(file)) << name;
  std::string text = file ? (*file)->getBuffer().str() : "";
  size_t begin = text.find("@"), end = text.find("(", begin);
  return text.replace(begin, end - begin, "@dispatch");
}

class SampleReductions : public testing::TestWithParam<const char *> {};

TEST_P(SampleReductions, KeepTheirResults) {
  for (const char *sizes : {"5,3,16,7,2,3,4", "32,128,32,32,1,1,8"}) {
    std::string pipeline = llvm::formatv(
        "fuselage-tile-reductions{{tile-sizes={0}},fuselage-promote-operands{{max-workgroup-bytes=100000000}"
        ",fuselage-swap-alloc-tensor",
        sizes);
    Equivalence outcome = check(sample(GetParam()), pipeline, 3, [](ModuleOp module) {
      return count<scf::ForOp>(module) > 0 ? std::string() : std::string("nothing was tiled");
    });
    EXPECT_EQ(outcome.problem, "") << sizes << "\n" << outcome.after;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SampleReductions,
                         testing::Values("bert_attention", "matmul_transpose_bias", "int4_dequant_matmul_small",
                                         "batch_matmul", "mlp_gelu", "conv_bias_relu"),
                         [](const auto &info) { return std::string(info.param); });

/// A grouped product of `m` x `n` with a dequantization in front, and maybe its weights returned, too.
std::string dequantized(int64_t m, int64_t n, int64_t groups, int64_t k, bool returnsWeights) {
  std::string weights = llvm::formatv("tensor<{0}x{1}x{2}xf32>", groups, k, n);
  return llvm::formatv(R"(
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#scale = affine_map<(d0, d1, d2) -> (d0, d2)>
#lhs = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#rhs = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
#out = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
func.func @dispatch(%w: tensor<{2}x{3}x{1}xi4>, %s: tensor<{2}x{1}xf32>, %x: tensor<{0}x{2}x{3}xf32>,
                    %c: tensor<{0}x{1}xf32>) -> (tensor<{0}x{1}xf32>{4}) {{
  %e = tensor.empty() : {6}
  %d = linalg.generic {{indexing_maps = [#id3, #scale, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w, %s : tensor<{2}x{3}x{1}xi4>, tensor<{2}x{1}xf32>) outs(%e : {6}) {{
  ^bb0(%in: i4, %f: f32, %o: f32):
    %i = arith.extsi %in : i4 to i32
    %g = arith.sitofp %i : i32 to f32
    %y = arith.mulf %g, %f : f32
    linalg.yield %y : f32
  } -> {6}
  %r = linalg.generic {{indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %d : tensor<{0}x{2}x{3}xf32>, {6}) outs(%c : tensor<{0}x{1}xf32>) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %y = arith.addf %o, %p : f32
    linalg.yield %y : f32
  } -> tensor<{0}x{1}xf32>
  return %r{5} : tensor<{0}x{1}xf32>{4}
})",
                       m, n, groups, k, returnsWeights ? ", " + weights : "", returnsWeights ? ", %d" : "", weights);
}

TEST(TileReductions, KeepsWhatDequantizedProductsCompute) {
  for (unsigned draw = 0; draw < draws(12) && !HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 5);
    auto upTo = [&](int64_t limit) { return 1 + int64_t(random() % limit); };
    std::string source = dequantized(upTo(20), upTo(20), upTo(5), upTo(40), random() % 2);
    std::string pipeline = llvm::formatv(
        "fuselage-tile-reductions{{tile-sizes=0,0,{0},{1}},fuselage-promote-operands,fuselage-swap-alloc-tensor",
        upTo(3), upTo(16));
    Equivalence outcome = check(source, pipeline, draw);
    EXPECT_EQ(outcome.problem, "") << pipeline << "\n" << source << "\nbecame\n" << outcome.after;
  }
}

//===-- Updates -----------------------------------------------------------===//

/// Where the result of a nest goes.
enum class Sink { Returned, Tensor, Buffer, BufferInPlace };

/// A nest over tiles of a 2-d tensor; tiles may overlap, leave a rest, and read what was there.
std::string updates(Sink sink, std::mt19937 &random) {
  auto upTo = [&](int64_t limit) { return 1 + int64_t(random() % limit); };
  int64_t rows = upTo(12), columns = upTo(12), stepRows = upTo(rows), stepColumns = upTo(columns);
  int64_t tileRows = std::min(rows, stepRows + int64_t(random() % 2)), tileColumns = std::min(columns, stepColumns);
  int64_t firstColumn = random() % 4 == 0 && columns > 1 ? 1 : 0; // never an empty loop
  bool reads = random() % 2, transposedNest = random() % 2;
  std::string whole = llvm::formatv("tensor<{0}x{1}xf32>", rows, columns);
  std::string buffer = llvm::formatv("memref<{0}x{1}xf32>", rows, columns);
  std::string prologue = "  %start = tensor.cast %b : " + whole + " to " + whole + "\n", epilogue;
  if (sink == Sink::Returned)
    epilogue = "  %result = tensor.cast %r : " + whole + " to " + whole + "\n";
  if (sink == Sink::Tensor)
    epilogue = "  %e = tensor.empty() : " + whole +
               "\n  %result = bufferization.materialize_in_destination %r in %e : (" + whole + ", " + whole + ") -> " +
               whole + "\n";
  if (sink == Sink::Buffer || sink == Sink::BufferInPlace) {
    std::string init = "  %m = memref.alloc() : " + buffer + "\n";
    if (sink == Sink::BufferInPlace)
      prologue = init + "  bufferization.materialize_in_destination %b in writable %m : (" + whole + ", " + buffer +
                 ") -> ()\n  %start = bufferization.to_tensor %m restrict writable : " + buffer + " to " + whole + "\n";
    else
      prologue += init;
    epilogue = "  bufferization.materialize_in_destination %r in restrict writable %m : (" + whole + ", " + buffer +
               ") -> ()\n  %result = bufferization.to_tensor %m restrict : " + buffer + " to " + whole + "\n";
  }
  std::string outer = transposedNest ? "%j" : "%i", inner = transposedNest ? "%i" : "%j";
  auto bounds = [&](const std::string &iv) {
    return iv == "%i" ? "%c0 to %rows step %stepRows" : "%first to %columns step %stepColumns";
  };
  return llvm::formatv(R"(
#rest_rows = affine_map<(d0) -> (-d0 + {0}, {2})>
#rest_columns = affine_map<(d0) -> (-d0 + {1}, {3})>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @dispatch(%a: {4}, %b: {4}, %c: {4}) -> {4} {{
  %c0 = arith.constant 0 : index
  %first = arith.constant {5} : index
  %rows = arith.constant {0} : index
  %columns = arith.constant {1} : index
  %stepRows = arith.constant {6} : index
  %stepColumns = arith.constant {7} : index
{8}  %r = scf.for {10} = {11} iter_args(%x = %start) -> ({4}) {{
    %row = scf.for {12} = {13} iter_args(%y = %x) -> ({4}) {{
      %m0 = affine.min #rest_rows(%i)
      %n0 = affine.min #rest_columns(%j)
      %t = tensor.extract_slice %a[%i, %j] [%m0, %n0] [1, 1] : {4} to tensor<?x?xf32>
      %o = tensor.extract_slice {14}[%i, %j] [%m0, %n0] [1, 1] : {4} to tensor<?x?xf32>
      %v = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%t, %o : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) {{
      ^bb0(%p: f32, %q: f32, %old: f32):
        %two = arith.addf %q, %q : f32
        %s = arith.addf %p, %two : f32
        linalg.yield %s : f32
      } -> tensor<?x?xf32>
      %w = tensor.insert_slice %v into %y[%i, %j] [%m0, %n0] [1, 1] : tensor<?x?xf32> into {4}
      scf.yield %w : {4}
    }
    scf.yield %row : {4}
  }
{9}  return %result : {4}
})",
                       rows, columns, tileRows, tileColumns, whole, firstColumn, stepRows, stepColumns, prologue,
                       epilogue, outer, bounds(outer), inner, bounds(inner), reads ? "%y" : "%a");
}

class Updates : public testing::TestWithParam<Sink> {};

TEST_P(Updates, KeepTheirResults) {
  int rewritten = 0;
  for (unsigned draw = 0; draw < draws(25) && !HasFailure(); ++draw) {
    std::mt19937 random = randomOf(draw, 17);
    std::string source = updates(GetParam(), random);
    Equivalence outcome = check(source, "fuselage-rewrite-destructive-updates", draw, [&](ModuleOp module) {
      module.walk([&](scf::ForOp loop) {
        rewritten += loop.getBody()
                         ->walk([](bufferization::MaterializeInDestinationOp) { return WalkResult::interrupt(); })
                         .wasInterrupted();
      });
      return std::string();
    });
    EXPECT_EQ(outcome.problem, "") << "draw " << draw << "\n" << source << "\nbecame\n" << outcome.after;
  }
  // Two loops each; all are fit to be rewritten.
  EXPECT_EQ(rewritten, 2 * draws(25));
}

INSTANTIATE_TEST_SUITE_P(
    All, Updates, testing::Values(Sink::Returned, Sink::Tensor, Sink::Buffer, Sink::BufferInPlace),
    [](const auto &info) {
      return std::string(std::array{"Returned", "Tensor", "Buffer", "BufferInPlace"}[int(info.param)]);
    });

} // namespace
