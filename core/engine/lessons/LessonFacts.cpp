#include "core/engine/lessons/LessonFacts.h"
#include "core/analysis/buffers/BuffersReport.h"
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/analysis/fusion/FusionRemarks.h"
#include "core/engine/lessons/KernelFacts.h"
#include "core/engine/lessons/Speedup.h"
#include "core/run/HostCheck.h"
#include "core/schedules/forms/NormalForm.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace fuselage {

bool isOfWindow(llvm::StringRef fact) {
  static constexpr llvm::StringLiteral names[] = {
      "answer",        "choice",     "selected",      "step",       "view",       "panel",
      "schedule runs", "handle",     "live handles",  "tiles",      "tile bytes", "tile traffic",
      "tile cache",    "tile loads", "smaller tiles", "recomputed", "form at"};
  return llvm::is_contained(names, fact);
}

std::string toldName(const Goal &goal) {
  return goal.arguments.empty() ? goal.fact : goal.fact + " " + llvm::join(goal.arguments, " -> ");
}

/// What is to be done first, where nothing was told.
static llvm::StringRef whyNotTold(llvm::StringRef fact) {
  return llvm::StringSwitch<llvm::StringRef>(fact)
      .Case("answer", "not answered yet")
      .Case("choice", "nothing is chosen yet")
      .Case("schedule runs", "run the schedule")
      .Cases({"handle", "live handles", "form at"}, "run the schedule")
      .Case("tile cache", "set a cache size in the Tile Explorer")
      .Cases({"tiles", "smaller tiles", "tile bytes", "tile traffic", "tile loads", "recomputed"},
             "show it in the Tile Explorer")
      .Default("not yet");
}

bool isMeasured(llvm::StringRef fact) { return fact == "speedup" || fact == "same results"; }

std::vector<GoalState> LessonFacts::judge(llvm::ArrayRef<Goal> goals) {
  std::vector<GoalState> states(goals.size());
  bool holdOthers = true;
  // While a number is asked for, no other goal says that it wants this number.
  const bool tellsWanted =
      llvm::all_of(goals, [&](const Goal &goal) { return goal.fact != "answer" || judge(goal).holds; });
  for (auto [goal, state] : llvm::zip_equal(goals, states))
    if (!isMeasured(goal.fact)) {
      state = judge(goal, tellsWanted);
      holdOthers &= state.holds;
    }
  for (auto [goal, state] : llvm::zip_equal(goals, states))
    if (isMeasured(goal.fact)) {
      state = holdOthers ? judge(goal, tellsWanted) : GoalState{.text = "looked at once the other goals hold"};
      holdOthers &= state.holds;
    }
  return states;
}

GoalState LessonFacts::judge(const Goal &goal, bool tellsWanted) {
  if (isOfWindow(goal.fact)) {
    const auto told = told_.find(toldName(goal));
    const bool isKnown = told != told_.end();
    return fuselage::judge(goal, isKnown ? std::optional(told->second) : std::nullopt, whyNotTold(goal.fact),
                           tellsWanted);
  }
  Value value = find(goal);
  if (value)
    return fuselage::judge(goal, *value, "", tellsWanted);
  return fuselage::judge(goal, std::nullopt, takeFailure(value.takeError()).message);
}

LessonFacts::Value LessonFacts::find(const Goal &goal) {
  if (goal.fact == "ops")
    return countOps(goal.arguments.front());
  if (goal.fact == "copies" || goal.fact == "peak")
    return ofBuffers(goal);
  if (goal.fact == "form")
    return holdsForm(goal.arguments.front());
  if (goal.fact == "same results")
    return computesTheSame();
  if (goal.fact == "speedup")
    return speedupOf(document_, snapshot_, cancelled_);
  static constexpr llvm::StringLiteral ofKernels[] = {"workgroup memory", "occupancy",    "bank conflicts",
                                                      "uncoalesced",      "kernel reads", "races"};
  if (llvm::is_contained(ofKernels, goal.fact))
    return kernelFact(document_, snapshot_, goal.fact, goal.arguments.front());
  return ofFusion(goal);
}

llvm::Error LessonFacts::explain(bool proves) {
  if (fusion_ && (isProven_ || !proves))
    return llvm::Error::success();
  auto module = document_.module(snapshot_);
  if (!module)
    return module.takeError();
  auto policy = parseFusionPolicy("aggressive");
  if (!policy)
    return policy.takeError();
  UnlockProofOptions proofs;
  if (!proves)
    proofs.maxOps = 0;
  auto report = explainFusion(*module, *policy, kDefaultGbps, proofs);
  if (!report)
    return report.takeError();
  fusion_ = std::move(*report);
  isProven_ = proves;
  return llvm::Error::success();
}

