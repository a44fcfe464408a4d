#include "core/analysis/costs/Costs.h"
#include "core/codegen/host/HostLowering.h"
#include "core/codegen/host/kernels/HostCpu.h"
#include "core/codegen/host/safety/HostChecks.h"
#include "core/codegen/host/safety/HostSafety.h"
#include "core/run/reference/HostJit.h"
#include "core/run/reference/HostMessage.h"
#include "core/runtime/host/HostArena.h"
#include "core/runtime/host/HostThreads.h"
#include "core/runtime/host/RepeatPlan.h"
#include "core/support/Confine.h"
#include "core/support/TrialRun.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/MathExtras.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;

namespace fuselage {

HostProgram::HostProgram() = default;
HostProgram::~HostProgram() = default;

/// Leaves functions and what they may refer to; schedules and nested modules do not run.
static void dropWhatDoesNotRun(ModuleOp module) {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (llvm::isa<ModuleOp>(op) || op.getName().getDialectNamespace() == "transform")
      op.erase();
}

/// The plain loops of a reference make some 10^9 operations a second; a fifth of that is still no reason to give
/// up. Memory: every tensor of known size at once, twice.
HostLimits hostLimitsFor(Operation *module, const HostLimits &asked) {
  uint64_t flops = 0, bytes = 0;
  module->walk([&](Operation *op) {
    if (llvm::isa<linalg::LinalgOp>(op))
      flops = llvm::SaturatingAdd<uint64_t>(flops, std::max<int64_t>(costOf(op).flops, 0));
    for (Type type : op->getResultTypes())
      if (llvm::isa<RankedTensorType>(type))
        bytes = llvm::SaturatingAdd<uint64_t>(bytes, std::max<int64_t>(byteSize(type).value_or(0), 0));
  });
  constexpr uint64_t leastSeconds = 10, mostSeconds = 24 * 3600, flopsPerSecond = 200'000'000;
  constexpr uint64_t leastBytes = uint64_t(2) << 30;
  uint64_t memory = uint64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  uint64_t seconds = std::min(leastSeconds + flops / flopsPerSecond, mostSeconds);
  uint64_t wanted = llvm::SaturatingAdd<uint64_t>(leastBytes, llvm::SaturatingMultiply<uint64_t>(2, bytes));
  return {.seconds = asked.seconds ? asked.seconds : static_cast<unsigned>(seconds),
          .bytes = asked.bytes ? asked.bytes : std::min(wanted, std::max(leastBytes, memory / 5 * 4))};
}

llvm::Expected<std::unique_ptr<HostProgram>> HostProgram::compile(ModuleOp module, const HostProgramOptions &options) {
  OwningOpRef<ModuleOp> copy(module.clone());
  dropWhatDoesNotRun(*copy);
  inlineDispatchRegions(*copy);
  if (llvm::Error error = refuseUnsafe(*copy))
    return error;
  if (llvm::Error error = refuseAddresses(*copy))
    return error;
  std::unique_ptr<HostProgram> program(new HostProgram());
  for (auto function : copy->getOps<func::FuncOp>())
    program->types_.emplace(function.getName().str(), function.getFunctionType());
  program->limits_ = hostLimitsFor(*copy, options.limits);
  program->cancelled_ = options.jit.cancelled;
  if (options.checks)
    if (llvm::Error error = insertChecks(*copy))
      return error;
  if (llvm::Error error = lowerTensorsToMemRefs(
          *copy, {.wideSums = options.wideSums, .kernels = options.jit.threads == HostThreading::Kernels}))
    return error;
  auto jit = HostJit::compile(*copy, options.jit);
  if (!jit)
    return jit.takeError();
  program->jit_ = std::move(*jit);
  return program;
}

/// Checks one argument against the function's type.
static llvm::Error checkArgument(StringRef function, unsigned index, Type expected, const HostTensor &given) {
  auto wanted = llvm::dyn_cast<RankedTensorType>(expected);
  auto have = given ? llvm::dyn_cast<RankedTensorType>(given.type()) : RankedTensorType();
  bool fits = given && (wanted ? have && wanted.getElementType() == have.getElementType() &&
                                     succeeded(verifyCompatibleShape(wanted, have))
                               : given.type() == expected);
  if (fits)
    return llvm::Error::success();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "argument " << index << " of @" << function << " is a " << expected << ", but a ";
  if (given)
    os << given.type();
  else
    os << "missing value";
  os << " was given";
  return fail(text);
}

llvm::Error HostProgram::checkCall(StringRef function, ArrayRef<HostTensor> arguments) const {
  auto found = types_.find(function.str());
  if (found == types_.end() || !jit_->typeOf(function))
    return fail("there is no function @" + function.str() + " with a body in the module");
  FunctionType type = found->second;
  if (arguments.size() != type.getNumInputs())
    return fail("@" + function.str() + " takes " + std::to_string(type.getNumInputs()) + " arguments, not " +
                std::to_string(arguments.size()));
  for (unsigned i = 0; i < arguments.size(); ++i)
    if (llvm::Error error = checkArgument(function, i, type.getInput(i), arguments[i]))
      return error;
  for (Type result : type.getResults())
    if (!hostElementBytes(getElementTypeOrSelf(result)))
      return fail("a result of @" + function.str() + " is a " + textOf(result) + ", which has no form in host memory");
  return llvm::Error::success();
}

namespace {

/// A call as it happens in the copy.
class CallInCopy {
public:
  CallInCopy(HostJit &jit, StringRef function, FunctionType type, ArrayRef<HostTensor> arguments)
      : jit_(jit), function_(function), type_(type), arguments_(arguments) {
    descriptors_.reserve(arguments.size() + type.getNumResults());
    scalars_.resize(type.getNumResults());
  }

