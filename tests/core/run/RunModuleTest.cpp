#include "core/protocol/json/JsonWriter.h"
#include "core/registration/Registration.h"
#include "core/run/Run.h"
#include "core/run/progress/RunProgress.h"
#include "tests/core/run/RunTestSupport.h"
#include "tests/core/run/VulkanId.h"
#include <cmath>
#include <thread>

using namespace fuselage;
using namespace fuselage::test;

static const char *matmulBias = R"(
  func.func @matmul_bias(%a: tensor<33x40xf32>, %b: tensor<40x17xf32>, %bias: tensor<17xf32>) -> tensor<33x17xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<33x17xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<33x17xf32>) -> tensor<33x17xf32>
    %c = linalg.matmul ins(%a, %b : tensor<33x40xf32>, tensor<40x17xf32>) outs(%z : tensor<33x17xf32>) -> tensor<33x17xf32>
    %d = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : tensor<33x17xf32>, tensor<17xf32>) outs(%e : tensor<33x17xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<33x17xf32>
    return %d : tensor<33x17xf32>
  })";

static const char *dynamicMatmul = R"(
  func.func @dynamic(%a: tensor<?x8xf32>, %b: tensor<8x?xf32>) -> tensor<?x?xf32> {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = tensor.dim %a, %c0 : tensor<?x8xf32>
    %n = tensor.dim %b, %c1 : tensor<8x?xf32>
    %e = tensor.empty(%m, %n) : tensor<?x?xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
    %c = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x?xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
    return %c : tensor<?x?xf32>
  })";

/// A dispatch in a loop, one in a branch, scalars and slices between them.
static const char *controlFlow = R"(
  func.func @flow(%x: tensor<16xf32>, %n: index, %flag: i1) -> (tensor<16xf32>, tensor<4xf32>, index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %x) -> (tensor<16xf32>) {
      %e = tensor.empty() : tensor<16xf32>
      %d = flow.dispatch.region -> (tensor<16xf32>) {
        %s = linalg.add ins(%acc, %x : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
        flow.return %s : tensor<16xf32>
      }
      scf.yield %d : tensor<16xf32>
    }
    %p = scf.if %flag -> (tensor<16xf32>) {
      %e = tensor.empty() : tensor<16xf32>
      %d = flow.dispatch.region -> (tensor<16xf32>) {
        %s = linalg.mul ins(%r, %r : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
        flow.return %s : tensor<16xf32>
      }
      scf.yield %d : tensor<16xf32>
    } else {
      scf.yield %r : tensor<16xf32>
    }
    %q = tensor.extract_slice %p[4] [4] [2] : tensor<16xf32> to tensor<4xf32>
    %m = arith.addi %n, %c1 : index
    return %p, %q, %m : tensor<16xf32>, tensor<4xf32>, index
  })";

namespace {

/// Runs on the host and on Vulkan.
class RunModule : public ::testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    options.device = GetParam();
    options.repeat = 3;
    options.warmup = 1;
    if (options.device == "vulkan")
      options.device = vulkanId();
    if (options.device.empty())
      GTEST_SKIP() << "there is no Vulkan loader";
  }
  /// Expects a run in which every kernel ran on the asked device and everything is right.
  void expectRight(const RunReport &report) {
    EXPECT_TRUE(report.ok()) << report.why;
    EXPECT_FALSE(report.kernels.empty());
    EXPECT_FALSE(report.outputs.empty());
    for (const KernelReport &kernel : report.kernels) {
      EXPECT_LE(kernel.minUs, kernel.medianUs);
      if (kernel.kind == KernelReport::Kind::Host)
        continue;
      EXPECT_EQ(kernel.device, options.device) << kernel.dispatch;
      EXPECT_TRUE(kernel.check.ok()) << kernel.dispatch << ": " << kernel.check.why;
      EXPECT_GT(kernel.medianUs, 0);
      EXPECT_LE(kernel.minUs, kernel.medianUs);
      EXPECT_LE(kernel.medianUs, kernel.p95Us);
    }
    for (const OutputReport &output : report.outputs)
      EXPECT_TRUE(output.check.ok()) << output.type << ": " << output.check.why;
    for (const Diagnostic &remark : report.remarks)
      std::cerr << formatDiagnostic(remark) << '\n';
  }
  Session session{allDialects()};
  RunOptions options;
};

} // namespace

