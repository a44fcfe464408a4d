// What a schedule, or the pipeline for a dispatch, leaves open, and what a search in it finds.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Peaks.h"
#include "core/protocol/Types.h"
#include <optional>

namespace fuselage::message {

/// A knob, and what it may be set to.
template <class Types = StdTypes> struct TuneKnob {
  static constexpr const char *messageName = "TuneKnob";
  Text<Types> name{};
  Text<Types> kind{};      ///< "number", "choice" or "region"
  Text<Types> options{};   ///< as the script has them; empty: there is no script
  Int64<Types> domain = 0; ///< values that it takes by itself
  Texts<Types> values{};   ///< that some point has, as the script spells them, in their order
  List<Types, int> fits{}; ///< indices of those that go with the other knobs as they are; for
                           ///< another one, some of these move, too
  Text<Types> selected{};  ///< in the script; empty: nothing is
  Text<Types> value{};     ///< at the point; empty: there is none
  bool isFixed = false;    ///< as was asked for
  int line = 0;            ///< in the script, from 1

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("kind", kind);
    visit("options", options);
    visit("domain", domain);
    visit("values", values);
    visit("fits", fits);
    visit("selected", selected);
    visit("value", value);
    visit("fixed", isFixed);
    visit("line", line, nullIf(line == 0));
  }
};

/// What is asked of knobs.
template <class Types = StdTypes> struct TuneCondition {
  static constexpr const char *messageName = "TuneCondition";
  Text<Types> text{};
  Text<Types> origin{}; ///< "the schedule", "the op", "the device" or "the command line"
  int line = 0;         ///< in the script, from 1
  bool clashes = false; ///< it is one of those that leave no point

  template <class Visitor> void fields(Visitor &visit) {
    visit("text", text);
    visit("origin", origin);
    visit("line", line, nullIf(line == 0));
    visit("clashes", clashes);
  }
};

/// What a point is likely to cost, before it is measured.
template <class Types = StdTypes> struct TunePrediction {
  static constexpr const char *messageName = "TunePrediction";
  Int64<Types> tiles = -1;          ///< of workgroups
  Int64<Types> workgroupBytes = -1; ///< that one of them touches
  double bytes = -1;                ///< that all of them move
  double flops = -1;
  double relative = -1; ///< time by that of the baseline, as the trials so far make it likely, or as it was measured
  int trials = 0;       ///< that it is learned from
  int measured = 0;     ///< the trial of this point; 0: none

  template <class Visitor> void fields(Visitor &visit) {
    visit("tiles", tiles, nullIf(tiles < 0));
    visit("workgroup_bytes", workgroupBytes, nullIf(workgroupBytes < 0));
    visit("bytes", bytes, nullIf(bytes < 0));
    visit("flops", flops, nullIf(flops < 0));
    visit("relative", relative, nullIf(relative < 0));
    visit("trials", trials);
    visit("measured", measured, nullIf(measured == 0));
  }
};

/// The tile that a point makes of an op.
template <class Types = StdTypes> struct TuneTile {
  static constexpr const char *messageName = "TuneTile";
  Int64<Types> op = -1;   ///< by id, in the snapshot; -1: the root op of the dispatch
  Numbers<Types> sizes{}; ///< by loop; 0: it stays whole. On the host, of what a thread takes at once
  Numbers<Types> inner{}; ///< on the host, of what is in registers at once; empty elsewhere

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op, nullIf(op < 0));
    visit("sizes", sizes);
    visit("inner", inner, leftOutIf(isEmpty(inner)));
  }
};

/// A space, and a point in it.
template <class Types = StdTypes> struct TuneSpace {
  static constexpr const char *messageName = "tune/space";
  Text<Types> subject{}; ///< the script, or "@dispatch"
  Text<Types> detail{};  ///< of a dispatch, the op that shapes it
  List<Types, TuneKnob<Types>> knobs{};
  List<Types, TuneCondition<Types>> conditions{};
  Text<Types> count{}; ///< "1,200", "about 3.1e+12 (+- 4 %)"
  double points = 0;
  bool isExact = true;
  bool isComplete = true; ///< all values of knobs that points have are listed
  Text<Types> problem{};  ///< why there is no point; empty: there is one
  Texts<Types> moved{};   ///< knobs that had to follow the one that was set
  std::optional<TunePrediction<Types>> prediction{};
  std::optional<TuneTile<Types>> tile{}; ///< null: it is not known what is tiled

  template <class Visitor> void fields(Visitor &visit) {
    visit("subject", subject);
    visit("detail", detail);
    visit("knobs", knobs);
    visit("conditions", conditions);
    visit("count", count);
    visit("points", points);
    visit("exact", isExact);
    visit("complete", isComplete);
    visit("problem", problem);
    visit("moved", moved);
    visit("prediction", prediction);
    visit("tile", tile);
  }
};

