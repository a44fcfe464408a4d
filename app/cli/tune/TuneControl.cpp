#include "app/cli/tune/TuneControl.h"
#include "app/cli/Activity.h"
#include "app/cli/tune/TuneArguments.h"
#include "core/analysis/costs/Costs.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/run/DispatchRunner.h"
#include "core/support/StandardOutput.h"
#include "core/text/PrintableText.h"
#include "core/transforms/dispatch/DispatchFormation.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace fuselage::cli {

TuneControl::TuneControl(std::atomic<bool> &cancelled)
    : cancelled_(cancelled), start_(std::chrono::steady_clock::now()) {
  // Text for people is no event.
  hideActivity();
  results().flush();
  out_ = fcntl(standardOutput(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) {
    dup2(nowhere, standardOutput());
    close(nowhere);
  }
}

void TuneControl::write(const char *event, llvm::json::Object value) {
  std::string line =
      printable(llvm::formatv("{0}", llvm::json::Value(llvm::json::Object{{event, std::move(value)}})).str(),
                Spelling::Json) +
      "\n";
  for (llvm::StringRef left = line; !left.empty();) {
    ssize_t written = ::write(out_, left.data(), left.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0) {
      cancelled_ = true; // nobody reads it
      return;
    }
    left = left.drop_front(static_cast<size_t>(written));
  }
}

double TuneControl::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void TuneControl::plan(std::vector<message::TuneItem<>> items, const tune::TunerOptions &search) {
  message::TunePlan<> plan{.items = std::move(items)};
  if (search.seconds > 0)
    plan.seconds = search.seconds;
  else
    plan.trials = static_cast<int64_t>(std::min(search.trials, static_cast<size_t>(INT64_MAX)));
  write("plan", message::encode(plan));
}

message::TuneItem<> itemOf(mlir::func::FuncOp function) {
  OpCost cost = costOfDispatch(function);
  message::TuneItem<> item{.name = "@" + function.getName().str(),
                           .flops = static_cast<double>(cost.flops),
                           .bytes = static_cast<double>(cost.bytes()),
                           .bytesAtMost = cost.bytesAtMost};
  if (mlir::Operation *root = findDispatchRoot(function))
    item.arithmetic = arithmeticOf(root);
  return item;
}

void TuneControl::begin(tune::TunerOptions &search, const tune::Space &space, const std::string &device, size_t points,
                        int item) {
  item_ = item;
  message::TuneBegin<> begin{.device = device, .points = static_cast<double>(points), .item = item};
  if (search.seconds > 0)
    begin.seconds = search.seconds;
  else
    begin.trials = static_cast<int64_t>(std::min(search.trials, points));
  search.between = [this] { obey(); };
  search.progress = [this, &space, objective = search.objective](size_t number, const tune::Point &point,
                                                                 const tune::Measurement &measured, bool isBest) {
    tell(space, objective, number, point, measured, isBest);
  };
  if (!std::exchange(hasBegun_, true))
    start_ = std::chrono::steady_clock::now();
  write("begin", message::encode(begin));
}

void TuneControl::tell(const tune::Space &space, tune::Objective objective, size_t number, const tune::Point &point,
                       const tune::Measurement &measured, bool isBest) {
  message::TuneTrial<> trial = tune::messageOf(tune::Trial{.key = {},
                                                           .parameters = space.parametersOf(point),
                                                           .status = measured.status,
                                                           .why = measured.why,
                                                           .microseconds = measured.microseconds,
                                                           .baseline = measured.baseline,
                                                           .oneThread = measured.oneThread},
                                               objective);
  trial.number = static_cast<int>(number);
  trial.isBest = isBest;
  trial.seconds = elapsed();
  trial.work = item_;
  write("trial", message::encode(trial));
}

void TuneControl::end(const tune::DeviceTuned &done, const tune::Space &space, const std::string &sentence,
                      const std::string &written) {
  message::TuneOutcome<> outcome{.device = done.key.device, .driver = done.key.driver, .sentence = sentence};
  if (done.baseline)
    outcome.baseline = space.parametersOf(*done.baseline);
  if (done.tuned.best)
    outcome.best = space.parametersOf(*done.tuned.best);
  if (done.speedup.pairs > 0) {
    outcome.ratio = done.speedup.ratio;
    outcome.low = done.speedup.low;
    outcome.high = done.speedup.high;
  }
  outcome.isFaster = done.isFaster;
  outcome.reused = static_cast<int>(done.tuned.reused);
  outcome.isExhausted = done.tuned.isExhausted;
  outcome.stopped = done.tuned.stopped;
  outcome.drift = driftText(pointersTo(done.trials));
  outcome.written = written;
  outcome.item = item_;
  write("outcome", message::encode(outcome));
}

bool TuneControl::readCommands(int waitMs) {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  constexpr size_t mostBytes = 1 << 12; ///< at once; nobody has more to say
  while (input_.size() < mostBytes && poll(&input, 1, waitMs) > 0) {
    char piece[256];
    ssize_t got = read(STDIN_FILENO, piece, sizeof(piece));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    input_.append(piece, static_cast<size_t>(got));
    waitMs = 0;
  }
  llvm::StringRef rest = input_;
  while (rest.contains('\n')) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line == "pause" || line == "resume")
      isPaused_ = line == "pause";
    else if (line == "cancel")
      return false;
  }
  input_ = rest.str();
  return true;
}

void TuneControl::obey() {
  constexpr int lookMs = 100; // at what else may cancel
  auto before = std::chrono::steady_clock::now();
  for (bool goesOn = readCommands(0); !cancelled_; goesOn = readCommands(lookMs)) {
    if (!goesOn)
      cancelled_ = true;
    if (!isPaused_)
      break;
  }
  start_ += std::chrono::steady_clock::now() - before;
}

} // namespace fuselage::cli
