// Rows of a run that are the same but for where they are, as one row: the same in text, in files and in the window.
#pragma once
#include "core/protocol/Run.h"
#include "core/text/PlaceList.h"
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace fuselage::message {

/// What a row alone is as a group.
template <class Types> KernelGroup<Types> groupOfOne(const RunReport<Types> &report, size_t row) {
  const Kernel<Types> &kernel = report.kernels[row];
  KernelGroup<Types> group;
  group.kernels.push_back(static_cast<Int64<Types>>(row));
  group.sumUs = kernel.medianUs < 0 ? -1 : kernel.medianUs * double(kernel.calls);
  group.bytes = kernel.bytes < 0 ? -1 : static_cast<Int64<Types>>(kernel.bytes) * kernel.calls;
  group.share = kernel.once || report.sumUs <= 0 || group.sumUs < 0 ? -1 : group.sumUs / report.sumUs;
  return group;
}

template <class Types> std::vector<KernelGroup<Types>> groupsOfOne(const RunReport<Types> &report) {
  std::vector<KernelGroup<Types>> groups;
  for (size_t row = 0; row < size_t(report.kernels.size()); ++row)
    groups.push_back(groupOfOne(report, row));
  return groups;
}

/// The groups of a report; a group for each row if it has none, as those of older versions, or if they do not hold each
/// row once.
template <class Types> std::vector<KernelGroup<Types>> groupsOf(const RunReport<Types> &report) {
  std::vector<bool> isListed(size_t(report.kernels.size()));
  size_t listed = 0;
  for (const KernelGroup<Types> &group : report.groups)
    for (Int64<Types> row : group.kernels) {
      if (row < 0 || size_t(row) >= isListed.size() || isListed[size_t(row)])
        return groupsOfOne(report);
      isListed[size_t(row)] = true;
      ++listed;
    }
  auto isEmptyGroup = [](const KernelGroup<Types> &group) { return isEmpty(group.kernels); };
  if (listed != isListed.size() || std::any_of(report.groups.begin(), report.groups.end(), isEmptyGroup))
    return groupsOfOne(report);
  return std::vector<KernelGroup<Types>>(report.groups.begin(), report.groups.end());
}

/// The rate of rows that do equal work at these rates, one after the other; -1: one is unknown.
inline double rateOf(const std::vector<double> &rates) {
  double time = 0;
  for (double rate : rates) {
    if (!(rate >= 0))
      return -1;
    if (rate == 0)
      return 0;
    time += 1 / rate;
  }
  return double(rates.size()) / time;
}

/// A row for all of a group: the mean of the medians, the least and the largest of the other times, rates and shares of
/// peaks over the whole time, the largest errors, and samples of all. The rest is of the first.
template <class Types> Kernel<Types> rowOf(const RunReport<Types> &report, const KernelGroup<Types> &group) {
  Kernel<Types> row = report.kernels[group.kernels[0]];
  if (group.kernels.size() < 2)
    return row;
  const double count = double(group.kernels.size());
  std::vector<double> gflops, gbps, shares;
  double median = 0;
  bool isMeasured = true;
  std::vector<double> baselines(size_t(row.baselines.size()), 0);
  size_t samples = 0;
  for (Int64<Types> index : group.kernels)
    samples += size_t(report.kernels[index].samples.size());
  constexpr size_t mostSamples = 1000;
  const size_t step = samples / mostSamples + 1; // of all of them evenly
  size_t sample = 0;
  row.samples = {};
  row.launches = 0;
  for (Int64<Types> index : group.kernels) {
    const Kernel<Types> &kernel = report.kernels[index];
    isMeasured &= kernel.medianUs >= 0;
    median += kernel.medianUs;
    row.minUs = std::min(row.minUs, kernel.minUs);
    row.p95Us = std::max(row.p95Us, kernel.p95Us);
    row.launches += kernel.launches;
    gflops.push_back(kernel.gflops);
    gbps.push_back(kernel.gbps);
    shares.push_back(kernel.limit.isKnown() ? kernel.limit.share : -1);
    if (!(kernel.maxAbsError <= row.maxAbsError)) // also where nobody knows
      row.maxAbsError = kernel.maxAbsError;
    if (!(kernel.maxRelError <= row.maxRelError))
      row.maxRelError = kernel.maxRelError;
    for (size_t i = 0; i < baselines.size() && i < size_t(kernel.baselines.size()); ++i)
      baselines[i] += kernel.baselines[i].us / count;
    for (double us : kernel.samples)
      if (sample++ % step == 0)
        row.samples.push_back(us);
  }
  row.medianUs = isMeasured ? median / count : -1;
  row.gflops = rateOf(gflops);
  row.gbps = rateOf(gbps);
  if (row.limit.isKnown())
    row.limit.share = rateOf(shares);
  for (size_t i = 0; i < baselines.size(); ++i)
    row.baselines[i].us = baselines[i];
  return row;
}

/// "layer 1 to 12, encoder_dispatch_3": where the rows of a group are, layers by their names, which are numbered, and
/// what lies in none by the name of its dispatch. At most `most` of them, then ".. 77 more".
template <class Types, class TextOf>
std::string placesOf(const RunReport<Types> &report, const KernelGroup<Types> &group, size_t most,
                     const TextOf &textOf) {
  std::vector<std::string> names;
  for (Int64<Types> index : group.kernels) {
    const Kernel<Types> &kernel = report.kernels[index];
    names.push_back(textOf(isEmpty(kernel.layer) ? kernel.dispatch : kernel.layer));
  }
  return placeList(names, most);
}

} // namespace fuselage::message

namespace fuselage {

/// What a row of a run is of.
struct RowForm {
  int form = -1;     ///< rows of a kind with the same number are of equal dispatches or host ops; -1: like no other
  unsigned part = 0; ///< which of the kernels of its dispatch, which follow each other
};

/// Lists the groups of a report, what takes longest first, the kernels of a dispatch one after the other, and numbers
/// its rows by them. `forms`: by row.
void listGroups(message::RunReport<> &report, const std::vector<RowForm> &forms);

} // namespace fuselage
