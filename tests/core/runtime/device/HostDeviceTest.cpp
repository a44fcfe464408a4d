#include "core/runtime/device/HostDevice.h"
#include "core/codegen/host/HostCompiler.h"
#include "core/executable/HostSymbols.h"
#include "core/registration/Registration.h"
#include "tests/core/run/RunTestSupport.h"

using namespace fuselage;
using namespace fuselage::test;

namespace {

class HostDeviceTest : public ::testing::Test {
protected:
  /// The one function @f of a module, as a dispatch of the host.
  CompiledDispatch compile(llvm::StringRef source, unsigned buffers) {
    auto module = parse(session, source);
    auto compiled =
        compileForHost(*module, {.threads = HostThreading::Kernels, .checks = false, .wideAccumulators = false});
    if (!compiled) {
      ADD_FAILURE() << llvm::toString(compiled.takeError());
      return {};
    }
    CompiledKernel kernel{.entry = "f", .binary = std::move(compiled->object), .arguments = {}};
    kernel.block[0] = compiled->form->threads;
    for (unsigned i = 0; i < buffers; ++i)
      kernel.arguments.push_back(i);
    kernel.host = std::move(compiled->form);
    CompiledDispatch dispatch{.name = "f", .kernels = {}, .scratchBytes = {}};
    dispatch.kernels.push_back(std::move(kernel));
    return dispatch;
  }
  std::unique_ptr<DeviceBuffer> put(const std::vector<float> &values) {
    auto buffer = valueOf(device->allocate(values.size() * sizeof(float)));
    EXPECT_FALSE(static_cast<bool>(
        device->upload(*buffer, {reinterpret_cast<const uint8_t *>(values.data()), values.size() * sizeof(float)})));
    return buffer;
  }
  std::vector<float> get(DeviceBuffer &buffer) {
    std::vector<float> values(buffer.byteCount() / sizeof(float));
    EXPECT_FALSE(static_cast<bool>(
        device->download(buffer, {reinterpret_cast<uint8_t *>(values.data()), values.size() * sizeof(float)})));
    return values;
  }

  static constexpr llvm::StringLiteral kTwice = R"(
    func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %r = arith.addf %a, %a : tensor<4xf32>
      return %r : tensor<4xf32>
    })";
  Session session{allDialects()};
  std::unique_ptr<Device> device = valueOf(openDevice("host"));
};

} // namespace

TEST_F(HostDeviceTest, IsOpenedByItsId) {
  ASSERT_TRUE(device);
  EXPECT_EQ(device->info().id, "host");
  EXPECT_EQ(device->targetOptions().target, KernelTarget::Host);
  EXPECT_FALSE(device->hasTimestamps());
  EXPECT_NE(errorOf(openDevice("host:0")).find("the host takes no number"), std::string::npos);
}

TEST_F(HostDeviceTest, BuffersAreTheHostsMemory) {
  auto memory = std::make_shared<std::vector<float>>(std::vector<float>{1, 2});
  auto buffer = device->wrap(std::shared_ptr<void>(memory, memory->data()), 8);
  ASSERT_TRUE(buffer);
  EXPECT_EQ(buffer->hostMemory().get(), memory->data());
  EXPECT_EQ(get(*buffer), (std::vector<float>{1, 2}));
  EXPECT_NE(errorOf(device->upload(*buffer, std::vector<uint8_t>(9))).find("does not fit"), std::string::npos);
  std::vector<uint8_t> more(9);
  EXPECT_NE(errorOf(device->download(*buffer, more)).find("larger than its buffer"), std::string::npos);
}

TEST_F(HostDeviceTest, ExecutablesRunAsOftenAsTheyAreAsked) {
  auto executable = valueOf(device->prepare(compile(kTwice, 2)));
  ASSERT_TRUE(executable);
  ASSERT_EQ(executable->kernels().size(), 1u);
  EXPECT_EQ(executable->kernels()[0].entry, "f");
  DeviceValue argument{.buffer = put({1, 2, 3, 4}), .shape = {4}};
  auto results =
      valueOf(executable->run(std::span(&argument, 1), {.counts = {.repeat = 3, .warmup = 1, .seconds = 60}}));
  ASSERT_EQ(results.values.size(), 1u);
  EXPECT_EQ(results.values[0].shape, (std::vector<int64_t>{4}));
  EXPECT_EQ(get(*results.values[0].buffer), (std::vector<float>{2, 4, 6, 8}));
  EXPECT_EQ(results.microseconds[0].size(), 3u);
  EXPECT_EQ(get(*argument.buffer), (std::vector<float>{1, 2, 3, 4})) << "arguments stay as they are";
  EXPECT_NE(errorOf(executable->run({}, {})).find("takes 1 arguments"), std::string::npos);
  DeviceValue few{.buffer = put({1, 2}), .shape = {2}};
  EXPECT_NE(errorOf(executable->run(std::span(&few, 1), {})).find("has other sizes"), std::string::npos);
  DeviceValue lies{.buffer = put({1, 2}), .shape = {4}}; // more than its memory has
  EXPECT_NE(errorOf(executable->run(std::span(&lies, 1), {})).find("has other sizes"), std::string::npos);
}

