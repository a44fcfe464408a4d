// Every message of the protocol, and what tests do with each: fill it, and spell what is in it.
#pragma once
#include "core/protocol/Buffers.h"
#include "core/protocol/Compare.h"
#include "core/protocol/Devices.h"
#include "core/protocol/Document.h"
#include "core/protocol/Fusion.h"
#include "core/protocol/KernelCheck.h"
#include "core/protocol/KernelCode.h"
#include "core/protocol/Notes.h"
#include "core/protocol/Ops.h"
#include "core/protocol/Outline.h"
#include "core/protocol/Run.h"
#include "core/protocol/Samples.h"
#include "core/protocol/ScheduleActions.h"
#include "core/protocol/Schedules.h"
#include "core/protocol/Search.h"
#include "core/protocol/Tiles.h"
#include "core/protocol/Trials.h"
#include "core/protocol/Tuning.h"
#include <cmath>
#include <cstdio>
#include <type_traits>

namespace fuselage::message::test {

/// Calls `visit.template operator()<M>()` for each.
template <class Visit> void forEachMessage(const Visit &visit) {
  visit.template operator()<Diagnostic>();
  visit.template operator()<Error>();
  visit.template operator()<LogLine>();
  visit.template operator()<StepFusion>();
  visit.template operator()<Step>();
  visit.template operator()<FusionHistory>();
  visit.template operator()<Recording>();
  visit.template operator()<StepStarted>();
  visit.template operator()<GraphDiffNode>();
  visit.template operator()<GraphDiff>();
  visit.template operator()<Initialized>();
  visit.template operator()<Preset>();
  visit.template operator()<Pass>();
  visit.template operator()<Catalog>();
  visit.template operator()<Advice>();
  visit.template operator()<Document>();
  visit.template operator()<Tool>();
  visit.template operator()<Tools>();
  visit.template operator()<ToolProgress>();
  visit.template operator()<DocumentProgress>();
  visit.template operator()<SnapshotRead>();
  visit.template operator()<TextLines>();
  visit.template operator()<TextMatch>();
  visit.template operator()<TextMatches>();
  visit.template operator()<OpAt>();
  visit.template operator()<TextUses>();
  visit.template operator()<SourceRun>();
  visit.template operator()<SourceRange>();
  visit.template operator()<SourceLines>();
  visit.template operator()<SourceOps>();
  visit.template operator()<WrittenFile>();
  visit.template operator()<Nothing>();
  visit.template operator()<OpAnchor>();
  visit.template operator()<StepAnchor>();
  visit.template operator()<Note>();
  visit.template operator()<Notes>();
  visit.template operator()<NotesSaved>();
  visit.template operator()<NotePlace>();
  visit.template operator()<NotePlaces>();
  visit.template operator()<BugReport>();
  visit.template operator()<OpResult>();
  visit.template operator()<OpOperand>();
  visit.template operator()<OpPort>();
  visit.template operator()<OpAttribute>();
  visit.template operator()<Origin>();
  visit.template operator()<OpDetails>();
  visit.template operator()<OutlineRow>();
  visit.template operator()<Outline>();
  visit.template operator()<ComparedDispatch>();
  visit.template operator()<ComparedRow>();
  visit.template operator()<ComparedSide>();
  visit.template operator()<DeviceFact>();
  visit.template operator()<DeviceModel>();
  visit.template operator()<DeviceModels>();
  visit.template operator()<KernelFact>();
  visit.template operator()<KernelUnit>();
  visit.template operator()<ListingPlace>();
  visit.template operator()<KernelListing>();
  visit.template operator()<KernelCode>();
  visit.template operator()<KernelFindingPlace>();
  visit.template operator()<KernelFinding>();
  visit.template operator()<CheckedLaunch>();
  visit.template operator()<KernelCheck>();
  visit.template operator()<KernelProgress>();
  visit.template operator()<DispatchComparison>();
  visit.template operator()<ScheduleStep>();
  visit.template operator()<ScheduleHandle>();
  visit.template operator()<LineForms>();
  visit.template operator()<ScheduleTrace>();
  visit.template operator()<SchedulePosition>();
  visit.template operator()<LineForms>();
  visit.template operator()<ScheduleCheck>();
  visit.template operator()<ScriptCompletionItem>();
  visit.template operator()<ScriptCompletion>();
  visit.template operator()<ScheduleActionOption>();
  visit.template operator()<ScheduleAction>();
  visit.template operator()<ScheduleActions>();
  visit.template operator()<WrittenSchedule>();
  visit.template operator()<ScheduleKnob>();
  visit.template operator()<ScheduleKnobs>();
  visit.template operator()<FormBreach>();
  visit.template operator()<FormVerdict>();
  visit.template operator()<FormReport>();
  visit.template operator()<FormHelp>();
  visit.template operator()<FormHelps>();
  visit.template operator()<LineForms>();
  visit.template operator()<FusionEvidence>();
  visit.template operator()<FusionReason>();
  visit.template operator()<FusionEdge>();
  visit.template operator()<FusionDispatch>();
  visit.template operator()<FusionTotals>();
  visit.template operator()<LoopFusion>();
  visit.template operator()<FusionReport>();
  visit.template operator()<FuseTimes>();
  visit.template operator()<FusePart>();
  visit.template operator()<FuseResult>();
  visit.template operator()<FuseProgress>();
  visit.template operator()<FusionDecision>();
  visit.template operator()<Bandwidth>();
  visit.template operator()<ReasonHelp>();
  visit.template operator()<ReasonHelps>();
  visit.template operator()<BufferBytes>();
  visit.template operator()<BufferPlace>();
  visit.template operator()<BufferConflict>();
  visit.template operator()<BufferOperand>();
  visit.template operator()<Buffer>();
  visit.template operator()<BufferMove>();
  visit.template operator()<BufferPeak>();
  visit.template operator()<BufferOp>();
  visit.template operator()<BufferProblem>();
  visit.template operator()<BufferArgument>();
  visit.template operator()<BuffersReport>();
  visit.template operator()<SnapshotPeaks>();
  visit.template operator()<BufferReasonHelp>();
  visit.template operator()<BufferReasonHelps>();
  visit.template operator()<Device>();
  visit.template operator()<Devices>();
  visit.template operator()<Comparison>();
  visit.template operator()<Roof>();
  visit.template operator()<DeviceRoofs>();
  visit.template operator()<Baseline>();
  visit.template operator()<DispatchSample>();
  visit.template operator()<FusionSample>();
  visit.template operator()<DeviceSamples>();
  visit.template operator()<ClockCheck>();
  visit.template operator()<Limit>();
  visit.template operator()<Kernel>();
  visit.template operator()<Statistics>();
  visit.template operator()<WorstElement>();
  visit.template operator()<HeatSlice>();
  visit.template operator()<Output>();
  visit.template operator()<RunInput>();
  visit.template operator()<RunArguments>();
  visit.template operator()<RunShares>();
  visit.template operator()<RunReport>();
  visit.template operator()<TrialDevice>();
  visit.template operator()<TrialResult>();
  visit.template operator()<RunProgress>();
  visit.template operator()<SearchHit>();
  visit.template operator()<SnapshotCounts>();
  visit.template operator()<SearchHits>();
  visit.template operator()<HistoryEvent>();
  visit.template operator()<History>();
  visit.template operator()<SearchProgress>();
  visit.template operator()<TuneKnob>();
  visit.template operator()<TuneCondition>();
  visit.template operator()<TunePrediction>();
  visit.template operator()<TuneTile>();
  visit.template operator()<TuneStep>();
  visit.template operator()<TuneSpace>();
  visit.template operator()<TuneTrial>();
  visit.template operator()<TuneBegin>();
  visit.template operator()<TuneItem>();
  visit.template operator()<TunePlan>();
  visit.template operator()<TuneOutcome>();
  visit.template operator()<TuneStarted>();
  visit.template operator()<TuneProgress>();
  visit.template operator()<TuneWork>();
  visit.template operator()<TuneJournal>();
  visit.template operator()<TileRun>();
  visit.template operator()<TileExtent>();
  visit.template operator()<TileOp>();
  visit.template operator()<PlacedTileOp>();
  visit.template operator()<TileDomainLoop>();
  visit.template operator()<TileDomain>();
  visit.template operator()<TileLoop>();
  visit.template operator()<TileFootprint>();
  visit.template operator()<TileProducer>();
  visit.template operator()<TileCost>();
  visit.template operator()<TileReport>();
  visit.template operator()<TileEvent>();
  visit.template operator()<TileTrace>();
}

/// Gives every member of a message of std types a value of its own, other than its default.
class Filler {
public:
  template <class T> void operator()(std::string_view, T &member, Absent = Absent::Written) { fill(member); }
  template <class Choice, size_t count> void choice(std::string_view, Choice &member, const char *const (&)[count]) {
    // Kernels on the host have fewer members.
    if constexpr (!std::is_same_v<Choice, bool>)
      member = static_cast<Choice>(++next_ % count);
  }
  void element(std::string_view, StdTypes::Element &member) {
    member = StdTypes::Element(std::complex<double>(++next_, -0.5));
  }
  void elements(std::string_view, std::vector<StdTypes::Element> &members) {
    members = {0.25, int64_t(-++next_), std::complex<double>(1, next_), "170141183460469231731687303715884105727"};
  }
  /// In whole units.
  void rounded(std::string_view, double &member, double unit, Absent = Absent::Written) {
    member = std::round(1 / unit) * unit * ++next_;
  }
  template <class Fields> void group(std::string_view, const Fields &fields) { fields(*this); }
  template <class T> void derived(std::string_view, const T &, Absent = Absent::Written) {}

private:
  void fill(bool &member) { member = !member; }
  void fill(double &member) { member = ++next_ + 0.5; }
  void fill(std::string &member) { member = "text " + std::to_string(++next_) + " \xc2\xb5"; }
  template <std::integral Integer> void fill(Integer &member) { member = ++next_; }
  template <class T> void fill(std::optional<T> &member) { fill(member.emplace()); }
  template <class T> void fill(std::map<std::string, T> &member) { fill(member["key " + std::to_string(++next_)]); }
  template <class T> void fill(std::vector<T> &member) {
    if (depth_ > 4) // diagnostics have notes, which are diagnostics
      return;
    ++depth_;
    member.resize(2);
    for (T &entry : member)
      fill(entry);
    --depth_;
  }
  template <Message T> void fill(T &member) {
    member.fields(*this);
    if constexpr (std::is_same_v<T, HeatSlice<>>) {
      member.rows = 1;
      member.columns = 2;
    }
  }

