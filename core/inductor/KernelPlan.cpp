#include "core/inductor/KernelPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <algorithm>
#include <queue>
#include <set>

using llvm::StringRef;

namespace fuselage::inductor {

bool isMovement(const FxNode &node) {
  static const llvm::StringSet<> movements = {
      "alias",
      "as_strided",
      "arange",
      "clone",
      "constant_pad_nd",
      "detach",
      "diagonal",
      "empty",
      "expand",
      "fill",
      "flatten",
      "full",
      "full_like",
      "iota",
      "lift_fresh_copy",
      "ones",
      "permute",
      "reshape",
      "scalar_tensor",
      "select",
      "slice",
      "split",
      "split_with_sizes",
      "squeeze",
      "t",
      "transpose",
      "unbind",
      "unfold",
      "unsqueeze",
      "view",
      "view_as_complex",
      "view_as_real",
      "view_dtype",
      "zeros",
      "empty_strided",
      "ones_like",
      "zeros_like",
      "unsafe_split",
      "movedim",
      "broadcast_in_dim",
      "_unsafe_view",
      "_reshape_alias",
  };
  if (node.target == "get_attr")
    return true;
  StringRef name = StringRef(node.target).split('.').second;
  return movements.contains(name.take_until([](char c) { return c == '.'; }));
}

unsigned baseOf(const FxFunction &function, unsigned value) {
  const FxNode &node = function.valueOf(value);
  return node.item ? node.operands.front() : value;
}

void addViewsOf(const FxFunction &function, const KernelPlan &plan, std::vector<unsigned> &nodes) {
  std::set<unsigned> known(nodes.begin(), nodes.end());
  std::vector<unsigned> pending(nodes);
  while (!pending.empty()) {
    unsigned value = pending.back();
    pending.pop_back();
    for (unsigned operand : function.valueOf(value).operands) {
      operand = baseOf(function, operand);
      if (operand >= function.inputs.size() && plan.home[operand] < 0 && known.insert(operand).second)
        pending.push_back(operand);
    }
  }
  nodes.assign(known.begin(), known.end());
}

namespace {

/// Views are computed again in each kernel that reads them; a graph in which that comes to more than this is made up.
constexpr size_t kMostLooks = 4'000'000;

class Planner {
public:
  Planner(const FxFunction &function, llvm::ArrayRef<InductorKernel> kernels)
      : function_(function), kernels_(kernels), first_(function.inputs.size()),
        values_(function.inputs.size() + function.nodes.size()) {}
  llvm::Expected<KernelPlan> plan();

private:
  void place();
  void addKernel(unsigned kernel, const std::vector<unsigned> &named, const std::vector<int> &library);
  void addLooseNodes();
  void findHomes();
  std::set<unsigned> unitsBefore(const Unit &unit);
  bool order();
  bool cutOne(const std::vector<bool> &done);
  void putInOrder();