/// A dispatch alone, as the pipeline makes it with sizes that are asked for.
template <class Types = StdTypes> struct TuneStep {
  static constexpr const char *messageName = "tune/step";
  int before = -1, snapshot = -1; ///< places, as numbers of snapshots
  Text<Types> title{};            ///< of the steps between both

  template <class Visitor> void fields(Visitor &visit) {
    visit("before", before);
    visit("snapshot", snapshot);
    visit("title", title);
  }
};

/// A measured point.
template <class Types = StdTypes> struct TuneTrial {
  static constexpr const char *messageName = "TuneTrial";
  int number = 0; ///< from 1
  Map<Types, Text<Types>> parameters{};
  Text<Types> status{}; ///< "ok", "wrong", "failed", "crashed", "hung", "duplicate" or "cut short"
  Text<Types> why{};    ///< a sentence where it is not ok, else what of it ran on one thread of the host, of several;
                        ///< empty: nothing
  double medianUs = -1, minUs = -1, baselineUs = -1;
  double relative = -1; ///< what counts: its time by that of the baseline beside it
  int launches = 0;
  bool isBest = false; ///< of those up to here
  double seconds = 0;  ///< since the first trial began, pauses left out
  int work = 0;        ///< index of what it is about, of a plan or of a journal

  template <class Visitor> void fields(Visitor &visit) {
    visit("number", number);
    visit("parameters", parameters);
    visit("status", status);
    visit("why", why);
    visit("median_us", medianUs, nullIf(medianUs < 0));
    visit("min_us", minUs, nullIf(minUs < 0));
    visit("baseline_us", baselineUs, nullIf(baselineUs < 0));
    visit("relative", relative, nullIf(relative < 0));
    visit("launches", launches);
    visit("best", isBest);
    visit("seconds", seconds);
    visit("work", work);
  }
};

/// What a search begins with.
template <class Types = StdTypes> struct TuneBegin {
  static constexpr const char *messageName = "TuneBegin";
  Text<Types> device{};
  double points = 0;        ///< that it goes through
  Int64<Types> trials = -1; ///< of its budget; -1: it goes by the time
  double seconds = -1;      ///< of its budget; negative: it goes by trials
  int item = 0;             ///< of the plan

  template <class Visitor> void fields(Visitor &visit) {
    visit("device", device);
    visit("points", points);
    visit("trials", trials, nullIf(trials < 0));
    visit("seconds", seconds, nullIf(seconds < 0));
    visit("item", item);
  }
};

/// What came of a search.
template <class Types = StdTypes> struct TuneOutcome {
  static constexpr const char *messageName = "TuneOutcome";
  Text<Types> device{}, driver{};
  Map<Types, Text<Types>> baseline{}, best{}; ///< empty: none ran and was right
  Text<Types> sentence{};                     ///< how the best compares, measured again
  double ratio = -1, low = -1,
         high = -1;         ///< times as fast as the baseline, and 95 % of cases; negative: not measured again
  bool isFaster = false;    ///< beyond the noise
  int reused = 0;           ///< trials of the journal that counted
  bool isExhausted = false; ///< all points were tried
  Text<Types> stopped{};    ///< what ended it early
  Text<Types> drift{};      ///< what the baseline took first and last; empty: too little is known
  Text<Types> written{};    ///< the library that has the sizes now
  int item = 0;             ///< of the plan

  template <class Visitor> void fields(Visitor &visit) {
    visit("device", device);
    visit("driver", driver);
    visit("baseline", baseline);
    visit("best", best);
    visit("sentence", sentence);
    visit("ratio", ratio, nullIf(ratio < 0));
    visit("low", low, nullIf(low < 0));
    visit("high", high, nullIf(high < 0));
    visit("faster", isFaster);
    visit("reused", reused);
    visit("exhausted", isExhausted);
    visit("stopped", stopped);
    visit("drift", drift);
    visit("written", written);
    visit("item", item);
  }
};

