#include "core/run/bundles/BundleRun.h"
#include "core/bundle/BundleFiles.h"
#include "core/bundle/Sha256.h"
#include "core/codegen/Targets.h"
#include "core/codegen/host/Isolate.h"
#include "core/device/HostCpu.h"
#include "core/ir/module/WorkerContexts.h"
#include "core/run/DispatchCompiler.h"
#include "core/run/Run.h"
#include "core/run/bundles/ResultsFile.h"
#include "core/run/progress/RunMonitor.h"
#include "core/run/values/RunRecorder.h"
#include "core/support/ResultErrors.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;

namespace fuselage {

namespace {

/// Writes the values of dispatches while a run checks them.
class BundleWriter : public RunRecorder {
public:
  BundleWriter(bundle::Folder &folder, bool isHost) : folder_(folder), isHost_(isHost) {}
  llvm::Error record(const RecordedDispatch &recorded) override;
  /// Compiles what was recorded and writes the manifest.
  llvm::Expected<bundle::Manifest> finish(MLIRContext &context, const RunReport &report, const RunOptions &run,
                                          const BundleOptions &options);

private:
  struct Recorded {
    bundle::Dispatch dispatch;
    std::string function, packed; ///< the dispatch function, packed
    std::string meaningless;
  };
  /// The kernels of a function, or why there are none.
  struct Kernels {
    std::vector<bundle::Kernel> kernels;
    std::vector<uint64_t> scratchBytes;
    std::string whyNot;
  };

  llvm::Expected<bundle::File> writeContent(llvm::StringRef bytes, const char *ending);
  llvm::Expected<bundle::Value> writeValue(const HostTensor &value);
  llvm::Expected<Kernels> compile(const Recorded &recorded, MLIRContext &context, const DispatchCompiler &compiler);