TEST_P(RunModule, MatmulWithBias) {
  auto module = parse(session, matmulBias);
  std::vector<std::string> said;
  options.progress = [&](const RunProgress &progress) {
    EXPECT_LE(progress.done, progress.total);
    said.push_back(progress.what);
  };
  auto report = valueOf(runModule(session, *module, options));
  expectRight(report);
  EXPECT_EQ(report.device, options.device);
  EXPECT_EQ(report.function, "matmul_bias");
  ASSERT_FALSE(report.kernels.empty());
  EXPECT_EQ(report.kernels[0].dispatchIndex, 0);
  EXPECT_GT(report.kernels[0].gflops, 0);
  EXPECT_GT(report.kernels[0].gbps, 0);
  ASSERT_EQ(report.outputs.size(), 1u);
  EXPECT_EQ(report.outputs[0].type, "tensor<33x17xf32>");
  EXPECT_GE(said.size(), 3u);
  EXPECT_EQ(said.back(), "done");
}

TEST_P(RunModule, DynamicSizesAreChosenOrFilledIn) {
  auto module = parse(session, dynamicMatmul);
  auto chosen = valueOf(runModule(session, *module, options));
  expectRight(chosen);
  ASSERT_EQ(chosen.outputs.size(), 1u);
  EXPECT_EQ(chosen.outputs[0].type, "tensor<32x32xf32>");
  ASSERT_FALSE(chosen.remarks.empty());
  EXPECT_NE(chosen.remarks[0].message.find("arg0.0 = 32, arg1.1 = 32"), std::string::npos) << chosen.remarks[0].message;
  options.sizes = {{"arg0.0", 5}, {"arg1.1", 6}, {"arg2.0", 1}};
  std::string error = errorOf(runModule(session, *module, options));
  EXPECT_NE(error.find("'arg2.0' names no dimension"), std::string::npos) << error;
  options.sizes = {{"arg0.0", 5}, {"arg1.1", 6}, {"arg0.1", 9}};
  error = errorOf(runModule(session, *module, options));
  EXPECT_NE(error.find("the size 9 does not fit arg0.1"), std::string::npos) << error;
  options.sizes = {{"arg0.0", 5}, {"arg1.1", 6}};
  auto report = valueOf(runModule(session, *module, options));
  expectRight(report);
  ASSERT_EQ(report.outputs.size(), 1u);
  EXPECT_EQ(report.outputs[0].type, "tensor<5x6xf32>");
}

TEST_P(RunModule, DispatchesInsideControlFlow) {
  auto module = parse(session, controlFlow);
  auto report = valueOf(runModule(session, *module, options));
  expectRight(report);
  EXPECT_GE(report.kernels.size(), 3u);
  EXPECT_EQ(report.outputs.size(), 3u);
}

TEST_P(RunModule, CancelEndsTheRun) {
  auto module = parse(session, matmulBias);
  std::atomic<bool> cancelled = false;
  options.cancelled = &cancelled;
  options.repeat = 1000000;
  options.secondsPerDispatch = 1000;
  std::jthread canceller;
  options.progress = [&](const RunProgress &progress) {
    if (!llvm::StringRef(progress.what).starts_with("compiling") || canceller.joinable())
      return;
    canceller = std::jthread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      cancelled = true;
    });
  };
  EXPECT_EQ(errorOf(runModule(session, *module, options)).substr(0, 9), "cancelled");
}

