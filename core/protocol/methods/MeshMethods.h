// mesh/*.
#pragma once
#include "core/protocol/Meshes.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

struct ReportMeshes {
  static constexpr const char *name = "mesh/report";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required.doc("whose meshes, values and collectives are reported"));
    }
  };
  template <class Types> using Reply = message::MeshReport<Types>;
};

} // namespace fuselage::method
