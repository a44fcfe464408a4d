// The rows of runs as CSV, the same from the command line and the window.
#pragma once
#include "core/protocol/Run.h"
#include "core/text/CsvCell.h"
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace fuselage::message {

/// To the digit that is measured; empty where it is unknown.
inline std::string csvNumber(double value, bool isKnown) {
  if (!isKnown)
    return "";
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

template <class List> std::string csvExtent(const List &sizes) {
  std::string text;
  for (const auto &size : sizes)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

inline constexpr size_t runCsvColumns = 35; ///< without those of addGroupCells()

/// How near the dispatch comes to its peak, and what else does its work.
template <class Types, class TextOf>
void addLimitCells(std::vector<std::string> &cells, const Kernel<Types> &kernel, const TextOf &textOf) {
  const Limit<Types> &limit = kernel.limit;
  bool isKnown = limit.isKnown();
  cells.insert(cells.end(), {isKnown ? limitKindNames[int(limit.kind)] : "", csvCell(textOf(limit.peak)),
                             csvNumber(limit.us, isKnown), csvNumber(limit.share, isKnown),
                             isKnown ? shareBoundNames[int(limit.bound)] : ""});
  std::string copy, library, libraryUs;
  for (const Baseline<Types> &baseline : kernel.baselines) {
    bool isCopy = textOf(baseline.kind) == Baseline<Types>::copyKind;
    (isCopy ? copy : libraryUs) = csvNumber(baseline.us, baseline.us >= 0);
    if (!isCopy)
      library = csvCell(textOf(baseline.name));
  }
  cells.insert(cells.end(), {copy, library, libraryUs});
}

/// The group of a row, how many rows are in it, what they take together, and the layer that the row lies in.
template <class Types, class TextOf>
void addGroupCells(std::vector<std::string> &cells, const RunReport<Types> &report, const Kernel<Types> &kernel,
                   const TextOf &textOf) {
  bool isKnown = kernel.group >= 0 && size_t(kernel.group) < size_t(report.groups.size());
  std::string group, rows, sum;
  if (isKnown) {
    const KernelGroup<Types> &of = report.groups[kernel.group];
    group = std::to_string(kernel.group);
    rows = std::to_string(of.kernels.size());
    sum = csvNumber(of.sumUs, of.sumUs >= 0);
  }
  cells.insert(cells.end(), {group, rows, sum, csvCell(textOf(kernel.layer))});
}

/// A line for each row of each run, in their order. `textOf` makes a std::string of a Text.
template <class Types, class TextOf>
std::string runCsv(const std::vector<std::pair<std::string, const RunReport<Types> *>> &runs, const TextOf &textOf) {
  std::string csv = "run,kind,dispatch,dispatch_index,loc,kernel,device,median_us,min_us,p95_us,launches,calls,clock,"
                    "cold,once,gflops,gbps,"
                    "gbps_at_most,max_abs_error,max_rel_error,verdict,grid,block,shared_bytes,flops,bytes,arithmetic,"
                    "limit,roof,limit_us,share,"
                    "share_bound,copy_us,library,library_us,group,group_rows,group_us,layer\n";
  for (const auto &[name, report] : runs)
    for (const Kernel<Types> &kernel : report->kernels) {
      auto number = [](double value) { return csvNumber(value, value == value && value >= 0); };
      auto boolean = [](bool value) { return std::string(value ? "true" : "false"); };
      std::vector<std::string> cells{csvCell(name),
                                     Kernel<Types>::kindNames[kernel.onHost],
                                     csvCell(textOf(kernel.dispatch)),
                                     kernel.dispatchIndex < 0 ? "" : std::to_string(kernel.dispatchIndex),
                                     csvCell(textOf(kernel.loc)),
                                     csvCell(textOf(kernel.name)),
                                     csvCell(textOf(kernel.device)),
                                     number(kernel.medianUs),
                                     number(kernel.minUs),
                                     number(kernel.p95Us),
                                     kernel.launches < 0 ? "" : std::to_string(kernel.launches),
                                     std::to_string(kernel.calls),
                                     csvCell(textOf(kernel.clock)),
                                     csvCell(textOf(kernel.cold)),
                                     boolean(kernel.once)};
      if (kernel.onHost)
        cells.resize(runCsvColumns);
      else
        cells.insert(cells.end(),
                     {number(kernel.gflops), number(kernel.gbps), boolean(kernel.gbpsAtMost),
                      number(kernel.maxAbsError), number(kernel.maxRelError),
                      runVerdictNames[static_cast<int>(kernel.verdict)], csvExtent(kernel.grid),
                      csvExtent(kernel.block), kernel.sharedBytes < 0 ? "" : std::to_string(kernel.sharedBytes),
                      number(kernel.flops), number(kernel.bytes), csvCell(textOf(kernel.arithmetic))});
      if (!kernel.onHost)
        addLimitCells<Types>(cells, kernel, textOf);
      addGroupCells<Types>(cells, *report, kernel, textOf);
      for (size_t i = 0; i < cells.size(); ++i)
        csv += (i ? "," : "") + cells[i];
      csv += "\n";
    }
  return csv;
}

} // namespace fuselage::message
