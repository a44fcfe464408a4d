#include "core/bisect/Bisect.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace fuselage {
namespace {

/// A row of places, of which the first is good: where it turns bad.
class Search {
public:
  using Ask = std::function<llvm::Expected<Judgement>(unsigned place)>;
  explicit Search(Ask ask) : ask_(std::move(ask)) {}

  /// Places from `good` to `last`; false: none that could be judged is bad.
  llvm::Expected<bool> run(unsigned good, unsigned last) {
    good_ = good;
    // The last of which something is known.
    std::optional<unsigned> bad;
    for (unsigned place = last; place > good && !bad; --place) {
      auto judgement = judge(place);
      if (!judgement)
        return judgement.takeError();
      if (judgement->verdict == IrVerdict::Good)
        return false;
      if (judgement->verdict == IrVerdict::Bad)
        bad = place;
    }
    if (!bad)
      return false;
    bad_ = *bad;
    while (good_ + 1 < bad_) {
      auto middle = middleKnown();
      if (!middle)
        return middle.takeError();
      if (!*middle)
        break; // nothing is known of what lies between
      (known_[**middle].verdict == IrVerdict::Good ? good_ : bad_) = **middle;
    }
    return true;
  }
  unsigned good() const { return good_; }
  unsigned bad() const { return bad_; }
  const std::string &why() { return known_[bad_].why; }
  /// What was said of the last place that is good.
  std::string whyGood() const {
    auto last = known_.find(lastGood());
    return last == known_.end() ? "" : last->second.why;
  }
  unsigned lastGood() const {
    for (const auto &[place, judgement] : llvm::reverse(known_))
      if (judgement.verdict == IrVerdict::Good)
        return place;
    return 0;
  }
  unsigned asked() const { return known_.size(); }

private:
  llvm::Expected<Judgement> judge(unsigned place) {
    if (auto known = known_.find(place); known != known_.end())
      return known->second;
    auto judgement = ask_(place);
    if (judgement)
      known_[place] = *judgement;
    return judgement;
  }

  /// The place that can be judged and is nearest to the middle; nullopt: none can. Far from the middle not all are
  /// asked: in the midst of a conversion there may be thousands, none of which can be.
  llvm::Expected<std::optional<unsigned>> middleKnown() {
    const unsigned middle = good_ + (bad_ - good_) / 2;
    constexpr unsigned near = 8;
    for (unsigned away = 0; away < bad_ - good_; away += away < near ? 1 : away)
      for (unsigned place : {middle - away, middle + away}) {
        if (place <= good_ || place >= bad_)
          continue;
        auto judgement = judge(place);
        if (!judgement)
          return judgement.takeError();
        if (judgement->verdict != IrVerdict::Unknown)
          return std::optional(place);
      }
    return std::optional<unsigned>();
  }

  Ask ask_;
  unsigned good_ = 0, bad_ = 0;
  std::map<unsigned, Judgement> known_;
};

/// Asks the judge, unless it was cancelled, or the answer is known; `runs` counts what was asked.
llvm::Expected<Judgement> ask(const BisectOptions &options, const Snapshot &snapshot, const std::string &where,
                              unsigned &runs) {
  if (options.cancelled && *options.cancelled)
    return fail("the search was cancelled");
  if (options.known)
    if (std::optional<Judgement> known = options.known(where))
      return *known;
  if (options.progress)
    options.progress(where);
  ++runs;
  Judgement judgement = options.judge(snapshot);
  if (options.cancelled && *options.cancelled)
    return fail("the search was cancelled");
  if (options.judged)
    if (llvm::Error error = options.judged(where, judgement))
      return std::move(error);
  return judgement;
}

const char *wordOf(IrVerdict verdict) {
  return verdict == IrVerdict::Good ? "good" : verdict == IrVerdict::Bad ? "bad" : "unknown";
}

/// Judges a place once more, as often as the options say; why nothing can be told if the answers differ, else nothing.
std::optional<std::string> findContradiction(const BisectOptions &options, const Snapshot &snapshot,
                                             const std::string &where, IrVerdict first, unsigned &runs) {
  for (unsigned i = 0; i < options.confirmations; ++i) {
    if (options.cancelled && *options.cancelled)
      return std::nullopt;
    ++runs;
    if (const IrVerdict again = options.judge(snapshot).verdict; again != first)
      return "the same IR, " + where + ", is " + wordOf(first) + " at first and " + wordOf(again) +
             " when it is judged again: whoever judges answers by chance";
  }
  return std::nullopt;
}

llvm::Error findRewrite(const Recording &recording, const BisectOptions &options, Culprit &culprit) {
  const Step &step = recording.steps[*culprit.step];
  if (culprit.firstSuspect != *culprit.step) {
    culprit.note = "the IR between steps " + std::to_string(culprit.firstSuspect) + " and " +
                   std::to_string(*culprit.step) + " cannot be judged, so that any of them may be to blame";
    return llvm::Error::success();
  }
  auto log = rewritesOf(step);
  if (!log) {
    culprit.note = takeFailure(log.takeError()).message;
    return llvm::Error::success();
  }
  culprit.log = *log;
  const unsigned count = culprit.log->rewrites.size();
  if (count == 0)
    return llvm::Error::success();
  // Place k is the IR after k rewrites; the last one is known to be bad.
  Search search([&](unsigned place) -> llvm::Expected<Judgement> {
    if (place == count && !step.failed)
      return Judgement{IrVerdict::Bad, culprit.why};
    auto module = moduleAfter(step, *culprit.log, place - 1);
    if (!module)
      return Judgement{IrVerdict::Unknown, takeFailure(module.takeError()).message};
    if (culprit.log->rewrites[place - 1].inConversion && module->snapshot->isTextAlone())
      return Judgement{IrVerdict::Unknown, "the IR in the middle of a conversion does not verify"};
    return ask(options, *module->snapshot,
               "step " + std::to_string(*culprit.step) + ", after rewrite " + std::to_string(place - 1),
               culprit.rewriteRuns);
  });
  auto found = search.run(0, count);
  if (!found)
    return found.takeError();
  if (!*found)
    return llvm::Error::success();
  culprit.rewrite = search.bad() - 1;
  culprit.firstRewriteSuspect = search.good();
  // What patterns of a conversion replace is in the IR until its end, which shows what any of them did.
  const std::vector<Rewrite> &rewrites = culprit.log->rewrites;
  if (rewrites[*culprit.rewrite].kind == RewriteKind::Conversion) {
    culprit.firstRewriteSuspect = *culprit.rewrite;
    while (culprit.firstRewriteSuspect > 0 && rewrites[culprit.firstRewriteSuspect - 1].inConversion)
      --culprit.firstRewriteSuspect;
  }
  culprit.why = search.why();
  return llvm::Error::success();
}

} // namespace

