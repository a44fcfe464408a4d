#include "core/ir/source/SourceScan.h"
#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace fuselage {

bool isFunctionName(StringRef name) { return name == "func" || name.ends_with(".func"); }

SourceScan::SourceScan(StringRef text) : SourceScan(text, /*closesByColumns=*/false) {
  if (tooDeep_ || lackingBraces() == 0)
    return;
  SourceScan byColumns(text, /*closesByColumns=*/true);
  if (byColumns.missingBraces_.size() > missingBraces_.size() &&
      byColumns.lackingBraces() + byColumns.strays_.size() <= lackingBraces() + strays_.size())
    *this = std::move(byColumns);
}

/// Closing braces that are missing, in the text and at its end.
size_t SourceScan::lackingBraces() const {
  size_t count = llvm::count_if(unclosed_, [](const StrayBracket &open) { return open.isRegion; });
  for (const MissingBraces &missing : missingBraces_)
    count += missing.braces;
  return count;
}

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