/// Two elementwise ops, of which one is in a dispatch already.
static const char *partlyFormed = R"(
  #id = affine_map<(i) -> (i)>
  #sum = affine_map<(i) -> ()>
  func.func @partly(%x: tensor<64xf32>, %i: tensor<4xi64>) -> (tensor<64xf32>, tensor<f32>, f32) {
    %e = tensor.empty() : tensor<64xf32>
    %0 = flow.dispatch.region -> (tensor<64xf32>) {
      %s = linalg.exp ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
      flow.return %s : tensor<64xf32>
    }
    %zero = arith.constant dense<0.0> : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#id, #sum], iterator_types = ["reduction"]} ins(%0 : tensor<64xf32>) outs(%zero : tensor<f32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<f32>
    %2 = linalg.tanh ins(%0 : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %c2 = arith.constant 2 : index
    %n = tensor.extract %i[%c2] : tensor<4xi64>
    %at = arith.index_cast %n : i64 to index
    %v = tensor.extract %0[%at] : tensor<64xf32>
    return %2, %1, %v : tensor<64xf32>, tensor<f32>, f32
  })";

TEST_P(RunModule, OpsOutsideOfDispatchesAreRunAndListedToo) {
  auto module = parse(session, partlyFormed);
  auto report = valueOf(runModule(session, *module, options));
  expectRight(report);
  int dispatches = 0, hostRows = 0;
  std::string names;
  double sum = 0;
  for (const KernelReport &row : report.kernels) {
    dispatches += row.kind == KernelReport::Kind::Dispatch;
    hostRows += row.kind == KernelReport::Kind::Host;
    names += row.dispatch + "\n";
    sum += row.medianUs;
    if (row.kind == KernelReport::Kind::Host) {
      EXPECT_EQ(row.device, "host");
      EXPECT_GT(row.medianUs, 0);
      EXPECT_EQ(row.dispatchIndex, -1);
    }
  }
  EXPECT_GE(dispatches, 3) << names;
  EXPECT_NE(names.find("exp"), std::string::npos) << names;
  EXPECT_NE(names.find("tanh"), std::string::npos) << names;
  EXPECT_GE(hostRows, 1) << names;
  EXPECT_NE(names.find("tensor.extract"), std::string::npos) << names;
  EXPECT_DOUBLE_EQ(report.sumUs(), sum);
  EXPECT_GT(report.wallUs, 0);
  EXPECT_EQ(report.inputs.size(), 2u);
}

TEST_P(RunModule, ResultsFullOfNaNAreNotOk) {
  auto module = parse(session, R"(
    #id = affine_map<(i) -> (i)>
    func.func @root(%a: tensor<1024xf32>) -> tensor<1024xf32> {
      %e = tensor.empty() : tensor<1024xf32>
      %c = arith.constant -9.0 : f32
      %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>) {
      ^bb0(%x: f32, %o: f32):
        %y = arith.addf %x, %c : f32
        %s = math.sqrt %y : f32
        linalg.yield %s : f32
      } -> tensor<1024xf32>
      return %0 : tensor<1024xf32>
    })");
  auto report = valueOf(runModule(session, *module, options));
  EXPECT_EQ(report.verdict, CheckVerdict::NotComparable);
  EXPECT_FALSE(report.ok());
  EXPECT_NE(report.why.find("1024 of 1024 elements"), std::string::npos) << report.why;
  ASSERT_EQ(report.outputs.size(), 1u);
  EXPECT_EQ(report.outputs[0].check.nonfinite.actual, 1024);
  // With other inputs it is comparable.
  options.inputs = {{"arg0", "12"}};
  report = valueOf(runModule(session, *module, options));
  expectRight(report);
  EXPECT_NEAR(report.outputs[0].view.statistics->mean, std::sqrt(3), 1e-6);
  EXPECT_EQ(report.inputs[0].source, "12");
}

TEST_P(RunModule, ElementwiseOpsOnTensorsMakeKernels) {
  auto module = parse(session, R"(func.func @plus(%a: tensor<40xf32>, %b: tensor<40xf32>) -> tensor<40xf32> {
      %0 = arith.addf %a, %b : tensor<40xf32>
      return %0 : tensor<40xf32>
    })");
  auto report = valueOf(runModule(session, *module, options));
  expectRight(report);
  ASSERT_EQ(report.kernels.size(), 1u);
  EXPECT_EQ(report.kernels[0].kind, KernelReport::Kind::Dispatch);
}

