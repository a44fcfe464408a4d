#include "views/text/MlirTokenizer.h"
#include <algorithm>
#include <array>

namespace fuselage {

namespace {
class Tokenizer {
public:
  explicit Tokenizer(QStringView line) : line_(line), end_(int(line.size())) {}

  QList<Token> run() {
    while (at_ < end_)
      step();
    return std::move(tokens_);
  }

private:
  QChar peek(int ahead = 0) const { return at_ + ahead < end_ ? line_[at_ + ahead] : QChar(); }
  static bool isName(QChar c) { return c.isLetterOrNumber() || c == u'_' || c == u'$' || c == u'.' || c == u'-'; }
  void add(int begin, TokenKind kind) { tokens_.append({begin, at_ - begin, kind}); }

  void skipName() {
    // A dash is part of suffix names only before another name character ("->" is an arrow).
    while (at_ < end_ && isName(line_[at_]) &&
           !(line_[at_] == u'-' && !(at_ + 1 < end_ && line_[at_ + 1].isLetterOrNumber())))
      ++at_;
  }
  void skipString() {
    for (++at_; at_ < end_ && line_[at_] != u'"'; ++at_)
      if (line_[at_] == u'\\')
        ++at_;
    at_ = std::min(at_ + 1, end_);
  }

  void step();
  void word();
  void number();
  QStringView line_;
  int at_ = 0, end_;
  bool sawWord_ = false; ///< the first word of a statement names the op
  QList<Token> tokens_;
};

void Tokenizer::step() {
  int begin = at_;
  QChar c = peek();
  if (c.isSpace()) {
    ++at_;
  } else if (c == u'/' && peek(1) == u'/') {
    at_ = end_;
    add(begin, TokenKind::Comment);
  } else if (c == u'"') {
    skipString();
    // "dialect.op"(...) is the generic form of an op.
    bool op = !sawWord_ && peek() == u'(';
    sawWord_ = sawWord_ || op;
    add(begin, op ? TokenKind::Op : TokenKind::String);
  } else if (c == u'%' || c == u'^' || c == u'#' || c == u'!' || c == u'@') {
    ++at_;
    if (c == u'@' && peek() == u'"')
      skipString();
    else
      skipName();
    if (c == u'%' && peek() == u'#' && peek(1).isDigit()) {
      ++at_;
      skipName();
    }
    add(begin, c == u'%'   ? TokenKind::Value
               : c == u'^' ? TokenKind::Label
               : c == u'#' ? TokenKind::Attribute
               : c == u'!' ? TokenKind::Type
                           : TokenKind::Symbol);
  } else if (c.isDigit() || (c == u'-' && peek(1).isDigit())) {
    number();
  } else if (c.isLetter() || c == u'_') {
    word();
  } else {
    ++at_;
    if (c == u'=' || c == u'{' || c == u'}')
      sawWord_ = false;
    if (c == u'-' && peek() == u'>')
      ++at_;
    add(begin, TokenKind::Punctuation);
  }
}

/// "12", "-1.5e-3", "0xFF", and shapes: "128x768xf32", "?x4x".
void Tokenizer::number() {
  int begin = at_++;
  if (line_[begin] == u'0' && peek() == u'x' && peek(1).isLetterOrNumber() && at_ + 1 < end_ &&
      (peek(1).isDigit() || QStringView(u"abcdefABCDEF").contains(peek(1)))) {
    ++at_;
    while (at_ < end_ && peek().isLetterOrNumber())
      ++at_;
    return add(begin, TokenKind::Number);
  }
  while (at_ < end_ && peek().isDigit())
    ++at_;
  if (peek() == u'x' && (peek(1).isLetterOrNumber() || peek(1) == u'?' || peek(1) == u'*')) {
    while (at_ < end_ && (peek().isLetterOrNumber() || peek() == u'?' || peek() == u'*'))
      ++at_;
    return add(begin, TokenKind::Type);
  }
  if (peek() == u'.' && peek(1).isDigit())
    for (++at_; at_ < end_ && peek().isDigit();)
      ++at_;
  if ((peek() == u'e' || peek() == u'E') &&
      (peek(1).isDigit() || ((peek(1) == u'-' || peek(1) == u'+') && peek(2).isDigit()))) {
    at_ += 2;
    while (at_ < end_ && peek().isDigit())
      ++at_;
  }
  add(begin, TokenKind::Number);
}

/// Is this one of the builtin types: i32, si8, f16, f8E4M3FN, bf16, index, tensor, ...?
static bool isType(QStringView word) {
  static constexpr std::array names = {u"tensor",  u"memref", u"vector", u"index", u"none",
                                       u"complex", u"tuple",  u"bf16",   u"tf32"};
  if (std::any_of(names.begin(), names.end(), [&](const char16_t *name) { return word == QStringView(name); }))
    return true;
  qsizetype digits = word.startsWith(u"si") || word.startsWith(u"ui") ? 2
                     : word.startsWith(u'i') || word.startsWith(u'f') ? 1
                                                                      : 0;
  if (digits == 0 || word.size() <= digits || !word[digits].isDigit())
    return false;
  bool onlyDigits = std::all_of(word.begin() + digits, word.end(), [](QChar c) { return c.isDigit(); });
  return onlyDigits || (word.startsWith(u'f') && word.contains(u'E'));
}

void Tokenizer::word() {
  int begin = at_;
  skipName();
  QStringView text = line_.sliced(begin, at_ - begin);
  static constexpr std::array keywords = {
      u"module",         u"return", u"ins",         u"outs",       u"to",         u"step",
      u"into",           u"in",     u"iter_args",   u"private",    u"attributes", u"dense",
      u"dense_resource", u"array",  u"affine_map",  u"affine_set", u"loc",        u"true",
      u"false",          u"unit",   u"shared_outs", u"blocks",     u"threads",    u"strided",
      u"offset",         u"else",   u"do"};
  bool keyword =
      std::any_of(keywords.begin(), keywords.end(), [&](const char16_t *k) { return text == QStringView(k); });
  // Inside shapes ("?x128xf32") the tail is a type.
  if (text.startsWith(u'x') && begin > 0 && (line_[begin - 1] == u'?' || line_[begin - 1] == u'*'))
    return add(begin, TokenKind::Type);
  if (isType(text))
    return add(begin, TokenKind::Type);
  bool attributeName = peek() == u' ' ? peek(1) == u'=' && peek(2) != u'=' : peek() == u'=';
  if (!sawWord_ && !attributeName && (text.contains(u'.') || !keyword || text == u"module" || text == u"return")) {
    sawWord_ = true;
    return add(begin, TokenKind::Op);
  }
  if (attributeName)
    return add(begin, TokenKind::Attribute);
  sawWord_ = true;
  if (keyword)
    add(begin, TokenKind::Keyword);
}
} // namespace

QList<Token> tokenizeMlir(QStringView line) { return Tokenizer(line).run(); }

} // namespace fuselage
