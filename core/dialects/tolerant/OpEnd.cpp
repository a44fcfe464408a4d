// Where an op ends. MLIR's assembly has no terminators: only an op's own parser knows. The guess is
// that an op ends where something stands that looks like the start of the next statement:
//   - `}` of the region around, the end of the text, or `loc(`;
//   - a block label `^name(...):`, a result list `%a, %b:2 =`, `"dialect.op"(`, an alias definition;
//   - a word with a dot at the start of a line (`other.op ...`);
//   - a bare word at the start of a line that is known as an op without its dialect (`return`), or that
//     stands no further to the right than this op and is followed by a value or symbol (`foo %a`);
//   - on the same line a word with a dot whose dialect is loaded (`... : f32 linalg.yield %0`).
// None of these ends an op inside of brackets, after `,` `:` `->` `=>` `=`, or as the first thing
// after its name on the same line (`x.for %i = ...`, `torch.operator "name"(...)`).
#include "core/dialects/tolerant/OpReader.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace fuselage {

/// Ops that are written without their dialect: where a function is the default dialect, or before 2022.
static bool isBareOp(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"return", "func", "module", "call", "call_indirect", "br", "cond_br", "yield"}, true)
      .Default(false);
}

/// Whether `^name:` or `^name(...):` starts at `c`.
static bool startsBlockLabel(const char *c) {
  c = skipSpace(endOfName(c));
  if (*c == '(') {
    c = endOfBracket(c);
    if (!c)
      return false;
    c = skipSpace(c);
  }
  return *c == ':';
}

/// Whether the tokens so far may be all there is.
bool OpReader::isCompleteBefore() const {
  switch (last_) {
  case Last::Comma:
  case Last::Arrow:
  case Last::FatArrow:
  case Last::Colon:
  case Last::Equal:
    return false;
  default:
    return true;
  }
}

bool OpReader::startsNextOp(const char *c, bool isNewLine) const {
  if (!isCompleteBefore())
    return false;
  bool isAfterKeyword = last_ == Last::Keyword || last_ == Last::Name || last_ == Last::Other;
  if (!isNewLine && isAfterKeyword)
    return false;
  if (*c == '^')
    return startsBlockLabel(c);
  if (*c == '%')
    return startsResultList(c);
  if (*c == '"') {
    const char *end = endOfString(c);
    return *end == '(' && StringRef(c, end - c).contains('.');
  }
  if (*c == '#' || *c == '!') {
    const char *end = skipSpace(endOfName(c));
    return isNewLine && *end == '=' && end[1] != '=';
  }
  StringRef word = wordAt(c);
  if (word.empty())
    return false;
  size_t dot = word.find('.');
  const char *next = skipSpace(word.end());
  if (dot == StringRef::npos) {
    if (isBareOp(word) && *next != '(' && *next != '=' && *next != ',')
      return isNewLine || last_ != Last::Literal;
    return isNewLine && (*next == '%' || *next == '@') && indentOf(lineBegin_, c) <= indent_;
  }
  if (isNewLine)
    return *next != '=' || next[1] == '=';
  return parser_.getContext()->getLoadedDialect(word.take_front(dot)) != nullptr;
}

bool OpReader::atEnd() const {
  const char *c = here();
  if (!*c)
    return true;
  if (depth() > 0)
    return false;
  if (*c == '}')
    return true;
  bool isNewLine = startsLine(lineBegin_, c);
  if (isFirstToken_ && !isNewLine)
    return false;
  if (StringRef word = wordAt(c); word == "loc" && *skipSpace(word.end()) == '(')
    return true;
  return startsNextOp(c, isNewLine);
}

} // namespace fuselage
