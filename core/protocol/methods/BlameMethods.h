// step/blame.
#pragma once
#include "core/protocol/Blame.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

struct FindBlame {
  static constexpr const char *name = "step/blame";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    bool again = false;
    Text<Types> pipeline{};
    Text<Types> schedule{};
    Text<Types> target = textOf<Types>("spirv");
    Text<Types> function{};
    Map<Types, Int64<Types>> sizes{};
    Map<Types, Text<Types>> inputs{};
    Int64<Types> draws = 3;
    Int64<Types> seconds = 300;

    template <class Visitor> void fields(Visitor &visit) {
      visit("again", again,
            optional.doc("record `pipeline` or `schedule` once more in a copy of the engine, and find where it dies"));
      visit("pipeline", pipeline, optional.file(FileUse::Pipeline));
      visit("schedule", schedule, optional.file(FileUse::Reads));
      visit("target", target, optional.doc("as of pipeline/record"));
      visit("function", function, optional.doc("as of run/start, with `sizes` and `inputs`"));
      visit("sizes", sizes, optional);
      visit("inputs", inputs, optional.file(FileUse::Inputs));
      visit("draws", draws, optional.range(1, 100).doc("inputs to try"));
      visit("seconds", seconds, optional.range(1, 100'000).doc("of processor time, for `again`"));
    }
  };
  template <class Types> using Reply = message::Blame<Types>;
};

} // namespace fuselage::method
