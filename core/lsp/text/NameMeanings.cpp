// What the names at tokens mean.
#include "core/lsp/text/NameReader.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage::lsp {

/// Bodies of ops that define a symbol, as functions and modules do, see no values around them.
bool NameReader::isIsolated(int scope) const {
  int op = scopes_[scope].op;
  if (op < 0)
    return false;
  const TextOp &around = result_.ops[op];
  StringRef name = text_.slice(around.name.begin, around.name.end);
  return around.symbol >= 0 || name == "module" || name.ends_with(".module");
}

int NameReader::findValue(StringRef name) const {
  for (int at = scope(); at >= 0; at = scopes_[at].parent) {
    if (auto found = scopes_[at].values.find(name); found != scopes_[at].values.end())
      return found->second;
    if (isIsolated(at))
      break;
  }
  return -1;
}

void NameReader::readUse(int token) {
  Statement &current = statement();
  bool isSignature = current.op >= 0 && result_.ops[current.op].symbol >= 0;
  int definition = isSignature ? -1 : findValue(nameOf(token));
  if (definition >= 0)
    result_.tokens[token].definition = definition;
  else if (current.op >= 0)
    current.pending.push_back(token);
  else
    scopes_[scope()].openValues.push_back(token);
  if (!isSignature)
    current.mayDefineSymbol = false;
}

void NameReader::readValue() {
  int count = resultsEnd();
  if (count == 0)
    return readUse(addToken(NameKind::Value, valueBytes(tokens_[at_])));
  beginStatement(tokens_[at_].begin, /*hasResults=*/true);
  for (int ahead = 0; ahead < count; ++ahead)
    if (const MlirToken *token = peek(ahead); token->kind == TokenKind::Value)
      define(addToken(NameKind::Value, valueBytes(*token)), NameKind::Value);
  at_ += count; // the name of the op
  if (at_ < tokens_.size() && (tokens_[at_].kind == TokenKind::Word || tokens_[at_].kind == TokenKind::String))
    nameStatement();
  else
    --at_;
}

/// `^bb0(%a: i32):` defines a block and its arguments; anything else goes to one.
void NameReader::readBlock() {
  int token = addToken(NameKind::Block, {tokens_[at_].begin, tokens_[at_].end});
  size_t end = at_ + 1;
  if (mayBeginStatement() && isAt(1, '(')) {
    int depth = 0;
    for (; end < tokens_.size(); ++end) {
      StringRef text = textOf(tokens_[end]);
      depth += text == "(" ? 1 : text == ")" ? -1 : 0;
      if (depth == 0)
        break;
    }
    ++end;
  }
  bool isLabel = mayBeginStatement() && end < tokens_.size() && textOf(tokens_[end]) == ":";
  if (!isLabel) {
    scopes_[scope()].openBlocks.push_back(token);
    return;
  }
  endStatement();
  result_.tokens[token].definition = token;
  scopes_[scope()].blocks.insert_or_assign(nameOf(token), token);
  for (++at_; at_ < end; ++at_)
    if (tokens_[at_].kind == TokenKind::Value)
      define(addToken(NameKind::Value, valueBytes(tokens_[at_])), NameKind::Argument);
    else if (tokens_[at_].kind == TokenKind::Type || tokens_[at_].kind == TokenKind::Attribute)
      readAlias();
}

void NameReader::readSymbol() {
  int token = addToken(NameKind::Symbol, {tokens_[at_].begin, tokens_[at_].end});
  Statement &current = statement();
  if (atRegionLevel() && current.op >= 0 && current.mayDefineSymbol && result_.ops[current.op].symbol < 0) {
    current.mayDefineSymbol = false;
    result_.ops[current.op].symbol = token;
    result_.tokens[token].definition = token;
    scopes_[scope()].symbols.insert_or_assign(nameOf(token), token);
    return;
  }
  SymbolUse use{.token = token, .scope = scope()};
  if (isAt(-1, ':') && isAt(-2, ':') && peek(-3)->kind == TokenKind::Symbol)
    use.qualifier = token - 1;
  symbolUses_.push_back(use);
}

void NameReader::readAlias() {
  const MlirToken &token = tokens_[at_];
  if (textOf(token).contains('.')) // of a dialect
    return;
  int name = addToken(NameKind::Alias, {token.begin, token.end});
  if (frames_.size() == 1 && mayBeginStatement() && isAt(1, '=')) {
    endStatement();
    result_.tokens[name].definition = name;
    aliases_.insert_or_assign(nameOf(name), name);
  } else {
    aliasUses_.push_back(name);
  }
}

void NameReader::resolveAliases() {
  for (int token : std::exchange(aliasUses_, {}))
    if (auto found = aliases_.find(nameOf(token)); found != aliases_.end())
      result_.tokens[token].definition = found->second;
}

void NameReader::resolveSymbols() {
  llvm::DenseMap<int, int> opOfSymbol;
  for (auto [op, text] : llvm::enumerate(result_.ops))
    if (text.symbol >= 0)
      opOfSymbol[text.symbol] = op;
  auto lookIn = [&](int scope, StringRef name) {
    auto found = scopes_[scope].symbols.find(name);
    return found == scopes_[scope].symbols.end() ? -1 : found->second;
  };
  for (const SymbolUse &use : symbolUses_) {
    int definition = -1;
    if (use.qualifier >= 0) {
      auto outer = opOfSymbol.find(result_.tokens[use.qualifier].definition);
      if (outer != opOfSymbol.end() && bodyOf_[outer->second] >= 0)
        definition = lookIn(bodyOf_[outer->second], nameOf(use.token));
    } else {
      for (int at = use.scope; at >= 0 && definition < 0; at = scopes_[at].parent)
        definition = lookIn(at, nameOf(use.token));
    }
    result_.tokens[use.token].definition = definition;
  }
}

} // namespace fuselage::lsp
