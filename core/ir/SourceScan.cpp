#include "core/ir/SourceScan.h"
#include "core/ir/SourceText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <array>
#include <cstring>

using llvm::StringRef;

namespace fuselage {

bool isFunctionName(StringRef name) { return name == "func" || name.ends_with(".func"); }

namespace {

enum CharKind : uint8_t { Other, Blank, Word, Digit };

/// What each byte starts or continues; word bytes are those of MLIR's bare identifiers.
constexpr std::array<uint8_t, 256> makeCharKinds() {
  std::array<uint8_t, 256> kinds{};
  for (unsigned c : {' ', '\t', '\r', '\n', '\f', '\v'})
    kinds[c] = Blank;
  for (unsigned c = 'a'; c <= 'z'; ++c)
    kinds[c] = kinds[c - 'a' + 'A'] = Word;
  for (unsigned c = '0'; c <= '9'; ++c)
    kinds[c] = Digit;
  for (unsigned c : {'_', '$', '.'})
    kinds[c] = Word;
  return kinds;
}
constexpr std::array<uint8_t, 256> kKinds = makeCharKinds();

CharKind kindOf(char c) { return static_cast<CharKind>(kKinds[static_cast<unsigned char>(c)]); }
bool isWordByte(char c) { return kindOf(c) >= Word; }
/// Suffix ids (`%a-b`, `@x-y`, `#n-1`) may hold a '-', too.
bool isSuffixByte(char c) { return isWordByte(c) || c == '-'; }

/// Bare words that start an op without results, at the start of a line (std until 2022, and what
/// stands without its prefix in functions of today).
bool isBareStatement(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"return", "func", "module", "call", "call_indirect", "br", "cond_br", "switch", "store", "dealloc",
              "assert", "tensor_store", "atomic_yield", "global_memref", "assume_alignment", "prefetch",
              "dma_start", "dma_wait", "unreachable", "yield"},
             true)
      .Default(false);
}

/// Words that end a block and may stand without operands: `{ return }`, not an attribute.
bool isBareTerminator(StringRef word) {
  return word == "return" || word == "unreachable" || word.ends_with(".return") || word.ends_with(".yield") ||
         word.ends_with(".terminator") || word.ends_with("_end") || word.ends_with(".unreachable");
}

} // namespace

/// The pass itself. Every step consumes a byte; what is looked at ahead is looked at once.
class SourceLexer {
public:
  explicit SourceLexer(SourceScan &scan)
      : scan_(scan), begin_(scan.text_.begin()), end_(scan.text_.end()), at_(begin_) {
    frames_.push_back({.bracket = 0, .isRegion = true, .op = -1, .region = -1});
  }
  void run();

private:
  /// What stands in front of the token, as far as it tells whether an op may start here.
  enum class Before { Statement, Continued, Flat };
  struct Frame {
    char bracket;
    bool isRegion;
    int32_t op;     ///< region: the op being read in it; else: whose text this is
    int32_t region; ///< the innermost region
    uint32_t at = 0; ///< where it opened
    unsigned parens = 0, squares = 0; ///< of a brace: how many were open when it opened
  };

  uint32_t offset(const char *at) const { return static_cast<uint32_t>(at - begin_); }
  char peek(const char *at) const { return at < end_ ? *at : '\0'; }
  const char *skipBlanks(const char *at) const;
  const char *skipComment(const char *at) const;
  const char *skipString(const char *at) const;
  const char *skipWord(const char *at) const {
    while (at < end_ && isWordByte(*at))
      ++at;
    return at;
  }
  const char *skipSuffix(const char *at) const {
    while (at < end_ && isSuffixByte(*at))
      ++at;
    return at;
  }

  const char *matchResults(const char *at);
  bool opensRegion(const char *brace) const;
  void open(char bracket);
  void close(char closing);
  void popFrame(uint32_t at, bool lacksBrace = false);
  void startOp(const char *begin, const char *name);
  void endOp(Frame &frame);
  bool startAlias();
  void closeFunctionsLeftOpen(uint32_t at, StringRef name);
  void sawNamespace(StringRef ns, bool isCustomOp);
  void readSigil();
  void readWord();
  void readPercent();
  bool inOpenBrackets() const;
  void leaveOpenBrackets();
  void readQuote();
  void readLabel();
  bool mayStart() const {
    return frames_.back().isRegion && (before_ == Before::Statement || (lineStart_ && before_ == Before::Flat));
  }
  /// A token that is a part of an op ended here.
  void sawToken(const char *end, Before before = Before::Flat) {
    at_ = end;
    last_ = offset(end);
    before_ = before;
    lineStart_ = false;
  }

