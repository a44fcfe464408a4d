#include "core/engine/written/WrittenOps.h"
#include "core/engine/Document.h"
#include "core/ir/source/Listings.h"
#include "core/ir/source/PastedDiff.h"
#include "core/ir/source/SourceEdits.h"
#include "core/ir/source/SourceScan.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using llvm::StringRef;

namespace fuselage {
namespace {

/// An op of the text; offsets in all of it.
struct TextOp {
  size_t begin = 0, nameEnd = 0, end = 0;
  StringRef name{};
  int parent = -1, firstChild = -1, next = -1; ///< children in their order; at the top, -1 is the parent
};

class TextOps {
public:
  explicit TextOps(StringRef text)
      : side_(newSideOfDiff(text)), text_(side_ ? StringRef(*side_) : text), lines_(text_) {
    std::vector<SourceSplit> splits = findListings(text_);
    for (const SourceSplit &split : splits.empty() ? splitSource(text_) : splits)
      add(split);
    chain();
  }

  /// The op that a location names: in its results or its name. -1: none.
  int at(unsigned line, unsigned column) const {
    size_t offset = lines_.offsetOf({line, column});
    auto next = llvm::upper_bound(ops_, offset, [](size_t at, const TextOp &op) { return at < op.begin; });
    if (next == ops_.begin() || std::prev(next)->nameEnd < offset)
      return -1;
    return static_cast<int>(next - ops_.begin()) - 1;
  }
  /// The next op of that name in `parent` that nobody took; -1: none nearby.
  int take(int parent, StringRef name) {
    constexpr unsigned nearby = 64;
    int &cursor = cursors_[parent + 1];
    unsigned seen = 0;
    for (int op = cursor; op >= 0 && seen < nearby; op = ops_[op].next, ++seen)
      if (StringRef rest = name; rest.consume_back(ops_[op].name) && (rest.empty() || rest.ends_with("."))) {
        cursor = ops_[op].next;
        return op;
      }
    return -1;
  }
  LineRange linesOf(int op) const {
    return {.first = lines_.positionOf(ops_[op].begin).line - 1,
            .last = lines_.positionOf(std::max(ops_[op].begin + 1, ops_[op].end) - 1).line - 1};
  }

private:
  void add(const SourceSplit &split) {
    size_t base = split.text.data() - text_.data();
    int first = static_cast<int>(ops_.size());
    SourceScan scan(split.text);
    for (const ScannedOp &op : scan.ops())
      ops_.push_back({.begin = base + op.begin,
                      .nameEnd = base + op.nameEnd,
                      .end = base + op.end,
                      .name = scan.nameOf(op),
                      .parent = op.parent < 0 ? -1 : first + op.parent});
  }
  void chain() {
    cursors_.assign(ops_.size() + 1, -1);
    for (int op = static_cast<int>(ops_.size()) - 1; op >= 0; --op)
      ops_[op].next = std::exchange(cursors_[ops_[op].parent + 1], op);
  }

  std::optional<std::string> side_;
  StringRef text_;
  LineTable lines_;
  std::vector<TextOp> ops_;
  std::vector<int> cursors_; // by parent + 1
};

int placeIn(const TextOps &text, StringRef file, Operation *op) {
  int found = -1;
  op->getLoc()->walk([&](Location location) {
    auto place = dyn_cast<FileLineColLoc>(location);
    if (!place || place.getFilename() != file || place.getLine() == 0)
      return WalkResult::advance();
    found = text.at(place.getLine(), place.getColumn());
    return found < 0 ? WalkResult::advance() : WalkResult::interrupt();
  });
  return found;
}

} // namespace

WrittenOps::WrittenOps(StringRef text, StringRef file, const OpIndex &ops) {
  TextOps written(text);
  llvm::DenseMap<Operation *, int> found;
  llvm::DenseMap<int, OpId> taken;
  for (OpId id = 0; id < ops.count(); ++id) {
    Operation *op = ops.op(id), *around = op->getParentOp();
    int place = placeIn(written, file, op);
    // A module that nobody wrote stands for what is at the top.
    auto parent = found.find(around);
    if (place < 0 && (parent != found.end() || !around || isa<ModuleOp>(around)))
      place = written.take(parent == found.end() ? -1 : parent->second, op->getName().getStringRef());
    if (place < 0)
      continue;
    found[op] = place;
    lines_[id] = written.linesOf(place);
    if (taken.try_emplace(place, id).second) // of those that a named op stands for, that one
      places_.push_back({lines_[id], id});
  }
  llvm::sort(places_, [](const Place &a, const Place &b) {
    return std::pair(a.lines.first, a.id) < std::pair(b.lines.first, b.id);
  });
}

OpId WrittenOps::opAt(unsigned line) const {
  auto next = llvm::lower_bound(places_, line, [](const Place &place, unsigned at) { return place.lines.first < at; });
  if (next != places_.end() && next->lines.first == line)
    return next->id;
  while (next != places_.begin())
    if ((--next)->lines.last >= line)
      return next->id;
  return -1;
}

std::optional<LineRange> WrittenOps::linesOf(OpId id) const {
  auto known = lines_.find(id);
  return known == lines_.end() ? std::nullopt : std::optional(known->second);
}

} // namespace fuselage
