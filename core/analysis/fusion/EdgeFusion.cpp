#include "core/analysis/fusion/EdgeFusion.h"
#include "core/analysis/fusion/FusionPipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/xxhash.h"
#include <deque>

using namespace mlir;

namespace fuselage {

constexpr llvm::StringLiteral producerMark = "fuselage.producer", consumerMark = "fuselage.consumer";

llvm::Expected<EdgeAddress> parseEdgeAddress(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ':');
  EdgeAddress address;
  unsigned operand = 0;
  bool isWrong = parts.size() < 2 || parts.size() > 3 || parts[0].getAsInteger(10, address.from) || address.from < 0 ||
                 parts[1].getAsInteger(10, address.to) || address.to < 0 ||
                 (parts.size() == 3 && parts[2].getAsInteger(10, operand));
  if (isWrong)
    return fail("takes FROM:TO or FROM:TO:OPERAND, numbers of ops as 'fuselage explain' gives them, not '" +
                text.str() + "'");
  if (parts.size() == 3)
    address.operand = operand;
  return address;
}

//===-- What became of the edge ------------------------------------------------------------===//

namespace {

/// The function of the edge, as a list of passes left it.
struct State {
  OwningOpRef<ModuleOp> module;
  std::vector<FusionStep> steps;
  std::vector<std::pair<std::string, std::string>> unlocks; ///< pass, and the reason that names it
};

struct Judgement {
  bool hasEdge = false;     ///< a value still goes from producer to consumer
  bool hasSeparate = false; ///< through memory
  unsigned dispatches = 0;  ///< in the function, as all below
  unsigned separate = 0, stored = 0; ///< separate edges, and those of them that move bytes
  bool hasProducer = false, hasConsumer = false; ///< they still stand, if only merged into others
  unsigned separateUses = 0, separateInputs = 0; ///< of the producer, and of the consumer
  std::vector<std::pair<std::string, std::string>> unlocks{};
  std::vector<std::string> reasons{};
};

} // namespace

