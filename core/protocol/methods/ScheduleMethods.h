// schedule/* and forms/*.
#pragma once
#include "core/protocol/Document.h"
#include "core/protocol/ScheduleActions.h"
#include "core/protocol/Schedules.h"
#include "core/protocol/methods/ScriptSource.h"

namespace fuselage::method {

struct TraceSchedule {
  static constexpr const char *name = "schedule/trace";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    ScriptSource<Types> script{};
    bool hoist = false;
    bool normalize = false;
    Map<Types, Text<Types>> knobs{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      script.fields(visit);
      visit("hoist", hoist,
            optional.doc("`normalize`, and one further up is looked for that makes the others unnecessary: a remark at "
                         "its line says what it saves and how it is known that the result is the same, or why there "
                         "is none"));
      visit("normalize", normalize, optional.doc("normalizers are put before transforms whose form does not hold"));
      visit("knobs", knobs, optional.doc("values that are selected, as schedule/knobs lists them"));
    }
  };
  template <class Types> using Reply = message::ScheduleTrace<Types>;
};

/// A place of the last trace.
template <class Types> struct TracePlace {
  Int64<Types> step = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("step", step, required.range(0, INT32_MAX).doc("of the last trace"));
  }
};

struct SchedulePosition {
  static constexpr const char *name = "schedule/position";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = TracePlace<Types>;
  template <class Types> using Reply = message::SchedulePosition<Types>;
};

struct PreparePosition {
  static constexpr const char *name = "schedule/prepare";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = TracePlace<Types>;
  template <class Types> using Reply = message::Nothing<Types>;
};

struct CheckSchedule {
  static constexpr const char *name = "schedule/check";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = ScriptSource<Types>;
  template <class Types> using Reply = message::ScheduleCheck<Types>;
};

struct ScheduleKnobs {
  static constexpr const char *name = "schedule/knobs";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = ScriptSource<Types>;
  template <class Types> using Reply = message::ScheduleKnobs<Types>;
};

struct CompleteScript {
  static constexpr const char *name = "schedule/complete";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    ScriptSource<Types> script{};
    Int64<Types> line = 1;
    Int64<Types> column = 1;

    template <class Visitor> void fields(Visitor &visit) {
      script.fields(visit);
      visit("line", line, required.range(1, INT32_MAX));
      visit("column", column, required.range(1, INT32_MAX).doc("as `line` of the caret, from 1, in bytes"));
    }
  };
  template <class Types> using Reply = message::ScriptCompletion<Types>;
};

struct ScheduleActions {
  static constexpr const char *name = "schedule/actions";
  static constexpr Needs needs = Needs::Ops;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Int64<Types> id = 0;

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("id", id, required);
    }
  };
  template <class Types> using Reply = message::ScheduleActions<Types>;
};

struct WriteSchedule {
  static constexpr const char *name = "schedule/write";
  static constexpr Needs needs = Needs::Ops;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Int64<Types> start = 0;
    Text<Types> path{};
    Text<Types> text{};
    Text<Types> action{};
    ScriptOptions<Types> script{};
    Map<Types, Text<Types>> options{};
    Int64<Types> id = 0;
    Int64<Types> other = -1;

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("start", start,
            optional.doc("the snapshot that the schedule runs on (default: 0); `snapshot` is what it leads to"));
      visit("path", path, required);
      visit("text", text, required);
      visit("action", action, required);
      script.fields(visit);
      visit("options", options);
      visit("id", id, required);
      visit("other", other, optional.doc("a second op, for \"fuse_into\" the loop"));
    }
  };
  template <class Types> using Reply = message::WrittenSchedule<Types>;
};

struct CheckForms {
  static constexpr const char *name = "forms/check";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Texts<Types> libraries{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("libraries", libraries, optional.file(FileUse::Reads));
    }
  };
  template <class Types> using Reply = message::FormReport<Types>;
};

struct FormHelp {
  static constexpr const char *name = "forms/help";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> using Request = NoParameters;
  template <class Types> using Reply = message::FormHelps<Types>;
};

} // namespace fuselage::method
