// Ops whose operands follow no rule: a template each. $T is an element type; @4 is 4, or ? where
// shapes are dynamic.
#include "tests/fuzz/ValidModules.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace fuselage::fuzz {

namespace {
/// A function's arguments, body and results, each result "name type".
struct Template {
  StringRef name; ///< the op, and what is special
  std::vector<StringRef> arguments;
  StringRef body;
  std::vector<StringRef> results, resultTypes;
};
} // namespace

static const std::vector<Template> &templates() {
  static const std::vector<Template> all = {
#include "tests/fuzz/ModuleTemplates.inc"
  };
  return all;
}

static std::string filledIn(StringRef text, StringRef type, const ModuleForm &form) {
  std::string filled;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("$T")) {
      filled += type.str();
      ++i;
    } else if (text[i] == '@') {
      size_t digits = text.substr(i + 1).find_first_not_of("0123456789");
      bool isSize = digits != 0 && i + 1 < text.size();
      if (!isSize) {
        filled += text[i];
        continue;
      }
      filled += form.shapes == ModuleForm::Shapes::Static ? text.substr(i + 1, digits).str() : "?";
      i += std::min(digits, text.size());
    } else {
      filled += text[i];
    }
  }
  return filled;
}

static std::vector<std::string> filledIn(llvm::ArrayRef<StringRef> texts, StringRef type, const ModuleForm &form) {
  std::vector<std::string> filled;
  for (StringRef text : texts)
    filled.push_back(filledIn(text, type, form));
  return filled;
}

/// Upstream's parsers of these two die on types that their bodies cannot be made of.
static bool diesInParser(StringRef name, StringRef type) {
  bool isFloat = type.starts_with("f") || type.starts_with("bf") || type.starts_with("tf");
  if (name == "linalg.elementwise exp")
    return !isFloat;
  return (name == "linalg.contract" || name == "linalg.elementwise add" || name.starts_with("linalg.matmul")) &&
         (type == "index" || type.starts_with("vector"));
}

void addTemplateModules(mlir::MLIRContext &context, std::vector<ValidModule> &modules) {
  for (const Template &each : templates())
    for (StringRef type : elementTypes())
      for (const ModuleForm &form : allForms()) {
        if (diesInParser(each.name, type))
          continue;
        std::string text = functionText(filledIn(each.arguments, type, form), filledIn(each.body, type, form),
                                        std::vector<std::string>(each.results.begin(), each.results.end()),
                                        filledIn(each.resultTypes, type, form), form);
        bool hasType = text.find(type.str()) != std::string::npos;
        if (hasType || type == "f32")
          addIfValid(context, modules, each.name.str() + " " + type.str() + " " + nameOf(form), text);
      }
}

} // namespace fuselage::fuzz