LessonFacts::Value LessonFacts::ofFusion(const Goal &goal) {
  if (llvm::Error error = explain(/*proves=*/goal.fact == "edge"))
    return error;
  const message::FusionTotals<> &totals = fusion_->totals;
  if (goal.fact == "dispatches")
    return static_cast<double>(totals.dispatches);
  if (goal.fact == "missed")
    return static_cast<double>(totals.missed);
  if (goal.fact == "edge")
    return stateOfEdge(goal.arguments[0], goal.arguments[1]);
  if (totals.bytes < 0)
    return fail("the bytes are not known: a size is dynamic");
  return static_cast<double>(totals.bytes);
}

bool isCalled(llvm::StringRef name, llvm::StringRef op, llvm::StringRef value) {
  return name == value || name == op || op.rsplit('.').second == name;
}

llvm::Expected<message::FusionEdge<>> LessonFacts::missedEdge(llvm::StringRef from, llvm::StringRef to) {
  if (llvm::Error error = explain(/*proves=*/false))
    return error;
  for (const message::FusionEdge<> &edge : fusion_->edges)
    if (edge.missed && isCalled(from, edge.fromOp, edge.fromName) && isCalled(to, edge.toOp, edge.toName))
      return edge;
  return fail("there is no edge from " + from.str() + " to " + to.str() + " that is not fused");
}

/// The words of a goal, in their order. Of several edges of these names, the one that is furthest from fused.
LessonFacts::Value LessonFacts::stateOfEdge(llvm::StringRef from, llvm::StringRef to) {
  using State = message::FusionState;
  double worst = -1;
  for (const message::FusionEdge<> &edge : fusion_->edges) {
    if (!isCalled(from, edge.fromOp, edge.fromName) || !isCalled(to, edge.toOp, edge.toName))
      continue;
    const double state = edge.state == State::Fused                                       ? 0
                         : edge.state == State::Possible || edge.state == State::NotTried ? 1
                         : edge.state == State::Tried                                     ? 2
                                                                                          : 3;
    worst = std::max(worst, state);
  }
  if (worst < 0)
    return fail("this step has no edge from " + from.str() + " to " + to.str());
  return worst;
}

LessonFacts::Value LessonFacts::countOps(llvm::StringRef name) {
  auto module = document_.module(snapshot_);
  if (!module)
    return module.takeError();
  unsigned count = 0;
  (*module)->walk([&](mlir::Operation *op) { count += isCalled(name, op->getName().getStringRef()); });
  return count;
}

LessonFacts::Value LessonFacts::ofBuffers(const Goal &goal) {
  auto module = document_.module(snapshot_);
  if (!module)
    return module.takeError();
  BuffersOptions options;
  options.seconds = 10;
  auto report = reportBuffers(*module, options);
  if (!report)
    return report.takeError();
  if (goal.fact == "copies")
    return static_cast<double>(
        llvm::count_if(report->buffers, [](const BufferReport &buffer) { return buffer.kind == "copy"; }));
  int64_t peak = 0;
  for (const auto &[space, bytes] : report->largestPeaks()) {
    if (bytes.lowerBound)
      return fail("the peak is not known: a size is dynamic");
    peak = std::max(peak, bytes.bytes);
  }
  return static_cast<double>(peak);
}

LessonFacts::Value LessonFacts::holdsForm(llvm::StringRef name) {
  const NormalForm *form = findForm(name);
  if (!form)
    return fail("no normal form is called " + name.str());
  auto module = document_.module(snapshot_);
  if (!module)
    return module.takeError();
  bool holds = true;
  (*module)->walk([&](mlir::FunctionOpInterface function) {
    holds &= function.isExternal() || checkForm(*form, function).empty();
  });
  return holds ? 1 : 0;
}

LessonFacts::Value LessonFacts::computesTheSame() {
  auto before = document_.module(document_.firstShown()), after = document_.module(snapshot_);
  if (!before || !after)
    return llvm::joinErrors(before ? llvm::Error::success() : before.takeError(),
                            after ? llvm::Error::success() : after.takeError());
  HostCheckOptions options;
  options.cancelled = cancelled_;
  auto check = checkOnHost(*before, *after, options);
  if (!check)
    return check.takeError();
  return check->ok ? 1 : 0;
}

} // namespace fuselage
