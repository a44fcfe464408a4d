#include "core/analysis/fusion/UnlockProofs.h"
#include "core/analysis/fusion/FusionTrial.h"
#include "core/ir/layers/ShortFunction.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <optional>

using namespace mlir;

namespace fuselage {

namespace {

/// A separate edge where it is tried: in the function, or in a copy with a few of its layers.
struct TriedEdge {
  EdgeVerdict *verdict = nullptr;
  ShortFunction::Edge ends{};
  unsigned operand = 0;
};

/// Tries transforms on a function, and says of its separate edges what fuses them.
class Prover {
public:
  /// `edges`: of the function. `symbols`: where it finds what it refers to.
  Prover(func::FuncOp function, Operation *symbols, std::vector<TriedEdge> edges, const FusionPolicy &policy,
         const UnlockProofOptions &options)
      : policy_(policy), options_(options), edges_(std::move(edges)), trial_(function, marks_, symbols) {
    llvm::erase_if(edges_, [&](const TriedEdge &edge) {
      return !marks_.contains(edge.ends.from) || !marks_.contains(edge.ends.to);
    });
  }
  llvm::Error run();

private:
  bool isFused(const TriedEdge &edge, const MarkedVerdicts &after) const {
    return after.isFused(marks_.lookup(edge.ends.from), marks_.lookup(edge.ends.to), *before_);
  }
  std::optional<MarkedVerdicts> verdictsAfter(ArrayRef<StringRef> transforms) const;
  void tryTransform(StringRef name, llvm::function_ref<bool(const EdgeVerdict &)> isAsked);
  void keepWhatWorksTogether();
  llvm::SmallSetVector<StringRef, 16> candidates() const;

