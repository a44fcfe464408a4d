#include "core/analysis/gate/ReportPairs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>
#include <map>

namespace fuselage {

using message::FusionOp;

EdgeStatus statusOf(const FusionReportEdge &edge) {
  if (edge.verdict != message::FusionVerdict::Separate)
    return EdgeStatus::Fused;
  return edge.missed ? EdgeStatus::Missed : EdgeStatus::Apart;
}

IndexedReport::IndexedReport(const message::FusionReport<> &report) : report(report) {
  for (const FusionOp<> &op : report.ops)
    ops[op.op] = &op;
  for (const auto &[number, dispatch] : llvm::enumerate(report.dispatches))
    for (int64_t op : dispatch.ops)
      dispatches[op] = static_cast<int>(number);
}

const FusionOp<> *IndexedReport::op(int64_t id) const { return ops.lookup(id); }

int IndexedReport::dispatchOf(int64_t id) const {
  auto found = dispatches.find(id);
  return found == dispatches.end() ? -1 : found->second;
}

namespace {

/// Keys of one kind, from the most exact to the loosest. An empty key pairs with nothing.
template <class Item> using Levels = std::vector<std::function<std::string(const IndexedReport &, const Item &)>>;

/// What an edge's key is made of; members of the op are empty where the report has none.
struct Ends {
  Ends(const IndexedReport &side, const FusionReportEdge &edge) : from(side.op(edge.from)), to(side.op(edge.to)) {}
  bool areKnown() const { return from && to; }
  const FusionOp<> *from, *to;
};

} // namespace

static std::string keyOf(std::initializer_list<llvm::StringRef> parts) { return llvm::join(parts, "\n"); }

/// A level of edges whose ends are known, with and without the name of the function.
template <class Make> static void addLevel(Levels<FusionReportEdge> &levels, const Make &make) {
  levels.push_back([make](const IndexedReport &side, const FusionReportEdge &edge) {
    Ends ends(side, edge);
    return ends.areKnown() ? edge.function + "\n" + make(ends, edge) : std::string();
  });
  levels.push_back([make](const IndexedReport &side, const FusionReportEdge &edge) {
    Ends ends(side, edge);
    return ends.areKnown() ? make(ends, edge) : std::string();
  });
}

static Levels<FusionReportEdge> edgeLevels() {
  using Edge = FusionReportEdge;
  Levels<Edge> levels;
  addLevel(levels, [](const Ends &ends, const Edge &edge) {
    return keyOf({ends.from->above, ends.from->below, ends.to->above, ends.to->below, std::to_string(edge.operand)});
  });
  addLevel(levels, [](const Ends &ends, const Edge &edge) {
    return keyOf({ends.from->above, ends.to->form, std::to_string(edge.operand)});
  });
  addLevel(levels, [](const Ends &ends, const Edge &edge) {
    return keyOf({ends.from->form, ends.to->below, std::to_string(edge.operand)});
  });
  addLevel(levels, [](const Ends &ends, const Edge &edge) {
    return keyOf({ends.from->near, ends.to->near, std::to_string(edge.operand)});
  });
  // One end is another op now: the other end, and what lies beyond it, is as it was.
  addLevel(levels, [](const Ends &ends, const Edge &edge) { return keyOf({ends.from->above, edge.toOp}); });
  addLevel(levels, [](const Ends &ends, const Edge &edge) { return keyOf({edge.fromOp, ends.to->below}); });
  addLevel(levels, [](const Ends &ends, const Edge &) { return keyOf({ends.from->form, ends.to->form}); });
  addLevel(levels, [](const Ends &ends, const Edge &edge) { return keyOf({ends.from->form, edge.toOp}); });
  addLevel(levels, [](const Ends &ends, const Edge &edge) { return keyOf({edge.fromOp, ends.to->form}); });
  levels.push_back([](const IndexedReport &, const Edge &edge) {
    return keyOf({edge.function, edge.fromOp, edge.toOp, edge.type, std::to_string(edge.operand)});
  });
  levels.push_back([](const IndexedReport &, const Edge &edge) {
    return keyOf({edge.fromOp, edge.toOp, edge.type, std::to_string(edge.operand)});
  });
  levels.push_back([](const IndexedReport &, const Edge &edge) {
    return keyOf({edge.function, edge.fromOp, edge.toOp});
  });
  return levels;
}

static Levels<FusionOp<>> opLevels() {
  Levels<FusionOp<>> levels;
  levels.push_back([](const IndexedReport &, const FusionOp<> &op) { return keyOf({op.above, op.below}); });
  levels.push_back([](const IndexedReport &, const FusionOp<> &op) { return op.above; });
  levels.push_back([](const IndexedReport &, const FusionOp<> &op) { return op.below; });
  levels.push_back([](const IndexedReport &, const FusionOp<> &op) { return op.near; });
  return levels;
}

/// Pairs items of equal keys that `mayPair`, in order. `baseOf` and `nowOf` are partners by index.
template <class Item, class MayPair>
static void pairLevel(const IndexedReport &base, const std::vector<Item> &baseItems, const IndexedReport &now,
                      const std::vector<Item> &nowItems,
                      const std::function<std::string(const IndexedReport &, const Item &)> &level,
                      const MayPair &mayPair, std::vector<int> &baseOf, std::vector<int> &nowOf) {
  std::map<std::string, std::vector<int>> open;
  for (size_t index = 0; index < baseItems.size(); ++index)
    if (nowOf[index] < 0)
      if (std::string key = level(base, baseItems[index]); !key.empty())
        open[key].push_back(static_cast<int>(index));
  if (open.empty())
    return;
  for (size_t index = 0; index < nowItems.size(); ++index) {
    if (baseOf[index] >= 0)
      continue;
    auto found = open.find(level(now, nowItems[index]));
    if (found == open.end())
      continue;
    auto partner =
        llvm::find_if(found->second, [&](int candidate) { return mayPair(baseItems[candidate], nowItems[index]); });
    if (partner == found->second.end())
      continue;
    baseOf[index] = *partner;
    nowOf[*partner] = static_cast<int>(index);
    found->second.erase(partner);
  }
}

static void pairEdges(const IndexedReport &base, const IndexedReport &now, ReportPairs &pairs) {
  pairs.nowOfEdge.assign(base.report.edges.size(), -1);
  pairs.baseOfEdge.assign(now.report.edges.size(), -1);
  auto haveSameStatus = [](const FusionReportEdge &a, const FusionReportEdge &b) { return statusOf(a) == statusOf(b); };
  auto always = [](const FusionReportEdge &, const FusionReportEdge &) { return true; };
  for (const auto &level : edgeLevels()) {
    pairLevel(base, base.report.edges, now, now.report.edges, level, haveSameStatus, pairs.baseOfEdge, pairs.nowOfEdge);
    pairLevel(base, base.report.edges, now, now.report.edges, level, always, pairs.baseOfEdge, pairs.nowOfEdge);
  }
}

/// Ops at the ends of paired edges are the same; others by themselves.
static void pairOps(const IndexedReport &base, const IndexedReport &now, ReportPairs &pairs) {
  auto note = [&](int64_t baseOp, int64_t nowOp) {
    if (!pairs.nowOp.count(baseOp) && !pairs.baseOp.count(nowOp)) {
      pairs.nowOp[baseOp] = nowOp;
      pairs.baseOp[nowOp] = baseOp;
    }
  };
  const std::vector<FusionOp<>> &baseOps = base.report.ops, &nowOps = now.report.ops;
  std::vector<int> baseOf(nowOps.size(), -1), nowOf(baseOps.size(), -1);
  auto always = [](const FusionOp<> &, const FusionOp<> &) { return true; };
  for (const auto &level : opLevels())
    pairLevel(base, baseOps, now, nowOps, level, always, baseOf, nowOf);
  for (const auto &[index, partner] : llvm::enumerate(nowOf))
    if (partner >= 0)
      note(baseOps[index].op, nowOps[partner].op);
  for (const auto &[index, partner] : llvm::enumerate(pairs.nowOfEdge))
    if (partner >= 0) {
      note(base.report.edges[index].from, now.report.edges[partner].from);
      note(base.report.edges[index].to, now.report.edges[partner].to);
    }
}

ReportPairs pairReports(const IndexedReport &base, const IndexedReport &now) {
  ReportPairs pairs;
  pairEdges(base, now, pairs);
  pairOps(base, now, pairs);
  return pairs;
}

} // namespace fuselage
