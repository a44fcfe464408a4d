#include "core/stepping/rewrites/Breakpoints.h"
#include "core/ir/module/PlaceFilter.h"
#include "core/rewrites/Rewrites.h"
#include "core/stepping/record/StepReplay.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

/// Calls for each op that a rewrite has to do with until one is it.
static bool anyOp(const RewriteLog &log, const Rewrite &rewrite, llvm::function_ref<bool(const RewriteOp &)> isIt) {
  if (rewrite.root >= 0 && isIt(log.ops[rewrite.root]))
    return true;
  for (const auto *ops : {&rewrite.inserted, &rewrite.erased, &rewrite.modified})
    if (llvm::any_of(*ops, [&](unsigned op) { return isIt(log.ops[op]); }))
      return true;
  return false;
}

bool stopsAt(const RewriteLog &log, unsigned index, llvm::StringRef breakpoint) {
  const Rewrite &rewrite = log.rewrites[index];
  if (breakpoint.starts_with("@"))
    return log.functions[rewrite.function] == breakpoint.drop_front();
  if (std::optional<PlaceFilter> place = PlaceFilter::read(breakpoint))
    return anyOp(log, rewrite, [&](const RewriteOp &op) { return place->fitsAny(op.location); });
  if (rewrite.kind == RewriteKind::Pattern) {
    const std::string &name = log.patterns[rewrite.pattern].name;
    if (name == breakpoint || shortPatternName(name) == breakpoint)
      return true;
  }
  return nameOf(rewrite.kind) == breakpoint ||
         anyOp(log, rewrite, [&](const RewriteOp &op) { return op.name.getStringRef() == breakpoint; });
}

/// The first stop of a step among the rewrites from `first` on; backwards, the last one up to it.
static std::optional<RewriteStop> stopIn(const RewriteLog &log, const StopSearch &search, unsigned step,
                                         int64_t first) {
  const int64_t by = search.backwards ? -1 : 1;
  for (int64_t index = first; index >= 0 && index < int64_t(log.rewrites.size()); index += by)
    for (const std::string &breakpoint : search.breakpoints)
      if (stopsAt(log, unsigned(index), breakpoint))
        return RewriteStop{.step = step, .rewrite = unsigned(index), .breakpoint = breakpoint};
  return std::nullopt;
}

llvm::Expected<std::optional<RewriteStop>>
findStop(const Recording &recording, const StopSearch &search,
         llvm::function_ref<llvm::Expected<std::shared_ptr<const RewriteLog>>(unsigned step)> logOf) {
  const int64_t by = search.backwards ? -1 : 1;
  for (int64_t step = search.step; step >= 0 && step < int64_t(recording.steps.size()); step += by) {
    if (search.cancelled && *search.cancelled)
      return fail("the search was cancelled");
    if (!recording.steps[step].replay)
      continue;
    auto log = logOf(unsigned(step));
    if (!log)
      return log.takeError();
    int64_t first = search.backwards ? int64_t((*log)->rewrites.size()) - 1 : 0;
    if (step == search.step && search.rewrite)
      first = int64_t(*search.rewrite) + by;
    if (auto stop = stopIn(**log, search, unsigned(step), first))
      return stop;
  }
  return std::nullopt;
}

} // namespace fuselage
