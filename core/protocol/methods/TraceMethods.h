// trace/*.
#pragma once
#include "core/protocol/Traces.h"
#include "core/protocol/methods/Method.h"
#include <optional>

namespace fuselage::method {

struct OpenTrace {
  static constexpr const char *name = "trace/open";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> struct Request {
    Text<Types> path{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("path", path, required.file(FileUse::Reads).doc("a trace, as JSON"));
    }
  };
  template <class Types> using Reply = message::TraceSummary<Types>;
};

struct TracePieces {
  static constexpr const char *name = "trace/pieces";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> struct Request {
    double begin = 0;
    std::optional<double> end{};
    Int64<Types> columns = 1000;

    template <class Visitor> void fields(Visitor &visit) {
      visit("begin", begin, optional.reals(-1e19, 1e19).doc("microseconds since the trace began; default: all of it"));
      visit("end", end, optional.reals(-1e19, 1e19));
      visit("columns", columns, optional.range(1, 100000).doc("of pixels; what lies in one is one piece"));
    }
  };
  template <class Types> using Reply = message::TracePieces<Types>;
};

} // namespace fuselage::method
