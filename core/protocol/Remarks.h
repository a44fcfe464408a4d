// Remarks of a compiler, as a file has them, and the ops that they are about.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"
#include <iterator>

namespace fuselage::message {

enum class RemarkKind { Passed, Missed, Analysis, Failure, Unknown };
inline constexpr const char *remarkKindNames[] = {"passed", "missed", "analysis", "failure", "unknown"};

/// What a remark was placed by.
enum class RemarkPlace {
  Nowhere,
  Function, ///< the function of its name: it says no place that an op comes from
  Line,     ///< the first op of its line
  Column    ///< the op at its line and column
};
inline constexpr const char *remarkPlaceNames[] = {"nowhere", "function", "line", "column"};

template <class Types = StdTypes> struct Remark {
  static constexpr const char *messageName = "Remark";
  RemarkKind kind = RemarkKind::Unknown;
  Text<Types> pass, name, function, message;
  Text<Types> file;         ///< as the compiler called it; empty: it says no place
  int line = 0, column = 0; ///< from 1; 0: unknown
  Int64<Types> hotness = -1;
  RemarkPlace place = RemarkPlace::Nowhere;
  Int64<Types> op = -1; ///< in the snapshot; -1: none
  Text<Types> opName;
  int opLine = 0;  ///< where the op is in the text on screen, from 1; 0: unknown
  Text<Types> why; ///< it was not placed

  template <class Visitor> void fields(Visitor &visit) {
    visit.choice("kind", kind, remarkKindNames);
    visit("pass", pass);
    visit("name", name);
    visit("function", function);
    visit("message", message);
    visit("file", file);
    visit("line", line);
    visit("column", column);
    visit("hotness", hotness, leftOutIf(hotness < 0));
    visit.choice("place", place, remarkPlaceNames);
    visit("op", op, leftOutIf(op < 0));
    visit("op_name", opName, leftOutIf(op < 0));
    visit("op_line", opLine, leftOutIf(opLine <= 0));
    visit("why", why, leftOutIf(isEmpty(why)));
  }
};

/// The remarks of a file, by pass, name and place.
template <class Types = StdTypes> struct Remarks {
  static constexpr const char *messageName = "remarks/read";
  int version = 1;
  Text<Types> path;
  Text<Types> format; ///< "yaml" or "bitstream"
  Int64<Types> placed = 0, unplaced = 0;
  Int64<Types> leftOut = 0; ///< beyond the most that are kept
  Text<Types> problem;      ///< why the rest of the file was not read; empty: all of it was
  List<Types, Remark<Types>> remarks;

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("path", path);
    visit("format", format);
    visit("placed", placed);
    visit("unplaced", unplaced);
    visit("left_out", leftOut, leftOutIf(leftOut <= 0));
    visit("problem", problem, leftOutIf(isEmpty(problem)));
    visit("remarks", remarks);
  }
};

} // namespace fuselage::message
