#include "core/analysis/costs/DeviceRates.h"
#include "llvm/ADT/StringExtras.h"

namespace fuselage {

double DeviceRates::dispatchUs(llvm::StringRef kind, int64_t bytes) const {
  if (bytes < 0)
    return -1;
  auto known = kinds.find(kind);
  double ratio = known == kinds.end() ? 1 : known->second.ratio;
  return ratio * (launchUs + static_cast<double>(bytes) / (gbps * 1e3));
}

std::string DeviceRates::source() const {
  if (!isMeasured())
    return "assumed";
  return "by what was measured on " + device + ", " + std::to_string(samples) + (samples == 1 ? " sample" : " samples");
}

std::string kernelKind(llvm::StringRef dispatchName) {
  llvm::StringRef name = dispatchName;
  constexpr llvm::StringLiteral mark = "dispatch_";
  if (size_t at = name.rfind(mark); at != llvm::StringRef::npos) {
    llvm::StringRef numbered = name.drop_front(at + mark.size());
    llvm::StringRef rest = numbered.drop_while(llvm::isDigit);
    if (rest.size() < numbered.size())
      name = rest.consume_front("_") ? rest : llvm::StringRef();
  }
  auto [stem, sizes] = name.rsplit('_');
  bool areSizes =
      !sizes.empty() && llvm::all_of(sizes, [](char c) { return llvm::isDigit(c) || c == 'x' || c == 'D'; });
  if (areSizes)
    name = stem;
  return name.empty() ? "other" : name.str();
}

} // namespace fuselage
