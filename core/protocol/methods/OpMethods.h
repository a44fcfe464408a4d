// op/*.
#pragma once
#include "core/protocol/Ops.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

struct OpDetails {
  static constexpr const char *name = "op/details";
  static constexpr Needs needs = Needs::Ops;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Int64<Types> id = 0;

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("id", id, required.doc("an op, or a part of the model, by its cluster"));
    }
  };
  template <class Types> using Reply = message::OpDetails<Types>;
};

} // namespace fuselage::method
