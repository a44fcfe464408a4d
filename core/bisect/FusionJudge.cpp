#include "core/bisect/FusionJudge.h"
#include "core/analysis/fusion/ExplainFusion.h"
#include "core/ir/module/Diagnostics.h"
#include "core/ir/module/PlaceFilter.h"
#include "core/transforms/dispatch/DispatchBody.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
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

using Places = std::set<std::string>;

/// The places of an op and of all that is in it: the body of an op moves where it is fused.
Places placesWithin(mlir::Operation *op) {
  Places places;
  op->walk([&](mlir::Operation *inner) { places.merge(placesOf(inner)); });
  return places;
}

bool intersect(const Places &left, const Places &right) {
  return llvm::any_of(left, [&](const std::string &place) { return right.count(place) != 0; });
}

/// The two ops of an edge, wherever they went: by the places that they and their bodies come from.
struct EdgeOps {
  std::string from, to; ///< their own places
  Places ofFrom, ofTo;  ///< with those of their bodies, without those that both have
  /// Loops and the like hold both in the input already, so that only ops on tensors tell that they are one.
  bool sharesRegion = false;

  bool fit(const FusionEdgeReport &edge) const { return edge.fromLoc == from && edge.toLoc == to; }
};

/// Whether whatever is in an op is computed together: an op, a loop, a dispatch, a kernel; not a function.
bool isComputedTogether(mlir::Operation *op) {
  if (op->getNumRegions() == 0 || llvm::isa<mlir::ModuleOp>(op))
    return false;
  return !llvm::isa<mlir::SymbolOpInterface>(op) || op->hasAttr(kDispatchAttr) ||
         llvm::isa<mlir::gpu::GPUFuncOp, mlir::spirv::FuncOp>(op);
}

/// Which of two ops a module still has.
struct Presence {
  bool from = false, to = false;
  std::string together; ///< the op that both are in, or became; empty: none
};

Presence findOps(mlir::ModuleOp module, const EdgeOps &ops) {
  Presence presence;
  module->walk([&](mlir::Operation *op) {
    const Places own = placesOf(op);
    // Constants and the ops of bodies have the places of what they were made for.
    if (op->getNumResults() != 0 && llvm::isa<mlir::ShapedType>(op->getResult(0).getType())) {
      presence.from |= own.count(ops.from) != 0;
      presence.to |= own.count(ops.to) != 0;
    }
    if (!presence.together.empty() || !isComputedTogether(op) ||
        (ops.sharesRegion && !llvm::isa<mlir::linalg::LinalgOp>(op)))
      return;
    const Places within = placesWithin(op);
    if (intersect(within, ops.ofFrom) && intersect(within, ops.ofTo))
      presence.together = op->hasAttr(kDispatchAttr) ? "dispatch" : op->getName().getStringRef().str();
  });
  return presence;
}

/// The ops of an edge in the input.
EdgeOps findEdgeOps(mlir::ModuleOp module, const FusionEdgeReport &edge) {
  EdgeOps ops{.from = edge.fromLoc, .to = edge.toLoc, .ofFrom = {}, .ofTo = {}};
  module->walk([&](mlir::Operation *op) {
    if (op->getNumResults() == 0 || !llvm::isa<mlir::ShapedType>(op->getResult(0).getType()))
      return;
    const Places own = placesOf(op);
    if (own.count(ops.from))
      ops.ofFrom.merge(placesWithin(op));
    if (own.count(ops.to))
      ops.ofTo.merge(placesWithin(op));
  });
  for (auto place = ops.ofFrom.begin(); place != ops.ofFrom.end();) {
    const bool isCommon = ops.ofTo.erase(*place) != 0;
    place = isCommon ? ops.ofFrom.erase(place) : std::next(place);
  }
  ops.sharesRegion = !findOps(module, ops).together.empty();
  return ops;
}

