// Two runs side by side: the time of each dispatch in one and in the other, the same on the command line and in the
// window.
#pragma once
#include "core/protocol/Run.h"
#include "core/text/CsvCell.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fuselage {

/// Microseconds of one pass: the medians of the launches, and the range from their minimum to their 95th percentile.
struct TimeRange {
  double median = 0, low = 0, high = 0; ///< a negative median: unknown

  bool isKnown() const { return median >= 0; }
  bool overlaps(const TimeRange &other) const { return low <= other.high && other.low <= high; }
  void add(const TimeRange &other) {
    bool known = isKnown() && other.isKnown();
    *this = known ? TimeRange{median + other.median, low + other.low, high + other.high} : TimeRange{-1, -1, -1};
  }
};

/// A dispatch with all of its kernels, or ops that the host runs between dispatches.
struct TimedDispatch {
  std::string place; ///< of its root op: "model.mlir:3:4"; empty: unknown
  std::string name;
  bool onHost = false;
  bool once = false; ///< computed once, of weights and constants: no part of the sum
  int group = -1;    ///< equal numbers: the same but for where they are; -1: like no other
  TimeRange us;
  std::vector<std::string> parts{}; ///< places of its structured ops
};

/// What differences need of a run.
struct TimedRun {
  std::string device, function;
  std::string clock, caches; ///< "device", "flushed"; "mixed" where rows differ
  std::string inputs;        ///< the types of its arguments
  bool isOk = false;         ///< its results agree with the reference
  int64_t launches = 0;      ///< of kernels in one pass on the device
  std::vector<TimedDispatch> dispatches;

  /// All dispatches and host ops of one pass.
  TimeRange total() const {
    TimeRange sum;
    for (const TimedDispatch &dispatch : dispatches)
      if (!dispatch.once)
        sum.add(dispatch.us);
    return sum;
  }
};

/// `textOf` makes a std::string of a Text.
template <class Types, class TextOf> TimedRun timedRun(const message::RunReport<Types> &report, const TextOf &textOf) {
  TimedRun run{.device = textOf(report.device),
               .function = textOf(report.function),
               .clock = {},
               .caches = {},
               .inputs = {},
               .isOk = report.ok(),
               .launches = 0,
               .dispatches = {}};
  auto mix = [](std::string &known, const std::string &next) {
    known = known.empty() || known == next ? next : "mixed";
  };
  for (const message::RunInput<Types> &input : report.inputs)
    run.inputs += (run.inputs.empty() ? "" : ", ") + textOf(input.type);
  std::map<int64_t, size_t> known; // by dispatchIndex
  for (const message::Kernel<Types> &kernel : report.kernels) {
    double calls = double(kernel.calls);
    TimeRange us{-1, -1, -1};
    if (kernel.medianUs >= 0)
      us = {kernel.medianUs * calls, std::max(0.0, kernel.minUs) * calls,
            std::max(kernel.medianUs, kernel.p95Us) * calls};
    if (!kernel.onHost && !kernel.once) {
      run.launches += kernel.calls;
      mix(run.clock, textOf(kernel.clock));
      mix(run.caches, textOf(kernel.cold));
    }
    auto [at, isNew] = kernel.onHost || kernel.dispatchIndex < 0
                           ? std::pair(known.end(), true)
                           : known.try_emplace(kernel.dispatchIndex, run.dispatches.size());
    if (!isNew) {
      run.dispatches[at->second].us.add(us);
      continue;
    }
    TimedDispatch dispatch{.place = textOf(kernel.loc),
                           .name = textOf(kernel.dispatch),
                           .onHost = kernel.onHost,
                           .once = kernel.once,
                           .group = kernel.group,
                           .us = us};
    for (const auto &part : kernel.parts)
      dispatch.parts.push_back(textOf(part));
    run.dispatches.push_back(std::move(dispatch));
  }
  return run;
}

/// What two runs are matched by.
enum class DifferencesBy {
  Places, ///< where root ops come from: both are of one text
  Names   ///< dispatches of a name without its number: the texts differ
};

/// Dispatches of both runs that do the same, or dispatches of one of them.
struct RunDifference {
  std::string name; ///< of the first one after, else before
  size_t countBefore = 0, countAfter = 0;
  TimeRange before{}, after{}; ///< of all of them
  bool onHost = false, once = false;
  std::string mergedInto; ///< only before: the dispatch after that has its root op; empty: none, or not one

