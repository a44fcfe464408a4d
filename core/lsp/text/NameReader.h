// How findNames() (NameScopes.h) reads a text: token by token, with the regions, ops and brackets around.
#pragma once
#include "core/lsp/text/NameScopes.h"
#include "core/text/MlirLexer.h"
#include "llvm/ADT/StringMap.h"

namespace fuselage::lsp {

using llvm::StringRef;
using TokenKind = MlirToken::Kind;

/// What a region, or the text around all regions, defines.
struct Scope {
  int parent = -1, op = -1;
  llvm::StringMap<int> values, blocks, symbols;
  std::vector<int> openValues, openBlocks; ///< uses that nothing before them defines
};

/// An op that is being read, of which only the end is missing.
struct Statement {
  int op = -1;
  bool hasResults = false, mayDefineSymbol = true;
  /// Values before a region that mean nothing yet: they are its arguments.
  std::vector<int> pending;
};

struct Frame {
  char open = '{';
  bool isRegion = false;
  int scope = -1;
  Statement statement; ///< of a region: the op that is being read in it
};

struct SymbolUse {
  int token, scope;
  int qualifier = -1; ///< token of the symbol before "::"
};

class NameReader {
public:
  explicit NameReader(StringRef text) : text_(text) { lex(); }
  NameScopes read();

private:
  //===-- Tokens ------------------------------------------------------------------------===//
  void lex();
  StringRef textOf(const MlirToken &token) const { return text_.slice(token.begin, token.end); }
  const MlirToken *peek(int ahead = 1) const {
    size_t at = at_ + ahead;
    return at < tokens_.size() ? &tokens_[at] : nullptr;
  }
  bool isAt(int ahead, char c) const {
    const MlirToken *token = peek(ahead);
    return token && token->kind == TokenKind::Punctuation && text_[token->begin] == c;
  }
  bool isFirstOnLine() const;
  bool mayBeginStatement() const;
  int resultsEnd() const;
  bool opensRegion() const;

  //===-- Names -------------------------------------------------------------------------===//
  int addToken(NameKind kind, ByteRange bytes) {
    result_.tokens.push_back({kind, bytes});
    return static_cast<int>(result_.tokens.size()) - 1;
  }
  StringRef nameOf(int token) const {
    const ByteRange &bytes = result_.tokens[token].bytes;
    return text_.slice(bytes.begin, bytes.end);
  }
  ByteRange valueBytes(const MlirToken &token) const {
    size_t hash = textOf(token).find('#');
    return {token.begin, hash == StringRef::npos ? token.end : token.begin + hash};
  }
  void define(int token, NameKind kind) {
    result_.tokens[token].kind = kind;
    result_.tokens[token].definition = token;
    scopes_[scope()].values.insert_or_assign(nameOf(token), token);
  }
  bool isIsolated(int scope) const;
  int findValue(StringRef name) const;
  void readValue();
  void readUse(int token);
  void readBlock();
  void readSymbol();
  void readAlias();

  //===-- Structure ---------------------------------------------------------------------===//
  int scope() const { return scopeStack_.back(); }
  Frame &region() { return frames_[regionFrames_.back()]; }
  Statement &statement() { return region().statement; }
  bool atRegionLevel() const { return regionFrames_.back() == frames_.size() - 1; }
  void beginPart(size_t at);
  void endPart(size_t at);
  void beginStatement(size_t at, bool hasResults);
  void endStatement();
  void nameStatement();
  void open(char bracket);
  void close(char bracket);
  void closeFrame();
  void closeScope();
  void resolveSymbols();
  void resolveAliases();

  StringRef text_;
  std::vector<MlirToken> tokens_; // without blanks; of comments, those that divide the text alone
  size_t at_ = 0, previousEnd_ = 0;
  NameScopes result_;
  std::vector<Scope> scopes_;
  std::vector<Frame> frames_;
  std::vector<size_t> regionFrames_;
  std::vector<int> scopeStack_;
  std::vector<SymbolUse> symbolUses_;
  std::vector<int> bodyOf_; // by op: the scope of its first region, or -1
  llvm::StringMap<int> aliases_;
  std::vector<int> aliasUses_;
};

/// Ops without a dialect's name in front: `return`.
bool isBareOp(llvm::StringRef word);
/// Ops that name a symbol which another op defines.
bool onlyReadsSymbols(llvm::StringRef op);

} // namespace fuselage::lsp
