// Every function of the corpus compiles for both targets, passes the vendors' validators, and gives
// on a Vulkan device what the host gives.
#include "core/codegen/Codegen.h"
#include "core/ir/Session.h"
#include "core/runtime/Device.h"
#include "core/runtime/HostJit.h"
#include "core/runtime/RandomInputs.h"
#include "core/runtime/RoundingErrors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include <gtest/gtest.h>

using namespace fuselage;

namespace {

struct Case {
  std::string file, function;
};

std::string corpusPath(llvm::StringRef file) {
  return (llvm::Twine(FUSELAGE_SOURCE_DIR "/tests/core/codegen/corpus/") + file).str();
}

/// The functions of the corpus files, by a look at the text.
std::vector<Case> corpus() {
  std::vector<Case> cases;
  for (std::string file : {"structured.mlir", "elementwise.mlir", "math.mlir"}) {
    auto buffer = llvm::MemoryBuffer::getFile(corpusPath(file));
    if (!buffer)
      continue;
    llvm::Regex pattern("^func.func @([A-Za-z0-9_]+)", llvm::Regex::Newline);
    llvm::StringRef rest = (*buffer)->getBuffer();
    llvm::SmallVector<llvm::StringRef> match;
    while (pattern.match(rest, &match)) {
      cases.push_back({file, match[1].str()});
      rest = rest.substr(match[0].end() - rest.begin());
    }
  }
  return cases;
}

/// Runs an outside checker on a kernel; true if it accepts, or is not installed.
bool accepts(llvm::StringRef tool, llvm::ArrayRef<llvm::StringRef> arguments, const std::string &binary,
             llvm::StringRef suffix, std::string &output) {
  auto program = llvm::sys::findProgramByName(tool);
  if (!program)
    program = llvm::sys::findProgramByName(tool, {"/usr/local/cuda/bin"});
  if (!program)
    return true;
  llvm::SmallString<128> input, log;
  if (llvm::sys::fs::createTemporaryFile("kernel", suffix, input) ||
      llvm::sys::fs::createTemporaryFile("kernel", "log", log))
    return false;
  std::error_code error;
  llvm::raw_fd_ostream(input, error) << binary;
  llvm::SmallVector<llvm::StringRef> command{*program};
  llvm::append_range(command, arguments);
  command.push_back(input);
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, log.str(), log.str()};
  int status = llvm::sys::ExecuteAndWait(*program, command, std::nullopt, redirects);
  if (auto text = llvm::MemoryBuffer::getFile(log))
    output = (*text)->getBuffer().str();
  llvm::sys::fs::remove(input);
  llvm::sys::fs::remove(log);
  return status == 0;
}

/// Opened once: the tests only add work to it.
Device *vulkanDevice() {
  static std::unique_ptr<Device> device = [] {
    auto opened = openDevice("vulkan:0");
    if (opened)
      return std::move(*opened);
    llvm::consumeError(opened.takeError());
    return std::unique_ptr<Device>();
  }();
  return device.get();
}

void PrintTo(const Case &value, std::ostream *os) { *os << value.file << " @" << value.function; }

class Corpus : public testing::TestWithParam<Case> {
protected:
  void SetUp() override {
    auto opened = session.open(corpusPath(GetParam().file));
    ASSERT_TRUE(bool(opened)) << llvm::toString(opened.takeError());
    module = std::move(*opened);
    // Only the function under test, so that the reference compiles nothing else.
    for (auto other : llvm::make_early_inc_range(module->getOps<mlir::func::FuncOp>()))
      if (other.getName() != GetParam().function)
        other.erase();
    function = module->lookupSymbol<mlir::func::FuncOp>(GetParam().function);
    ASSERT_TRUE(bool(function));
  }

  CompiledDispatch compile(KernelTarget target) {
    TargetOptions options;
    options.target = target;
    auto compiled = compileDispatch(function, options);
    if (compiled)
      return std::move(*compiled);
    Failure failure = takeFailure(compiled.takeError());
    ADD_FAILURE() << failure.message;
    for (const Diagnostic &diagnostic : failure.diagnostics)
      ADD_FAILURE() << formatDiagnostic(diagnostic);
    return {};
  }

  Session session;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
};

/// Runs a compiled dispatch on a device.
llvm::Expected<std::vector<HostTensor>> runOn(Device &device, const CompiledDispatch &dispatch,
                                              mlir::FunctionType type,
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
    std::vector<uint8_t> bytes(deviceByteCount(argument.type(), device.layout()));
    packForDevice(argument, device.layout(), bytes.data());
    if (llvm::Error error = allocate(bytes.size()))
      return error;
    if (llvm::Error error = device.upload(*buffers.back(), bytes))
      return error;
  }
  for (mlir::Type result : type.getResults())
    if (llvm::Error error = allocate(deviceByteCount(result, device.layout())))
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
    std::vector<uint8_t> bytes(deviceByteCount(result, device.layout()));
    if (llvm::Error error = device.download(*buffers[type.getNumInputs() + index], bytes))
      return error;
    unpackFromDevice(bytes.data(), device.layout(), *tensor);
    results.push_back(std::move(*tensor));
  }
  return results;
}

TEST_P(Corpus, SpirvIsValid) {
  for (const CompiledKernel &kernel : compile(KernelTarget::Spirv).kernels) {
    std::string output;
    EXPECT_TRUE(accepts("spirv-val", {"--target-env", "vulkan1.1"}, kernel.binary, "spv", output)) << output;
  }
}

TEST_P(Corpus, PtxIsValid) {
  for (const CompiledKernel &kernel : compile(KernelTarget::Ptx).kernels) {
    std::string output;
    EXPECT_TRUE(accepts("ptxas", {"-arch=sm_80", "-o", "/dev/null"}, kernel.binary, "ptx", output)) << output;
    EXPECT_EQ(kernel.binary.find(".extern"), std::string::npos);
    EXPECT_EQ(kernel.binary.find("malloc"), std::string::npos);
  }
}

TEST_P(Corpus, VulkanAgreesWithHost) {
  Device *device = vulkanDevice();
  if (!device)
    GTEST_SKIP() << "no Vulkan device";
  auto arguments = randomArguments(function, 7);
  ASSERT_TRUE(bool(arguments)) << llvm::toString(arguments.takeError());
  auto program = HostProgram::compile(*module);
  if (!program)
    GTEST_SKIP() << "no reference: " << llvm::toString(program.takeError());
  auto expected = (*program)->call(GetParam().function, *arguments);
  ASSERT_TRUE(bool(expected)) << llvm::toString(expected.takeError());
  CompiledDispatch dispatch = compile(KernelTarget::Spirv);
  auto actual = runOn(*device, dispatch, function.getFunctionType(), *arguments);
  ASSERT_TRUE(bool(actual)) << llvm::toString(actual.takeError());
  std::vector<ErrorBound> bounds = errorBoundsOf(function);
  for (auto [index, pair] : llvm::enumerate(llvm::zip_equal(*actual, *expected))) {
    auto &[got, wanted] = pair;
    ErrorBound bound = bounds[index];
    // Functions of f64 numbers are computed in f32.
    if (wanted.elementType().isF64() && GetParam().file == "math.mlir")
      bound.relative = 1e-5;
    Comparison comparison = compareTensors(got, wanted, bound);
    EXPECT_TRUE(comparison.ok()) << "result " << index << ": " << comparison.why << "; absolute error "
                                 << comparison.maxAbsError;
  }
}

INSTANTIATE_TEST_SUITE_P(, Corpus, testing::ValuesIn(corpus()), [](const auto &info) {
  return info.param.function;
});

} // namespace
