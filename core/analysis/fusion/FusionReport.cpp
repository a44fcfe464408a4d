#include "core/analysis/fusion/FusionReport.h"
#include "core/analysis/fusion/FusionBodies.h"
#include "core/analysis/fusion/FusionRemarks.h"
#include "core/analysis/meshes/MeshReport.h"
#include "core/dialects/decoders/DispatchPrograms.h"
#include "core/dialects/decoders/InductorOps.h"
#include "core/dialects/decoders/XlaOps.h"
#include "core/dialects/sharding/ReadCollective.h"
#include "core/dialects/tolerant/TolerantOp.h"
#include "core/ir/Session.h"
#include "core/ir/layers/EqualOps.h"
#include "core/ir/module/SharedContext.h"
#include "core/support/CostArithmetic.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <map>

using namespace mlir;

namespace fuselage {

/// JSON wants valid UTF-8; names in IR may hold any bytes.
static std::string asUtf8(std::string text) {
  return llvm::json::isUTF8(text) ? std::move(text) : llvm::json::fixUTF8(text);
}

namespace {

/// What texts are made of again and again; a thread has its own.
class Words {
public:
  const std::string &of(Type type) {
    return text(types_, type, [&] { return debugString(type); });
  }
  const std::string &of(AffineMap map) {
    return text(maps_, map, [&] { return debugString(map); });
  }
  const std::string &locationOf(Operation *op) {
    return text(locations_, op, [&] { return formatPosition(positionOf(op->getLoc())); });
  }

private:
  /// JSON wants valid UTF-8; names in IR may hold any bytes.
  template <typename Key>
  static const std::string &text(llvm::DenseMap<Key, std::string> &known, Key key,
                                 llvm::function_ref<std::string()> make) {
    auto [entry, isNew] = known.try_emplace(key);
    if (isNew)
      entry->second = asUtf8(make());
    return entry->second;
  }

  llvm::DenseMap<Type, std::string> types_;
  llvm::DenseMap<AffineMap, std::string> maps_;
  llvm::DenseMap<Operation *, std::string> locations_;
};

class Reporter {
public:
  Reporter(ModuleOp module, FusionReport &report) : module_(module), report_(report) {
    OpId next = 0;
    module->walk<WalkOrder::PreOrder>([&](Operation *op) { ids_[op] = next++; });
  }
  void add(const BodyVerdicts &body);

private:
  int64_t addEdges(const BodyVerdicts &body, const std::string &function, int64_t total);
  bool judgeEdge(const EdgeVerdict &edge, const BodyVerdicts &body, int64_t total, FusionEdgeReport &entry);
  void writeEdge(const EdgeVerdict &edge, FusionEdgeReport &entry, Words &words) const;
  FusionReasonReport describe(const Refusal &refusal, std::optional<bool> isLegal, Words &words) const;
  void addMoves(Operation &op, FusionReasonReport &reason) const;
  void prepareMoves(const BodyVerdicts &body);
  bool isOutlined(Operation *op);
  void noteDispatch(const JudgedDispatch &dispatch);
  int groupOf(const EdgeVerdict &edge, bool isMissed, const std::string &function);

  /// What makes two edges the same: numbers and texts, in a fixed order.
  using Key = std::pair<std::vector<int64_t>, std::vector<std::string>>;

