// What came of a search, for programs.
#include "app/cli/tune/TuneArguments.h"
#include "llvm/Support/FormatVariadic.h"

namespace fuselage::cli {

namespace json = llvm::json;

static json::Object pointJson(const tune::Space &space, const tune::Point &point) {
  json::Object object;
  for (auto [knob, value] : llvm::zip_equal(space.knobs, point))
    object[knob.name] = knob.textOf(value);
  return object;
}

json::Object searchJson(const tune::DeviceTuned &done, const tune::PointSet &points) {
  const tune::Space &space = points.space();
  const tune::Measurement &best = done.speedup.pairs ? done.confirmed : done.tuned.measured;
  json::Object statuses;
  for (const auto &[status, number] : done.counts)
    statuses[tune::nameOf(status)] = static_cast<int64_t>(number);
  json::Object object{{"function", done.key.dispatch},
                      {"device", done.key.device},
                      {"driver", done.key.driver},
                      {"points", static_cast<int64_t>(points.size())},
                      {"complete", points.isComplete()},
                      {"trials", static_cast<int64_t>(done.tuned.trials.size())},
                      {"reused", static_cast<int64_t>(done.tuned.reused)},
                      {"statuses", std::move(statuses)},
                      {"stopped", json::fixUTF8(done.tuned.stopped)},
                      {"faster", done.isFaster},
                      {"us", json::Array(best.microseconds)},
                      {"baseline_us", json::Array(best.baseline)},
                      {"baseline", nullptr},
                      {"best", nullptr},
                      {"speedup", nullptr}};
  if (done.baseline)
    object["baseline"] = pointJson(space, *done.baseline);
  if (done.tuned.best)
    object["best"] = pointJson(space, *done.tuned.best);
  if (done.speedup.pairs > 0)
    object["speedup"] = json::Object{{"ratio", done.speedup.ratio}, {"low", done.speedup.low}, {"high", done.speedup.high}};
  return object;
}

void printSearches(json::Array searches) {
  llvm::outs() << llvm::formatv("{0:2}", json::Value(json::Object{{"version", 1}, {"searches", std::move(searches)}})) << '\n';
}

} // namespace fuselage::cli
