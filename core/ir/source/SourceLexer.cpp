#include "core/ir/source/SourceLexer.h"
#include "core/ir/source/SourceText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>

using llvm::StringRef;

namespace fuselage {

/// Bare words that start an op without results, at the start of a line (std until 2022, and what
/// stands without its prefix in functions of today).
static bool isBareStatement(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"return",           "func",     "module",    "call",     "call_indirect", "br",           "cond_br",
              "switch",           "store",    "dealloc",   "assert",   "tensor_store",  "atomic_yield", "global_memref",
              "assume_alignment", "prefetch", "dma_start", "dma_wait", "unreachable",   "yield"},
             true)
      .Default(false);
}

/// `%a, %b:2 = ` before a name or a quote: where that starts, else null. `%i = %lb to` and
/// `%i = 0 to`, as loops have them, are none.
const char *SourceLexer::matchResults(const char *at) {
  if (at < noResultsBefore_)
    return nullptr;
  const char *p = skipValues(at);
  const char *name = peek(p) == '=' && peek(p + 1) != '=' ? skipBlanks(p + 1) : nullptr;
  if (name && peek(name) == '"')
    return name;
  // Not at the start of a line only a dotted name will do: `affine.for %i = max #map(%n) to ...`.
  if (name && name < end() && kindOf(*name) == CharKind::Word && *name != '.' &&
      (mayStart() || StringRef(name, skipWord(name) - name).contains('.')))
    return name;
  noResultsBefore_ = p;
  return nullptr;
}

void SourceLexer::sawNamespace(StringRef ns, bool isCustomOp) {
  if (isCustomOp)
    scan_.customNamespaces_.insert(ns);
  if (ns == lastNamespace_)
    return;
  scan_.namespaces_.insert(ns);
  lastNamespace_ = ns;
}

void SourceLexer::endOp(Frame &frame) {
  if (frame.isRegion && frame.op >= 0 && frame.region == scan_.ops_[frame.op].region)
    scan_.ops_[frame.op].end = last_;
  if (frame.isRegion)
    frame.op = -1;
  if (frames_.size() == 1 && alias_ >= 0) {
    scan_.aliases_[alias_].end = last_;
    alias_ = -1;
  }
}

/// See MissingBraces.
void SourceLexer::closeFunctionsLeftOpen(uint32_t at, StringRef name) {
  if (!isFunctionName(name) || frames_.size() < 2)
    return;
  int32_t function = scan_.regions_[frames_.back().region].op;
  while (function >= 0 && !isFunctionName(scan_.nameOf(scan_.ops_[function])))
    function = scan_.ops_[function].parent;
  if (function < 0 || at - lineBegin_ > columns_[function])
    return;
  closeUpTo(scan_.ops_[function].region, at);
}

/// The same for the op that starts at `at`, the first of its line, and all ops around it.
void SourceLexer::closeRegionsLeftOpen(uint32_t at) {
  int32_t outer = frames_.back().region;
  while (outer >= 0) {
    int32_t op = scan_.regions_[outer].op;
    bool isInside = at - lineBegin_ > columns_[op] || scan_.regions_[outer].open >= lineBegin_;
    if (isInside)
      break;
    outer = scan_.ops_[op].region;
  }
  if (outer != frames_.back().region)
    closeUpTo(outer, at);
}

/// Closes what is open in `region`, where the op at `at` belongs.
void SourceLexer::closeUpTo(int32_t region, uint32_t at) {
  unsigned braces = 0;
  while (frames_.size() > 1 && frames_.back().region != region) {
    braces += frames_.back().bracket == '{';
    popFrame(last_, /*lacksBrace=*/true);
  }
  while (!frames_.back().isRegion)
    popFrame(last_);
  scan_.missingBraces_.push_back({.offset = at, .braces = braces, .op = static_cast<int32_t>(scan_.ops_.size())});
}