TEST_P(RunModule, NothingToRunIsNotOk) {
  auto module = parse(session, "func.func @same(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }");
  auto report = valueOf(runModule(session, *module, options));
  EXPECT_EQ(report.verdict, CheckVerdict::NothingToRun);
  EXPECT_NE(report.why.find("nothing to run"), std::string::npos) << report.why;
}

TEST_P(RunModule, WhatTheHostComputesAloneIsARemark) {
  auto module = parse(session, "func.func @constant() -> tensor<2xf32> {\n"
                               "  %0 = arith.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>\n"
                               "  return %0 : tensor<2xf32>\n}");
  auto report = valueOf(runModule(session, *module, options));
  EXPECT_EQ(report.verdict, CheckVerdict::Ok) << report.why;
  EXPECT_TRUE(llvm::any_of(report.remarks, [](const Diagnostic &remark) {
    return remark.message.find("no op on tensors that would make a kernel") != std::string::npos;
  }));
}

TEST_P(RunModule, NanOfGivenInputsAgrees) {
  const char *text = R"(func.func @root(%a: f32) -> tensor<1xf32> {
      %e = tensor.from_elements %a : tensor<1xf32>
      %0 = math.sqrt %e : tensor<1xf32>
      return %0 : tensor<1xf32>
    })";
  auto module = parse(session, text);
  options.inputs["arg0"] = "-1";
  auto report = valueOf(runModule(session, *module, options));
  EXPECT_EQ(report.verdict, CheckVerdict::Ok) << report.why;
  // Of a tensor one number is no data.
  module = parse(session, "func.func @root(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                          "  %0 = math.sqrt %a : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}");
  report = valueOf(runModule(session, *module, options));
  EXPECT_EQ(report.verdict, CheckVerdict::NotComparable);
}

TEST_P(RunModule, LaunchesFindCachesCold) {
  auto module = parse(session, matmulBias);
  options.repeat = 3;
  auto report = valueOf(runModule(session, *module, options));
  ASSERT_FALSE(report.kernels.empty());
  EXPECT_EQ(report.kernels[0].cold, options.device == "host" ? "flushed" : "rotated");
  EXPECT_EQ(report.kernels[0].launches, 3u);
  options.repeat = 1;
  report = valueOf(runModule(session, *module, options));
  EXPECT_EQ(report.kernels[0].cold, "flushed");
}

