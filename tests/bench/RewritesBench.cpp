// What it costs to list the rewrites of steps, and how soon the IR after one of them is there.
#include "core/ir/Session.h"
#include "core/registration/Registration.h"
#include "core/stepping/record/Recording.h"
#include "core/support/rpc/Framing.h"
#include "tests/bench/Inputs.h"
#include "tests/bench/Measure.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <random>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fuselage::bench {
namespace {

using Params = llvm::json::Object;

/// A `fuselage serve`.
class Engine {
public:
  Engine() {
    int toEngine[2], fromEngine[2];
    if (pipe(toEngine) != 0 || pipe(fromEngine) != 0)
      return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, toEngine[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fromEngine[1], STDOUT_FILENO);
    for (int fd : {toEngine[0], toEngine[1], fromEngine[0], fromEngine[1]})
      posix_spawn_file_actions_addclose(&actions, fd);
    std::string program = FUSELAGE_BIN_DIR "/fuselage", command = "serve";
    char *arguments[] = {program.data(), command.data(), nullptr};
    if (posix_spawn(&process_, program.c_str(), &actions, nullptr, arguments, environ) != 0)
      process_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(toEngine[0]);
    close(fromEngine[1]);
    in_ = toEngine[1];
    reader_.emplace(fromEngine[0]);
    writer_.emplace(in_);
  }
  ~Engine() {
    close(in_);
    if (process_ > 0)
      waitpid(process_, nullptr, 0);
  }
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  /// The result of a method, and how long it took to come; null: there is none.
  llvm::json::Value call(llvm::StringRef method, Params params, double *milliseconds = nullptr) {
    llvm::json::Value result = nullptr;
    const double took = bestOf(1, [&] {
      writer_->write(Params{{"jsonrpc", "2.0"}, {"id", ++last_}, {"method", method}, {"params", std::move(params)}});
      while (std::optional<std::string> body = reader_->read()) {
        auto message = llvm::json::parse(*body);
        if (!message)
          return llvm::consumeError(message.takeError());
        llvm::json::Object &object = *message->getAsObject();
        if (object.getInteger("id") != last_)
          continue;
        if (llvm::json::Value *value = object.get("result"))
          result = std::move(*value);
        return;
      }
    });
    if (milliseconds)
      *milliseconds = took;
    return result;
  }

private:
  pid_t process_ = -1;
  int in_ = -1;
  int64_t last_ = 0;
  std::optional<FrameReader> reader_;
  std::optional<FrameWriter> writer_;
};

/// Records the default pipeline with the rewrites of each step listed, beside the same without.
void benchListing(mlir::ModuleOp module, Session &session, llvm::StringRef name) {
  double listed = 1e30, plain = 1e30;
  constexpr int turns = 10;
  for (int turn = 0; turn < turns; ++turn) // by turns: the machine is not always as fast
    for (bool listsRewrites : {false, true}) {
      double &least = listsRewrites ? listed : plain;
      least = std::min(least, bestOf(1, [&] {
                         RecordOptions options;
                         options.listsRewrites = listsRewrites;
                         llvm::consumeError(record(session, module, options).takeError());
                       }));
    }
  const std::string what = "record " + name.str() + ", rewrites listed";
  llvm::outs() << llvm::format("%-46s %9.1f ms   %-34s %9.1f ms   ratio %.2f\n", what.c_str(), listed, "without", plain,
                               listed / plain);
  llvm::outs().flush();
}

/// Times that an engine took, as a line.
void printTimes(llvm::StringRef what, std::vector<double> times) {
  if (times.empty())
    return;
  llvm::sort(times);
  auto at = [&](double share) { return times[std::min(times.size() - 1, size_t(share * double(times.size())))]; };
  llvm::outs() << llvm::format("  %-44s %5zu of them: median %.0f ms, p99 %.0f ms, at most %.0f ms\n",
                               what.str().c_str(), times.size(), at(0.5), at(0.99), times.back());
  llvm::outs().flush();
}

int64_t integerOf(const llvm::json::Value &value, llvm::StringRef key) {
  const llvm::json::Object *object = value.getAsObject();
  return object ? object->getInteger(key).value_or(-1) : -1;
}

/// Shows rewrites of a step as the window does: its IR and that before it, and the first lines.
void showRewrites(Engine &engine, int64_t step, llvm::ArrayRef<int64_t> rewrites, std::vector<double> &times,
                  size_t &failures) {
  constexpr int64_t lines = 60; // of a window
  for (int64_t rewrite : rewrites) {
    double shown = 0, printed = 0;
    llvm::json::Value place = engine.call("step/rewrite", Params{{"step", step}, {"rewrite", rewrite}}, &shown);
    const int64_t snapshot = integerOf(place, "snapshot");
    failures += snapshot < 0;
    engine.call("text/lines", Params{{"snapshot", snapshot}, {"first", 0}, {"count", lines}}, &printed);
    times.push_back(shown + printed);
  }
}

/// The steps of a file in an engine: their lists, a sample of their rewrites in any order, and some one after the
/// other, as J goes.
void benchEngine(const std::string &file) {
  Engine engine;
  engine.call("initialize", Params{{"version", 1}});
  engine.call("document/open", Params{{"path", file}});
  llvm::json::Value recording = engine.call("pipeline/record", Params{});
  const llvm::json::Object *object = recording.getAsObject();
  const llvm::json::Array *steps = object ? object->getArray("steps") : nullptr;
  if (!steps)
    return;
  std::mt19937 random(1);
  std::vector<double> lists, jumps, walks;
  size_t failures = 0;
  int64_t most = 0, rewritesOfAll = 0;
  for (int64_t step = 0; step < int64_t(steps->size()); ++step) {
    double listed = 0;
    llvm::json::Value list = engine.call("step/rewrites", Params{{"step", step}}, &listed);
    lists.push_back(listed);
    most = std::max(most, integerOf(list, "attempts"));
    const llvm::json::Object *listObject = list.getAsObject();
    const llvm::json::Array *rewrites = listObject ? listObject->getArray("rewrites") : nullptr;
    if (!rewrites || rewrites->empty())
      continue;
    rewritesOfAll += int64_t(rewrites->size());
    constexpr size_t sample = 40, inOrder = 20;
    std::vector<int64_t> all;
    for (int64_t rewrite = 0; rewrite < int64_t(rewrites->size()); ++rewrite)
      all.push_back(rewrite);
    const size_t first = random() % all.size();
    showRewrites(engine, step, llvm::ArrayRef(all).drop_front(first).take_front(inOrder), walks, failures);
    std::shuffle(all.begin(), all.end(), random);
    showRewrites(engine, step, llvm::ArrayRef(all).take_front(sample), jumps, failures);
  }
  llvm::outs() << llvm::format(
      "  in an engine: %zu steps, %lld rewrites, at most %lld attempts in one; %zu not shown\n", steps->size(),
      static_cast<long long>(rewritesOfAll), static_cast<long long>(most), failures);
  printTimes("the rewrites of a step are listed", std::move(lists));
  printTimes("the IR of a rewrite, any", std::move(jumps));
  printTimes("the IR of a rewrite, the next", std::move(walks));
}

} // namespace

void benchRewrites(const std::string &file, llvm::StringRef name) {
  registerAllPasses();
  Session session(allDialects());
  auto input = session.read(file);
  if (!input)
    return llvm::logAllUnhandledErrors(input.takeError(), llvm::errs());
  benchListing(*input->module, session, name);
  benchEngine(file);
}

} // namespace fuselage::bench
