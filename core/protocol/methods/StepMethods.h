// step/*.
#pragma once
#include "core/protocol/Document.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

/// A step, or its two sides.
template <class Types> struct StepRequest {
  static constexpr int64_t noSnapshot = -1;
  Int64<Types> before = noSnapshot;
  Int64<Types> after = noSnapshot;
  std::optional<Int64<Types>> step{};

  template <class Visitor> void fields(Visitor &visit) {
    visit("before", before, optional.range(noSnapshot, UINT32_MAX));
    visit("after", after, optional.range(noSnapshot, UINT32_MAX).doc("a snapshot, as `before`, instead of `step`"));
    visit("step", step);
  }
};

struct DiffText {
  static constexpr const char *name = "step/diff";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = StepRequest<Types>;
  template <class Types> using Reply = WrittenByHand;
};

struct DiffGraph {
  static constexpr const char *name = "step/graphDiff";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = StepRequest<Types>;
  template <class Types> using Reply = message::GraphDiff<Types>;
};

struct ExportReport {
  static constexpr const char *name = "step/export";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    Text<Types> path{};
    Text<Types> format = textOf<Types>("html");

    template <class Visitor> void fields(Visitor &visit) {
      visit("path", path, required.file(FileUse::Writes));
      visit("format", format, optional.doc("\"html\" (default), \"json\" or \"text\""));
    }
  };
  template <class Types> using Reply = message::WrittenFile<Types>;
};

struct WriteReproducer {
  static constexpr const char *name = "step/reproducer";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    Text<Types> pipeline{};
    Int64<Types> step = 0;
    Text<Types> path{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("pipeline", pipeline,
            optional.file(FileUse::Pipeline)
                .doc("with it, `step` may be the number of steps: the last snapshot with that pipeline (the step "
                     "that crashed)"));
      visit("step", step, required);
      visit("path", path, required.file(FileUse::Writes));
    }
  };
  template <class Types> using Reply = message::WrittenFile<Types>;
};

} // namespace fuselage::method
