#include "views/text/MlirTokenizer.h"
#include "core/text/MlirLexer.h"
#include <algorithm>
#include <array>

namespace fuselage {

namespace {
class Tokenizer {
public:
  explicit Tokenizer(QStringView line) : line_(line) {}

  QList<Token> run() {
    const std::u16string_view text(line_.utf16(), size_t(line_.size()));
    for (size_t at = 0; at < text.size(); at = size_t(end_)) {
      const MlirToken token = nextMlirToken(text, at);
      begin_ = int(token.begin);
      end_ = int(token.end);
      take(token.kind);
    }
    return std::move(tokens_);
  }

private:
  QChar behind(int ahead = 0) const { return end_ + ahead < line_.size() ? line_[end_ + ahead] : QChar(); }
  void add(TokenKind kind) { tokens_.append({begin_, end_ - begin_, kind}); }
  void take(MlirToken::Kind kind);
  void takeWord();

  QStringView line_;
  int begin_ = 0, end_ = 0; ///< of the token
  bool sawWord_ = false;    ///< the first word of a statement names the op
  QList<Token> tokens_;
};

void Tokenizer::take(MlirToken::Kind kind) {
  switch (kind) {
  case MlirToken::Kind::Blank:
    return;
  case MlirToken::Kind::Comment:
    return add(TokenKind::Comment);
  case MlirToken::Kind::String: {
    // "dialect.op"(...) is the generic form of an op.
    const bool isOp = !sawWord_ && behind() == u'(';
    sawWord_ = sawWord_ || isOp;
    return add(isOp ? TokenKind::Op : TokenKind::String);
  }
  case MlirToken::Kind::Value:
    return add(TokenKind::Value);
  case MlirToken::Kind::Block:
    return add(TokenKind::Label);
  case MlirToken::Kind::Symbol:
    return add(TokenKind::Symbol);
  case MlirToken::Kind::Type:
  case MlirToken::Kind::Shape:
    return add(TokenKind::Type);
  case MlirToken::Kind::Attribute:
    return add(TokenKind::Attribute);
  case MlirToken::Kind::Number:
    return add(TokenKind::Number);
  case MlirToken::Kind::Word:
    return takeWord();
  case MlirToken::Kind::Arrow:
    return add(TokenKind::Punctuation);
  case MlirToken::Kind::Punctuation:
    if (line_[begin_] == u'=' || line_[begin_] == u'{' || line_[begin_] == u'}')
      sawWord_ = false;
    return add(TokenKind::Punctuation);
  }
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

void Tokenizer::takeWord() {
  const QStringView text = line_.sliced(begin_, end_ - begin_);
  static constexpr std::array keywords = {
      u"module",         u"return", u"ins",         u"outs",       u"to",         u"step",
      u"into",           u"in",     u"iter_args",   u"private",    u"attributes", u"dense",
      u"dense_resource", u"array",  u"affine_map",  u"affine_set", u"loc",        u"true",
      u"false",          u"unit",   u"shared_outs", u"blocks",     u"threads",    u"strided",
      u"offset",         u"else",   u"do"};
  bool keyword =
      std::any_of(keywords.begin(), keywords.end(), [&](const char16_t *k) { return text == QStringView(k); });
  // Inside shapes ("?x128xf32") the tail is a type.
  if (text.startsWith(u'x') && begin_ > 0 && (line_[begin_ - 1] == u'?' || line_[begin_ - 1] == u'*'))
    return add(TokenKind::Type);
  if (isType(text))
    return add(TokenKind::Type);
  bool attributeName = behind() == u' ' ? behind(1) == u'=' && behind(2) != u'=' : behind() == u'=';
  if (!sawWord_ && !attributeName && (text.contains(u'.') || !keyword || text == u"module" || text == u"return")) {
    sawWord_ = true;
    return add(TokenKind::Op);
  }
  if (attributeName)
    return add(TokenKind::Attribute);
  sawWord_ = true;
  if (keyword)
    add(TokenKind::Keyword);
}
} // namespace

QList<Token> tokenizeMlir(QStringView line) { return Tokenizer(line).run(); }

} // namespace fuselage