  llvm::Error run(RepeatPlan plan, const HostCallOptions &options);
  void write(HostMessageWriter &out) const;

private:
  void layOut();
  void releaseResults();
  void cool() const;

  HostJit &jit_;
  StringRef function_;
  FunctionType type_;
  ArrayRef<HostTensor> arguments_;
  std::vector<MemRefDescriptor> descriptors_; ///< arguments first
  std::vector<HostTensor> scalars_;
  SmallVector<void *> in_, out_;
  SmallVector<MemRefDescriptor *> results_; ///< null for scalars
  std::vector<double> microseconds_;
  double insideUs_ = 0; ///< of all calls
};

} // namespace

/// Makes the descriptors for one call.
void CallInCopy::layOut() {
  descriptors_.clear();
  in_.clear();
  out_.clear();
  results_.clear();
  for (const HostTensor &argument : arguments_)
    in_.push_back(argument.isScalar() ? argument.data()
                                      : descriptors_.emplace_back(argument.data(), argument.shape()).data());
  FunctionType lowered = jit_.typeOf(function_);
  for (unsigned i = 0; i < type_.getNumResults(); ++i) {
    auto memref = llvm::dyn_cast<MemRefType>(lowered.getResult(i));
    results_.push_back(memref ? &descriptors_.emplace_back(memref.getRank()) : nullptr);
    out_.push_back(memref ? results_.back()->data() : scalars_[i].data());
  }
}

/// Memory of results that nobody asks for any more is used again.
void CallInCopy::releaseResults() {
  for (MemRefDescriptor *result : results_)
    if (result)
      jit_.arena()->release(result->allocated());
}

/// Takes all that the call may touch out of the caches.
void CallInCopy::cool() const {
  for (const HostTensor &argument : arguments_)
    HostArena::evict(argument.data(), argument.byteCount());
  jit_.arena()->evictAll();
}

llvm::Error CallInCopy::run(RepeatPlan plan, const HostCallOptions &options) {
  jit_.arena()->fillWith(options.fill);
  for (unsigned i = 0; i < type_.getNumResults(); ++i)
    if (!llvm::isa<ShapedType>(type_.getResult(i))) {
      auto scalar = HostTensor::create(type_.getResult(i));
      if (!scalar)
        return scalar.takeError();
      scalars_[i] = std::move(*scalar);
    }
  for (bool first = true; plan.more(); first = false) {
    if (!first)
      releaseResults();
    layOut();
    bool timed = plan.timed();
    if (timed && options.coldCaches)
      cool();
    if (llvm::Error error = jit_.call(function_, in_, out_))
      return error;
    insideUs_ += jit_.lastMicroseconds();
    if (timed)
      microseconds_.push_back(jit_.lastMicroseconds());
    plan.ran(jit_.lastMicroseconds() * 1e-6, timed);
  }
  return llvm::Error::success();
}

void CallInCopy::write(HostMessageWriter &out) const {
  out.word(uint64_t(HostOutcome::Finished));
  out.word(microseconds_.size());
  out.word(llvm::bit_cast<uint64_t>(insideUs_));
  for (double time : microseconds_)
    out.word(llvm::bit_cast<uint64_t>(time));
  out.text(""); // poison is looked for in chains
  for (unsigned i = 0; i < results_.size(); ++i) {
    if (!results_[i]) {
      out.data({}, scalars_[i].data(), scalars_[i].byteCount());
      continue;
    }
    MemRefDescriptor &result = *results_[i];
    uint64_t elementBytes = hostElementBytes(getElementTypeOrSelf(type_.getResult(i)));
    auto *data = static_cast<uint8_t *>(result.aligned()) + result.offset() * elementBytes;
    auto owner = llvm::find_if(arguments_, [&](const HostTensor &argument) {
      return !argument.isScalar() && argument.data() == result.allocated();
    });
    if (owner != arguments_.end()) {
      out.alias(result.sizes(), owner - arguments_.begin(), data - owner->data());
      continue;
    }
    uint64_t bytes = elementBytes;
    for (int64_t size : result.sizes())
      bytes *= size;
    out.data(result.sizes(), data, bytes);
  }
}

std::string describeDeath(const TrialResult &trial) {
  switch (trial.signal) {
  case SIGSEGV:
  case SIGBUS:
    return "it touched memory outside of its tensors (" + std::string(strsignal(trial.signal)) + ")";
  case SIGFPE:
    return "an integer division by zero, or one that overflows";
  case SIGILL:
  case SIGTRAP:
    return "it reached code that must never be reached (" + std::string(strsignal(trial.signal)) + ")";
  case SIGABRT:
    return "it damaged memory (" + std::string(strsignal(trial.signal)) + ")";
  default:
    return "it " + *trial.death;
  }
}

llvm::Expected<HostResults> HostProgram::measure(StringRef function, ArrayRef<HostTensor> arguments, RepeatPlan plan,
                                                 const HostCallOptions &options) {
  if (llvm::Error error = checkCall(function, arguments))
    return error;
  // Compiled here, once, and not in every copy.
  if (llvm::Error error = jit_->prepare(function))
    return error;
  int file = memfd_create("fuselage-results", MFD_CLOEXEC);
  if (file < 0)
    return fail("@" + function.str() + " cannot run: the system has no file in memory for its results");
  auto start = std::chrono::steady_clock::now();
  FunctionType type = types_.at(function.str());
  unsigned threads = usesThreads() ? hostCpu().threads : 1;
  TrialLimits limits{.seconds = limits_.seconds * threads, .bytes = limits_.bytes, .cancelled = cancelled_};
  auto trial = runInCopy(limits, [&](llvm::raw_ostream &) {
    // A filter holds for the thread that asks for it, and no thread can be made behind it.
    HostThreads pool(threads, [] { confineToComputing({}); });
    confineToComputing(file);
    jit_->useThreads(&pool);
    HostMessageWriter out(file);
    CallInCopy call(*jit_, function, type, arguments);
    if (llvm::Error error = call.run(std::move(plan), options)) {
      out.word(uint64_t(HostOutcome::Failed));
      out.text(takeFailure(std::move(error)).message);
      return;
    }
    call.write(out);
  });
  std::string stopped = "@" + function.str() + " stopped on the host: ";
  llvm::Expected<HostResults> results = HostResults();
  if (!trial)
    results = fail("@" + function.str() + " cannot run: the system makes no copy of this process");
  else if (trial->death == "cancelled")
    results = fail("cancelled");
  else if (trial->death)
    results = fail(stopped + describeDeath(*trial));
  else
    results = readHostMessage(file, type.getResults(), arguments);
  close(file);
  if (results)
    results->overheadUs += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  return results;
}

llvm::Expected<std::vector<HostTensor>> HostProgram::call(StringRef function, ArrayRef<HostTensor> arguments,
                                                          const HostCallOptions &options) {
  auto results = measure(function, arguments, RepeatPlan({.repeat = 1, .warmup = 0}), options);
  if (!results)
    return results.takeError();
  return std::move(results->values);
}

} // namespace fuselage
