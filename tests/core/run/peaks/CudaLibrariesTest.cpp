// How cuBLAS and cuDNN are called: with libraries of our own in their place, on a driver of our own.
#include "core/registration/Registration.h"
#include "core/run/peaks/CudaBlas.h"
#include "core/run/peaks/CudaDnn.h"
#include "core/run/peaks/NvidiaPeaks.h"
#include "core/runtime/device/CudaDevice.h"
#include "tests/core/run/RunTestSupport.h"
#include "tests/core/run/peaks/FakeCudaLibraries.h"
#include "tests/core/runtime/device/FakeCudaDriver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include <dlfcn.h>
#include <fstream>
#include <regex>
#include <sstream>

using namespace fuselage;
using namespace fuselage::test;

namespace {

FakeCudaDriver *memory = nullptr;

uint8_t *find(const void *address, size_t *bytes) {
  std::vector<uint8_t> *block = memory->block(reinterpret_cast<CUdeviceptr>(address));
  *bytes = block ? block->size() : 0;
  return block ? block->data() : nullptr;
}

class CudaLibrariesTest : public ::testing::Test {
protected:
  void SetUp() override {
    memory = &fake;
    library_ = dlopen(FUSELAGE_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << dlerror();
    function<FakeSetMemory>("fake_set_memory")(find);
    takeCalls();
    device = valueOf(openCudaDevice(fake.table(), 0));
  }
  void TearDown() override {
    device.reset();
    EXPECT_EQ(function<FakeLive>("fake_live")(), 0);
  }
  template <class Function> Function function(const char *symbol) {
    return reinterpret_cast<Function>(dlsym(library_, symbol));
  }
  std::string takeCalls() { return function<FakeTakeCalls>("fake_take_calls")(); }
  const FakeGemm &lastGemm() { return *function<FakeLastGemm>("fake_last_gemm")(); }
  void failAt(const char *symbol, int status) { function<FakeFailAt>("fake_fail_at")(symbol, status); }

  FakeCudaDriver fake;
  std::unique_ptr<Device> device;
  const char *names[2] = {"libnobodyhasthis.so.7", FUSELAGE_FAKE_CUDA};

private:
  void *library_ = nullptr;
};

/// What a product of the shape is, of rows that lie one after the other; operands are told apart by their index.
std::vector<double> byRows(const MatmulShape &shape, const std::vector<double> &left,
                           const std::vector<double> &right) {
  std::vector<double> result(shape.batch * shape.m * shape.n, 0);
  for (int64_t b = 0; b < shape.batch; ++b)
    for (int64_t i = 0; i < shape.m; ++i)
      for (int64_t j = 0; j < shape.n; ++j)
        for (int64_t k = 0; k < shape.k; ++k) {
          int64_t l = shape.transposesLeft ? k * shape.m + i : i * shape.k + k,
                  r = shape.transposesRight ? j * shape.k + k : k * shape.n + j;
          result[(b * shape.m + i) * shape.n + j] += left[b * shape.m * shape.k + l] * right[b * shape.k * shape.n + r];
        }
  return result;
}

/// What cuBLAS would have made of them, by its documentation: columns lie one after the other.
std::vector<double> byCall(const FakeGemm &call, const std::vector<double> &a, const std::vector<double> &b,
                           size_t elements) {
  std::vector<double> c(elements, -1);
  for (int64_t i = 0; i < call.batch; ++i)
    for (int64_t row = 0; row < call.m; ++row)
      for (int64_t column = 0; column < call.n; ++column) {
        double sum = 0;
        for (int64_t k = 0; k < call.k; ++k) {
          int64_t x = call.transposesA ? row * call.lda + k : k * call.lda + row,
                  y = call.transposesB ? k * call.ldb + column : column * call.ldb + k;
          sum += a.at(i * call.strideA + x) * b.at(i * call.strideB + y);
        }
        c.at(i * call.strideC + column * call.ldc + row) = sum;
      }
  return c;
}

std::vector<double> numbers(size_t count, int factor) {
  std::vector<double> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = double((i * factor + 3) % 11) - 4;
  return values;
}

} // namespace

TEST_F(CudaLibrariesTest, CublasIsAskedForTheProductThatRowsWant) {
  auto blas = openCudaBlas(*device, names);
  ASSERT_NE(blas, nullptr);
  EXPECT_EQ(blas->name(), "cuBLAS 12.4.1");
  for (int64_t batch : {1, 3})
    for (bool transposesLeft : {false, true})
      for (bool transposesRight : {false, true}) {
        MatmulShape shape{.batch = batch,
                          .m = 3,
                          .n = 5,
                          .k = 7,
                          .transposesLeft = transposesLeft,
                          .transposesRight = transposesRight,
                          .type = "f32",
                          .resultType = "f32"};
        SCOPED_TRACE(shape.text());
        ASSERT_TRUE(blas->takes(shape));
        std::vector<double> times = valueOf(blas->time(shape, {.launches = 4, .seconds = 600}));
        EXPECT_EQ(times, std::vector<double>(4, 250)); // by the driver's clock
        const FakeGemm &call = lastGemm();
        EXPECT_EQ(call.batch, batch);
        EXPECT_EQ(call.computeType, 68); // in f32, and not in tf32
        std::vector<double> left = numbers(batch * 3 * 7, 5), right = numbers(batch * 7 * 5, 7);
        // The first operand of the call is the right one.
        EXPECT_EQ(byCall(call, right, left, batch * 3 * 5), byRows(shape, left, right));
      }
  std::string calls = takeCalls();
  EXPECT_EQ(calls.rfind("cublasCreate_v2\ncublasSetStream_v2\ncublasGemmEx\n", 0), 0u) << calls;
  EXPECT_NE(calls.find("cublasGemmStridedBatchedEx"), std::string::npos);
}

TEST_F(CudaLibrariesTest, CublasTakesNarrowFloats) {
  auto blas = openCudaBlas(*device, names);
  ASSERT_NE(blas, nullptr);
  struct {
    const char *type, *result;
    int number, resultNumber;
  } cases[] = {{"f16", "f16", 2, 2}, {"f16", "f32", 2, 0}, {"bf16", "bf16", 14, 14}, {"bf16", "f32", 14, 0}};
  for (const auto &each : cases) {
    MatmulShape shape{.batch = 2, .m = 4, .n = 8, .k = 16, .type = each.type, .resultType = each.result};
    ASSERT_TRUE(blas->takes(shape)) << each.type;
    // Of ones, so that the result is 16 wherever it is right.
    EXPECT_EQ(valueOf(blas->time(shape, {.launches = 2, .seconds = 600, .coldCaches = true})).size(), 2u) << each.type;
    EXPECT_EQ(lastGemm().typeA, each.number);
    EXPECT_EQ(lastGemm().typeB, each.number);
    EXPECT_EQ(lastGemm().typeC, each.resultNumber);
  }
  for (const char *type : {"f64", "i8", ""})
    EXPECT_FALSE(blas->takes({.batch = 1, .m = 4, .n = 4, .k = 4, .type = type, .resultType = type})) << type;
  EXPECT_FALSE(
      blas->takes({.batch = 1, .m = 4, .n = 4, .k = 70000, .type = "f16", .resultType = "f16"})); // the sum is no f16
  EXPECT_FALSE(blas->takes(
      {.batch = 1, .m = 1 << 15, .n = 1 << 15, .k = 1 << 15, .type = "f32", .resultType = "f32"})); // does not fit
}

TEST_F(CudaLibrariesTest, WhatIsNotThereOrDoesNotStartIsNoLibrary) {
  const char *missing[] = {"libnobodyhasthis.so.7"};
  EXPECT_EQ(openCudaBlas(*device, missing), nullptr);
  EXPECT_EQ(openCudaDnn(*device, missing), nullptr);
  const char *another[] = {FUSELAGE_FAKE_BLAS}; // which lacks cuBLAS's functions
  EXPECT_EQ(openCudaBlas(*device, another), nullptr);
  EXPECT_EQ(openCudaDnn(*device, another), nullptr);
  for (const char *symbol : {"cublasCreate_v2", "cublasSetStream_v2"}) {
    failAt(symbol, 1);
    EXPECT_EQ(openCudaBlas(*device, names), nullptr) << symbol;
    failAt(symbol, 0);
  }
  for (const char *symbol : {"cudnnCreate", "cudnnSetStream"}) {
    failAt(symbol, 1);
    EXPECT_EQ(openCudaDnn(*device, names), nullptr) << symbol;
    failAt(symbol, 0);
  }
}

TEST_F(CudaLibrariesTest, ErrorsAreSaidAndLeaveTheDeviceUsable) {
  auto blas = openCudaBlas(*device, names);
  ASSERT_NE(blas, nullptr);
  MatmulShape shape{.batch = 1, .m = 3, .n = 5, .k = 7, .type = "f32", .resultType = "f32"};
  failAt("cublasGemmEx", 15);
  EXPECT_EQ(errorOf(blas->time(shape, {})), "cublasGemmEx 3x5x7 f32 fails with cuBLAS status 15");
  failAt("cublasGemmEx", 0);
  std::atomic<bool> cancelled = true;
  EXPECT_EQ(errorOf(blas->time(shape, {.cancelled = &cancelled})), "cancelled");
  fake.failAt("cuMemAlloc_v2", cuda::outOfMemory);
  EXPECT_EQ(errorOf(blas->time(shape, {})).rfind("out of memory", 0), 0u);
  fake.failAt("cuMemAlloc_v2", 0);
  for (const char *symbol : {"cuEventRecord", "cuEventElapsedTime", "cuEventCreate"}) {
    fake.failAt(symbol, 999);
    EXPECT_FALSE(errorOf(blas->time(shape, {})).empty()) << symbol;
    fake.failAt(symbol, 0);
  }
  EXPECT_EQ(valueOf(blas->time(shape, {.launches = 3, .seconds = 600})).size(), 3u);
}

TEST_F(CudaLibrariesTest, CudnnIsToldTheConvolution) {
  auto dnn = openCudaDnn(*device, names);
  ASSERT_NE(dnn, nullptr);
  EXPECT_EQ(dnn->name(), "cuDNN 9.1.0");
  ConvolutionShape shape{.channelsLast = true,
                         .images = 2,
                         .channels = 3,
                         .height = 9,
                         .width = 10,
                         .filters = 4,
                         .filterHeight = 3,
                         .filterWidth = 2,
                         .strideHeight = 2,
                         .strideWidth = 1,
                         .dilationHeight = 1,
                         .dilationWidth = 2,
                         .type = "f32",
                         .resultType = "f32"};
  EXPECT_EQ(shape.outHeight(), 4);
  EXPECT_EQ(shape.outWidth(), 8);
  ASSERT_TRUE(dnn->takes(shape));
  takeCalls();
  EXPECT_EQ(valueOf(dnn->time(shape, {.launches = 1, .seconds = 600})).size(), 1u);
  std::string calls = takeCalls();
  for (const char *line :
       {"cudnnSetTensor4dDescriptor 1 0 2 3 9 10\n", "cudnnSetFilter4dDescriptor 0 1 4 3 3 2\n",
        "cudnnSetConvolution2dDescriptor 0 0 2 1 1 2 1 0\n", "cudnnSetConvolutionMathType 3\n", // no tf32
        "cudnnSetTensor4dDescriptor 1 0 2 4 4 8\n", "cudnnConvolutionForward 6 96\n"})
    EXPECT_NE(calls.find(line), std::string::npos) << line << calls;
  EXPECT_EQ(calls.find("cudnnSetConvolutionMathType 1"), std::string::npos) << calls;
  shape.type = shape.resultType = "f16";
  shape.channelsLast = false;
  EXPECT_EQ(valueOf(dnn->time(shape, {.launches = 1, .seconds = 600})).size(), 1u);
  calls = takeCalls();
  EXPECT_NE(calls.find("cudnnSetTensor4dDescriptor 0 2 2 3 9 10\n"), std::string::npos) << calls;
  EXPECT_NE(calls.find("cudnnSetConvolutionMathType 1"), std::string::npos) << calls;
  failAt("cudnnConvolutionForward", 5000);
  EXPECT_NE(errorOf(dnn->time(shape, {})).find("fails with cuDNN status 5000"), std::string::npos);
  failAt("cudnnConvolutionForward", 0);
  for (const char *symbol : {"cudnnCreateTensorDescriptor", "cudnnSetFilter4dDescriptor",
                             "cudnnCreateConvolutionDescriptor", "cudnnSetConvolution2dDescriptor",
                             "cudnnGetConvolutionForwardAlgorithm_v7", "cudnnGetConvolutionForwardWorkspaceSize"}) {
    failAt(symbol, 3);
    EXPECT_NE(errorOf(dnn->time(shape, {})).find("fails with cuDNN status"), std::string::npos) << symbol;
    failAt(symbol, 0);
  }
  shape.filterHeight = 30; // larger than the image
  EXPECT_FALSE(dnn->takes(shape));
}

TEST_F(CudaLibrariesTest, MatrixInstructionsAreTimedAndChecked) {
  ASSERT_TRUE(hasNvidiaPeaks(*device));
  fake.parameters = 2;
  double result = peakResult("f16 matrix", 256);
  fake.kernel = [&](std::vector<std::vector<uint8_t> *> blocks) {
    auto *sums = reinterpret_cast<float *>(blocks[1]->data());
    std::fill_n(sums, blocks[1]->size() / sizeof(float), float(result));
  };
  message::Peak<> peak = valueOf(measureNvidiaPeak(*device, "f16 matrix", nullptr));
  EXPECT_EQ(peak.name, "f16 matrix");
  // 128 units of 8 groups of 8 warps, 16 steps of 8 chains in each of 256 rounds, in the driver's 250 us.
  EXPECT_NEAR(peak.rate, 128 * 8 * 8 * (2.0 * 16 * 8 * 16) * 8 * 16 * 256 / 250 * 1e-3, 1);
  result += 100000;
  EXPECT_NE(errorOf(measureNvidiaPeak(*device, "f16 matrix", nullptr)).find("instead of"), std::string::npos);
  EXPECT_NE(errorOf(measureNvidiaPeak(*device, "f64 matrix", nullptr)).find("no kernel that measures a peak of f64"),
            std::string::npos);
  fake.failAt("cuModuleLoadDataEx", 200);
  EXPECT_NE(errorOf(measureNvidiaPeak(*device, "f16 matrix", nullptr)).find("peak"), std::string::npos);
}

TEST_F(CudaLibrariesTest, ReadingFromTheCacheIsTimedAndChecked) {
  fake.parameters = 2;
  fake.capacity = 4 << 20;
  uint32_t result = 32 * 16 * 4; // four ones in each read
  fake.kernel = [&](std::vector<std::vector<uint8_t> *> blocks) {
    std::fill_n(reinterpret_cast<uint32_t *>(blocks[1]->data()), blocks[1]->size() / sizeof(uint32_t), result);
  };
  message::Peak<> peak = valueOf(measureCacheRead(*device, 64 << 10, nullptr));
  EXPECT_EQ(peak.name, "last cache");
  EXPECT_NEAR(peak.rate, 128.0 * 8 * 256 * 32 * 16 * 16 / 250 * 1e-3, 1);
  ++result;
  EXPECT_NE(errorOf(measureCacheRead(*device, 64 << 10, nullptr)).find("instead of"), std::string::npos);
}

/// The numbers that the kernels write, computed as they do: in steps.
TEST(NvidiaPeaks, ResultsAreThoseOfTheSteps) {
  for (auto [name, columns] : {std::pair<const char *, int>{"f16 matrix", 16}, {"tf32", 8}}) {
    double sum = 0;
    for (int chain = 0; chain < 8; ++chain)
      sum += 4 * (chain + 3.0 * 16 * columns);
    EXPECT_EQ(peakResult(name, 3), sum);
  }
  EXPECT_EQ(peakResult("f32", 3), 8 * 48 + 28);
  EXPECT_EQ(peakResult("f16", 3), 8); // each chain goes to 1
}

/// The assembler takes it for every chip that has the instructions; registers are enough, and what is to be measured is
/// still there.
TEST(NvidiaPeaks, AssembleForEveryChip) {
  auto ptxas = llvm::sys::findProgramByName("ptxas");
  if (!ptxas)
    ptxas = llvm::sys::findProgramByName("ptxas", {"/usr/local/cuda/bin"});
  if (!ptxas)
    GTEST_SKIP() << "ptxas is not installed";
  llvm::SmallString<128> source, said;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("peak", "ptx", source));
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("peak", "txt", said));
  std::vector<std::pair<std::string, unsigned>> kernels{{cacheReadPtx(8 << 20, 1 << 18, 32), 0}};
  for (const char *name : kNvidiaPeaks)
    kernels.push_back({peakPtx(name, 64), peakRegisters(name)});
  for (const auto &[ptx, registers] : kernels) {
    std::ofstream(source.c_str(), std::ios::trunc) << ptx;
    for (const char *chip : {"-arch=sm_80", "-arch=sm_90", "-arch=sm_120"}) {
      std::optional<llvm::StringRef> streams[] = {std::nullopt, llvm::StringRef(said), llvm::StringRef(said)};
      int code =
          llvm::sys::ExecuteAndWait(*ptxas, {*ptxas, chip, "-v", "-o", "/dev/null", source}, std::nullopt, streams, 60);
      std::stringstream text;
      text << std::ifstream(said.c_str()).rdbuf();
      EXPECT_EQ(code, 0) << ptx << " " << chip << "\n" << text.str();
      EXPECT_NE(text.str().find("0 bytes spill stores"), std::string::npos) << text.str();
      // With fewer registers, chains would have become one.
      std::smatch used;
      std::string said = text.str();
      ASSERT_TRUE(std::regex_search(said, used, std::regex("Used (\\d+) registers"))) << said;
      EXPECT_GE(unsigned(std::stoul(used[1])), registers) << chip << "\n" << ptx;
    }
  }
  llvm::sys::fs::remove(source);
  llvm::sys::fs::remove(said);
}

