#include "core/lsp/text/NameReader.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage::lsp {

//===-- Structure -----------------------------------------------------------------------===//

void NameReader::beginPart(size_t at) {
  result_.parts.push_back({at, at});
  scopes_.emplace_back();
  scopeStack_ = {static_cast<int>(scopes_.size()) - 1};
  frames_.clear();
  frames_.push_back({.open = '{', .isRegion = true, .scope = scope(), .statement = {}});
  regionFrames_ = {0};
  aliases_.clear();
}

void NameReader::endPart(size_t at) {
  while (frames_.size() > 1)
    closeFrame();
  endStatement();
  closeScope();
  resolveAliases();
  result_.parts.back().end = at;
}

void NameReader::beginStatement(size_t at, bool hasResults) {
  endStatement();
  int op = static_cast<int>(result_.ops.size());
  TextOp next{.bytes = {at, at}, .name = {at, at}, .parent = scopes_[scope()].op};
  next.depth = next.parent < 0 ? 0 : result_.ops[next.parent].depth + 1;
  result_.ops.push_back(next);
  bodyOf_.push_back(-1);
  statement() = {.op = op, .hasResults = hasResults, .mayDefineSymbol = !hasResults, .pending = {}};
}

/// What has no meaning by now may get one further on.
void NameReader::endStatement() {
  Statement &ended = statement();
  if (ended.op >= 0) {
    result_.ops[ended.op].bytes.end = previousEnd_;
    bool isDeclaration = result_.ops[ended.op].symbol >= 0;
    for (int token : ended.pending)
      if (isDeclaration)
        result_.tokens[token].definition = token;
      else
        scopes_[scope()].openValues.push_back(token);
  }
  ended = {};
}

/// The op's name is at hand.
void NameReader::nameStatement() {
  const MlirToken &token = tokens_[at_];
  bool isQuoted = token.kind == TokenKind::String && token.end - token.begin >= 2;
  result_.ops[statement().op].name = {token.begin + isQuoted, token.end - isQuoted};
  StringRef name = text_.slice(token.begin + isQuoted, token.end - isQuoted);
  if (onlyReadsSymbols(name))
    statement().mayDefineSymbol = false;
}

void NameReader::open(char bracket) {
  Frame frame{.open = bracket, .isRegion = false, .scope = -1, .statement = {}};
  if (bracket != '{' || !opensRegion()) {
    frames_.push_back(frame);
    return;
  }
  Statement &outer = statement();
  std::vector<int> arguments = std::exchange(outer.pending, {});
  int op = outer.op;
  scopes_.emplace_back();
  scopes_.back().parent = scope();
  scopes_.back().op = op;
  scopeStack_.push_back(static_cast<int>(scopes_.size()) - 1);
  if (op >= 0) {
    result_.ops[op].hasRegion = true;
    if (bodyOf_[op] < 0)
      bodyOf_[op] = scope();
  }
  for (int token : arguments)
    if (auto known = scopes_[scope()].values.find(nameOf(token)); known != scopes_[scope()].values.end())
      result_.tokens[token].definition = known->second;
    else
      define(token, NameKind::Argument);
  frame.isRegion = true;
  frame.scope = scope();
  frames_.push_back(std::move(frame));
  regionFrames_.push_back(frames_.size() - 1);
}

void NameReader::closeFrame() {
  if (frames_.back().isRegion) {
    endStatement();
    closeScope();
    regionFrames_.pop_back();
  }
  frames_.pop_back();
}

void NameReader::close(char bracket) {
  char wanted = bracket == '}' ? '{' : bracket == ')' ? '(' : '[';
  bool isThere = llvm::any_of(llvm::drop_begin(frames_), [&](const Frame &frame) { return frame.open == wanted; });
  // A bracket that nobody opened closes nothing; a brace ends what is still open in it.
  if (!isThere || (wanted != '{' && frames_.back().open != wanted))
    return;
  while (frames_.back().open != wanted)
    closeFrame();
  closeFrame();
}

void NameReader::closeScope() {
  int closed = scope();
  Scope &ended = scopes_[closed];
  for (int token : ended.openValues)
    if (auto found = ended.values.find(nameOf(token)); found != ended.values.end())
      result_.tokens[token].definition = found->second;
    else if (ended.parent >= 0 && !isIsolated(closed))
      scopes_[ended.parent].openValues.push_back(token);
  for (int token : ended.openBlocks)
    if (auto found = ended.blocks.find(nameOf(token)); found != ended.blocks.end())
      result_.tokens[token].definition = found->second;
  scopeStack_.pop_back();
  if (scopeStack_.empty())
    scopeStack_.push_back(closed); // of a part, which ends
}

NameScopes NameReader::read() {
  beginPart(0);
  for (at_ = 0; at_ < tokens_.size(); previousEnd_ = tokens_[std::min(at_, tokens_.size() - 1)].end, ++at_) {
    const MlirToken &token = tokens_[at_];
    switch (token.kind) {
    case TokenKind::Comment:
      endPart(token.begin);
      beginPart(token.end);
      break;
    case TokenKind::Value:
      readValue();
      break;
    case TokenKind::Block:
      readBlock();
      break;
    case TokenKind::Symbol:
      readSymbol();
      break;
    case TokenKind::Type:
    case TokenKind::Attribute:
      readAlias();
      break;
    case TokenKind::Word:
    case TokenKind::String: {
      bool isOp =
          token.kind == TokenKind::String ? isAt(1, '(') : textOf(token).contains('.') || isBareOp(textOf(token));
      if (isOp && mayBeginStatement()) {
        beginStatement(token.begin, /*hasResults=*/false);
        nameStatement();
      }
      break;
    }
    case TokenKind::Punctuation:
      if (char c = text_[token.begin]; c == '{' || c == '(' || c == '[')
        open(c);
      else if (c == '}' || c == ')' || c == ']')
        close(c);
      break;
    default:
      break;
    }
  }
  endPart(text_.size());
  resolveSymbols();
  return std::move(result_);
}

NameScopes findNames(StringRef text) { return NameReader(text).read(); }

} // namespace fuselage::lsp
