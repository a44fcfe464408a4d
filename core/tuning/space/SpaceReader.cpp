#include "core/tuning/space/SpaceReader.h"
#include "core/schedules/script/Knobs.h"
#include "core/tuning/space/KnobOptions.h"
#include "core/tuning/space/SmtRegion.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace fuselage::tune {
namespace {

using mlir::transform::smt::ConstrainParamsOp;
using mlir::transform::tune::KnobOp;
using Choice = mlir::transform::tune::AlternativesOp;

/// The regions of alternatives that an op is in: knob and region.
using Guard = std::vector<std::pair<unsigned, int64_t>>;

class ScriptReader {
public:
  ScriptReader(mlir::ModuleOp script, const SpaceOptions &options) : script_(script), options_(options) {}

  llvm::Expected<ScriptSpace> read() {
    collect();
    if (llvm::Error error = readKnobs())
      return error;
    if (llvm::Error error = bound())
      return error;
    if (llvm::Error error = readGuards())
      return error;
    addRelations();
    if (llvm::Error error = readConstraints())
      return error;
    auto known = numbers();
    return ScriptSpace{.space = std::move(space_), .results = std::move(yields_), .numbers = std::move(known)};
  }

private:
  /// A knob while it is read: all ops of its name, and its options but for those of regions.
  struct Draft {
    llvm::SmallVector<mlir::Operation *, 1> ops;
    KnobOptions options;
    bool isBound = false;
  };

  static std::string nameOf(mlir::Operation *op) {
    auto knob = mlir::dyn_cast<KnobOp>(op);
    return (knob ? knob.getName() : mlir::cast<Choice>(op).getName()).str();
  }