  int next_ = 0, depth_ = 0;
};

inline std::string spelled(const std::string &text) { return text; }
/// As the window shows it.
inline std::string spelled(const StdTypes::Element &element) {
  auto number = [](double value) {
    char text[40];
    std::snprintf(text, sizeof(text), "%.7g", value);
    return std::string(text);
  };
  if (auto *value = std::get_if<double>(&element))
    return number(*value);
  if (auto *value = std::get_if<std::complex<double>>(&element))
    return number(value->real()) + " + " + number(value->imag()) + "i";
  if (auto *value = std::get_if<int64_t>(&element))
    return std::to_string(*value);
  if (auto *value = std::get_if<uint64_t>(&element))
    return std::to_string(*value);
  return std::get<std::string>(element);
}

/// Spells all members of a message of any types, a line each. Texts are spelled by spelled().
class Dump {
public:
  template <class T> void operator()(std::string_view key, const T &member, Absent = Absent::Written) {
    write(std::string(key), member);
  }
  template <class Choice, size_t count>
  void choice(std::string_view key, const Choice &member, const char *const (&)[count]) {
    line(std::string(key), std::to_string(int(member)));
  }
  template <class Element> void element(std::string_view key, const Element &member) {
    line(std::string(key), spelled(member));
  }
  template <class List> void elements(std::string_view key, const List &members) {
    for (const auto &member : members)
      line(std::string(key), spelled(member));
  }
  void rounded(std::string_view key, double member, double, Absent = Absent::Written) {
    write(std::string(key), member);
  }
  template <class Fields> void group(std::string_view, const Fields &fields) { fields(*this); }
  template <class T> void derived(std::string_view, const T &, Absent = Absent::Written) {}
  std::string text;

private:
  void line(const std::string &key, const std::string &value) { text += key + " = " + value + "\n"; }
  template <class T> void write(const std::string &key, const T &member) {
    if constexpr (std::is_floating_point_v<T>) {
      char number[40];
      std::snprintf(number, sizeof(number), "%.17g", std::isnan(member) ? std::abs(member) : member);
      line(key, number);
    } else if constexpr (std::is_integral_v<T>) {
      line(key, std::to_string(member));
    } else if constexpr (Message<T>) {
      line(key, "{");
      const_cast<T &>(member).fields(*this);
      line(key, "}");
    } else if constexpr (requires { member.has_value(); }) {
      line(key, member ? "set" : "none");
      if (member)
        write(key, *member);
    } else if constexpr (requires { spelled(member); }) {
      line(key, spelled(member));
    } else if constexpr (requires { typename T::mapped_type; }) {
      for (auto entry = member.begin(); entry != member.end(); ++entry)
        if constexpr (requires { entry->first; })
          write(key + "." + spelled(entry->first), entry->second);
        else
          write(key + "." + spelled(entry.key()), entry.value());
    } else {
      line(key, "[" + std::to_string(member.size()));
      for (const auto &entry : member)
        write(key, entry);
    }
  }
};

template <Message T> std::string dumpOf(const T &message) {
  Dump dump;
  const_cast<T &>(message).fields(dump);
  return dump.text;
}

template <class T> T filled() {
  T message;
  Filler filler;
  message.fields(filler);
  if constexpr (std::is_same_v<T, HeatSlice<>>) {
    message.rows = 1;
    message.columns = 2;
  }
  return message;
}

/// What may stand where something else is expected.
inline constexpr const char *strangeValues[] = {"null",
                                                "true",
                                                "1e300",
                                                "-1e300",
                                                "3000000000",
                                                "9223372036854775808",
                                                "-7",
                                                "1.5",
                                                "\"inf\"",
                                                "\"-inf\"",
                                                "\"nan\"",
                                                "\"some text\"",
                                                "[]",
                                                "[null, 1, \"x\", [], {}]",
                                                "{}",
                                                "{\"unknown\": {\"x\": [1]}, \"op\": \"x\", \"id\": []}",
                                                "[[[{\"offset\": \"x\", \"size\": 1e300}]], 5, {}]"};

} // namespace fuselage::message::test
