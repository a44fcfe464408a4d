#include "core/bisect/FusionJudge.h"
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/ir/module/PlaceFilter.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace fuselage {
namespace {

llvm::Expected<FusionReport> reportOf(mlir::ModuleOp module, bool proves) {
  DiagnosticCapture capture(*module.getContext());
  UnlockProofOptions proofs;
  if (!proves)
    proofs.maxOps = 0;
  return explainFusion(module, FusionPolicy(), 500, proofs);
}

/// Whether somebody who says `wanted` means an end of an edge.
bool isMeant(llvm::StringRef wanted, llvm::StringRef name, llvm::StringRef op, llvm::StringRef place) {
  auto withoutSigil = [](llvm::StringRef text) {
    (void)text.consume_front("%");
    return text;
  };
  if (op == wanted || (!name.empty() && withoutSigil(name) == withoutSigil(wanted)))
    return true;
  // "f.mlir:12" of "dir/f.mlir:12:5".
  std::optional<PlaceFilter> meant = PlaceFilter::read(wanted), there = PlaceFilter::read(place);
  return meant && there && meant->fits({.file = there->file, .line = there->line, .column = there->column});
}

struct Ends {
  std::string producer, consumer;
  bool fit(const FusionEdgeReport &edge) const {
    return isMeant(producer, edge.fromName, edge.fromOp, edge.fromLoc) &&
           isMeant(consumer, edge.toName, edge.toOp, edge.toLoc);
  }
};

bool isFusable(const FusionEdgeReport &edge) {
  return edge.verdict != message::FusionVerdict::Separate || edge.legal.value_or(false) || !edge.unlocks.empty();
}

/// The places that an op was made of.
std::set<std::string> placesOf(mlir::Operation *op) {
  std::set<std::string> places;
  op->getLoc()->walk([&](mlir::Location location) {
    if (auto place = llvm::dyn_cast<mlir::FileLineColLoc>(location))
      places.insert(llvm::join_items(":", place.getFilename().str(), std::to_string(place.getLine()),
                                     std::to_string(place.getColumn())));
    return mlir::WalkResult::advance();
  });
  return places;
}

/// Which of two ops a module still has, by their places.
struct Presence {
  bool from = false, to = false;
  bool merged = false; ///< an op was made of both
};

Presence findOps(mlir::ModuleOp module, const std::string &from, const std::string &to) {
  Presence presence;
  module->walk([&](mlir::Operation *op) {
    // Constants and the ops of bodies have the places of what they were made for.
    if (op->getNumResults() == 0 || !llvm::isa<mlir::ShapedType>(op->getResult(0).getType()))
      return;
    std::set<std::string> places = placesOf(op);
    const bool isFrom = places.count(from) != 0, isTo = places.count(to) != 0;
    presence.from |= isFrom;
    presence.to |= isTo;
    presence.merged |= isFrom && isTo && op->getNumRegions() > 0;
  });
  return presence;
}

Judgement judgeEdges(mlir::ModuleOp module, const Ends &ends, const std::string &from, const std::string &to) {
  auto report = reportOf(module, /*proves=*/true);
  if (!report)
    return {IrVerdict::Unknown, takeFailure(report.takeError()).message};
  const FusionEdgeReport *lost = nullptr;
  for (const FusionEdgeReport &edge : report->edges) {
    if (!ends.fit(edge))
      continue;
    if (isFusable(edge))
      return {IrVerdict::Good, ""};
    lost = &edge;
  }
  const Presence presence = findOps(module, from, to);
  if (from != to && presence.merged)
    return {IrVerdict::Good, ""};
  if (!lost && presence.from && presence.to)
    return {IrVerdict::Bad, "no value goes from " + ends.producer + " to " + ends.consumer + " directly any more"};
  if (!lost)
    return {IrVerdict::Unknown, "one of " + ends.producer + " and " + ends.consumer + " is not there any more"};
  std::string why = "the edge from " + ends.producer + " to " + ends.consumer + " cannot be fused any more";
  if (!lost->reasons.empty())
    why += ": " + lost->reasons.front().code + ", " + lost->reasons.front().sentence;
  return {IrVerdict::Bad, why};
}

} // namespace

llvm::Expected<Judge> judgeByFusion(mlir::ModuleOp input, llvm::StringRef producer, llvm::StringRef consumer) {
  Ends ends{.producer = producer.trim().str(), .consumer = consumer.trim().str()};
  auto report = reportOf(input, /*proves=*/true);
  if (!report)
    return report.takeError();
  const FusionEdgeReport *found = nullptr;
  for (const FusionEdgeReport &edge : report->edges)
    if (ends.fit(edge) && (!found || isFusable(edge)))
      found = &edge;
  if (!found)
    return fail("no edge of the input leads from " + ends.producer + " to " + ends.consumer +
                "; 'fuselage explain --all' lists the edges");
  if (!isFusable(*found))
    return fail("nothing is lost: the edge from " + ends.producer + " to " + ends.consumer +
                " cannot be fused in the input either");
  return [ends, from = found->fromLoc, to = found->toLoc](const Snapshot &snapshot) -> Judgement {
    auto module = snapshot.parsed();
    if (!module)
      return {IrVerdict::Unknown, takeFailure(module.takeError()).message};
    return judgeEdges(*module, ends, from, to);
  };
}

std::optional<int64_t> bytesMoved(mlir::ModuleOp module) {
  auto report = reportOf(module, /*proves=*/false);
  if (!report) {
    llvm::consumeError(report.takeError());
    return std::nullopt;
  }
  if (report->totals.bytes < 0 || report->totals.dispatches == 0)
    return std::nullopt;
  return report->totals.bytes;
}

static std::optional<int64_t> bytesMoved(const Snapshot &snapshot) {
  auto module = snapshot.parsed();
  if (module)
    return bytesMoved(*module);
  llvm::consumeError(module.takeError());
  return std::nullopt;
}

std::optional<MoreBytes> findMoreBytes(const Recording &recording) {
  std::optional<int64_t> least = bytesMoved(*recording.snapshots.front());
  for (auto [index, step] : llvm::enumerate(recording.steps)) {
    if (step.failed || !step.changed || step.after < 0)
      continue;
    std::optional<int64_t> bytes = bytesMoved(*recording.snapshots[step.after]);
    if (!bytes)
      continue;
    if (least && *bytes > *least)
      return MoreBytes{.step = unsigned(index), .before = *least};
    least = bytes;
  }
  return std::nullopt;
}

Judge judgeByBytes(int64_t most) {
  return [most](const Snapshot &snapshot) -> Judgement {
    std::optional<int64_t> bytes = bytesMoved(snapshot);
    if (!bytes)
      return {IrVerdict::Unknown, "nobody knows how many bytes this moves"};
    if (*bytes <= most)
      return {IrVerdict::Good, ""};
    return {IrVerdict::Bad, "the dispatches move " + std::to_string(*bytes) + " bytes, where " + std::to_string(most) +
                                " were enough before"};
  };
}

} // namespace fuselage
