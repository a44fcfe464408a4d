// text/* and snapshot/*.
#pragma once
#include "core/protocol/Document.h"
#include "core/protocol/Search.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

template <class Types> struct SnapshotRequest {
  SnapshotNumber snapshot{};

  template <class Visitor> void fields(Visitor &visit) { visit("snapshot", snapshot, required); }
};

template <class Types> struct LinesRequest {
  SnapshotNumber snapshot{};
  Int64<Types> first = 0;
  Int64<Types> count = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot, required);
    visit("first", first, required.range(0, INT32_MAX));
    visit("count", count, required.range(0, INT32_MAX));
  }
};

template <class Types> struct FindRequest {
  SnapshotNumber snapshot{};
  Text<Types> pattern{};
  Int64<Types> first = 0;
  Int64<Types> count = 1000;

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot, required);
    visit("pattern", pattern, required.doc("an ECMAScript regular expression"));
    visit("first", first, optional.range(0, INT32_MAX));
    visit("count", count, optional.range(0, INT32_MAX).doc("matches from number `first` on (default: 1000)"));
  }
};

template <class Types> struct LineRequest {
  SnapshotNumber snapshot{};
  Int64<Types> line = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot, required);
    visit("line", line, required);
  }
};

template <class Types> struct PlaceRequest {
  SnapshotNumber snapshot{};
  Int64<Types> line = 0;
  Int64<Types> column = 0;

  template <class Visitor> void fields(Visitor &visit) {
    visit("snapshot", snapshot, required);
    visit("line", line, required);
    visit("column", column, required.range(0, INT32_MAX));
  }
};

struct TextLines {
  static constexpr const char *name = "text/lines";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = LinesRequest<Types>;
  template <class Types> using Reply = message::TextLines<Types>;
};

struct FindText {
  static constexpr const char *name = "text/find";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = FindRequest<Types>;
  template <class Types> using Reply = message::TextMatches<Types>;
};

struct OpAtLine {
  static constexpr const char *name = "text/opAt";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = LineRequest<Types>;
  template <class Types> using Reply = message::OpAt<Types>;
};

struct TextUses {
  static constexpr const char *name = "text/uses";
  static constexpr Needs needs = Needs::Ops;
  template <class Types = StdTypes> using Request = PlaceRequest<Types>;
  template <class Types> using Reply = message::TextUses<Types>;
};

struct SourceLines {
  static constexpr const char *name = "text/source";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = LinesRequest<Types>;
  template <class Types> using Reply = message::SourceLines<Types>;
};

struct FindSource {
  static constexpr const char *name = "text/sourceFind";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = FindRequest<Types>;
  template <class Types> using Reply = message::TextMatches<Types>;
};

struct SourceUses {
  static constexpr const char *name = "text/sourceUses";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = PlaceRequest<Types>;
  template <class Types> using Reply = message::TextUses<Types>;
};

struct OpsFromSource {
  static constexpr const char *name = "text/opFrom";
  static constexpr Needs needs = Needs::Ops;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Int64<Types> line = 0;

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("line", line, required.doc("a row of text/source"));
    }
  };
  template <class Types> using Reply = message::SourceOps<Types>;
};

struct SourceOfLine {
  static constexpr const char *name = "text/sourceOf";
  static constexpr Needs needs = Needs::Ops;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Int64<Types> line = 0;

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("line", line, required.doc("a line of text/lines"));
    }
  };
  template <class Types> using Reply = message::SourceOps<Types>;
};

struct SaveText {
  static constexpr const char *name = "text/save";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    Text<Types> path{};
    bool locations = false;

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("path", path, required.file(FileUse::Writes));
      visit("locations", locations);
    }
  };
  template <class Types> using Reply = message::WrittenFile<Types>;
};

struct ReadSnapshot {
  static constexpr const char *name = "snapshot/read";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = SnapshotRequest<Types>;
  template <class Types> using Reply = message::SnapshotRead<Types>;
};

struct CountSnapshot {
  static constexpr const char *name = "snapshot/counts";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = SnapshotRequest<Types>;
  template <class Types> using Reply = message::SnapshotCounts<Types>;
};

} // namespace fuselage::method