/// An op: results from `begin`, its name (or quote) at `name`.
void SourceLexer::startOp(const char *begin, const char *name) {
  bool isGeneric = *name == '"';
  const char *nameBegin = name + isGeneric;
  const char *after = isGeneric ? skipString(name) : skipWord(name);
  StringRef text(nameBegin, std::max<ptrdiff_t>(after - isGeneric - nameBegin, 0));
  closeFunctionsLeftOpen(offset(begin), text);
  if (closesByColumns_ && lineStart_)
    closeRegionsLeftOpen(offset(begin));
  Frame &frame = frames_.back();
  endOp(frame);
  columns_.push_back(offset(begin) - lineBegin_);
  int32_t parent = frame.region < 0 ? -1 : scan_.regions_[frame.region].op;
  frame.op = static_cast<int32_t>(scan_.ops_.size());
  scan_.ops_.push_back({.begin = offset(begin),
                        .name = offset(nameBegin),
                        .nameEnd = offset(text.end()),
                        .end = offset(after),
                        .parent = parent,
                        .region = frame.region,
                        .isGeneric = isGeneric});
  if (size_t dot = text.find('.'); dot != StringRef::npos)
    sawNamespace(text.take_front(dot), !isGeneric);
  inLabel_ = false;
  sawToken(after);
}

/// `#a = ` or `!a = ` at the start of a line outside of all ops.
bool SourceLexer::startAlias() {
  if (frames_.size() != 1 || !mayStart())
    return false;
  const char *nameEnd = skipSuffix(at_ + 1);
  const char *equal = skipBlanks(nameEnd);
  if (nameEnd == at_ + 1 || peek(equal) != '=' || peek(equal + 1) == '=')
    return false;
  endOp(frames_.back());
  alias_ = static_cast<int32_t>(scan_.aliases_.size());
  uint32_t value = offset(skipBlanks(equal + 1));
  scan_.aliases_.push_back({.begin = offset(at_), .nameEnd = offset(nameEnd), .value = value, .end = value});
  sawToken(equal + 1, Before::Continued);
  return true;
}

void SourceLexer::readSigil() {
  leaveOpenBrackets();
  if (startAlias())
    return;
  const char *nameEnd = skipSuffix(at_ + 1);
  StringRef name(at_ + 1, nameEnd - at_ - 1);
  if (size_t dot = name.find('.'); dot != StringRef::npos)
    sawNamespace(name.take_front(dot), false);
  else if (!name.empty() && peek(nameEnd) == '<')
    sawNamespace(name, false);
  else if (!name.empty())
    scan_.usedAliases_.try_emplace(StringRef(at_, name.size() + 1), offset(at_));
  sawToken(std::max(nameEnd, at_ + 1));
}

/// A word before a value or symbol, no further to the right than the op before it: an op of the
/// function's dialect (`sink %a` in a handshake.func).
bool SourceLexer::startsBareOp(char next) const {
  int32_t op = frames_.back().op;
  return op >= 0 && (next == '%' || next == '@') && offset(at_) - lineBegin_ <= columns_[op];
}

void SourceLexer::readWord() {
  leaveOpenBrackets();
  const char *after = skipWord(at_);
  if (!mayStart()) {
    sawToken(after);
    return;
  }
  StringRef word(at_, after - at_);
  char next = peek(skipBlanks(after));
  bool isOp = next == '=' || word == "loc"   ? false
              : before_ == Before::Statement ? true
                                             : word.contains('.') || isBareStatement(word) || startsBareOp(next);
  if (isOp && word.front() != '.')
    startOp(at_, at_);
  else
    sawToken(after);
}

/// Whether brackets, but no braces, are open in an op of a region.
bool SourceLexer::inOpenBrackets() const {
  if (!lineStart_ || frames_.back().isRegion || frames_.back().bracket == '{')
    return false;
  auto inner = std::find_if(frames_.rbegin(), frames_.rend(),
                            [](const Frame &frame) { return frame.isRegion || frame.bracket == '{'; });
  return inner->isRegion;
}

/// At the start of a line `%x = some.op` starts an op even where brackets (no braces) of the one
/// before are open: those lack their partners. So do aliases, functions and modules in the first column.
void SourceLexer::leaveOpenBrackets() {
  if (!inOpenBrackets())
    return;
  bool starts = false;
  if (*at_ == '%') {
    starts = matchResults(at_);
  } else if (offset(at_) == lineBegin_) {
    bool isAlias = *at_ == '#' || *at_ == '!';
    const char *after = isAlias ? skipSuffix(at_ + 1) : skipWord(at_);
    StringRef word(at_, after - at_);
    starts =
        isAlias ? peek(skipBlanks(after)) == '=' : isFunctionName(word) || word == "module" || word == "builtin.module";
  }
  if (!starts)
    return;
  while (!frames_.back().isRegion)
    popFrame(last_);
}

