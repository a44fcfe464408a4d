#include "core/analysis/gate/FusionGate.h"
#include "core/analysis/gate/ReportPairs.h"
#include "core/protocol/json/JsonReader.h"
#include "core/support/Error.h"
#include "core/support/JsonDepth.h"
#include "core/support/Units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <set>

namespace fuselage {

using message::FusionDispatch;
using message::GateOp;
using Finding = message::GateFinding<>;

std::string gateBytes(int64_t bytes) {
  return bytes < 0 ? "an unknown number of bytes" : decimalBytesText(static_cast<double>(bytes));
}

llvm::StringRef gateTitle(GateKind kind) {
  static constexpr llvm::StringLiteral titles[] = {"new missed edges", "lost fusions", "more dispatches", "more bytes"};
  return titles[size_t(kind)];
}

namespace {

/// Collects the findings of one comparison.
class Gate {
public:
  Gate(const IndexedReport &base, const IndexedReport &now) : base_(base), now_(now), pairs_(pairReports(base, now)) {}

  void addEdges(FusionGateReport &gate);
  void addVanished(FusionGateReport &gate);
  void addDispatches(FusionGateReport &gate);
  void addBytes(FusionGateReport &gate);

private:
  static GateOp<> opOf(int64_t id, const std::string &name, const std::string &value, const std::string &loc) {
    return {.op = id, .name = name, .value = value, .loc = loc};
  }
  GateOp<> opOf(int64_t id) const {
    const message::FusionOp<> *op = now_.op(id);
    return op ? opOf(id, op->name, nameOfValue(id), op->loc) : GateOp<>{};
  }
  /// As edges call it.
  std::string nameOfValue(int64_t id) const {
    for (const FusionReportEdge &edge : now_.report.edges)
      if (edge.from == id || edge.to == id)
        return edge.from == id ? edge.fromName : edge.toName;
    return "";
  }
  std::string formOf(int64_t id) const {
    const message::FusionOp<> *op = now_.op(id);
    return op ? op->form : "";
  }
  Finding findingOf(GateKind kind, const FusionReportEdge &edge) const;
  /// A dispatch of the base that has most of the ops of dispatch `number`; -1: none has any.
  int originOf(size_t number) const;
  static GateOp<> none() { return {}; }
  int64_t rootOf(const FusionDispatch<> &dispatch) const {
    return dispatch.root >= 0 || dispatch.ops.empty() ? dispatch.root : dispatch.ops.front();
  }

  const IndexedReport &base_, &now_;
  ReportPairs pairs_;
};

} // namespace

/// The same for the same finding of another run: no numbers, names or places go into it.
static std::string fingerprintOf(GateKind kind, std::initializer_list<llvm::StringRef> parts) {
  std::string text = message::gateKindNames[size_t(kind)];
  for (llvm::StringRef part : parts)
    text += "\n" + part.str();
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, /*Width=*/16);
}

static std::string wordsOf(const GateOp<> &op) { return (op.value.empty() ? "" : op.value + " ") + op.name; }

Finding Gate::findingOf(GateKind kind, const FusionReportEdge &edge) const {
  Finding finding{.kind = kind,
                  .function = edge.function,
                  .message = {},
                  .from = opOf(edge.from, edge.fromOp, edge.fromName, edge.fromLoc),
                  .to = opOf(edge.to, edge.toOp, edge.toName, edge.toLoc),
                  .reason = {},
                  .unlocks = edge.unlocks,
                  .bytes = edge.bytes,
                  .fingerprint = {}};
  finding.message = wordsOf(finding.from) + " is not fused into " + wordsOf(finding.to) + " (operand " +
                    std::to_string(edge.operand) + ")";
  if (!edge.reasons.empty()) {
    const message::FusionReason<> &reason = edge.reasons.front();
    finding.reason = reason.code + (reason.kind.empty() ? "" : "/" + reason.kind);
    finding.message +=
        ": " + finding.reason + ": " + reason.sentence + (reason.detail.empty() ? "" : " (" + reason.detail + ")");
  }
  finding.message += edge.bytes < 0 ? "; nobody knows how many bytes go through memory"
                                    : "; " + gateBytes(edge.bytes) + " more through memory";
  if (!edge.unlocks.empty())
    finding.message += "; unlocked by " + llvm::join(edge.unlocks, " or ");
  finding.fingerprint = fingerprintOf(
      kind, {edge.fromOp, edge.toOp, edge.type, std::to_string(edge.operand), formOf(edge.from), formOf(edge.to)});
  return finding;
}

