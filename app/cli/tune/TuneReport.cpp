// What came of a search, for programs.
#include "app/cli/tune/TuneArguments.h"
#include "core/support/JsonText.h"
#include "core/support/StandardOutput.h"
#include <cmath>

namespace fuselage::cli {

namespace json = llvm::json;

/// JSON has no infinity, which is the end of an interval of too few pairs.
static json::Value finite(double number) { return std::isfinite(number) ? json::Value(number) : json::Value(nullptr); }

json::Object searchJson(const tune::DeviceTuned &done, const tune::PointSet &points) {
  const tune::Space &space = points.space();
  const tune::Measurement &best = done.speedup.pairs ? done.confirmed : done.tuned.measured;
  json::Object statuses;
  for (const auto &[status, number] : done.counts)
    statuses[tune::nameOf(status)] = static_cast<int64_t>(number);
  json::Object object{{"function", done.key.dispatch},
                      {"module", done.key.module},
                      {"schedule", done.key.schedule},
                      {"device", done.key.device},
                      {"driver", done.key.driver},
                      {"version", done.key.version},
                      {"points", static_cast<int64_t>(points.size())},
                      {"complete", points.isComplete()},
                      {"trials", static_cast<int64_t>(done.tuned.trials.size())},
                      {"reused", static_cast<int64_t>(done.tuned.reused)},
                      {"statuses", std::move(statuses)},
                      {"stopped", json::fixUTF8(done.tuned.stopped)},
                      {"faster", done.isFaster},
                      {"one_thread", json::fixUTF8(done.tuned.measured.oneThread)},
                      {"us", json::Array(best.microseconds)},
                      {"baseline_us", json::Array(best.baseline)},
                      {"baseline", nullptr},
                      {"best", nullptr},
                      {"speedup", nullptr}};
  if (done.baseline)
    object["baseline"] = tune::parametersJson(space.parametersOf(*done.baseline));
  if (done.tuned.best)
    object["best"] = tune::parametersJson(space.parametersOf(*done.tuned.best));
  if (done.speedup.pairs > 0)
    object["speedup"] = json::Object{
        {"ratio", finite(done.speedup.ratio)}, {"low", finite(done.speedup.low)}, {"high", finite(done.speedup.high)}};
  return object;
}

void printSearches(json::Array searches) {
  results() << jsonText(json::Object{{"version", 1}, {"searches", std::move(searches)}});
}

} // namespace fuselage::cli
