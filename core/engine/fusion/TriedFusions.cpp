#include "core/engine/fusion/TriedFusions.h"

namespace fuselage {
namespace {

/// An extension of the document.
struct TriedFusions {
  struct Entry {
    std::weak_ptr<const Snapshot> snapshot;
    std::string policy;
    TriedFusion fusion;
  };
  std::vector<Entry> entries;
};

} // namespace

void rememberTried(Document &document, unsigned snapshot, const std::string &policy, TriedFusion fusion) {
  std::shared_ptr<TriedFusions> &known = document.extension<TriedFusions>();
  if (!known)
    known = std::make_shared<TriedFusions>();
  llvm::erase_if(known->entries, [](const TriedFusions::Entry &entry) { return entry.snapshot.expired(); });
  known->entries.push_back({.snapshot = document.snapshot(snapshot), .policy = policy, .fusion = std::move(fusion)});
}

static void addTo(FusionEdgeReport &edge, llvm::ArrayRef<std::string> tried) {
  using enum message::FusionState;
  for (const std::string &name : tried)
    if (!llvm::is_contained(edge.tried, name))
      edge.tried.push_back(name);
  if (edge.state == NotTried || edge.state == Possible)
    edge.state = edge.legal == false ? Impossible : Tried;
}

void addTried(Document &document, unsigned snapshot, const std::string &policy, FusionReport &report) {
  const std::shared_ptr<TriedFusions> &known = document.extension<TriedFusions>();
  if (!known)
    return;
  const std::shared_ptr<const Snapshot> &asked = document.snapshot(snapshot);
  bool isAny = false;
  for (const TriedFusions::Entry &entry : known->entries) {
    if (entry.snapshot.lock() != asked || entry.policy != policy)
      continue;
    const TriedFusion &fusion = entry.fusion;
    for (const FusionEdgeReport &edge : report.edges)
      if (edge.from == fusion.from && edge.to == fusion.to && edge.missed &&
          (fusion.operand < 0 || edge.operand == fusion.operand)) {
        for (int64_t other : report.groups[edge.group].edges)
          addTo(report.edges[other], fusion.tried);
        isAny = true;
      }
  }
  if (isAny)
    summarize(report);
}

} // namespace fuselage
