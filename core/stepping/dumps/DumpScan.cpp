#include "core/stepping/dumps/DumpScan.h"
#include "core/support/NameChars.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <cstring>

using llvm::StringRef;

namespace fuselage {

uint32_t DumpNames::numberOf(StringRef name) {
  if (name.empty())
    return 0;
  auto [entry, isNew] = numbers_.try_emplace(name, uint32_t(names_.size()));
  if (isNew)
    names_.push_back(entry->getKey());
  return entry->second;
}

namespace {

/// Takes the line that starts at `at`, without its line end.
StringRef lineAt(StringRef text, size_t at) {
  const void *newline = std::memchr(text.data() + at, '\n', text.size() - at);
  size_t end = newline ? static_cast<const char *>(newline) - text.data() : text.size();
  return text.slice(at, end);
}

/// The name of the op that a statement begins with, results skipped; empty if it begins with none.
/// Bare names count where the printer elides a dialect (`return` in a function) or an old one had
/// none (`addf` with a result).
StringRef opNameOf(StringRef statement) {
  bool hasResult = statement.starts_with("%");
  if (hasResult) {
    size_t equals = statement.find(" = ");
    if (equals == StringRef::npos)
      return {};
    statement = statement.substr(equals + 3);
  }
  if (statement.consume_front("\""))
    return statement.take_front(statement.find('"'));
  StringRef name = statement.take_while(isNameChar);
  if (name.empty() || !llvm::isAlpha(name.front()))
    return {};
  StringRef rest = statement.drop_front(name.size());
  bool ends = rest.empty() || rest.front() == ' ' || rest.front() == '(' || rest.front() == '\r';
  if (name.contains('.'))
    return ends || rest.front() == '<' || rest.front() == '{' || rest.front() == '@' ? name : StringRef();
  if (hasResult)
    return ends ? name : StringRef();
  for (StringRef bare : {"return", "call", "module", "func"})
    if (name == bare && ends)
      return name;
  return {};
}

/// The elided or former name of ops that are printed without a dialect.
StringRef wholeName(StringRef name) {
  if (name == "module")
    return "builtin.module";
  if (name == "func" || name == "return" || name == "call")
    return name == "func" ? "func.func" : name == "return" ? "func.return" : "func.call";
  return name;
}

/// "main" of `func.func private @main(...) {` or of a generic op's `sym_name = "main"`.
StringRef symbolOf(StringRef line) {
  size_t at = line.find('@');
  // The symbol of an op comes before its operands, body and attributes.
  size_t stop = line.find_first_of("({<");
  StringRef name;
  if (at != StringRef::npos && at < stop) {
    name = line.substr(at + 1);
  } else if (size_t generic = line.find("sym_name = "); generic != StringRef::npos) {
    name = line.substr(generic + strlen("sym_name = "));
  } else {
    return {};
  }
  if (name.consume_front("\""))
    return name.take_front(name.find('"'));
  return name.take_while(isNameChar);
}

/// `#map = ...`, `!type = ...`: a definition at the top of a text.
bool isAliasLine(StringRef line) {
  if (!line.starts_with("#") && !line.starts_with("!"))
    return false;
  StringRef rest = line.drop_front().drop_while(isNameChar);
  return rest.size() + 1 < line.size() && rest.starts_with(" = ");
}

/// How many more brackets a line opens than it closes; strings do not count.
int openBrackets(StringRef line) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString)
      depth += (c == '{' || c == '(' || c == '[') - (c == '}' || c == ')' || c == ']');
  }
  return depth;
}

/// Lines that tools print between header and IR: diagnostics and their excerpts.
bool looksLikeMessage(StringRef line) {
  for (StringRef mark : {": error: ", ": warning: ", ": remark: ", ": note: "})
    if (line.contains(mark))
      return true;
  return line.starts_with("===") || line.starts_with("[");
}

bool beginsIr(StringRef line) { return isAliasLine(line) || line.starts_with("{-#") || !opNameOf(line).empty(); }

class DumpScanner {
public:
  DumpScanner(StringRef body, DumpNames &names) : body_(body), names_(names) {}

