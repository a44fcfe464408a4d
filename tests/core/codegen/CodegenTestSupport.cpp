#include "CodegenTestSupport.h"
#include "core/support/ResultErrors.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <cstdlib>
#include <gtest/gtest.h>

namespace fuselage::test {

/// Where a checker is; empty: nowhere.
static std::string findTool(llvm::StringRef tool) {
  auto program = llvm::sys::findProgramByName(tool);
  if (!program)
    program = llvm::sys::findProgramByName(tool, {"/usr/local/cuda/bin"});
  return program ? *program : std::string();
}

static bool isRequired(llvm::StringRef tool) {
  const char *required = std::getenv("FUSELAGE_REQUIRED_TOOLS");
  return required && llvm::is_contained(llvm::split(required, ' '), tool);
}

void expectAccepted(llvm::StringRef tool, llvm::ArrayRef<llvm::StringRef> arguments, const std::string &binary,
                    llvm::StringRef suffix) {
  std::string program = findTool(tool);
  if (program.empty()) {
    ASSERT_FALSE(isRequired(tool)) << tool.str() << " is not installed, and FUSELAGE_REQUIRED_TOOLS names it";
    GTEST_SKIP() << tool.str() << " is not installed";
  }
  llvm::SmallString<128> input, log;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("kernel", suffix, input) ||
               llvm::sys::fs::createTemporaryFile("kernel", "log", log));
  {
    std::error_code error;
    llvm::raw_fd_ostream(input, error) << binary;
    ASSERT_FALSE(error) << error.message();
  }
  llvm::SmallVector<llvm::StringRef> command{program};
  llvm::append_range(command, arguments);
  command.push_back(input);
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, log.str(), log.str()};
  int status = llvm::sys::ExecuteAndWait(program, command, std::nullopt, redirects);
  auto text = llvm::MemoryBuffer::getFile(log);
  EXPECT_EQ(status, 0) << tool.str() << ": " << (text ? (*text)->getBuffer().str() : std::string("no output"));
  llvm::sys::fs::remove(input);
  llvm::sys::fs::remove(log);
}

void expectValidSpirv(const CompiledKernel &kernel) {
  expectAccepted("spirv-val", {"--target-env", "vulkan1.1"}, kernel.binary, "spv");
}

void expectValidPtx(const CompiledKernel &kernel, llvm::StringRef chip) {
  std::string architecture = ("-arch=" + chip).str();
  expectAccepted("ptxas", {architecture, "-o", "/dev/null"}, kernel.binary, "ptx");
}

Device *testDevice() {
  static std::unique_ptr<Device> device = [] {
    const char *id = std::getenv("FUSELAGE_TEST_DEVICE");
    auto opened = openDevice(id ? id : "vulkan:0");
    if (opened)
      return std::move(*opened);
    return std::unique_ptr<Device>();
  }();
  return device.get();
}

TargetOptions plainOptions(const Device &device) {
  TargetOptions all = device.targetOptions(), options;
  options.target = all.target;
  options.chip = all.chip;
  options.features = all.features;
  options.cudaToolkit = all.cudaToolkit;
  return options;
}

llvm::Expected<std::vector<HostTensor>> runOn(Device &device, const CompiledDispatch &dispatch, mlir::FunctionType type,
                                              llvm::ArrayRef<HostTensor> arguments) {
  std::vector<std::unique_ptr<DeviceBuffer>> buffers;
  auto allocate = [&](uint64_t bytes) -> llvm::Error {
    auto buffer = device.allocate(std::max<uint64_t>(bytes, 16));
    if (!buffer)
      return buffer.takeError();
    // Garbage, so that nothing counts on zeros.
    std::vector<uint8_t> garbage((*buffer)->byteCount(), 0xA5);
    if (llvm::Error error = device.upload(**buffer, garbage))
      return error;
    buffers.push_back(std::move(*buffer));
    return llvm::Error::success();
  };
  for (const HostTensor &argument : arguments) {
    std::vector<uint8_t> bytes(deviceByteCount(argument.type()));
    packForDevice(argument, bytes.data());
    if (llvm::Error error = allocate(bytes.size()))
      return error;
    if (llvm::Error error = device.upload(*buffers.back(), bytes))
      return error;
  }
  for (mlir::Type result : type.getResults())
    if (llvm::Error error = allocate(deviceByteCount(result)))
      return error;
  for (uint64_t bytes : dispatch.scratchBytes)
    if (llvm::Error error = allocate(bytes))
      return error;
  std::vector<std::unique_ptr<DeviceKernel>> kernels;
  std::vector<Launch> launches;
  for (const CompiledKernel &kernel : dispatch.kernels) {
    auto loaded = device.load(kernel);
    if (!loaded)
      return loaded.takeError();
    Launch launch{.kernel = loaded->get(), .buffers = {}};
    for (unsigned index : kernel.arguments)
      launch.buffers.push_back(buffers[index].get());
    kernels.push_back(std::move(*loaded));
    launches.push_back(std::move(launch));
  }
  // Twice: a kernel must not depend on what its buffers held before.
  for (int i = 0; i < 2; ++i)
    if (auto times = device.run(launches, {.timeoutSeconds = 60, .cancelled = nullptr}); !times)
      return times.takeError();
  std::vector<HostTensor> results;
  for (auto [index, result] : llvm::enumerate(type.getResults())) {
    auto tensor = HostTensor::create(result);
    if (!tensor)
      return tensor.takeError();
    std::vector<uint8_t> bytes(deviceByteCount(result));
    if (llvm::Error error = device.download(*buffers[type.getNumInputs() + index], bytes))
      return error;
    unpackFromDevice(bytes.data(), *tensor);
    results.push_back(std::move(*tensor));
  }
  return results;
}

void hideCudaToolkit() {
  for (const char *name : {"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    unsetenv(name);
}

} // namespace fuselage::test
