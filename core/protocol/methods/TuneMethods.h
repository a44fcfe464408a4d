// tune/*.
#pragma once
#include "core/protocol/Document.h"
#include "core/protocol/Trials.h"
#include "core/protocol/Tuning.h"
#include "core/protocol/methods/ScriptSource.h"

namespace fuselage::method {

/// A script with knobs in it, a dispatch whose sizes the default pipeline chooses, or all dispatches.
template <class Types = StdTypes> struct TuneSubject {
  SnapshotNumber snapshot{};
  Text<Types> path{}; ///< of the script; empty: there is none
  std::optional<Text<Types>> text{};
  ScriptOptions<Types> script{};
  Text<Types> dispatch{};
  Text<Types> device = textOf<Types>("host");
  Text<Types> function{};
  Map<Types, Int64<Types>> sizes{};
  Map<Types, Text<Types>> fixed{};
  bool all = false;

  bool operator==(const TuneSubject &) const = default;

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot, optional);
    visit("path", path, optional.file(FileUse::ReadsAlone).doc("a script as of schedule/trace, with knobs in it"));
    visit("text", text);
    script.fields(visit);
    visit("dispatch", dispatch,
          optional.doc("instead of a script, one as of run/start, whose sizes the default pipeline chooses"));
    visit("device", device, optional.file(FileUse::Device));
    visit("function", function);
    visit("sizes", sizes);
    visit("fixed", fixed, optional.doc("knobs that stay"));
    visit("all", all,
          optional.doc("tune/start alone, instead of `path` and `dispatch`: all dispatches, one after the other, "
                       "dearest first, equal ones once"));
  }
};

struct TuneSpace {
  static constexpr const char *name = "tune/space";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    TuneSubject<Types> subject{};
    Map<Types, Text<Types>> values{};
    Text<Types> moved{};

    template <class Visitor> void fields(Visitor &visit) {
      subject.fields(visit);
      visit("values", values, optional.doc("a point that is wanted"));
      visit("moved", moved, optional.doc("the knob that was set last"));
    }
  };
  template <class Types> using Reply = message::TuneSpace<Types>;
};

struct TuneStep {
  static constexpr const char *name = "tune/step";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    TuneSubject<Types> subject{};
    Map<Types, Text<Types>> values{};

    template <class Visitor> void fields(Visitor &visit) {
      subject.fields(visit);
      visit("values", values, optional.doc("a point of its space"));
    }
  };
  template <class Types> using Reply = message::TuneStep<Types>;
};

struct StartTuning {
  static constexpr const char *name = "tune/start";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    TuneSubject<Types> subject{};
    Int64<Types> trials = 200;
    double seconds = 0;
    Text<Types> strategy = textOf<Types>("model");
    Text<Types> objective = textOf<Types>("median");
    Int64<Types> rounds = 10;
    Text<Types> tuned{};
    bool each = false;
    std::optional<Text<Types>> journal{};

    template <class Visitor> void fields(Visitor &visit) {
      subject.fields(visit);
      visit("trials", trials, optional.range(1, INT64_MAX).doc("the budget (default: 200)"));
      visit("seconds", seconds, optional.reals(0, 1e7).doc("the budget instead, if it is not 0"));
      visit("strategy", strategy, optional.doc("as of `fuselage tune`"));
      visit("objective", objective, optional.doc("as of `fuselage tune`"));
      visit("rounds", rounds, optional.range(3, 10000));
      visit("tuned", tuned, optional.file(FileUse::Updates).doc("the library for what is faster of a dispatch"));
      visit("each", each, optional.doc("the budget is of each dispatch, else of all together"));
      visit("journal", journal,
            optional.file(FileUse::Updates)
                .doc("a file, \"\" is none (default: `fuselage/tuning.jsonl` in the user's data folder)"));
    }
  };
  template <class Types> using Reply = message::TuneStarted<Types>;
};

struct PollTuning {
  static constexpr const char *name = "tune/poll";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> struct Request {
    Int64<Types> from = 0;

    template <class Visitor> void fields(Visitor &visit) {
      visit("from", from, optional.range(0, INT64_MAX).doc("trials that are known already (default: 0)"));
    }
  };
  template <class Types> using Reply = message::TuneProgress<Types>;
};

enum class TuneAction { Pause, Resume, Cancel };
inline constexpr const char *tuneActions[] = {"pause", "resume", "cancel"};