  DumpShape scan() {
    skipToIr();
    shape_.ir.begin = shape_.ir.end = at_;
    shape_.ir.firstLine = line_;
    const uint32_t first = line_;
    // `end` and `endLine`: after the last line that belongs to the IR.
    uint32_t endLine = line_;
    for (State state = State::Top; at_ < body_.size();) {
      StringRef line = lineAt(body_, at_);
      state = visit(line.rtrim('\r'), state);
      if (state == State::Done)
        break;
      bool blank = line.trim().empty();
      at_ = std::min(body_.size(), at_ + line.size() + 1);
      ++line_;
      if (!blank) {
        shape_.ir.end = at_;
        endLine = line_;
      }
    }
    shape_.ir.lines = endLine - first;
    finish();
    return std::move(shape_);
  }

private:
  /// Before the top op; inside of it; after its end; inside of the resources; not MLIR at all; over.
  enum class State { Top, Inside, After, Resources, Opaque, Done };

  void skipToIr() {
    constexpr unsigned maxSkipped = 1000;
    size_t start = at_;
    uint32_t startLine = line_;
    bool skipping = false;
    for (unsigned skipped = 0; at_ < body_.size() && skipped < maxSkipped; ++skipped) {
      StringRef line = lineAt(body_, at_);
      StringRef text = line.trim();
      if (!text.empty()) {
        if (!skipping) {
          start = at_;
          startLine = line_;
        }
        skipping |= looksLikeMessage(line);
        if (!skipping || (beginsIr(line) && !looksLikeMessage(line)))
          return;
      }
      at_ += line.size() + 1;
      ++line_;
    }
    at_ = std::min(start, body_.size());
    line_ = startLine;
  }

  State visit(StringRef line, State state) {
    switch (state) {
    case State::Top:
      return visitTop(line);
    case State::Inside:
      if (line.starts_with("}"))
        return openBrackets(line) > 0 ? State::Inside : State::After; // "}, {" goes on
      visitNested(line);
      return State::Inside;
    case State::After:
      if (line.starts_with("{-#"))
        return State::Resources;
      return line.trim().empty() || isAliasLine(line) ? State::After : State::Done;
    case State::Resources:
      return line.starts_with("#-}") ? State::After : State::Resources;
    case State::Opaque:
    case State::Done:
      return state;
    }
    return state;
  }

  State visitTop(StringRef line) {
    if (line.trim().empty() || isAliasLine(line) || line.starts_with("//"))
      return State::Top;
    StringRef name = opNameOf(line);
    if (name.empty())
      return State::Opaque;
    StringRef whole = wholeName(name);
    shape_.op = names_.numberOf(whole);
    shape_.symbol = names_.numberOf(symbolOf(line));
    shape_.isModule = whole == "builtin.module";
    count(whole);
    return openBrackets(line) > 0 ? State::Inside : State::After;
  }

  void visitNested(StringRef line) {
    size_t indent = line.find_first_not_of(' ');
    if (indent == StringRef::npos)
      return;
    StringRef statement = line.drop_front(indent);
    if (statement.front() == '^' || statement.front() == '}' || statement.front() == '/')
      return;
    StringRef name = opNameOf(statement);
    if (name.empty())
      return;
    StringRef whole = wholeName(name);
    uint32_t op = count(whole);
    if (!line.ends_with("{") || statement.front() == '%')
      return;
    if (StringRef symbol = symbolOf(statement); !symbol.empty())
      shape_.symbols.push_back({.op = op,
                                .symbol = names_.numberOf(symbol),
                                .begin = uint32_t(at_ - shape_.ir.begin),
                                .line = line_ - shape_.ir.firstLine,
                                .indent = uint32_t(indent)});
  }

  uint32_t count(StringRef name) {
    uint32_t op = names_.numberOf(name);
    if (op >= counts_.size())
      counts_.resize(op + 64);
    if (counts_[op]++ == 0)
      counted_.push_back(op);
    return op;
  }

  void finish() {
    llvm::sort(counted_);
    for (uint32_t op : counted_)
      shape_.opCounts.push_back({op, counts_[op]});
    shape_.hash = llvm::xxh3_64bits(body_.slice(shape_.ir.begin, shape_.ir.end));
  }

  StringRef body_;
  DumpNames &names_;
  DumpShape shape_;
  size_t at_ = 0;
  uint32_t line_ = 0; // from 0 within the body
  std::vector<uint32_t> counts_, counted_;
};

} // namespace

DumpShape scanDump(StringRef body, DumpNames &names) { return DumpScanner(body, names).scan(); }

} // namespace fuselage
