// `fuselage explain FILE --against BASE`: what became worse.
#pragma once
#include "app/cli/Options.h"
#include "core/analysis/gate/FusionGate.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fuselage::cli {

struct AgainstBase {
  std::string path; ///< empty: nothing is compared
  GateAllowance allowance;
  bool anyAllowed = false; ///< --allow was given
};

/// `--against` and `--allow`.
void declareAgainst(Options &options, AgainstBase &against);

/// The report on the base: read, where the file is JSON; else what `explain` says of it.
llvm::Expected<message::FusionReport<>> readBase(const AgainstBase &against,
                                                 llvm::function_ref<llvm::Expected<message::FusionReport<>>()> explain);

/// The comparison in a format: text, json, sarif or junit. `exitCode` becomes ExitInputError where the policy does not
/// hold. Failure: the base was judged by another policy.
llvm::Expected<std::string> gateAgainst(const AgainstBase &against, llvm::StringRef path,
                                        const message::FusionReport<> &base, const message::FusionReport<> &now,
                                        llvm::StringRef format, int &exitCode);

} // namespace fuselage::cli
