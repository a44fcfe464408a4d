// What begins at a token.
#include "core/lsp/text/NameReader.h"
#include "llvm/ADT/StringSwitch.h"

namespace fuselage::lsp {

bool isBareOp(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"return", "call", "func", "module", "yield", "br", "cond_br", "unreachable"}, true)
      .Default(false);
}

bool onlyReadsSymbols(StringRef op) {
  StringRef last = op.rsplit('.').second.empty() ? op : op.rsplit('.').second;
  return last.ends_with("call") || last.ends_with("store") || last.starts_with("launch") ||
         llvm::StringSwitch<bool>(last)
             .Cases({"dispatch", "include", "addressof", "EntryPoint", "ExecutionMode", "apply_native_constraint"},
                    true)
             .Cases({"ExecutionModeId", "mlir.addressof", "call_intrinsic", "operand", "return", "yield"}, true)
             .Default(false);
}

void NameReader::lex() {
  std::string_view text(text_.data(), text_.size());
  tokens_.reserve(text.size() / 6);
  for (size_t at = 0; at < text.size();) {
    MlirToken token = nextMlirToken(text, at);
    at = token.end;
    bool isDivider = token.kind == TokenKind::Comment && (token.begin == 0 || text[token.begin - 1] == '\n') &&
                     (textOf(token).rtrim() == "// -----" || textOf(token).starts_with("//--- ")); // of split-file
    if (token.kind != TokenKind::Blank && (token.kind != TokenKind::Comment || isDivider))
      tokens_.push_back(token);
  }
}

bool NameReader::isFirstOnLine() const {
  return at_ == 0 || text_.slice(tokens_[at_ - 1].end, tokens_[at_].begin).contains('\n');
}

/// Whether an op may begin here: ops have no end of their own.
bool NameReader::mayBeginStatement() const {
  return atRegionLevel() && (isFirstOnLine() || isAt(-1, '{') || isAt(-1, '}'));
}

/// `%a, %b:2 =`: how many tokens up to the `=`, itself included; 0: there are no results here.
int NameReader::resultsEnd() const {
  if (!atRegionLevel())
    return 0;
  if (!isFirstOnLine() && at_ > 0) {
    const MlirToken &before = tokens_[at_ - 1];
    StringRef word = textOf(before);
    bool isOpName = before.kind == TokenKind::Word && word.contains('.');
    bool isKeyword = before.kind == TokenKind::Word && !word.contains_insensitive("index") && !word.ends_with("8") &&
                     !word.ends_with("16") && !word.ends_with("32") && !word.ends_with("64") && word != "i1";
    if (isOpName || isKeyword || word == "(" || word == "," || word == "[")
      return 0;
  }
  for (int ahead = 0;; ahead += 2) {
    const MlirToken *value = peek(ahead);
    if (!value || value->kind != TokenKind::Value)
      return 0;
    if (isAt(ahead + 1, ':') && peek(ahead + 2) && peek(ahead + 2)->kind == TokenKind::Number)
      ahead += 2;
    if (isAt(ahead + 1, '='))
      return isAt(ahead + 2, '=') ? 0 : ahead + 2;
    if (!isAt(ahead + 1, ','))
      return 0;
  }
}

/// Whether the brace here opens a region, and no dictionary of attributes.
bool NameReader::opensRegion() const {
  const MlirToken *next = peek();
  if (!next)
    return true;
  StringRef before = at_ > 0 ? textOf(tokens_[at_ - 1]) : StringRef();
  if (before == "attributes" || before == "attrs" || before == "=" || before == "<")
    return false;
  switch (next->kind) {
  case TokenKind::Value:
  case TokenKind::Block:
    return true;
  case TokenKind::String:
    return isAt(2, '(');
  case TokenKind::Punctuation:
    return text_[next->begin] == '}';
  case TokenKind::Word:
    break;
  default:
    return false;
  }
  StringRef word = textOf(*next);
  if (isAt(2, '=') || isAt(2, ','))
    return false;
  if (isAt(2, '}'))
    return word.ends_with("return") || word.ends_with("yield") || word.ends_with("terminator") || word.ends_with("end");
  return word.contains('.') || isBareOp(word);
}

} // namespace fuselage::lsp
