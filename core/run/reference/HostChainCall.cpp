// A chain's calls, in a forked copy of the process.
#include "core/run/reference/HostChain.h"
#include "core/run/values/Neighbours.h"
#include "core/run/values/RoundingErrors.h"
#include "core/runtime/host/HostArena.h"
#include "core/runtime/host/HostMessage.h"
#include "core/support/Confine.h"
#include "core/support/ResultErrors.h"
#include "core/support/TrialRun.h"
#include <array>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;

namespace fuselage {

/// While it lives, the thread takes denormal numbers for zero, if it is to.
class DenormalMode {
public:
  explicit DenormalMode(bool flushes) : before_(get()) {
    if (flushes)
      set(before_ | flushing);
  }
  ~DenormalMode() { set(before_); }
  DenormalMode(const DenormalMode &) = delete;
  DenormalMode &operator=(const DenormalMode &) = delete;

private:
#if defined(__x86_64__)
  static constexpr uint64_t flushing = 0x8040; // results, and operands
  static uint64_t get() { return __builtin_ia32_stmxcsr(); }
  static void set(uint64_t mode) { __builtin_ia32_ldmxcsr(unsigned(mode)); }
#elif defined(__aarch64__)
  static constexpr uint64_t flushing = uint64_t(1) << 24;
  static uint64_t get() { return __builtin_aarch64_get_fpcr64(); }
  static void set(uint64_t mode) { __builtin_aarch64_set_fpcr64(mode); }
#else
  static constexpr uint64_t flushing = 0;
  static uint64_t get() { return 0; }
  static void set(uint64_t) {}
#endif
  uint64_t before_;
};

/// One call as it happens in the copy.
class ChainInCopy {
public:
  ChainInCopy(const HostChain::Call &call, std::shared_ptr<HostArena> arena)
      : chain_(*call.chain), givens_(call.arguments), arena_(std::move(arena)), values_(chain_.valueCount_),
        roundedOtherwise_(call.roundedOtherwise), flushesDenormals_(call.flushesDenormals) {
    llvm::append_range(givens_, chain_.constants_);
    if (roundedOtherwise_)
      for (auto [seed, given] : llvm::enumerate(givens_))
        given = roundedOtherwise(given, seed);
    for (auto [value, given] : llvm::zip(values_, givens_)) {
      value.data = given.data();
      value.shape = llvm::to_vector(given.shape());
    }
  }

  llvm::Error run() {
    DenormalMode mode(flushesDenormals_);
    for (const HostChain::Step &step : chain_.steps_) {
      if (!step.piece)
        reshape(step);
      else if (llvm::Error error = runPiece(step))
        return error;
      for (unsigned value : step.dead)
        release(values_[value]);
      arena_->trim(keptBytes);
    }
    return llvm::Error::success();
  }

  void write(HostMessageWriter &out) const;
  void releaseAll() {
    for (Value &value : values_)
      release(value);
    arena_->trim(0);
  }

private:
  static constexpr uint64_t keptBytes = uint64_t(64) << 20; ///< of free memory, for the next step
  struct Value {
    uint8_t *data = nullptr;
    SmallVector<int64_t> shape{};
    void *block = nullptr;            ///< of the arena; null: nobody has to free it
    std::array<uint8_t, 16> scalar{}; ///< what `data` points to where it is none
  };

  void hold(void *block) {
    if (block)
      ++users_[block];
  }
  void release(Value &value) {
    if (value.block && --users_[value.block] == 0)
      arena_->release(value.block);
    value.block = nullptr;
  }
  void reshape(const HostChain::Step &step) {
    const Value &from = values_[step.inputs[0]];
    Value &to = values_[step.outputs[0]];
    to.data = from.data;
    to.block = from.block;
    to.shape = step.shape;
    hold(to.block);
  }
  static HostTensor roundedOtherwise(const HostTensor &given, uint64_t seed);
  llvm::Error runPiece(const HostChain::Step &step);
  void take(const HostChain::Step &step, Value &value, MemRefDescriptor &result, RankedTensorType type);

