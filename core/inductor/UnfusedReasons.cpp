#include "core/inductor/UnfusedReasons.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <set>

namespace fuselage::inductor {
namespace {

/// Which unit a node of the scheduler belongs to.
std::map<std::string, unsigned> unitsOfScheduler(const CompiledGraph &graph, const FxFunction &function,
                                                 const KernelPlan &plan) {
  std::map<std::string, unsigned> units;
  llvm::StringMap<unsigned> byName;
  for (unsigned value = 0; value < plan.home.size(); ++value)
    byName[function.valueOf(value).name] = value;
  for (const auto &[name, origins] : graph.log->origins)
    for (const std::string &origin : origins)
      if (auto found = byName.find(origin); found != byName.end())
        if (int home = plan.home[baseOf(function, found->second)]; home >= 0) {
          units.emplace(name, static_cast<unsigned>(home));
          break;
        }
  // Calls of a library have no origins in the log; it names them in the order in which they run.
  std::vector<unsigned> calls;
  for (auto [index, unit] : llvm::enumerate(plan.units))
    if (unit.kernel >= 0 && !graph.kernels[unit.kernel].isGenerated())
      calls.push_back(static_cast<unsigned>(index));
  if (calls.size() == graph.log->library.size())
    for (auto [name, call] : llvm::zip_equal(graph.log->library, calls))
      units.emplace(name, call);
  return units;
}

} // namespace

UnfusedReasons::UnfusedReasons(const CompiledGraph &graph, const FxFunction &function, const KernelPlan &plan)
    : graph_(graph), plan_(plan) {
  if (!graph.log)
    return;
  std::map<std::string, unsigned> units = unitsOfScheduler(graph, function, plan);
  auto unitsOf = [&](const std::vector<std::string> &names) {
    std::set<unsigned> found;
    for (const std::string &name : names)
      if (auto unit = units.find(name); unit != units.end())
        found.insert(unit->second);
    return found;
  };
  for (const Unfused &unfused : graph.log->unfused)
    for (unsigned first : unitsOf(unfused.first))
      for (unsigned second : unitsOf(unfused.second))
        if (first != second) {
          std::vector<std::string> &said = reasons_[{std::min(first, second), std::max(first, second)}];
          if (!llvm::is_contained(said, unfused.reason))
            said.push_back(unfused.reason);
        }
}

std::string UnfusedReasons::nameOf(unsigned unit) const {
  int kernel = plan_.units[unit].kernel;
  return kernel < 0 ? "" : graph_.kernels[kernel].name;
}

std::string UnfusedReasons::ofEdge(unsigned from, unsigned to) const {
  if (auto found = reasons_.find({std::min(from, to), std::max(from, to)}); found != reasons_.end())
    return "its log says: " + llvm::join(found->second, "; ");
  for (unsigned unit : {from, to})
    if (int kernel = plan_.units[unit].kernel; kernel >= 0 && !graph_.kernels[kernel].isGenerated())
      return nameOf(unit) + " is a call of a library's kernel, which takes in no other op";
  return "";
}

std::vector<std::string> UnfusedReasons::ofUnit(unsigned unit) const {
  constexpr size_t most = 64;
  std::vector<std::string> lines;
  for (const auto &[units, said] : reasons_) {
    if (units.first != unit && units.second != unit)
      continue;
    std::string other = nameOf(units.first == unit ? units.second : units.first);
    for (const std::string &reason : said)
      if (lines.size() < most)
        lines.push_back("with " + other + ": " + reason);
  }
  return lines;
}

} // namespace fuselage::inductor
