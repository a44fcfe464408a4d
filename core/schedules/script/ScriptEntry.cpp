#include "core/schedules/script/ScriptEntry.h"
#include "core/schedules/script/TuningSpec.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace fuselage {
namespace {

using mlir::transform::NamedSequenceOp;
using mlir::transform::SequenceOp;
using mlir::transform::TransformOpInterface;

/// The sequences of a script that it could begin at.
struct Entries {
  llvm::SmallVector<NamedSequenceOp> named; ///< those with a body
  llvm::SmallVector<SequenceOp> sequences;  ///< at the top
  llvm::StringSet<> referredTo;             ///< by any op

  explicit Entries(mlir::ModuleOp script) {
    script.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      if (auto sequence = llvm::dyn_cast<SequenceOp>(op);
          sequence && !op->getParentOfType<SequenceOp>() && !op->getParentOfType<NamedSequenceOp>())
        sequences.push_back(sequence);
      auto sequence = llvm::dyn_cast<NamedSequenceOp>(op);
      if (sequence && !sequence.isExternal())
        named.push_back(sequence);
      op->getAttrDictionary().walk([&](mlir::SymbolRefAttr name) { referredTo.insert(name.getLeafReference()); });
    });
  }

  NamedSequenceOp find(llvm::StringRef name) const {
    auto *found = llvm::find_if(named, [&](NamedSequenceOp sequence) { return sequence.getSymName() == name; });
    return found == named.end() ? NamedSequenceOp() : *found;
  }

  std::string names() const {
    return llvm::join(
        llvm::map_range(named, [](NamedSequenceOp sequence) { return "@" + sequence.getSymName().str(); }), ", ");
  }

  /// Those that are no part of another one.
  llvm::SmallVector<NamedSequenceOp> unreferred() const {
    llvm::SmallVector<NamedSequenceOp> found;
    for (NamedSequenceOp sequence : named)
      if (!referredTo.contains(sequence.getSymName()) && !sequence->hasAttr("fuselage.form") &&
          sequence.getBody().getNumArguments() > 0)
        found.push_back(sequence);
    return found;
  }
};

} // namespace

llvm::Expected<TransformOpInterface> findEntry(mlir::ModuleOp script, llvm::StringRef path, llvm::StringRef wanted) {
  Entries entries(script);
  auto begin = [&](NamedSequenceOp sequence) -> llvm::Expected<TransformOpInterface> {
    if (sequence.getBody().getNumArguments() == 0)
      return fail("'" + path.str() + "': @" + sequence.getSymName().str() +
                  " has no argument; a schedule begins with a handle to the payload's module");
    return llvm::cast<TransformOpInterface>(sequence.getOperation());
  };
  wanted.consume_front("@");
  llvm::StringRef main = mlir::transform::TransformDialect::kTransformEntryPointSymbolName;
  if (NamedSequenceOp found = entries.find(wanted.empty() ? main : wanted))
    return begin(found);
  std::string has = entries.named.empty() ? "it has no named sequence" : "it has " + entries.names();
  if (!wanted.empty())
    return fail("'" + path.str() + "' has no named sequence @" + wanted.str() + " to begin at; " + has);
  if (auto *spec = llvm::find_if(entries.named, isSpecEntry); spec != entries.named.end())
    return begin(*spec);
  if (entries.sequences.size() == 1) {
    auto entry = llvm::cast<TransformOpInterface>(entries.sequences.front().getOperation());
    while (auto around =
               llvm::dyn_cast_or_null<TransformOpInterface>(entry->getParentOp())) // transform.with_pdl_patterns
      entry = around;
    return entry;
  }
  llvm::SmallVector<NamedSequenceOp> roots = entries.unreferred();
  if (roots.size() == 1)
    return begin(roots.front());
  if (roots.size() > 1)
    return fail("'" + path.str() +
                "' has no @__transform_main; say by --entry at which of its sequences to begin: " + entries.names());
  return fail("'" + path.str() +
              "' is no schedule: it needs a transform.named_sequence @__transform_main in a module "
              "with the attribute transform.with_named_sequence; " +
              has);
}

std::optional<Diagnostic> describeChosenEntry(mlir::Operation *entry) {
  auto sequence = llvm::dyn_cast<NamedSequenceOp>(entry);
  if (!sequence || isSpecEntry(sequence) ||
      sequence.getSymName() == mlir::transform::TransformDialect::kTransformEntryPointSymbolName)
    return std::nullopt;
  SourcePosition place = positionOf(entry->getLoc());
  return Diagnostic{.severity = Diagnostic::Severity::Remark,
                    .message = "there is no @__transform_main: the schedule begins at @" + sequence.getSymName().str() +
                               ", the only sequence that no other one refers to",
                    .file = place.file,
                    .line = place.line,
                    .column = place.column};
}

namespace {

/// Makes the values for the arguments of an entry, at its start.
class ArgumentBinder {
public:
  ArgumentBinder(mlir::Block &entry) : builder_(mlir::OpBuilder::atBlockBegin(&entry)), root_(entry.getArgument(0)) {}