llvm::Expected<Culprit> bisectFailure(const Recording &recording, BisectOptions options) {
  if (recording.steps.empty() || !recording.steps.back().failed)
    return fail("no step of the recording failed");
  Culprit culprit;
  culprit.step = culprit.firstSuspect = recording.steps.size() - 1;
  const Step &step = recording.steps.back();
  culprit.why = step.diagnostics.empty() ? "the step failed" : step.diagnostics.front().message;
  options.judge = [](const Snapshot &snapshot) {
    if (!snapshot.isTextAlone())
      return Judgement{IrVerdict::Good, ""};
    return Judgement{IrVerdict::Bad, takeFailure(snapshot.parsed().takeError()).message};
  };
  if (llvm::Error error = findRewrite(recording, options, culprit))
    return error;
  return culprit;
}

llvm::Expected<Culprit> bisectDeath(const Recording &recording, const StepDeath &death, unsigned seconds,
                                    const std::atomic<bool> *cancelled) {
  if (death.step >= recording.steps.size())
    return fail("there is no step " + std::to_string(death.step) + " any more");
  Culprit culprit;
  culprit.step = culprit.firstSuspect = death.step;
  culprit.why = "it " + death.how;
  auto input = recording.snapshots.front()->parsed();
  if (!input)
    return input.takeError();
  auto place = findDeathPlace(*input->getContext(), recording.steps[death.step], seconds, cancelled);
  if (place)
    culprit.death = std::move(*place);
  else
    culprit.note = "not found within the step: " + takeFailure(place.takeError()).message;
  return culprit;
}

llvm::Expected<Culprit> bisect(const Recording &recording, const BisectOptions &options) {
  Culprit culprit;
  // Of steps that change nothing, nobody need know.
  std::vector<unsigned> places{0};
  std::vector<unsigned> stepOf{0};
  for (auto [index, step] : llvm::enumerate(recording.steps)) {
    if (index < options.firstStep || step.failed || !step.changed || step.after < 0)
      continue;
    if (index == options.firstStep)
      places[0] = step.before;
    places.push_back(step.after);
    stepOf.push_back(index);
  }
  auto nameOf = [&](unsigned place) {
    return place == 0 ? "the input"
                      : "after step " + std::to_string(stepOf[place]) + ", " + recording.steps[stepOf[place]].name;
  };
  auto judgePlace = [&](unsigned place) -> llvm::Expected<Judgement> {
    auto judgement = ask(options, *recording.snapshots[places[place]], nameOf(place), culprit.stepRuns);
    const std::string *gap = !judgement                                 ? nullptr
                             : judgement->verdict == IrVerdict::Unknown ? &judgement->why
                                                                        : &judgement->gap;
    if (gap && !gap->empty() && place != 0)
      culprit.notJudged.push_back(nameOf(place) + ": " + *gap);
    return judgement;
  };
  auto contradicts = [&](unsigned place, IrVerdict verdict) {
    auto why =
        findContradiction(options, *recording.snapshots[places[place]], nameOf(place), verdict, culprit.stepRuns);
    if (why)
      culprit.undecided = *why;
    return why.has_value();
  };
  auto input = judgePlace(0);
  if (!input)
    return input.takeError();
  if (contradicts(0, input->verdict))
    return culprit;
  if (input->verdict == IrVerdict::Bad)
    return fail("nothing can be blamed: the input itself is bad: " + input->why);
  if (input->verdict == IrVerdict::Unknown) {
    culprit.undecided = "the input cannot be judged: " + input->why;
    return culprit;
  }
  Search search(judgePlace);
  auto found = search.run(0, places.size() - 1);
  if (!found)
    return found.takeError();
  if (!*found) {
    if (!contradicts(search.lastGood(), IrVerdict::Good))
      culprit.note = search.whyGood();
    return culprit;
  }
  if (contradicts(search.good(), IrVerdict::Good) || contradicts(search.bad(), IrVerdict::Bad))
    return culprit;
  culprit.step = stepOf[search.bad()];
  culprit.firstSuspect = search.good() + 1 == search.bad() ? *culprit.step : stepOf[search.good() + 1];
  culprit.why = search.why();
  if (llvm::Error error = findRewrite(recording, options, culprit))
    return error;
  return culprit;
}

} // namespace fuselage
