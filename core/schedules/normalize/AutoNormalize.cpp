#include "core/schedules/normalize/AutoNormalize.h"
#include "core/ir/ops/ValueNames.h"
#include "core/schedules/normalize/FormColumn.h"
#include "core/schedules/normalize/Requirements.h"
#include "core/schedules/ops/ScheduleOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Parser/Parser.h"

namespace fuselage {
namespace {

using mlir::transform::TransformOpInterface;

/// A requirement that did not hold when an op was about to run.
struct Unmet {
  TransformOpInterface op;
  const NormalForm *form;
  std::string why;
  bool onOps; ///< what the op's first operand holds is to be brought into the form, not the functions around
};

class AutoNormalizer {
public:
  AutoNormalizer(Script &script, mlir::ModuleOp payload, const TraceOptions &options)
      : script_(script), payload_(payload), options_(options), column_(script) {}

  llvm::Expected<AutoNormalized> run() {
    for (;;) {
      std::optional<Unmet> unmet;
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
        return std::move(result_);
      }
      if (llvm::Error error = answer(*unmet))
        return error;
    }
  }

private:
  std::optional<Unmet> findUnmet(TransformOpInterface op, const mlir::transform::TransformState &state) {
    const NormalForm *form = requiredForm(op);
    if (!form || givenUp_.contains(op))
      return std::nullopt;
    llvm::SmallVector<mlir::Operation *> targets = targetsOf(op, state);
    if (auto [held, isNew] = held_.try_emplace(op, targets.size()); !isNew && targets.size() < held->second) {
      givenUp_.insert(op);
      result_.unreached.push_back({script_.numbers.lookup(op), form,
                                   "it replaced " + std::to_string(held->second - targets.size()) +
                                       " of the ops that the operand held; match them behind it"});
      return std::nullopt;
    }
    bool onOps = !form->onOp.empty() && llvm::none_of(targets, llvm::IsaPred<mlir::FunctionOpInterface>);
    for (mlir::FunctionOpInterface function : functionsAround(op, state)) {
      std::vector<FormBreach> breaches = checkForm(*form, function);
      if (breaches.empty())
        column_.learn(function, *form);
      for (const FormBreach &breach : breaches)
        if (!onOps || llvm::is_contained(targets, breach.op))
          return Unmet{op, form, breach.why, onOps};
    }
    return std::nullopt;
  }

  /// Puts the next stage of the normalizer in front of the op; gives up where there is none left.
  llvm::Error answer(const Unmet &unmet) {
    unsigned stage = stages_[unmet.op]++;
    unsigned op = script_.numbers.lookup(unmet.op);
    if (stage >= (unmet.onOps ? 1 : unmet.form->normalizers.size())) {
      givenUp_.insert(unmet.op);
      result_.unreached.push_back({op, unmet.form, unmet.why});
      return llvm::Error::success();
    }
    std::string what = "normalize to " + unmet.form->name + (stage ? ", stage " + std::to_string(stage + 1) : "");
    if (unmet.onOps) {
      result_.insertions.push_back({op, number(replaceOperand(unmet), what, op), unmet.form, stage, unmet.why});
      return llvm::Error::success();
    }
    if (llvm::Error error = declare(*unmet.form, stage))
      return error;
    mlir::OpBuilder builder(unmet.op);
    mlir::Location location = placeOf(unmet.op->getLoc());
    auto anyOp = mlir::transform::AnyOpType::get(builder.getContext());
    auto functions = mlir::transform::GetParentOp::create(builder, location, anyOp, unmet.op->getOperand(0),
                                                          /*isolated_from_above=*/true, /*allow_empty_results=*/false,
                                                          /*op_name=*/mlir::StringAttr(), /*deduplicate=*/true, /*nth_parent=*/1);
    auto include = mlir::transform::IncludeOp::create(
        builder, location, mlir::TypeRange(), mlir::SymbolRefAttr::get(builder.getContext(), unmet.form->normalizers[stage].name),
        mlir::transform::FailurePropagationMode::Propagate, mlir::ValueRange{functions.getResult()},
        /*arg_attrs=*/mlir::ArrayAttr(), /*res_attrs=*/mlir::ArrayAttr());
    script_.names[functions.getResult()] = "%normalized";
    number(functions, "functions to " + what, op);
    result_.insertions.push_back({op, number(include, what, op), unmet.form, stage, unmet.why});
    return llvm::Error::success();
  }

