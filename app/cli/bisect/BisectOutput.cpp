#include "app/cli/bisect/BisectOutput.h"
#include "core/protocol/json/JsonWriter.h"
#include "core/support/JsonText.h"
#include "core/support/ShellWords.h"

namespace fuselage::cli {

/// The commands that write the IR on both sides.
static std::array<std::string, 2> reproductions(const BisectResult &result) {
  const Culprit &culprit = result.culprit;
  std::vector<std::string> words{"fuselage", "step", result.path};
  words.insert(words.end(), result.options.begin(), result.options.end());
  words.insert(words.end(), {"--at", std::to_string(*culprit.step)});
  if (culprit.rewrite)
    words.insert(words.end(), {"--rewrite", std::to_string(*culprit.rewrite)});
  std::vector<std::string> before = words;
  before.insert(before.end(), {"--side", "before", "-o", "before.mlir"});
  words.insert(words.end(), {"-o", "after.mlir"});
  return {joinShellWords(before), joinShellWords(words)};
}

/// "While it tried FoldX on arith.addf in @main, from model.mlir:12, in foldX".
static std::string describeDeath(const DeathPlace &death) {
  std::string text;
  if (!death.going.empty())
    text += "While it tried " + death.going + (death.source.empty() ? "" : ", from " + death.source) +
            (death.function.empty() ? "" : ", in " + death.function) + "\n";
  else if (!death.function.empty())
    text += "In " + death.function + "\n";
  text += "Rewrites that it had made: " + std::to_string(death.rewrites);
  if (!death.last.empty())
    text += "; the last: rewrite " + std::to_string(death.rewrites - 1) + ", " + death.last;
  return text + "\n";
}

/// A line each.
static std::string notJudgedText(const Culprit &culprit) {
  std::string text;
  for (const std::string &place : culprit.notJudged)
    text += "Not judged: " + place + "\n";
  return text;
}

static std::string describeFound(const BisectResult &result) {
  const Culprit &culprit = result.culprit;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "Step " << *culprit.step << ", " << result.recording.steps[*culprit.step].name << ": " << culprit.why << "\n";
  if (culprit.death)
    os << describeDeath(*culprit.death);
  if (culprit.rewrite) {
    const std::vector<Rewrite> &rewrites = culprit.log->rewrites;
    os << "First by rewrite " << *culprit.rewrite << ", " << describeRewrite(*culprit.log, rewrites[*culprit.rewrite])
       << ", of " << rewrites.size() << "\n";
    if (culprit.firstRewriteSuspect != *culprit.rewrite)
      os << "Rewrites " << culprit.firstRewriteSuspect << " to " << *culprit.rewrite
         << " are as suspect: the IR between them cannot be judged\n";
  }
  if (!culprit.note.empty())
    os << culprit.note << "\n";
  os << notJudgedText(culprit);
  if (!culprit.death)
    os << culprit.stepRuns << " judgements for the step, " << culprit.rewriteRuns << " for the rewrite\n";
  std::array<std::string, 2> sides = reproductions(result);
  os << "\nBefore: " << sides[0] << "\n";
  os << (culprit.death ? "Again:  " : "After:  ") << sides[1] << "\n";
  return text;
}

std::string bisectText(const BisectResult &result) {
  const Culprit &culprit = result.culprit;
  if (culprit.step)
    return describeFound(result);
  if (!culprit.undecided.empty())
    return "Cannot tell what is wrong: " + culprit.undecided + "\n";
  return "Nothing is to blame: the IR is good after every step that could be judged.\n" +
         (culprit.note.empty() ? "" : culprit.note + "\n") + notJudgedText(culprit);
}

std::string bisectJson(const BisectResult &result) {
  const Culprit &culprit = result.culprit;
  llvm::json::Object object{{"version", 1},
                            {"found", culprit.step.has_value()},
                            {"note", culprit.note},
                            {"not_judged", llvm::json::Array(culprit.notJudged)},
                            {"step_runs", culprit.stepRuns},
                            {"rewrite_runs", culprit.rewriteRuns}};
  if (!culprit.undecided.empty())
    object["undecided"] = culprit.undecided;
  if (culprit.step) {
    object["step"] = *culprit.step;
    object["first_suspect"] = culprit.firstSuspect;
    object["name"] = result.recording.steps[*culprit.step].name;
    object["why"] = culprit.why;
    std::array<std::string, 2> sides = reproductions(result);
    object["before"] = sides[0];
    object["after"] = sides[1];
  }
  if (culprit.rewrite) {
    message::StepRewrites<> rewrites = messageOf(*culprit.log, *culprit.step);
    object["rewrite"] = message::encode(rewrites.rewrites[*culprit.rewrite]);
    object["first_rewrite_suspect"] = culprit.firstRewriteSuspect;
    object["rewrites"] = rewrites.rewrites.size();
  }
  if (culprit.death)
    object["death"] = llvm::json::Object{{"how", culprit.death->how},       {"rewrites", culprit.death->rewrites},
                                         {"last", culprit.death->last},     {"trying", culprit.death->going},
                                         {"source", culprit.death->source}, {"function", culprit.death->function}};
  return jsonText(std::move(object));
}

} // namespace fuselage::cli