  SourceScan &scan_;
  const char *begin_, *end_, *at_;
  llvm::SmallVector<Frame, 64> frames_;
  unsigned parens_ = 0, squares_ = 0; ///< open since the last brace
  unsigned braces_ = 0;
  Before before_ = Before::Flat;
  bool lineStart_ = true, inLabel_ = false;
  uint32_t last_ = 0;                 ///< end of the last token
  const char *noResultsBefore_ = nullptr; ///< result lists were looked for up to here
  StringRef lastNamespace_;
  int32_t alias_ = -1;
  uint32_t lineBegin_ = 0;
  std::vector<uint32_t> columns_; ///< by op
};

const char *SourceLexer::skipComment(const char *at) const {
  const void *newline = std::memchr(at, '\n', end_ - at);
  return newline ? static_cast<const char *>(newline) : end_;
}

/// Behind the blanks and comments at `at`.
const char *SourceLexer::skipBlanks(const char *at) const {
  for (;;) {
    while (at < end_ && kindOf(*at) == Blank)
      ++at;
    if (end_ - at < 2 || at[0] != '/' || at[1] != '/')
      return at;
    at = skipComment(at);
  }
}

/// Behind the string that starts at `at`; a string ends with its line.
const char *SourceLexer::skipString(const char *at) const {
  for (++at; at < end_; ++at) {
    if (*at == '"')
      return at + 1;
    if (*at == '\n')
      return at;
    if (*at == '\\' && at + 1 < end_ && at[1] != '\n')
      ++at;
  }
  return end_;
}

/// `%a, %b:2 = ` in front of a name or a quote: where that starts, else null. `%i = %lb to` and
/// `%i = 0 to`, as loops have them, are none.
const char *SourceLexer::matchResults(const char *at) {
  if (at < noResultsBefore_)
    return nullptr;
  const char *p = at;
  for (;;) {
    p = skipSuffix(p + 1);
    if (peek(p) == ':')
      p = std::find_if_not(p + 1, end_, [](char c) { return kindOf(c) == Digit; });
    p = skipBlanks(p);
    if (peek(p) != ',')
      break;
    p = skipBlanks(p + 1);
    if (peek(p) != '%')
      break;
  }
  const char *name = peek(p) == '=' && peek(p + 1) != '=' ? skipBlanks(p + 1) : nullptr;
  if (name && peek(name) == '"')
    return name;
  // Not at the start of a line only a dotted name will do: `affine.for %i = max #map(%n) to ...`.
  if (name && name < end_ && kindOf(*name) == Word && *name != '.' &&
      (mayStart() || StringRef(name, skipWord(name) - name).contains('.')))
    return name;
  noResultsBefore_ = p;
  return nullptr;
}