/// Layers of attention and a feed-forward net, with their weights as arguments, as the normalization of an exported
/// model leaves them.
static std::string smallTransformer(unsigned layers) {
  std::string arguments = "%x0: tensor<1x8xi64>, %table: tensor<11x16xf32> {fuselage.parameter = \"m::table\"}";
  std::string body = R"(
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8x16xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
      %se = tensor.empty() : tensor<8x8xf32>
      %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<8x8xf32>) -> tensor<8x8xf32>
      %we = tensor.empty() : tensor<16x16xf32>
      %ids = tensor.collapse_shape %x0 [[0, 1]] : tensor<1x8xi64> into tensor<8xi64>
      %h0 = linalg.generic {indexing_maps = [#row, #both], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<8xi64>) outs(%e : tensor<8x16xf32>) {
      ^bb0(%id: i64, %out: f32):
        %i = arith.index_cast %id : i64 to index
        %j = linalg.index 1 : index
        %v = tensor.extract %table[%i, %j] : tensor<11x16xf32>
        linalg.yield %v : f32
      } -> tensor<8x16xf32>
)";
  const char *layer = R"(
      %tL = linalg.transpose ins(%wL : tensor<16x16xf32>) outs(%we : tensor<16x16xf32>) permutation = [1, 0]
      %qL = linalg.matmul ins(%hL, %tL : tensor<8x16xf32>, tensor<16x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
      %sL = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
          ins(%qL, %hL : tensor<8x16xf32>, tensor<8x16xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
      %pL = linalg.softmax dimension(1) ins(%sL : tensor<8x8xf32>) outs(%se : tensor<8x8xf32>) -> tensor<8x8xf32>
      %aL = linalg.matmul ins(%pL, %hL : tensor<8x8xf32>, tensor<8x16xf32>) outs(%z : tensor<8x16xf32>) -> tensor<8x16xf32>
      %hN = linalg.generic {indexing_maps = [#both, #both, #column, #both], iterator_types = ["parallel", "parallel"]}
          ins(%aL, %hL, %bL : tensor<8x16xf32>, tensor<8x16xf32>, tensor<16xf32>) outs(%e : tensor<8x16xf32>) {
      ^bb0(%p: f32, %q: f32, %r: f32, %out: f32):
        %0 = arith.addf %p, %q : f32
        %1 = arith.addf %0, %r : f32
        %2 = math.tanh %1 : f32
        linalg.yield %2 : f32
      } -> tensor<8x16xf32>
)";
  for (unsigned i = 0; i < layers; ++i) {
    std::string number = std::to_string(i), text = layer;
    arguments += ", %w" + number + ": tensor<16x16xf32> {fuselage.parameter = \"m::layer." + number + ".weight\"}, %b" +
                 number + ": tensor<16xf32> {fuselage.parameter = \"m::layer." + number + ".bias\"}";
    for (size_t at = 0; (at = text.find_first_of("LN", at)) != std::string::npos;) {
      std::string value = std::to_string(text[at] == 'N' ? i + 1 : i);
      text.replace(at, 1, value);
      at += value.size();
    }
    body += text;
  }
  return "#row = affine_map<(i, j) -> (i)>\n#column = affine_map<(i, j) -> (j)>\n#both = affine_map<(i, j) -> (i, j)>\n"
         "func.func @main(" +
         arguments + ") -> tensor<8x16xf32> {" + body + "return %h" + std::to_string(layers) + " : tensor<8x16xf32>\n}";
}

TEST_P(RunModule, ASmallTransformerEndToEnd) {
  constexpr unsigned layers = 4;
  auto module = parse(session, smallTransformer(layers));
  options.repeat = 1;
  auto report = valueOf(runModule(session, *module, options));
  EXPECT_TRUE(report.ok()) << report.why;
  ASSERT_EQ(report.outputs.size(), 1u);
  EXPECT_EQ(report.outputs[0].check.nonfinite.actual, 0);
  ASSERT_TRUE(report.outputs[0].view.statistics);
  EXPECT_GT(report.outputs[0].view.statistics->max - report.outputs[0].view.statistics->min, 0.1) << "not constant";
  // A layer's dispatches are another's: they are compiled once.
  EXPECT_LE(report.shares.uniqueDispatches * 2, report.shares.dispatches);
  EXPECT_LE(report.shares.uniquePieces * 2, report.shares.pieces);
  EXPECT_GT(report.shares.compileMs, 0);
  EXPECT_GT(report.shares.checkMs, 0);
  EXPECT_GT(report.shares.runMs, 0);
  ASSERT_EQ(report.inputs.size(), 2 + 2 * layers);
  EXPECT_EQ(report.inputs[0].note, "uniform from 0 to 10, within its bounds as an index");
  EXPECT_EQ(report.inputs[2].parameter, "m::layer.0.weight");
  EXPECT_NE(report.inputs[2].note.find("scaled by 1/sqrt(16)"), std::string::npos) << report.inputs[2].note;
  EXPECT_NE(report.inputs[3].note.find("small, as a bias"), std::string::npos) << report.inputs[3].note;
}

/// What follows from weights alone has a mark, and is no part of a pass.
TEST_P(RunModule, WeightsAloneAreComputedOnce) {
  auto module = parse(session, R"(
    func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32> {fuselage.parameter = "w"}) -> tensor<4x8xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8x8xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
      %s = linalg.matmul ins(%w, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
      %f = tensor.empty() : tensor<4x8xf32>
      %y = linalg.fill ins(%zero : f32) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
      %r = linalg.matmul ins(%x, %s : tensor<4x8xf32>, tensor<8x8xf32>) outs(%y : tensor<4x8xf32>) -> tensor<4x8xf32>
      return %r : tensor<4x8xf32>
    })");
  auto report = valueOf(runModule(session, *module, options));
  expectRight(report);
  ASSERT_EQ(report.kernels.size(), 2u);
  EXPECT_TRUE(report.kernels[0].once);
  EXPECT_FALSE(report.kernels[1].once);
  EXPECT_EQ(report.sumUs(), report.kernels[1].medianUs);
  EXPECT_EQ(report.onceUs(), report.kernels[0].medianUs);
  EXPECT_GE(report.wallUs, 0);
}

INSTANTIATE_TEST_SUITE_P(Devices, RunModule, ::testing::Values("host", "vulkan"),
                         [](const auto &info) { return std::string(info.param); });

TEST(RunModuleErrors, UnknownDevicesAndFunctions) {
  Session session(allDialects());
  auto module = parse(session, matmulBias);
  RunOptions options;
  options.device = "vulkan:77";
  std::string error = errorOf(runModule(session, *module, options));
  EXPECT_NE(error.find("no device 'vulkan:77'"), std::string::npos) << error;
  EXPECT_NE(error.find("host ("), std::string::npos) << error;
  options.device = "cudda:0";
  error = errorOf(runModule(session, *module, options));
  EXPECT_NE(error.find("no device 'cudda:0'"), std::string::npos) << error;
  options.device = "host";
  options.function = "matmul_bais";
  error = errorOf(runModule(session, *module, options));
  EXPECT_NE(error.find("the module has @matmul_bias"), std::string::npos) << error;
}

TEST(RunModuleErrors, FunctionsThatCannotRun) {
  Session session(allDialects());
  RunOptions options;
  auto empty = parse(session, "func.func private @f()");
  EXPECT_NE(errorOf(runModule(session, *empty, options)).find("nothing to run"), std::string::npos);
  auto buffers = parse(session, "func.func @f(%m: memref<4xf32>) { return }");
  auto ran = runModule(session, *buffers, options); // arguments go in and come out
  EXPECT_TRUE(bool(ran)) << llvm::toString(ran.takeError());
  auto foreign = parse(session, R"(func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = "acme.magic"(%a) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    })");
  EXPECT_NE(errorOf(runModule(session, *foreign, options)).find("acme.magic"), std::string::npos);
}

TEST(RunModuleErrors, ReportsAreValidJson) {
  RunReport report;
  report.device = "host";
  report.kernels.push_back({.dispatch = "d", .device = "host", .kernel = "k", .loc = ""});
  report.kernels[0].check.maxRelError = std::numeric_limits<double>::infinity();
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(message::encode(messageOf(report)));
  auto value = llvm::json::parse(text);
  ASSERT_TRUE(static_cast<bool>(value)) << llvm::toString(value.takeError());
  EXPECT_EQ(value->getAsObject()->getInteger("version"), 1);
  const llvm::json::Object *kernel = (*value->getAsObject()->getArray("kernels"))[0].getAsObject();
  for (const char *name :
       {"kind",      "dispatch", "device",    "grid",    "block",  "shared_bytes", "min_us",        "median_us",
        "p95_us",    "launches", "clock",     "cold",    "gflops", "gbps",         "max_abs_error", "max_rel_error",
        "tolerance", "elements", "nonfinite", "verdict", "ok",     "why"})
    EXPECT_NE(kernel->get(name), nullptr) << name;
  EXPECT_EQ(kernel->getString("max_rel_error"), "inf"); // JSON has no infinity, and it is not 0
  EXPECT_EQ(kernel->getString("verdict"), "unchecked");
  for (const char *name :
       {"verdict", "ok", "why", "sum_us", "wall_us", "clock", "timing_note", "inputs", "kernels", "outputs", "remarks"})
    EXPECT_NE(value->getAsObject()->get(name), nullptr) << name;
}
