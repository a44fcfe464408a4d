// search/*.
#pragma once
#include "core/protocol/Document.h"
#include "core/protocol/Search.h"
#include "core/protocol/methods/TextMethods.h"

namespace fuselage::method {

struct PrepareSearch {
  static constexpr const char *name = "search/prepare";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = SnapshotRequest<Types>;
  template <class Types> using Reply = message::Nothing<Types>;
};

struct FindNames {
  static constexpr const char *name = "search/find";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Text<Types> text{};
    Texts<Types> kinds{};
    Int64<Types> limit = 50;

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("text", text, required);
      visit("kinds", kinds,
            optional.doc("some of \"symbol\", \"weight\", \"op\", \"value\" and \"location\" (default: all)"));
      visit("limit", limit, optional.range(1, 1000).doc("hits of each of them (default: 50)"));
    }
  };
  template <class Types> using Reply = message::SearchHits<Types>;
};

struct SearchHistory {
  static constexpr const char *name = "search/history";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    std::optional<Text<Types>> text{};
    std::optional<Text<Types>> name{};
    std::optional<Int64<Types>> op{};
    std::optional<Text<Types>> dispatch{};
    std::optional<SnapshotNumber> snapshot{};
    bool rewrites = false;

    template <class Visitor> void fields(Visitor &visit) {
      visit("text", text, optional.doc("lines with it"));
      visit("name", name, optional.doc("the same as a whole word, of a value (`%q`) where it is defined"));
      visit("op", op, optional.doc("by where it comes from, in logs without locations by its line"));
      visit("dispatch", dispatch,
            optional.doc("all ops of the dispatches with this in their names, by where they come from, in `snapshot`, "
                         "in the input and after the last step"));
      visit("snapshot", snapshot, optional.doc("goes with `op` and `dispatch`"));
      visit("rewrites", rewrites,
            optional.doc(
                "of an op: also the rewrites within each step, which then runs once more if they are not known"));
    }
  };
  template <class Types> using Reply = message::History<Types>;
};

} // namespace fuselage::method
