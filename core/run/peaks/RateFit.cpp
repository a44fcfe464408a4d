#include "core/run/peaks/RateFit.h"
#include "core/run/peaks/PeakMeasure.h"
#include <algorithm>
#include <cmath>

namespace fuselage {

using message::DispatchSample;

bool movesMoreThanItComputes(const DispatchSample<> &sample) {
  // Software devices do some four operations while a byte is moved, others more.
  constexpr double flopsAByte = 4;
  return sample.bytes > 0 && sample.flops >= 0 && sample.flops <= flopsAByte * sample.bytes;
}

namespace {

/// launches * x[0] + bytes * x[1] is to be us; an error counts in parts of `us`, `weight` times. What is known
/// beforehand is off by at most all of it, however far the samples are.
struct Equation {
  double launches, bytes, us, weight;
  bool isPrior = false;
  double unit(const double (&x)[2]) const { return isPrior ? std::max(us, launches * x[0] + bytes * x[1]) : us; }
  double residual(const double (&x)[2]) const { return std::abs(launches * x[0] + bytes * x[1] - us) / unit(x); }
};

/// From a solution to the next, of the weighted normal equations, that is nowhere negative.
void solve(const std::vector<Equation> &equations, const std::vector<double> &weights, double (&x)[2]) {
  double a = 0, b = 0, c = 0, d = 0, e = 0; // [a b; b c] x = [d; e]
  for (size_t i = 0; i < equations.size(); ++i) {
    const Equation &equation = equations[i];
    double unit = equation.unit(x), w = weights[i] / (unit * unit);
    a += w * equation.launches * equation.launches;
    b += w * equation.launches * equation.bytes;
    c += w * equation.bytes * equation.bytes;
    d += w * equation.launches * equation.us;
    e += w * equation.bytes * equation.us;
  }
  double determinant = a * c - b * b;
  if (determinant > 1e-12 * a * c) {
    x[0] = (d * c - b * e) / determinant;
    x[1] = (a * e - b * d) / determinant;
  }
  if (determinant <= 1e-12 * a * c || x[0] < 0 || x[1] < 0) {
    bool launchesAlone = x[1] < 0;
    x[0] = launchesAlone ? d / a : 0;
    x[1] = launchesAlone ? 0 : e / c;
  }
}

} // namespace

static double medianOfRatios(std::vector<double> ratios) {
  ratios.push_back(1);
  std::sort(ratios.begin(), ratios.end());
  size_t half = ratios.size() / 2;
  return ratios.size() % 2 ? ratios[half] : (ratios[half - 1] + ratios[half]) / 2;
}

DeviceRates fitRates(const message::DeviceSamples<> &samples, const message::DevicePeaks<> *peaks) {
  constexpr double assumedWeight = 0.1, largeBytes = 1e6, leastResidual = 1e-3;
  constexpr unsigned rounds = 60;
  DeviceRates rates;
  const message::Peak<> *memory = peaks ? findPeak(*peaks, kMemoryPeak) : nullptr;
  double gbps = memory ? memory->rate : kAssumedGbps;
  std::vector<Equation> equations{{0, largeBytes, largeBytes / (gbps * 1e3), memory ? 1 : assumedWeight, true},
                                  {1, 0, kAssumedLaunchUs, assumedWeight, true}};
  std::vector<const DispatchSample<> *> used;
  for (const DispatchSample<> &sample : samples.dispatches)
    if (movesMoreThanItComputes(sample)) {
      equations.push_back({double(sample.launches), sample.bytes, sample.us, 1});
      used.push_back(&sample);
    }
  if (used.empty())
    return rates;
  std::vector<double> usAByte;
  for (const DispatchSample<> *sample : used)
    usAByte.push_back(sample->us / sample->bytes);
  std::nth_element(usAByte.begin(), usAByte.begin() + usAByte.size() / 2, usAByte.end());
  double x[2] = {0, usAByte[usAByte.size() / 2]}; // the samples lead, and not what was known before
  std::vector<double> weights;
  for (unsigned round = 0; round < rounds; ++round) {
    weights.clear();
    for (const Equation &equation : equations)
      weights.push_back(equation.weight / std::max(equation.residual(x), leastResidual));
    solve(equations, weights, x);
  }
  // A bandwidth without end says that nothing large was measured.
  constexpr double leastUsAByte = 1e-9;
  rates.device = samples.device;
  rates.samples = used.size();
  rates.launchUs = x[0];
  rates.gbps = 1 / (std::max(x[1], leastUsAByte) * 1e3);
  std::map<std::string, std::vector<double>> ratios;
  for (const DispatchSample<> *sample : used)
    if (double us = double(sample->launches) * x[0] + sample->bytes * x[1]; us > 0)
      ratios[sample->kind].push_back(sample->us / us);
  for (auto &[kind, all] : ratios)
    rates.kinds[kind] = {.ratio = medianOfRatios(all), .samples = unsigned(all.size())};
  return rates;
}

} // namespace fuselage