  void collect() {
    script_.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      auto choice = mlir::dyn_cast<Choice>(op);
      if (mlir::isa<KnobOp>(op) || (choice && !choice.getSelectedRegionParam()))
        drafts_[nameOf(op)].ops.push_back(op);
      if (auto constraint = mlir::dyn_cast<ConstrainParamsOp>(op))
        constraints_.push_back(constraint);
    });
  }

  llvm::Error readKnobs() {
    for (auto &[name, draft] : drafts_) {
      mlir::Operation *first = draft.ops.front();
      for (mlir::Operation *other : draft.ops)
        if (llvm::Error error = checkSame(first, other))
          return error;
      Knob knob{.name = name, .domain = {}, .place = placeOf(first)};
      if (auto choice = mlir::dyn_cast<Choice>(first)) {
        knob.isRegion = true;
        draft.isBound = true;
        knob.domain = Domain::multiples(0, int64_t(choice->getNumRegions()) - 1);
        if (mlir::IntegerAttr selected = choice.getSelectedRegionAttrAttr())
          knob.selected = selected.getValue().getSExtValue();
      } else if (options_.selectedOnly) {
        if (llvm::Error error = readSelection(mlir::cast<KnobOp>(first), draft, knob))
          return error;
      } else {
        auto options = readOptions(mlir::cast<KnobOp>(first), options_,
                                   [&](llvm::StringRef other) { return drafts_.contains(other.str()); });
        if (!options)
          return options.takeError();
        draft.options = std::move(*options);
        knob.labels = draft.options.labels;
      }
      space_.knobs.push_back(std::move(knob));
    }
    return llvm::Error::success();
  }

  llvm::Error readSelection(KnobOp op, Draft &draft, Knob &knob) {
    if (!op.getSelectedAttr())
      return failAt(op, "nothing is selected for '" + knob.name + "'");
    auto number = mlir::dyn_cast<mlir::IntegerAttr>(op.getSelectedAttr());
    if (number && number.getValue().getSignificantBits() <= 64) {
      knob.selected =
          number.getType().isInteger(1) ? int64_t(number.getValue().getZExtValue()) : number.getValue().getSExtValue();
    } else {
      knob.labels = {optionText(op.getSelectedAttr())};
      knob.selected = 0;
    }
    knob.domain = Domain::of({*knob.selected});
    draft.isBound = true;
    return llvm::Error::success();
  }

  llvm::Error checkSame(mlir::Operation *first, mlir::Operation *other) {
    bool sameKind = mlir::isa<KnobOp>(first) == mlir::isa<KnobOp>(other);
    bool same = sameKind && (mlir::isa<KnobOp>(first)
                                 ? mlir::cast<KnobOp>(first).getOptions() == mlir::cast<KnobOp>(other).getOptions()
                                 : first->getNumRegions() == other->getNumRegions());
    if (same)
      return llvm::Error::success();
    return failAt(other, "'" + nameOf(other) + "' is the name of a knob with other options, at line " +
                             std::to_string(placeOf(first).line) + "; knobs of one name are one");
  }

  /// Sets domains. What divides another knob is no larger than that one, so those come first.
  llvm::Error bound() {
    for (bool progress = true; progress;) {
      progress = false;
      for (auto [index, entry] : llvm::enumerate(drafts_)) {
        Draft &draft = entry.second;
        std::optional<int64_t> most = mostOf(draft);
        if (draft.isBound || (!most && !draft.options.isList))
          continue;
        auto domain = domainOf(draft.ops.front(), draft.options, most.value_or(0));
        if (!domain)
          return domain.takeError();
        space_.knobs[index].domain = std::move(*domain);
        draft.isBound = progress = true;
      }
    }
    for (auto &[name, draft] : drafts_)
      if (!draft.isBound)
        return failAt(draft.ops.front(),
                      "the knob '" + name +
                          "' has no end: give an upper_bound, or divides with a number or a knob that has one");
    return readSelected();
  }

  std::optional<int64_t> mostOf(const Draft &draft) {
    std::optional<int64_t> most = draft.options.most;
    for (const std::string &name : draft.options.dividesKnobs) {
      unsigned other = *space_.find(name);
      const Domain &domain = space_.knobs[other].domain;
      if (!(drafts_.begin() + other)->second.isBound) {
        if (!most)
          return std::nullopt;
      } else if (!domain.empty() && space_.knobs[other].labels.empty()) {
        int64_t largest = std::max(domain.back(), domain.front() == INT64_MIN ? INT64_MAX : -domain.front());
        most = std::min(most.value_or(largest), largest);
      }
    }
    return most;
  }

  llvm::Error readSelected() {
    for (auto [knob, entry] : llvm::zip_equal(space_.knobs, drafts_)) {
      auto op = mlir::dyn_cast<KnobOp>(entry.second.ops.front());
      if (!op || !op.getSelectedAttr() || options_.selectedOnly)
        continue;
      knob.selected = knob.valueOf(optionText(op.getSelectedAttr()));
      if (!knob.selected)
        return failAt(op, "'" + knob.name + "' selects " + optionText(op.getSelectedAttr()) +
                              ", which is none of its options");
    }
    return llvm::Error::success();
  }

  /// What has to be picked for `op` to run.
  llvm::Expected<Guard> guardOf(mlir::Operation *op) {
    Guard guard;
    for (mlir::Region *region = op->getParentRegion(); region; region = region->getParentRegion()) {
      auto choice = mlir::dyn_cast<Choice>(region->getParentOp());
      if (!choice)
        continue;
      auto selector =
          choice.getSelectedRegionParam() ? choice.getSelectedRegionParam().getDefiningOp<KnobOp>() : KnobOp();
      if (choice.getSelectedRegionParam() && !selector)
        return failAt(choice, "which of the alternatives '" + nameOf(choice) +
                                  "' is picked comes from something else than a knob");
      guard.push_back({*space_.find(selector ? nameOf(selector) : nameOf(choice)), region->getRegionNumber()});
    }
    return guard;
  }

  /// A knob that several places ask for is needed wherever they are.
  llvm::Error readGuards() {
    guards_.resize(space_.knobs.size());
    for (auto [index, entry] : llvm::enumerate(drafts_)) {
      llvm::ArrayRef<mlir::Operation *> ops = entry.second.ops;
      auto guard = guardOf(ops.front());
      if (!guard)
        return guard.takeError();
      if (ops.size() == 1)
        guards_[index] = std::move(*guard);
      const Knob &knob = space_.knobs[index];
      if (guards_[index].empty() || knob.domain.empty())
        continue;
      int64_t idle = knob.selected.value_or(knob.domain.front());
      int isIdle = e_.make(ExprOp::Equal, e_.knob(index), e_.constant(idle));
      space_.add(e_, e_.make(ExprOp::Or, isIdle, truthOf(guards_[index])), Origin::Schedule, knob.place,
                 knob.name + " = " + knob.textOf(idle) + " unless its region is picked");
    }
    return readChoices();
  }

  /// Alternatives that a knob picks from have so many regions.
  llvm::Error readChoices() {
    llvm::Error error = llvm::Error::success();
    script_.walk([&](Choice choice) {
      auto selector =
          choice.getSelectedRegionParam() ? choice.getSelectedRegionParam().getDefiningOp<KnobOp>() : KnobOp();
      if (!choice.getSelectedRegionParam())
        return mlir::WalkResult::advance();
      if (!selector) {
        error =
            llvm::joinErrors(std::move(error), failAt(choice, "which of the alternatives '" + nameOf(choice) +
                                                                  "' is picked comes from something else than a knob"));
        return mlir::WalkResult::interrupt();
      }
      int knob = e_.knob(*space_.find(nameOf(selector)));
      int inside = e_.make(ExprOp::And, e_.make(ExprOp::AtMost, e_.constant(0), knob),
                           e_.make(ExprOp::Less, knob, e_.constant(choice->getNumRegions())));
      space_.add(e_, inside, Origin::Schedule, placeOf(choice));
      return mlir::WalkResult::advance();
    });
    return error;
  }

  int truthOf(const Guard &guard) {
    int node = e_.constant(1);
    for (auto [knob, region] : guard)
      node = e_.make(ExprOp::And, node, e_.make(ExprOp::Equal, e_.knob(knob), e_.constant(region)));
    return node;
  }

  /// Adds a condition that is asked where `guard` is picked; always, where that is empty.
  void addGuarded(int node, const Guard &guard, Place place) {
    std::string text = e_.part(node).text([&](unsigned knob) { return space_.knobs[knob].name; });
    space_.add(e_, guard.empty() ? node : e_.make(ExprOp::Implies, truthOf(guard), node), Origin::Schedule,
               std::move(place), text);
  }

  void addRelations() {
    for (auto [index, entry] : llvm::enumerate(drafts_)) {
      const KnobOptions &options = entry.second.options;
      for (const std::string &name : options.dividesKnobs)
        addDivides(index, *space_.find(name), guards_[index], space_.knobs[index].place);
      for (const std::string &name : options.divisibleByKnobs)
        addDivides(*space_.find(name), index, guards_[index], space_.knobs[index].place);
    }
  }

  void addDivides(unsigned part, unsigned whole, const Guard &guard, const Place &place) {
    int rest = e_.make(ExprOp::Mod, e_.knob(whole), e_.knob(part));
    addGuarded(e_.make(ExprOp::Equal, rest, e_.constant(0)), guard, place);
  }

  /// The node of a parameter; -1: it is computed by something else.
  int nodeOf(mlir::Value param) {
    if (auto found = results_.find(param); found != results_.end())
      return found->second;
    if (auto knob = param.getDefiningOp<KnobOp>()) {
      unsigned index = *space_.find(nameOf(knob));
      const std::vector<std::string> &labels = space_.knobs[index].labels;
      bool computes = labels.empty() || llvm::all_of(labels, [](const std::string &label) {
                        return label == "true" || label == "false";
                      });
      return computes ? e_.knob(index) : -1;
    }
    if (auto constant = param.getDefiningOp<mlir::transform::ParamConstantOp>())
      if (auto number = mlir::dyn_cast<mlir::IntegerAttr>(constant.getValue());
          number && number.getValue().getSignificantBits() <= 64)
        return e_.constant(number.getType().isInteger(1) ? number.getValue().getZExtValue()
                                                         : number.getValue().getSExtValue());
    return -1;
  }

  llvm::DenseMap<mlir::Value, Expression> numbers() {
    llvm::DenseMap<mlir::Value, Expression> numbers;
    script_.walk([&](mlir::Operation *op) {
      for (mlir::Value result : op->getResults())
        if (mlir::isa<mlir::transform::TransformParamTypeInterface>(result.getType()))
          if (int node = nodeOf(result); node >= 0)
            numbers[result] = e_.part(node);
    });
    return numbers;
  }

  llvm::Error readConstraints() {
    for (ConstrainParamsOp constraint : constraints_) {
      llvm::SmallVector<int> operands;
      for (auto [number, param] : llvm::enumerate(constraint.getParams())) {
        operands.push_back(nodeOf(param));
        if (operands.back() < 0)
          return failAt(constraint,
                        "parameter " + std::to_string(number) +
                            " of these constraints is no number that a knob, transform.param.constant or other "
                            "constraints give");
      }
      auto read = readSmt(constraint, e_, operands);
      if (!read)
        return read.takeError();
      auto guard = guardOf(constraint);
      if (!guard)
        return guard.takeError();
      for (auto [node, asker] : read->assertions)
        addGuarded(node, *guard, placeOf(asker));
      std::vector<Expression> &yields = yields_.emplace_back(constraint, std::vector<Expression>()).second;
      for (auto [result, node] : llvm::zip(constraint.getResults(), read->results)) {
        results_[result] = node;
        yields.push_back(e_.part(node));
      }
    }
    return llvm::Error::success();
  }

  mlir::ModuleOp script_;
  const SpaceOptions &options_;
  llvm::MapVector<std::string, Draft, std::map<std::string, unsigned>>
      drafts_; ///< by name, in the script's order, as space_.knobs
  std::vector<ConstrainParamsOp> constraints_;
  std::vector<Guard> guards_; ///< by knob
  llvm::DenseMap<mlir::Value, int> results_;
  std::vector<std::pair<mlir::Operation *, std::vector<Expression>>> yields_;
  Expression e_; ///< what all conditions are cut from
  Space space_;
};

} // namespace

llvm::Expected<ScriptSpace> readSpace(mlir::ModuleOp script, const SpaceOptions &options) {
  return ScriptReader(script, options).read();
}

} // namespace fuselage::tune