void Gate::addEdges(FusionGateReport &gate) {
  for (const auto &[index, edge] : llvm::enumerate(now_.report.edges)) {
    int partner = pairs_.baseOfEdge[index];
    bool isMissed = statusOf(edge) == EdgeStatus::Missed;
    if (partner < 0) {
      if (isMissed)
        gate.findings.push_back(findingOf(GateKind::NewMissed, edge));
      continue;
    }
    EdgeStatus before = statusOf(base_.report.edges[partner]);
    if (before == EdgeStatus::Fused && statusOf(edge) != EdgeStatus::Fused && edge.bytes != 0)
      gate.findings.push_back(findingOf(GateKind::LostFusion, edge));
    else if (before != EdgeStatus::Missed && isMissed)
      gate.findings.push_back(findingOf(GateKind::NewMissed, edge));
  }
  for (const auto &[index, edge] : llvm::enumerate(base_.report.edges)) {
    int partner = pairs_.nowOfEdge[index];
    if (statusOf(edge) == EdgeStatus::Missed &&
        (partner < 0 || statusOf(now_.report.edges[partner]) != EdgeStatus::Missed))
      ++gate.better;
  }
}

/// What the base fuses and is no edge any more, though both ops are there, apart: they were moved to two functions, for
/// example. Where a finding names one of the ops already, that is what happened.
void Gate::addVanished(FusionGateReport &gate) {
  std::set<int64_t> readers, producers;
  for (const Finding &finding : gate.findings) {
    producers.insert(finding.from.op);
    readers.insert(finding.to.op);
  }
  for (const auto &[index, edge] : llvm::enumerate(base_.report.edges)) {
    bool isShared =
        edge.verdict == message::FusionVerdict::FusedIntoOp || edge.verdict == message::FusionVerdict::SameDispatch;
    if (pairs_.nowOfEdge[index] >= 0 || !isShared)
      continue;
    auto from = pairs_.nowOp.find(edge.from), to = pairs_.nowOp.find(edge.to);
    if (from == pairs_.nowOp.end() || to == pairs_.nowOp.end() || producers.count(from->second) ||
        readers.count(to->second))
      continue;
    int one = now_.dispatchOf(from->second), other = now_.dispatchOf(to->second);
    if (one == other || one < 0 || other < 0)
      continue;
    Finding finding{.kind = GateKind::LostFusion,
                    .function = now_.report.dispatches[other].function,
                    .message = {},
                    .from = opOf(from->second),
                    .to = opOf(to->second),
                    .reason = {},
                    .unlocks = {},
                    .bytes = -1,
                    .fingerprint = {}};
    finding.message =
        wordsOf(finding.from) + " and " + wordsOf(finding.to) +
        " were in one dispatch and are in two, and the value no longer goes from one to the other directly";
    finding.fingerprint = fingerprintOf(finding.kind, {formOf(from->second), formOf(to->second)});
    gate.findings.push_back(std::move(finding));
  }
}

int Gate::originOf(size_t number) const {
  std::map<int, int> votes;
  for (int64_t op : now_.report.dispatches[number].ops)
    if (auto before = pairs_.baseOp.find(op); before != pairs_.baseOp.end())
      if (int dispatch = base_.dispatchOf(before->second); dispatch >= 0)
        ++votes[dispatch];
  auto most = llvm::max_element(votes, [](const auto &a, const auto &b) { return a.second < b.second; });
  return most == votes.end() ? -1 : most->first;
}

void Gate::addDispatches(FusionGateReport &gate) {
  if (now_.report.totals.dispatches <= base_.report.totals.dispatches)
    return;
  std::map<int, size_t> heirs; // of each dispatch of the base, the one with most ops
  std::vector<int> origins;
  auto sizeOf = [&](size_t number) { return now_.report.dispatches[number].ops.size(); };
  for (size_t number = 0; number < now_.report.dispatches.size(); ++number) {
    origins.push_back(originOf(number));
    auto [heir, isFirst] = heirs.try_emplace(origins.back(), number);
    if (!isFirst && sizeOf(number) > sizeOf(heir->second))
      heir->second = number;
  }
  for (const auto &[number, dispatch] : llvm::enumerate(now_.report.dispatches)) {
    int origin = origins[number];
    if (origin >= 0 && heirs[origin] == number)
      continue;
    Finding finding{.kind = GateKind::MoreDispatches,
                    .function = dispatch.function,
                    .message = "dispatch " + dispatch.name,
                    .from = none(),
                    .to = opOf(rootOf(dispatch)),
                    .reason = {},
                    .unlocks = {},
                    .bytes = dispatch.bytes,
                    .fingerprint = {}};
    finding.message += origin < 0 ? " is new" : " was part of " + base_.report.dispatches[origin].name;
    finding.fingerprint = fingerprintOf(finding.kind, {dispatch.kind, formOf(rootOf(dispatch))});
    gate.findings.push_back(std::move(finding));
  }
}

