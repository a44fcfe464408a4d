// remarks/*.
#pragma once
#include "core/protocol/Remarks.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

struct ReadRemarks {
  static constexpr const char *name = "remarks/read";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    Text<Types> path{};
    SnapshotNumber snapshot{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("path", path, required.file(FileUse::Reads).doc("a file of remarks, YAML or bitstream"));
      visit("snapshot", snapshot, required.doc("whose ops the remarks are placed on"));
    }
  };
  template <class Types> using Reply = message::Remarks<Types>;
};

} // namespace fuselage::method
