#include "core/schedules/normalize/ScriptInserts.h"
#include "core/ir/ops/ValueNames.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Parser/Parser.h"

namespace fuselage {

static std::string textOf(const NormalForm &form, unsigned stage) {
  return "normalize to " + form.name + (stage ? ", stage " + std::to_string(stage + 1) : "");
}

/// Gives an op that was put in its number, at the line of the one before which it stands.
unsigned ScriptInserts::number(mlir::Operation *op, const std::string &text, Op before) {
  ScriptOp row = script_.ops[script_.numbers.lookup(before)];
  row.name = op->getName().getStringRef().str();
  row.text = text;
  script_.numbers[op] = script_.ops.size();
  script_.ops.push_back(std::move(row));
  inserted_.push_back(op);
  return script_.ops.size() - 1;
}

/// Puts the named sequence into the script, once.
llvm::Error ScriptInserts::declare(const NormalForm &form, unsigned stage) {
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
  inserted_.push_back(sequence);
  return llvm::Error::success();
}

unsigned ScriptInserts::include(mlir::OpBuilder &builder, Op before, mlir::Value functions, const NormalForm &form,
                                unsigned stage) {
  auto include = mlir::transform::IncludeOp::create(
      builder, placeOf(before->getLoc()), mlir::TypeRange(),
      mlir::SymbolRefAttr::get(builder.getContext(), form.normalizers[stage].name),
      mlir::transform::FailurePropagationMode::Propagate, mlir::ValueRange{functions}, /*arg_attrs=*/mlir::ArrayAttr(),
      /*res_attrs=*/mlir::ArrayAttr());
  return number(include, textOf(form, stage), before);
}

llvm::Expected<unsigned> ScriptInserts::normalizeAround(Op op, bool holdsFunctions, const NormalForm &form,
                                                        unsigned stage) {
  if (llvm::Error error = declare(form, stage))
    return error;
  mlir::OpBuilder builder(op);
  mlir::Location location = placeOf(op->getLoc());
  auto anyOp = mlir::transform::AnyOpType::get(builder.getContext());
  mlir::Value functions = op->getOperand(0);
  if (!holdsFunctions)
    functions = mlir::transform::GetParentOp::create(builder, location, anyOp, functions, /*isolated_from_above=*/true,
                                                     /*allow_empty_results=*/false, /*op_name=*/mlir::StringAttr(),
                                                     /*deduplicate=*/true, /*nth_parent=*/1);
  else if (functions.getType() != anyOp)
    functions = mlir::transform::CastOp::create(builder, location, anyOp, functions);
  if (functions != op->getOperand(0)) {
    script_.names[functions] = "%normalized";
    number(functions.getDefiningOp(), "functions to " + textOf(form, stage), op);
  }
  return include(builder, op, functions, form, stage);
}

llvm::Expected<std::vector<unsigned>> ScriptInserts::normalizeIn(Op before, llvm::ArrayRef<std::string> functions,
                                                                 const NormalForm &form, unsigned stages) {
  for (unsigned stage = 0; stage < stages; ++stage)
    if (llvm::Error error = declare(form, stage))
      return error;
  mlir::OpBuilder builder(before);
  mlir::Location location = placeOf(before->getLoc());
  mlir::Value root =
      mlir::cast<mlir::transform::NamedSequenceOp>(script_.entry.getOperation()).getBody().getArgument(0);
  auto match = [&](mlir::DictionaryAttr attributes) {
    auto op = mlir::transform::MatchOp::create(
        builder, location, mlir::transform::AnyOpType::get(builder.getContext()), root,
        builder.getStrArrayAttr({"func.func"}), /*interface=*/nullptr, attributes,
        /*filter_result_type=*/mlir::TypeAttr(), /*filter_operand_types=*/mlir::ArrayAttr());
    script_.names[op.getResult()] = "%functions";
    number(op, "functions to " + textOf(form, 0), before);
    return op.getResult();
  };
  mlir::SmallVector<mlir::Value> handles;
  for (const std::string &name : functions)
    handles.push_back(match(builder.getDictionaryAttr(builder.getNamedAttr("sym_name", builder.getStringAttr(name)))));
  if (handles.empty())
    handles.push_back(match({}));
  if (handles.size() > 1) {
    auto merged = mlir::transform::MergeHandlesOp::create(builder, location, handles, /*deduplicate=*/true);
    script_.names[merged.getResult()] = "%functions";
    number(merged, "functions to " + textOf(form, 0), before);
    handles = {merged.getResult()};
  }
  std::vector<unsigned> includes;
  for (unsigned stage = 0; stage < stages; ++stage)
    includes.push_back(include(builder, before, handles.front(), form, stage));
  return includes;
}

unsigned ScriptInserts::replaceOperand(Op op, const NormalForm &form) {
  mlir::Value target = op->getOperand(0);
  mlir::OpBuilder builder(op);
  mlir::OperationState state(placeOf(op->getLoc()), form.onOp);
  state.addOperands(target);
  state.addTypes(mlir::transform::AnyOpType::get(builder.getContext()));
  mlir::Operation *normalize = builder.create(state);
  target.replaceUsesWithIf(normalize->getResult(0), [&](mlir::OpOperand &use) {
    mlir::Operation *user = normalize->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return user && normalize->isBeforeInBlock(user);
  });
  script_.names[normalize->getResult(0)] = script_.names.lookup(target) + "_normalized";
  return number(normalize, textOf(form, 0), op);
}

void ScriptInserts::undo() {
  for (mlir::Operation *op : llvm::reverse(inserted_)) {
    for (mlir::OpResult result : op->getResults()) {
      script_.names.erase(result);
      if (!result.use_empty())
        result.replaceAllUsesWith(op->getOperand(0));
    }
    op->walk([&](mlir::Operation *nested) { script_.numbers.erase(nested); });
    op->erase();
  }
  inserted_.clear();
  script_.ops.resize(opCount_);
}

} // namespace fuselage
