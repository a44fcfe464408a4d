#include "core/reduce/FindSymptom.h"
#include "core/bisect/LevelRun.h"
#include "core/ir/module/IrFingerprint.h"
#include "core/reduce/JudgeTest.h"
#include "core/run/Specialize.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;

namespace fuselage {
namespace {

/// The same fault of the last pass.
class FaultTest : public SymptomTest {
public:
  FaultTest(Fault fault, const FaultLimits &limits) : limits_(limits) {
    symptom_.kind = SymptomKind::Fault;
    symptom_.fault = std::move(fault);
  }
  llvm::Expected<bool> shows(ModuleOp module, llvm::ArrayRef<PassUnit> passes) override {
    auto end = tryPasses(module, passes, limits_);
    if (!end)
      return end.takeError();
    return end->verifies && end->fault.step + 1 == passes.size() && isSameFault(end->fault, symptom_.fault);
  }
  void setMilliseconds(unsigned milliseconds) override { limits_.milliseconds = milliseconds; }

private:
  FaultLimits limits_;
};

bool hasNaNs(const HostTensor &tensor) {
  if (!isa<FloatType>(tensor.elementType()))
    return false;
  for (int64_t i = 0, count = tensor.elementCount(); i < count; ++i)
    if (std::isnan(tensor.floatAt(i)))
      return true;
  return false;
}

/// Other results than those of the module itself.
class ResultsTest : public SymptomTest {
public:
  ResultsTest(std::string function, const SymptomOptions &options) : options_(options) {
    symptom_.kind = SymptomKind::WrongResults;
    options_.check.function = symptom_.function = std::move(function);
    symptom_.check = options_.check;
  }

  llvm::Expected<bool> shows(ModuleOp module, llvm::ArrayRef<PassUnit> passes) override {
    auto after = irAfter(module, passes, options_.limits);
    if (!after)
      return after.takeError();
    // What is not changed is not wrong, which is known without a run.
    if (!*after || fingerprint(**after).hash == fingerprint(module).hash)
      return false;
    auto before = irBeforeLast(module, passes, options_.limits);
    if (!before)
      return before.takeError();
    if (!*before)
      return false;
    DiagnosticCapture capture(*module.getContext());
    for (unsigned draw = 0; draw < options_.draws; ++draw) {
      std::optional<LevelCheck> difference = differenceOf(module, **before, **after, draw);
      if (options_.limits.cancelled && *options_.limits.cancelled)
        return fail("it was cancelled");
      if (!difference)
        return false; // what cannot be run for one draw, tells nothing for another
      if (isThisFault(*difference)) {
        if (!first_)
          keep(std::move(*difference));
        return true;
      }
    }
    return false;
  }

private:
  /// Of a draw of inputs, how far results are apart; nullopt: the module cannot be run, does not compute the same
  /// twice, differs from `before` already, which the last pass is not to blame for, or has NaN where it had none in the
  /// beginning.
  std::optional<LevelCheck> differenceOf(ModuleOp module, ModuleOp before, ModuleOp after, unsigned draw) {
    const HostReference *reference = referenceOf(module, draw);
    if (!reference)
      return std::nullopt;
    const bool hasNaN = llvm::any_of(reference->expected(), hasNaNs);
    if (!first_)
      hadNaN_ |= hasNaN;
    if (hasNaN && !hadNaN_)
      return std::nullopt;
    // What differs from the first run is looked at first: few cuts do.
    auto difference = LevelChecker(after).check(*reference);
    if (!difference)
      return drop(difference.takeError());
    if (difference->isRight())
      return *difference;
    auto again = LevelChecker(before).check(*reference);
    if (!again)
      return drop(again.takeError());
    return !again->isRight() ? std::nullopt : std::optional(*difference);
  }
  std::nullopt_t drop(llvm::Error error) {
    problem_ = takeFailure(std::move(error)).message;
    return std::nullopt;
  }

  /// What the module computes of a draw of inputs; null: it cannot be run. The last module is often asked for again.
  const HostReference *referenceOf(ModuleOp module, unsigned draw) {
    const uint64_t hash = fingerprint(module).hash;
    if (hash != hash_)
      references_.clear();
    hash_ = hash;
    if (auto known = references_.find(draw); known != references_.end())
      return &known->second;
    HostCheckOptions drawn = options_.check;
    drawn.seed += draw;
    if (!pieces_)
      pieces_ = makeHostPieces(*module.getContext(), options_.check);
    drawn.pieces = pieces_;
    auto reference = HostReference::run(module, drawn);
    if (reference)
      return &references_.emplace(draw, std::move(*reference)).first->second;
    problem_ = takeFailure(reference.takeError()).message;
    return nullptr;
  }