  const FusionPolicy &policy_;
  const UnlockProofOptions &options_;
  std::vector<TriedEdge> edges_;
  llvm::DenseMap<Operation *, OpMark> marks_;
  FusionTrial trial_;
  uint64_t start_ = 0; ///< fingerprint of the trial
  std::optional<MarkedVerdicts> before_;
};

} // namespace

llvm::SmallSetVector<StringRef, 16> Prover::candidates() const {
  llvm::SmallSetVector<StringRef, 16> names;
  for (const TriedEdge &edge : edges_)
    names.insert_range(edge.verdict->unlocks());
  return names;
}

/// What transforms, one after the other, make of a copy; nullopt: they fail or change nothing, and so fuse nothing.
std::optional<MarkedVerdicts> Prover::verdictsAfter(ArrayRef<StringRef> transforms) const {
  FusionTrial copy = trial_.copy();
  std::string passes =
      llvm::join(llvm::map_range(transforms, [](StringRef name) { return ("fuselage-" + name).str(); }), ",");
  if (llvm::Error error = copy.run(passes)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  if (copy.fingerprint() == start_)
    return std::nullopt;
  return llvm::expectedToOptional(copy.judge(policy_, JudgedFor::Counts));
}

/// Runs one transform on a copy, and notes of the edges among those asked for whether they are fused then.
void Prover::tryTransform(StringRef name, llvm::function_ref<bool(const EdgeVerdict &)> isAsked) {
  if (options_.isCancelled())
    return;
  std::optional<MarkedVerdicts> after = verdictsAfter(name);
  for (const TriedEdge &edge : edges_)
    if (isAsked(*edge.verdict))
      (after && isFused(edge, *after) ? edge.verdict->proven : edge.verdict->tried).push_back(name);
}

/// A list of unlocks is also read as steps to take. Where one undoes what another needs, the first stays.
void Prover::keepWhatWorksTogether() {
  std::map<std::vector<StringRef>, std::vector<const TriedEdge *>> lists;
  for (const TriedEdge &edge : edges_)
    if (edge.verdict->proven.size() > 1)
      lists[{edge.verdict->proven.begin(), edge.verdict->proven.end()}].push_back(&edge);
  for (const auto &[names, edges] : lists) {
    std::optional<MarkedVerdicts> after = verdictsAfter(names);
    for (const TriedEdge *edge : edges)
      if (!after || !isFused(*edge, *after))
        edge->verdict->proven.resize(1);
  }
}

llvm::Error Prover::run() {
  llvm::Expected<MarkedVerdicts> before = trial_.judge(policy_, JudgedFor::Counts);
  if (!before)
    return before.takeError();
  before_ = std::move(*before);
  start_ = trial_.fingerprint();
  for (StringRef name : candidates())
    tryTransform(name, [&](const EdgeVerdict &edge) { return llvm::is_contained(edge.unlocks(), name); });
  for (StringRef preset : {"fusion-cleanup", "fuse-all"}) {
    auto isLocked = [](const EdgeVerdict &edge) { return edge.proven.empty(); };
    if (llvm::any_of(edges_, [&](const TriedEdge &edge) { return isLocked(*edge.verdict); }))
      tryTransform(preset, isLocked);
  }
  keepWhatWorksTogether();
  return llvm::Error::success();
}

//===-- All layers, or a few of them ----------------------------------------------------------===//

/// Gives the edges of layers left out what fuses those that speak for them. False: the layer that speaks and the one
/// before it do not come out alike, or an edge has nobody to speak for it.
static bool passOn(const ShortFunction &few, ArrayRef<TriedEdge> edges) {
  std::map<std::tuple<Operation *, Operation *, unsigned>, const EdgeVerdict *> left;
  for (const TriedEdge &edge : edges)
    if (few.copyOf(edge.ends))
      left[{edge.ends.from, edge.ends.to, edge.operand}] = edge.verdict;
  auto find = [&](ShortFunction::Edge ends, unsigned operand) {
    auto found = left.find({ends.from, ends.to, operand});
    return found == left.end() ? nullptr : found->second;
  };
  for (const TriedEdge &edge : edges) {
    if (few.copyOf(edge.ends)) {
      std::optional<ShortFunction::Edge> witness = few.witnessOf(edge.ends);
      const EdgeVerdict *other = witness ? find(*witness, edge.operand) : edge.verdict;
      if (!other || other->proven != edge.verdict->proven)
        return false;
      continue;
    }
    const EdgeVerdict *speaker = find(few.speakerOf(edge.ends), edge.operand);
    if (!speaker)
      return false;
    edge.verdict->proven = speaker->proven;
    edge.verdict->tried = speaker->tried;
  }
  return true;
}

namespace {
/// Proves functions, as long as there are ops left to be tried.
class ProofRun {
public:
  ProofRun(const FusionPolicy &policy, const UnlockProofOptions &options) : policy_(policy), options_(options) {}
  void prove(BodyVerdicts &body);

private:
  bool proveEdges(func::FuncOp function, Operation *symbols, const std::vector<TriedEdge> &edges, size_t maxOps);

  const FusionPolicy &policy_;
  const UnlockProofOptions &options_;
  size_t ops_ = 0; ///< tried so far
};
} // namespace

/// Whether all is proven that can be: on a few of many equal layers, of which a few parts may do in turn; else, and
/// where these do not speak for the others, on all.
bool ProofRun::proveEdges(func::FuncOp function, Operation *symbols, const std::vector<TriedEdge> &edges,
                          size_t maxOps) {
  constexpr size_t perSpeaker = 4; // what speaks for many layers is worth more
  if (std::optional<ShortFunction> few = options_.fewLayers ? ShortFunction::of(function) : std::nullopt) {
    std::vector<TriedEdge> left;
    for (const TriedEdge &edge : edges)
      if (std::optional<ShortFunction::Edge> copy = few->copyOf(edge.ends))
        left.push_back({.verdict = edge.verdict, .ends = *copy, .operand = edge.operand});
    if (proveEdges(few->get(), symbols, left, perSpeaker * options_.maxOps) && passOn(*few, edges))
      return true;
    for (const TriedEdge &edge : edges) {
      edge.verdict->proven.clear();
      edge.verdict->tried.clear();
    }
  }
  size_t own = countAllOps(function);
  if (ops_ + own > maxOps)
    return false;
  ops_ += own;
  // A function that cannot be judged again has no unlocks.
  llvm::consumeError(Prover(function, symbols, edges, policy_, options_).run());
  return true;
}

void ProofRun::prove(BodyVerdicts &body) {
  auto function = dyn_cast_if_present<func::FuncOp>(options_.originalOf(body.function));
  std::vector<TriedEdge> edges;
  // Of a dispatch, the op inside: the region itself may become part of another one.
  auto originalOf = [&](Operation *computes, Operation *holds) {
    Operation *original = options_.originalOf(computes);
    return original ? original : options_.originalOf(holds);
  };
  bool isMissed = false;
  for (EdgeVerdict &edge : body.edges) {
    if (edge.verdict != Verdict::Separate)
      continue;
    isMissed = true;
    ShortFunction::Edge ends{.from = originalOf(edge.edge.producer(), edge.from),
                             .to = originalOf(edge.edge.consumer, edge.to)};
    if (ends.from && ends.to)
      edges.push_back({.verdict = &edge, .ends = ends, .operand = edge.operand});
  }
  if (!isMissed || !function)
    body.isProven = true;
  else
    body.isProven = options_.maxOps > 0 &&
                    proveEdges(function, function->getParentWithTrait<OpTrait::SymbolTable>(), edges, options_.maxOps);
}

void proveUnlocks(llvm::MutableArrayRef<BodyVerdicts> bodies, const FusionPolicy &policy,
                  const UnlockProofOptions &options) {
  ProofRun run(policy, options);
  for (BodyVerdicts &body : bodies)
    run.prove(body);
}

} // namespace fuselage