/// Whether the brace opens a region, by what stands behind it: a block label, a result list, an op
/// name that is no key of a dictionary (`key = `, `key,`, `key}`), a quoted op's `"name"(`. An empty
/// pair is called no region; nothing stands in it. Sizes `{%d0, %d1}` are none, nor are the operand
/// lists `{ro %a...}` of the stream dialect.
bool SourceLexer::opensRegion(const char *brace) const {
  const char *p = skipBlanks(brace + 1);
  switch (peek(p)) {
  case '^':
    return true;
  case '"':
    return peek(skipBlanks(skipString(p))) == '(';
  case '%': {
    for (;;) {
      p = skipSuffix(p + 1);
      if (peek(p) == ':' || peek(p) == '#')
        p = skipWord(p + 1);
      p = skipBlanks(p);
      if (peek(p) != ',')
        break;
      p = skipBlanks(p + 1);
      if (peek(p) != '%')
        break;
    }
    return peek(p) == '=';
  }
  default:
    break;
  }
  if (p >= end_ || kindOf(*p) != Word)
    return false;
  StringRef word(p, skipWord(p) - p);
  char next = peek(skipBlanks(word.end()));
  if (next == '=' || next == ',' || word == "ro" || word == "rw" || word == "wo")
    return false;
  return next != '}' || isBareTerminator(word);
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
  int32_t outer = scan_.ops_[function].region;
  unsigned braces = 0;
  while (frames_.size() > 1 && frames_.back().region != outer) {
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
  Frame &frame = frames_.back();
  endOp(frame);
  columns_.push_back(offset(begin) - lineBegin_);
  int32_t parent = frame.region < 0 ? -1 : scan_.regions_[frame.region].op;
  frame.op = static_cast<int32_t>(scan_.ops_.size());
  scan_.ops_.push_back({.begin = offset(begin), .name = offset(nameBegin), .nameEnd = offset(text.end()),
                        .end = offset(after), .parent = parent, .region = frame.region, .isGeneric = isGeneric});
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

void SourceLexer::readWord() {
  leaveOpenBrackets();
  const char *after = skipWord(at_);
  if (!mayStart()) {
    sawToken(after);
    return;
  }
  StringRef word(at_, after - at_);
  char next = peek(skipBlanks(after));
  bool isOp = next == '=' || word == "loc" ? false
              : before_ == Before::Statement ? true
                                             : word.contains('.') || isBareStatement(word);
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
    starts = isAlias ? peek(skipBlanks(after)) == '=' : isFunctionName(word) || word == "module" || word == "builtin.module";
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

/// `^bb0:` or `^bb0(` at the start of a line or region is a label: ops start behind its colon.
void SourceLexer::readLabel() {
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
  // Attributes and types, which '[' and '<' hold, have no regions.
  bool mayOpen = bracket == '{' && top.bracket != '<' && top.bracket != '[' && !(top.bracket == '{' && !top.isRegion);
  if (bracket == '{') {
    ++braces_;
    frame.parens = std::exchange(parens_, 0);
    frame.squares = std::exchange(squares_, 0);
    if (mayOpen && op >= 0 && opensRegion(at_)) {
      frame.isRegion = true;
      frame.region = static_cast<int32_t>(scan_.regions_.size());
      frame.op = -1;
      scan_.regions_.push_back({.open = offset(at_), .close = offset(end_), .op = op, .parent = region});
      scan_.ops_[op].hasRegion = true;
    }
  } else if (bracket == '(') {
    ++parens_;
  } else if (bracket == '[') {
    ++squares_;
  }
  bool isRegion = frame.isRegion;
  frames_.push_back(frame);
  if (frames_.size() > kMaxNesting + 1) {
    scan_.tooDeep_ = offset(at_);
    return;
  }
  sawToken(at_ + 1, isRegion ? Before::Statement : Before::Flat);
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
  while (at_ < end_ && !scan_.tooDeep_) {
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
      if (frames_.size() == 1 && StringRef(at_, std::min<size_t>(3, end_ - at_)) == "{-#") {
        endOp(frames_.back()); // the file's resources, up to "#-}"
        size_t close = scan_.text_.find("#-}", offset(at_));
        at_ = close == StringRef::npos ? end_ : begin_ + close + 3;
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
      sawToken(at_ + 1, Before::Continued);
      continue;
    default:
      if (kindOf(c) == Word)
        readWord();
      else if (kindOf(c) == Digit)
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
    popFrame(offset(end_), /*lacksBrace=*/true);
  }
}

SourceScan::SourceScan(StringRef text) : text_(text) { SourceLexer(*this).run(); }

std::vector<std::string> SourceScan::namespaces() const {
  std::vector<std::string> sorted;
  for (const auto &entry : namespaces_)
    sorted.push_back(entry.first().str());
  llvm::sort(sorted);
  return sorted;
}

int32_t SourceScan::opAt(uint32_t offset) const {
  auto next = llvm::upper_bound(ops_, offset, [](uint32_t at, const ScannedOp &op) { return at < op.begin; });
  if (next == ops_.begin())
    return -1;
  int32_t op = static_cast<int32_t>(next - ops_.begin()) - 1;
  // The last op to start before; what ended before the offset hands over to the op around it, unless
  // that ended, too.
  int32_t last = op;
  while (op >= 0 && ops_[op].end <= offset)
    op = ops_[op].parent;
  return op >= 0 ? op : last;
}

int32_t SourceScan::previousSibling(int32_t op) const {
  // Climbs from what is nested in the sibling to the sibling itself.
  int32_t other = op - 1;
  while (other >= 0 && ops_[other].region != ops_[op].region)
    other = ops_[other].parent;
  return other;
}

} // namespace fuselage
