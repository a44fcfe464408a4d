// What is rewritten on tensors, so that good kernels come of it.
#include "core/runtime/kernels/HostCpu.h"
#include "tests/core/runtime/kernels/HostKernelsBench.h"
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
    })", type, kinds, map).str());
  auto program = valueOf(HostProgram::compile(*module, {.jit = {.threads = HostThreading::Kernels}, .checks = false, .wideSums = false}));
  return program ? program->kernels().kernels : 0;
}

TEST_F(HostTensorRewritesTest, ThreadsShareALongSum) {
  if (hostCpu().threads < 2)
    GTEST_SKIP() << "there is one thread";
  unsigned parts = 1; // and the sum of those
  EXPECT_EQ(kernelsOfSum(session, "8", "\"reduction\"", "(i)"), 1u);
  EXPECT_EQ(kernelsOfSum(session, "65536", "\"reduction\"", "(i)"), 1u + parts);
  EXPECT_EQ(kernelsOfSum(session, "256x300", "\"reduction\", \"reduction\"", "(i, j)"), 1u + parts);
  EXPECT_EQ(kernelsOfSum(session, "65538", "\"reduction\"", "(i)"), 2u + parts) << "with what is left over";
}

TEST_F(HostTensorRewritesTest, LongSumsAreRight) {
  constexpr llvm::StringLiteral all = "affine_map<(i, j) -> (i, j)>", none = "affine_map<(i, j) -> ()>", both = "\"reduction\", \"reduction\"";
  for (llvm::StringRef type : {"256x256xf32", "33x1002xf32", "70002x1xi32"}) {
    llvm::StringRef element = type.rsplit('x').second;
    expectSameMap(type, element, all, none, both, element == "f32" ? "%r = arith.addf %a, %o : f32" : "%r = arith.addi %a, %o : i32");
  }
  expectSameMap("33x1002xf32", "f32", all, none, both, "%r = arith.maximumf %a, %o : f32");
  // Rows that are too few for all threads; a product of two vectors.
  expectSameMap("1x66000xf32", "1xf32", all, "affine_map<(i, j) -> (i)>", "\"parallel\", \"reduction\"", "%r = arith.addf %a, %o : f32");
  expectSame(R"(
    func.func @f(%a: tensor<40000xf32>, %b: tensor<40000xf32>) -> tensor<f32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<f32>
      %i = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
      %r = linalg.dot ins(%a, %b : tensor<40000xf32>, tensor<40000xf32>) outs(%i : tensor<f32>) -> tensor<f32>
      return %r : tensor<f32>
    })");
}

/// A row, or several, times weights that are unpacked in front of that.
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
    })", rows).str();
}

TEST_F(HostTensorRewritesTest, WeightsOfOneRowHaveNoMemory) {
  auto kernelsOf = [&](unsigned rows) {
    std::string source = unpackedProduct(rows);
    expectSame(source);
    auto program = valueOf(HostProgram::compile(*parse(session, source), {.jit = {.threads = HostThreading::Kernels}, .checks = false, .wideSums = false}));
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
  HostProgramOptions options{.jit = {.threads = HostThreading::Kernels}, .checks = false, .wideSums = false};
  options.jit.optimized = [&](llvm::Module &code) { callsLibrary |= code.getFunction("tanhf") != nullptr; };
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
  auto program = valueOf(HostProgram::compile(*parse(session, source), {.jit = {.threads = HostThreading::Kernels}, .checks = false, .wideSums = false}));
  ASSERT_TRUE(program);
  EXPECT_EQ(program->kernels().kernels, 1u) << "the product alone, which starts from its fill";
}
