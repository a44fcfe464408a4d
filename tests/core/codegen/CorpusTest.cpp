// Every function of the corpus compiles for both targets, passes the vendors' validators, and gives
// on a device what the host gives.
#include "CodegenTestSupport.h"
#include "core/codegen/Targets.h"
#include "core/device/CudaToolkit.h"
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/run/reference/HostChain.h"
#include "core/run/reference/HostProgram.h"
#include "core/run/values/RandomInputs.h"
#include "core/run/values/RoundingErrors.h"
#include "tests/support/Alterations.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <gtest/gtest.h>

using namespace fuselage;
using namespace fuselage::test;

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
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(corpusPath(""), error), end; file != end && !error; file.increment(error))
    files.push_back(llvm::sys::path::filename(file->path()).str());
  llvm::sort(files);
  for (const std::string &file : files) {
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

  CompiledDispatch compile(KernelTarget target, const std::string &toolkit = "") {
    TargetOptions options;
    options.target = target;
    options.cudaToolkit = toolkit;
    return compileFor(options);
  }

  CompiledDispatch compileFor(const TargetOptions &options) {
    auto compiled = compileDispatch(function, options);
    if (compiled) {
      EXPECT_FALSE(compiled->kernels.empty()) << GetParam().function;
      return std::move(*compiled);
    }
    Failure failure = takeFailure(compiled.takeError());
    ADD_FAILURE() << failure.message;
    for (const Diagnostic &diagnostic : failure.diagnostics)
      ADD_FAILURE() << formatDiagnostic(diagnostic);
    return {};
  }

  void expectDeviceAgreesWithHost(unsigned indexBits, bool byModel = false);
  void expectAlterationsAreFound(const HostTensor &got, const HostTensor &wanted, const ErrorBound &bound,
                                 const TermSizes &sizes);

  /// The dispatch does not compile, and that is why.
  void expectRefusal(KernelTarget target, llvm::StringRef why) {
    TargetOptions options;
    options.target = target;
    auto compiled = compileDispatch(function, options);
    ASSERT_FALSE(bool(compiled));
    std::string text = llvm::toString(compiled.takeError());
    EXPECT_TRUE(llvm::StringRef(text).contains(why)) << text;
  }

  Session session{allDialects()};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
};

/// Functions of f64 numbers, which no target has by itself.
bool needsLibdevice(llvm::StringRef function) {
  return llvm::is_contained({"exp_f64", "log_f64", "tanh_f64"}, function);
}

TEST_P(Corpus, SpirvIsValid) {
  if (needsLibdevice(GetParam().function))
    return expectRefusal(KernelTarget::Spirv, "takes f64 numbers, and Vulkan has the function for 32 bits only");
  for (const CompiledKernel &kernel : compile(KernelTarget::Spirv).kernels)
    expectValidSpirv(kernel);
  for (const CompiledKernel &kernel : compileFor(llvm::cantFail(targetByNameOrDevice("", "lavapipe"))).kernels)
    expectValidSpirv(kernel);
}

TEST_P(Corpus, PtxIsValid) {
  hideCudaToolkit();
  if (needsLibdevice(GetParam().function))
    return expectRefusal(KernelTarget::Ptx, "takes f64 numbers, and PTX has the function in CUDA's libdevice only");
  for (const CompiledKernel &kernel : compile(KernelTarget::Ptx).kernels) {
    expectValidPtx(kernel, "sm_80");
    EXPECT_EQ(kernel.binary.find(".extern"), std::string::npos);
    EXPECT_EQ(kernel.binary.find("malloc"), std::string::npos);
  }
}

TEST_P(Corpus, PtxWithLibdeviceIsValid) {
  std::string toolkit = findCudaToolkit();
  if (toolkit.empty())
    GTEST_SKIP() << "no libdevice";
  for (const CompiledKernel &kernel : compile(KernelTarget::Ptx, toolkit).kernels) {
    expectValidPtx(kernel, "sm_80");
    EXPECT_EQ(kernel.binary.find(".extern"), std::string::npos);
  }
}

