#include "core/stepping/dumps/DumpHeader.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using llvm::StringRef;

namespace fuselage {
namespace {

/// Characters that only decorate.
constexpr StringRef kMarks = "/-*;#=: \t";

/// Whether what stands before the phrase ends in marks: "-----// ", "*** ", "// ", "; ".
bool endsInMarks(StringRef prefix) {
  prefix = prefix.rtrim(" \t");
  return prefix.ends_with("//") || prefix.ends_with("***") || prefix.ends_with("---") || prefix.ends_with("===") ||
         prefix.ends_with("-----") || prefix.ends_with(";") || prefix.ends_with("#");
}

/// Takes a last parenthesis off, "(cse)" of "CSE (cse)"; empty if the text ends in none. Brackets
/// inside are skipped: the pass may be a template's instance.
StringRef takeLastParenthesis(StringRef &text) {
  text = text.rtrim();
  if (!text.ends_with(")"))
    return {};
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    depth += text[i] == ')';
    depth -= text[i] == '(';
    if (depth != 0)
      continue;
    StringRef inside = text.slice(i + 1, text.size() - 1);
    text = text.take_front(i).rtrim();
    return inside;
  }
  return {};
}

/// Takes the options off an argument, "{max-iterations=10}" of "canonicalize{max-iterations=10}".
StringRef takeOptions(StringRef &text) {
  StringRef rest = text.rtrim();
  if (!rest.ends_with("}"))
    return {};
  int depth = 0;
  for (size_t i = rest.size(); i-- > 0;) {
    depth += rest[i] == '}';
    depth -= rest[i] == '{';
    if (depth != 0)
      continue;
    text = rest.take_front(i);
    return rest.slice(i + 1, rest.size() - 1).trim();
  }
  return {};
}

/// "'func.func' operation: @main" of module-scope dumps.
bool parseOperation(StringRef text, DumpHeader &header) {
  if (!text.consume_front("'"))
    return false;
  size_t quote = text.find('\'');
  if (quote == StringRef::npos || !text.substr(quote + 1).ltrim().starts_with("operation"))
    return false;
  header.op = text.take_front(quote);
  StringRef symbol = text.split('@').second.trim();
  if (symbol.size() > 1 && symbol.front() == '"' && symbol.back() == '"')
    symbol = symbol.drop_front().drop_back();
  header.symbol = symbol;
  return true;
}

bool isArgument(StringRef text) {
  return !text.empty() &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_' || c == '.'; });
}

/// "Canonicalizer" of "mlir::(anonymous namespace)::Canonicalizer"; template arguments stay.
StringRef withoutNamespaces(StringRef name) {
  StringRef outer = name.take_front(name.find('<'));
  size_t colons = outer.rfind("::");
  return colons == StringRef::npos ? name : name.substr(colons + 2);
}

/// Takes `word` off the end, whatever its case.
bool consumeLastWord(StringRef &text, StringRef word) {
  text = text.rtrim();
  if (!text.ends_with_insensitive(word))
    return false;
  StringRef rest = text.drop_back(word.size());
  if (!rest.empty() && !llvm::isSpace(rest.back()))
    return false;
  text = rest.rtrim();
  return true;
}

bool consumeWord(StringRef &text, StringRef word) {
  StringRef rest = text;
  if (!rest.consume_front_insensitive(word) || (!rest.empty() && !llvm::isSpace(rest.front()) && rest.front() != ':'))
    return false;
  text = rest.ltrim(" \t:");
  return true;
}

/// What stands between "Before"/"After" and the trailing marks.
void parsePass(StringRef text, DumpHeader &header) {
  if (text.consume_back("omitted because no change"))
    header.omitted = true;
  // From the right: the operation, the argument; " Failed" stands on either side of the argument.
  StringRef rest = text;
  if (StringRef group = takeLastParenthesis(rest); !group.empty() && parseOperation(group, header))
    text = rest;
  header.failed = consumeLastWord(text, "failed");
  header.options = takeOptions(text);
  rest = text;
  if (StringRef group = takeLastParenthesis(rest); isArgument(group)) {
    header.argument = group;
    text = rest;
  }
  header.failed |= consumeLastWord(text, "failed");
  // LLVM's new pass manager: "SimplifyCFGPass on main" or "on [module]".
  if (size_t on = text.rfind(" on "); on != StringRef::npos && header.argument.empty()) {
    header.symbol = text.substr(on + 4).trim();
    if (header.symbol == "[module]")
      header.symbol = {};
    text = text.take_front(on);
  }
  if (size_t colon = text.rfind(": ");
      header.argument.empty() && colon != StringRef::npos && isArgument(text.substr(colon + 2).trim())) {
    header.argument = text.substr(colon + 2).trim();
    text = text.take_front(colon);
    header.failed |= consumeLastWord(text, "failed");
  }
  header.pass = withoutNamespaces(text.trim());
  if (header.pass.empty())
    header.pass = header.argument;
}

} // namespace

std::optional<DumpHeader> parseDumpHeader(StringRef line) {
  size_t phrase = line.find(kDumpPhrase);
  if (phrase == StringRef::npos || !endsInMarks(line.take_front(phrase)))
    return std::nullopt;
  StringRef text = line.substr(phrase + kDumpPhrase.size()).trim();
  text = text.rtrim(kMarks).ltrim(" \t");
  DumpHeader header;
  if (consumeWord(text, "end")) {
    header.ends = true;
    return header;
  }
  consumeWord(text, "begin");
  if (consumeWord(text, "before"))
    header.side = DumpHeader::Side::Before;
  else if (!consumeWord(text, "after"))
    return std::nullopt;
  parsePass(text, header);
  if (header.pass.empty())
    return std::nullopt;
  return header;
}

bool isDumpLog(StringRef text) {
  const char *end = text.data() + text.size();
  for (const char *at = text.data(); at < end;) {
    at = static_cast<const char *>(memmem(at, end - at, kDumpPhrase.data(), kDumpPhrase.size()));
    if (!at)
      return false;
    // Headers are short; the marks before the phrase even more so.
    StringRef before(text.data(), at - text.data());
    StringRef prefix = before.substr(before.rfind('\n') + 1);
    StringRef line =
        StringRef(prefix.data(), end - prefix.data()).take_until([](char c) { return c == '\n' || c == '\r'; });
    if (prefix.size() < 32 && prefix.trim(kMarks).empty() && parseDumpHeader(line))
      return true;
    at += kDumpPhrase.size();
  }
  return false;
}

} // namespace fuselage
