#include "core/runtime/host/HostCall.h"
#include "core/device/HostProcessor.h"
#include "core/runtime/host/HostArena.h"
#include "core/runtime/host/HostCode.h"
#include "core/runtime/host/HostMessage.h"
#include "core/runtime/host/HostThreads.h"
#include "core/support/BitCast.h"
#include "core/support/Confine.h"
#include "core/support/ForkedCopy.h"
#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace fuselage {

namespace {

/// A call as it happens in the copy.
class CallInCopy {
public:
  CallInCopy(HostCode &code, std::string_view function, std::span<const HostValue> arguments)
      : code_(code), function_(function), form_(*code.formOf(function)), arguments_(arguments) {
    descriptors_.reserve(arguments.size() + form_.results.size());
    scalars_.resize(form_.results.size());
  }

  Status run(RepeatPlan plan, const HostCallOptions &options);
  void write(HostMessageWriter &out) const;

private:
  void layOut();
  void releaseResults();
  void cool() const;

  HostCode &code_;
  std::string_view function_;
  const HostFunctionForm &form_;
  std::span<const HostValue> arguments_;
  std::vector<MemRefDescriptor> descriptors_; ///< arguments first
  std::vector<std::array<uint8_t, 32>> scalars_;
  std::vector<void *> in_, out_;
  std::vector<MemRefDescriptor *> results_; ///< null for scalars
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
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const HostValue &argument = arguments_[i];
    in_.push_back(form_.arguments[i].isTensor() ? descriptors_.emplace_back(argument.data(), argument.shape).data()
                                                : argument.data());
  }
  for (size_t i = 0; i < scalars_.size(); ++i) {
    const HostValueForm &form = form_.results[i];
    results_.push_back(form.isTensor() ? &descriptors_.emplace_back(form.shape.size()) : nullptr);
    out_.push_back(form.isTensor() ? results_.back()->data() : scalars_[i].data());
  }
}

/// Memory of results that nobody asks for any more is used again.
void CallInCopy::releaseResults() {
  for (MemRefDescriptor *result : results_)
    if (result)
      code_.arena()->release(result->allocated());
}

/// Takes all that the call may touch out of the caches.
void CallInCopy::cool() const {
  for (const HostValue &argument : arguments_)
    HostArena::evict(argument.data(), argument.byteCount);
  code_.arena()->evictAll();
}

Status CallInCopy::run(RepeatPlan plan, const HostCallOptions &options) {
  code_.arena()->fillWith(options.fill);
  for (bool first = true; plan.more(); first = false) {
    if (!first)
      releaseResults();
    layOut();
    bool timed = plan.timed();
    if (timed && options.coldCaches)
      cool();
    if (Status error = code_.call(function_, in_, out_))
      return error;
    insideUs_ += code_.lastMicroseconds();
    if (timed)
      microseconds_.push_back(code_.lastMicroseconds());
    plan.ran(code_.lastMicroseconds() * 1e-6, timed);
  }
  return Status::success();
}

void CallInCopy::write(HostMessageWriter &out) const {
  out.word(uint64_t(HostOutcome::Finished));
  out.word(microseconds_.size());
  out.word(bitCast<uint64_t>(insideUs_));
  for (double time : microseconds_)
    out.word(bitCast<uint64_t>(time));
  out.text(""); // poison is looked for in chains
  for (unsigned i = 0; i < results_.size(); ++i) {
    uint64_t bytes = form_.results[i].elementBytes;
    if (!results_[i]) {
      out.data({}, scalars_[i].data(), bytes);
      continue;
    }
    MemRefDescriptor &result = *results_[i];
    auto *data = static_cast<uint8_t *>(result.aligned()) + result.offset() * bytes;
    unsigned owner = 0;
    while (owner < arguments_.size() &&
           !(form_.arguments[owner].isTensor() && arguments_[owner].data() == result.allocated()))
      ++owner;
    if (owner < arguments_.size()) {
      out.alias(result.sizes(), owner, data - arguments_[owner].data());
      continue;
    }
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

/// The bytes of a value; the largest number where they are more.
static uint64_t bytesNeeded(const HostValueForm &form, std::span<const int64_t> shape) {
  uint64_t bytes = form.elementBytes;
  for (int64_t size : shape)
    if (__builtin_mul_overflow(bytes, uint64_t(size), &bytes))
      return UINT64_MAX;
  return bytes;
}

static Status checkArguments(std::string_view function, const HostFunctionForm &form,
                             std::span<const HostValue> arguments) {
  if (arguments.size() != form.arguments.size())
    return failWith("@" + std::string(function) + " takes " + std::to_string(form.arguments.size()) +
                    " arguments, not " + std::to_string(arguments.size()));
  for (size_t index = 0; index < arguments.size(); ++index) {
    const HostValueForm &expected = form.arguments[index];
    const HostValue &given = arguments[index];
    bool fits = (given.memory || given.byteCount == 0) && expected.shape.size() == given.shape.size() &&
                given.byteCount >= bytesNeeded(expected, given.shape);
    for (size_t i = 0; i < given.shape.size() && fits; ++i)
      fits = given.shape[i] >= 0 && (expected.shape[i] == kUnknownSize || expected.shape[i] == given.shape[i]);
    if (!fits)
      return failWith("argument " + std::to_string(index) + " of @" + std::string(function) +
                      " has other sizes than it takes");
  }
  return Status::success();
}

Result<HostCallResults> measureOnHost(HostCode &code, std::string_view function, std::span<const HostValue> arguments,
                                      RepeatPlan plan, const HostCallOptions &options) {
  // Linked here, once, and not in every copy.
  if (Status error = code.prepare(function))
    return error;
  const HostFunctionForm &form = *code.formOf(function);
  if (Status error = checkArguments(function, form, arguments))
    return error;
  int file = memfd_create("fuselage-results", MFD_CLOEXEC);
  if (file < 0)
    return failWith("@" + std::string(function) + " cannot run: the system has no file in memory for its results");
  auto start = std::chrono::steady_clock::now();
  unsigned threads = std::min(code.form().threads, processorCount());
  const HostLimits &within = code.form().limits;
  TrialLimits limits{.seconds = within.seconds * threads, .bytes = within.bytes, .cancelled = options.cancelled};
  auto trial = runForked(limits, [&](int) {
    // A filter holds for the thread that asks for it, and once it holds no thread can be made.
    HostThreads pool(threads, [] { confineToComputing({}); });
    confineToComputing({&file, 1});
    code.useThreads(&pool);
    code.useCancel(options.cancelled);
    HostMessageWriter out(file);
    CallInCopy call(code, function, arguments);
    if (Status error = call.run(std::move(plan), options)) {
      out.word(uint64_t(HostOutcome::Failed));
      out.text(error.message());
      return;
    }
    call.write(out);
  });
  std::string stopped = "@" + std::string(function) + kStoppedOnHost;
  Result<HostCallResults> results{HostCallResults()};
  if (!trial)
    results = failWith("@" + std::string(function) + " cannot run: the system makes no copy of this process");
  else if (trial->death == "cancelled")
    results = failWith("cancelled");
  else if (trial->death)
    results = failWith(stopped + describeDeath(*trial));
  else
    results = readHostMessage(file, form.results, arguments);
  close(file);
  if (results)
    results->overheadUs += std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  return results;
}

} // namespace fuselage
