#include "core/analysis/fusion/MeasuredFusion.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

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
  llvm::Expected<double> read(ModuleOp module);
  llvm::Error readBoth();
  llvm::Error judge(const Part &part);
  llvm::Expected<OwningOpRef<ModuleOp>> without(ArrayRef<size_t> left);
  std::vector<Part> parts() const;
  double noiseAt(double microseconds) const { return std::max(noise_, 0.02 * microseconds); }

  ModuleOp module_;
  const FusionPolicy &policy_;
  const FuseAllOptions &options_;
  FuseAllResult &result_;
  std::vector<FusionStep> all_{};    ///< steps before any was taken back
  std::vector<size_t> left_{};       ///< out, sorted
  double before_ = 0, now_ = 0, noise_ = 0; ///< microseconds
};

llvm::Expected<double> Measuring::read(ModuleOp module) {
  if (options_.proceed && !options_.proceed("measure"))
    return fail("cancelled: the fusion was ended");
  return options_.measure(module);
}

/// By turns, so that what the machine does meanwhile meets both.
llvm::Error Measuring::readBoth() {
  double readings[2][2];
  for (int turn = 0; turn < 2; ++turn)
    for (int side = 0; side < 2; ++side) {
      llvm::Expected<double> reading = read(side ? result_.module.get() : module_);
      if (!reading)
        return reading.takeError();
      readings[side][turn] = *reading;
    }
  before_ = std::min(readings[0][0], readings[0][1]);
  now_ = std::min(readings[1][0], readings[1][1]);
  noise_ = std::max(std::abs(readings[0][0] - readings[0][1]), std::abs(readings[1][0] - readings[1][1]));
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

/// The module behind all steps but those that are left out.
llvm::Expected<OwningOpRef<ModuleOp>> Measuring::without(ArrayRef<size_t> left) {
  OwningOpRef<ModuleOp> copy(module_.clone());
  for (auto [index, step] : llvm::enumerate(all_))
    if (!llvm::is_contained(left, index))
      if (llvm::Error error = runFusionPipeline(*copy, functionPipeline(step.pass)))
        return error;
  return copy;
}

/// What the part gains, and whether it goes.
llvm::Error Measuring::judge(const Part &part) {
  std::vector<size_t> left = left_;
  llvm::append_range(left, part.steps);
  llvm::Expected<OwningOpRef<ModuleOp>> rest = without(left);
  if (!rest) { // the others need it
    llvm::consumeError(rest.takeError());
    return llvm::Error::success();
  }
  uint64_t fingerprint = fingerprintOf(**rest);
  if (fingerprint == fingerprintOf(*result_.module))
    return llvm::Error::success();
  llvm::Expected<FusionCost> cost = fusionCost(**rest, policy_, options_.rates);
  if (!cost)
    return cost.takeError();
  llvm::Expected<double> reading = fingerprint == fingerprintOf(module_) ? llvm::Expected<double>(before_) : read(**rest);
  if (!reading)
    return reading.takeError();
  FusionPart judged{.pass = part.name, .gain = *reading - now_, .noise = noiseAt(now_)};
  judged.predicted = predictedGain(*cost, result_.after);
  judged.dispatches = int64_t(cost->dispatches) - int64_t(result_.after.dispatches);
  if (cost->bytes >= 0 && result_.after.bytes >= 0)
    judged.bytes = cost->bytes - result_.after.bytes;
  judged.isKept = judged.gain >= -judged.noise || !options_.problemOf(**rest).empty();
  if (!judged.isKept) {
    result_.dropped.push_back(llvm::formatv("{0}: {1:f1} us with it, {2:f1} us without, as measured", part.name, now_, *reading).str());
    left_ = std::move(left);
    now_ = *reading;
    result_.after = *cost;
    result_.module = std::move(*rest);
  }
  result_.parts.push_back(std::move(judged));
  return llvm::Error::success();
}

llvm::Error Measuring::run() {
  all_ = result_.steps;
  double predicted = predictedGain(result_.before, result_.after);
  if (llvm::Error error = readBoth())
    return error;
  std::vector<Part> found = parts();
  for (size_t i = found.size(); found.size() > 1 && i-- > 0;)
    if (llvm::Error error = judge(found[i]))
      return error;
  std::reverse(result_.parts.begin(), result_.parts.end());
  std::vector<FusionStep> kept;
  for (auto [index, step] : llvm::enumerate(all_))
    if (!llvm::is_contained(left_, index))
      kept.push_back(step);
  result_.steps = std::move(kept);
  result_.times = {.before = before_, .after = now_, .noise = noise_, .predicted = predicted};
  return llvm::Error::success();
}

} // namespace

llvm::Expected<FuseAllResult> keepWhatIsFaster(ModuleOp module, const FusionPolicy &policy, const FuseAllOptions &options,
                                               FuseAllResult result) {
  if (llvm::Error error = Measuring(module, policy, options, result).run())
    return error;
  if (result.times->after <= result.times->before && !result.steps.empty())
    return result;
  if (!result.steps.empty())
    result.dropped.push_back(llvm::formatv("{0}: {1:f1} us before it, {2:f1} us after, as measured", presetOf(options.goal),
                                           result.times->before, result.times->after)
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