/// What a device makes of the function with indices of that many bits is what the host makes of it. `byModel`:
/// by kernels that follow the device's model.
void Corpus::expectDeviceAgreesWithHost(unsigned indexBits, bool byModel) {
  Device *device = testDevice();
  if (!device)
    GTEST_SKIP() << "no device";
  if (needsLibdevice(GetParam().function) && device->targetOptions().cudaToolkit.empty())
    GTEST_SKIP() << "refused, as SpirvIsValid checks";
  auto arguments = randomArguments(function, 7);
  ASSERT_TRUE(bool(arguments)) << llvm::toString(arguments.takeError());
  auto program = HostProgram::compile(*module);
  if (!program)
    GTEST_SKIP() << "no reference: " << llvm::toString(program.takeError());
  auto expected = (*program)->call(GetParam().function, *arguments);
  ASSERT_TRUE(bool(expected)) << llvm::toString(expected.takeError());
  TargetOptions options = byModel ? device->targetOptions() : plainOptions(*device);
  options.indexBits = indexBits;
  CompiledDispatch dispatch = compileFor(options);
  auto actual = runOn(*device, dispatch, function.getFunctionType(), *arguments);
  ASSERT_TRUE(bool(actual)) << llvm::toString(actual.takeError());
  std::vector<ErrorBound> bounds = errorBoundsOf(function);
  HostPieces pieces(*module->getContext(), {});
  auto chain = HostChain::plan(function, pieces);
  ASSERT_TRUE(bool(chain)) << llvm::toString(chain.takeError());
  pieces.compile();
  std::vector<TermSizes> sizes = (*chain)->computeOtherwise(*arguments, *expected, nullptr).sizesOfTerms;
  for (auto [index, pair] : llvm::enumerate(llvm::zip_equal(*actual, *expected))) {
    auto &[got, wanted] = pair;
    Comparison comparison = compareTensors(got, wanted, bounds[index]);
    EXPECT_NE(comparison.verdict, CheckVerdict::Wrong)
        << "result " << index << ": " << comparison.why << "; absolute error " << comparison.maxAbsError;
    expectAlterationsAreFound(got, wanted, bounds[index], sizes[index]);
  }
}

/// Compares as a run does, with one element of the kernel's result at a time that is wrong.
void Corpus::expectAlterationsAreFound(const HostTensor &got, const HostTensor &wanted, const ErrorBound &bound,
                                       const TermSizes &sizes) {
  auto compare = [&](const HostTensor &result) {
    return compareResults({result}, {wanted}, {bound}, [&] { return OtherReference{.sizesOfTerms = {sizes}}; }).front();
  };
  Comparison right = compare(got);
  if (right.verdict == CheckVerdict::NotComparable)
    return; // which nobody takes for right
  EXPECT_EQ(right.verdict, CheckVerdict::Ok) << right.why;
  mlir::Type element = wanted.elementType();
  if (llvm::isa<mlir::ComplexType>(element))
    return;
  // A change is found unless it is smaller than some roundings of the element, or of what it is
  // made of: that is taken to be as large as the typical element, or as large as was measured.
  // Functions of f32 and f64 are held to more of their roundings than arithmetic is.
  const double roundings = unitRoundoff(element) < 1e-6 ? 256 : 64;
  double terms = std::max(right.tolerance.typical, sizes.terms), u = unitRoundoff(element);
  int64_t step = std::max<int64_t>(1, wanted.elementCount() / 61), found = 0, exempt = 0;
  for (int64_t at = 0; at < wanted.elementCount(); at += step)
    for (Alteration how : {Alteration::Doubled, Alteration::Zeroed, Alteration::Swapped}) {
      HostTensor wrong = altered(got, how, at);
      double change = std::abs(numberOf(wrong, at) - numberOf(wanted, at));
      if (!(change > 0)) // zero, or infinite, before and after
        continue;
      bool isSmall = change <= roundings * u * (std::abs(numberOf(wanted, at)) + terms) + bound.smallest;
      isSmall ? ++exempt : ++found;
      if (isSmall)
        continue;
      EXPECT_EQ(compare(wrong).verdict, CheckVerdict::Wrong)
          << "element " << at << ": " << numberOf(wrong, at) << " instead of " << numberOf(wanted, at) << ", tolerance "
          << right.tolerance.absolute << " + " << right.tolerance.relative << " * |expected|";
    }
  // How many are small depends on how far the elements lie apart: those of exp lie over many powers of ten.
  // Where no change alters anything (all elements are 0, as of isnan), there is none to find.
  EXPECT_TRUE(found > 0 || exempt == 0) << "all of " << exempt << " changes are too small to be seen";
}

TEST_P(Corpus, DeviceAgreesWithHost) { expectDeviceAgreesWithHost(32); }

TEST_P(Corpus, DeviceAgreesWithHostByItsModel) { expectDeviceAgreesWithHost(0, /*byModel=*/true); }

/// The kernels of PTX count with 64 bits: the same arithmetic, run where there is no CUDA.
TEST_P(Corpus, DeviceAgreesWithHostOnWideIndices) { expectDeviceAgreesWithHost(64); }

INSTANTIATE_TEST_SUITE_P(, Corpus, testing::ValuesIn(corpus()), [](const auto &info) { return info.param.function; });

} // namespace
