#include "core/reduce/Reducer.h"
#include "core/ir/module/IrFingerprint.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;

namespace fuselage {

Reducer::Reducer(OwningOpRef<ModuleOp> module, std::vector<PassUnit> passes, SymptomTest &test,
                 const ReduceOptions &options)
    : module_(std::move(module)), passes_(std::move(passes)), test_(test), options_(options),
      weight_(weightOf(*module_)), opsBefore_(countOpsIn(*module_)) {}

void Reducer::say(llvm::StringRef cut) const {
  if (options_.progress)
    options_.progress(
        {.cut = cut, .ops = countOpsIn(*module_), .opsBefore = opsBefore_, .tried = tried_, .taken = taken_});
}

bool Reducer::shows(ModuleOp module, llvm::ArrayRef<PassUnit> passes, llvm::StringRef cut) {
  if (isOver())
    return false;
  llvm::hash_code key = llvm::hash_value(fingerprint(module).hash);
  for (const PassUnit &unit : passes)
    key = llvm::hash_combine(key, unit.pipeline);
  if (!seen_.insert(uint64_t(key)).second)
    return false;
  if (options_.symptom.limits.cancelled && *options_.symptom.limits.cancelled) {
    why_ = "it was cancelled";
    return false;
  }
  if (tried_ >= options_.mostCuts) {
    why_ = "it tried " + std::to_string(tried_) + " cuts, which is as many as it may";
    return false;
  }
  ++tried_;
  say(cut);
  auto shows = test_.shows(module, passes);
  if (shows)
    return *shows;
  why_ = takeFailure(shows.takeError()).message;
  return false;
}

bool Reducer::tryModule(OwningOpRef<ModuleOp> module, llvm::StringRef cut) {
  const double weight = weightOf(*module);
  if (!(weight < weight_) || !shows(*module, passes_, cut))
    return false;
  module_ = std::move(module);
  weight_ = weight;
  ++taken_;
  return true;
}

bool Reducer::tryPlaced(const PlacedCut &cut) {
  bool any = false;
  for (unsigned chunk = cut.count(*module_); chunk > 0 && !isOver(); chunk = chunk / 2) {
    // From the end: users before what they use.
    for (unsigned end = cut.count(*module_); end > 0 && !isOver();) {
      const unsigned begin = end > chunk ? end - chunk : 0;
      llvm::BitVector places(cut.count(*module_));
      places.set(begin, end);
      OwningOpRef<ModuleOp> changed(module_->clone());
      if (cut.cut(*changed, places))
        any |= tryModule(std::move(changed), cut.name);
      end = std::min(begin, cut.count(*module_));
    }
  }
  return any;
}

bool Reducer::tryGroup(llvm::ArrayRef<WholeCut> group) {
  for (const WholeCut &cut : group) {
    if (isOver())
      return false;
    OwningOpRef<ModuleOp> changed(module_->clone());
    if (cut.cut(*changed) && tryModule(std::move(changed), cut.name))
      return true;
  }
  return false;
}

bool Reducer::tryPasses(std::vector<PassUnit> passes, llvm::StringRef cut, OwningOpRef<ModuleOp> module) {
  if (!shows(module ? *module : *module_, passes, cut))
    return false;
  passes_ = std::move(passes);
  if (module) {
    module_ = std::move(module);
    weight_ = weightOf(*module_);
  }
  ++taken_;
  return true;
}

} // namespace fuselage
