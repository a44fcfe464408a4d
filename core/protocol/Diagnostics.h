// Messages for people about the user's IR, and why a request failed.
#pragma once
#include "core/protocol/Fields.h"
#include "core/protocol/Types.h"

namespace fuselage::message {

/// `line` and `column` count from 1, 0 means unknown.
template <class Types = StdTypes> struct Diagnostic {
  static constexpr const char *messageName = "Diagnostic";
  Text<Types> severity; ///< "error", "warning", "remark" or "note"
  Text<Types> message;
  Text<Types> file;
  int line = 0;
  int column = 0;
  Int64<Types> op = -1; ///< of a step's diagnostics: the op it lies on in the snapshot before the step
  int opLine = -1;      ///< that op's line there, from 0
  List<Types, Diagnostic<Types>> notes;

  template <class Visitor> void fields(Visitor &visit) {
    visit("severity", severity);
    visit("message", message);
    visit("file", file);
    visit("line", line);
    visit("column", column);
    visit("op", op, leftOutIf(op < 0));
    visit("op_line", opLine, leftOutIf(opLine < 0));
    visit("notes", notes);
  }
};

/// Why a request failed: the `error` member of a reply.
template <class Types = StdTypes> struct Error {
  static constexpr const char *messageName = "Error";
  enum Code {
    Cancelled = -32800, ///< or superseded
    EngineGone = -1,    ///< no answer will come
    Refused = -2,       ///< not sent: it has ended the engine too often
  };
  int code = 0;
  Text<Types> message;
  List<Types, Diagnostic<Types>> diagnostics;

  template <class Visitor> void fields(Visitor &visit) {
    visit("code", code);
    visit("message", message);
    visit.group("data", [&](auto &data) { data("diagnostics", diagnostics); });
  }
};

/// Something for the log.
template <class Types = StdTypes> struct LogLine {
  static constexpr const char *messageName = "log";
  Text<Types> severity;
  Text<Types> message;

  template <class Visitor> void fields(Visitor &visit) {
    visit("severity", severity);
    visit("message", message);
  }
};

} // namespace fuselage::message
