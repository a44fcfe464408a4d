// Whether fusion became worse from one revision of a program to the next, for builds that are to fail then.
#pragma once
#include "core/protocol/Fusion.h"
#include "core/protocol/Gate.h"
#include "llvm/Support/Error.h"
#include <array>
#include <optional>

namespace fuselage {

using FusionGateReport = message::FusionGate<>;
using message::GateKind;

/// How much worse each kind may become. Nothing, unless said otherwise.
class GateAllowance {
public:
  /// Takes "new-missed=2,bytes=5%": numbers, percentages of the base (dispatches and bytes), bytes with a unit
  /// ("64kB", "1MiB"), or "any". A kind that is named again takes its last value. Returns a complaint, or an empty
  /// text.
  std::string add(llvm::StringRef text);

  bool allows(GateKind kind, int64_t worse, int64_t base) const;
  /// "0", "5%", "any".
  const std::string &textOf(GateKind kind) const { return limits_[size_t(kind)].text; }

private:
  struct Limit {
    std::string text = "0";
    int64_t most = 0;
    std::optional<double> share{}; ///< of the base, instead of `most`
    bool any = false;
  };
  static std::string read(llvm::StringRef value, GateKind kind, Limit &limit);
  std::array<Limit, message::gateKindCount> limits_;
};

/// Compares two reports, of which the later one has FusionReport::ops; where the base has none, ops are told apart by
/// their names and types alone. Of equal edges, layers for example, each that became worse counts. An edge between ops
/// that became independent is lost where both are still there, in different dispatches.
FusionGateReport compareFusion(const message::FusionReport<> &base, const message::FusionReport<> &now,
                               const GateAllowance &allowance);

/// Reads what `explain --format json` wrote. Failure: it is something else; `name` is what the message calls it.
llvm::Expected<message::FusionReport<>> readFusionReport(llvm::StringRef json, llvm::StringRef name);

/// For people: a line for each finding under its kind, and whether the policy holds.
std::string gateText(const FusionGateReport &gate);
/// SARIF 2.1.0, for code scanning: findings that are not allowed are errors, the others notes.
std::string gateSarif(const FusionGateReport &gate, llvm::StringRef version);
/// JUnit's XML: a test case for each kind.
std::string gateJunit(const FusionGateReport &gate);

/// "5.00 MB"; decimal units.
std::string gateBytes(int64_t bytes);
/// "new missed edges", as titles say it.
llvm::StringRef gateTitle(GateKind kind);

} // namespace fuselage
