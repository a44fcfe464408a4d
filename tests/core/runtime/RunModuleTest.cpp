#include "RuntimeTestSupport.h"
#include "core/runtime/Run.h"
#include <thread>

using namespace fuselage;
using namespace fuselage::test;

/// The device that kernels are tested on: lavapipe or better; empty without a Vulkan loader.
static std::string vulkanDevice() {
  for (const DeviceInfo &device : listDevices())
    if (llvm::StringRef(device.id).starts_with("vulkan:"))
      return device.id;
  return "";
}

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
      options.device = vulkanDevice();
    if (options.device.empty())
      GTEST_SKIP() << "there is no Vulkan loader";
  }
  /// Expects a run in which every kernel ran on the asked device and everything is right.
  void expectRight(const RunReport &report) {
    EXPECT_TRUE(report.ok);
    for (const KernelReport &kernel : report.kernels) {
      EXPECT_EQ(kernel.device, options.device) << kernel.dispatch;
      EXPECT_TRUE(kernel.ok) << kernel.dispatch << " is off by " << kernel.maxRelError;
      EXPECT_GT(kernel.medianUs, 0);
      EXPECT_LE(kernel.minUs, kernel.medianUs);
      EXPECT_LE(kernel.medianUs, kernel.p95Us);
    }
    for (const OutputReport &output : report.outputs)
      EXPECT_TRUE(output.ok) << output.type << " is off by " << output.maxRelError;
    for (const Diagnostic &remark : report.remarks)
      std::cerr << formatDiagnostic(remark) << '\n';
  }
  Session session;
  RunOptions options;
};

} // namespace

TEST_P(RunModule, MatmulWithBias) {
  auto module = parse(session, matmulBias);
  std::vector<std::string> said;
  options.progress = [&](unsigned done, unsigned total, llvm::StringRef what) {
    EXPECT_LE(done, total);
    said.push_back(what.str());
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

TEST_P(RunModule, DynamicSizesAreAskedForAndFilledIn) {
  auto module = parse(session, dynamicMatmul);
  std::string error = errorOf(runModule(session, *module, options));
  EXPECT_NE(error.find("arg0.0 (tensor<?x8xf32>, dimension 0)"), std::string::npos) << error;
  EXPECT_NE(error.find("arg1.1 (tensor<8x?xf32>, dimension 1)"), std::string::npos) << error;
  options.sizes = {{"arg0.0", 5}, {"arg1.1", 6}, {"arg2.0", 1}};
  error = errorOf(runModule(session, *module, options));
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
  options.progress = [&](unsigned, unsigned, llvm::StringRef what) {
    if (what.starts_with("compiling"))
      std::thread([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        cancelled = true;
      }).detach();
  };
  EXPECT_EQ(errorOf(runModule(session, *module, options)).substr(0, 9), "cancelled");
}

INSTANTIATE_TEST_SUITE_P(Devices, RunModule, ::testing::Values("host", "vulkan"),
                         [](const auto &info) { return std::string(info.param); });

TEST(RunModuleErrors, UnknownDevicesAndFunctions) {
  Session session;
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
  Session session;
  RunOptions options;
  auto empty = parse(session, "func.func private @f()");
  EXPECT_NE(errorOf(runModule(session, *empty, options)).find("nothing to run"), std::string::npos);
  auto buffers = parse(session, "func.func @f(%m: memref<4xf32>) { return }");
  EXPECT_NE(errorOf(runModule(session, *buffers, options)).find("before bufferization"),
            std::string::npos);
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
  report.kernels[0].maxRelError = std::numeric_limits<double>::infinity();
  std::string text;
  llvm::raw_string_ostream(text) << toJSON(report);
  auto value = llvm::json::parse(text);
  ASSERT_TRUE(static_cast<bool>(value)) << llvm::toString(value.takeError());
  EXPECT_EQ(value->getAsObject()->getInteger("version"), 1);
  const llvm::json::Object *kernel = (*value->getAsObject()->getArray("kernels"))[0].getAsObject();
  for (const char *name :
       {"dispatch", "device", "grid", "block", "shared_bytes", "min_us", "median_us", "p95_us",
        "gflops", "gbps", "max_abs_error", "max_rel_error", "ok"})
    EXPECT_NE(kernel->get(name), nullptr) << name;
}
