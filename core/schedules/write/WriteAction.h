// Writing a schedule by pointing: an action on an op becomes lines at the end of a script.
#pragma once
#include "core/schedules/write/Actions.h"

namespace fuselage {

/// An op of the payload as it is at the end of the schedule, and what to do to it.
struct PointedAction {
  const ScheduleAction *action;
  mlir::ModuleOp seen; ///< the module in which the user points
  OpId op;             ///< there, in pre-order
  std::optional<OpId> other{};
  std::map<std::string, std::string> options{};
  ScriptOptions script{}; ///< how it was opened
};

struct WrittenAction {
  std::string text;             ///< the script
  unsigned first = 0, last = 0; ///< the new lines, from 1
};

/// Runs `script`, whose text is `text`, on `payload`, and puts lines before the end of its entry; an entry that
/// was marked as one that only reads is not any more, where the lines consume its argument. What comes of it parses.
/// Failure: it would not, the schedule fails, the payload in the end is not what the user points at, or nothing leads
/// to the op.
llvm::Expected<WrittenAction> writeAction(Session &session, Script script, llvm::StringRef text, mlir::ModuleOp payload,
                                          const PointedAction &pointed, const std::atomic<bool> *cancelled = nullptr);

} // namespace fuselage
