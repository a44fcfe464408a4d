#include "core/graph/compare/CompareDispatches.h"
#include "core/dialects/decoders/XlaOps.h"
#include "core/graph/compare/Alignment.h"
#include "core/graph/compare/ComparedReasons.h"
#include "core/support/CostArithmetic.h"
#include "core/support/Error.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace fuselage {
namespace {

using message::DispatchRelation;

std::vector<const WorkItem *> itemsOf(const ItemizedProgram &program) {
  std::vector<const WorkItem *> items;
  for (const ItemizedDispatch &dispatch : program.dispatches)
    for (const WorkItem &item : dispatch.items)
      items.push_back(&item);
  return items;
}

/// Without the number that makes a name the only one: "matmul_8x8" of "matmul_8x8_3", but not of "matmul_8x8".
std::string plainName(llvm::StringRef name) {
  auto [front, number] = name.rsplit('_');
  bool isNumber = !number.empty() && llvm::all_of(number, llvm::isDigit);
  llvm::StringRef before = front.rsplit('_').second;
  bool endsInExtents = !before.empty() && before != front &&
                       llvm::all_of(before, [](char c) { return llvm::isDigit(c) || c == 'x' || c == '?'; });
  return (isNumber && endsInExtents ? front : name).str();
}

message::ComparedSide<> sideOf(const ItemizedProgram &program) {
  message::ComparedSide<> side;
  side.planned = program.planned;
  for (auto [index, dispatch] : llvm::enumerate(program.dispatches)) {
    const GraphDispatch &summary = dispatch.summary;
    int64_t bytes = plus(summary.bytesRead, summary.bytesWritten);
    message::ComparedDispatch<> compared{.index = static_cast<int>(index),
                                         .op = dispatch.op,
                                         .name = plainName(summary.name),
                                         .kind = summary.kind,
                                         .loc = summary.loc,
                                         .ops = {},
                                         .flops = summary.flops,
                                         .bytes = bytes,
                                         .bytesAtMost = summary.bytesAtMost};
    for (const WorkItem &item : dispatch.items)
      compared.ops.push_back(item.label);
    side.unknown += bytes < 0;
    side.bytes += std::max<int64_t>(bytes, 0);
    side.bytesAtMost |= summary.bytesAtMost;
    side.flops += std::max<int64_t>(summary.flops, 0);
    side.dispatches.push_back(std::move(compared));
  }
  return side;
}

/// Sets of dispatches that share work.
class Relations {
public:
  Relations(const ItemizedProgram &a, const ItemizedProgram &b) : a_(a), b_(b), shift_(a.dispatches.size()) {
    for (unsigned i = 0; i < shift_ + b.dispatches.size(); ++i)
      sets_.insert(i);
    matched_.assign(shift_ + b.dispatches.size(), 0);
    isTied_.assign(matched_.size(), false);
  }

  void connect(unsigned inA, unsigned inB) {
    tie(inA, inB);
    ++matched_[inA];
    ++matched_[shift_ + inB];
  }

  bool isTied(unsigned inA) const { return isTied_[inA]; }
  bool isTiedInB(unsigned inB) const { return isTied_[shift_ + inB]; }
  /// They belong together, though no piece of work is the same.
  void tie(unsigned inA, unsigned inB) {
    sets_.unionSets(inA, shift_ + inB);
    isTied_[inA] = isTied_[shift_ + inB] = true;
  }

  /// Two of one side, of which the second has a counterpart.
  void joinInA(unsigned index, unsigned other) { join(index, other); }
  void joinInB(unsigned index, unsigned other) { join(shift_ + index, shift_ + other); }

  std::vector<message::ComparedRow<>> rows() const {
    std::map<unsigned, message::ComparedRow<>> byLeader;
    for (unsigned i = 0; i < matched_.size(); ++i) {
      message::ComparedRow<> &row = byLeader[sets_.getLeaderValue(i)];
      (i < shift_ ? row.a : row.b).push_back(int(i < shift_ ? i : i - shift_));
    }
    std::vector<message::ComparedRow<>> rows;
    for (auto &[leader, row] : byLeader) {
      row.relation = relationOf(row);
      rows.push_back(std::move(row));
    }
    putInOrder(rows);
    return rows;
  }

private:
  void join(unsigned index, unsigned other) {
    sets_.unionSets(index, other);
    isTied_[index] = true;
  }

