#include "core/stepping/pipeline/PipelineParts.h"

using llvm::StringRef;

namespace fuselage {

static constexpr llvm::StringLiteral toolPrefix = "tool(";

/// Where the parenthesis closes that is open at the start, as a shell reads quotes; npos: nowhere.
static size_t endOfTool(StringRef text) {
  char quote = 0;
  int depth = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && quote != '\'')
      ++i;
    else if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    else if (c == '(')
      ++depth;
    else if (c == ')' && --depth == 0)
      return i;
  }
  return StringRef::npos;
}

/// Where an element of passes ends: at a comma in no brackets, or at the end.
static size_t endOfPasses(StringRef text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (StringRef("([{").contains(text[i]))
      ++depth;
    else if (StringRef(")]}").contains(text[i]))
      --depth;
    else if (text[i] == ',' && depth <= 0)
      return i;
  }
  return text.size();
}

llvm::Expected<std::vector<PipelinePart>> splitPipeline(StringRef pipeline) {
  using Kind = PipelinePart::Kind;
  std::vector<PipelinePart> parts;
  bool isPlain = true;
  StringRef rest = pipeline;
  while (!rest.trim().empty()) {
    rest = rest.ltrim();
    if (rest.consume_front(toolPrefix)) {
      size_t end = endOfTool(rest);
      if (end == StringRef::npos)
        return fail("the parenthesis of 'tool(" + rest.take_front(60).str() +
                    "' does not close; quote one that is part of the command");
      parts.push_back({.kind = Kind::Tool, .text = rest.take_front(end).trim().str()});
      rest = rest.drop_front(end + 1).ltrim();
      if (!rest.empty() && !rest.starts_with(","))
        return fail("after 'tool(...)' there is '" + rest.take_front(20).str() + "' instead of a comma");
      isPlain = false;
    } else {
      size_t end = endOfPasses(rest);
      StringRef element = rest.take_front(end);
      bool isDefault = element.trim() == "default";
      isPlain &= !isDefault;
      if (isDefault)
        parts.push_back({.kind = Kind::Default});
      else if (!parts.empty() && parts.back().kind == Kind::Passes)
        parts.back().text += "," + element.str();
      else
        parts.push_back({.kind = Kind::Passes, .text = element.str()});
      rest = rest.drop_front(end);
    }
    if (rest.consume_front(",") && rest.trim().empty() && !isPlain)
      return fail("the pipeline ends in a comma");
  }
  if (isPlain) // letter by letter: places in complaints are the user's
    return std::vector<PipelinePart>{{.kind = Kind::Passes, .text = pipeline.str()}};
  return parts;
}

std::string toolElement(StringRef command) { return (toolPrefix + command + ")").str(); }

std::string toolCommandOf(StringRef pipeline) {
  return pipeline.consume_front(toolPrefix) && pipeline.ends_with(")") ? pipeline.drop_back().str() : "";
}

} // namespace fuselage
