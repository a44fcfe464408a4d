// What only moves elements, and long sums, as kernels of the device that runs.
#include "core/registration/Registration.h"
#include "core/run/Run.h"
#include "tests/core/run/RunTestSupport.h"
#include "tests/core/run/VulkanId.h"
#include <set>

using namespace fuselage;
using namespace fuselage::test;

namespace {

class RunMoves : public ::testing::TestWithParam<const char *> {
protected:
  /// Runs on the device alone, and is right. `ofGpu`: so many kernels are it there; 0: any number.
  void expectKernels(const char *source, size_t dispatches, size_t ofGpu = 0) {
    RunOptions options;
    options.device = llvm::StringRef(GetParam()) == "vulkan" ? vulkanId() : GetParam();
    options.repeat = 2;
    options.warmup = 0;
    if (options.device.empty())
      GTEST_SKIP() << "there is no Vulkan loader";
    auto module = parse(session, source);
    ASSERT_TRUE(module);
    auto report = valueOf(runModule(session, *module, options));
    EXPECT_TRUE(report.ok()) << report.why;
    std::set<std::string> names;
    for (const KernelReport &kernel : report.kernels) {
      EXPECT_EQ(kernel.kind, KernelReport::Kind::Dispatch) << kernel.dispatch;
      names.insert(kernel.dispatch);
    }
    EXPECT_EQ(names.size(), dispatches);
    if (ofGpu != 0 && options.device != "host") {
      EXPECT_EQ(report.kernels.size(), ofGpu);
    }
    for (const Diagnostic &remark : report.remarks)
      EXPECT_EQ(remark.message.find("plain kernel"), std::string::npos) << remark.message;
  }
  Session session{allDialects()};
};

TEST_P(RunMoves, EachPartOfAConcatenationIsWrittenWhereItBelongs) {
  expectKernels(R"(
    func.func @join(%a: tensor<1x24x20xf32>, %first: tensor<1x1x24xf32>) -> tensor<1x21x24xf32> {
      %e = tensor.empty() : tensor<1x20x24xf32>
      %t = linalg.transpose ins(%a : tensor<1x24x20xf32>) outs(%e : tensor<1x20x24xf32>) permutation = [0, 2, 1]
      %r = tensor.concat dim(1) %first, %t : (tensor<1x1x24xf32>, tensor<1x20x24xf32>) -> tensor<1x21x24xf32>
      return %r : tensor<1x21x24xf32>
    })",
                1, 2);
}

TEST_P(RunMoves, RotaryEmbedding) {
  expectKernels(R"(
    #all = affine_map<(b, s, d) -> (b, s, d)>
    #row = affine_map<(b, s, d) -> (s, d)>
    func.func @rope(%x: tensor<3x20x32xf32>, %c: tensor<20x32xf32>, %s: tensor<20x32xf32>) -> tensor<3x20x32xf32> {
      %l = tensor.extract_slice %x[0, 0, 0] [3, 20, 16] [1, 1, 1] : tensor<3x20x32xf32> to tensor<3x20x16xf32>
      %r = tensor.extract_slice %x[0, 0, 16] [3, 20, 16] [1, 1, 1] : tensor<3x20x32xf32> to tensor<3x20x16xf32>
      %eh = tensor.empty() : tensor<3x20x16xf32>
      %n = linalg.negf ins(%r : tensor<3x20x16xf32>) outs(%eh : tensor<3x20x16xf32>) -> tensor<3x20x16xf32>
      %j = tensor.concat dim(2) %n, %l : (tensor<3x20x16xf32>, tensor<3x20x16xf32>) -> tensor<3x20x32xf32>
      %e = tensor.empty() : tensor<3x20x32xf32>
      %y = linalg.generic {indexing_maps = [#all, #all, #row, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%x, %j, %c, %s : tensor<3x20x32xf32>, tensor<3x20x32xf32>, tensor<20x32xf32>, tensor<20x32xf32>) outs(%e : tensor<3x20x32xf32>) {
      ^bb0(%a: f32, %b: f32, %cos: f32, %sin: f32, %o: f32):
        %p = arith.mulf %a, %cos : f32
        %q = arith.mulf %b, %sin : f32
        %t = arith.addf %p, %q : f32
        linalg.yield %t : f32
      } -> tensor<3x20x32xf32>
      return %y : tensor<3x20x32xf32>
    })",
                2);
}