  /// The same stop, or a difference beyond the bound, which is not one of rounding if it was more in the beginning.
  bool isThisFault(const LevelCheck &difference) const {
    constexpr double plainlyWrong = 0.01, ofFirst = 1.0 / 1024;
    if (difference.isRight() || !first_)
      return !difference.isRight();
    if (!difference.fault.empty() || !first_->fault.empty())
      return messageShape(difference.fault) == messageShape(first_->fault);
    return !(difference.check.maxRelError < std::min(plainlyWrong, first_->check.maxRelError * ofFirst));
  }
  void keep(LevelCheck difference) {
    first_ = std::move(difference);
    llvm::raw_string_ostream os(symptom_.why);
    if (!first_->fault.empty())
      os << first_->fault;
    else
      os << "the largest error is " << llvm::format("%.3g", first_->check.maxAbsError) << ", relative "
         << llvm::format("%.3g", first_->check.maxRelError);
  }

  SymptomOptions options_;
  std::optional<LevelCheck> first_; ///< that was found in the beginning
  bool hadNaN_ = false;
  std::shared_ptr<HostPieces> pieces_{}; ///< of all modules: most cuts leave most pieces as they are
  uint64_t hash_ = 0;
  std::map<unsigned, HostReference> references_; ///< of the module with this hash, by draw
};

/// Tries the passes up to the first, the second and so on: a test wants the IR before the last one to be good, so that
/// no binary search finds it.
/// Without a test: there is none.
llvm::Expected<FoundSymptom> findByPasses(std::unique_ptr<SymptomTest> &&test, ModuleOp module,
                                          llvm::ArrayRef<PassUnit> passes) {
  for (unsigned count = passes.empty() ? 0 : 1; count <= passes.size(); ++count) {
    auto shows = test->shows(module, passes.take_front(count));
    if (!shows)
      return shows.takeError();
    if (*shows)
      return FoundSymptom{std::move(test), count};
  }
  return FoundSymptom();
}

} // namespace

/// What a judge says that is asked for.
static llvm::Expected<FoundSymptom> findJudged(ModuleOp module, llvm::ArrayRef<PassUnit> passes,
                                               const SymptomOptions &options) {
  SymptomOptions resolved = options;
  if (options.worse == Worse::Time) {
    auto function = pickFunction(module, options.check.function);
    if (!function)
      return function.takeError();
    resolved.check.function = function->getName().str();
  }
  auto test = makeJudgeTest(resolved);
  if (!test)
    return test.takeError();
  const SymptomTest &asked = **test;
  auto found = findByPasses(std::move(*test), module, passes);
  if (!found)
    return found;
  constexpr unsigned confirmations = 3;
  for (unsigned i = 0; found->test && !options.predicate.empty() && i < confirmations; ++i) {
    auto again = found->test->shows(module, passes.take_front(found->passes));
    if (!again)
      return again.takeError();
    if (!*again)
      return fail("nothing can be told: the command answers something else when it is asked again of the same IR");
  }
  if (found->test)
    return found;
  std::string why = "there is nothing to reduce: ";
  if (options.predicate.empty())
    why += "there is no pass after which it is so, and before which it is not";
  else if (passes.empty())
    why += "the command calls the module good";
  else
    why += "there is no pass before which the command calls the IR good and after which bad";
  return fail(why + (asked.problem().empty() ? "" : "; " + asked.problem()));
}

llvm::Expected<FoundSymptom> findSymptom(ModuleOp module, llvm::ArrayRef<PassUnit> passes,
                                         const SymptomOptions &options) {
  if (!options.predicate.empty() || !options.producer.empty() || options.worse != Worse::No)
    return findJudged(module, passes, options);
  auto fault = faultOf(module, passes, options.limits);
  if (!fault)
    return fault.takeError();
  if (*fault) {
    const unsigned count = fault->step + 1;
    return FoundSymptom{std::make_unique<FaultTest>(std::move(*fault), options.limits), count};
  }
  auto function = pickFunction(module, options.check.function);
  if (!function)
    return function.takeError();
  auto results = std::make_unique<ResultsTest>(function->getName().str(), options);
  const SymptomTest &asked = *results;
  std::unique_ptr<SymptomTest> test = std::move(results);
  auto found = findByPasses(std::move(test), module, passes);
  if (!found)
    return found.takeError();
  if (found->test)
    return found;
  return fail("there is nothing to reduce: all passes run to their end, and results are the same after each that could "
              "be judged" +
              (asked.problem().empty() ? "" : "; not all could be: " + asked.problem()));
}

} // namespace fuselage