TEST(ConvolutionShape, IsReadFromNamedOps) {
  Session session(allDialects());
  auto module = parse(session, R"(
    func.func @nhwc(%x: tensor<1x9x10x3xf32>, %f: tensor<3x2x3x4xf32>, %o: tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32> {
      %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
          ins(%x, %f : tensor<1x9x10x3xf32>, tensor<3x2x3x4xf32>) outs(%o : tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32>
      return %0 : tensor<1x4x8x4xf32>
    }
    func.func @nchw(%x: tensor<1x3x9x9xf16>, %f: tensor<4x3x3x3xf16>, %o: tensor<1x4x7x7xf16>) -> tensor<1x4x7x7xf16> {
      %0 = linalg.conv_2d_nchw_fchw ins(%x, %f : tensor<1x3x9x9xf16>, tensor<4x3x3x3xf16>) outs(%o : tensor<1x4x7x7xf16>) -> tensor<1x4x7x7xf16>
      return %0 : tensor<1x4x7x7xf16>
    }
    func.func @none(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    })");
  auto shapeOf = [&](const char *name) { return convolutionOf(module->lookupSymbol(name)); };
  ASSERT_TRUE(shapeOf("nhwc"));
  EXPECT_EQ(shapeOf("nhwc")->text(), "1x9x10x3 by 4 filters of 3x2, strides 2x1, dilations 1x2, f32");
  EXPECT_EQ(shapeOf("nhwc")->outHeight(), 4);
  EXPECT_EQ(shapeOf("nhwc")->outWidth(), 8);
  ASSERT_TRUE(shapeOf("nchw"));
  EXPECT_EQ(shapeOf("nchw")->text(), "1x3x9x9 by 4 filters of 3x3, strides 1x1, f16");
  EXPECT_FALSE(shapeOf("none"));
}
