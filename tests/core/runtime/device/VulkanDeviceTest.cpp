// The Vulkan device on kernels assembled from text: no code generation involved.
#include "core/runtime/device/VulkanDevice.h"
#include "core/registration/Registration.h"
#include "core/runtime/device/CooperativeMatrices.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/Target/SPIRV/Serialization.h"
#include "tests/core/run/RunTestSupport.h"

using namespace fuselage;
using namespace fuselage::test;
using namespace mlir;

/// y[i] = 2 * x[i] by 8 threads a workgroup.
static const char *doubleKernel = R"(
  spirv.module Logical GLSL450 requires #spirv.vce<v1.3, [Shader], [SPV_KHR_storage_buffer_storage_class]> {
    spirv.GlobalVariable @id built_in("GlobalInvocationId") : !spirv.ptr<vector<3xi32>, Input>
    spirv.GlobalVariable @x bind(0, 0) : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>
    spirv.GlobalVariable @y bind(0, 1) : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>
    spirv.func @double() "None" {
      %zero = spirv.Constant 0 : i32
      %two = spirv.Constant 2.0 : f32
      %idp = spirv.mlir.addressof @id : !spirv.ptr<vector<3xi32>, Input>
      %ids = spirv.Load "Input" %idp : vector<3xi32>
      %i = spirv.CompositeExtract %ids[0 : i32] : vector<3xi32>
      %xp = spirv.mlir.addressof @x : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>
      %yp = spirv.mlir.addressof @y : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>
      %xi = spirv.AccessChain %xp[%zero, %i] : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<f32, StorageBuffer>
      %yi = spirv.AccessChain %yp[%zero, %i] : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<f32, StorageBuffer>
      %v = spirv.Load "StorageBuffer" %xi : f32
      %w = spirv.FMul %v, %two : f32
      spirv.Store "StorageBuffer" %yi, %w : f32
      spirv.Return
    }
    spirv.EntryPoint "GLCompute" @double, @id
    spirv.ExecutionMode @double "LocalSize", 8, 1, 1
  })";

/// A chain of dependent steps a workgroup. llvmpipe leaves any loop after 65535 rounds, so that
/// only many workgroups take seconds.
static const char *slowKernel = R"(
  spirv.module Logical GLSL450 requires #spirv.vce<v1.3, [Shader], [SPV_KHR_storage_buffer_storage_class]> {
    spirv.GlobalVariable @x bind(0, 0) : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, StorageBuffer>
    spirv.func @slow() "None" {
      %zero = spirv.Constant 0 : i32
      %one = spirv.Constant 1 : i32
      %seven = spirv.Constant 7 : i32
      %many = spirv.Constant 2000000000 : i32
      %sum = spirv.Variable : !spirv.ptr<i32, Function>
      %xp = spirv.mlir.addressof @x : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, StorageBuffer>
      %xi = spirv.AccessChain %xp[%zero, %zero] : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<i32, StorageBuffer>
      %first = spirv.Load "StorageBuffer" %xi : i32
      spirv.Store "Function" %sum, %first : i32
      spirv.mlir.loop {
        spirv.Branch ^header(%zero : i32)
      ^header(%i: i32):
        %go = spirv.SLessThan %i, %many : i32
        spirv.BranchConditional %go, ^body, ^merge
      ^body:
        %s = spirv.Load "Function" %sum : i32
        %shifted = spirv.ShiftRightLogical %s, %seven : i32, i32
        %mixed = spirv.BitwiseXor %s, %shifted : i32
        %more = spirv.IAdd %mixed, %i : i32
        spirv.Store "Function" %sum, %more : i32
        spirv.Branch ^continue
      ^continue:
        %next = spirv.IAdd %i, %one : i32
        spirv.Branch ^header(%next : i32)
      ^merge:
        spirv.mlir.merge
      }
      %last = spirv.Load "Function" %sum : i32
      spirv.Store "StorageBuffer" %xi, %last : i32
      spirv.Return
    }
    spirv.EntryPoint "GLCompute" @slow
    spirv.ExecutionMode @slow "LocalSize", 1, 1, 1
  })";

namespace {

class VulkanDeviceTest : public ::testing::Test {
protected:
  void SetUp() override {
    auto devices = listVulkanDevices();
    if (devices.empty())
      GTEST_SKIP() << "there is no Vulkan loader";
    device = valueOf(openDevice(devices.front().id));
    ASSERT_TRUE(device);
  }
  /// SPIR-V of the first spirv.module in the text.
  std::string assemble(StringRef text) {
    auto module = parse(session, text);
    SmallVector<uint32_t> words;
    module->walk([&](spirv::ModuleOp op) {
      if (words.empty() && failed(spirv::serialize(op, words)))
        ADD_FAILURE() << "the SPIR-V does not serialize";
    });
    return std::string(reinterpret_cast<const char *>(words.data()), words.size() * 4);
  }
  Session session{allDialects()};
  std::unique_ptr<Device> device;
  CompiledKernel twice{.entry = "double",
                       .binary = assemble(doubleKernel),
                       .grid = {4, 1, 1},
                       .block = {8, 1, 1},
                       .sharedBytes = 0,
                       .arguments = {0, 1}};
};

} // namespace