  DispatchRelation relationOf(const message::ComparedRow<> &row) const {
    if (row.b.empty())
      return DispatchRelation::OnlyA;
    if (row.a.empty())
      return DispatchRelation::OnlyB;
    if (row.a.size() == 1 && row.b.size() == 1) {
      bool isAll = matched_[row.a.front()] == a_.dispatches[row.a.front()].items.size() &&
                   matched_[shift_ + row.b.front()] == b_.dispatches[row.b.front()].items.size();
      return isAll ? DispatchRelation::Same : DispatchRelation::Differs;
    }
    if (row.a.size() == 1)
      return DispatchRelation::Merged;
    return row.b.size() == 1 ? DispatchRelation::Split : DispatchRelation::Regrouped;
  }

  /// By A; what only B has stands after what is before it there.
  static void putInOrder(std::vector<message::ComparedRow<>> &rows) {
    std::map<int, int> placeInB; // first dispatch of B -> first of A of the same row
    for (const message::ComparedRow<> &row : rows)
      if (!row.a.empty())
        for (int b : row.b)
          placeInB[b] = row.a.front();
    auto place = [&](const message::ComparedRow<> &row) {
      if (!row.a.empty())
        return std::tuple(row.a.front(), 0, 0);
      auto next = placeInB.lower_bound(row.b.front());
      return std::tuple(next == placeInB.begin() ? -1 : std::prev(next)->second, 1, row.b.front());
    };
    llvm::stable_sort(rows, [&](const auto &x, const auto &y) { return place(x) < place(y); });
  }

  const ItemizedProgram &a_, &b_;
  unsigned shift_;
  llvm::EquivalenceClasses<unsigned> sets_;
  std::vector<size_t> matched_; // items that have a partner
  std::vector<bool> isTied_;
};

/// Of the dispatches of `others`, the one that has the most names in common with `dispatch`: of several the first, -1:
/// none has any.
int mostAlike(const ItemizedDispatch &dispatch, const std::map<llvm::StringRef, std::vector<unsigned>> &others) {
  std::map<unsigned, unsigned> common;
  for (const std::string &name : dispatch.names)
    if (auto found = others.find(name); found != others.end())
      for (unsigned other : found->second)
        ++common[other];
  auto best = llvm::max_element(common, [](const auto &a, const auto &b) { return a.second < b.second; });
  return best == common.end() ? -1 : int(best->first);
}

std::map<llvm::StringRef, std::vector<unsigned>> dispatchesByName(const ItemizedProgram &program) {
  std::map<llvm::StringRef, std::vector<unsigned>> byName;
  for (auto [index, dispatch] : llvm::enumerate(program.dispatches))
    for (const std::string &name : dispatch.names)
      byName[name].push_back(index);
  return byName;
}

/// Dispatches whose work has no counterpart, such as one that only lays data out anew, go with those that were made of
/// the same ops of the user's program.
void tieByNames(const ItemizedProgram &a, const ItemizedProgram &b, Relations &relations) {
  auto namesOfA = dispatchesByName(a), namesOfB = dispatchesByName(b);
  std::vector<std::pair<unsigned, unsigned>> found;
  for (auto [index, dispatch] : llvm::enumerate(a.dispatches))
    if (int other = relations.isTied(index) ? -1 : mostAlike(dispatch, namesOfB); other >= 0)
      found.push_back({unsigned(index), unsigned(other)});
  for (auto [index, dispatch] : llvm::enumerate(b.dispatches))
    if (int other = relations.isTiedInB(index) ? -1 : mostAlike(dispatch, namesOfA); other >= 0)
      found.push_back({unsigned(other), unsigned(index)});
  for (auto [inA, inB] : found)
    relations.tie(inA, inB);
}

/// A dispatch that lays data out anew for others, and has no counterpart, goes with the first that reads it. Backwards:
/// one copy may be for another.
template <typename IsTied, typename Join> void tieMoves(const ItemizedProgram &program, IsTied isTied, Join join) {
  for (unsigned index = program.dispatches.size(); index-- > 0;) {
    const ItemizedDispatch &dispatch = program.dispatches[index];
    if (isTied(index) || !dispatch.onlyMoves())
      continue;
    auto reader = llvm::find_if(dispatch.readers, isTied);
    if (reader != dispatch.readers.end())
      join(index, *reader);
  }
}

/// Numbers for the dispatches of a side that are equal.
std::vector<int64_t> numberDispatches(const ItemizedProgram &program, const message::ComparedSide<> &side) {
  std::map<std::tuple<std::string, int64_t, bool, std::vector<int64_t>>, int64_t> known;
  std::vector<int64_t> numbers;
  for (const message::ComparedDispatch<> &dispatch : side.dispatches) {
    std::tuple key(dispatch.name, dispatch.bytes, dispatch.bytesAtMost, program.dispatches[dispatch.index].forms);
    numbers.push_back(known.try_emplace(std::move(key), static_cast<int64_t>(known.size())).first->second);
  }
  return numbers;
}

/// Lists the groups, and numbers the rows by them.
void listGroups(DispatchComparison &comparison, llvm::ArrayRef<int64_t> formsOfA, llvm::ArrayRef<int64_t> formsOfB) {
  using Forms = std::vector<int64_t>;
  auto collect = [](const std::vector<int> &dispatches, llvm::ArrayRef<int64_t> forms) {
    return llvm::to_vector_of<int64_t>(llvm::map_range(dispatches, [forms](int index) { return forms[index]; }));
  };
  auto add = [](int64_t &sum, const message::ComparedSide<> &side, const std::vector<int> &dispatches) {
    for (int index : dispatches)
      sum = plus(sum, side.dispatches[index].bytes);
  };
  std::map<std::tuple<DispatchRelation, Forms, Forms>, int> known;
  for (auto [index, row] : llvm::enumerate(comparison.rows)) {
    auto a = collect(row.a, formsOfA), b = collect(row.b, formsOfB);
    std::tuple key(row.relation, Forms(a.begin(), a.end()), Forms(b.begin(), b.end()));
    auto [group, isNew] = known.try_emplace(std::move(key), static_cast<int>(comparison.groups.size()));
    if (isNew)
      comparison.groups.push_back({.rows = {}, .bytesA = 0, .bytesB = 0});
    row.group = group->second;
    message::ComparedGroup<> &of = comparison.groups[row.group];
    of.rows.push_back(static_cast<int64_t>(index));
    add(of.bytesA, comparison.a, row.a);
    add(of.bytesB, comparison.b, row.b);
  }
}

} // namespace

