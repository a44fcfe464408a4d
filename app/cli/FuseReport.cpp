#include "app/cli/FuseReport.h"
#include "core/support/JsonNumber.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace fuselage::cli {

static llvm::json::Value checkToJSON(const FuseReport &report) {
  if (!report.check)
    return nullptr;
  return llvm::json::Object{{"function", report.check->function},
                            {"max_abs_error", jsonNumber(report.check->maxAbsError)},
                            {"max_rel_error", jsonNumber(report.check->maxRelError)},
                            {"ok", report.check->ok}};
}

llvm::json::Value toJSON(const FuseReport &report) {
  llvm::json::Array steps;
  for (const FusionStep &step : report.steps)
    steps.push_back(
        llvm::json::Object{{"pass", step.pass}, {"reason", step.reason}, {"dispatches", step.dispatches}});
  return llvm::json::Object{{"version", 1},
                            {"policy", report.policy},
                            {"request", report.what},
                            {"fused", report.fused},
                            {"steps", std::move(steps)},
                            {"pipeline", report.pipeline},
                            {"dropped", llvm::json::Array(report.dropped)},
                            {"dispatches_before", report.dispatchesBefore},
                            {"dispatches_after", report.dispatchesAfter},
                            {"reasons", llvm::json::Array(report.reasons)},
                            {"tries", report.tries},
                            {"gave_up", report.gaveUp},
                            {"check", checkToJSON(report)},
                            {"note", report.note}};
}

std::string formatFuseReport(const FuseReport &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!report.fused) {
    os << report.what << ": not fused; " << report.tries << " passes were tried"
       << (report.gaveUp ? ", then the search ended" : "") << '\n';
    for (const std::string &reason : report.reasons)
      os << "  " << reason << '\n';
    return text;
  }
  const char *nothing = report.what == "all" ? ": nothing pays; the module stays as it is" : ": fused already";
  os << report.what << (report.pipeline.empty() ? nothing : ": fused") << '\n';
  for (auto [index, step] : llvm::enumerate(report.steps)) {
    os << "  " << index + 1 << ". " << step.pass << "  against " << step.reason;
    os << ", " << step.dispatches << " dispatch" << (step.dispatches == 1 ? "" : "es") << '\n';
  }
  for (const std::string &part : report.dropped)
    os << "  taken back: " << part << '\n';
  os << "dispatches: " << report.dispatchesBefore << " before, " << report.dispatchesAfter << " after\n";
  if (report.check)
    os << llvm::format("on the host, @%s: max abs error %.2e, max rel error %.2e, %s\n",
                       report.check->function.c_str(), report.check->maxAbsError, report.check->maxRelError,
                       report.check->ok ? "ok" : "WRONG");
  if (!report.note.empty())
    os << "not checked: " << report.note << '\n';
  if (!report.pipeline.empty())
    os << "pipeline: " << report.pipeline << '\n';
  return text;
}

} // namespace fuselage::cli