void SourceLexer::readPercent() {
  leaveOpenBrackets();
  if (frames_.back().isRegion)
    if (const char *name = matchResults(at_)) {
      startOp(at_, name);
      return;
    }
  sawToken(skipSuffix(at_ + 1));
  if (peek(at_) == '#')
    sawToken(skipWord(at_ + 1));
}

void SourceLexer::readQuote() {
  const char *after = skipString(at_);
  if (mayStart() && peek(skipBlanks(after)) == '(')
    startOp(at_, at_);
  else
    sawToken(after);
}

/// `^name(...):` at the start of a line in brackets of an op, or `^bb0(...):` after an op, no further to the left:
/// that op's header was not written to its end, as while somebody types, and this is its body.
bool SourceLexer::startsBodyOfUnfinishedOp() const {
  const char *name = skipSuffix(at_ + 1);
  if (!lineStart_ || lineBegin_ == 0 || peek(name) != '(')
    return false;
  StringRef line = StringRef(name, end() - name).take_until([](char c) { return c == '\n'; });
  size_t close = line.rfind(')');
  if (close == StringRef::npos || !line.drop_front(close + 1).ltrim().starts_with(":"))
    return false;
  if (inOpenBrackets())
    return frames_.back().op >= 0;
  const Frame &frame = frames_.back();
  return frame.isRegion && frame.op >= 0 && StringRef(at_, name - at_) == "^bb0" &&
         offset(at_) - lineBegin_ >= columns_[frame.op];
}

void SourceLexer::openUnfinishedOp() {
  while (!frames_.back().isRegion)
    popFrame(last_);
  const char *label = at_;
  at_ = begin() + lineBegin_ - 1; // the line's break
  openRegion(frames_.back().op);
  scan_.regions_.back().lacksOpening = true;
  at_ = label;
}

/// `^bb0:` or `^bb0(` at the start of a line or region is a label: ops start after its colon.
void SourceLexer::readLabel() {
  if (startsBodyOfUnfinishedOp())
    openUnfinishedOp();
  char next = peek(skipBlanks(skipSuffix(at_ + 1)));
  bool isLabel = mayStart() && (next == ':' || next == '(');
  if (isLabel)
    endOp(frames_.back());
  sawToken(skipSuffix(at_ + 1));
  inLabel_ = isLabel;
}

void SourceLexer::open(char bracket) {
  const Frame &top = frames_.back();
  int32_t op = top.isRegion || top.op >= 0 ? top.op : -1;
  int32_t region = top.region;
  Frame frame{.bracket = bracket, .isRegion = false, .op = op, .region = region, .at = offset(at_)};
  // Attributes and types, which '[' and '<' hold, have no regions; if one seems to, it lacks its bracket.
  bool isAttribute = top.bracket == '<' || top.bracket == '[' || (top.bracket == '{' && !top.isRegion);
  const char *inner = skipBlanks(at_ + 1);
  bool mayOpen = bracket == '{' && (!isAttribute || (peek(inner) == '%' && matchResults(inner)));
  if (mayOpen && op >= 0 && opensRegion(at_)) {
    openRegion(op);
    return;
  }
  if (bracket == '{') {
    enterBrace(frame);
  } else if (bracket == '(') {
    ++parens_;
  } else if (bracket == '[') {
    ++squares_;
  }
  push(frame, Before::Flat);
}

/// What is open outside of a brace is not what closes in it.
void SourceLexer::enterBrace(Frame &frame) {
  ++braces_;
  frame.parens = std::exchange(parens_, 0);
  frame.squares = std::exchange(squares_, 0);
}

/// The next of the op's regions, from here on.
void SourceLexer::openRegion(int32_t op) {
  Frame frame{.bracket = '{',
              .isRegion = true,
              .op = -1,
              .region = static_cast<int32_t>(scan_.regions_.size()),
              .at = offset(at_)};
  enterBrace(frame);
  scan_.regions_.push_back({.open = offset(at_), .close = offset(end()), .op = op, .parent = frames_.back().region});
  scan_.ops_[op].hasRegion = true;
  push(frame, Before::Statement);
}

void SourceLexer::push(const Frame &frame, Before before) {
  frames_.push_back(frame);
  if (frames_.size() > kMaxNesting + 1)
    scan_.tooDeep_ = offset(at_);
  else
    sawToken(at_ + 1, before);
}