  bundle::Folder &folder_;
  bool isHost_;
  std::map<size_t, Recorded> recorded_; ///< by first row
};

} // namespace

/// Named by its content, so that what several dispatches take is there once.
llvm::Expected<bundle::File> BundleWriter::writeContent(llvm::StringRef bytes, const char *ending) {
  std::string sum = sha256(bytes);
  return llvmExpected(folder_.write(sum.substr(0, 24) + ending, bytes));
}

llvm::Expected<bundle::Value> BundleWriter::writeValue(const HostTensor &value) {
  bundle::Value written{
      .type = textOf(value.type()), .element = textOf(value.elementType()), .shape = {}, .content = {}};
  if (!value.isScalar())
    written.shape = value.shape().vec();
  if (bundle::elementBits(written.element, isHost_) == 0)
    return fail("bundles do not hold elements of type " + written.element);
  std::string bytes(isHost_ ? value.byteCount() : deviceByteCount(value.type()), '\0');
  if (isHost_)
    std::memcpy(bytes.data(), value.data(), bytes.size());
  else
    packForDevice(value, reinterpret_cast<uint8_t *>(bytes.data()));
  auto file = writeContent(bytes, ".bin");
  if (!file)
    return file.takeError();
  written.content = std::move(*file);
  return written;
}

static bundle::ErrorLimits limitsOf(const HostTensor &expected, const ErrorBound &bound) {
  Tolerance tolerance = toleranceFor(expected, bound);
  return {.absolute = tolerance.absolute, .relative = tolerance.relative, .typical = tolerance.typical};
}

/// What compareResults() tries, in its order.
static std::vector<bundle::ErrorLimits> limitsOf(const HostTensor &expected, ErrorBound bound, const TermSizes &size) {
  Type element = expected.elementType();
  if (!isa<FloatType, ComplexType>(element))
    return {};
  HostTensor numbers = expected;
  if (auto complex = dyn_cast<ComplexType>(element))
    numbers = expected.reinterpret(RankedTensorType::get({2 * expected.elementCount()}, complex.getElementType()));
  std::vector<bundle::ErrorLimits> limits{limitsOf(numbers, bound)};
  if (size.terms > 0) {
    bound.terms = size.terms;
    limits.push_back(limitsOf(numbers, bound));
  }
  if (size.moved > 0) {
    bound.moved = size.moved;
    limits.push_back(limitsOf(numbers, bound));
  }
  return limits;
}

llvm::Error BundleWriter::record(const RecordedDispatch &recorded) {
  func::FuncOp function = recorded.dispatch;
  Recorded &entry = recorded_[recorded.firstRow];
  entry.function = function.getName().str();
  entry.packed = packModule(*isolateFunction(function));
  entry.meaningless = recorded.meaningless;
  for (const HostTensor &input : recorded.inputs) {
    auto value = writeValue(input);
    if (!value)
      return value.takeError();
    entry.dispatch.arguments.push_back(std::move(*value));
  }
  for (auto [index, expected] : llvm::enumerate(recorded.expected)) {
    auto value = writeValue(expected);
    if (!value)
      return value.takeError();
    TermSizes size = index < recorded.other.sizesOfTerms.size() ? recorded.other.sizesOfTerms[index] : TermSizes();
    entry.dispatch.results.push_back({.value = std::move(*value),
                                      .limits = limitsOf(expected, recorded.bounds[index], size),
                                      .infinitiesIntended = recorded.bounds[index].intended.infinities,
                                      .nansIntended = recorded.bounds[index].intended.nans});
  }
  return llvm::Error::success();
}

static std::vector<bundle::HostForm> formsOf(ArrayRef<HostValueForm> forms) {
  std::vector<bundle::HostForm> list;
  for (const HostValueForm &form : forms) {
    const char *kind = form.isTensor() ? "tensor" : form.kind == HostValueForm::Kind::Complex ? "complex" : "scalar";
    bundle::HostForm &written =
        list.emplace_back(bundle::HostForm{.kind = kind, .elementBytes = form.elementBytes, .shape = {}});
    for (int64_t size : form.shape)
      written.shape.push_back(size == kUnknownSize ? -1 : size);
  }
  return list;
}

/// How the host calls the one function of a kernel.
static std::vector<bundle::HostCall> callsOf(const CompiledKernel &kernel) {
  if (!kernel.host)
    return {};
  auto function = kernel.host->functions.find(kernel.entry);
  if (function == kernel.host->functions.end())
    return {};
  constexpr unsigned longest = 86400;
  return {{.arguments = formsOf(function->second.arguments),
           .results = formsOf(function->second.results),
           .threads = kernel.host->threads,
           .limitSeconds = std::clamp(kernel.host->limits.seconds, 1u, longest),
           .limitBytes = std::min(kernel.host->limits.bytes, uint64_t(1) << 46)}};
}

llvm::Expected<BundleWriter::Kernels> BundleWriter::compile(const Recorded &recorded, MLIRContext &context,
                                                            const DispatchCompiler &compiler) {
  Kernels made;
  OwningOpRef<ModuleOp> module = unpackModule(recorded.packed, context);
  auto function = module ? module->lookupSymbol<func::FuncOp>(recorded.function) : func::FuncOp();
  if (!function)
    return fail("@" + recorded.function + " cannot be read again");
  auto compiled = compiler.compile(function);
  if (!compiled) {
    made.whyNot = takeFailure(compiled.takeError()).message;
    return made;
  }
  made.scratchBytes = compiled->dispatch.scratchBytes;
  for (const CompiledKernel &kernel : compiled->dispatch.kernels) {
    auto code = writeContent(kernel.binary, isHost_ ? ".o" : ".kernel");
    if (!code)
      return code.takeError();
    made.kernels.push_back({.entry = kernel.entry,
                            .code = std::move(*code),
                            .grid = kernel.grid,
                            .block = kernel.block,
                            .sharedBytes = kernel.sharedBytes,
                            .dynamicSharedBytes = kernel.dynamicSharedBytes,
                            .buffers = {kernel.arguments.begin(), kernel.arguments.end()},
                            .host = callsOf(kernel)});
  }
  return made;
}

/// What kernels of this machine may use of its processor, by the names that /proc/cpuinfo has without underscores.
static std::vector<std::string> processorNeeds() {
  const std::set<std::string> features = readHostCpu().features;
  std::vector<std::string> needs;
  for (const char *feature : {"avx",      "avx2",       "avx512bf16",      "avx512bitalg", "avx512bw",   "avx512cd",
                              "avx512dq", "avx512f",    "avx512fp16",      "avx512ifma",   "avx512vbmi", "avx512vbmi2",
                              "avx512vl", "avx512vnni", "avx512vpopcntdq", "bmi1",         "bmi2",       "f16c",
                              "fma",      "gfni",       "movbe",           "vaes",         "vpclmulqdq"})
    if (features.count(feature) != 0)
      needs.push_back(feature);
  return needs;
}

llvm::Expected<bundle::Manifest> BundleWriter::finish(MLIRContext &context, const RunReport &report,
                                                      const RunOptions &run, const BundleOptions &options) {
  bundle::Manifest manifest;
  manifest.program = "fuselage " FUSELAGE_VERSION ", LLVM " LLVM_VERSION_STRING;
  manifest.language = languageOf(options.target.target);
  manifest.target = options.target.target == KernelTarget::Ptx ? options.target.chip : options.target.device.chip.value;
  manifest.device = options.targetName;
  manifest.source = options.source;
  manifest.sourceSha256 = checksumOfFile(options.source);
  manifest.function = report.function;
  if (isHost_)
    manifest.needs = processorNeeds();
  std::unique_ptr<DispatchCompiler> compiler = DispatchCompiler::of(options.target, run);
  std::map<std::string, Kernels> known; // by the packed function, which equal places of the program share
  unsigned done = 0;
  RunMonitor monitor(run.progress);
  monitor.enter(message::RunPhase::Compile);
  monitor.expect(recorded_.size());
  for (auto &[firstRow, recorded] : recorded_) {
    if (run.cancelled && run.cancelled->load())
      return fail("cancelled");
    monitor.tell(done++, "compiling for " + options.targetName);
    if (!recorded.meaningless.empty()) {
      manifest.omissions.push_back({.dispatch = recorded.function, .why = recorded.meaningless});
      continue;
    }
    auto [kernels, isNew] = known.try_emplace(recorded.packed);
    if (isNew) {
      auto made = compile(recorded, context, *compiler);
      if (!made)
        return made.takeError();
      kernels->second = std::move(*made);
    }
    if (!kernels->second.whyNot.empty()) {
      manifest.omissions.push_back({.dispatch = recorded.function, .why = kernels->second.whyNot});
      continue;
    }
    bundle::Dispatch dispatch = std::move(recorded.dispatch);
    const KernelReport &row = report.kernels[firstRow];
    dispatch.name = recorded.function;
    dispatch.index = row.dispatchIndex;
    dispatch.location = row.loc;
    dispatch.parts = row.parts;
    dispatch.arithmetic = row.arithmetic;
    dispatch.flops = row.flops;
    dispatch.bytesMoved = row.bytes;
    dispatch.bytesAtMost = row.gbpsAtMost;
    dispatch.calls = row.calls;
    dispatch.isOnce = row.once;
    dispatch.kernels = kernels->second.kernels;
    dispatch.scratchBytes = kernels->second.scratchBytes;
    manifest.dispatches.push_back(std::move(dispatch));
  }
  if (manifest.dispatches.empty())
    return fail("no dispatch of @" + report.function + " can be bundled for " + options.targetName +
                (manifest.omissions.empty() ? std::string(": there is none") : ": " + manifest.omissions.front().why));
  // What is written is what the launcher reads: nothing that it would refuse leaves this function.
  if (auto checked = bundle::readManifest(bundle::writeManifest(manifest)); !checked)
    return fail("the bundle would be refused: " + checked.error().message());
  if (llvm::Error error = folder_.write(manifest))
    return error;
  return manifest;
}

llvm::Expected<bundle::Manifest> bundleModule(Session &session, ModuleOp module, RunOptions run,
                                              const BundleOptions &options) {
  auto folder = bundle::Folder::create(options.folder);
  if (!folder)
    return llvmError(folder.takeError());
  BundleWriter writer(*folder, options.target.target == KernelTarget::Host);
  run.device = kHostId;
  run.repeat = 1;
  run.warmup = 0;
  run.coldCaches = false;
  run.baselines = nullptr;
  run.tuning = nullptr;
  run.recorder = &writer;
  auto report = runModule(session, module, run);
  if (!report)
    return report.takeError();
  return writer.finish(*module.getContext(), *report, run, options);
}

} // namespace fuselage