/// What a search is about: a schedule's function, or a dispatch, which may be one of many.
template <class Types = StdTypes> struct TuneItem {
  static constexpr const char *messageName = "TuneItem";
  Text<Types> name{};   ///< "@main_dispatch_3_matmul"
  Text<Types> detail{}; ///< of a dispatch, the op that shapes it
  int calls = 1;        ///< equal dispatches that it stands for
  Text<Types> whyNot{}; ///< why it is left alone; empty: it is not
  double flops = -1, bytes = -1;
  bool bytesAtMost = false; ///< data decides what is read
  Text<Types> arithmetic{}; ///< the type that it computes in; empty: unknown
  int trials = 0;           ///< so far
  double baselineUs = -1;   ///< beside the best so far
  double bestUs = -1;
  Limit<Types> limit{};                        ///< of the best so far
  std::optional<TuneOutcome<Types>> outcome{}; ///< null: it is not done

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("detail", detail);
    visit("calls", calls);
    visit("why_not", whyNot);
    visit("flops", flops, nullIf(flops < 0));
    visit("bytes", bytes, nullIf(bytes < 0));
    visit("bytes_at_most", bytesAtMost);
    visit("arithmetic", arithmetic);
    visit("trials", trials);
    visit("baseline_us", baselineUs, nullIf(baselineUs < 0));
    visit("best_us", bestUs, nullIf(bestUs < 0));
    visit("limit", limit);
    visit("outcome", outcome);
  }
};

/// All that is searched, one after the other, and the budget of all together.
template <class Types = StdTypes> struct TunePlan {
  static constexpr const char *messageName = "TunePlan";
  List<Types, TuneItem<Types>> items{};
  Int64<Types> trials = -1; ///< -1: it goes by the time
  double seconds = -1;      ///< negative: it goes by trials

  template <class Visitor> void fields(Visitor &visit) {
    visit("items", items);
    visit("trials", trials, nullIf(trials < 0));
    visit("seconds", seconds, nullIf(seconds < 0));
  }
};

/// A search has begun.
template <class Types = StdTypes> struct TuneStarted {
  static constexpr const char *messageName = "tune/start";
  std::optional<DevicePeaks<Types>> peaks{}; ///< of its device; null: they could not be measured
  Text<Types> note{};                        ///< why

  template <class Visitor> void fields(Visitor &visit) {
    visit("roofs", peaks);
    visit("note", note);
  }
};

/// How a search stands.
template <class Types = StdTypes> struct TuneProgress {
  static constexpr const char *messageName = "tune/poll";
  bool isRunning = false, isPaused = false;
  TunePlan<Types> plan{};
  std::optional<TuneBegin<Types>> begin{}; ///< of the item that is at work
  List<Types, TuneTrial<Types>> trials{};  ///< those that the client has not seen
  double elapsed = 0;                      ///< seconds since the first trial began, pauses left out
  double remaining = -1;                   ///< seconds, likely; negative: unknown
  std::optional<TuneOutcome<Types>> outcome{};
  Texts<Types> notes{};  ///< what it said beside, such as trials that a journal has
  Text<Types> problem{}; ///< why it ended without an outcome

  template <class Visitor> void fields(Visitor &visit) {
    visit("running", isRunning);
    visit("paused", isPaused);
    visit("plan", plan);
    visit("begin", begin);
    visit("trials", trials);
    visit("elapsed", elapsed);
    visit("remaining", remaining, nullIf(remaining < 0));
    visit("outcome", outcome);
    visit("notes", notes);
    visit("problem", problem);
  }
};

/// What trials of a journal are about.
template <class Types = StdTypes> struct TuneWork {
  static constexpr const char *messageName = "TuneWork";
  Text<Types> module{}, dispatch{}, schedule{}, device{}, driver{}, version{};
  int trials = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("module", module);
    visit("dispatch", dispatch);
    visit("schedule", schedule);
    visit("device", device);
    visit("driver", driver);
    visit("version", version);
    visit("trials", trials);
  }
};

/// A journal, read.
template <class Types = StdTypes> struct TuneJournal {
  static constexpr const char *messageName = "tune/journal";
  Text<Types> path{};
  List<Types, TuneWork<Types>> works{}; ///< in the order of their first trials
  List<Types, TuneTrial<Types>> trials{};
  Int64<Types> matching = 0; ///< trials that were asked for, of which these may be a part
  int unreadable = 0;        ///< lines that this version does not know

  template <class Visitor> void fields(Visitor &visit) {
    visit("path", path);
    visit("works", works);
    visit("trials", trials);
    visit("matching", matching);
    visit("unreadable", unreadable);
  }
};

} // namespace fuselage::message
