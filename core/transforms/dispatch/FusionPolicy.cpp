#include "core/transforms/dispatch/FusionPolicy.h"
#include "core/support/Error.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace fuselage {

namespace {
/// A field and its name in the text form; one of the two pointers is set.
struct Field {
  llvm::StringLiteral name;
  bool FusionPolicy::*flag = nullptr;
  int64_t FusionPolicy::*number = nullptr;
};
} // namespace

static constexpr Field fields[] = {
    {"elementwise", &FusionPolicy::fuseElementwise},
    {"broadcasts", &FusionPolicy::elementwiseBroadcasts},
    {"reductions", &FusionPolicy::elementwiseReductions},
    {"contractions", &FusionPolicy::fuseContractionOperands},
    {"max-operands", nullptr, &FusionPolicy::maxOperands},
    {"multi-use", &FusionPolicy::fuseMultiUse},
    {"zeros", &FusionPolicy::lookThroughZeros},
    {"consumers", &FusionPolicy::fuseElementwiseConsumers},
    {"destinations", &FusionPolicy::fuseDestinations},
    {"producers", &FusionPolicy::fuseProducers},
    {"packing", &FusionPolicy::fusePacking},
    {"forall", &FusionPolicy::fuseParallelLoops},
    {"clone", &FusionPolicy::cloneCheapProducers},
    {"clone-copies", &FusionPolicy::cloneCopies},
    {"clone-dequantizations", &FusionPolicy::cloneDequantizations},
    {"leftovers", &FusionPolicy::wrapLeftovers},
    {"moves", &FusionPolicy::dispatchMoves},
    {"named-roots", &FusionPolicy::namedOpsAreRoots},
    {"dominating-use", &FusionPolicy::needDominatingUse},
    {"same-loops", &FusionPolicy::needSameOuterLoops},
    {"in-place", &FusionPolicy::needInPlace},
    {"max-bindings", nullptr, &FusionPolicy::maxBindings},
    {"max-candidates", nullptr, &FusionPolicy::maxCandidates},
    {"max-order-edges", nullptr, &FusionPolicy::maxOrderEdges},
};

FusionPolicy conservativePolicy() {
  return {.name = "conservative",
          .fuseElementwise = true,
          .elementwiseBroadcasts = false,
          .elementwiseReductions = false,
          .fuseContractionOperands = false,
          .maxOperands = 32,
          .fuseMultiUse = false,
          .lookThroughZeros = false,
          .fuseDestinations = false,
          .fuseProducers = false,
          .fusePacking = false,
          .cloneCopies = false,
          .cloneDequantizations = false,
          .dispatchMoves = false,
          .namedOpsAreRoots = true,
          .needDominatingUse = true,
          .needSameOuterLoops = true,
          .needInPlace = true,
          .maxBindings = 32};
}

FusionPolicy aggressivePolicy() { return {}; }

FusionPolicy noFusionPolicy() {
  return {.name = "none",
          .fuseElementwiseConsumers = false,
          .fuseDestinations = false,
          .fuseProducers = false,
          .fusePacking = false,
          .cloneCheapProducers = false,
          .cloneCopies = false,
          .cloneDequantizations = false};
}

/// Sets one field from `name=value`; returns a complaint, or an empty string.
static std::string setField(FusionPolicy &policy, llvm::StringRef setting) {
  auto [name, value] = setting.split('=');
  name = name.trim();
  value = value.trim();
  std::string known;
  for (const Field &field : fields) {
    known += (known.empty() ? "" : ", ") + field.name.str();
    if (field.name != name)
      continue;
    if (field.number)
      return value.getAsInteger(10, policy.*field.number) || policy.*field.number < 0
                 ? "'" + name.str() + "' wants a number from 0, not '" + value.str() + "'"
                 : "";
    if (value != "true" && value != "false")
      return "'" + name.str() + "' wants true or false, not '" + value.str() + "'";
    policy.*field.flag = value == "true";
    return "";
  }
  return "a policy has no '" + name.str() + "'; it has " + known;
}

llvm::Expected<FusionPolicy> parseFusionPolicy(llvm::StringRef text) {
  auto [name, rest] = text.trim().split('{');
  name = name.trim();
  FusionPolicy policy;
  if (name == "conservative")
    policy = conservativePolicy();
  else if (name == "none")
    policy = noFusionPolicy();
  else if (name != "aggressive")
    return fail("unknown fusion policy '" + name.str() + "': conservative, aggressive or none");
  if (text.trim().size() == name.size())
    return policy;
  if (!rest.consume_back("}"))
    return fail("the changes to policy '" + name.str() + "' do not end in '}'");
  llvm::SmallVector<llvm::StringRef> settings;
  rest.split(settings, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef setting : settings)
    if (std::string complaint = setField(policy, setting); !complaint.empty())
      return fail(std::move(complaint));
  policy.name = text.trim().str();
  return policy;
}

} // namespace fuselage