llvm::Error checkComparable(mlir::ModuleOp module, llvm::StringRef name) {
  auto hasKernels = module->getAttrOfType<mlir::BoolAttr>(kXlaModule);
  if (!hasKernels || hasKernels.getValue())
    return llvm::Error::success();
  return fail(name.str() + " was dumped before XLA formed its kernels; compare the file that ends in "
                           "after_optimizations.txt");
}

DispatchComparison compareDispatches(mlir::ModuleOp a, mlir::ModuleOp b) {
  ItemizedProgram left = itemize(a), right = itemize(b);
  std::vector<const WorkItem *> leftItems = itemsOf(left), rightItems = itemsOf(right);
  Relations relations(left, right);
  for (auto [i, j] : alignItems(leftItems, rightItems))
    relations.connect(leftItems[i]->dispatch, rightItems[j]->dispatch);
  tieByNames(left, right, relations);
  tieMoves(
      left, [&](unsigned index) { return relations.isTied(index); },
      [&](unsigned index, unsigned other) { relations.joinInA(index, other); });
  tieMoves(
      right, [&](unsigned index) { return relations.isTiedInB(index); },
      [&](unsigned index, unsigned other) { relations.joinInB(index, other); });
  DispatchComparison comparison;
  comparison.a = sideOf(left);
  comparison.b = sideOf(right);
  comparison.rows = relations.rows();
  if (isXlaModule(a) && !isXlaModule(b))
    addReasons(comparison, b, right, /*ofB=*/true);
  if (isXlaModule(b) && !isXlaModule(a))
    addReasons(comparison, a, left, /*ofB=*/false);
  listGroups(comparison, numberDispatches(left, comparison.a), numberDispatches(right, comparison.b));
  for (const char *name : message::dispatchRelationNames)
    comparison.counts[name] = 0;
  for (const message::ComparedRow<> &row : comparison.rows)
    ++comparison.counts[message::dispatchRelationNames[size_t(row.relation)]];
  return comparison;
}

} // namespace fuselage
