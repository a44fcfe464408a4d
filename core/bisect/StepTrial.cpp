#include "core/bisect/StepTrial.h"
#include "core/bisect/CrashPlace.h"
#include "core/ir/ops/ValueNames.h"
#include "core/stepping/record/Recording.h"
#include "core/support/ForkedCopy.h"
#include "core/support/TrialRun.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>
#include <ctime>
#include <sys/mman.h>
#include <unistd.h>

namespace fuselage {
namespace {

/// What the copy leaves behind, however it ends.
struct LastWords {
  unsigned step, rewrites;
  unsigned begun; ///< patterns that were tried
  double seconds; ///< of processor time, when the last thing happened
  int64_t op;     ///< that was changed last, as it stands before the step, from 1; 0: none of it
  char last[512], going[512], source[256];
};

/// Memory that a copy of the process shares.
class SharedWords {
public:
  SharedWords() : at_(mmap(nullptr, sizeof(LastWords), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {}
  ~SharedWords() {
    if (*this)
      munmap(at_, sizeof(LastWords));
  }
  SharedWords(const SharedWords &) = delete;
  SharedWords &operator=(const SharedWords &) = delete;
  explicit operator bool() const { return at_ != MAP_FAILED; }
  LastWords *operator->() const { return static_cast<LastWords *>(at_); }
  LastWords &operator*() const { return *static_cast<LastWords *>(at_); }

private:
  void *at_;
};

template <size_t size> void say(char (&place)[size], llvm::StringRef text) {
  text = text.take_front(size - 1);
  std::memcpy(place, text.data(), text.size());
  place[text.size()] = 0;
}

double secondsUsed() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// Writes down what the watch is told, as it happens.
class LastWordsMonitor : public RewriteMonitor {
public:
  explicit LastWordsMonitor(LastWords &words) : words_(words) {}
  void begins(const RewriteLog &log, const Rewrite &rewrite, mlir::Operation *) override {
    say(words_.going, describeRewrite(log, rewrite));
    say(words_.source, sourceOf(log.ops[rewrite.root]));
    words_.op = log.ops[rewrite.root].before + 1;
    ++words_.begun;
    words_.seconds = secondsUsed();
  }
  void ends(const RewriteLog &log, const Rewrite &rewrite) override {
    say(words_.last, describeRewrite(log, rewrite));
    words_.rewrites = log.rewrites.size();
    words_.going[0] = 0;
    words_.seconds = secondsUsed();
  }
  void declines() override { words_.going[0] = 0; }

private:
  LastWords &words_;
};

constexpr llvm::StringLiteral kTried = "fuselage.tried";

/// Where the same step comes to what was written down last: writes the IR there, as bytecode in which the op that it
/// was at has kTried, and ends the copy.
class PlaceMonitor : public RewriteMonitor {
public:
  PlaceMonitor(const LastWords &words, llvm::raw_ostream &out) : words_(words), out_(out) {}
  void begins(const RewriteLog &log, const Rewrite &rewrite, mlir::Operation *op) override {
    if (++begun_ != words_.begun || words_.going[0] == 0 || describeRewrite(log, rewrite) != words_.going)
      return;
    op->setDiscardableAttr(kTried, mlir::UnitAttr::get(op->getContext()));
    leave();
  }
  void ends(const RewriteLog &log, const Rewrite &rewrite) override {
    if (words_.going[0] == 0 && log.rewrites.size() == words_.rewrites && describeRewrite(log, rewrite) == words_.last)
      leave();
  }
  void declines() override {}

private:
  [[noreturn]] void leave() {
    mlir::OwningOpRef<mlir::ModuleOp> copy = RewriteWatch::current()->copy();
    leaveNamesToValues(*copy);
    (void)mlir::writeBytecodeToFile(*copy, out_);
    out_.flush();
    _exit(0);
  }

  const LastWords &words_;
  llvm::raw_ostream &out_;
  unsigned begun_ = 0;
};

/// Reads what a PlaceMonitor wrote.
void readPlace(mlir::MLIRContext &context, llvm::StringRef bytecode, DeathPlace &place) {
  DiagnosticCapture capture(context);
  auto module =
      mlir::parseSourceString<mlir::ModuleOp>(bytecode, mlir::ParserConfig(&context, /*verifyAfterParse=*/false));
  if (!module)
    return;
  int64_t number = 0;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (op->removeDiscardableAttr(kTried))
      place.opThere = number;
    ++number;
  });
  place.there = std::make_shared<const Snapshot>(std::move(module), Snapshot::InStep());
}

/// "3 s" of a whole recording is enough for a step, too: what dies is the step.
TrialLimits limitsOf(unsigned seconds, const std::atomic<bool> *cancelled) {
  return {.seconds = seconds, .bytes = uint64_t(8) << 30, .cancelled = cancelled};
}

llvm::Error noCopy() { return fail("the steps cannot be tried: the system makes no copy of this process"); }

/// The symbol after the mark of reportCrashPlace().
std::string crashFunction(llvm::StringRef told) {
  llvm::StringRef name = told.rsplit('\n').second.empty() ? told.trim() : told.rsplit('\n').second;
  return name.consume_front("C") ? name.trim().str() : "";
}

} // namespace

llvm::Expected<std::optional<StepDeath>> tryRecording(Session &session, mlir::ModuleOp input,
                                                      const RecordOptions &options, unsigned seconds) {
  SharedWords words;
  if (!words)
    return noCopy();
  auto trial = runForked(limitsOf(seconds, options.cancelled), [&](int) {
    RecordOptions inCopy = options;
    inCopy.beforeStep = [&](unsigned index, unsigned, const Step &) { words->step = index; };
    inCopy.afterStep = nullptr;
    inCopy.takesSignals = false;
    if (auto recording = record(session, input, inCopy); !recording)
      llvm::consumeError(recording.takeError()); // the same is going to be said outside
  });
  if (!trial)
    return noCopy();
  if (trial->death == "cancelled")
    return fail("it was cancelled");
  if (!trial->death)
    return std::nullopt;
  return StepDeath{.step = words->step, .how = *trial->death};
}

/// Finds the IR where a copy died, in another copy.
static void findThere(mlir::MLIRContext &context, const Step &step, const LastWords &words, unsigned seconds,
                      const std::atomic<bool> *cancelled, DeathPlace &place) {
  const bool isCycle = words.seconds > double(seconds) / 2; // of rewrites, none of which is the last one
  if (isCycle || (words.begun == 0 && words.rewrites == 0))
    return;
  auto trial = runInCopy(limitsOf(seconds, cancelled), [&](llvm::raw_ostream &out) {
    PlaceMonitor monitor(words, out);
    llvm::consumeError(step.replay->run({.monitor = &monitor}).takeError()); // it ends before
  });
  if (trial && !trial->death)
    readPlace(context, trial->output, place);
}

llvm::Expected<DeathPlace> findDeathPlace(mlir::MLIRContext &context, const Step &step, unsigned seconds,
                                          const std::atomic<bool> *cancelled) {
  if (!step.replay)
    return fail("'" + step.name + "' cannot be run again here");
  SharedWords words;
  if (!words)
    return noCopy();
  auto trial = runForked(limitsOf(seconds, cancelled), [&](int pipe) {
    reportCrashPlace(pipe);
    LastWordsMonitor monitor(*words);
    if (auto run = step.replay->run({.monitor = &monitor}); !run)
      llvm::consumeError(run.takeError());
  });
  if (!trial)
    return noCopy();
  if (trial->death == "cancelled")
    return fail("it was cancelled");
  if (!trial->death)
    return fail("'" + step.name + "' comes to its end when it runs again by itself");
  DeathPlace place{.rewrites = words->rewrites,
                   .last = words->last,
                   .going = words->going,
                   .op = words->op - 1,
                   .source = words->source,
                   .function = trial->signal != 0 ? crashFunction(trial->output) : "",
                   .how = *trial->death};
  findThere(context, step, *words, seconds, cancelled, place);
  return place;
}

} // namespace fuselage
