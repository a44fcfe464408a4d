#include "core/analysis/gate/FusionGate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cmath>
#include <limits>

namespace fuselage {

static constexpr std::pair<llvm::StringLiteral, double> kUnits[] = {
    {"KiB", 1024.}, {"MiB", 1024. * 1024}, {"GiB", 1024. * 1024 * 1024}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9},
    {"B", 1}};

std::string GateAllowance::read(llvm::StringRef value, GateKind kind, Limit &limit) {
  limit = Limit{.text = value.str()};
  if (value == "any") {
    limit.any = true;
    return "";
  }
  const bool isCount = kind == GateKind::NewMissed || kind == GateKind::LostFusion;
  const std::string name = message::gateKindNames[size_t(kind)];
  double number = 0;
  if (!isCount && llvm::StringRef(value).ends_with("%")) {
    if (value.drop_back().getAsDouble(number) || !(number >= 0) || !std::isfinite(number))
      return name + "=" + value.str() + ": a percentage is a number from 0 on, as in 5%";
    limit.share = number / 100;
    return "";
  }
  double unit = 1;
  if (kind == GateKind::MoreBytes)
    for (const auto &[suffix, factor] : kUnits)
      if (value.consume_back(suffix)) {
        unit = factor;
        break;
      }
  bool isWhole = kind != GateKind::MoreBytes;
  constexpr double most = 1e18; // fits into 64 bits
  if (value.getAsDouble(number) || !(number >= 0) || number * unit > most || (isWhole && number != std::floor(number)))
    return name + "=" + limit.text +
           (isCount                       ? ": takes a number of edges, or any"
            : kind == GateKind::MoreBytes ? ": takes bytes (4096, 64kB, 1MiB), a percentage (5%), or any"
                                          : ": takes a number of dispatches, a percentage (5%), or any");
  limit.most = static_cast<int64_t>(number * unit);
  return "";
}

std::string GateAllowance::add(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  for (llvm::StringRef part : parts) {
    auto [name, value] = part.trim().split('=');
    const auto *kind = llvm::find(message::gateKindNames, name.trim());
    if (kind == std::end(message::gateKindNames))
      return "takes new-missed=N, lost=N, dispatches=N or bytes=N, separated by commas, not '" + part.trim().str() +
             "'";
    auto index = static_cast<size_t>(kind - message::gateKindNames);
    if (std::string complaint = read(value.trim(), GateKind(index), limits_[index]); !complaint.empty())
      return complaint;
  }
  return "";
}

bool GateAllowance::allows(GateKind kind, int64_t worse, int64_t base) const {
  const Limit &limit = limits_[size_t(kind)];
  if (limit.any || worse == 0)
    return true;
  if (worse < 0) // nobody knows how much
    return false;
  return limit.share ? base >= 0 && static_cast<double>(worse) <= *limit.share * static_cast<double>(base)
                     : worse <= limit.most;
}

} // namespace fuselage