struct ControlTuning {
  static constexpr const char *name = "tune/control";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> struct Request {
    TuneAction action = TuneAction::Pause;

    template <class Visitor> void fields(Visitor &visit) {
      visit.choice(
          "action", action, tuneActions,
          optional.doc("\"pause\" (after the trial that runs), \"resume\" or \"cancel\" (now; what was found is "
                       "the outcome)"));
    }
  };
  template <class Types> using Reply = message::Nothing<Types>;
};

enum class TuneObjective { Median, Min };
inline constexpr const char *tuneObjectives[] = {"median", "min"};

struct ReadJournal {
  static constexpr const char *name = "tune/journal";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> struct Request {
    std::optional<Text<Types>> journal{};
    Text<Types> csv{};
    TuneObjective objective = TuneObjective::Median;
    Int64<Types> work = -1;
    Text<Types> status{};
    Text<Types> text{};
    Int64<Types> from = 0;
    Int64<Types> count = INT64_MAX;

    template <class Visitor> void fields(Visitor &visit) {
      visit("journal", journal, optional.file(FileUse::Reads).doc("as of tune/start"));
      visit("csv", csv,
            optional.file(FileUse::Writes).doc("a path that trials are written to as a table, not only `count`"));
      visit.choice("objective", objective, tuneObjectives);
      visit("work", work, optional.range(-1, INT32_MAX).doc("only trials of the work with that index"));
      visit("status", status, optional.doc("only with that"));
      visit("text", text, optional.doc("only with it in a value (\"rows=16\"), a reason or a worker"));
      visit("from", from, optional.range(0, INT64_MAX));
      visit("count", count, optional.range(0, INT64_MAX).doc("of these, so many (default: all) from number `from` on"));
    }
  };
  template <class Types> using Reply = message::TuneJournal<Types>;
};

struct CompareSchedules {
  static constexpr const char *name = "tune/schedule";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    TuneSubject<Types> subject{};
    Map<Types, Text<Types>> values{};
    Map<Types, Text<Types>> baseline{};

    template <class Visitor> void fields(Visitor &visit) {
      subject.fields(visit);
      visit("values", values);
      visit("baseline", baseline);
    }
  };
  template <class Types> using Reply = WrittenByHand;
};

struct OpenWorker {
  static constexpr const char *name = "tune/worker";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> struct Request {
    Text<Types> device = textOf<Types>("host");
    Text<Types> payload{};
    std::optional<Text<Types>> schedule{};
    std::optional<Text<Types>> scheduleName{};
    Text<Types> scheduleEntry{};
    Text<Types> function{};
    Map<Types, Int64<Types>> sizes{};
    Text<Types> caches = textOf<Types>("cold");
    Int64<Types> seed = 1;

    template <class Visitor> void fields(Visitor &visit) {
      visit("device", device, optional.file(FileUse::Device));
      visit("payload", payload,
            optional.doc("a module as text, which has the function; without it, this is only about the device"));
      visit("schedule_name", scheduleName);
      visit("schedule", schedule,
            optional.doc("a script as text, with all that it needs of libraries; without one, the function is a "
                         "dispatch whose sizes are tuned"));
      visit("schedule_entry", scheduleEntry, optional.doc("the named sequence that it begins at"));
      visit("function", function);
      visit("sizes", sizes);
      visit("caches", caches);
      visit("seed", seed, optional.range(0, INT64_MAX).doc("the others as of run/start"));
    }
  };
  template <class Types> using Reply = message::TrialDevice<Types>;
};

struct MakeTrial {
  static constexpr const char *name = "tune/trial";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> struct Request {
    Map<Types, Text<Types>> point{};
    std::optional<Map<Types, Text<Types>>> baseline{};
    Texts<Types> known{};
    std::optional<Int64<Types>> rounds{};
    std::optional<double> seconds{};
    std::optional<double> limit{};
    std::optional<double> cut{};
    double confirm = 0;

    template <class Visitor> void fields(Visitor &visit) {
      visit("point", point);
      visit("baseline", baseline,
            optional.doc("a point that is launched in turns with this one, `rounds` times or for `seconds`"));
      visit("known", known, optional.doc("kernels that need not run again"));
      visit("rounds", rounds, optional.range(1, 1'000'000));
      visit("seconds", seconds, optional.reals(0, 1e6));
      visit("limit", limit, optional.reals(0.1, 1e6).doc("what takes longer than so many seconds is ended"));
      visit(
          "cut", cut,
          optional.reals(0, 1e300).doc("what is slower than so many times the baseline is ended after a few launches"));
      visit("confirm", confirm,
            optional.reals(0, 1e300).doc("what is faster than so many times the baseline is measured as long once "
                                         "more"));
    }
  };
  template <class Types> using Reply = message::TrialResult<Types>;
};

} // namespace fuselage::method
