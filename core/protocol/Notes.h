// Bookmarks and notes: what they are about, as it is kept beside a file, and where that is now.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"
#include <optional>

namespace fuselage::message {

/// What an op, or an argument of a function, is found again by when its file has changed.
template <class Types = StdTypes> struct OpAnchor {
  static constexpr const char *messageName = "OpAnchor";
  Text<Types> function;     ///< "@main", "@outer/@inner"; empty: around no symbol
  Text<Types> op;           ///< "linalg.matmul"; "argument" of an argument
  Text<Types> name;         ///< that the user's text gives its first result, or its symbol; empty: none
  Text<Types> types;        ///< of its results
  Texts<Types> operands;    ///< by operand: the user's name, else the op that makes it
  Texts<Types> users;       ///< ops that use its results, sorted
  Text<Types> above, below; ///< the ops beside it in its block
  int line = 0, column = 0; ///< in the user's file, from 1; 0: unknown
  int ordinal = 0;          ///< among the ops of that name in its function; of an argument its number
  int alike = 0;            ///< how many of them there are

  template <class Visitor> void fields(Visitor &visit) {
    visit("function", function);
    visit("op", op);
    visit("name", name);
    visit("types", types);
    visit("operands", operands);
    visit("users", users);
    visit("above", above);
    visit("below", below);
    visit("line", line);
    visit("column", column);
    visit("ordinal", ordinal);
    visit("alike", alike);
  }
};

/// The step after which something was seen.
template <class Types = StdTypes> struct StepAnchor {
  static constexpr const char *messageName = "StepAnchor";
  Text<Types> pass;  ///< empty: the input
  Text<Types> name;  ///< as the list of steps has it
  Text<Types> scope; ///< that a dumped pass ran on
  int ordinal = 0;   ///< among the steps of that pass and scope

  template <class Visitor> void fields(Visitor &visit) {
    visit("pass", pass);
    visit("name", name);
    visit("scope", scope);
    visit("ordinal", ordinal);
  }
};

enum class NoteKind { Op, Edge, Step };
inline constexpr const char *noteKindNames[] = {"op", "edge", "step"};

/// A bookmark, with or without words.
template <class Types = StdTypes> struct Note {
  static constexpr const char *messageName = "Note";
  Text<Types> id; ///< of no meaning; two notes have different ones
  NoteKind kind = NoteKind::Op;
  Text<Types> text;    ///< the user's, plain; may be empty
  Text<Types> label;   ///< what it is about, as it was called then
  Text<Types> created; ///< ISO 8601
  StepAnchor<Types> step;
  OpAnchor<Types> op;                      ///< of an edge, its consumer
  std::optional<OpAnchor<Types>> producer; ///< of an edge
  int operand = -1;                        ///< of an edge
  bool group = false;                      ///< of an edge: it is about all that are the same but for where they are

  template <class Visitor> void fields(Visitor &visit) {
    visit("id", id);
    visit.choice("kind", kind, noteKindNames);
    visit("text", text);
    visit("label", label);
    visit("created", created);
    visit("step", step);
    visit("op", op);
    visit("producer", producer, leftOutIf(!producer));
    visit("operand", operand, nullIf(operand < 0));
    visit("group", group, leftOutIf(!group));
  }
};

/// A file of notes, and what notes/load answers.
template <class Types = StdTypes> struct Notes {
  static constexpr const char *messageName = "notes/load";
  int version = 1;
  List<Types, Note<Types>> notes;
  Text<Types> path;    ///< where they are kept
  Text<Types> problem; ///< why some are not there, or are kept elsewhere than beside the file; empty: all is well

  template <class Visitor> void fields(Visitor &visit) {
    visit("version", version);
    visit("notes", notes);
    visit("path", path, leftOutIf(isEmpty(path)));
    visit("problem", problem, leftOutIf(isEmpty(problem)));
  }
};

/// Where they were written.
template <class Types = StdTypes> struct NotesSaved {
  static constexpr const char *messageName = "notes/save";
  Text<Types> path;
  Text<Types> problem; ///< why not beside the file; empty: they are there

  template <class Visitor> void fields(Visitor &visit) {
    visit("path", path);
    visit("problem", problem);
  }
};

enum class NoteState { Found, Moved, Unsure, NoStep, Lost };
inline constexpr const char *noteStateNames[] = {"found", "moved", "unsure", "no_step", "lost"};

/// Where a note is.
template <class Types = StdTypes> struct NotePlace {
  static constexpr const char *messageName = "NotePlace";
  NoteState state = NoteState::Lost;
  Text<Types> how;                     ///< a sentence, where there is something to say
  int snapshot = -1;                   ///< that it was made on; -1: there is none any more
  Int64<Types> op = -1, producer = -1; ///< there; arguments are negative, and -1 where there is nothing
  bool hasOp = false;
  int line = -1;             ///< in that snapshot's text
  Int64<Types> shownOp = -1; ///< of the snapshot that was asked about: where its ops come from the same place
  int shownLine = -1;        ///< -1: it is not there

  template <class Visitor> void fields(Visitor &visit) {
    visit.choice("state", state, noteStateNames);
    visit("how", how);
    visit("snapshot", snapshot, nullIf(snapshot < 0));
    visit("op", op);
    visit("producer", producer);
    visit("has_op", hasOp);
    visit("line", line, nullIf(line < 0));
    visit("shown_op", shownOp);
    visit("shown_line", shownLine, nullIf(shownLine < 0));
  }
};
template <class Types = StdTypes> struct NotePlaces {
  static constexpr const char *messageName = "notes/resolve";
  List<Types, NotePlace<Types>> places; ///< in the order of the notes

  template <class Visitor> void fields(Visitor &visit) { visit("places", places); }
};

/// Text for a bug tracker.
template <class Types = StdTypes> struct BugReport {
  static constexpr const char *messageName = "notes/bugReport";
  Text<Types> text;

  template <class Visitor> void fields(Visitor &visit) { visit("text", text); }
};

} // namespace fuselage::message
