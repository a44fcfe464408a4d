#include "core/schedules/report/FormPages.h"
#include "core/schedules/normalize/Requirements.h"
#include "core/schedules/report/FormPageTexts.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {

/// "- `a`\n- `b`\n", or "none" in words.
static std::string listOf(const std::vector<std::string> &names, llvm::StringRef none) {
  return names.empty() ? none.str() + "\n" : "- `" + llvm::join(names, "`\n- `") + "`\n";
}

static std::vector<std::string> impliedBy(const NormalForm &form) {
  std::vector<std::string> names;
  for (const NormalForm *implied : form.implies)
    names.push_back(implied->name);
  return names;
}

/// The transforms whose rule has the form there.
static std::vector<std::string> transformsThat(llvm::function_ref<bool(const FormRule &rule)> have) {
  std::vector<std::string> names;
  for (const FormRule &rule : formRules())
    if (have(rule))
      names.push_back(rule.op.str());
  return names;
}

std::string formPage(const NormalForm &form) {
  std::string page = formPageText(form.name).str();
  page += "\n## Implies\n\n" + listOf(impliedBy(form), "No other form.");
  page += "\n## Expected by\n\n" +
          listOf(transformsThat([&](const FormRule &rule) {
                   return llvm::is_contained(rule.required, llvm::StringRef(form.name));
                 }),
                 "No transform of MLIR's. A named sequence says that it is by `fuselage.requires`.");
  auto leaves =
      transformsThat([&](const FormRule &rule) { return llvm::is_contained(rule.leaves, llvm::StringRef(form.name)); });
  if (!leaves.empty())
    page += "\n## Left by\n\n" + listOf(leaves, "");
  auto keeps =
      transformsThat([&](const FormRule &rule) { return llvm::is_contained(rule.keeps, llvm::StringRef(form.name)); });
  if (!keeps.empty())
    page += "\n## Kept by\n\n" + listOf(keeps, "");
  page += "\n## Normalizer\n\n";
  if (form.normalizers.empty())
    page += "None is needed.\n";
  for (const Normalizer &normalizer : form.normalizers)
    page += "```mlir\n" + normalizer.text + "```\n";
  if (form.normalizers.size() > 1)
    page += "\nThe second is for what the first leaves.\n";
  return page;
}

message::FormHelps<> formHelps() {
  message::FormHelps<> helps;
  for (const NormalForm &form : normalForms())
    helps.forms.push_back(
        {.form = form.name, .summary = form.summary, .implies = impliedBy(form), .page = formPage(form)});
  return helps;
}

} // namespace fuselage
