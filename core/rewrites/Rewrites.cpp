#include "core/rewrites/Rewrites.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {

llvm::StringRef nameOf(RewriteKind kind) {
  switch (kind) {
  case RewriteKind::Pattern:
    return "pattern";
  case RewriteKind::Fold:
    return "fold";
  case RewriteKind::Dead:
    return "dead";
  case RewriteKind::Cse:
    return "cse";
  case RewriteKind::Hoist:
    return "hoist";
  case RewriteKind::Regions:
    return "regions";
  case RewriteKind::Conversion:
    return "conversion";
  case RewriteKind::Direct:
    return "direct";
  case RewriteKind::Pass:
    return "pass";
  }
  return "";
}

std::string shortPatternName(llvm::StringRef debugName) {
  std::string name;
  while (!debugName.empty()) {
    size_t length = debugName.find_if_not([](char c) { return llvm::isAlnum(c) || c == '_'; });
    llvm::StringRef word = debugName.take_front(length);
    if (word.empty() && debugName.consume_front("(anonymous namespace)::"))
      continue;
    debugName = debugName.drop_front(std::max<size_t>(word.size(), 1));
    if (word.empty())
      word = llvm::StringRef(debugName.data() - 1, 1);
    else if (debugName.consume_front("::"))
      continue;
    name += word;
  }
  return name;
}

} // namespace fuselage
