#include "tests/bench/DlibSearch.h"
#ifdef FUSELAGE_HAS_DLIB
#include <algorithm>
#include <cmath>
#include <dlib/global_optimization/global_function_search.h>
#endif

namespace fuselage::bench {

#ifdef FUSELAGE_HAS_DLIB
namespace {

using Column = dlib::matrix<double, 0, 1>;

class DlibSearch final : public tune::Strategy {
public:
  DlibSearch(const tune::PointSet &points, uint64_t seed)
      : points_(points), values_(valuesOf(points)), isAsked_(points.size(), false), costs_(points.size()),
        search_(dlib::function_spec(Column(dlib::zeros_matrix<double>(long(values_.size()), 1)), lastPlaces(),
                                    std::vector<bool>(values_.size(), true))) {
    search_.set_seed(time_t(seed));
    search_.set_solver_epsilon(0);
    for (size_t number = 0; number < points.size(); ++number)
      places_.push_back(placeOf(points[number]));
  }

  std::optional<size_t> next() final {
    constexpr unsigned patience = 50; // requests for what is known, after which the nearest unknown point is taken
    for (unsigned tries = 0; asked_ < points_.size(); ++tries) {
      dlib::function_evaluation_request request = search_.get_next_x();
      size_t number = nearest(request.x(), /*onlyFresh=*/tries >= patience);
      if (isAsked_[number]) {
        request.set(worthOf(costs_[number]));
        continue;
      }
      isAsked_[number] = true;
      ++asked_;
      open_.emplace(number, std::move(request));
      return number;
    }
    return std::nullopt;
  }

  void told(size_t number, tune::Cost cost) final {
    costs_[number] = cost;
    worst_ = std::max(worst_, cost.value_or(0));
    auto request = open_.find(number);
    if (request == open_.end())
      return;
    request->second.set(worthOf(cost));
    open_.erase(request);
  }

private:
  static std::vector<std::vector<int64_t>> valuesOf(const tune::PointSet &points) {
    std::vector<std::vector<int64_t>> values(points.space().knobs.size());
    for (size_t number = 0; number < points.size(); ++number)
      for (size_t knob = 0; knob < values.size(); ++knob)
        values[knob].push_back(points[number][knob]);
    for (std::vector<int64_t> &each : values) {
      std::sort(each.begin(), each.end());
      each.erase(std::unique(each.begin(), each.end()), each.end());
    }
    return values;
  }

  Column lastPlaces() const {
    Column last(long(values_.size()));
    for (size_t knob = 0; knob < values_.size(); ++knob)
      last(long(knob)) = double(std::max<size_t>(values_[knob].size(), 2) - 1); // dlib wants an interval
    return last;
  }

  std::vector<double> placeOf(const tune::Point &point) const {
    std::vector<double> place;
    for (size_t knob = 0; knob < values_.size(); ++knob)
      place.push_back(
          double(std::lower_bound(values_[knob].begin(), values_[knob].end(), point[knob]) - values_[knob].begin()));
    return place;
  }

  size_t nearest(const Column &x, bool onlyFresh) const {
    size_t best = 0;
    double least = INFINITY;
    for (size_t number = 0; number < places_.size(); ++number) {
      double distance = 0;
      for (size_t knob = 0; knob < values_.size(); ++knob)
        distance += (places_[number][knob] - x(long(knob))) * (places_[number][knob] - x(long(knob)));
      if (distance < least && !(onlyFresh && isAsked_[number])) {
        least = distance;
        best = number;
      }
    }
    return best;
  }

  /// dlib looks for the largest value; the logarithm, as our model has it. What fails is twice as slow as the slowest.
  double worthOf(tune::Cost cost) const { return -std::log(cost.value_or(worst_ > 0 ? 2 * worst_ : 1)); }

  const tune::PointSet &points_;
  std::vector<std::vector<int64_t>> values_; ///< of each knob, ascending
  std::vector<std::vector<double>> places_;  ///< of each point: the numbers of its values
  std::vector<bool> isAsked_;
  std::vector<tune::Cost> costs_;
  size_t asked_ = 0;
  double worst_ = 0;
  dlib::global_function_search search_;
  std::map<size_t, dlib::function_evaluation_request> open_; ///< handed out and not told yet
};

} // namespace

std::unique_ptr<tune::Strategy> makeDlibSearch(const tune::PointSet &points, uint64_t seed) {
  return std::make_unique<DlibSearch>(points, seed);
}
#else
std::unique_ptr<tune::Strategy> makeDlibSearch(const tune::PointSet &, uint64_t) { return nullptr; }
#endif

} // namespace fuselage::bench