/// One finding, at the dispatch that moves most of what is more.
void Gate::addBytes(FusionGateReport &gate) {
  int64_t before = base_.report.totals.bytes, after = now_.report.totals.bytes;
  bool isUnknown = before >= 0 && after < 0;
  if (!isUnknown && (before < 0 || after <= before))
    return;
  Finding finding{.kind = GateKind::MoreBytes,
                  .function = {},
                  .message = {},
                  .from = none(),
                  .to = none(),
                  .reason = {},
                  .unlocks = {},
                  .bytes = isUnknown ? -1 : after - before,
                  .fingerprint = {}};
  std::map<int, int64_t> moved; // by dispatch of the base
  for (size_t number = 0; number < now_.report.dispatches.size(); ++number)
    if (int origin = originOf(number); origin >= 0)
      moved[origin] += now_.report.dispatches[number].bytes;
  std::set<int> seen;
  int64_t most = 0;
  const FusionDispatch<> *worst = nullptr;
  for (const auto &[number, dispatch] : llvm::enumerate(now_.report.dispatches)) {
    int origin = originOf(number);
    if (origin >= 0 && !seen.insert(origin).second)
      continue;
    int64_t more = origin < 0 ? dispatch.bytes : moved[origin] - base_.report.dispatches[origin].bytes;
    bool isLost = isUnknown && dispatch.bytes < 0;
    if (worst && !isLost && more <= most)
      continue;
    if (isLost || more > most) {
      worst = &dispatch;
      most = more;
      if (isLost)
        break;
    }
  }
  finding.message = isUnknown ? "how many bytes the dispatches move is no longer known (" + gateBytes(before) +
                                    " before): sizes are dynamic"
                              : llvm::formatv("the dispatches move {0}, {1} ({2:f1} %) more than before",
                                              gateBytes(after), gateBytes(after - before),
                                              before == 0 ? 100. : 100. * double(after - before) / double(before))
                                    .str();
  if (worst) {
    finding.function = worst->function;
    finding.to = opOf(rootOf(*worst));
    finding.message += isUnknown ? "; dispatch " + worst->name + " is one of these"
                                 : "; most of it in dispatch " + worst->name + ", " + gateBytes(most);
  }
  finding.fingerprint = fingerprintOf(finding.kind, {});
  gate.findings.push_back(std::move(finding));
}

static void count(FusionGateReport &gate, const message::FusionReport<> &base, const message::FusionReport<> &now,
                  const GateAllowance &allowance) {
  auto findingsOf = [&](GateKind kind) {
    return int64_t(llvm::count_if(gate.findings, [&](const Finding &finding) { return finding.kind == kind; }));
  };
  auto add = [&](GateKind kind, int64_t before, int64_t after, int64_t worse) {
    gate.counts.push_back({.kind = kind,
                           .base = before,
                           .now = after,
                           .worse = worse,
                           .allowed = allowance.textOf(kind),
                           .passed = allowance.allows(kind, worse, before)});
    gate.passed &= gate.counts.back().passed;
    for (Finding &finding : gate.findings)
      if (finding.kind == kind)
        finding.allowed = gate.counts.back().passed;
  };
  const auto &a = base.totals, &b = now.totals;
  add(GateKind::NewMissed, a.missed, b.missed, findingsOf(GateKind::NewMissed));
  add(GateKind::LostFusion, a.fused(), b.fused(), findingsOf(GateKind::LostFusion));
  add(GateKind::MoreDispatches, a.dispatches, b.dispatches, std::max<int64_t>(0, b.dispatches - a.dispatches));
  bool isUnknown = a.bytes >= 0 && b.bytes < 0;
  add(GateKind::MoreBytes, a.bytes, b.bytes,
      isUnknown     ? -1
      : a.bytes < 0 ? 0
                    : std::max<int64_t>(0, b.bytes - a.bytes));
}

FusionGateReport compareFusion(const message::FusionReport<> &base, const message::FusionReport<> &now,
                               const GateAllowance &allowance) {
  IndexedReport before(base), after(now);
  FusionGateReport report;
  report.policy = now.policy;
  Gate gate(before, after);
  gate.addEdges(report);
  gate.addVanished(report);
  gate.addDispatches(report);
  gate.addBytes(report);
  llvm::stable_sort(report.findings, [](const Finding &a, const Finding &b) {
    return std::pair(a.kind, -a.bytes) < std::pair(b.kind, -b.bytes);
  });
  // Of equal layers, each has its own.
  std::map<std::string, unsigned> seen;
  for (Finding &finding : report.findings)
    if (unsigned before = seen[finding.fingerprint]++)
      finding.fingerprint += "/" + std::to_string(before + 1);
  count(report, base, now, allowance);
  return report;
}

llvm::Expected<message::FusionReport<>> readFusionReport(llvm::StringRef json, llvm::StringRef name) {
  const std::string advice = ": it must be what 'fuselage explain FILE --format json' wrote";
  constexpr int deepest = 64;
  if (jsonDepth(json) > deepest)
    return fail("'" + name.str() + "' is no report on fusion" + advice);
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(json);
  if (!value)
    return fail("'" + name.str() + "' is no JSON: " + takeFailure(value.takeError()).message);
  const llvm::json::Object *object = value->getAsObject();
  if (!object || !object->getArray("edges") || !object->getArray("dispatches") || !object->getObject("totals") ||
      !object->getString("policy"))
    return fail("'" + name.str() + "' is no report on fusion" + advice);
  if (object->getInteger("version") != 1)
    return fail("'" + name.str() + "' is a report of another version; write it anew" + advice);
  message::FusionReport<> report;
  message::decode(*object, report);
  return report;
}

} // namespace fuselage