Judgement judgeEdges(mlir::ModuleOp module, const Ends &ends, const EdgeOps &ops) {
  auto report = reportOf(module, /*proves=*/true);
  if (!report)
    return {IrVerdict::Unknown, takeFailure(report.takeError()).message};
  const FusionEdgeReport *lost = nullptr;
  for (const FusionEdgeReport &edge : report->edges) {
    if (!ends.fit(edge) && !ops.fit(edge))
      continue;
    if (isFusable(edge))
      return {IrVerdict::Good, ""};
    lost = &edge;
  }
  const Presence presence = findOps(module, ops);
  if (!presence.together.empty())
    return {IrVerdict::Good, "the edge from " + ends.producer + " to " + ends.consumer +
                                 " is fused, not lost: both are in one " + presence.together};
  if (!lost && presence.from && presence.to)
    return {IrVerdict::Bad, "no value goes from " + ends.producer + " to " + ends.consumer + " directly any more"};
  if (!lost && presence.to)
    return {IrVerdict::Good, "the edge from " + ends.producer + " to " + ends.consumer + " is not lost: " +
                                 ends.producer + " is not there any more, and " + ends.consumer + " does without it"};
  if (!lost)
    return {IrVerdict::Unknown, (presence.from ? "" : ends.producer + " and ") + ends.consumer +
                                    " went into other ops, none of which has the places of both"};
  std::string why = "the edge from " + ends.producer + " to " + ends.consumer + " cannot be fused any more";
  if (!lost->reasons.empty())
    why += ": " + lost->reasons.front().code + ", " + lost->reasons.front().sentence;
  return {IrVerdict::Bad, why};
}

/// The edge of a module that is meant, one that can be fused if there is one.
llvm::Expected<FusionEdgeReport> findEdge(mlir::ModuleOp module, const Ends &ends) {
  auto report = reportOf(module, /*proves=*/true);
  if (!report)
    return report.takeError();
  const FusionEdgeReport *found = nullptr;
  for (const FusionEdgeReport &edge : report->edges)
    if (ends.fit(edge) && (!found || (!isFusable(*found) && isFusable(edge))))
      found = &edge;
  if (!found)
    return fail("no edge of the input leads from " + ends.producer + " to " + ends.consumer +
                "; 'fuselage explain --all' lists the edges");
  if (!isFusable(*found))
    return fail("nothing is lost: the edge from " + ends.producer + " to " + ends.consumer +
                " cannot be fused in the input either");
  return *found;
}

/// "%scores": the op's name, which is this one if it had none.
std::string nameOp(mlir::Operation *op, llvm::StringRef ifNone) {
  auto named = llvm::dyn_cast<mlir::NameLoc>(op->getLoc());
  if (!named) {
    named = mlir::NameLoc::get(mlir::StringAttr::get(op->getContext(), ifNone), op->getLoc());
    op->setLoc(named);
  }
  return "%" + named.getName().str();
}

} // namespace

llvm::Error nameEdge(mlir::ModuleOp module, std::string &producer, std::string &consumer) {
  auto edge = findEdge(module, Ends{.producer = producer, .consumer = consumer});
  if (!edge)
    return edge.takeError();
  module->walk([&](mlir::Operation *op) {
    if (op->getNumResults() == 0 || !placesOf(op).count(edge->toLoc))
      return mlir::WalkResult::advance();
    for (mlir::Value operand : op->getOperands()) {
      mlir::Operation *maker = operand.getDefiningOp();
      if (!maker || !placesOf(maker).count(edge->fromLoc))
        continue;
      producer = nameOp(maker, "producer");
      consumer = nameOp(op, "consumer");
      return mlir::WalkResult::interrupt();
    }
    return mlir::WalkResult::advance();
  });
  return llvm::Error::success();
}

llvm::Expected<Judge> judgeByFusion(mlir::ModuleOp input, llvm::StringRef producer, llvm::StringRef consumer) {
  Ends ends{.producer = producer.trim().str(), .consumer = consumer.trim().str()};
  auto edge = findEdge(input, ends);
  if (!edge)
    return edge.takeError();
  return [ends, ops = findEdgeOps(input, *edge)](const Snapshot &snapshot) -> Judgement {
    auto module = snapshot.parsed();
    if (!module)
      return {IrVerdict::Unknown, takeFailure(module.takeError()).message};
    return judgeEdges(*module, ends, ops);
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
