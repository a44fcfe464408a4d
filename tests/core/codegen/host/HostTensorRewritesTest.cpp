// What is rewritten on tensors, so that good kernels come of it.
#include "core/device/HostProcessor.h"
#include "core/transforms/workgroups/sizes/TilingConfig.h"
#include "mlir/Support/DebugStringHelper.h"
#include "tests/core/codegen/host/HostKernelsBench.h"
#include "llvm/IR/Module.h"

using namespace fuselage;
using namespace fuselage::test;

namespace {

class HostTensorRewritesTest : public HostKernelsBench {};

} // namespace

TEST_F(HostTensorRewritesTest, ProductsThatShareAnOperandAreSummedOneByOne) {
  expectSame(R"(
    #l = affine_map<(m, n, k) -> (m, k)>
    #r = affine_map<(m, n, k) -> (n, k)>
    #o = affine_map<(m, n, k) -> (m, n)>
    func.func @f(%a: tensor<24x40xf32>, %b: tensor<33x40xf32>, %c: tensor<33x40xf32>) -> (tensor<24x33xf32>, tensor<24x33xf32>) {
      %one = arith.constant 1.0 : f32
      %e = tensor.empty() : tensor<24x33xf32>
      %i = linalg.fill ins(%one : f32) outs(%e : tensor<24x33xf32>) -> tensor<24x33xf32>
      %q:2 = linalg.generic {indexing_maps = [#l, #r, #r, #o, #o], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%a, %b, %c : tensor<24x40xf32>, tensor<33x40xf32>, tensor<33x40xf32>) outs(%i, %i : tensor<24x33xf32>, tensor<24x33xf32>) {
      ^bb0(%x: f32, %y: f32, %z: f32, %s: f32, %t: f32):
        %p = arith.mulf %x, %y : f32
        %p1 = arith.addf %s, %p : f32
        %n = arith.mulf %x, %z : f32
        %n1 = arith.addf %t, %n : f32
        linalg.yield %p1, %n1 : f32, f32
      } -> (tensor<24x33xf32>, tensor<24x33xf32>)
      return %q#0, %q#1 : tensor<24x33xf32>, tensor<24x33xf32>
    })");
}

/// The kernels that a sum of all of a tensor becomes.
static unsigned kernelsOfSum(Session &session, llvm::StringRef type, llvm::StringRef kinds, llvm::StringRef map) {
  auto module = parse(session, llvm::formatv(R"(
    func.func @f(%x: tensor<{0}xf32>) -> tensor<f32> {{
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<f32>
      %i = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
      %r = linalg.generic {{indexing_maps = [affine_map<{2} -> {2}>, affine_map<{2} -> ()>], iterator_types = [{1}]}
          ins(%x : tensor<{0}xf32>) outs(%i : tensor<f32>) {{
      ^bb0(%a: f32, %o: f32):
        %s = arith.addf %o, %a : f32
        linalg.yield %s : f32
      } -> tensor<f32>
      return %r : tensor<f32>
    })",
                                             type, kinds, map)
                                   .str());
  auto program = valueOf(HostProgram::compile(
      *module, {.compile = {.threads = HostThreading::Kernels, .checks = false, .wideAccumulators = false}}));
  return program ? program->kernels().kernels : 0;
}

TEST_F(HostTensorRewritesTest, ThreadsShareALongSum) {
  if (hostProcessor().threads < 2)
    GTEST_SKIP() << "there is one thread";
  unsigned parts = 1; // and the sum of those
  EXPECT_EQ(kernelsOfSum(session, "8", "\"reduction\"", "(i)"), 1u);
  EXPECT_EQ(kernelsOfSum(session, "65536", "\"reduction\"", "(i)"), 1u + parts);
  EXPECT_EQ(kernelsOfSum(session, "256x300", "\"reduction\", \"reduction\"", "(i, j)"), 1u + parts);
  EXPECT_EQ(kernelsOfSum(session, "65538", "\"reduction\"", "(i)"), 2u + parts) << "with what is left over";
}

TEST_F(HostTensorRewritesTest, LongSumsAreRight) {
  constexpr llvm::StringLiteral all = "affine_map<(i, j) -> (i, j)>", none = "affine_map<(i, j) -> ()>",
                                both = "\"reduction\", \"reduction\"";
  for (llvm::StringRef type : {"256x256xf32", "33x1002xf32", "70002x1xi32"}) {
    llvm::StringRef element = type.rsplit('x').second;
    expectSameMap(type, element, all, none, both,
                  element == "f32" ? "%r = arith.addf %a, %o : f32" : "%r = arith.addi %a, %o : i32");
  }
  expectSameMap("33x1002xf32", "f32", all, none, both, "%r = arith.maximumf %a, %o : f32");
  // Rows that are too few for all threads; a product of two vectors.
  expectSameMap("1x66000xf32", "1xf32", all, "affine_map<(i, j) -> (i)>", "\"parallel\", \"reduction\"",
                "%r = arith.addf %a, %o : f32");
  expectSame(R"(
    func.func @f(%a: tensor<40000xf32>, %b: tensor<40000xf32>) -> tensor<f32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<f32>
      %i = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
      %r = linalg.dot ins(%a, %b : tensor<40000xf32>, tensor<40000xf32>) outs(%i : tensor<f32>) -> tensor<f32>
      return %r : tensor<f32>
    })");
}

/// A row, or several, times weights that are unpacked before that.
static std::string unpackedProduct(unsigned rows) {
  return llvm::formatv(R"(
    #x = affine_map<(m, n, k) -> (m, k)>
    #w = affine_map<(m, n, k) -> (n, k)>
    #o = affine_map<(m, n, k) -> (m, n)>
    func.func @f(%x: tensor<{0}x64xf32>, %w: tensor<40x64xi4>, %scale: tensor<40xf32>) -> tensor<{0}x40xf32> {{
      %we = tensor.empty() : tensor<40x64xf32>
      %u = linalg.generic {{indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (n)>, affine_map<(n, k) -> (n, k)>], iterator_types = ["parallel", "parallel"]}
          ins(%w, %scale : tensor<40x64xi4>, tensor<40xf32>) outs(%we : tensor<40x64xf32>) {{
      ^bb0(%a: i4, %s: f32, %o: f32):
        %b = arith.extui %a : i4 to i32
        %c = arith.uitofp %b : i32 to f32
        %d = arith.mulf %c, %s : f32
        linalg.yield %d : f32
      } -> tensor<40x64xf32>
      %zero = arith.constant dense<0.0> : tensor<{0}x40xf32>
      %r = linalg.generic {{indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%x, %u : tensor<{0}x64xf32>, tensor<40x64xf32>) outs(%zero : tensor<{0}x40xf32>) {{
      ^bb0(%a: f32, %b: f32, %o: f32):
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %o, %p : f32
        linalg.yield %s : f32
      } -> tensor<{0}x40xf32>
      return %r : tensor<{0}x40xf32>
    })",
                       rows)
      .str();
}

TEST_F(HostTensorRewritesTest, WeightsOfOneRowHaveNoMemory) {
  auto kernelsOf = [&](unsigned rows) {
    std::string source = unpackedProduct(rows);
    expectSame(source);
    auto program = valueOf(HostProgram::compile(
        *parse(session, source),
        {.compile = {.threads = HostThreading::Kernels, .checks = false, .wideAccumulators = false}}));
    return program ? program->kernels().kernels : 0;
  };
  EXPECT_EQ(kernelsOf(1) + 1, kernelsOf(3)) << "three rows read what a kernel unpacks";
}

TEST_F(HostTensorRewritesTest, FunctionsOfNarrowFloatsAreVectors) {
  std::string source = R"(
    func.func @f(%x: tensor<33x70xf16>) -> tensor<33x70xf16> {
      %e = tensor.empty() : tensor<33x70xf16>
      %r = linalg.tanh ins(%x : tensor<33x70xf16>) outs(%e : tensor<33x70xf16>) -> tensor<33x70xf16>
      return %r : tensor<33x70xf16>
    })";
  expectSame(source, 0.002);
  bool callsLibrary = false;
  HostProgramOptions options{
      .compile = {.threads = HostThreading::Kernels, .checks = false, .wideAccumulators = false}};
  options.compile.optimized = [&](llvm::Module &code) { callsLibrary |= code.getFunction("tanhf") != nullptr; };
  auto program = valueOf(HostProgram::compile(*parse(session, source), options));
  EXPECT_FALSE(program->prepare("f"));
  EXPECT_FALSE(callsLibrary) << "element by element";
}

// What exporters make of a projection: its weights repeated for each token.
TEST_F(HostTensorRewritesTest, RepeatedWeightsAreReadWhereTheyAre) {
  std::string source = R"(
    func.func @f(%x: tensor<19x1x24xf32>, %w: tensor<24x40xf32>) -> tensor<19x1x40xf32> {
      %zero = arith.constant 0.0 : f32
      %we = tensor.empty() : tensor<19x24x40xf32>
      %repeated = linalg.broadcast ins(%w : tensor<24x40xf32>) outs(%we : tensor<19x24x40xf32>) dimensions = [0]
      %e = tensor.empty() : tensor<19x1x40xf32>
      %i = linalg.fill ins(%zero : f32) outs(%e : tensor<19x1x40xf32>) -> tensor<19x1x40xf32>
      %r = linalg.batch_matmul ins(%x, %repeated : tensor<19x1x24xf32>, tensor<19x24x40xf32>) outs(%i : tensor<19x1x40xf32>) -> tensor<19x1x40xf32>
      return %r : tensor<19x1x40xf32>
    })";
  expectSame(source);
  auto program = valueOf(HostProgram::compile(
      *parse(session, source),
      {.compile = {.threads = HostThreading::Kernels, .checks = false, .wideAccumulators = false}}));
  ASSERT_TRUE(program);
  EXPECT_EQ(program->kernels().kernels, 1u) << "the product alone, which starts from its fill";
}

/// A norm of `rows` by `length`, over either, whose ops read what they share again; with the mean, too.
static std::string norm(int64_t rows, int64_t length, bool alongColumns) {
  return llvm::formatv(R"(
    #all = affine_map<(i, j) -> (i, j)>
    #one = affine_map<(i, j) -> ({2})>
    #each = affine_map<(i) -> (i)>
    func.func @f(%x: tensor<{0}x{1}xf32>) -> (tensor<{0}x{1}xf32>, tensor<{3}xf32>) {{
      %zero = arith.constant 0.0 : f32
      %count = arith.constant {4}.0 : f32
      %eps = arith.constant 1.0e-5 : f32
      %r = tensor.empty() : tensor<{3}xf32>
      %e = tensor.empty() : tensor<{0}x{1}xf32>
      %i = linalg.fill ins(%zero : f32) outs(%r : tensor<{3}xf32>) -> tensor<{3}xf32>
      %s = linalg.generic {{indexing_maps = [#all, #one], iterator_types = [{5}]} ins(%x : tensor<{0}x{1}xf32>) outs(%i : tensor<{3}xf32>) {{
      ^bb0(%a: f32, %o: f32):
        %t = arith.addf %o, %a : f32
        linalg.yield %t : f32
      } -> tensor<{3}xf32>
      %m = linalg.generic {{indexing_maps = [#each, #each], iterator_types = ["parallel"]} ins(%s : tensor<{3}xf32>) outs(%r : tensor<{3}xf32>) {{
      ^bb0(%a: f32, %o: f32):
        %t = arith.divf %a, %count : f32
        linalg.yield %t : f32
      } -> tensor<{3}xf32>
      %d = linalg.generic {{indexing_maps = [#all, #one, #all], iterator_types = ["parallel", "parallel"]}
          ins(%x, %m : tensor<{0}x{1}xf32>, tensor<{3}xf32>) outs(%e : tensor<{0}x{1}xf32>) {{
      ^bb0(%a: f32, %b: f32, %o: f32):
        %t = arith.subf %a, %b : f32
        linalg.yield %t : f32
      } -> tensor<{0}x{1}xf32>
      %v = linalg.generic {{indexing_maps = [#all, #one], iterator_types = [{5}]} ins(%d : tensor<{0}x{1}xf32>) outs(%i : tensor<{3}xf32>) {{
      ^bb0(%a: f32, %o: f32):
        %q = arith.mulf %a, %a : f32
        %t = arith.addf %o, %q : f32
        linalg.yield %t : f32
      } -> tensor<{3}xf32>
      %n = linalg.generic {{indexing_maps = [#all, #one, #all], iterator_types = ["parallel", "parallel"]}
          ins(%d, %v : tensor<{0}x{1}xf32>, tensor<{3}xf32>) outs(%e : tensor<{0}x{1}xf32>) {{
      ^bb0(%a: f32, %b: f32, %o: f32):
        %w = arith.addf %b, %eps : f32
        %q = math.rsqrt %w : f32
        %t = arith.mulf %a, %q : f32
        linalg.yield %t : f32
      } -> tensor<{0}x{1}xf32>
      return %n, %m : tensor<{0}x{1}xf32>, tensor<{3}xf32>
    })",
                       rows, length, alongColumns ? "j" : "i", alongColumns ? length : rows,
                       alongColumns ? rows : length,
                       alongColumns ? R"("reduction", "parallel")" : R"("parallel", "reduction")")
      .str();
}

/// Rows divided by their sums, which are a column of one element each.
static std::string keepingDimension(int64_t rows, int64_t length) {
  return llvm::formatv(R"(
    #all = affine_map<(i, j) -> (i, j)>
    #one = affine_map<(i, j) -> (i, 0)>
    func.func @f(%x: tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32> {{
      %start = arith.constant 1000.0 : f32
      %r = tensor.empty() : tensor<{0}x1xf32>
      %e = tensor.empty() : tensor<{0}x{1}xf32>
      %i = linalg.fill ins(%start : f32) outs(%r : tensor<{0}x1xf32>) -> tensor<{0}x1xf32>
      %s = linalg.generic {{indexing_maps = [#all, #one], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<{0}x{1}xf32>) outs(%i : tensor<{0}x1xf32>) {{
      ^bb0(%a: f32, %o: f32):
        %t = arith.addf %o, %a : f32
        linalg.yield %t : f32
      } -> tensor<{0}x1xf32>
      %d = linalg.generic {{indexing_maps = [#all, #one, #all], iterator_types = ["parallel", "parallel"]}
          ins(%x, %s : tensor<{0}x{1}xf32>, tensor<{0}x1xf32>) outs(%e : tensor<{0}x{1}xf32>) {{
      ^bb0(%a: f32, %b: f32, %o: f32):
        %t = arith.divf %a, %b : f32
        linalg.yield %t : f32
      } -> tensor<{0}x{1}xf32>
      return %d : tensor<{0}x{1}xf32>
    })",
                       rows, length)
      .str();
}

TEST_F(HostTensorRewritesTest, WhatReadsTheSameRowsGoesBlockByBlock) {
  auto callsOf = [&](llvm::StringRef source) {
    expectSame(source, 1e-5);
    auto program = valueOf(HostProgram::compile(
        *parse(session, source),
        {.compile = {.threads = HostThreading::Kernels, .checks = false, .wideAccumulators = false}}));
    return program ? program->kernels().calls.size() : 0;
  };
  EXPECT_EQ(callsOf(norm(512, 300, false)), 1u) << "rows, of which one is read four times";
  EXPECT_EQ(callsOf(norm(509, 1301, false)), 1u) << "a prime number of them";
  EXPECT_EQ(callsOf(norm(300, 512, true)), 1u) << "columns, some lines of the cache side by side";
  EXPECT_EQ(callsOf(keepingDimension(512, 300)), 1u) << "sums of one column, as exporters write them";
  EXPECT_GT(callsOf(norm(300, 509, true)), 1u) << "columns that no number of lines divides";
  EXPECT_GT(callsOf(norm(16, 16, false)), 1u) << "too little";
}

TEST_F(HostTensorRewritesTest, BlocksHaveTheRequestedRows) {
  /// Tasks of the loop over blocks if the last reduction requests blocks of so many rows; 0: there is no such loop.
  auto blocksOf = [&](const std::string &source, llvm::ArrayRef<int64_t> host) -> int64_t {
    auto module = parse(session, source);
    mlir::linalg::LinalgOp last;
    module->walk([&](mlir::linalg::LinalgOp op) { last = op.getNumReductionLoops() > 0 ? op : last; });
    TilingConfig config;
    config.host.append(host.begin(), host.end());
    writeTilingConfig(last, config);
    expectSame(mlir::debugString(*module), 1e-5);
    auto program = valueOf(HostProgram::compile(
        *module, {.compile = {.threads = HostThreading::Kernels, .checks = false, .wideAccumulators = false}}));
    return program && program->kernels().calls.size() == 1 ? program->kernels().calls.front().count : 0;
  };
  std::string rows = norm(512, 300, false), columns = norm(300, 512, true);
  int64_t chosen = blocksOf(rows, {}), chosenColumns = blocksOf(columns, {});
  EXPECT_GT(chosen, 1);
  EXPECT_GT(chosenColumns, 1);
  EXPECT_EQ(blocksOf(rows, {2, 1, 512, 0, 16}), 32);
  EXPECT_EQ(blocksOf(rows, {2, 1, 512, 0, 1}), 512);
  EXPECT_EQ(blocksOf(columns, {1, 1, 1, 0, 32}), 16);
  EXPECT_EQ(blocksOf(rows, {2, 1, 64, 0, 512}), 0) << "all rows: there is no loop";
  EXPECT_EQ(blocksOf(rows, {2, 1, 64, 0}), 0) << "sizes of a library that knows no blocks";
  EXPECT_EQ(blocksOf(rows, {2, 1, 512, 0, 7}), chosen) << "7 does not divide the rows";
  EXPECT_EQ(blocksOf(columns, {1, 1, 1, 0, 8}), chosenColumns) << "half a line of the cache";
  std::string large = norm(512, 4000, false);
  EXPECT_EQ(blocksOf(large, {2, 1, 512, 0, 256}), blocksOf(large, {})) << "more than the second cache holds";
}

TEST_F(HostTensorRewritesTest, ASumBesideWhatIsReadOfItsOpIsWhole) {
  // What the quotient reads has a loop that is a reduction of the op's other result.
  auto module = parse(session, R"(
    #t = affine_map<(k, i) -> (k, i)>
    func.func @f(%x: tensor<512x300xf32>) -> (tensor<512x300xf32>, tensor<300xf32>) {
      %zero = arith.constant 0.0 : f32
      %two = arith.constant 2.0 : f32
      %e = tensor.empty() : tensor<512x300xf32>
      %r = tensor.empty() : tensor<300xf32>
      %i = linalg.fill ins(%zero : f32) outs(%r : tensor<300xf32>) -> tensor<300xf32>
      %p:2 = linalg.generic {indexing_maps = [#t, #t, affine_map<(k, i) -> (i)>], iterator_types = ["reduction", "parallel"]}
          ins(%x : tensor<512x300xf32>) outs(%e, %i : tensor<512x300xf32>, tensor<300xf32>) {
      ^bb0(%a: f32, %o: f32, %s: f32):
        %b = arith.addf %a, %two : f32
        %t = arith.addf %s, %b : f32
        linalg.yield %b, %t : f32, f32
      } -> (tensor<512x300xf32>, tensor<300xf32>)
      %d = linalg.generic {indexing_maps = [#t, #t, #t], iterator_types = ["parallel", "parallel"]}
          ins(%p#0, %x : tensor<512x300xf32>, tensor<512x300xf32>) outs(%e : tensor<512x300xf32>) {
      ^bb0(%a: f32, %b: f32, %o: f32):
        %q = arith.mulf %a, %b : f32
        linalg.yield %q : f32
      } -> tensor<512x300xf32>
      return %d, %p#1 : tensor<512x300xf32>, tensor<300xf32>
    })");
  auto plain = valueOf(HostProgram::compile(*module, {.compile = {.wideAccumulators = false}}));
  auto kernels = valueOf(HostProgram::compile(
      *module, {.compile = {.threads = HostThreading::Kernels, .checks = false, .wideAccumulators = false}}));
  ASSERT_TRUE(plain && kernels);
  EXPECT_EQ(kernels->kernels().plain, 1u) << "what is written with each step of a sum";
  std::vector<HostTensor> arguments = argumentsOf(*module);
  auto expected = valueOf(plain->call("f", arguments)), actual = valueOf(kernels->call("f", arguments));
  for (size_t result = 0; result < actual.size(); ++result)
    for (int64_t i = 0; i < actual[result].elementCount(); ++i)
      ASSERT_EQ(actual[result].floatAt(i), expected[result].floatAt(i)) << "element " << i << " of result " << result;
}

TEST_F(HostTensorRewritesTest, NarrowSumsAreMadeInWiderOnes) {
  // 4096 ones are no sum of bf16 that goes up by one each: it would stay at 256.
  std::string source = R"(
    func.func @f(%a: tensor<4x4096xbf16>, %b: tensor<4096x40xbf16>) -> tensor<4x40xbf16> {
      %zero = arith.constant 0.0 : bf16
      %one = arith.constant 1.0 : bf16
      %ea = tensor.empty() : tensor<4x4096xbf16>
      %eb = tensor.empty() : tensor<4096x40xbf16>
      %oa = linalg.fill ins(%one : bf16) outs(%ea : tensor<4x4096xbf16>) -> tensor<4x4096xbf16>
      %ob = linalg.fill ins(%one : bf16) outs(%eb : tensor<4096x40xbf16>) -> tensor<4096x40xbf16>
      %e = tensor.empty() : tensor<4x40xbf16>
      %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<4x40xbf16>) -> tensor<4x40xbf16>
      %r = linalg.matmul ins(%oa, %ob : tensor<4x4096xbf16>, tensor<4096x40xbf16>) outs(%i : tensor<4x40xbf16>) -> tensor<4x40xbf16>
      return %r : tensor<4x40xbf16>
    })";
  auto module = parse(session, source);
  auto program = valueOf(HostProgram::compile(
      *module, {.compile = {.threads = HostThreading::Kernels, .checks = false, .wideAccumulators = false}}));
  ASSERT_TRUE(program);
  auto results = valueOf(program->call("f", argumentsOf(*module)));
  for (int64_t i = 0; i < results.front().elementCount(); ++i)
    ASSERT_EQ(results.front().floatAt(i), 4096.0) << i;
}
