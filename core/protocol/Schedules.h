// A schedule's trace: what each application of a transform op did, and the handles at a place.
#pragma once
#include "core/protocol/Diagnostics.h"
#include <optional>

namespace fuselage::message {

/// One application of a transform op, or the end of a block.
template <class Types = StdTypes> struct ScheduleStep {
  static constexpr const char *messageName = "ScheduleStep";
  int index = 0;
  int op = -1;      ///< number of the op in the script, in pre-order
  Text<Types> name; ///< "transform.structured.match"
  Text<Types> text; ///< its line
  Text<Types> file;
  int line = 0;     ///< from 1; 0: unknown
  bool end = false; ///< the end of a block: a place, no application
  int parent = -1;  ///< the step around it
  int depth = 0;
  int block = 0;               ///< of the parent's, counting every entry
  int iteration = 0;           ///< how often that block was entered before within the parent
  int next = 0;                ///< the step after it that is not inside of it
  Text<Types> outcome;         ///< "success", "silenceable", "definite" or "unfinished"
  bool suppressed = false;     ///< it failed, and the schedule went on
  std::optional<bool> changed; ///< the payload; null: nobody looked
  double milliseconds = 0;
  List<Types, Diagnostic<Types>> diagnostics;

  template <class Visitor> void fields(Visitor &visit) {
    visit("index", index);
    visit("op", op, nullIf(op < 0));
    visit("name", name);
    visit("text", text);
    visit("file", file);
    visit("line", line);
    visit("end", end);
    visit("parent", parent, nullIf(parent < 0));
    visit("depth", depth);
    visit("block", block);
    visit("iteration", iteration);
    visit("next", next);
    visit("outcome", outcome);
    visit("suppressed", suppressed);
    visit("changed", changed);
    visit("milliseconds", milliseconds);
    visit("diagnostics", diagnostics);
  }
};

/// A handle, parameter or value handle in scope.
template <class Types = StdTypes> struct ScheduleHandle {
  static constexpr const char *messageName = "ScheduleHandle";
  Text<Types> name; ///< "%matmul"
  Text<Types> type;
  Text<Types> kind;                 ///< "op", "value" or "param"
  Text<Types> state;                ///< "live", "consumed" or "invalidated"
  int by = -1;                      ///< the step that ended it
  int byLine = 0;                   ///< that step's line
  int definedBy = -1;               ///< number of the op of the script
  List<Types, Int64<Types>> ops;    ///< of the payload, by id
  List<Types, Int64<Types>> lines;  ///< first and last line, from 0, of each of them in the position's text
  List<Types, Text<Types>> details; ///< parameters: the values; value handles: which value of the op

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("type", type);
    visit("kind", kind);
    visit("state", state);
    visit("by", by, nullIf(by < 0));
    visit("by_line", byLine, nullIf(by < 0));
    visit("defined_by", definedBy, nullIf(definedBy < 0));
    visit("ops", ops);
    visit("lines", lines);
    visit("details", details);
  }
};

/// The forms that are known to hold at a line of a script.
template <class Types = StdTypes> struct LineForms {
  static constexpr const char *messageName = "LineForms";
  int line = 0;                   ///< from 1
  List<Types, Text<Types>> forms; ///< the strongest, of the functions before the line

  template <class Visitor> void fields(Visitor &visit) {
    visit("line", line);
    visit("forms", forms);
  }
};

/// A schedule that ran.
template <class Types = StdTypes> struct ScheduleTrace {
  static constexpr const char *messageName = "ScheduleTrace";
  int version = 1;
  Text<Types> schedule;
  bool failed = false;
  double milliseconds = 0;
  List<Types, ScheduleStep<Types>> steps;
  List<Types, Diagnostic<Types>> diagnostics; ///< of no step, and what was put before which line
  Text<Types> explicitText;                   ///< the script with the normalizers in it, where it was normalized
  List<Types, LineForms<Types>> forms;        ///< of each line that was come to, in order

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("schedule", schedule);
    visit("failed", failed);
    visit("milliseconds", milliseconds);
    visit("steps", steps);
    visit("diagnostics", diagnostics);
    visit("explicit", explicitText);
    visit("forms", forms);
  }
};

/// What there is before a step.
template <class Types = StdTypes> struct SchedulePosition {
  static constexpr const char *messageName = "SchedulePosition";
  int version = 1;
  int step = 0;
  List<Types, Int64<Types>> frames; ///< the steps around it, the entry first
  List<Types, ScheduleHandle<Types>> handles;
  Text<Types> text;          ///< the payload
  Int64<Types> snapshot = 0; ///< the payload, for every method that takes a snapshot
  Int64<Types> before = -1;  ///< the snapshot before what was applied right before this place; -1: nothing was

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("step", step);
    visit("snapshot", snapshot);
    visit("before", before, nullIf(before < 0));
    visit("frames", frames);
    visit("handles", handles);
    visit("text", text);
  }
};