  ModuleOp module_;
  FusionReport &report_;
  std::unique_ptr<const CollectiveMoves> moves_; ///< made where a collective stands between two ops
  SymbolTableCollection symbols_;
  llvm::DenseMap<Operation *, OpId> ids_;
  Words words_;
  EqualOps equal_;
  std::map<Key, int> groups_, dispatchForms_;
  llvm::DenseMap<Operation *, int> dispatchOf_; ///< the number of the form of the dispatch that an op is in
};

} // namespace

static std::string nameOf(Operation *op) { return asUtf8(op->getName().getStringRef().str()); }

FusionReasonReport Reporter::describe(const Refusal &refusal, std::optional<bool> isLegal, Words &words) const {
  const FusionReasonInfo &info = infoOf(refusal.reason);
  const FusionEvidence &evidence = refusal.evidence;
  FusionReasonReport reason{.code = info.code.str(),
                            .kind = refusal.kind ? infoOf(*refusal.kind).code.str() : "",
                            .sentence = info.sentence.str(),
                            .detail = asUtf8(describeEvidence(refusal)),
                            .legal = info.legal ? std::optional(true) : isLegal,
                            .evidence = {}};
  reason.evidence.clash = evidence.clash;
  reason.evidence.count = evidence.count;
  reason.evidence.limit = evidence.limit;
  if (evidence.producerMap)
    reason.evidence.producerMap = words.of(evidence.producerMap);
  if (evidence.consumerMap)
    reason.evidence.consumerMap = words.of(evidence.consumerMap);
  if (evidence.culprit) {
    reason.evidence.culprit = ids_.lookup(evidence.culprit);
    reason.evidence.culpritOp = fuselage::nameOf(evidence.culprit);
  }
  for (Operation *user : evidence.users)
    reason.evidence.users.push_back(ids_.lookup(user));
  if (refusal.reason == FusionReason::CollectiveBetween)
    addMoves(*evidence.culprit, reason);
  return reason;
}

/// Edges are written on two threads, which share what is known of the module's meshes.
void Reporter::prepareMoves(const BodyVerdicts &body) {
  auto isCollectiveEdge = [](const EdgeVerdict &edge) {
    return llvm::any_of(edge.refusals,
                        [](const Refusal &refusal) { return refusal.reason == FusionReason::CollectiveBetween; });
  };
  if (!moves_ && llvm::any_of(body.edges, isCollectiveEdge))
    moves_ = std::make_unique<CollectiveMoves>(module_);
}

/// Who exchanges data in the collective, and past which ops it may be moved.
void Reporter::addMoves(Operation &op, FusionReasonReport &reason) const {
  std::optional<Collective> collective = readCollective(&op);
  if (!collective || !moves_)
    return;
  std::string groups = groupsOf(*collective, moves_->shardings(), moves_->devices()).str();
  reason.detail = asUtf8(std::string(collectiveName(collective->kind)) + (groups.empty() ? "" : " " + groups) + ": " +
                         displayName(&op));
  for (const CollectiveMove &move : moves_->find(*collective)) {
    reason.evidence.moves.push_back(moveMessage(
        move, [&](Operation *each) { return ids_.lookup(each); }, displayName));
    reason.detail += "; " + reason.evidence.moves.back().sentence;
  }
}

/// Calls of dispatches: the functions that they run are made, and no two of them become one.
bool Reporter::isOutlined(Operation *op) {
  if (decode(op).role == OpRole::DispatchCall)
    return true;
  auto call = dyn_cast<func::CallOp>(op);
  auto callee =
      call ? symbols_.lookupNearestSymbolFrom<FunctionOpInterface>(op, call.getCalleeAttr()) : FunctionOpInterface();
  return callee && isDispatch(callee);
}

/// Numbers the dispatch by its name, its bytes and its ops, for the ops in it.
void Reporter::noteDispatch(const JudgedDispatch &dispatch) {
  Key key{{dispatch.bytes, static_cast<int64_t>(dispatch.kind)}, {dispatch.name}};
  for (Operation *op : dispatch.ops)
    key.first.push_back(equal_.of(op));
  int number = dispatchForms_.try_emplace(std::move(key), static_cast<int>(dispatchForms_.size())).first->second;
  for (Operation *op : dispatch.ops)
    op->walk([&](Operation *inner) { dispatchOf_[inner] = number; });
}

int Reporter::groupOf(const EdgeVerdict &edge, bool isMissed, const std::string &function) {
  auto formOf = [&](Operation *op) { return op ? static_cast<int64_t>(equal_.of(op)) : -1; };
  auto dispatchOf = [&](Operation *op) {
    auto found = dispatchOf_.find(op);
    return found == dispatchOf_.end() ? -1 : found->second;
  };
  Key key{{formOf(edge.from), formOf(edge.to), edge.operand, static_cast<int64_t>(edge.verdict), isMissed, edge.bytes,
           edge.isLegal() ? *edge.isLegal() : -1, dispatchOf(edge.from), dispatchOf(edge.to),
           edge.edge.value.getResultNumber()},
          {function}};
  for (const Refusal &refusal : edge.refusals) {
    const FusionEvidence &evidence = refusal.evidence;
    auto identity = [](AffineMap map) { return reinterpret_cast<int64_t>(map.getAsOpaquePointer()); };
    llvm::append_range(key.first, std::initializer_list<int64_t>{
                                      static_cast<int64_t>(refusal.reason), refusal.kind ? int64_t(*refusal.kind) : -1,
                                      evidence.clash, evidence.count, evidence.limit, formOf(evidence.culprit),
                                      static_cast<int64_t>(evidence.users.size()), identity(evidence.producerMap),
                                      identity(evidence.consumerMap)});
  }
  for (StringRef name : edge.proven)
    key.second.push_back(name.str());
  return groups_.try_emplace(std::move(key), static_cast<int>(groups_.size())).first->second;
}

/// An edge that could share loops, or might after a transform, is none that cannot be fused until some were tried.
static message::FusionState stateOf(const EdgeVerdict &edge, bool isMissed, bool isProven) {
  using enum message::FusionState;
  if (edge.verdict != Verdict::Separate)
    return Fused;
  if (!isMissed)
    return None;
  if (!edge.proven.empty())
    return Possible;
  if (!isProven)
    return NotTried;
  return edge.isLegal() == false || edge.tried.empty() ? Impossible : Tried;
}

/// XLA decided about its own instructions.
static bool isOfXla(const EdgeVerdict &edge) { return isXlaOp(edge.from) || isXlaOp(edge.to); }

/// Of an edge that is decided.
static std::string whoDecided(const EdgeVerdict &edge) {
  if (isOfXla(edge))
    return "decided by XLA, whose dump does not say why";
  return isInductorOp(edge.to) ? inductorReason(edge.to, edge.operand) : "decided in step Form dispatches";
}

/// What a report says of an edge in numbers. True: it was decided when the dispatches were formed.
bool Reporter::judgeEdge(const EdgeVerdict &edge, const BodyVerdicts &body, int64_t total, FusionEdgeReport &entry) {
  entry.from = ids_.lookup(edge.from);
  entry.to = ids_.lookup(edge.to);
  entry.operand = edge.operand;
  entry.verdict = edge.verdict;
  entry.legal = edge.isLegal();
  for (StringRef name : edge.proven)
    entry.unlocks.push_back(name.str());
  for (StringRef name : edge.tried)
    entry.tried.push_back(name.str());
  entry.bytes = edge.bytes;
  entry.microseconds = estimateMicroseconds(edge.bytes, report_.gbps);
  // Of what the dispatches move: what an op of no dispatch moves is no part of that.
  bool isPart = edge.bytes >= 0 && total >= 0 && edge.bytes <= total;
  entry.share = !isPart ? -1 : total == 0 ? 0 : static_cast<double>(edge.bytes) / total;
  // Nobody knows how much is something, too; what moves no bytes is no loss, and what was decided before cannot be
  // missed.
  bool isDecided =
      edge.verdict == Verdict::Separate && (isOutlined(edge.from) || isOutlined(edge.to) || isOfXla(edge) ||
                                            isInductorOp(edge.from) || isInductorOp(edge.to));
  entry.missed = edge.verdict == Verdict::Separate && edge.bytes != 0 && !isDecided;
  entry.state = stateOf(edge, entry.missed, body.isProven);
  entry.group = groupOf(edge, entry.missed, entry.function);
  return isDecided;
}

/// What it says of it in words.
void Reporter::writeEdge(const EdgeVerdict &edge, FusionEdgeReport &entry, Words &words) const {
  entry.fromOp = fuselage::nameOf(edge.from);
  entry.toOp = fuselage::nameOf(edge.to);
  entry.fromLoc = words.locationOf(edge.from);
  entry.toLoc = words.locationOf(edge.to);
  entry.type = words.of(edge.edge.value.getType());
  for (const Refusal &refusal : edge.refusals)
    entry.reasons.push_back(describe(refusal, edge.isLegal(), words));
}

/// Of many edges, another thread writes the words meanwhile, and both what is left then. The tables for numbers and
/// groups are this thread's, and words are each thread's own; both read `ids_`. Returns the least that the function has
/// to move (leastBytes).
int64_t Reporter::addEdges(const BodyVerdicts &body, const std::string &function, int64_t total) {
  constexpr size_t many = 2000, taken = 64;
  std::vector<FusionEdgeReport> entries(body.edges.size());
  std::vector<size_t> decided;
  std::atomic<size_t> next = 0;
  int64_t least = 0;
  auto write = [&](Words &words) {
    for (size_t begin = next.fetch_add(taken); begin < entries.size(); begin = next.fetch_add(taken))
      for (size_t at = begin; at < std::min(begin + taken, entries.size()); ++at)
        writeEdge(body.edges[at], entries[at], words);
  };
  auto judge = [&] {
    least = leastBytes(*body.function);
    for (size_t at = 0; at < entries.size(); ++at) {
      entries[at].function = function;
      if (judgeEdge(body.edges[at], body, total, entries[at]))
        decided.push_back(at);
    }
    write(words_);
  };
  Words others;
  if (entries.size() >= many)
    runBoth(*body.function->getContext(), judge, [&] { write(others); });
  else
    judge();
  for (size_t at : decided)
    for (FusionReasonReport &reason : entries[at].reasons)
      reason.detail = whoDecided(body.edges[at]);
  report_.edges.insert(report_.edges.end(), std::make_move_iterator(entries.begin()),
                       std::make_move_iterator(entries.end()));
  return least;
}

void Reporter::add(const BodyVerdicts &body) {
  auto symbol = body.function->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  std::string function = symbol ? asUtf8(symbol.getValue().str()) : "";
  int64_t total = 0;
  llvm::SmallPtrSet<Operation *, 32> counted;
  for (const JudgedDispatch &dispatch : body.dispatches) {
    counted.insert_range(dispatch.ops);
    noteDispatch(dispatch);
    FusionDispatchReport entry{.function = function,
                               .name = asUtf8(dispatch.name),
                               .kind = dispatchKindName(dispatch.kind).str(),
                               .root = dispatch.root ? ids_.lookup(dispatch.root) : -1,
                               .ops = {},
                               .bytes = dispatch.bytes,
                               .bytesAtMost = dispatch.bytesAtMost};
    report_.totals.bytesAtMost |= dispatch.bytesAtMost;
    for (Operation *op : dispatch.ops)
      entry.ops.push_back(ids_.lookup(op));
    llvm::sort(entry.ops);
    report_.dispatches.push_back(std::move(entry));
    total = plus(total, dispatch.bytes);
  }
  prepareMoves(body);
  const size_t first = report_.edges.size();
  const int64_t least = addEdges(body, function, total);
  FusionTotals &totals = report_.totals;
  int64_t savable = totals.missedBytes >= 0 && total >= 0 ? std::max<int64_t>(0, total - least) : -1;
  totals.missedBytes = savable < 0 ? -1 : plus(totals.missedBytes, savable);
  totals.bytes = plus(totals.bytes, total);
  bool anyMissed = false, anyDecided = false, anyUncounted = false;
  for (const auto &[number, edge] : llvm::enumerate(body.edges)) {
    bool isMissed = report_.edges[first + number].missed;
    anyMissed |= isMissed;
    anyDecided |= isOutlined(edge.from) || isOutlined(edge.to);
    anyUncounted |= isMissed && !counted.contains(edge.from) && !counted.contains(edge.to);
  }
  if (anyUncounted) // between ops of no dispatch: what those move is in no sum
    totals.missedBytes = savable = -1;
  // All that moves was decided before, or there is nothing that a dispatch could be fused with.
  bool isAlone = body.dispatches.size() < 2;
  if ((anyDecided || isAlone) && !anyMissed && savable > 0)
    totals.missedBytes -= savable;
  if (!body.isProven)
    report_.unproven.push_back(function);
}

int64_t costRank(const FusionEdgeReport &edge, int64_t bytes) { return edge.verdict == Verdict::Separate ? bytes : -2; }

/// Lists the groups, what saves most first, and numbers them anew.
static void listGroups(FusionReport &report) {
  std::map<int, size_t> places;
  std::vector<FusionGroupReport> groups;
  for (auto [index, edge] : llvm::enumerate(report.edges)) {
    auto [place, isNew] = places.try_emplace(edge.group, groups.size());
    if (isNew)
      groups.push_back({.edges = {}, .bytes = 0, .microseconds = -1, .share = 0, .layers = {}});
    FusionGroupReport &group = groups[place->second];
    group.edges.push_back(static_cast<int64_t>(index));
    group.bytes = plus(group.bytes, edge.bytes);
    group.share = group.share < 0 || edge.share < 0 ? -1 : group.share + edge.share;
  }
  for (FusionGroupReport &group : groups)
    group.microseconds = estimateMicroseconds(group.bytes, report.gbps);
  auto rank = [&](const FusionGroupReport &group) { return costRank(report.edges[group.edges.front()], group.bytes); };
  llvm::stable_sort(groups, [&](const auto &a, const auto &b) { return rank(a) > rank(b); });
  for (auto [number, group] : llvm::enumerate(groups))
    for (int64_t edge : group.edges)
      report.edges[edge].group = static_cast<int>(number);
  report.groups = std::move(groups);
}

void summarize(FusionReport &report) {
  listGroups(report);
  FusionTotals &totals = report.totals;
  FusionTotals counted{.dispatches = int64_t(report.dispatches.size()), .edges = int64_t(report.edges.size())};
  for (const FusionEdgeReport &edge : report.edges) {
    counted.fusedIntoOp += edge.verdict == Verdict::FusedIntoOp;
    counted.sameDispatch += edge.verdict == Verdict::SameDispatch;
    counted.cloned += edge.verdict == Verdict::Cloned;
    counted.separate += edge.verdict == Verdict::Separate;
    counted.missed += edge.missed;
    counted.canBeFused += edge.state == message::FusionState::Possible;
    counted.triedWithoutSuccess += edge.state == message::FusionState::Tried;
    counted.notTried += edge.state == message::FusionState::NotTried;
    counted.cannotBeFused += edge.state == message::FusionState::Impossible;
  }
  counted.bytes = totals.bytes;
  counted.bytesAtMost = totals.bytesAtMost;
  counted.missedBytes = totals.missedBytes;
  counted.missedMicroseconds = estimateMicroseconds(totals.missedBytes, report.gbps);
  totals = counted;
}

FusionReport reportFusion(ModuleOp module, llvm::ArrayRef<BodyVerdicts> bodies, const FusionPolicy &policy,
                          double gbps) {
  FusionReport report;
  report.policy = policy.name;
  report.gbps = gbps;
  report.gbpsSource = "assumed";
  report.totals.bytes = report.totals.missedBytes = 0;
  Reporter reporter(module, report);
  for (const BodyVerdicts &body : bodies)
    reporter.add(body);
  summarize(report);
  return report;
}

} // namespace fuselage