  bool isInBoth() const { return countBefore > 0 && countAfter > 0; }
  bool isKnown() const { return before.isKnown() && after.isKnown(); }
  /// Microseconds more after than before; what only one run has counts as 0 in the other.
  double changeUs() const { return after.median - before.median; }
  /// The ranges overlap.
  bool isWithinNoise() const { return isInBoth() && isKnown() && before.overlaps(after); }
};

struct RunDifferences {
  std::vector<RunDifference> rows; ///< the largest change first
  TimeRange before{}, after{};     ///< of all rows but those that are computed once
  std::vector<std::string> doubts; ///< sentences: why times of the two runs cannot be compared as they stand
};

/// "matmul_8x8" of "main_dispatch_0_matmul_8x8".
inline std::string unnumberedName(const std::string &name) {
  static constexpr std::string_view mark = "dispatch_";
  size_t at = name.rfind(mark);
  if (at == std::string::npos)
    return name;
  size_t end = name.find_first_not_of("0123456789", at + mark.size());
  if (end == at + mark.size() || (end != std::string::npos && name[end] != '_'))
    return name;
  return end == std::string::npos ? name.substr(0, at + mark.size() - 1) : name.substr(end + 1);
}

namespace differences {

/// What a dispatch of one run and one of the other have in common.
inline std::string keyOf(const TimedDispatch &dispatch, DifferencesBy by) {
  std::string kind = dispatch.onHost ? "host " : dispatch.once ? "once " : "";
  if (by == DifferencesBy::Places && !dispatch.place.empty())
    return kind + dispatch.place + (dispatch.onHost ? dispatch.name : "");
  return kind + (dispatch.onHost ? dispatch.name : unnumberedName(dispatch.name));
}

/// The dispatches of each side that share a key, as indices.
struct Pair {
  std::vector<size_t> before, after;
};

inline std::vector<Pair> pairsOf(const TimedRun &before, const TimedRun &after, DifferencesBy by) {
  std::vector<Pair> pairs;
  std::map<std::string, size_t> known;
  auto collect = [&](const TimedRun &run, std::vector<size_t> Pair::*side) {
    for (size_t i = 0; i < run.dispatches.size(); ++i) {
      auto [at, isNew] = known.try_emplace(keyOf(run.dispatches[i], by), pairs.size());
      if (isNew)
        pairs.emplace_back();
      (pairs[at->second].*side).push_back(i);
    }
  };
  collect(before, &Pair::before);
  collect(after, &Pair::after);
  return pairs;
}

/// Adds a side of a pair to the row that stands for it.
inline void add(TimeRange &sum, size_t &count, const TimedRun &run, const std::vector<size_t> &indices) {
  for (size_t index : indices)
    sum.add(run.dispatches[index].us);
  count += indices.size();
}

/// The groups of a side: pairs with equal ones on both sides are one row.
inline std::vector<int> groupsOf(const TimedRun &run, const std::vector<size_t> &indices) {
  std::vector<int> groups;
  for (size_t index : indices) {
    int group = run.dispatches[index].group;
    groups.push_back(group >= 0 ? group : -2 - int(index));
  }
  return groups;
}

inline std::vector<std::string> doubtsOf(const TimedRun &before, const TimedRun &after) {
  std::vector<std::string> doubts;
  auto compare = [&](const char *what, const std::string &one, const std::string &other) {
    if (one != other)
      doubts.push_back(std::string(what) + " differ: " + (one.empty() ? "none" : one) + " before, " +
                       (other.empty() ? "none" : other) + " after");
  };
  compare("functions", before.function, after.function);
  compare("types of the arguments", before.inputs, after.inputs);
  compare("clocks", before.clock, after.clock);
  compare("caches", before.caches, after.caches);
  return doubts;
}

/// The one dispatch that has the root ops of all these; empty: there is none, or there are several.
inline std::string ownerOf(const TimedRun &before, const std::vector<size_t> &indices, const TimedRun &after) {
  std::string owner;
  for (size_t index : indices) {
    const std::string &place = before.dispatches[index].place;
    auto has = [&](const TimedDispatch &dispatch) {
      return !place.empty() && std::find(dispatch.parts.begin(), dispatch.parts.end(), place) != dispatch.parts.end();
    };
    auto found = std::find_if(after.dispatches.begin(), after.dispatches.end(), has);
    if (found == after.dispatches.end() || (!owner.empty() && owner != found->name))
      return "";
    owner = found->name;
  }
  return owner;
}

} // namespace differences