/// Whether a script can be run.
template <class Types = StdTypes> struct ScheduleCheck {
  static constexpr const char *messageName = "ScheduleCheck";
  bool ok = false;
  Text<Types> problem; ///< a sentence; empty where it is ok
  List<Types, Diagnostic<Types>> diagnostics;

  template <class Visitor> void fields(Visitor &visit) {
    visit("ok", ok);
    visit("problem", problem);
    visit("diagnostics", diagnostics);
  }
};

/// Something that may stand at the caret.
template <class Types = StdTypes> struct ScriptCompletionItem {
  static constexpr const char *messageName = "ScriptCompletionItem";
  Text<Types> text;   ///< that takes the word's place
  Text<Types> kind;   ///< "op", "pattern", "handle", "symbol", "type", "attribute", "keyword", "pass" or "payload"
  Text<Types> detail; ///< its type, or what it does and, in a second line, how it is written

  template <class Visitor> void fields(Visitor &visit) {
    visit("text", text);
    visit("kind", kind);
    visit("detail", detail);
  }
};

/// What a script that is being written may go on with.
template <class Types = StdTypes> struct ScriptCompletion {
  static constexpr const char *messageName = "ScriptCompletion";
  int column = 0; ///< where the word begins that an item replaces, from 1, in bytes
  List<Types, ScriptCompletionItem<Types>> items;

  template <class Visitor> void fields(Visitor &visit) {
    visit("column", column);
    visit("items", items);
  }
};

/// What keeps a function from a form.
template <class Types = StdTypes> struct FormBreach {
  static constexpr const char *messageName = "FormBreach";
  Text<Types> op;
  Text<Types> why;
  int line = 0; ///< in the user's file, from 1; 0: unknown

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op);
    visit("why", why);
    visit("line", line);
  }
};

/// A function and a form.
template <class Types = StdTypes> struct FormVerdict {
  static constexpr const char *messageName = "FormVerdict";
  Text<Types> function;
  Text<Types> form;
  bool holds = false;
  int breaches = 0;                     ///< how many
  List<Types, FormBreach<Types>> first; ///< the first few

  template <class Visitor> void fields(Visitor &visit) {
    visit("function", function);
    visit("form", form);
    visit("holds", holds);
    visit("breaches", breaches);
    visit("first", first);
  }
};

/// A normal form to read about.
template <class Types = StdTypes> struct FormHelp {
  static constexpr const char *messageName = "FormHelp";
  Text<Types> form;
  Text<Types> summary;              ///< a sentence
  List<Types, Text<Types>> implies; ///< the forms that it implies at once
  Text<Types> page;                 ///< Markdown

  template <class Visitor> void fields(Visitor &visit) {
    visit("form", form);
    visit("summary", summary);
    visit("implies", implies);
    visit("page", page);
  }
};

template <class Types = StdTypes> struct FormHelps {
  static constexpr const char *messageName = "forms/help";
  List<Types, FormHelp<Types>> forms; ///< each after those that it implies

  template <class Visitor> void fields(Visitor &visit) { visit("forms", forms); }
};

/// The normal forms of a module's functions.
template <class Types = StdTypes> struct FormReport {
  static constexpr const char *messageName = "FormReport";
  int version = 1;
  List<Types, FormVerdict<Types>> verdicts;

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("verdicts", verdicts);
  }
};

/// What a schedule leaves open.
template <class Types = StdTypes> struct ScheduleKnob {
  static constexpr const char *messageName = "ScheduleKnob";
  Text<Types> name;
  Text<Types> kind; ///< "knob", or "alternatives": the number of a region
  Text<Types> file;
  int line = 0;
  int column = 0;
  Text<Types> selected;            ///< empty: nothing is
  Text<Types> options;             ///< as written
  List<Types, Text<Types>> values; ///< that it takes, up to 1000; empty: they are not counted
  std::optional<Int64<Types>> lowerBound, upperBound, divisibleBy, divides; ///< of knobs that say so

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("kind", kind);
    visit("file", file);
    visit("line", line);
    visit("column", column);
    visit("selected", selected);
    visit("options", options);
    visit("values", values);
    visit("lower_bound", lowerBound);
    visit("upper_bound", upperBound);
    visit("divisible_by", divisibleBy);
    visit("divides", divides);
  }
};

/// The knobs of a schedule.
template <class Types = StdTypes> struct ScheduleKnobs {
  static constexpr const char *messageName = "ScheduleKnobs";
  int version = 1;
  List<Types, ScheduleKnob<Types>> knobs;

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("knobs", knobs);
  }
};

} // namespace fuselage::message