TEST_P(RunMoves, JoinsOfManyTypes) {
  for (const char *type : {"f32", "f16", "bf16", "i8", "i1", "i64"}) {
    std::string source = R"(
      func.func @join(%a: tensor<5x7xT>, %b: tensor<5x4xT>, %c: tensor<5x1xT>) -> tensor<5x12xT> {
        %j = tensor.concat dim(1) %a, %b, %c : (tensor<5x7xT>, tensor<5x4xT>, tensor<5x1xT>) -> tensor<5x12xT>
        return %j : tensor<5x12xT>
      })";
    for (size_t at; (at = source.find("xT>")) != std::string::npos;)
      source.replace(at + 1, 1, type);
    expectKernels(source.c_str(), 1);
  }
}

TEST_P(RunMoves, InsertionsIntoATensorThatIsGiven) {
  expectKernels(R"(
    func.func @cache(%cache: tensor<4x64x8xf32>, %k: tensor<4x1x8xf32>, %v: tensor<4x2x8xf32>) -> (tensor<4x64x8xf32>, tensor<4x64x8xf32>) {
      %0 = tensor.insert_slice %k into %cache[0, 17, 0] [4, 1, 8] [1, 1, 1] : tensor<4x1x8xf32> into tensor<4x64x8xf32>
      %1 = tensor.insert_slice %v into %0[0, 18, 0] [4, 2, 8] [1, 1, 1] : tensor<4x2x8xf32> into tensor<4x64x8xf32>
      return %0, %1 : tensor<4x64x8xf32>, tensor<4x64x8xf32>
    })",
                2);
}

TEST_P(RunMoves, SlicesThatAreNeededByThemselves) {
  expectKernels(R"(
    func.func @slices(%x: tensor<16x48xf32>) -> (tensor<16x2x8xf32>, tensor<4x9xf32>, tensor<16xf32>) {
      %0 = tensor.extract_slice %x[0, 16] [16, 16] [1, 1] : tensor<16x48xf32> to tensor<16x16xf32>
      %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [16, 2, 8] : tensor<16x16xf32> into tensor<16x2x8xf32>
      %2 = tensor.extract_slice %x[3, 1] [4, 9] [4, 5] : tensor<16x48xf32> to tensor<4x9xf32>
      %3 = tensor.extract_slice %x[0, 47] [16, 1] [1, 1] : tensor<16x48xf32> to tensor<16xf32>
      return %1, %2, %3 : tensor<16x2x8xf32>, tensor<4x9xf32>, tensor<16xf32>
    })",
                3);
}

TEST_P(RunMoves, LongSums) {
  expectKernels(R"(
    func.func @sums(%x: tensor<300x1001xf32>, %y: tensor<2x9000xf32>) -> (tensor<f32>, tensor<2xf32>) {
      %zero = arith.constant dense<0.0> : tensor<f32>
      %zeros = arith.constant dense<0.0> : tensor<2xf32>
      %r = linalg.reduce ins(%x : tensor<300x1001xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1] (%a: f32, %acc: f32) {
        %s = arith.addf %acc, %a : f32
        linalg.yield %s : f32
      }
      %s = linalg.reduce ins(%y : tensor<2x9000xf32>) outs(%zeros : tensor<2xf32>) dimensions = [1] (%a: f32, %acc: f32) {
        %s = arith.addf %acc, %a : f32
        linalg.yield %s : f32
      }
      return %r, %s : tensor<f32>, tensor<2xf32>
    })",
                2);
}

/// A maximum, exponentials and their sum, and a division: where a few long rows are shared, each has kernels of its
/// own.
TEST_P(RunMoves, SoftmaxOfFewLongRows) {
  expectKernels(R"(
    func.func @rows(%x: tensor<2x50001xf32>) -> tensor<2x50001xf32> {
      %e = tensor.empty() : tensor<2x50001xf32>
      %s = linalg.softmax dimension(1) ins(%x : tensor<2x50001xf32>) outs(%e : tensor<2x50001xf32>) -> tensor<2x50001xf32>
      return %s : tensor<2x50001xf32>
    })",
                1);
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Devices, RunMoves, ::testing::Values("host", "vulkan"));
