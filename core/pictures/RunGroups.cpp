#include "core/pictures/RunGroups.h"
#include <map>
#include <tuple>
#include <utility>

namespace fuselage {

namespace {
struct Listed {
  message::KernelGroup<> group;
  size_t dispatch = 0; ///< the same for the kernels of a dispatch
};
} // namespace

/// What makes two rows the same, but for which of the kernels of a dispatch they are.
static auto keyOf(const message::Kernel<> &row, const RowForm &form, size_t index) {
  // What is like no other has a number of its own.
  int64_t number = form.form < 0 ? -1 - int64_t(index - form.part) : form.form;
  return std::tuple(row.onHost, number, row.once, row.tuned, row.calls, row.gbpsAtMost, row.clock, row.verdict,
                    row.device, row.cold);
}

static void addTo(message::KernelGroup<> &group, const message::KernelGroup<> &row) {
  auto add = [](auto &sum, auto part) { sum = sum < 0 || part < 0 ? -1 : sum + part; };
  group.kernels.push_back(row.kernels.front());
  add(group.sumUs, row.sumUs);
  add(group.bytes, row.bytes);
  add(group.share, row.share);
}

void listGroups(message::RunReport<> &report, const std::vector<RowForm> &forms) {
  std::vector<Listed> groups;
  std::map<decltype(keyOf({}, {}, 0)), size_t> dispatches;
  std::map<std::pair<size_t, unsigned>, size_t> places;
  std::vector<double> times; // by dispatch
  for (size_t index = 0; index < forms.size(); ++index) {
    auto key = keyOf(report.kernels[index], forms[index], index);
    size_t dispatch = dispatches.emplace(std::move(key), dispatches.size()).first->second;
    times.resize(dispatches.size());
    message::KernelGroup<> row = message::groupOfOne(report, index);
    times[dispatch] += std::max(0.0, row.sumUs);
    auto [place, isNew] = places.emplace(std::pair(dispatch, forms[index].part), groups.size());
    if (isNew)
      groups.push_back({std::move(row), dispatch});
    else
      addTo(groups[place->second].group, row);
  }
  std::stable_sort(groups.begin(), groups.end(), [&](const Listed &a, const Listed &b) {
    return std::pair(times[b.dispatch], a.dispatch) < std::pair(times[a.dispatch], b.dispatch);
  });
  for (Listed &listed : groups) {
    for (int64_t kernel : listed.group.kernels)
      report.kernels[size_t(kernel)].group = int(report.groups.size());
    report.groups.push_back(std::move(listed.group));
  }
}

} // namespace fuselage
