// How an op is found again.
#include "core/notes/NotedOps.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstdlib>

using namespace mlir;

namespace fuselage {

using Anchor = message::OpAnchor<>;
using message::NoteState;

struct NotedOps::Scored {
  OpId op;
  double points;
  bool isSame;  ///< in all that says what it is: types, operands, users, and its name
  int distance; ///< in the order of ops of that name
};

namespace {

/// Below, it is another op.
constexpr double leastPoints = 10;

/// How much of two lists is the same, place by place, from 0 to 1.
double shareOf(const std::vector<std::string> &a, const std::vector<std::string> &b) {
  if (a.empty() && b.empty())
    return 1;
  size_t same = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    same += a[i] == b[i];
  return double(same) / std::max(a.size(), b.size());
}

/// A name that the user gave says more than anything else; another one says that it is another op, unless all else
/// fits.
double pointsOfName(const Anchor &wanted, const Anchor &found) {
  if (wanted.name.empty() && found.name.empty())
    return 0;
  if (wanted.name == found.name)
    return 6;
  return wanted.name.empty() || found.name.empty() ? -2 : -6;
}

double pointsOf(const Anchor &wanted, const Anchor &found) {
  double operands = shareOf(wanted.operands, found.operands);
  return pointsOfName(wanted, found) + 3 * (wanted.op == found.op) + 3 * (wanted.function == found.function) +
         3 * (wanted.types == found.types) + (operands == 1 ? 3 : 2 * operands) + 2 * (wanted.users == found.users) +
         (wanted.above == found.above) + (wanted.below == found.below);
}

bool isSame(const Anchor &wanted, const Anchor &found) {
  return wanted.op == found.op && wanted.types == found.types && wanted.operands == found.operands &&
         wanted.users == found.users;
}

/// What is different, as a sentence for a person; empty: nothing that matters.
std::string differenceOf(const Anchor &wanted, const Anchor &found) {
  std::string text;
  auto add = [&](const std::string &what) { text += (text.empty() ? "" : "; ") + what; };
  if (wanted.op != found.op)
    add("it is a " + found.op + " now");
  if (wanted.name != found.name)
    add(found.name.empty() ? "it has no name any more" : "it is called " + found.name + " now");
  if (wanted.function != found.function)
    add("it is in " + (found.function.empty() ? std::string("no function") : found.function) + " now");
  if (wanted.types != found.types)
    add("its type has changed");
  if (wanted.operands != found.operands)
    add("its operands have changed");
  if (wanted.users != found.users)
    add("its users have changed");
  if (wanted.line != found.line && wanted.line > 0 && found.line > 0)
    add("it was in line " + std::to_string(wanted.line));
  return text;
}

} // namespace

std::vector<OpId> NotedOps::candidates(const Anchor &anchor) const {
  auto alike = byName_.find(anchor.op), called = byValueName_.find(anchor.name);
  llvm::ArrayRef<OpId> ofOp, ofName;
  if (alike != byName_.end())
    ofOp = alike->second;
  if (!anchor.name.empty() && called != byValueName_.end())
    ofName = called->second;
  const bool isNarrow = ofOp.size() + ofName.size() > comparisonsLeft_;
  if (isNarrow) {
    constexpr size_t around = 64; // each way
    ofOp = group(anchor.op, anchor.function);
    ofOp = ofOp.take_front(static_cast<size_t>(std::max(anchor.ordinal, 0)) + around).take_back(2 * around);
    ofName = ofName.take_front(2 * around);
  } else {
    comparisonsLeft_ -= ofOp.size() + ofName.size();
  }
  std::vector<OpId> found = ofOp.vec();
  for (OpId id : ofName)
    if (ops_[id]->getName().getStringRef() != anchor.op || (isNarrow && !llvm::is_contained(ofOp, id)))
      found.push_back(id);
  return found;
}

/// In a file that nobody edited there it is in its place; then no other op needs to be looked at.
std::optional<ResolvedOp> NotedOps::findInPlace(const Anchor &anchor) const {
  llvm::ArrayRef<OpId> alike = group(anchor.op, anchor.function);
  if (static_cast<int>(alike.size()) != anchor.alike || anchor.ordinal < 0 || anchor.ordinal >= anchor.alike)
    return std::nullopt;
  OpId there = alike[anchor.ordinal];
  const Anchor &here = described(there);
  if (!isSame(anchor, here) || here.name != anchor.name || here.line != anchor.line || here.column != anchor.column)
    return std::nullopt;
  return ResolvedOp{NoteState::Found, {there, -1}, ""};
}

ResolvedOp NotedOps::find(const Anchor &anchor) const {
  if (anchor.op == "argument")
    return findArgument(anchor);
  if (std::optional<ResolvedOp> found = findInPlace(anchor))
    return *found;
  std::vector<Scored> scored;
  for (OpId id : candidates(anchor)) {
    ++compared_;
    const Anchor &here = described(id);
    int distance = std::abs(static_cast<int>(ordinals_[id]) - anchor.ordinal);
    scored.push_back({id, pointsOf(anchor, here), isSame(anchor, here), distance});
  }
  return judge(anchor, std::move(scored));
}

ResolvedOp NotedOps::judge(const Anchor &anchor, std::vector<Scored> scored) const {
  llvm::erase_if(scored, [](const Scored &one) { return one.points < leastPoints; });
  if (scored.empty())
    return {NoteState::Lost, {}, "no op here is like it"};
  auto stays = [&](OpId id) {
    const Anchor &here = described(id);
    return here.line == anchor.line && here.column == anchor.column;
  };
  // Of those that look the same, the one in the old place of their order, then the one in the old line.
  const Scored &best = *std::min_element(scored.begin(), scored.end(), [&](const Scored &a, const Scored &b) {
    if (a.points != b.points)
      return a.points > b.points;
    if (a.distance != b.distance)
      return a.distance < b.distance;
    return stays(a.op) > stays(b.op);
  });
  ResolvedOp found{NoteState::Found, {best.op, -1}, differenceOf(anchor, described(best.op))};
  if (!found.how.empty())
    found.state = NoteState::Moved;
  size_t twins = llvm::count_if(scored, [&](const Scored &one) { return one.points == best.points; });
  auto [ordinal, alike] = ordinalOf(best.op);
  if (twins > 1 && (alike != anchor.alike || ordinal != anchor.ordinal)) {
    found.state = NoteState::Unsure;
    found.how = "one of " + std::to_string(twins) + " that look the same, the nearest to where it was";
  } else if (!best.isSame && (anchor.name.empty() || anchor.name != described(best.op).name)) {
    found.state = NoteState::Unsure;
  }
  return found;
}

const std::vector<std::pair<NotedOp, Anchor>> &NotedOps::arguments() const {
  if (!arguments_.empty())
    return arguments_;
  for (OpId id = 0; id < count(); ++id) {
    Operation *op = ops_[id];
    if (op->getNumRegions() == 0 || op->getRegion(0).empty() || !op->hasAttr("sym_name"))
      continue;
    for (int i = 0, n = op->getRegion(0).getNumArguments(); i < n; ++i)
      arguments_.emplace_back(NotedOp{id, i}, describe({id, i}));
  }
  return arguments_;
}

ResolvedOp NotedOps::findArgument(const Anchor &anchor) const {
  ResolvedOp best;
  double most = 5; // the function alone is not enough
  const bool hasTime = arguments().size() <= comparisonsLeft_;
  comparisonsLeft_ -= hasTime ? arguments().size() : 0;
  for (const auto &[noted, here] : arguments()) {
    if (!hasTime && here.ordinal != anchor.ordinal)
      continue;
    ++compared_;
    double points = pointsOfName(anchor, here) + 3 * (anchor.function == here.function) +
                    2 * (anchor.types == here.types) + 2 * (anchor.users == here.users) +
                    2 * (anchor.ordinal == here.ordinal);
    if (points <= most)
      continue;
    most = points;
    std::string how = differenceOf(anchor, here);
    best = {how.empty() ? NoteState::Found : NoteState::Moved, noted, how};
  }
  if (best.state == NoteState::Lost)
    best.how = "no argument here is like it";
  return best;
}

} // namespace fuselage
