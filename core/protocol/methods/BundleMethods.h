// run/results: what fuselage-launch measured, placed in the program.
#pragma once
#include "core/protocol/BundleResults.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::message {

/// Where a row of results belongs.
template <class Types = StdTypes> struct ResultPlace {
  static constexpr const char *messageName = "ResultPlace";
  Int64<Types> dispatch = -1; ///< its number in the program as formed for a run; -1: it has none
  Text<Types> loc;            ///< of its root op, as the program says it
  Numbers<Types> ops;         ///< in `shown`: what the root op has become, then the other structured ops
  Text<Types> whyNot;         ///< a sentence; empty: it is placed, or is what ran on the host

  template <class Visitor> void fields(Visitor &visit) {
    visit("dispatch", dispatch);
    visit("loc", loc);
    visit("ops", ops);
    visit("why_not", whyNot);
  }
};

template <class Types = StdTypes> struct PlacedResults {
  static constexpr const char *messageName = "run/results";
  Results<Types> results;
  List<Types, ResultPlace<Types>> places; ///< of each of the kernels

  template <class Visitor> void fields(Visitor &visit) {
    visit("results", results);
    visit("places", places);
  }
};

} // namespace fuselage::message

namespace fuselage::method {

struct RunResults {
  static constexpr const char *name = "run/results";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    Text<Types> path{};
    SnapshotNumber snapshot{};
    SnapshotNumber shown{};
    Map<Types, Int64<Types>> sizes{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("path", path,
            required.file(FileUse::Reads)
                .doc("what `fuselage-launch --format json` or `fuselage run --format json` wrote, possibly on "
                     "another machine"));
      visit("snapshot", snapshot, optional.doc("the program that the results are of, as of run/start (default: 0)"));
      visit("shown", shown, optional.doc("the snapshot that `ops` are of (default: 0)"));
      visit("sizes", sizes);
    }
  };
  template <class Types> using Reply = message::PlacedResults<Types>;
};

} // namespace fuselage::method
