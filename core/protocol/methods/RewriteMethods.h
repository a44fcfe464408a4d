// What happened inside of a step.
#pragma once
#include "core/protocol/Rewrites.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

struct ListRewrites {
  static constexpr const char *name = "step/rewrites";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    Int64<Types> step = 0;
    template <class Visitor> void fields(Visitor &visit) { visit("step", step, required); }
  };
  template <class Types> using Reply = message::StepRewrites<Types>;
};

struct ShowRewrite {
  static constexpr const char *name = "step/rewrite";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    Int64<Types> step = 0;
    Int64<Types> rewrite = 0;
    template <class Visitor> void fields(Visitor &visit) {
      visit("step", step, required);
      visit("rewrite", rewrite, required);
    }
  };
  template <class Types> using Reply = message::RewritePlace<Types>;
};

struct SkipRewrite {
  static constexpr const char *name = "step/without";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    Int64<Types> step = 0;
    Int64<Types> rewrite = 0;
    bool wholePattern = false;
    template <class Visitor> void fields(Visitor &visit) {
      visit("step", step, required);
      visit("rewrite", rewrite, required);
      visit("whole_pattern", wholePattern, optional.doc("nowhere, instead of not on this op"));
    }
  };
  template <class Types> using Reply = message::RewritePlace<Types>;
};

struct AskRewrites {
  static constexpr const char *name = "step/tried";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    Int64<Types> step = 0;
    Int64<Types> op = 0;
    bool after = false;
    template <class Visitor> void fields(Visitor &visit) {
      visit("step", step, required);
      visit("op", op, required);
      visit("after", after, optional.doc("the op is one of the snapshot after the step"));
    }
  };
  template <class Types> using Reply = message::OpRewrites<Types>;
};

struct FindStop {
  static constexpr const char *name = "step/stop";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    List<Types, Text<Types>> breakpoints{};
    Int64<Types> step = 0;
    Int64<Types> rewrite = -1;
    bool backwards = false;
    template <class Visitor> void fields(Visitor &visit) {
      visit("breakpoints", breakpoints, required);
      visit("step", step, required);
      visit("rewrite", rewrite,
            optional.range(-1, INT64_MAX)
                .doc("of that step, and passed over; left out: the search begins with all of it"));
      visit("backwards", backwards, optional);
    }
  };
  template <class Types> using Reply = message::RewriteStop<Types>;
};

struct OfferPatterns {
  static constexpr const char *name = "op/patterns";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Int64<Types> op = 0;
    Text<Types> passes = textOf<Types>("canonicalize");
    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("op", op, required);
      visit("passes", passes, optional.doc("whose patterns are tried"));
    }
  };
  template <class Types> using Reply = message::OpPatterns<Types>;
};

} // namespace fuselage::method