  /// Puts the form's transform of single ops in front of the op, which takes its result from then on, as all behind do.
  mlir::Operation *replaceOperand(const Unmet &unmet) {
    mlir::Value target = unmet.op->getOperand(0);
    mlir::OpBuilder builder(unmet.op);
    mlir::OperationState state(placeOf(unmet.op->getLoc()), unmet.form->onOp);
    state.addOperands(target);
    state.addTypes(mlir::transform::AnyOpType::get(builder.getContext()));
    mlir::Operation *normalize = builder.create(state);
    target.replaceUsesWithIf(normalize->getResult(0), [&](mlir::OpOperand &use) {
      mlir::Operation *user = normalize->getBlock()->findAncestorOpInBlock(*use.getOwner());
      return user && normalize->isBeforeInBlock(user);
    });
    script_.names[normalize->getResult(0)] = script_.names.lookup(target) + "_normalized";
    return normalize;
  }

  /// Gives an op that was put in its number, at the line of the one in front of which it stands.
  unsigned number(mlir::Operation *op, const std::string &text, unsigned inFrontOf) {
    ScriptOp row = script_.ops[inFrontOf];
    row.name = op->getName().getStringRef().str();
    row.text = text;
    script_.numbers[op] = script_.ops.size();
    script_.ops.push_back(std::move(row));
    return script_.ops.size() - 1;
  }

  /// Puts the named sequence into the script, once.
  llvm::Error declare(const NormalForm &form, unsigned stage) {
    auto library = script_.entry->getParentOfType<mlir::ModuleOp>();
    if (!library || !mlir::isa<mlir::transform::NamedSequenceOp>(script_.entry.getOperation()))
      return fail("'" + script_.path + "' is a transform.sequence; normalizers need a @__transform_main in a module");
    const std::string &name = form.normalizers[stage].name;
    if (library.lookupSymbol(name))
      return llvm::Error::success();
    std::string text = "module attributes {transform.with_named_sequence} {\n" + form.normalizers[stage].text + "}\n";
    mlir::ParserConfig config(script_.module->getContext());
    auto parsed = mlir::parseSourceString<mlir::ModuleOp>(text, config, "normalizer of " + form.name);
    mlir::Operation *sequence = parsed ? parsed->lookupSymbol(name) : nullptr;
    if (!sequence)
      return fail("the normalizer of " + form.name + " cannot be read");
    sequence->moveBefore(script_.entry);
    sequence->walk([&](mlir::Operation *op) {
      ScriptOp row{.name = op->getName().getStringRef().str(), .text = op->getName().getStringRef().str(), .file = {}};
      script_.numbers[op] = script_.ops.size();
      script_.ops.push_back(std::move(row));
    });
    return llvm::Error::success();
  }

  Script &script_;
  mlir::ModuleOp payload_;
  const TraceOptions &options_;
  FormColumn column_;
  AutoNormalized result_;
  llvm::DenseMap<mlir::Operation *, unsigned> stages_; ///< how many were put in front of the op
  llvm::DenseMap<mlir::Operation *, size_t> held_;     ///< how many ops its operand held when it was first reached
  llvm::DenseSet<mlir::Operation *> givenUp_;
};

} // namespace

llvm::Expected<AutoNormalized> autoNormalize(Script &script, mlir::ModuleOp payload, const TraceOptions &options) {
  return AutoNormalizer(script, payload, options).run();
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
