// compare/*.
#pragma once
#include "core/protocol/Compare.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

struct Compare {
  static constexpr const char *name = "compare/with";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Int64<Types> other = -1;
    Int64<Types> at = -1;
    Text<Types> path{};
    Text<Types> tool{};
    bool fuseAll = false;

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("other", other, optional.doc("B: a snapshot"));
      visit("at", at, optional.range(-1, INT32_MAX).doc("a step of the log (default: the last with dispatches)"));
      visit("path", path, optional.file(FileUse::Reads).doc("B: a module or a log"));
      visit("tool", tool, optional.doc("B: a command as of tool/start, whose log it is"));
      visit("fuseAll", fuseAll, optional.doc("what has no dispatches is fused first, all that pays"));
    }
  };
  template <class Types> using Reply = message::DispatchComparison<Types>;
};

} // namespace fuselage::method
