#include "core/schedules/normalize/AutoNormalize.h"
#include "core/ir/ops/ValueNames.h"
#include "core/schedules/normalize/FormColumn.h"
#include "core/schedules/normalize/Requirements.h"
#include "core/schedules/normalize/ScriptInserts.h"
#include "core/schedules/ops/ScheduleOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage {
namespace {

using mlir::transform::TransformOpInterface;

/// A requirement that did not hold when an op was about to run.
struct Unmet {
  TransformOpInterface op;
  const NormalForm *form;
  std::string why;
  bool holdsFunctions; ///< its first operand holds no ops inside of functions
  bool onOps;          ///< what the op's first operand holds is to be brought into the form, not the functions around
  std::vector<std::string> functions; ///< around what it holds
};

class AutoNormalizer {
public:
  AutoNormalizer(Script &script, mlir::ModuleOp payload, const TraceOptions &options)
      : script_(script), payload_(payload), options_(options), column_(script), inserts_(script) {}

  llvm::Expected<AutoNormalized> run() {
    for (;;) {
      auto unmet = runOnce();
      if (!unmet)
        return unmet.takeError();
      if (!*unmet)
        return std::move(result_);
      if (llvm::Error error = answer(**unmet))
        return error;
    }
  }

  llvm::Expected<HoistedNormalization> hoist() {
    auto before = run();
    if (!before)
      return before.takeError();
    HoistedNormalization hoisted;
    hoisted.before = countNormalizations(*before);
    hoisted.why = obstacle(*before);
    if (!hoisted.why.empty()) {
      hoisted.normalized = std::move(*before);
      return hoisted;
    }
    return search(std::move(*before), std::move(hoisted));
  }

private:
  /// One run of the script as it is; the requirement at which it ended. Where there is none, the result is complete.
  llvm::Expected<std::optional<Unmet>> runOnce() {
    std::optional<Unmet> unmet;
    reached_.clear();
    TraceOptions options = options_;
    options.mayRun = [&](TransformOpInterface op, const mlir::transform::TransformState &state) {
      unmet = findUnmet(op, state);
      return !unmet;
    };
    auto traced = trace(script_, payload_, column_.watching(options));
    if (!traced)
      return traced.takeError();
    if (!unmet) {
      result_.trace = std::move(*traced);
      result_.forms = column_.lines();
      result_.broken = column_.broken();
    }
    return unmet;
  }

  std::optional<Unmet> findUnmet(TransformOpInterface op, const mlir::transform::TransformState &state) {
    ++reached_[op];
    for (const NormalForm *form : requiredForms(op, script_.forms))
      if (!givenUp_.contains({op, form}))
        if (std::optional<Unmet> unmet = findUnmet(op, *form, state))
          return unmet;
    return std::nullopt;
  }

  std::optional<Unmet> findUnmet(TransformOpInterface op, const NormalForm &form,
                                 const mlir::transform::TransformState &state) {
    llvm::SmallVector<mlir::Operation *> targets = targetsOf(op, state);
    bool holdsFunctions = llvm::none_of(
        targets, [](mlir::Operation *target) { return bool(target->getParentOfType<mlir::FunctionOpInterface>()); });
    bool onOps = !form.onOp.empty() && !holdsFunctions;
    std::vector<std::string> names;
    std::vector<mlir::FunctionOpInterface> functions = functionsAround(op, state);
    for (mlir::FunctionOpInterface function : functions)
      names.push_back(function.getName().str());
    if (auto [held, isNew] = held_.try_emplace({op, reached_.lookup(op)}, targets.size());
        !isNew && targets.size() < held->second) {
      std::string why = "it replaced " + std::to_string(held->second - targets.size()) +
                        " of the ops that the operand held; match them after it";
      if (isTrying_)
        return Unmet{op, &form, why, holdsFunctions, onOps, names};
      givenUp_.insert({op, &form});
      result_.unreached.push_back({script_.numbers.lookup(op), &form, why});
      return std::nullopt;
    }
    for (mlir::FunctionOpInterface function : functions) {
      std::vector<FormBreach> breaches = checkForm(form, function);
      if (breaches.empty())
        column_.learn(function, form);
      for (const FormBreach &breach : breaches)
        if (!onOps || llvm::is_contained(targets, breach.op))
          return Unmet{op, &form, breach.why, holdsFunctions, onOps, names};
    }
    return std::nullopt;
  }

