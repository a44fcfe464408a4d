#include "core/analysis/fusion/MeasuredFusion.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace mlir;

namespace fuselage {
namespace {

/// Steps that stay or go together, by their index.
struct Part {
  std::string name;
  std::vector<size_t> steps;
};

class Measuring {
public:
  Measuring(ModuleOp module, const FusionPolicy &policy, const FuseAllOptions &options, FuseAllResult &result)
      : module_(module), policy_(policy), options_(options), result_(result) {}
  llvm::Error run();

private:
  llvm::Expected<TimedPair> compare(ModuleOp one, ModuleOp other);
  llvm::Error compareWhole();
  llvm::Error judge(const Part &part);
  llvm::Expected<OwningOpRef<ModuleOp>> without(ArrayRef<size_t> leftOut);
  std::vector<Part> parts() const;

  ModuleOp module_;
  const FusionPolicy &policy_;
  const FuseAllOptions &options_;
  FuseAllResult &result_;
  std::vector<FusionStep> all_{}; ///< steps before any was taken back
  std::vector<size_t> leftOut_{}; ///< indices of the steps that were taken back, in no order
  TimedPair whole_{};             ///< before the fusion, and as it is now
};

llvm::Expected<TimedPair> Measuring::compare(ModuleOp one, ModuleOp other) {
  if (options_.proceed && !options_.proceed("measure"))
    return fail("cancelled: the fusion was ended");
  return options_.measure(one, other);
}

llvm::Error Measuring::compareWhole() {
  llvm::Expected<TimedPair> whole = compare(module_, *result_.module);
  if (!whole)
    return whole.takeError();
  whole_ = *whole;
  return llvm::Error::success();
}

/// The steps of the clean-up that follow each other are one part: what they prepare, others use.
std::vector<Part> Measuring::parts() const {
  std::vector<std::string> cleanUp = passesOf(FusionGoal::CleanUp);
  std::vector<Part> parts;
  bool wasCleanUp = false;
  for (auto [index, step] : llvm::enumerate(all_)) {
    bool isCleanUp = options_.goal == FusionGoal::All && llvm::is_contained(cleanUp, step.pass);
    if (isCleanUp && wasCleanUp)
      parts.back().steps.push_back(index);
    else
      parts.push_back({isCleanUp ? presetOf(FusionGoal::CleanUp).str() : step.pass, {index}});
    wasCleanUp = isCleanUp;
  }
  return parts;
}

/// A copy of the original module after all steps but those whose indices are in `leftOut`.
llvm::Expected<OwningOpRef<ModuleOp>> Measuring::without(ArrayRef<size_t> leftOut) {
  OwningOpRef<ModuleOp> copy(module_.clone());
  for (auto [index, step] : llvm::enumerate(all_))
    if (!llvm::is_contained(leftOut, index))
      if (llvm::Error error = runFusionPipeline(*copy, functionPipeline(step.pass)))
        return error;
  return copy;
}

/// What the part gains, and whether it goes.
llvm::Error Measuring::judge(const Part &part) {
  std::vector<size_t> leftOut = leftOut_;
  llvm::append_range(leftOut, part.steps);
  llvm::Expected<OwningOpRef<ModuleOp>> rest = without(leftOut);
  if (!rest) { // later steps fail without this part: it stays
    llvm::consumeError(rest.takeError());
    return llvm::Error::success();
  }
  if (fingerprintOf(**rest) == fingerprintOf(*result_.module))
    return llvm::Error::success();
  llvm::Expected<FusionCost> cost = fusionCost(**rest, policy_, options_.rates);
  if (!cost)
    return cost.takeError();
  llvm::Expected<TimedPair> times = compare(**rest, *result_.module);
  if (!times)
    return times.takeError();
  constexpr double leastNoise = 0.02; // of the whole, see MeasuredFusion.h
  FusionPart judged{
      .pass = part.name, .gain = times->one - times->other, .noise = std::max(times->noise, leastNoise * times->other)};
  judged.predicted = predictedGain(*cost, result_.after);
  judged.dispatches = int64_t(cost->dispatches) - int64_t(result_.after.dispatches);
  if (cost->bytes >= 0 && result_.after.bytes >= 0)
    judged.bytes = cost->bytes - result_.after.bytes;
  judged.isKept = judged.gain >= -judged.noise || !options_.problemOf(**rest).empty();
  if (!judged.isKept) {
    result_.dropped.push_back(
        llvm::formatv("{0}: {1:f1} us with it, {2:f1} us without, as measured", part.name, times->other, times->one)
            .str());
    leftOut_ = std::move(leftOut);
    result_.after = *cost;
    result_.module = std::move(*rest);
  }
  result_.parts.push_back(std::move(judged));
  return llvm::Error::success();
}

llvm::Error Measuring::run() {
  all_ = result_.steps;
  double predicted = predictedGain(result_.before, result_.after);
  if (llvm::Error error = compareWhole())
    return error;
  std::vector<Part> found = parts();
  for (size_t i = found.size(); found.size() > 1 && i-- > 0;)
    if (llvm::Error error = judge(found[i]))
      return error;
  if (!leftOut_.empty())
    if (llvm::Error error = compareWhole())
      return error;
  std::reverse(result_.parts.begin(), result_.parts.end());
  std::vector<FusionStep> kept;
  for (auto [index, step] : llvm::enumerate(all_))
    if (!llvm::is_contained(leftOut_, index))
      kept.push_back(step);
  result_.steps = std::move(kept);
  result_.times = {.before = whole_.one, .after = whole_.other, .noise = whole_.noise, .predicted = predicted};
  return llvm::Error::success();
}

} // namespace

llvm::Expected<FuseAllResult> keepWhatIsFaster(ModuleOp module, const FusionPolicy &policy,
                                               const FuseAllOptions &options, FuseAllResult result) {
  if (llvm::Error error = Measuring(module, policy, options, result).run())
    return error;
  if (result.times->after <= result.times->before && !result.steps.empty())
    return result;
  if (!result.steps.empty())
    result.dropped.push_back(llvm::formatv("{0}: {1:f1} us before it, {2:f1} us after, as measured",
                                           presetOf(options.goal), result.times->before, result.times->after)
                                 .str());
  result.module = module.clone();
  result.steps.clear();
  for (FusionPart &part : result.parts)
    part.isKept = false;
  result.after = result.before;
  result.times->after = result.times->before;
  return result;
}

} // namespace fuselage
