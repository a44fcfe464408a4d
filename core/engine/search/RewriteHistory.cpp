#include "core/engine/search/RewriteHistory.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

using How = message::RewriteChange;

/// Calls for each position in a file that a location is made of.
static void forEachPosition(mlir::LocationAttr location, llvm::function_ref<void(mlir::Attribute)> visit) {
  location.walk([&](mlir::Location part) {
    if (llvm::isa<mlir::FileLineColLoc>(part))
      visit(part);
    return mlir::WalkResult::advance();
  });
}

/// Whether each op of the log is followed.
static std::vector<bool> areFollowed(const RewriteLog &log, const FollowedOps &followed) {
  llvm::DenseSet<mlir::Attribute> positions;
  for (mlir::Location place : followed.places)
    forEachPosition(place, [&](mlir::Attribute position) { positions.insert(position); });
  const llvm::DenseSet<int64_t> before(followed.before.begin(), followed.before.end()),
      after(followed.after.begin(), followed.after.end());
  std::vector<bool> answers;
  for (const RewriteOp &op : log.ops) {
    bool isFollowed = (op.before >= 0 && before.contains(op.before)) || (op.after >= 0 && after.contains(op.after));
    if (op.before < 0 && op.after < 0)
      forEachPosition(op.location, [&](mlir::Attribute position) { isFollowed |= positions.contains(position); });
    answers.push_back(isFollowed);
  }
  return answers;
}

std::vector<message::HistoryRewrite<>> rewritesAbout(const RewriteLog &log, const FollowedOps &followed) {
  constexpr size_t most = 1000;
  const std::vector<bool> isFollowed = areFollowed(log, followed);
  std::vector<message::HistoryRewrite<>> rows;
  for (auto [index, rewrite] : llvm::enumerate(log.rewrites)) {
    const size_t first = rows.size();
    auto add = [&, index = index, &rewrite = rewrite](How change, const std::vector<unsigned> &ops) {
      for (unsigned op : ops) {
        if (!isFollowed[op] || rows.size() == most)
          continue;
        const std::string name = log.ops[op].name.getStringRef().str();
        auto same = std::find_if(rows.begin() + ptrdiff_t(first), rows.end(),
                                 [&](const auto &row) { return row.change == change && row.op == name; });
        if (same != rows.end())
          ++same->count;
        else
          rows.push_back({.rewrite = int(index),
                          .change = change,
                          .kind = nameOf(rewrite.kind).str(),
                          .pattern = rewrite.kind == RewriteKind::Pattern
                                         ? shortPatternName(log.patterns[rewrite.pattern].name)
                                         : std::string(),
                          .op = name});
      }
    };
    add(rewrite.inserted.empty() ? How::Erased : How::Replaced, rewrite.erased);
    add(How::Created, rewrite.inserted);
    add(How::Modified, rewrite.modified);
  }
  return rows;
}

} // namespace fuselage