TEST_F(HostDeviceTest, ResultsMayHaveSizesThatOnlyTheCallKnows) {
  auto executable = valueOf(device->prepare(compile(R"(
    func.func @f(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {
      %r = tensor.extract_slice %a[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
      return %r : tensor<?xf32>
    })",
                                                    3)));
  ASSERT_TRUE(executable);
  auto count = std::make_shared<int64_t>(2);
  std::vector<DeviceValue> arguments = {{.buffer = put({5, 6, 7}), .shape = {3}},
                                        {.buffer = device->wrap(count, sizeof(int64_t)), .shape = {}}};
  auto results = valueOf(executable->run(arguments, {.counts = {.repeat = 1, .warmup = 0}}));
  ASSERT_EQ(results.values.size(), 1u);
  EXPECT_EQ(results.values[0].shape, (std::vector<int64_t>{2}));
  EXPECT_EQ(get(*results.values[0].buffer), (std::vector<float>{5, 6}));
}

TEST_F(HostDeviceTest, SingleKernelsRunOnBuffersOfTheirResults) {
  CompiledDispatch dispatch = compile(kTwice, 2);
  auto kernel = valueOf(device->load(dispatch.kernels.front()));
  ASSERT_TRUE(kernel);
  auto from = put({1, 2, 3, 4}), to = put({0, 0, 0, 0}), small = put({0});
  auto times = valueOf(device->run(std::vector{Launch{.kernel = kernel.get(), .buffers = {from.get(), to.get()}}}, {}));
  EXPECT_EQ(times.size(), 1u);
  EXPECT_EQ(get(*to), (std::vector<float>{2, 4, 6, 8}));
  EXPECT_NE(errorOf(device->run(std::vector{Launch{.kernel = kernel.get(), .buffers = {from.get(), small.get()}}}, {}))
                .find("does not fit its buffer"),
            std::string::npos);
  EXPECT_NE(errorOf(device->run(std::vector{Launch{.kernel = kernel.get(), .buffers = {from.get()}}}, {}))
                .find("has 2 parameters"),
            std::string::npos);
}

TEST_F(HostDeviceTest, RefusesWhatIsNoObjectOfTheHost) {
  CompiledKernel ptx{.entry = "f", .binary = ".version 7.8", .arguments = {}};
  EXPECT_NE(errorOf(device->load(ptx)).find("is none of the host's"), std::string::npos);
  CompiledDispatch dispatch = compile(kTwice, 2);
  dispatch.kernels.push_back(ptx);
  EXPECT_NE(errorOf(device->prepare(dispatch)).find("has 2 kernels"), std::string::npos);
  dispatch = compile(kTwice, 2);
  dispatch.kernels.front().binary = "not an object";
  EXPECT_FALSE(errorOf(device->prepare(dispatch)).empty());
  dispatch = compile(kTwice, 2);
  dispatch.kernels.front().entry = "g";
  EXPECT_NE(errorOf(device->prepare(dispatch)).find("no function @g"), std::string::npos);
}

/// The names that compilers may use are those that the linker has: no one of them is left to the process's own.
TEST(HostSymbols, AreNotTheLibrarys) {
  for (llvm::StringRef name :
       {host::kAlloc, host::kAlignedAlloc, host::kFree, host::kPoll, host::kRunTasks, host::kPoison, host::kWidenFloat,
        host::kNarrowFloat, host::kPuts, host::kPutchar, host::kAbort})
    EXPECT_TRUE(isHostRuntimeFunction(name) && !isLibraryFunction(name)) << name.str();
  EXPECT_FALSE(isHostRuntimeFunction("system"));
}