  /// Puts the next stage of the normalizer before the op; gives up where there is none left.
  llvm::Error answer(const Unmet &unmet) {
    unsigned stage = stages_[{unmet.op, unmet.form}]++;
    unsigned op = script_.numbers.lookup(unmet.op);
    if (stage >= (unmet.onOps ? 1 : unmet.form->normalizers.size())) {
      givenUp_.insert({unmet.op, unmet.form});
      result_.unreached.push_back({op, unmet.form, unmet.why});
      return llvm::Error::success();
    }
    if (unmet.onOps) {
      result_.insertions.push_back({op, inserts_.replaceOperand(unmet.op, *unmet.form), unmet.form, stage, unmet.why});
    } else {
      auto include = inserts_.normalizeAround(unmet.op, unmet.holdsFunctions, *unmet.form, stage);
      if (!include)
        return include.takeError();
      result_.insertions.push_back({op, *include, unmet.form, stage, unmet.why});
    }
    needing_.insert(unmet.op);
    for (const std::string &function : unmet.functions)
      if (!llvm::is_contained(functions_, function))
        functions_.push_back(function);
    return llvm::Error::success();
  }

  /// How often the inserted normalizers ran, and how long that took.
  static NormalizationCost countNormalizations(const AutoNormalized &normalized) {
    NormalizationCost cost;
    for (const TraceStep &step : normalized.trace.steps)
      if (llvm::any_of(normalized.insertions,
                       [&](const Insertion &insertion) { return step.op == int(insertion.include); })) {
        ++cost.count;
        cost.milliseconds += step.milliseconds;
      }
    return cost;
  }

  /// The form of the insertions that implies those of all others; null if none does.
  static const NormalForm *strongest(const std::vector<Insertion> &insertions) {
    for (const Insertion &each : insertions)
      if (llvm::all_of(insertions, [&](const Insertion &other) { return implies(*each.form, *other.form); }))
        return each.form;
    return nullptr;
  }

  /// Why nothing can be hoisted; empty if it may be tried.
  static std::string obstacle(const AutoNormalized &normalized) {
    if (normalized.trace.failed)
      return "the schedule fails";
    if (countNormalizations(normalized).count < 2)
      return "there are no two normalizations to save one of";
    if (!strongest(normalized.insertions))
      return "the forms that are expected do not imply each other, so that no single one is enough";
    return "";
  }

  /// The ops of the entry before which one could stand: the first that needed one, or that holds it, and those
  /// above.
  std::vector<TransformOpInterface> placesToTry() const {
    std::vector<TransformOpInterface> places;
    for (mlir::Operation &op : script_.entry->getRegion(0).front()) {
      if (script_.numberOf(&op) >= 0 && mlir::isa<TransformOpInterface>(op))
        places.push_back(mlir::cast<TransformOpInterface>(op));
      if (llvm::any_of(needing_, [&](mlir::Operation *needs) { return op.isAncestor(needs); }))
        break;
    }
    std::reverse(places.begin(), places.end());
    return places;
  }

