#include "core/bisect/StepTrial.h"
#include "core/bisect/CrashPlace.h"
#include "core/stepping/record/Recording.h"
#include "core/support/ForkedCopy.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>
#include <sys/mman.h>

namespace fuselage {
namespace {

/// What the copy leaves behind, however it ends.
struct LastWords {
  unsigned step, rewrites;
  int64_t op; ///< that was changed last, as it stands before the step, from 1; 0: none of it
  char last[512], going[512];
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

std::string describe(const RewriteLog &log, const Rewrite &rewrite) {
  std::string text = rewrite.kind == RewriteKind::Pattern ? shortPatternName(log.patterns[rewrite.pattern].name)
                                                          : nameOf(rewrite.kind).str();
  if (rewrite.root >= 0)
    text += " on " + log.ops[rewrite.root].name.getStringRef().str();
  if (const std::string &function = log.functions[rewrite.function]; !function.empty())
    text += " in @" + function;
  return text;
}

/// Writes down what the watch is told, as it happens.
class LastWordsMonitor : public RewriteMonitor {
public:
  explicit LastWordsMonitor(LastWords &words) : words_(words) {}
  void begins(const RewriteLog &log, const Rewrite &rewrite) override {
    say(words_.going, describe(log, rewrite));
    words_.op = rewrite.root < 0 ? 0 : log.ops[rewrite.root].before + 1;
  }
  void ends(const RewriteLog &log, const Rewrite &rewrite) override {
    say(words_.last, describe(log, rewrite));
    words_.rewrites = log.rewrites.size();
    words_.going[0] = 0;
  }
  void declines() override { words_.going[0] = 0; }

private:
  LastWords &words_;
};

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

llvm::Expected<DeathPlace> findDeathPlace(const Step &step, unsigned seconds, const std::atomic<bool> *cancelled) {
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
  return DeathPlace{.rewrites = words->rewrites,
                    .last = words->last,
                    .going = words->going,
                    .op = words->op - 1,
                    .function = trial->signal != 0 ? crashFunction(trial->output) : "",
                    .how = *trial->death};
}

} // namespace fuselage