  const FxFunction &function_;
  llvm::ArrayRef<InductorKernel> kernels_;
  const unsigned first_, values_;
  KernelPlan plan_;
  std::vector<unsigned> order_; // of units
  size_t looked_ = 0;           // at nodes, for all orders together
};

/// The nodes that each kernel computes.
void Planner::place() {
  llvm::StringMap<unsigned> byName;
  for (unsigned value = first_; value < values_; ++value)
    byName[function_.valueOf(value).name] = value;
  std::vector<std::vector<unsigned>> named(kernels_.size());
  std::vector<int> library(values_, -1); // the kernel of a library that computes a node
  for (auto [index, kernel] : llvm::enumerate(kernels_))
    for (const std::string &name : kernel.nodes)
      if (auto found = byName.find(name); found != byName.end()) {
        unsigned value = baseOf(function_, found->second);
        if (value < first_)
          continue;
        named[index].push_back(value);
        if (!kernel.isGenerated() && library[value] < 0)
          library[value] = static_cast<int>(index);
      }
  for (unsigned index = 0; index < kernels_.size(); ++index)
    addKernel(index, named[index], library);
}

/// What a library's kernel computes, generated ones only prepare.
void Planner::addKernel(unsigned kernel, const std::vector<unsigned> &named, const std::vector<int> &library) {
  if (named.empty())
    return;
  Unit unit{.kernel = static_cast<int>(kernel), .nodes = {}, .prepares = {}};
  std::set<unsigned> nodes;
  for (unsigned value : named)
    if (library[value] < 0 || library[value] == static_cast<int>(kernel))
      nodes.insert(value);
  unit.nodes.assign(nodes.begin(), nodes.end());
  if (nodes.empty()) {
    unit.preparedFor = static_cast<int>(named.front());
    for (unsigned operand : function_.valueOf(named.front()).operands)
      if (operand < first_)
        unit.prepares.push_back(operand);
  }
  plan_.units.push_back(std::move(unit));
}

/// Work that no kernel names stands for itself.
void Planner::addLooseNodes() {
  std::vector<bool> isPlaced(values_);
  for (const Unit &unit : plan_.units)
    for (unsigned value : unit.nodes)
      isPlaced[value] = true;
  for (unsigned value = first_; value < values_; ++value) {
    const FxNode &node = function_.valueOf(value);
    if (isPlaced[value] || node.item || isMovement(node))
      continue;
    plan_.units.push_back({.kernel = -1, .nodes = {value}, .prepares = {}});
    if (!StringRef(node.annotation).starts_with("Sym("))
      plan_.unplaced.push_back(node.name);
  }
}

void Planner::findHomes() {
  plan_.home.assign(values_, -1);
  for (auto [index, unit] : llvm::enumerate(plan_.units))
    for (unsigned value : unit.nodes)
      if (plan_.home[value] < 0)
        plan_.home[value] = static_cast<int>(index);
}

/// The units that a unit reads from.
std::set<unsigned> Planner::unitsBefore(const Unit &unit) {
  std::vector<unsigned> nodes = unit.nodes;
  if (looked_ < kMostLooks)
    addViewsOf(function_, plan_, nodes);
  looked_ += nodes.size();
  std::set<unsigned> own(nodes.begin(), nodes.end()), before;
  for (unsigned value : nodes)
    for (unsigned operand : function_.valueOf(value).operands) {
      operand = baseOf(function_, operand);
      if (!own.count(operand) && plan_.home[operand] >= 0)
        before.insert(static_cast<unsigned>(plan_.home[operand]));
    }
  return before;
}

/// Of the units that can come next, the one whose first node comes first. False: others stand between the nodes of
/// a kernel; one was cut.
bool Planner::order() {
  std::vector<std::vector<unsigned>> readers(plan_.units.size());
  std::vector<size_t> waits(plan_.units.size());
  auto isLater = [&](unsigned a, unsigned b) {
    auto key = [&](unsigned index) {
      const Unit &unit = plan_.units[index];
      return std::pair(unit.nodes.empty() ? unsigned(unit.preparedFor) : unit.nodes.front(), index);
    };
    return key(a) > key(b);
  };
  std::priority_queue<unsigned, std::vector<unsigned>, decltype(isLater)> ready(isLater);
  for (auto [index, unit] : llvm::enumerate(plan_.units)) {
    std::set<unsigned> before = unitsBefore(unit);
    waits[index] = before.size();
    for (unsigned other : before)
      readers[other].push_back(static_cast<unsigned>(index));
    if (before.empty())
      ready.push(static_cast<unsigned>(index));
  }
  order_.clear();
  std::vector<bool> done(plan_.units.size());
  while (!ready.empty()) {
    unsigned next = ready.top();
    ready.pop();
    done[next] = true;
    order_.push_back(next);
    for (unsigned reader : readers[next])
      if (--waits[reader] == 0)
        ready.push(reader);
  }
  return order_.size() == plan_.units.size() || !cutOne(done);
}

/// Cuts the kernel of the first node that is not computed: what can be computed becomes a kernel of its own.
bool Planner::cutOne(const std::vector<bool> &done) {
  int chosen = -1;
  for (unsigned value = first_; value < values_ && chosen < 0; ++value)
    if (int home = plan_.home[value]; home >= 0 && !done[home])
      chosen = home;
  if (chosen < 0)
    return false;
  std::set<unsigned> front;
  auto isThere = [&](unsigned value) {
    std::vector<unsigned> nodes{value};
    addViewsOf(function_, plan_, nodes);
    return llvm::all_of(nodes, [&](unsigned node) {
      return llvm::all_of(function_.valueOf(node).operands, [&](unsigned operand) {
        operand = baseOf(function_, operand);
        int home = plan_.home[operand];
        return home < 0 || done[home] || front.count(operand);
      });
    });
  };
  Unit rest{.kernel = plan_.units[chosen].kernel, .nodes = {}, .prepares = {}};
  for (unsigned value : plan_.units[chosen].nodes)
    if (isThere(value))
      front.insert(value);
    else
      rest.nodes.push_back(value);
  if (front.empty() || rest.nodes.empty())
    return false;
  plan_.units[chosen].nodes.assign(front.begin(), front.end());
  plan_.units.push_back(std::move(rest));
  ++plan_.splits;
  return true;
}

void Planner::putInOrder() {
  std::vector<Unit> units;
  std::vector<int> places(plan_.units.size());
  for (unsigned index : order_) {
    places[index] = static_cast<int>(units.size());
    units.push_back(std::move(plan_.units[index]));
  }
  plan_.units = std::move(units);
  for (int &home : plan_.home)
    home = home < 0 ? home : places[home];
}

llvm::Expected<KernelPlan> Planner::plan() {
  constexpr unsigned mostCuts = 64;
  place();
  addLooseNodes();
  findHomes();
  while (!order())
    if (plan_.splits > mostCuts)
      break;
    else
      findHomes();
  if (looked_ >= kMostLooks)
    return fail("the views in '" + function_.name + "' are read by too many kernels");
  if (order_.size() != plan_.units.size())
    return fail("the kernels of '" + function_.name + "' depend on each other in circles");
  putInOrder();
  return std::move(plan_);
}

} // namespace

llvm::Expected<KernelPlan> planKernels(const FxFunction &function, llvm::ArrayRef<InductorKernel> kernels) {
  return Planner(function, kernels).plan();
}

} // namespace fuselage::inductor
