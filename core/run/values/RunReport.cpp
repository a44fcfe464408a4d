#include "core/run/values/RunReport.h"
#include "llvm/ADT/STLExtras.h"

namespace fuselage {

void judge(RunReport &report, const std::string &place) {
  auto isKernel = [](const KernelReport &row) { return row.kind == KernelReport::Kind::Dispatch; };
  report.verdict = CheckVerdict::Ok;
  if (report.cancelled) {
    report.verdict = CheckVerdict::Unchecked;
    report.why = "cancelled after " + std::to_string(report.cancelled->after) + " of " +
                 std::to_string(report.cancelled->of) + (report.cancelled->of == 1 ? " dispatch" : " dispatches");
  }
  auto add = [&](const std::string &what, const Comparison &check) {
    if (check.verdict <= report.verdict)
      return;
    report.verdict = check.verdict;
    report.why = what + ": " + check.why;
  };
  for (const KernelReport &row : report.kernels)
    if (isKernel(row))
      add("@" + row.dispatch + (row.loc.empty() ? "" : " (" + row.loc + ")"), row.check);
  std::string function = "@" + report.function, at = place.empty() ? "" : " (" + place + ")";
  for (auto [index, output] : llvm::enumerate(report.outputs))
    add("result " + std::to_string(index) + " of " + function + at, output.check);
  // What the host computes by itself was run, too.
  if (report.verdict != CheckVerdict::Ok || !report.kernels.empty() || report.shares.dispatches > 0)
    return;
  std::string noKernel = function + " has no op on tensors that would make a kernel" + at;
  if (report.computes) {
    report.remarks.push_back(
        {.severity = Diagnostic::Severity::Remark, .message = noKernel + "; the host has computed its results"});
  } else {
    report.verdict = CheckVerdict::NothingToRun;
    report.why = "there is nothing to run: " + noKernel;
  }
}

void excuse(RunReport &report, const std::string &meaningless) {
  auto excuseOne = [&](Comparison &check) {
    check.verdict = CheckVerdict::NotComparable;
    check.why = meaningless;
  };
  for (KernelReport &row : report.kernels)
    if (row.check.verdict == CheckVerdict::Wrong)
      excuseOne(row.check);
  for (OutputReport &output : report.outputs) // equal by chance, if they are
    excuseOne(output.check);
  report.verdict = CheckVerdict::NotComparable;
  report.why = meaningless;
}

} // namespace fuselage
