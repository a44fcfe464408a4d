// What a tuning says in words: its space, times, speedups, and why nothing was found.
#include "app/cli/tune/TuneArguments.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <map>

namespace fuselage::cli {

std::string describeSpace(const tune::Space &space, const tune::PointCount &count) {
  std::string text;
  for (const tune::Knob &knob : space.knobs) {
    text += knob.name + ": " + std::to_string(knob.domain.size()) + (knob.domain.size() == 1 ? " value" : " values");
    if (!knob.domain.empty() && knob.domain.size() <= 12)
      for (uint64_t i = 0; i < knob.domain.size(); ++i)
        text += (i == 0 ? ", " : " ") + knob.textOf(knob.domain.at(i));
    else if (!knob.domain.empty())
      text += ", " + knob.textOf(knob.domain.front()) + " to " + knob.textOf(knob.domain.back());
    text += knob.selected ? ", selected " + knob.textOf(*knob.selected) + "\n" : "\n";
  }
  for (const tune::Condition &condition : space.conditions)
    text += "condition: " + condition.text + "   " + tune::nameOf(condition.origin).str() +
            (condition.place.line ? ", line " + std::to_string(condition.place.line) : "") + "\n";
  for (const tune::Condition &bound : space.bounds)
    text += "bound: " + bound.text + "   " + tune::nameOf(bound.origin).str() +
            (bound.place.line ? ", line " + std::to_string(bound.place.line) : "") +
            "; points over it are tried last\n";
  return text + "points: " + count.text() + "\n";
}

std::string timesOf(const tune::Measurement &measured) {
  tune::Trial trial;
  trial.microseconds = measured.microseconds;
  return trial.medianUs() ? llvm::formatv("median {0:f1} us, min {1:f1} us, {2} launches", *trial.medianUs(),
                                          *trial.minUs(), measured.microseconds.size())
                                .str()
                          : std::string("no times");
}

std::string speedupText(const tune::Speedup &speedup, const std::string &what) {
  if (!std::isfinite(speedup.high)) // so few launches bound nothing
    return llvm::formatv("no difference from {0} is known: {1} launches of each are too few to tell", what,
                         speedup.pairs)
        .str();
  if (!speedup.isKnown())
    return llvm::formatv("no difference from {0} beyond the noise ({1:f2} to {2:f2} times as fast)", what, speedup.low,
                         speedup.high)
        .str();
  return llvm::formatv("{0:f2} times as fast as {1} ({2:f2} to {3:f2} in 95 of 100 cases)", speedup.ratio, what,
                       speedup.low, speedup.high)
      .str();
}

std::vector<std::string> oneThreadTexts(const tune::DeviceTuned &done, const tune::PointSet &points) {
  std::string ofBest = done.tuned.measured.oneThread, ofBaseline;
  for (const tune::Trial &trial : done.trials)
    if (done.baseline && points.space().pointOf(trial.parameters) == done.baseline)
      ofBaseline = trial.oneThread;
  if (ofBest == ofBaseline)
    return ofBest.empty() ? std::vector<std::string>() : std::vector<std::string>{"runs " + ofBest};
  std::vector<std::string> texts;
  if (!ofBaseline.empty())
    texts.push_back("the baseline runs " + ofBaseline);
  if (!ofBest.empty())
    texts.push_back("the best runs " + ofBest);
  return texts;
}

std::vector<const tune::Trial *> pointersTo(llvm::ArrayRef<tune::Trial> trials) {
  std::vector<const tune::Trial *> all;
  for (const tune::Trial &trial : trials)
    all.push_back(&trial);
  return all;
}

std::string driftText(llvm::ArrayRef<const tune::Trial *> trials) {
  auto drift = tune::driftOf(trials);
  if (!drift)
    return "";
  return llvm::formatv("the baseline took {0:f1} us first, {1:f1} us last{2}", drift->firstUs, drift->lastUs,
                       drift->worker.empty() ? "" : " at '" + drift->worker + "', where that changed most")
      .str();
}

std::string comparison(const tune::DeviceTuned &done, const std::string &baseline) {
  if (!done.tuned.best)
    return "none ran and was right" + whyNone(done);
  if (done.baseline == done.tuned.best)
    return "nothing is faster than " + baseline;
  return done.speedup.pairs == 0 ? "" : speedupText(done.speedup, baseline);
}

std::string whyNone(const tune::DeviceTuned &done) {
  std::map<std::string, size_t> reasons;
  for (const tune::Trial &trial : done.trials)
    ++reasons[trial.why];
  auto most = llvm::max_element(reasons, [](const auto &a, const auto &b) { return a.second < b.second; });
  if (most == reasons.end() || most->first.empty() || done.trials.size() < 2)
    return "";
  return (most->second == done.trials.size()
              ? "; all for one reason, which may be the schedule's or the function's and no point's: "
              : "; " + std::to_string(most->second) + " of " + std::to_string(done.trials.size()) +
                    " for this reason: ") +
         most->first;
}

} // namespace fuselage::cli