/// Takes the innermost bracket off; `at` is where it closes.
void SourceLexer::popFrame(uint32_t at, bool lacksBrace) {
  Frame frame = frames_.back();
  if (frame.isRegion) {
    endOp(frames_.back());
    scan_.regions_[frame.region].close = at;
    scan_.regions_[frame.region].lacksBrace = lacksBrace;
  }
  frames_.pop_back();
  if (frame.bracket == '{') {
    --braces_;
    parens_ = frame.parens;
    squares_ = frame.squares;
  } else if (frame.bracket == '(') {
    --parens_;
  } else if (frame.bracket == '[') {
    --squares_;
  }
}

/// A closing bracket also closes what stands unclosed inside of it, but only a brace closes braces.
void SourceLexer::close(char closing) {
  char opening = closing == '}' ? '{' : closing == ')' ? '(' : '[';
  bool isOpen = (opening == '(' ? parens_ : opening == '[' ? squares_ : braces_) > 0;
  if (!isOpen) {
    scan_.strays_.push_back({.offset = offset(at_), .bracket = closing});
    ++at_;
    return;
  }
  char last;
  do {
    last = frames_.back().bracket;
    popFrame(offset(at_));
  } while (last != opening);
  sawToken(at_ + 1);
}

void SourceLexer::run() {
  while (at_ < end() && !scan_.tooDeep_) {
    char c = *at_;
    switch (c) {
    case '\n':
      lineStart_ = true;
      lineBegin_ = offset(at_) + 1;
      ++at_;
      continue;
    case ' ':
    case '\t':
    case '\r':
      ++at_;
      continue;
    case '/':
      if (peek(at_ + 1) == '/')
        at_ = skipComment(at_);
      else
        sawToken(at_ + 1);
      continue;
    case '"':
      readQuote();
      continue;
    case '%':
      readPercent();
      continue;
    case '#':
    case '!':
      readSigil();
      continue;
    case '@':
      sawToken(peek(at_ + 1) == '"' ? skipString(at_ + 1) : skipSuffix(at_ + 1));
      continue;
    case '^':
      readLabel();
      continue;
    case '(':
    case '[':
      open(c);
      continue;
    case '{':
      if (frames_.size() == 1 && StringRef(at_, std::min<size_t>(3, end() - at_)) == "{-#") {
        endOp(frames_.back()); // the file's resources, up to "#-}"
        size_t close = scan_.text_.find("#-}", offset(at_));
        at_ = close == StringRef::npos ? end() : begin() + close + 3;
        last_ = offset(at_);
        before_ = Before::Statement;
        continue;
      }
      open(c);
      continue;
    case ')':
    case ']':
    case '}':
      close(c);
      continue;
    case '<':
      if (peek(at_ + 1) == '=') // a constraint of an affine set
        sawToken(at_ + 2, Before::Continued);
      else
        open(c);
      continue;
    case '>':
      if (frames_.back().bracket == '<')
        popFrame(offset(at_));
      sawToken(at_ + 1);
      continue;
    case '-':
      if (peek(at_ + 1) == '>')
        sawToken(at_ + 2, Before::Continued);
      else
        sawToken(at_ + 1);
      continue;
    case ':':
      if (inLabel_ && frames_.back().isRegion) {
        inLabel_ = false;
        sawToken(at_ + 1, Before::Statement);
        continue;
      }
      [[fallthrough]];
    case ',':
    case '=':
      sawToken(at_ + 1, isInOp() ? Before::Continued : Before::Flat); // a greeting ends with one, too
      continue;
    default:
      if (kindOf(c) == CharKind::Word)
        readWord();
      else if (kindOf(c) == CharKind::Digit)
        sawToken(skipWord(at_));
      else
        sawToken(at_ + 1);
      continue;
    }
  }
  for (const Frame &frame : llvm::drop_begin(frames_))
    scan_.unclosed_.push_back({frame.at, frame.bracket, frame.isRegion});
  while (!frames_.empty()) {
    if (frames_.size() == 1) {
      endOp(frames_.back());
      break;
    }
    popFrame(offset(end()), /*lacksBrace=*/true);
  }
}

SourceScan::SourceScan(llvm::StringRef text, bool closesByColumns) : text_(text) {
  SourceLexer(*this, closesByColumns).run();
}

} // namespace fuselage
