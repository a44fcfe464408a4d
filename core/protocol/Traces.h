// A trace of events: what it comes to by name, and what is to be drawn of it.
#pragma once
#include "core/protocol/Types.h"

namespace fuselage::message {

template <class Types = StdTypes> struct TraceRow {
  static constexpr const char *messageName = "TraceRow";
  Text<Types> name;
  Text<Types> category;
  Int64<Types> count = 0;
  double totalUs = 0, selfUs = 0, longestUs = 0;
  int step = -1; ///< of a recording; -1: its events name none, or several

  template <class Visitor> void fields(Visitor &visit) {
    visit("name", name);
    visit("category", category);
    visit("count", count);
    visit("total_us", totalUs);
    visit("self_us", selfUs);
    visit("longest_us", longestUs);
    visit("step", step);
  }
};

template <class Types = StdTypes> struct TraceSummary {
  static constexpr const char *messageName = "trace/open";
  Text<Types> path;
  double durationUs = 0;
  Int64<Types> events = 0, instants = 0, others = 0, skipped = 0, unfinished = 0;
  Text<Types> cut; ///< where the file ends too early; empty: it is whole
  Texts<Types> threads{};
  List<Types, TraceRow<Types>> rows{}; ///< the largest total first
  Int64<Types> moreRows = 0;           ///< that were left out

  template <class Visitor> void fields(Visitor &visit) {
    visit("path", path);
    visit("duration_us", durationUs);
    visit("events", events);
    visit("instants", instants);
    visit("others", others);
    visit("skipped", skipped);
    visit("unfinished", unfinished);
    visit("cut", cut);
    visit("threads", threads);
    visit("rows", rows);
    visit("more_rows", moreRows);
  }
};

/// Columns: the i-th of each is of the i-th piece.
template <class Types = StdTypes> struct TracePieces {
  static constexpr const char *messageName = "trace/pieces";
  Texts<Types> names;  ///< that pieces have
  Numbers<Types> name; ///< in names
  Numbers<Types> thread, depth, count, step;
  List<Types, double> startUs, durationUs;

  template <class Visitor> void fields(Visitor &visit) {
    visit("names", names);
    visit("name", name);
    visit("thread", thread);
    visit("depth", depth);
    visit("count", count);
    visit("step", step);
    visit("start_us", startUs);
    visit("duration_us", durationUs);
  }
};

} // namespace fuselage::message
