#include "core/graph/outline/Outline.h"
#include "core/graph/model/FlowIndex.h"
#include "core/graph/model/PartTotals.h"
#include "core/graph/model/RepeatClusters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

namespace fuselage {
namespace {

using message::OutlineKind;
using Row = message::OutlineRow<>;

/// Rows while they are made: in any order, by what stands in them first.
struct Draft {
  Row row;
  int parent = -1;
  size_t place = 0; ///< of its first node
  std::vector<int> children;
  std::vector<int64_t> shapes; ///< of the ops that it is, or of a dispatch is made of
};

class FunctionOutline {
public:
  FunctionOutline(const FunctionGraph &function, const EdgeVerdicts *verdicts, bool withOps)
      : function_(function), flow_(function), parts_(function), verdicts_(verdicts), withOps_(withOps) {}
  std::vector<Draft> build();

private:
  int add(OutlineKind kind, std::string name, std::string label, int parent, size_t place);
  void addScopes();
  void addRepeats();
  void addDispatches();
  void addOps();
  void countMissed();
  void sumUp();
  void numberForms();
  int rowOf(int part) const { return part < 0 ? 0 : ofPart_[part]; }
  int common(int a, int b) const;
  bool isListed(const GraphNode &node) const;

  const FunctionGraph &function_;
  FlowIndex flow_;
  ModelParts parts_;
  const EdgeVerdicts *verdicts_;
  bool withOps_;
  std::vector<Draft> drafts_;
  std::vector<int> ofPart_, ofDispatch_; // rows by part, dispatch; -1: none
  std::vector<int> ofNode_;              // innermost rows
};

int FunctionOutline::add(OutlineKind kind, std::string name, std::string label, int parent, size_t place) {
  Draft draft;
  draft.row.kind = kind;
  draft.row.name = std::move(name);
  draft.row.label = std::move(label);
  if (place < function_.nodes.size())
    draft.row.node = function_.nodes[place].id;
  draft.parent = parent;
  draft.place = place;
  int index = static_cast<int>(drafts_.size());
  if (parent >= 0)
    drafts_[parent].children.push_back(index);
  drafts_.push_back(std::move(draft));
  return index;
}

/// Constants and terminators are no work of the program.
bool FunctionOutline::isListed(const GraphNode &node) const {
  return node.id >= 0 && node.parameter.empty() && node.kind != NodeKind::Constant && node.kind != NodeKind::Empty &&
         node.kind != NodeKind::Return;
}

void FunctionOutline::addScopes() {
  constexpr OutlineKind kinds[] = {OutlineKind::Module, OutlineKind::Stage, OutlineKind::Layer, OutlineKind::Block};
  std::vector<int> inside(function_.scopes.size(), 0); // nodes and scopes right in it
  for (const GraphNode &node : function_.nodes)
    if (node.scope >= 0 && isListed(node) && !node.isLeaf)
      inside[node.scope] += 2;
  for (const GraphScope &scope : function_.scopes)
    if (scope.parent >= 0)
      ++inside[scope.parent];
  for (size_t s = 0; s < function_.scopes.size(); ++s) {
    const GraphScope &scope = function_.scopes[s];
    int parent = rowOf(scope.parent);
    // What holds nothing but one other part is that part.
    if (inside[s] == 1 && scope.kind != GraphScope::Kind::Layer) {
      ofPart_.push_back(parent);
      continue;
    }
    int row = add(kinds[static_cast<int>(scope.kind)], scope.path, scope.label, parent, flow_.indexOf(scope.first));
    drafts_[row].row.cluster = scopeClusterId(scope.first, scope.depth);
    ofPart_.push_back(row);
  }
}

void FunctionOutline::addRepeats() {
  std::vector<bool> hasParts(function_.repeats.size());
  for (const GraphRepeat &repeat : function_.repeats)
    if (repeat.parent >= 0)
      hasParts[repeat.parent] = true;
  for (size_t r = 0; r < function_.repeats.size(); ++r) {
    const GraphRepeat &repeat = function_.repeats[r];
    if (!repeat.names.empty())
      continue; // they are scopes
    int around = flow_.indexOf(repeat.first), parent = rowOf(parts_.parent(parts_.ofInstance(r, 0)));
    // Where ops have no rows, handfuls of them would be as many.
    constexpr size_t handful = 16;
    if (!withOps_ && !hasParts[r] && repeat.instances.front().size() < handful) {
      ofPart_.insert(ofPart_.end(), repeat.instances.size(), parent);
      continue;
    }
    for (size_t i = 0; i < repeat.instances.size(); ++i) {
      const std::vector<OpId> &nodes = repeat.instances[i];
      // Its constants may stand at the beginning of the function.
      auto flows =
          llvm::find_if(nodes, [&](OpId id) { return flow_.indexOf(id) >= 0 && flow_.isFlow(flow_.indexOf(id)); });
      int first = flows == nodes.end() ? around : flow_.indexOf(*flows);
      std::string label = instanceName(repeat, i);
      ofPart_.push_back(add(OutlineKind::Layer, label + "  " + repeat.label, label, parent, first < 0 ? 0 : first));
      drafts_[ofPart_.back()].row.cluster = repeatClusterId(repeat, RepeatPart::Instance, i);
      if (i > 0)
        drafts_[ofPart_.back()].row.outside = repeatClusterId(repeat, RepeatPart::Others);
    }
  }
}

int FunctionOutline::common(int a, int b) const {
  if (a < 0 || b < 0)
    return std::max(a, b);
  while (a != b) // a row comes after the one around it
    (a > b ? a : b) = drafts_[std::max(a, b)].parent;
  return a;
}

void FunctionOutline::addDispatches() {
  size_t count = function_.dispatches.size();
  std::vector<size_t> first(count, SIZE_MAX);
  for (size_t n = 0; n < function_.nodes.size(); ++n) {
    int dispatch = function_.nodes[n].dispatch;
    if (dispatch >= 0 && function_.nodes[n].id >= 0)
      first[dispatch] = std::min(first[dispatch], n);
  }
  std::vector<OpId> cluster(count, -1), root(count, -1);
  for (const GraphCluster &box : function_.clusters)
    if (box.kind == GraphCluster::Kind::Dispatch && box.dispatch >= 0) {
      cluster[box.dispatch] = box.id;
      root[box.dispatch] = isPlannedCluster(box.id) ? plannedClusterBase - box.id : box.id;
    }
  ofDispatch_.assign(count, -1);
  for (size_t d = 0; d < count; ++d) {
    const GraphDispatch &dispatch = function_.dispatches[d];
    if (first[d] == SIZE_MAX)
      continue; // it has no ops
    int index = add(OutlineKind::Dispatch, dispatch.name, dispatch.name, rowOf(parts_.ofDispatch(d)), first[d]);
    Row &row = drafts_[index].row;
    if (root[d] >= 0)
      row.node = root[d];
    row.cluster = cluster[d] == -1 ? row.node : cluster[d];
    const PartTotals totals = totalsOf(dispatch);
    row.dispatches = totals.dispatches;
    row.bytes = totals.bytes();
    row.bytesAtMost = totals.bytesAtMost;
    row.flops = totals.flops;
    row.loc = dispatch.loc;
    for (OpId node : dispatch.nodes)
      if (int at = flow_.indexOf(node); at >= 0)
        drafts_[index].shapes.push_back(function_.nodes[at].shape);
    ofDispatch_[d] = index;
  }
}

void FunctionOutline::addOps() {
  ofNode_.assign(function_.nodes.size(), -1);
  for (size_t n = 0; n < function_.nodes.size(); ++n) {
    const GraphNode &node = function_.nodes[n];
    if (node.id < 0)
      continue;
    int around =
        node.dispatch >= 0 && ofDispatch_[node.dispatch] >= 0 ? ofDispatch_[node.dispatch] : rowOf(parts_.ofNode(n));
    bool isDispatchItself = drafts_[around].row.node == node.id && node.kind == NodeKind::Dispatch;
    // An op with a body is not in itself.
    drafts_[isDispatchItself ? drafts_[around].parent : around].row.ops += 1;
    ofNode_[n] = around;
    if (!isListed(node))
      continue;
    // A fill between layers is part of whatever reads it.
    if (!withOps_ || isDispatchItself || (node.isLeaf && node.dispatch < 0))
      continue;
    int index = add(OutlineKind::Op, node.label.str(), node.label.str(), around, n);
    drafts_[index].row.cluster = node.id;
    drafts_[index].row.flops = node.flops;
    drafts_[index].row.bytes = node.bytesRead < 0 || node.bytesWritten < 0 ? -1 : node.bytesRead + node.bytesWritten;
    drafts_[index].row.bytesAtMost = node.bytesAtMost;
    drafts_[index].shapes = {node.shape};
  }
}

/// What is missed between two rows is missed in the innermost one around both.
void FunctionOutline::countMissed() {
  if (!verdicts_)
    return;
  for (const GraphEdge &edge : function_.edges) {
    auto known = verdicts_->looks.find({edge.from, edge.to, edge.operand});
    if (known == verdicts_->looks.end() || known->second == EdgeLook::Fused)
      continue;
    int from = flow_.indexOf(edge.from), to = flow_.indexOf(edge.to);
    if (from >= 0 && to >= 0 && ofNode_[from] >= 0 && ofNode_[to] >= 0)
      ++drafts_[common(ofNode_[from], ofNode_[to])].row.missed;
  }
}

/// Unknown numbers stay unknown.
static void addTo(int64_t &sum, int64_t part) { sum = sum < 0 || part < 0 ? -1 : sum + part; }

void FunctionOutline::sumUp() {
  for (size_t at = drafts_.size(); at-- > 1;) {
    const Row &row = drafts_[at].row;
    if (row.kind == OutlineKind::Op)
      continue; // the row around it knows
    Row &around = drafts_[drafts_[at].parent].row;
    around.ops += row.ops;
    around.dispatches += row.dispatches;
    around.missed += row.missed;
    addTo(around.bytes, row.bytes);
    addTo(around.flops, row.flops);
    around.bytesAtMost |= row.bytesAtMost;
  }
}

/// Numbers the rows by what they are and what is in them. The numbers of layers and of other parts are names only.
void FunctionOutline::numberForms() {
  std::map<std::pair<std::vector<int64_t>, std::string>, int> known;
  for (size_t at = drafts_.size(); at-- > 1;) { // what is in a row comes after it
    Draft &draft = drafts_[at];
    Row &row = draft.row;
    std::vector<int64_t> key{static_cast<int64_t>(row.kind),
                             row.ops,
                             row.dispatches,
                             row.missed,
                             row.bytes,
                             row.flops,
                             row.bytesAtMost,
                             static_cast<int64_t>(draft.shapes.size())};
    llvm::append_range(key, draft.shapes);
    for (int child : draft.children)
      key.push_back(drafts_[child].row.form);
    std::string name;
    bool isPart = row.kind == OutlineKind::Module || row.kind == OutlineKind::Stage || row.kind == OutlineKind::Block;
    if (isPart)
      llvm::copy_if(row.label, std::back_inserter(name), [](char c) { return !llvm::isDigit(c); });
    row.form = known.try_emplace({std::move(key), std::move(name)}, static_cast<int>(known.size())).first->second;
  }
}

std::vector<Draft> FunctionOutline::build() {
  add(OutlineKind::Function, function_.name, function_.name.empty() ? "module" : "@" + function_.name, -1,
      function_.nodes.size());
  drafts_[0].row.node = function_.id;
  drafts_[0].row.cluster = function_.id;
  addScopes();
  addRepeats();
  addDispatches();
  addOps();
  countMissed();
  sumUp();
  for (Draft &draft : drafts_)
    llvm::stable_sort(draft.children, [&](int a, int b) { return drafts_[a].place < drafts_[b].place; });
  numberForms();
  return std::move(drafts_);
}

/// Appends the tree of drafts below a row. Of a module whose ops are all in dispatches with others there is no row.
void append(std::vector<Draft> drafts, int parent, std::vector<Row> &rows) {
  std::vector<std::pair<int, int>> open{{0, parent}}; // draft, row around it
  while (!open.empty()) {
    auto [draft, around] = open.back();
    open.pop_back();
    Row &row = rows.emplace_back(std::move(drafts[draft].row));
    row.id = static_cast<int>(rows.size()) - 1;
    row.parent = around;
    int id = row.id;
    for (int child : llvm::reverse(drafts[draft].children))
      if (drafts[child].row.ops > 0 || drafts[child].row.kind == OutlineKind::Op)
        open.emplace_back(child, id);
  }
}

} // namespace

message::Outline<> outlineOf(const Graph &graph, const EdgeVerdicts *verdicts) {
  constexpr size_t mostOps = 20'000;
  message::Outline<> outline;
  outline.judged = verdicts != nullptr;
  llvm::StringSet<> called;
  size_t nodes = 0;
  for (const FunctionGraph &function : graph.functions) {
    nodes += function.nodes.size();
    if (!function.outlined)
      for (const GraphDispatch &dispatch : function.dispatches)
        called.insert(dispatch.function);
  }
  Row module;
  module.name = module.label = "module";
  outline.rows.push_back(module);
  for (const FunctionGraph &function : graph.functions) {
    if (function.outlined && called.contains(function.name))
      continue;
    size_t at = outline.rows.size();
    append(FunctionOutline(function, verdicts, nodes <= mostOps).build(), 0, outline.rows);
    Row &all = outline.rows.front();
    const Row &row = outline.rows[at];
    all.ops += row.ops;
    all.dispatches += row.dispatches;
    all.missed += row.missed;
    all.bytesAtMost |= row.bytesAtMost;
    addTo(all.bytes, row.bytes);
    addTo(all.flops, row.flops);
  }
  return outline;
}

} // namespace fuselage
