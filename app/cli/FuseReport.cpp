#include "app/cli/FuseReport.h"
#include "core/support/JsonNumber.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

namespace fuselage::cli {

static llvm::json::Value checkToJSON(const FuseReport &report) {
  if (!report.check)
    return nullptr;
  return llvm::json::Object{{"function", report.check->function},
                            {"max_abs_error", jsonNumber(report.check->maxAbsError)},
                            {"max_rel_error", jsonNumber(report.check->maxRelError)},
                            {"ok", report.check->ok},
                            {"few_layers", report.isCheckOfFewLayers}};
}

static llvm::json::Value known(int64_t bytes) {
  return bytes < 0 ? llvm::json::Value(nullptr) : llvm::json::Value(bytes);
}

static llvm::json::Value knownUs(double us) { return us < 0 ? llvm::json::Value(nullptr) : llvm::json::Value(us); }

static llvm::json::Value knownGain(double us) {
  return std::isnan(us) ? llvm::json::Value(nullptr) : llvm::json::Value(us);
}

static llvm::json::Object predictionToJSON(const FuseReport &report) {
  return llvm::json::Object{{"source", report.rates.source()},
                            {"gbps", report.rates.gbps},
                            {"launch_us", report.rates.launchUs},
                            {"us_before", knownUs(report.before.us)},
                            {"us_after", knownUs(report.after.us)}};
}

static llvm::json::Value timesToJSON(const FuseReport &report) {
  if (!report.times)
    return nullptr;
  return llvm::json::Object{{"device", report.device},
                            {"us_before", report.times->before},
                            {"us_after", report.times->after},
                            {"noise_us", report.times->noise},
                            {"predicted_us", knownGain(report.times->predicted)}};
}

static llvm::json::Value writtenToJSON(const FuseReport &report) {
  if (!report.written)
    return nullptr;
  return llvm::json::Object{{"regions", report.written->regions}, {"ops_outside", report.written->opsOutside}};
}

static llvm::json::Array partsToJSON(const FuseReport &report) {
  llvm::json::Array parts;
  for (const FusionPart &part : report.parts)
    parts.push_back(llvm::json::Object{{"pass", part.pass},
                                       {"kept", part.isKept},
                                       {"dispatches", part.dispatches},
                                       {"bytes", std::isnan(part.predicted) ? llvm::json::Value(nullptr) : part.bytes},
                                       {"us", part.gain},
                                       {"noise_us", part.noise},
                                       {"predicted_us", knownGain(part.predicted)}});
  return parts;
}

/// " and 12.3 us less"
static std::string gainText(double us) {
  return std::isnan(us) ? "" : llvm::formatv(", {0:f1} us {1}", std::abs(us), us < 0 ? "more" : "less").str();
}

/// What each part gains, and how that is known.
static void printParts(llvm::raw_ostream &os, const FuseReport &report) {
  if (!report.parts.empty())
    os << "parts, and what the program gains by each:\n";
  for (const FusionPart &part : report.parts) {
    os << llvm::formatv("  {0}: predicted {1} dispatch{2} and {3} bytes less{4}; ", part.pass, part.dispatches,
                        part.dispatches == 1 ? "" : "es",
                        std::isnan(part.predicted) ? "an unknown number of" : std::to_string(part.bytes),
                        gainText(part.predicted));
    if (std::abs(part.gain) < part.noise)
      os << llvm::formatv("measured no difference beyond the noise of {0:f1} us", part.noise);
    else
      os << llvm::formatv("measured {0:f1} us {1}", std::abs(part.gain), part.gain < 0 ? "more" : "less");
    os << (part.isKept ? "\n" : ", taken back\n");
  }
}

llvm::json::Value toJSON(const FuseReport &report) {
  llvm::json::Array steps;
  for (const FusionStep &step : report.steps)
    steps.push_back(llvm::json::Object{{"pass", step.pass}, {"reason", step.reason}, {"dispatches", step.dispatches}});
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
                            {"prediction", predictionToJSON(report)},
                            {"times", timesToJSON(report)},
                            {"parts", partsToJSON(report)},
                            {"reasons", llvm::json::Array(report.reasons)},
                            {"tries", report.tries},
                            {"tried", llvm::json::Array(report.tried)},
                            {"gave_up", report.gaveUp},
                            {"check", checkToJSON(report)},
                            {"note", report.note},
                            {"written", writtenToJSON(report)}};
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
    if (!report.tried.empty())
      os << "  tried without success: " << llvm::join(report.tried, ", ") << '\n';
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
  if (report.written)
    os << "written: " << report.written->regions << " dispatch region" << (report.written->regions == 1 ? "" : "s")
       << " and " << report.written->opsOutside << " op" << (report.written->opsOutside == 1 ? "" : "s")
       << " outside, of which the compiler that reads the module forms dispatches\n";
  if (report.before.bytes >= 0 && report.after.bytes >= 0)
    os << "bytes through memory, predicted: " << report.before.bytes << " before, " << report.after.bytes << " after\n";
  if (report.before.us >= 0 && report.after.us >= 0)
    os << llvm::formatv("launches and memory take, predicted: {0:f1} us before, {1:f1} us after, at {2:f1} us a launch "
                        "and {3:f1} GB/s ({4})\n",
                        report.before.us, report.after.us, report.rates.launchUs, report.rates.gbps,
                        report.rates.source());
  if (report.times)
    os << llvm::format("measured on %s: %.1f us before, %.1f us after, readings of what differs lay %.1f us apart\n",
                       report.device.c_str(), report.times->before, report.times->after, report.times->noise);
  printParts(os, report);
  if (report.check)
    os << llvm::format("on the host, @%s%s: max abs error %.2e, max rel error %.2e, %s\n",
                       report.check->function.c_str(),
                       report.isCheckOfFewLayers ? " with a few of its equal layers" : "", report.check->maxAbsError,
                       report.check->maxRelError, report.check->ok ? "ok" : "WRONG");
  if (!report.note.empty())
    os << "not verified: " << report.note << '\n';
  if (!report.pipeline.empty())
    os << "pipeline: " << report.pipeline << '\n';
  return text;
}

} // namespace fuselage::cli
