#include "core/engine/UsesMessage.h"
#include "core/stepping/diff/TextDiff.h"
#include "llvm/Support/JSON.h"
#include <algorithm>

namespace fuselage {

static message::TextMatch<> matchOf(llvm::StringRef line, const TextSpan &span) {
  return {.line = static_cast<int>(span.line),
          .column = static_cast<int>(utf16Length(line, span.column)),
          .length = static_cast<int>(utf16Length(line.drop_front(span.column), span.length))};
}

message::TextUses<> usesMessage(const TextUses &found, llvm::function_ref<llvm::StringRef(unsigned)> lineAt) {
  constexpr size_t most = 20'000;
  message::TextUses<> reply{.name = llvm::json::fixUTF8(found.name),
                            .definition = {},
                            .uses = {},
                            .total = static_cast<int64_t>(found.uses.size()),
                            .exact = found.isExact};
  if (found.definition)
    reply.definition.push_back(matchOf(lineAt(found.definition->line), *found.definition));
  for (size_t i = 0; i < std::min(found.uses.size(), most); ++i)
    reply.uses.push_back(matchOf(lineAt(found.uses[i].line), found.uses[i]));
  return reply;
}

} // namespace fuselage
