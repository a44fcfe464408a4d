#include "core/lsp/text/NameScopes.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage::lsp {

int NameScopes::tokenAt(size_t offset) const {
  auto after =
      llvm::upper_bound(tokens, offset, [](size_t at, const NameToken &token) { return at < token.bytes.begin; });
  if (after == tokens.begin())
    return -1;
  --after;
  return offset <= after->bytes.end ? static_cast<int>(after - tokens.begin()) : -1;
}

std::vector<int> NameScopes::occurrencesOf(int token) const {
  std::vector<int> found;
  int definition = tokens[token].definition;
  if (definition < 0)
    return {token};
  for (auto [index, other] : llvm::enumerate(tokens))
    if (other.definition == definition)
      found.push_back(index);
  return found;
}

int NameScopes::opAt(size_t offset) const {
  auto after = llvm::upper_bound(ops, offset, [](size_t at, const TextOp &op) { return at < op.bytes.begin; });
  int op = static_cast<int>(after - ops.begin()) - 1;
  while (op >= 0 && offset > ops[op].bytes.end)
    op = ops[op].parent;
  return op;
}

} // namespace fuselage::lsp
