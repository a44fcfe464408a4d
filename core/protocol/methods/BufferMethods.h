// buffers/*.
#pragma once
#include "core/protocol/Buffers.h"
#include "core/protocol/methods/FusionMethods.h"

namespace fuselage::method {

struct ReportBuffers {
  static constexpr const char *name = "buffers/report";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Text<Types> function{};
    Map<Types, Int64<Types>> sizes{};
    std::optional<Text<Types>> sizedFunction{};
    bool keepEmpty = false;
    bool peaksOnly = false;

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("function", function);
      visit("sizes", sizes,
            optional.doc("of dynamic dimensions of the arguments of `sizedFunction`; what it has no dimension for is "
                         "passed over, and what follows for functions that it calls"));
      visit("sizedFunction", sizedFunction, optional.doc("default: `function`, or the first public one"));
      visit("keepEmpty", keepEmpty);
      visit("peaksOnly", peaksOnly);
    }
  };
  template <class Types> using Reply = message::BuffersReport<Types>;
  /// With `peaksOnly`.
  template <class Types> using OtherReply = message::SnapshotPeaks<Types>;
};

struct BufferHelp {
  static constexpr const char *name = "buffers/help";
  static constexpr Needs needs = Needs::Nothing;
  template <class Types = StdTypes> using Request = ReasonRequest<Types>;
  template <class Types> using Reply = message::BufferReasonHelps<Types>;
};

} // namespace fuselage::method
