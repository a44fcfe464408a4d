#include "core/schedules/forms/FormSet.h"
#include "core/ir/module/Diagnostics.h"
#include "core/schedules/forms/Forbidden.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {
namespace {

using mlir::transform::NamedSequenceOp;

constexpr llvm::StringLiteral kAttribute = "fuselage.form";

/// The Failure that a declaration is wrong.
llvm::Error wrong(NamedSequenceOp sequence, const std::string &what) {
  SourcePosition at = positionOf(sequence.getLoc());
  std::string message = "the normal form of @" + sequence.getSymName().str() + " " + what;
  return fail(message, {{.message = message, .file = at.file, .line = at.line, .column = at.column}});
}

/// A declaration, before the forms that it implies are known.
struct Declaration {
  NamedSequenceOp sequence;
  NormalForm form;
  std::vector<std::string> implies;
};

class Reader {
public:
  Reader(std::shared_ptr<const mlir::OwningOpRef<mlir::ModuleOp>> library) : library_(std::move(library)) {}

  llvm::Expected<std::deque<NormalForm>> read() {
    for (auto sequence : mlir::ModuleOp(**library_).getOps<NamedSequenceOp>())
      if (sequence->hasAttr(kAttribute))
        if (llvm::Error error = readDeclaration(sequence))
          return error;
    // A form stands after those that it implies.
    while (!left_.empty()) {
      auto ready = llvm::find_if(left_, [&](const Declaration &declaration) {
        return llvm::all_of(declaration.implies, [&](const std::string &name) { return find(name); });
      });
      if (ready == left_.end())
        return wrong(left_.front().sequence,
                     "implies forms that there are not, or that imply it: " + llvm::join(left_.front().implies, ", "));
      for (const std::string &name : ready->implies)
        ready->form.implies.push_back(find(name));
      forms_.push_back(std::move(ready->form));
      left_.erase(ready);
    }
    return std::move(forms_);
  }

private:
  const NormalForm *find(llvm::StringRef name) const {
    for (const NormalForm &form : forms_)
      if (form.name == name)
        return &form;
    return findForm(name);
  }

  llvm::Error readDeclaration(NamedSequenceOp sequence) {
    auto fields = sequence->getAttrOfType<mlir::DictionaryAttr>(kAttribute);
    if (!fields)
      return wrong(sequence, "is no dictionary {name = \"...\", forbids = [...]}");
    for (mlir::NamedAttribute field : fields)
      if (!llvm::is_contained({"name", "summary", "forbids", "implies"}, field.getName().getValue()))
        return wrong(sequence,
                     "has no '" + field.getName().getValue().str() + "'; there are name, summary, forbids and implies");
    Declaration declaration{.sequence = sequence, .form = {}, .implies = {}};
    NormalForm &form = declaration.form;
    if (auto name = fields.getAs<mlir::StringAttr>("name"))
      form.name = name.str();
    auto isSame = [&](const Declaration &other) { return other.form.name == form.name; };
    if (form.name.empty() || findForm(form.name) || llvm::any_of(left_, isSame))
      return wrong(sequence, "needs a name of its own");
    if (sequence.getArgumentTypes().size() != 1 || !sequence.getArgAttr(0, "transform.readonly"))
      return wrong(sequence, "needs a normalizer of one argument, a handle to functions that is transform.readonly");
    auto summary = fields.getAs<mlir::StringAttr>("summary");
    form.summary = summary ? summary.str() : "Declared by @" + sequence.getSymName().str() + ".";
    auto implied = fields.getAs<mlir::ArrayAttr>("implies");
    for (mlir::Attribute each : implied ? implied.getValue() : llvm::ArrayRef<mlir::Attribute>())
      declaration.implies.push_back(mlir::isa<mlir::StringAttr>(each) ? mlir::cast<mlir::StringAttr>(each).str() : "");
    if (declaration.implies.empty())
      declaration.implies.push_back("AnyForm");
    auto forbids = fields.getAs<mlir::ArrayAttr>("forbids");
    if (!forbids)
      return wrong(sequence, "says not what it forbids: [\"linalg.fill\", @matcher]");
    auto forbidden = Forbidden::read(forbids, library_);
    if (!forbidden)
      return wrong(sequence, takeFailure(forbidden.takeError()).message);
    form.check = [what = std::move(*forbidden)](mlir::FunctionOpInterface function, std::vector<FormBreach> &breaches) {
      what.check(function, breaches);
    };
    if (!sequence.isExternal() && !sequence.getBody().front().without_terminator().empty())
      form.normalizers.push_back({.name = sequence.getSymName().str(), .text = {}});
    form.library = library_;
    left_.push_back(std::move(declaration));
    return llvm::Error::success();
  }

  std::shared_ptr<const mlir::OwningOpRef<mlir::ModuleOp>> library_;
  std::vector<Declaration> left_;
  std::deque<NormalForm> forms_;
};

} // namespace

llvm::Expected<FormSet> FormSet::declaredIn(mlir::ModuleOp module) {
  FormSet set;
  auto sequences = module.getOps<NamedSequenceOp>();
  if (llvm::none_of(sequences, [](NamedSequenceOp sequence) { return sequence->hasAttr(kAttribute); }))
    return set;
  auto forms = Reader(std::make_shared<const mlir::OwningOpRef<mlir::ModuleOp>>(module.clone())).read();
  if (!forms)
    return forms.takeError();
  set.declared_ = std::make_shared<const std::deque<NormalForm>>(std::move(*forms));
  return set;
}

std::vector<const NormalForm *> FormSet::all() const {
  std::vector<const NormalForm *> forms;
  for (const NormalForm &form : normalForms())
    forms.push_back(&form);
  for (const NormalForm &form : *declared_)
    forms.push_back(&form);
  return forms;
}

const NormalForm *FormSet::find(llvm::StringRef name) const {
  for (const NormalForm &form : *declared_)
    if (form.name == name)
      return &form;
  return findForm(name);
}

std::string FormSet::names() const {
  std::vector<std::string> names;
  for (const NormalForm *form : all())
    names.push_back(form->name);
  return llvm::join(names, ", ");
}

} // namespace fuselage
