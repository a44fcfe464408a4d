// notes/*.
#pragma once
#include "core/protocol/Notes.h"
#include "core/protocol/methods/Method.h"

namespace fuselage::method {

struct LoadNotes {
  static constexpr const char *name = "notes/load";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> using Request = NoParameters;
  template <class Types> using Reply = message::Notes<Types>;
};

struct SaveNotes {
  static constexpr const char *name = "notes/save";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    List<Types, message::Note<Types>> notes{};
    std::optional<Text<Types>> document{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("notes", notes, optional.doc("all there are"));
      visit("document", document, optional.doc("its path, and an error where another one is open"));
    }
  };
  template <class Types> using Reply = message::NotesSaved<Types>;
};

struct AnchorNote {
  static constexpr const char *name = "notes/anchor";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    std::optional<Int64<Types>> id{};
    std::optional<Int64<Types>> producer{};
    Int64<Types> operand = -1;
    SnapshotNumber snapshot{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("id", id, optional.doc("a node of the graph; without it, the step that led to the snapshot"));
      visit("producer", producer, optional.doc("the edge from this node to `id`"));
      visit("operand", operand, optional.range(-1, INT32_MAX));
      visit("snapshot", snapshot, required);
    }
  };
  template <class Types> using Reply = message::Note<Types>;
};

struct ResolveNotes {
  static constexpr const char *name = "notes/resolve";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    SnapshotNumber snapshot{};
    List<Types, message::Note<Types>> notes{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("snapshot", snapshot, required);
      visit("notes", notes);
    }
  };
  template <class Types> using Reply = message::NotePlaces<Types>;
};

struct WriteBugReport {
  static constexpr const char *name = "notes/bugReport";
  static constexpr Needs needs = Needs::Document;
  template <class Types = StdTypes> struct Request {
    Int64<Types> id = 0;
    std::optional<Int64<Types>> producer{};
    Text<Types> reason{};
    Text<Types> policy = textOf<Types>("aggressive");
    SnapshotNumber snapshot{};

    template <class Visitor> void fields(Visitor &visit) {
      visit("id", id, required);
      visit("producer", producer);
      visit("reason", reason, optional.doc("in words"));
      visit("policy", policy);
      visit("snapshot", snapshot, required);
    }
  };
  template <class Types> using Reply = message::BugReport<Types>;
};

} // namespace fuselage::method