TEST_F(VulkanDeviceTest, RunsLaunchesThatDependOnEachOther) {
  float x[32], y[32] = {};
  for (int i = 0; i < 32; ++i)
    x[i] = i;
  llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<uint8_t *>(x), sizeof(x));
  auto bx = valueOf(device->allocate(sizeof(x))), by = valueOf(device->allocate(sizeof(x)));
  EXPECT_FALSE(device->upload(*bx, bytes));
  auto kernel = valueOf(device->load(twice));
  ASSERT_TRUE(kernel);
  Launch there{.kernel = kernel.get(), .buffers = {bx.get(), by.get()}};
  Launch back{.kernel = kernel.get(), .buffers = {by.get(), bx.get()}};
  auto times = valueOf(device->run(std::vector{there, back, there}, {}));
  ASSERT_EQ(times.size(), 3u);
  for (double time : times)
    EXPECT_GT(time, 0);
  EXPECT_FALSE(device->download(*by, std::span(reinterpret_cast<uint8_t *>(y), sizeof(y))));
  EXPECT_EQ(y[31], 31 * 8);
}

TEST_F(VulkanDeviceTest, RefusesWhatDoesNotFit) {
  CompiledKernel bad = twice;
  bad.entry = "triple";
  EXPECT_NE(errorOf(device->load(bad)).find("no SPIR-V module with a compute entry point"), std::string::npos);
  bad = twice;
  bad.binary.resize(40);
  EXPECT_NE(errorOf(device->load(bad)).find("no SPIR-V module"), std::string::npos);
  bad = twice;
  bad.binary = "garbage";
  EXPECT_NE(errorOf(device->load(bad)).find("no SPIR-V module"), std::string::npos);
  bad = twice;
  bad.sharedBytes = device->info().maxSharedBytes + 1;
  EXPECT_NE(errorOf(device->load(bad)).find("of workgroup memory"), std::string::npos);
  bad = twice;
  bad.block = {device->info().maxThreads + 1, 1, 1};
  EXPECT_NE(errorOf(device->load(bad)).find("choose smaller tiles"), std::string::npos);
  bad = twice;
  bad.grid = {0, 1, 1};
  EXPECT_NE(errorOf(device->load(bad)).find("empty grid"), std::string::npos);

  auto kernel = valueOf(device->load(twice));
  auto buffer = valueOf(device->allocate(128));
  Launch launch{.kernel = kernel.get(), .buffers = {buffer.get()}};
  EXPECT_NE(errorOf(device->run(std::vector{launch}, {})).find("has 2 bindings, but 1 buffers"), std::string::npos);
  EXPECT_NE(errorOf(device->allocate(uint64_t(1) << 50)).find("out of memory"), std::string::npos);
  std::vector<uint8_t> large(256);
  EXPECT_NE(errorOf(device->upload(*buffer, large)).find("does not fit"), std::string::npos);
}

TEST_F(VulkanDeviceTest, AHangingKernelTimesOutAndTheDeviceRefusesWork) {
  CompiledKernel slow{.entry = "slow",
                      .binary = assemble(slowKernel),
                      .grid = {30000, 1, 1},
                      .block = {1, 1, 1},
                      .sharedBytes = 0,
                      .arguments = {0}};
  auto kernel = valueOf(device->load(slow));
  ASSERT_TRUE(kernel);
  auto flag = valueOf(device->allocate(4));
  uint8_t zeros[4] = {};
  EXPECT_FALSE(device->upload(*flag, zeros));
  if (!device->info().software)
    GTEST_SKIP() << "may disturb the display of a real GPU";
  Launch launch{.kernel = kernel.get(), .buffers = {flag.get()}};
  std::string error = errorOf(device->run(std::vector{launch}, {.timeoutSeconds = 0.2, .cancelled = nullptr}));
  EXPECT_NE(error.find("kernel 'slow' did not finish on " + device->info().id), std::string::npos) << error;
  EXPECT_NE(errorOf(device->allocate(4)).find("hangs"), std::string::npos);
  EXPECT_NE(errorOf(device->upload(*flag, zeros)).find("hangs"), std::string::npos);
}

TEST_F(VulkanDeviceTest, UnknownNumbersListWhatExists) {
  std::string error = errorOf(openDevice("vulkan:42"));
  EXPECT_NE(error.find("no device 'vulkan:42'"), std::string::npos) << error;
  EXPECT_NE(error.find("Choose one of: " + device->info().id), std::string::npos) << error;
  EXPECT_NE(errorOf(openDevice("host:1")).find("the host takes no number"), std::string::npos);
  EXPECT_NE(errorOf(openDevice("vulkan:x")).find("no device"), std::string::npos);
}

/// Products that can be added up in both types, once each; what others have is not used.
TEST(CooperativeMatrices, ShapesAreThoseOfSubgroupsInBothTypesOfSums) {
  constexpr uint32_t f16 = 0, f32 = 1, s8 = 3, s32 = 5, workgroup = 2, subgroup = 3;
  auto product = [](uint32_t n, uint32_t factor, uint32_t sum, uint32_t scope) {
    CooperativeMatrixProperties properties;
    properties.m = properties.k = 16;
    properties.n = n;
    properties.a = properties.b = factor;
    properties.c = properties.result = sum;
    properties.scope = scope;
    return properties;
  };
  EXPECT_EQ(cooperativeShapesOf(std::vector{product(16, f16, f16, subgroup), product(8, f16, f32, subgroup),
                                            product(16, f16, f32, subgroup), product(16, s8, s32, subgroup),
                                            product(32, f16, f32, workgroup), product(32, f16, f16, workgroup)}),
            std::vector<std::string>{"m16n16k16 f16"});
  EXPECT_TRUE(cooperativeShapesOf({}).empty());
}

TEST(ListDevices, HoldsTheHostFirst) {
  auto devices = listDevices();
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices[0].id, "host");
  EXPECT_TRUE(devices[0].software);
  for (const DeviceInfo &device : devices) {
    const message::Device<> told = messageOf(device);
    EXPECT_EQ(told.id, device.id);
    EXPECT_EQ(uint64_t(told.maxSharedBytes), device.maxSharedBytes);
  }
}