  /// Tries place after place, upwards; the first at which nothing else is needed and the result is the same stays.
  llvm::Expected<HoistedNormalization> search(AutoNormalized before, HoistedNormalization hoisted) {
    const NormalForm &form = *strongest(before.insertions);
    std::string expected = PrintedModule(*before.trace.result).text();
    inserts_.undo();
    std::vector<TransformOpInterface> places = placesToTry();
    isTrying_ = true;
    constexpr unsigned mostTries = 64;
    for (TransformOpInterface place : places)
      for (llvm::ArrayRef<std::string> functions :
           {llvm::ArrayRef<std::string>(), llvm::ArrayRef<std::string>(functions_)})
        for (unsigned stages = 1; stages <= form.normalizers.size() && hoisted.tries < mostTries; ++stages) {
          ++hoisted.tries;
          result_.insertions.clear();
          held_.clear();
          auto includes = inserts_.normalizeIn(place, functions, form, stages);
          if (!includes)
            return includes.takeError();
          for (unsigned include : *includes)
            result_.insertions.push_back({script_.numbers.lookup(place), include, &form, 0, ""});
          auto unmet = runOnce();
          if (!unmet)
            return unmet.takeError();
          if (!*unmet && !result_.trace.failed && PrintedModule(*result_.trace.result).text() == expected &&
              countNormalizations(result_).count < hoisted.before.count) {
            hoisted.after = countNormalizations(result_);
            hoisted.form = &form;
            hoisted.place = script_.numbers.lookup(place);
            hoisted.functions.assign(functions.begin(), functions.end());
            hoisted.linesCompared = llvm::StringRef(expected).count('\n');
            hoisted.normalized = std::move(result_);
            return hoisted;
          }
          inserts_.undo();
        }
    hoisted.why = "at " + std::to_string(hoisted.tries) +
                  " places and functions that were tried, the result would be another "
                  "or more would be needed";
    isTrying_ = false;
    return again(std::move(hoisted));
  }

  /// The script as automatic normalization leaves it, once more.
  llvm::Expected<HoistedNormalization> again(HoistedNormalization hoisted) {
    result_ = AutoNormalized();
    stages_.clear();
    held_.clear();
    givenUp_.clear();
    auto normalized = run();
    if (!normalized)
      return normalized.takeError();
    hoisted.normalized = std::move(*normalized);
    return hoisted;
  }

  Script &script_;
  mlir::ModuleOp payload_;
  const TraceOptions &options_;
  FormColumn column_;
  ScriptInserts inserts_;
  AutoNormalized result_;
  using Need = std::pair<mlir::Operation *, const NormalForm *>;
  llvm::DenseMap<Need, unsigned> stages_;               ///< how many were put before the op
  llvm::DenseMap<mlir::Operation *, unsigned> reached_; ///< how often, in this run
  /// How many ops its operand held in the first run that reached it so often.
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, size_t> held_;
  llvm::DenseSet<Need> givenUp_;
  llvm::DenseSet<mlir::Operation *> needing_; ///< before which something was put
  std::vector<std::string> functions_;        ///< that were normalized
  bool isTrying_ = false;                     ///< what hoisting tries is not given up, but another try
};

} // namespace

llvm::Expected<AutoNormalized> autoNormalize(Script &script, mlir::ModuleOp payload, const TraceOptions &options) {
  return AutoNormalizer(script, payload, options).run();
}

llvm::Expected<HoistedNormalization> hoistNormalization(Script &script, mlir::ModuleOp payload,
                                                        const TraceOptions &options) {
  return AutoNormalizer(script, payload, options).hoist();
}

std::string describeHoist(const Script &script, const HoistedNormalization &hoisted) {
  if (!hoisted.form)
    return "nothing is hoisted: " + hoisted.why;
  const ScriptOp &place = script.ops[hoisted.place];
  std::string functions = hoisted.functions.empty() ? "all functions" : "@" + llvm::join(hoisted.functions, ", @");
  return llvm::formatv("hoisted: to normalize {0} to {1} before line {2} is enough; {3} in {4:f2} ms instead of "
                       "{5} in {6:f2} ms, "
                       "measured once; the result is the same: its text, {7} lines, was compared",
                       functions, hoisted.form->name, place.line, hoisted.after.count, hoisted.after.milliseconds,
                       hoisted.before.count, hoisted.before.milliseconds, hoisted.linesCompared)
      .str();
}

std::string explicitText(const Script &script) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = mlir::ModuleOp(*script.module).clone();
  copy->walk([](mlir::Operation *op) {
    if (mlir::isa<mlir::transform::PositionOp, mlir::transform::StopOp>(op))
      op->erase();
  });
  std::string text;
  llvm::raw_string_ostream os(text);
  copy->print(os, withValueNames());
  os << '\n';
  return text;
}

} // namespace fuselage
