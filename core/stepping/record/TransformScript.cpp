#include "core/stepping/record/TransformScript.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage {

constexpr llvm::StringLiteral modulePrefix = "builtin.module(", functionPrefix = "func.func(";

/// Takes `prefix` and its closing bracket off.
static bool consumeAnchor(llvm::StringRef &text, llvm::StringRef prefix) {
  if (!text.starts_with(prefix) || !text.ends_with(")"))
    return false;
  text = text.drop_front(prefix.size()).drop_back();
  return true;
}

/// {"a" = "1", "b" = "x"} of "a=1 b=x". Failure: an option in braces.
static llvm::Expected<std::string> optionDictionary(llvm::StringRef options, llvm::StringRef pipeline) {
  std::string text;
  while (!(options = options.ltrim()).empty()) {
    auto [option, rest] = options.split(' ');
    auto [name, value] = option.split('=');
    if (option.find_first_of("{}\"'") != llvm::StringRef::npos)
      return fail("the options of '" + pipeline.str() + "' cannot be written in a transform script; save a pipeline");
    text += (text.empty() ? "\"" : ", \"") + name.str() + "\" = \"" + (value.empty() ? "true" : value.str()) + "\"";
    options = rest;
  }
  return "{" + text + "}";
}

llvm::Expected<std::string> transformScript(llvm::ArrayRef<std::string> pipelines) {
  std::string body, module = "%module";
  llvm::raw_string_ostream os(body);
  bool isConsumed = false;
  for (auto [index, pipeline] : llvm::enumerate(pipelines)) {
    llvm::StringRef pass = llvm::StringRef(pipeline).trim();
    if (!consumeAnchor(pass, modulePrefix))
      return fail("'" + pipeline + "' does not run on a module");
    bool onFunctions = consumeAnchor(pass, functionPrefix);
    auto [name, braced] = pass.split('{');
    bool hasOptions = pass.size() > name.size();
    if (name.empty() || name.find_first_of("(,") != llvm::StringRef::npos ||
        (hasOptions && (!braced.ends_with("}") || braced.contains("},"))))
      return fail("'" + pipeline + "' is more than one pass on modules or functions; save a pipeline");
    braced.consume_back("}");
    llvm::Expected<std::string> options = optionDictionary(braced, pipeline);
    if (!options)
      return options.takeError();
    std::string target = module;
    if (onFunctions) {
      target = "%functions" + std::to_string(index);
      os << "    " << target << " = transform.structured.match ops{[\"func.func\"]} in " << module
         << " : (!transform.any_op) -> !transform.any_op\n";
    } else {
      isConsumed = true;
    }
    std::string result = (onFunctions ? "%done" : "%module") + std::to_string(index);
    os << "    " << result << " = transform.apply_registered_pass \"" << name << "\"";
    if (*options != "{}")
      os << " with options = " << *options;
    os << " to " << target << " : (!transform.any_op) -> !transform.any_op\n";
    if (!onFunctions)
      module = result;
  }
  std::string text = "module attributes {transform.with_named_sequence} {\n  transform.named_sequence "
                     "@__transform_main(%module: !transform.any_op {transform.";
  text += isConsumed ? "consumed" : "readonly";
  return text + "}) {\n" + body + "    transform.yield\n  }\n}\n";
}

std::string joinPipelines(llvm::ArrayRef<std::string> pipelines) {
  std::string text;
  bool inFunctions = false;
  for (const std::string &pipeline : pipelines) {
    llvm::StringRef pass = pipeline;
    if (!consumeAnchor(pass, modulePrefix))
      continue;
    bool onFunctions = consumeAnchor(pass, functionPrefix);
    if (inFunctions && onFunctions) {
      text.back() = ',';
      text += pass.str() + ")";
    } else {
      text += text.empty() ? "" : ",";
      text += onFunctions ? (functionPrefix + pass + ")").str() : pass.str();
    }
    inFunctions = onFunctions;
  }
  return (modulePrefix + text + ")").str();
}

} // namespace fuselage