  const HostChain &chain_;
  SmallVector<HostTensor> givens_;
  std::shared_ptr<HostArena> arena_;
  std::vector<Value> values_;
  std::map<void *, unsigned> users_; ///< of a block
  bool roundedOtherwise_, flushesDenormals_;
  std::string poison_; ///< the first op that gave poison
};

/// A copy that is one rounding off; itself where there is no memory for one.
HostTensor ChainInCopy::roundedOtherwise(const HostTensor &given, uint64_t seed) {
  auto copy = HostTensor::create(given.type());
  if (!copy) {
    llvm::consumeError(copy.takeError());
    return given;
  }
  std::copy_n(given.data(), given.byteCount(), copy->data());
  moveToNeighbours(copy->elementType(), copy->data(), copy->elementCount(), seed);
  return std::move(*copy);
}

/// A result is fresh memory, a part of an input's, or a constant of the program.
void ChainInCopy::take(const HostChain::Step &step, Value &value, MemRefDescriptor &result, RankedTensorType type) {
  value.data = static_cast<uint8_t *>(result.aligned()) + result.offset() * hostElementBytes(type.getElementType());
  value.shape = llvm::to_vector(result.sizes());
  value.block = nullptr;
  for (unsigned input : step.inputs)
    if (values_[input].data == result.allocated()) {
      value.block = values_[input].block;
      return hold(value.block);
    }
  if (arena_->keep(result.allocated())) {
    value.block = result.allocated();
    hold(value.block);
    if (roundedOtherwise_)
      moveToNeighbours(type.getElementType(), value.data, ShapedType::getNumElements(value.shape), users_.size());
  }
}

llvm::Error ChainInCopy::runPiece(const HostChain::Step &step) {
  HostCode &code = step.piece->program->code();
  code.useArena(arena_);
  const HostFunctionForm &form = *code.formOf("run");
  std::vector<MemRefDescriptor> descriptors;
  descriptors.reserve(step.inputs.size() + step.outputs.size());
  SmallVector<void *> in, out;
  for (auto [number, expected] : llvm::zip_equal(step.inputs, form.arguments)) {
    Value &value = values_[number];
    in.push_back(expected.isTensor() ? descriptors.emplace_back(value.data, value.shape).data() : value.data);
  }
  SmallVector<MemRefDescriptor *> results;
  for (auto [number, expected] : llvm::zip_equal(step.outputs, form.results)) {
    Value &value = values_[number];
    if (!expected.isTensor())
      value.data = value.scalar.data();
    results.push_back(expected.isTensor() ? &descriptors.emplace_back(expected.shape.size()) : nullptr);
    out.push_back(expected.isTensor() ? results.back()->data() : value.data);
  }
  if (llvm::Error error = code.call("run", in, out)) {
    // The user's function is what stopped; its pieces are ours.
    std::string message = takeFailure(std::move(error)).message;
    StringRef said = message;
    return fail(said.consume_front("@run ") ? "@" + chain_.name() + " " + said.str() : message);
  }
  if (const auto &poison = code.lastPoison(); poison && poison_.empty() && uint64_t(poison->site) < step.sites.size())
    poison_ = step.sites[poison->site].sentence(poison->number);
  for (auto [number, result, expected] : llvm::zip_equal(step.outputs, results, step.piece->type.getResults()))
    if (result)
      take(step, values_[number], *result, llvm::cast<RankedTensorType>(expected));
  return llvm::Error::success();
}

void ChainInCopy::write(HostMessageWriter &out) const {
  out.word(uint64_t(HostOutcome::Finished));
  out.word(0); // no times
  out.word(0);
  out.text(poison_);
  for (auto [number, type] : llvm::zip_equal(chain_.results_, chain_.type_.getResults())) {
    const Value &value = values_[number];
    uint64_t bytes = hostElementBytes(getElementTypeOrSelf(type));
    for (int64_t size : value.shape)
      bytes *= size;
    auto owner = llvm::find_if(ArrayRef(givens_), [&](const HostTensor &given) {
      return !given.isScalar() && value.data >= given.data() &&
             value.data + bytes <= given.data() + given.byteCount() && given.byteCount() != 0;
    });
    if (llvm::isa<ShapedType>(type) && owner != givens_.end())
      out.alias(value.shape, owner - givens_.begin(), value.data - owner->data());
    else
      out.data(value.shape, value.data, bytes);
  }
}

/// The message of one call, which another process reads.
static int openMessage() { return memfd_create("fuselage-results", MFD_CLOEXEC); }

/// Gives copies names, runs them, and says whether all came to their end.
static std::optional<TrialResult> runAll(ArrayRef<HostChain::Call> calls, ArrayRef<int> files,
                                         const TrialLimits &limits, std::optional<uint8_t> fill) {
  return runInCopy(limits, [&](llvm::raw_ostream &) {
    confineToComputing(files);
    for (auto [call, file] : llvm::zip_equal(calls, files)) {
      auto arena = std::make_shared<HostArena>();
      arena->fillWith(fill);
      HostMessageWriter out(file);
      ChainInCopy inCopy(call, arena);
      if (llvm::Error error = inCopy.run()) {
        out.word(uint64_t(HostOutcome::Failed));
        out.text(takeFailure(std::move(error)).message);
      } else {
        inCopy.write(out);
      }
      inCopy.releaseAll(); // the programs hold on to the arena until they get another
    }
  });
}

llvm::Expected<HostResults> HostChain::readResults(const Call &call, int file) {
  std::vector<HostValue> givens;
  for (const HostTensor &given : call.arguments)
    givens.push_back(hostValueOf(given));
  for (const HostTensor &constant : call.chain->constants_) // aliases of these are as they were given
    givens.push_back(hostValueOf(constant));
  TypeRange types = call.chain->type_.getResults();
  auto read = readHostMessage(file, llvm::map_to_vector(types, hostFormOf), givens);
  if (!read)
    return read.takeError();
  HostResults results{.overheadUs = read->overheadUs, .poison = std::move(read->poison)};
  for (auto [type, value] : llvm::zip_equal(types, read->values))
    results.values.push_back(hostTensorOf(type, value));
  return results;
}

std::vector<llvm::Expected<HostResults>> HostChain::callAll(ArrayRef<Call> calls, const std::atomic<bool> *cancelled,
                                                            std::optional<uint8_t> fill, std::mutex *lock) {
  std::vector<llvm::Expected<HostResults>> results;
  SmallVector<int> files;
  TrialLimits limits{.seconds = 0, .bytes = 0, .cancelled = cancelled};
  for (const Call &call : calls) {
    files.push_back(openMessage());
    limits.seconds += call.chain->limits_.seconds;
    limits.bytes = std::max(limits.bytes, call.chain->limits_.bytes);
  }
  bool hasFiles = llvm::none_of(files, [](int file) { return file < 0; });
  auto trial = hasFiles ? runAll(calls, files, limits, fill) : std::nullopt;
  std::unique_lock<std::mutex> reading = lock ? std::unique_lock(*lock) : std::unique_lock<std::mutex>();
  for (auto [call, file] : llvm::zip_equal(calls, files)) {
    std::string name = "@" + call.chain->name();
    if (!trial) {
      results.push_back(fail(name + " cannot run: the system makes no copy of this process"));
    } else if (trial->death == "cancelled") {
      results.push_back(fail("cancelled"));
    } else if (trial->death && calls.size() > 1) { // by itself: which of them it was
      results.push_back(std::move(callAll(call, cancelled, fill).front()));
    } else if (trial->death) {
      results.push_back(fail(name + kStoppedOnHost + describeDeath(*trial)));
    } else {
      results.push_back(readResults(call, file));
    }
    if (file >= 0)
      close(file);
  }
  return results;
}

double HostChain::roundoff() const {
  double largest = 0;
  auto add = [&](TypeRange types) {
    for (Type type : types)
      largest = std::max(largest, unitRoundoff(type));
  };
  add(type_.getInputs());
  add(type_.getResults());
  for (const Step &step : steps_)
    if (step.piece)
      add(step.piece->type.getResults());
  return largest;
}

OtherReference HostChain::computeOtherwise(ArrayRef<HostTensor> arguments, ArrayRef<HostTensor> results,
                                           const std::atomic<bool> *cancelled) const {
  OtherReference other{.sizesOfTerms = std::vector<TermSizes>(results.size())};
  std::vector<Call> calls = {{.chain = this, .arguments = arguments, .roundedOtherwise = true},
                             {.chain = this, .arguments = arguments, .flushesDenormals = true}};
  auto found = callAll(calls, cancelled);
  if (auto &moved = found.front()) {
    for (auto [size, result, values] : llvm::zip(other.sizesOfTerms, results, moved->values)) {
      size.terms = sizeOfTerms(result, values, roundoff());
      size.moved = size.terms * roundoff();
    }
  } else {
    llvm::consumeError(moved.takeError());
  }
  if (auto &flushed = found.back())
    other.flushed = std::move(flushed->values);
  else
    llvm::consumeError(flushed.takeError());
  return other;
}

llvm::Expected<HostResults> HostChain::call(ArrayRef<HostTensor> arguments, const std::atomic<bool> *cancelled,
                                            std::optional<uint8_t> fill) const {
  if (llvm::Error error = checkCompiled())
    return error;
  auto results = callAll(Call{.chain = this, .arguments = arguments}, cancelled, fill);
  return std::move(results.front());
}

} // namespace fuselage