inline RunDifferences differencesOf(const TimedRun &before, const TimedRun &after, DifferencesBy by) {
  RunDifferences result{
      .rows = {}, .before = before.total(), .after = after.total(), .doubts = differences::doubtsOf(before, after)};
  std::map<std::pair<std::vector<int>, std::vector<int>>, size_t> known;
  for (const differences::Pair &pair : differences::pairsOf(before, after, by)) {
    auto [at, isNew] = known.try_emplace(
        std::pair(differences::groupsOf(before, pair.before), differences::groupsOf(after, pair.after)),
        result.rows.size());
    if (isNew) {
      const TimedDispatch &first =
          pair.after.empty() ? before.dispatches[pair.before.front()] : after.dispatches[pair.after.front()];
      result.rows.push_back({.name = first.name, .onHost = first.onHost, .once = first.once, .mergedInto = {}});
    }
    RunDifference &row = result.rows[at->second];
    if (by == DifferencesBy::Places && pair.after.empty()) {
      std::string owner = differences::ownerOf(before, pair.before, after);
      row.mergedInto = isNew || row.mergedInto == owner ? owner : "";
    }
    differences::add(row.before, row.countBefore, before, pair.before);
    differences::add(row.after, row.countAfter, after, pair.after);
  }
  std::stable_sort(result.rows.begin(), result.rows.end(), [](const RunDifference &a, const RunDifference &b) {
    auto size = [](const RunDifference &row) { return row.isKnown() ? std::abs(row.changeUs()) : -1; };
    return size(a) > size(b);
  });
  return result;
}

/// "-9.2 %" of a row or a sum; empty: one of them is unknown or 0.
inline std::string changeText(const TimeRange &before, const TimeRange &after) {
  if (!before.isKnown() || !after.isKnown() || before.median <= 0)
    return "";
  char text[32];
  std::snprintf(text, sizeof text, "%+.1f %%", 100 * (after.median / before.median - 1));
  return text;
}

/// What there is to say of a row besides: "within noise", "merged" (into one that is in the other run), "only before",
/// "once".
inline std::string remarkOf(const RunDifference &row) {
  std::string text = !row.mergedInto.empty() ? "merged"
                     : !row.countAfter       ? "only before"
                     : !row.countBefore      ? "only after"
                     : row.isWithinNoise()   ? "within noise"
                                             : "";
  if (row.once)
    text += std::string(text.empty() ? "" : ", ") + "once, not in the sum";
  return text;
}

/// A line for each row, then one for the sum. Times are microseconds, empty where a run does not have the row.
inline std::string differencesCsv(const RunDifferences &differences) {
  auto cells = [](const TimeRange &us, bool isThere) {
    char text[96] = ",,";
    if (isThere && us.isKnown())
      std::snprintf(text, sizeof text, "%.9g,%.9g,%.9g", us.median, us.low, us.high);
    return std::string(text);
  };
  std::string csv =
      "dispatch,kind,count_before,count_after,before_us,before_low_us,before_high_us,after_us,after_low_us,"
      "after_high_us,change_us,change,within_noise,once,merged_into\n";
  auto line = [&](const std::string &name, const char *kind, const RunDifference &row) {
    char change[64] = ",";
    if (row.isInBoth() && row.isKnown() && row.before.median > 0)
      std::snprintf(change, sizeof change, "%.9g,%.6g", row.changeUs(), row.after.median / row.before.median - 1);
    csv += csvCell(name) + "," + kind + "," + std::to_string(row.countBefore) + "," + std::to_string(row.countAfter) +
           "," + cells(row.before, row.countBefore > 0) + "," + cells(row.after, row.countAfter > 0) + "," + change +
           "," + (row.isWithinNoise() ? "true" : "false") + "," + (row.once ? "true" : "false") + "," +
           csvCell(row.mergedInto) + "\n";
  };
  RunDifference all{.name = "", .before = differences.before, .after = differences.after, .mergedInto = {}};
  for (const RunDifference &row : differences.rows) {
    line(row.name, row.onHost ? "host" : "dispatch", row);
    all.countBefore += row.once ? 0 : row.countBefore;
    all.countAfter += row.once ? 0 : row.countAfter;
  }
  line("", "sum", all);
  return csv;
}

} // namespace fuselage