/// Whether `location` goes back to the op with this mark.
static bool isMarked(Location location, llvm::StringRef mark) {
  return location
      ->walk([&](Location part) {
        auto name = dyn_cast<NameLoc>(part);
        return name && name.getName().getValue() == mark ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Also where its payload was merged into another op's.
static bool isMarked(Operation *op, llvm::StringRef mark) {
  if (isMarked(op->getLoc(), mark))
    return true;
  return isa<linalg::LinalgOp>(op) && op->walk([&](Operation *inner) {
                                          return isMarked(inner->getLoc(), mark) ? WalkResult::interrupt()
                                                                                 : WalkResult::advance();
                                        }).wasInterrupted();
}

static bool isProducer(const EdgeVerdict &edge) {
  return isMarked(edge.from, producerMark) || isMarked(edge.edge.producer(), producerMark);
}

static bool isConsumer(const EdgeVerdict &edge) {
  return isMarked(edge.to, consumerMark) || isMarked(edge.edge.consumer, consumerMark);
}

/// Adds the unlocks that the edge's reasons name, those of the deciding reason first.
static void addUnlocks(const EdgeVerdict &edge, Judgement &judgement) {
  for (const Refusal &refusal : edge.refusals)
    for (FusionReason reason : {refusal.reason, refusal.kind.value_or(refusal.reason)})
      for (llvm::StringRef name : unlocksOf(reason)) {
        std::string pass = "fuselage-" + name.str();
        if (llvm::none_of(judgement.unlocks, [&](const auto &known) { return known.first == pass; }))
          judgement.unlocks.emplace_back(pass, infoOf(reason).code.str());
      }
}

/// "MULTI_USE: The value has other users: ... (also read by linalg.generic)".
static std::string describe(const Refusal &refusal) {
  const FusionReasonInfo &info = infoOf(refusal.reason);
  std::string evidence = describeEvidence(refusal);
  return info.code.str() + ": " + info.sentence.str() + (evidence.empty() ? "" : " (" + evidence + ")");
}

/// Judges a copy of the state: dispatches are formed around those that passes formed.
static llvm::Expected<Judgement> judge(ModuleOp module, const FusionPolicy &policy) {
  OwningOpRef<ModuleOp> copy(module.clone());
  if (llvm::Error error = completeDispatches(*copy, policy))
    return error;
  Judgement judgement;
  copy->walk([&](Operation *op) {
    judgement.hasProducer |= isMarked(op->getLoc(), producerMark);
    judgement.hasConsumer |= isMarked(op->getLoc(), consumerMark);
  });
  for (const BodyVerdicts &body : judgeFusion(*copy, policy)) {
    judgement.dispatches += body.dispatches.size();
    for (const EdgeVerdict &edge : body.edges) {
      bool isSeparate = edge.verdict == Verdict::Separate;
      judgement.separate += isSeparate;
      judgement.stored += isSeparate && edge.bytes != 0;
      bool fromProducer = isProducer(edge), toConsumer = isConsumer(edge);
      judgement.separateUses += isSeparate && fromProducer && !isMarked(edge.to, producerMark);
      judgement.separateInputs += isSeparate && toConsumer && !isMarked(edge.from, consumerMark);
      // What became one op with the consumer feeds the rest of what the consumer was.
      if (!fromProducer || !toConsumer || isMarked(edge.from, consumerMark))
        continue;
      judgement.hasEdge = true;
      if (!isSeparate)
        continue;
      judgement.hasSeparate = true;
      addUnlocks(edge, judgement);
      for (const Refusal &refusal : edge.refusals)
        if (std::string text = describe(refusal); !llvm::is_contained(judgement.reasons, text))
          judgement.reasons.push_back(std::move(text));
    }
  }
  return judgement;
}

/// Where no edge is left, one of the two became part of the other, or other ops stand in between now:
/// whether that helped shows in what is still kept apart.
static bool isFused(const Judgement &now, const Judgement &before) {
  if (now.hasSeparate || now.dispatches > before.dispatches)
    return false;
  // One that is gone may have left its value to be stored by, or for, another op.
  if ((!now.hasConsumer && now.hasProducer && now.separateUses >= before.separateUses) ||
      (!now.hasProducer && now.hasConsumer && now.separateInputs >= before.separateInputs))
    return false;
  return now.hasEdge || now.dispatches < before.dispatches || now.stored < before.stored ||
         (now.stored == before.stored && now.separate < before.separate);
}

//===-- The search ---------------------------------------------------------------------------===//

/// The op and its payload.
static void mark(Operation *op, llvm::StringRef name) {
  auto text = StringAttr::get(op->getContext(), name);
  op->walk([&](Operation *inner) { inner->setLoc(NameLoc::get(text, inner->getLoc())); });
}

/// A module of the edge's function with its ops marked, and of what it may call: other functions without
/// their bodies, unless they are dispatches.
static OwningOpRef<ModuleOp> isolate(func::FuncOp function, const EdgeVerdict &edge) {
  OwningOpRef<ModuleOp> module(ModuleOp::create(function.getLoc()));
  OpBuilder builder(module->getBodyRegion());
  for (Operation &op : *function->getBlock()) {
    if (&op == function) {
      IRMapping mapping;
      builder.clone(op, mapping);
      mark(mapping.lookup(edge.from), producerMark);
      mark(mapping.lookup(edge.to), consumerMark);
    } else if (auto other = dyn_cast<func::FuncOp>(op); other && !other->hasAttr(kDispatchAttr)) {
      auto declaration = cast<func::FuncOp>(builder.insert(other->cloneWithoutRegions()));
      declaration.setPrivate();
    } else {
      builder.clone(op);
    }
  }
  return module;
}

/// Tells states apart; large data does not change.
static uint64_t fingerprint(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().elideLargeElementsAttrs().useLocalScope());
  return llvm::xxh3_64bits(text);
}

namespace {

class Search {
public:
  Search(const FusionPolicy &policy, const EdgeFusionOptions &options, EdgeFusion &result)
      : policy_(policy), options_(options), result_(result) {}
  llvm::Error run(OwningOpRef<ModuleOp> start);
  bool wasStopped() const { return stopped_; }

private:
  bool tryPass(const State &state, const std::pair<std::string, std::string> &unlock);
  llvm::Error tryPresets(const State &origin);
  void finish(std::vector<FusionStep> steps);

  const FusionPolicy &policy_;
  const EdgeFusionOptions &options_;
  EdgeFusion &result_;
  Judgement before_;
  llvm::DenseSet<uint64_t> seen_;
  std::deque<State> open_;
  bool stopped_ = false;
};

} // namespace

void Search::finish(std::vector<FusionStep> steps) {
  result_.fused = true;
  result_.pipeline =
      functionPipeline(llvm::join(llvm::map_range(steps, [](const FusionStep &step) { return step.pass; }), ","));
  result_.steps = std::move(steps);
}

/// One more pass on a copy of the state. True: the edge is fused, or the search is to end.
bool Search::tryPass(const State &state, const std::pair<std::string, std::string> &unlock) {
  stopped_ = stopped_ || (options_.proceed && !options_.proceed(unlock.first, result_.tries));
  if (stopped_)
    return true;
  ++result_.tries;
  OwningOpRef<ModuleOp> copy(state.module.get().clone());
  if (llvm::Error error = runFusionPipeline(*copy, functionPipeline(unlock.first))) {
    llvm::consumeError(std::move(error));
    return false;
  }
  if (!seen_.insert(fingerprint(*copy)).second)
    return false;
  llvm::Expected<Judgement> judgement = judge(*copy, policy_);
  if (!judgement) {
    llvm::consumeError(judgement.takeError());
    return false;
  }
  State next{.module = std::move(copy), .steps = state.steps, .unlocks = std::move(judgement->unlocks)};
  next.steps.push_back({.pass = unlock.first, .reason = unlock.second, .dispatches = judgement->dispatches});
  if (isFused(*judgement, before_)) {
    finish(std::move(next.steps));
    return true;
  }
  for (std::string &reason : judgement->reasons)
    if (!llvm::is_contained(result_.reasons, reason))
      result_.reasons.push_back(std::move(reason));
  // What the state before listed may help behind this pass, too.
  for (const auto &earlier : state.unlocks)
    if (llvm::none_of(next.unlocks, [&](const auto &known) { return known.first == earlier.first; }))
      next.unlocks.push_back(earlier);
  if (next.steps.size() < options_.maxSteps)
    open_.push_back(std::move(next));
  return false;
}

/// Where many things stand in the way at once, the presets know the order.
llvm::Error Search::tryPresets(const State &origin) {
  std::string reason = llvm::StringRef(before_.reasons.front()).split(':').first.str();
  for (const char *preset : {"fuselage-fusion-cleanup", "fuselage-fuse-all"})
    if (tryPass(origin, {preset, reason}))
      break;
  return llvm::Error::success();
}

llvm::Error Search::run(OwningOpRef<ModuleOp> start) {
  llvm::Expected<Judgement> judgement = judge(*start, policy_);
  if (!judgement)
    return judgement.takeError();
  result_.dispatches = judgement->dispatches;
  result_.reasons = judgement->reasons;
  before_ = *judgement;
  if (!judgement->hasSeparate) {
    result_.fused = true;
    return llvm::Error::success();
  }
  size_t ops = 0;
  start->walk([&](Operation *) { ++ops; });
  unsigned maxTries = std::clamp<size_t>(400'000 / (ops + 1), 4, std::max(4u, options_.maxTries));
  seen_.insert(fingerprint(*start));
  State origin{.module = OwningOpRef<ModuleOp>(start.get().clone()), .steps = {}, .unlocks = {}};
  open_.push_back({.module = std::move(start), .steps = {}, .unlocks = std::move(judgement->unlocks)});
  for (; !open_.empty(); open_.pop_front())
    for (const auto &unlock : open_.front().unlocks) {
      if (result_.tries >= maxTries) {
        result_.gaveUp = true;
        open_.clear();
        return tryPresets(origin);
      }
      if (tryPass(open_.front(), unlock))
        return llvm::Error::success();
    }
  return tryPresets(origin);
}

//===-- The edge -------------------------------------------------------------------------------===//

/// What is wrong with an address that names no edge.
static llvm::Error noSuchEdge(const EdgeAddress &address, Operation *from, Operation *to) {
  auto missing = [](OpId id) {
    return fail("there is no op " + std::to_string(id) + "; 'fuselage explain' gives the numbers of ops");
  };
  if (!from)
    return missing(address.from);
  if (!to)
    return missing(address.to);
  auto named = [](OpId id, Operation *op) {
    return std::to_string(id) + " (" + op->getName().getStringRef().str() + ")";
  };
  return fail("no value on tensors goes from op " + named(address.from, from) + " to " +
              (address.operand ? "operand " + std::to_string(*address.operand) + " of " : "") + "op " +
              named(address.to, to) + "; 'fuselage explain --all' lists the edges");
}

llvm::Expected<EdgeFusion> fuseEdge(ModuleOp module, const EdgeAddress &address, const FusionPolicy &policy,
                                    const EdgeFusionOptions &options) {
  Operation *from = nullptr, *to = nullptr;
  OpId next = 0;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (next == address.from)
      from = op;
    if (next == address.to)
      to = op;
    ++next;
  });
  EdgeFusion result;
  for (const BodyVerdicts &body : judgeFusion(module, policy))
    for (const EdgeVerdict &edge : body.edges) {
      if (edge.from != from || edge.to != to || edge.operand != address.operand.value_or(edge.operand))
        continue;
      auto function = dyn_cast<func::FuncOp>(body.function);
      if (!function)
        return fail("the edge is in a " + body.function->getName().getStringRef().str() +
                    ", which passes do not know; run fuselage-normalize-foreign first");
      result.function = function.getName().str();
      Search search(policy, options, result);
      if (llvm::Error error = search.run(isolate(function, edge)))
        return error;
      if (search.wasStopped())
        return fail("cancelled: the search for transforms was ended");
      return result;
    }
  return noSuchEdge(address, from, to);
}

} // namespace fuselage
