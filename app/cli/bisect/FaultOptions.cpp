#include "app/cli/bisect/FaultOptions.h"
#include "core/stepping/pipeline/PipelineParts.h"
#include <csignal>

namespace fuselage::cli {

void declareFault(Options &options, FaultArguments &wanted) {
  const std::string draws = std::to_string(wanted.draws);
  options.text("predicate", "COMMAND", "who says whether IR is good", wanted.blame.predicate);
  options.text("lost-fusion", "OP1,OP2",
               "look for where the edge from OP1 to OP2 cannot be fused any more; an op is named by its value "
               "(%scores), its place (f.mlir:12) or its name (linalg.matmul), as 'fuselage explain' lists it",
               wanted.lostFusion);
  options.choice("worse", {"bytes", "time"},
                 "look for where the dispatches move more bytes than after a step before, or the program takes at "
                 "least 1.1 times as long on the host as before, beyond the noise",
                 wanted.worse);
  options.text("function", "NAME", "the function to run (default: the first public one with a body)",
               wanted.blame.check.function);
  options.sizes("of arguments that are dynamic", wanted.blame.check.sizes);
  options.inputs("", wanted.blame.check.inputs);
  options.number("draws", "inputs to try (default: " + draws + ")", wanted.draws, 1, 100);
  options.number("seed", "of the first of them (default: 1)", wanted.blame.check.seed, 0, uint64_t(1) << 32);
}

std::string completeFault(FaultArguments &wanted) {
  if (!wanted.blame.predicate.empty() + !wanted.lostFusion.empty() + !wanted.worse.empty() > 1)
    return "--predicate, --lost-fusion and --worse exclude each other";
  auto [producer, consumer] = llvm::StringRef(wanted.lostFusion).split(',');
  if (!wanted.lostFusion.empty() && (producer.trim().empty() || consumer.trim().empty()))
    return "--lost-fusion takes two ops with a comma between them, such as %scores,%probs";
  wanted.blame.producer = producer.trim().str();
  wanted.blame.consumer = consumer.trim().str();
  wanted.blame.draws = unsigned(wanted.draws);
  wanted.blame.worse = wanted.worse == "bytes" ? Worse::Bytes : wanted.worse == "time" ? Worse::Time : Worse::No;
  return "";
}

llvm::Expected<std::vector<PassUnit>> passesOf(const Recording &recording, unsigned steps, mlir::MLIRContext &context) {
  std::vector<PassUnit> passes;
  for (const Step &step : llvm::ArrayRef(recording.steps).take_front(steps)) {
    if (!toolCommandOf(step.pipeline).empty() || step.pipeline.empty())
      return fail("the step '" + step.name + "' is no pass, so that it cannot be reduced");
    auto units = parsePipeline(step.pipeline, context);
    if (!units)
      return units.takeError();
    passes.insert(passes.end(), units->begin(), units->end());
  }
  return passes;
}

std::vector<std::string> pluginOptions(llvm::ArrayRef<llvm::StringRef> words) {
  std::vector<std::string> options;
  for (size_t i = 0; i < words.size(); ++i) {
    auto [name, value] = words[i].split('=');
    if (name != "--load-pass-plugin" && name != "--load-dialect-plugin")
      continue;
    if (value.empty() && i + 1 < words.size())
      value = words[++i];
    options.push_back((name + "=" + value).str());
  }
  return options;
}

std::atomic<bool> &stopOnCtrlC() {
  static std::atomic<bool> isStopped = false;
  struct sigaction before = {};
  if (sigaction(SIGINT, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) // as nohup has it
    return isStopped;
  std::signal(SIGINT, [](int) {
    isStopped = true;
    std::signal(SIGINT, SIG_DFL);
  });
  return isStopped;
}

} // namespace fuselage::cli