  /// The value for `argument` that `text` says. Failure: `text` does not fit the type.
  llvm::Expected<mlir::Value> bind(mlir::BlockArgument argument, llvm::StringRef text) {
    mlir::Location location = argument.getLoc();
    mlir::Type type = argument.getType();
    if (llvm::isa<mlir::transform::TransformParamTypeInterface>(type))
      return constant(location, type, text);
    if (llvm::isa<mlir::transform::TransformHandleTypeInterface>(type))
      return match(location, type, text);
    mlir::Value ops = match(location, mlir::transform::AnyOpType::get(builder_.getContext()), text);
    return mlir::transform::GetResultOp::create(builder_, location, type, ops, llvm::ArrayRef<int64_t>(),
                                                /*is_inverted=*/false,
                                                /*is_all=*/true)
        .getResult();
  }

private:
  mlir::Value match(mlir::Location location, mlir::Type type, llvm::StringRef names) {
    llvm::SmallVector<llvm::StringRef> ops;
    names.split(ops, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (llvm::StringRef &op : ops)
      op = op.trim();
    return mlir::transform::MatchOp::create(builder_, location, type, root_, builder_.getStrArrayAttr(ops),
                                            /*interface=*/nullptr,
                                            /*op_attrs=*/nullptr, /*filter_result_type=*/mlir::TypeAttr(),
                                            /*filter_operand_types=*/mlir::ArrayAttr());
  }

  llvm::Expected<mlir::Value> constant(mlir::Location location, mlir::Type type, llvm::StringRef text) {
    auto param = llvm::dyn_cast<mlir::transform::ParamType>(type);
    mlir::Attribute value;
    {
      DiagnosticCapture quiet(*builder_.getContext());
      value = mlir::parseAttribute(text, builder_.getContext(), param ? param.getType() : mlir::Type());
    }
    if (!value)
      return fail("'" + text.str() + "' is no attribute");
    auto typed = llvm::dyn_cast<mlir::TypedAttr>(value);
    if (param && (!typed || typed.getType() != param.getType()))
      return fail("'" + text.str() + "' is none of the type that it is to be a parameter of");
    return mlir::transform::ParamConstantOp::create(builder_, location, type, value).getResult();
  }

  mlir::OpBuilder builder_;
  mlir::Value root_;
};

/// The ops that a handle of this type can only be to; empty: any.
std::string opOfType(mlir::Type type) {
  auto operation = llvm::dyn_cast<mlir::transform::OperationType>(type);
  return operation ? operation.getOperationName().str() : "";
}

/// The entry without its arguments after the first, which nothing uses any more.
void dropArguments(TransformOpInterface entry) {
  mlir::Block &block = entry->getRegion(0).front();
  llvm::BitVector dropped(block.getNumArguments(), true);
  dropped.reset(0);
  if (auto named = llvm::dyn_cast<NamedSequenceOp>(entry.getOperation()))
    (void)named.eraseArguments(dropped);
  else
    block.eraseArguments(dropped);
}

} // namespace

llvm::Error bindArguments(TransformOpInterface entry, mlir::ModuleOp script, llvm::StringRef path,
                          llvm::DenseMap<mlir::Value, std::string> &valueNames,
                          const std::map<std::string, std::string> &given) {
  mlir::Block &block = entry->getRegion(0).front();
  std::vector<std::string> names;
  for (mlir::BlockArgument argument : block.getArguments().drop_front())
    names.push_back(llvm::StringRef(valueNames.lookup(argument)).ltrim('%').str());
  auto named = llvm::dyn_cast<NamedSequenceOp>(entry.getOperation());
  std::string whose = named ? "@" + named.getSymName().str() : "the transform.sequence";
  for (const auto &[name, value] : given)
    if (!llvm::is_contained(names, name))
      return fail("'" + path.str() + "': " + whose + " has no argument %" + name + " after the payload's module" +
                  (names.empty() ? "" : "; it has %" + llvm::join(names, ", %")));
  if (names.empty())
    return llvm::Error::success();
  if (named && Entries(script).referredTo.contains(named.getSymName()))
    return fail("'" + path.str() + "': " + whose +
                " takes arguments beside the payload's module and is included elsewhere, so that "
                "it cannot be the entry as well");
  ArgumentBinder binder(block);
  for (auto [argument, name] : llvm::zip_equal(block.getArguments().drop_front(), names)) {
    auto wish = given.find(name);
    std::string text = wish != given.end() ? wish->second : opOfType(argument.getType());
    std::string spelt = "%" + name + " of " + whose;
    SourcePosition place = positionOf(argument.getLoc());
    auto failAt = [&](std::string sentence, std::string message) {
      return fail("'" + path.str() + "': " + sentence,
                  {{.message = std::move(message), .file = place.file, .line = place.line, .column = place.column}});
    };
    bool isParam = llvm::isa<mlir::transform::TransformParamTypeInterface>(argument.getType());
    if (text.empty())
      return failAt("nothing says what " + spelt + " is",
                    "say it by --arg " + name +
                        (isParam ? "=NUMBER" : "=OP, the name of the ops to transform, such as linalg.matmul"));
    auto value = binder.bind(argument, text);
    if (!value)
      return failAt("what is given for " + spelt + " does not fit", takeFailure(value.takeError()).message);
    valueNames[*value] = valueNames.lookup(argument);
    argument.replaceAllUsesWith(*value);
  }
  for (mlir::BlockArgument argument : block.getArguments().drop_front())
    valueNames.erase(argument);
  dropArguments(entry);
  return llvm::Error::success();
}

} // namespace fuselage
