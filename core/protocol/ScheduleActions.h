// Writing a schedule by pointing: what can be done to an op, and the script with it.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"

namespace fuselage::message {

/// What an action leaves open.
template <class Types = StdTypes> struct ScheduleActionOption {
  static constexpr const char *messageName = "ScheduleActionOption";
  Text<Types> name;  ///< "sizes"
  Text<Types> title; ///< "Tile sizes"
  Text<Types> hint;
  Text<Types> value;                ///< to start from
  List<Types, Text<Types>> choices; ///< empty: anything

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("title", title);
    visit("hint", hint);
    visit("value", value);
    visit("choices", choices);
  }
};

template <class Types = StdTypes> struct ScheduleAction {
  static constexpr const char *messageName = "ScheduleAction";
  Text<Types> name;  ///< "tile"
  Text<Types> title; ///< "Tile"
  Text<Types> hint;
  Text<Types> why; ///< it cannot be done to this op; empty: it can be tried
  List<Types, ScheduleActionOption<Types>> options;

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("title", title);
    visit("hint", hint);
    visit("why", why);
    visit("options", options);
  }
};

/// What can be done to an op.
template <class Types = StdTypes> struct ScheduleActions {
  static constexpr const char *messageName = "ScheduleActions";
  Text<Types> op; ///< "linalg.matmul"
  List<Types, ScheduleAction<Types>> actions;

  template <class Visitor> void fields(Visitor &visit) {
    visit("op", op);
    visit("actions", actions);
  }
};

/// A script to which lines were added.
template <class Types = StdTypes> struct WrittenSchedule {
  static constexpr const char *messageName = "WrittenSchedule";
  Text<Types> text;
  int first = 0, last = 0; ///< of the new lines, from 1

  template <class Visitor> void fields(Visitor &visit) {
    visit("text", text);
    visit("first", first);
    visit("last", last);
  }
};

} // namespace fuselage::message
