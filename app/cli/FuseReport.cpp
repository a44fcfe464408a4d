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

static llvm::json::Value known(int64_t bytes) {
  return bytes < 0 ? llvm::json::Value(nullptr) : llvm::json::Value(bytes);
}

static llvm::json::Value timesToJSON(const FuseReport &report) {
  if (!report.times)
    return nullptr;
  return llvm::json::Object{{"device", report.device},
                            {"us_before", report.times->before},
                            {"us_after", report.times->after}};
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
                            {"measure", report.times ? "measured" : "predicted"},
                            {"dispatches_before", report.before.dispatches},
                            {"dispatches_after", report.after.dispatches},
                            {"bytes_before", known(report.before.bytes)},
                            {"bytes_after", known(report.after.bytes)},
                            {"times", timesToJSON(report)},
                            {"reasons", llvm::json::Array(report.reasons)},
                            {"tries", report.tries},
                            {"gave_up", report.gaveUp},
                            {"check", checkToJSON(report)},
                            {"note", report.note}};
}

/// What is said where no pass stays.
static const char *nothingDone(const FuseReport &report) {
  if (report.what == "all")
    return ": nothing pays; the module stays as it is";
  return report.what == "clean-up" ? ": nothing stands in the way; the module stays as it is" : ": fused already";
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
  os << report.what << (report.passes.empty() ? nothingDone(report) : ": fused") << '\n';
  for (auto [index, step] : llvm::enumerate(report.steps)) {
    os << "  " << index + 1 << ". " << step.pass;
    if (!step.reason.empty())
      os << "  against " << step.reason;
    os << ", " << step.dispatches << " dispatch" << (step.dispatches == 1 ? "" : "es") << '\n';
  }
  for (const std::string &part : report.dropped)
    os << "  taken back: " << part << '\n';
  os << "dispatches: " << report.before.dispatches << " before, " << report.after.dispatches << " after\n";
  if (report.before.bytes >= 0 && report.after.bytes >= 0)
    os << "bytes through memory, predicted: " << report.before.bytes << " before, " << report.after.bytes << " after\n";
  if (report.times)
    os << llvm::format("measured on %s: %.1f us before, %.1f us after\n", report.device.c_str(),
                       report.times->before, report.times->after);
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
